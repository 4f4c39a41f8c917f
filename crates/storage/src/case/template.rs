//! The templates of letters that tenants changed.

use grantor_domain::Timestamp;
use grantor_domain::case::{LetterKind, LetterTemplate};
use grantor_domain::id::TenantId;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// Returns a tenant's templates that differ from the built-in ones.
pub fn find_templates(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<LetterTemplate>> {
    tx.query(
        sql!("SELECT kind, subject, body FROM letter_templates WHERE tenant_id = $1"),
        params![tenant],
        |row| {
            let kind = row.get::<String>("kind")?.parse().map_err(Error::Fault)?;
            Ok(LetterTemplate { kind, subject: row.get("subject")?, text: row.get("body")? })
        },
    )
}

/// Stores a tenant's template.
pub fn put_template(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    template: &LetterTemplate,
    now: Timestamp,
) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO letter_templates (tenant_id, kind, subject, body, updated_at)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant_id, kind) DO UPDATE
             SET subject = excluded.subject, body = excluded.body, updated_at = excluded.updated_at"
        ),
        params![tenant, template.kind.name(), template.subject, template.text, now],
    )?;
    Ok(())
}

/// Deletes a tenant's template, so that the built-in one applies.
pub fn delete_template(tx: &mut Tx<'_>, tenant: TenantId, kind: LetterKind) -> Result<()> {
    tx.execute(
        sql!("DELETE FROM letter_templates WHERE tenant_id = $1 AND kind = $2"),
        params![tenant, kind.name()],
    )?;
    Ok(())
}
