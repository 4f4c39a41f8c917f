//! Templates of licenses.

use grantor_domain::Timestamp;
use grantor_domain::id::{LicenseTemplateId, TenantId};
use grantor_domain::license::{LicenseTemplate, TemplateName};

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// The unique index of the names.
pub const NAME_IS_TAKEN: &str = "license_templates_name_key";

/// Inserts a template. The tenant may have one with this name; see [`NAME_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, template: &LicenseTemplate) -> Result<()> {
    let content = serde_json::to_string(&template.content).map_err(fault)?;
    tx.execute(
        sql!(
            "INSERT INTO license_templates (template_id, tenant_id, name, name_key, content,
               created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7)"
        ),
        params![
            template.id,
            template.tenant,
            template.name.as_str(),
            template.name.key(),
            content,
            template.created_at,
            template.updated_at,
        ],
    )?;
    Ok(())
}

/// Lists a tenant's templates by name.
pub fn list(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Vec<LicenseTemplate>> {
    tx.query(
        sql!(
            "SELECT template_id, tenant_id, name, content, created_at, updated_at
             FROM license_templates WHERE tenant_id = $1 ORDER BY name_key"
        ),
        params![tenant],
        read,
    )
}

/// Counts a tenant's templates.
pub fn count(tx: &mut Tx<'_>, tenant: TenantId) -> Result<u32> {
    let found: Option<u32> = tx.find(
        sql!("SELECT count(*) FROM license_templates WHERE tenant_id = $1"),
        params![tenant],
        only_column,
    )?;
    Ok(found.unwrap_or(0))
}

/// Returns a tenant's template.
pub fn find(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    id: LicenseTemplateId,
) -> Result<Option<LicenseTemplate>> {
    tx.find(
        sql!(
            "SELECT template_id, tenant_id, name, content, created_at, updated_at
             FROM license_templates WHERE template_id = $1 AND tenant_id = $2"
        ),
        params![id, tenant],
        read,
    )
}

/// Renames a tenant's template; see [`NAME_IS_TAKEN`]. False if there is none with this id.
pub fn rename(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    id: LicenseTemplateId,
    name: &TemplateName,
    now: Timestamp,
) -> Result<bool> {
    let renamed = tx.execute(
        sql!(
            "UPDATE license_templates SET name = $3, name_key = $4, updated_at = $5
             WHERE template_id = $1 AND tenant_id = $2"
        ),
        params![id, tenant, name.as_str(), name.key(), now],
    )?;
    Ok(renamed == 1)
}

/// Deletes a tenant's template. False if there is none with this id.
pub fn delete(tx: &mut Tx<'_>, tenant: TenantId, id: LicenseTemplateId) -> Result<bool> {
    let deleted = tx.execute(
        sql!("DELETE FROM license_templates WHERE template_id = $1 AND tenant_id = $2"),
        params![id, tenant],
    )?;
    Ok(deleted == 1)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid license template: {what}"))
}

fn read(row: &Row<'_>) -> Result<LicenseTemplate> {
    Ok(LicenseTemplate {
        id: row.get("template_id")?,
        tenant: row.get("tenant_id")?,
        name: TemplateName::parse(&row.get::<String>("name")?).map_err(fault)?,
        content: serde_json::from_str(&row.get::<String>("content")?).map_err(fault)?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
