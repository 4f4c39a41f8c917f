//! Mail templates that staff have edited, in place of the built-in ones.

use grantor_domain::Timestamp;
use grantor_domain::id::TemplateId;
use grantor_domain::locale::Locale;
use grantor_domain::template::{MailKind, Template};

use crate::notice::settings::read_locale;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// The unique index of kinds.
pub const KIND_IS_TAKEN: &str = "mail_templates_kind";

/// A stored mail template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTemplate {
    /// The template's id.
    pub id: TemplateId,
    /// The template.
    pub template: Template,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Inserts a template. Its kind may have one already; see [`KIND_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, written: &StoredTemplate) -> Result<()> {
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

/// Updates a template.
pub fn update(tx: &mut Tx<'_>, written: &StoredTemplate) -> Result<()> {
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

/// Deletes a template, so that the built-in one is used again.
pub fn delete(tx: &mut Tx<'_>, id: TemplateId) -> Result<()> {
    tx.execute(sql!("DELETE FROM mail_templates WHERE template_id = $1"), params![id])?;
    Ok(())
}

/// Returns the template with this id.
pub fn find(tx: &mut Tx<'_>, id: TemplateId) -> Result<Option<StoredTemplate>> {
    tx.find(
        sql!(
            "SELECT template_id, kind, subject, body, created_at, updated_at
             FROM mail_templates WHERE template_id = $1"
        ),
        params![id],
        read,
    )
}

/// Returns the template for a kind of mail.
pub fn find_by_kind(tx: &mut Tx<'_>, kind: MailKind) -> Result<Option<StoredTemplate>> {
    tx.find(
        sql!(
            "SELECT template_id, kind, subject, body, created_at, updated_at
             FROM mail_templates WHERE kind = $1"
        ),
        params![kind.name()],
        read,
    )
}

/// Like [`find_by_kind`], with the language and the time zone of emails to an address: those of its
/// account, if it has one.
pub fn find_for_address(
    tx: &mut Tx<'_>,
    kind: MailKind,
    email_key: &str,
) -> Result<(Option<StoredTemplate>, Locale)> {
    let found = tx.find(
        sql!(
            "SELECT t.template_id, t.kind, t.subject, t.body, t.created_at, t.updated_at,
               COALESCE(s.language, s.browser_language) AS language, s.time_zone
             FROM (SELECT 1 AS one) nobody
             LEFT JOIN mail_templates t ON t.kind = $1
             LEFT JOIN users u ON u.email_key = $2
             LEFT JOIN notice_settings s ON s.person_id = u.user_id"
        ),
        params![kind.name(), email_key],
        |row| {
            let is_written = row.get::<Option<String>>("kind")?.is_some();
            let written = if is_written { Some(read(row)?) } else { None };
            Ok((written, read_locale(row)?))
        },
    )?;
    Ok(found.unwrap_or_default())
}

/// Lists all stored templates.
pub fn list(tx: &mut Tx<'_>) -> Result<Vec<StoredTemplate>> {
    tx.query(
        sql!(
            "SELECT template_id, kind, subject, body, created_at, updated_at
             FROM mail_templates ORDER BY kind"
        ),
        params![],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<StoredTemplate> {
    let kind = row.get::<String>("kind")?.parse().map_err(Error::Fault)?;
    let (subject, body) = (row.get::<String>("subject")?, row.get::<String>("body")?);
    let template = Template::parse(kind, &subject, &body);
    Ok(StoredTemplate {
        id: row.get("template_id")?,
        template: template.map_err(|it| Error::Fault(it.message().to_owned()))?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
