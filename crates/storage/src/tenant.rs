//! Tenants: organizations, and the personal tenants of individuals.

use grantor_domain::Timestamp;
use grantor_domain::id::{TenantId, UserId};
use grantor_domain::information::Information;
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::TenantType;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column, party, record_index};

/// The unique index of organization names.
pub const NAME_IS_TAKEN: &str = "tenants_name_key";

/// A tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tenant {
    /// The tenant's id.
    pub id: TenantId,
    /// The tenant's name.
    pub name: String,
    /// The normalized name, used for comparison.
    pub name_key: String,
    /// The tenant's type.
    pub kind: TenantType,
    /// The tenant's description.
    pub description: Option<String>,
    /// The tenant's status, set by the operator.
    pub status: OrganizationStatus,
    /// The plan.
    pub plan: Plan,
    /// When it was created.
    pub created_at: Timestamp,
}

/// Inserts a tenant. An organization's name may be taken; see [`NAME_IS_TAKEN`].
pub fn insert(tx: &mut Tx<'_>, tenant: &Tenant) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO tenants (tenant_id, name, name_key, type, description, status, plan,
               created_at, updated_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)"
        ),
        params![
            tenant.id,
            tenant.name,
            tenant.name_key,
            tenant.kind.name(),
            tenant.description,
            tenant.status.name(),
            tenant.plan.name(),
            tenant.created_at,
        ],
    )?;
    Ok(())
}

/// Returns the tenant with this id.
pub fn find(tx: &mut Tx<'_>, id: TenantId) -> Result<Option<Tenant>> {
    tx.find(
        sql!(
            "SELECT tenant_id, name, name_key, type, description, status, plan, created_at
             FROM tenants WHERE tenant_id = $1"
        ),
        params![id],
        read,
    )
}

/// Locks a tenant until the unit of work ends, so that counts stay valid.
pub fn claim(tx: &mut Tx<'_>, id: TenantId) -> Result<()> {
    tx.lock(sql!("SELECT 1 FROM tenants WHERE tenant_id = $1 /*for update*/"), params![id])
}

/// Whether an organization with this name exists.
pub fn organization_exists(tx: &mut Tx<'_>, name_key: &str) -> Result<bool> {
    let found = tx.find(
        sql!("SELECT 1 FROM tenants WHERE name_key = $1 AND type <> 'Individual'"),
        params![name_key],
        |_| Ok(()),
    )?;
    Ok(found.is_some())
}

/// Whether there is any tenant, and thus any account.
pub fn any_exists(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM tenants LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Sets a tenant's status. False if it does not exist.
pub fn set_status(
    tx: &mut Tx<'_>,
    id: TenantId,
    status: OrganizationStatus,
    now: Timestamp,
) -> Result<bool> {
    let changed = tx.execute(
        sql!("UPDATE tenants SET status = $2, updated_at = $3 WHERE tenant_id = $1"),
        params![id, status.name(), now],
    )?;
    party::refresh(tx, id)?;
    Ok(changed == 1)
}

/// Sets a tenant's plan. False if it does not exist.
pub fn set_plan(tx: &mut Tx<'_>, id: TenantId, plan: Plan, now: Timestamp) -> Result<bool> {
    let changed = tx.execute(
        sql!("UPDATE tenants SET plan = $2, updated_at = $3 WHERE tenant_id = $1"),
        params![id, plan.name(), now],
    )?;
    Ok(changed == 1)
}

/// Updates name and description of a claimed tenant with this former name. An organization's name
/// may be taken; see [`NAME_IS_TAKEN`].
pub fn update(tx: &mut Tx<'_>, tenant: &Tenant, former: &str, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE tenants SET name = $2, name_key = $3, description = $4, updated_at = $5
             WHERE tenant_id = $1"
        ),
        params![tenant.id, tenant.name, tenant.name_key, tenant.description, now],
    )?;
    if tenant.name != former {
        party::rename(tx, tenant.id, &tenant.name)?;
        record_index::tenant_renamed(tx, tenant.id)?;
    }
    party::refresh(tx, tenant.id)
}

/// Returns the personal tenant of an account, if it has one.
pub fn find_personal(tx: &mut Tx<'_>, user: UserId) -> Result<Option<Tenant>> {
    tx.find(
        sql!(
            "SELECT t.tenant_id, t.name, t.name_key, t.type, t.description, t.status, t.plan,
               t.created_at
             FROM memberships m JOIN tenants t ON t.tenant_id = m.tenant_id
             WHERE m.user_id = $1 AND t.type = 'Individual'"
        ),
        params![user],
        read,
    )
}

/// Returns a tenant's profile information.
pub fn information(tx: &mut Tx<'_>, id: TenantId) -> Result<Information> {
    let found = tx.find(
        sql!("SELECT information FROM tenant_information WHERE tenant_id = $1"),
        params![id],
        only_column::<String>,
    )?;
    let Some(text) = found else { return Ok(Information::default()) };
    serde_json::from_str(&text).map_err(|error| Error::Fault(error.to_string()))
}

/// Updates a tenant's profile information.
pub fn put_information(
    tx: &mut Tx<'_>,
    id: TenantId,
    information: &Information,
    now: Timestamp,
) -> Result<()> {
    let text =
        serde_json::to_string(information).map_err(|error| Error::Fault(error.to_string()))?;
    tx.execute(
        sql!(
            "INSERT INTO tenant_information (tenant_id, information, updated_at)
             VALUES ($1, $2, $3)
             ON CONFLICT (tenant_id) DO UPDATE SET information = $2, updated_at = $3"
        ),
        params![id, text, now],
    )?;
    Ok(())
}

pub(crate) fn read(row: &Row<'_>) -> Result<Tenant> {
    Ok(Tenant {
        id: row.get("tenant_id")?,
        name: row.get("name")?,
        name_key: row.get("name_key")?,
        kind: row.get::<String>("type")?.parse().map_err(Error::Fault)?,
        description: row.get("description")?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        plan: row.get::<String>("plan")?.parse().map_err(Error::Fault)?,
        created_at: row.get("created_at")?,
    })
}
