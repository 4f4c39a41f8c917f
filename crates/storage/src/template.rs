//! Texts of mails that staff wrote in place of those that are built in.

use grantor_domain::Timestamp;
use grantor_domain::id::TemplateId;
use grantor_domain::template::{MailKind, Template};

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// The unique index of kinds.
pub const KIND_IS_TAKEN: &str = "mail_templates_kind";

/// A text that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its id.
    pub id: TemplateId,
    /// The text.
    pub template: Template,
    /// When it was first written.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Adds a text. Its kind may have one: see [`KIND_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, written: &Written) -> Result<()> {
    let template = &written.template;
    tx.execute(
        sql!(
            "INSERT INTO mail_templates (template_id, kind, subject, body, created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6)"
        ),
        params![
            written.id,
            template.kind().name(),
            template.subject(),
            template.body(),
            written.created_at,
            written.updated_at,
        ],
    )?;
    Ok(())
}

/// Writes a text anew.
pub fn update(tx: &mut Tx<'_>, written: &Written) -> Result<()> {
    let (subject, body) = (written.template.subject(), written.template.body());
    tx.execute(
        sql!(
            "UPDATE mail_templates SET subject = $2, body = $3, updated_at = $4
             WHERE template_id = $1"
        ),
        params![written.id, subject, body, written.updated_at],
    )?;
    Ok(())
}

/// Forgets a text: the built-in one is sent again.
pub fn delete(tx: &mut Tx<'_>, id: TemplateId) -> Result<()> {
    tx.execute(sql!("DELETE FROM mail_templates WHERE template_id = $1"), params![id])?;
    Ok(())
}

/// The text of this id.
pub fn find(tx: &mut Tx<'_>, id: TemplateId) -> Result<Option<Written>> {
    tx.find(
        sql!(
            "SELECT template_id, kind, subject, body, created_at, updated_at
             FROM mail_templates WHERE template_id = $1"
        ),
        params![id],
        read,
    )
}

/// The text that was written for a kind of mail.
pub fn find_by_kind(tx: &mut Tx<'_>, kind: MailKind) -> Result<Option<Written>> {
    tx.find(
        sql!(
            "SELECT template_id, kind, subject, body, created_at, updated_at
             FROM mail_templates WHERE kind = $1"
        ),
        params![kind.name()],
        read,
    )
}

/// All texts that were written.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<Written>> {
    tx.query(
        sql!(
            "SELECT template_id, kind, subject, body, created_at, updated_at
             FROM mail_templates ORDER BY kind"
        ),
        params![],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<Written> {
    let kind = row.get::<String>(1)?.parse().map_err(Error::Fault)?;
    let (subject, body) = (row.get::<String>(2)?, row.get::<String>(3)?);
    let template = Template::parse(kind, &subject, &body);
    Ok(Written {
        id: row.get(0)?,
        template: template.map_err(|it| Error::Fault(it.message().to_owned()))?,
        created_at: row.get(4)?,
        updated_at: row.get(5)?,
    })
}
