//! How much each tenant uses of what its plan limits. Updated with every insert and delete, so that
//! nothing needs to be counted.

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::usage::{LimitedResource, ResourceUsage};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// Returns a tenant's usage.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId) -> Result<ResourceUsage> {
    let found = tx.find(
        sql!(
            "SELECT image_bytes, talents, licenses, webhooks, sources FROM tenant_usage
             WHERE tenant_id = $1"
        ),
        params![tenant],
        read,
    )?;
    Ok(found.unwrap_or_default())
}

/// Like [`find`], and locks the usage until the unit ends, so that concurrent inserts count each
/// other.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId) -> Result<ResourceUsage> {
    add(tx, tenant, LimitedResource::Talents, 0)?;
    find(tx, tenant)
}

/// Adds to a tenant's usage; a negative number subtracts.
pub(crate) fn add(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    what: LimitedResource,
    change: i64,
) -> Result<()> {
    let of = |other: LimitedResource| if what == other { change } else { 0 };
    tx.send(
        sql!(
            "INSERT INTO tenant_usage (tenant_id, image_bytes, talents, licenses, webhooks, sources)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (tenant_id) DO UPDATE SET
               image_bytes = tenant_usage.image_bytes + $2,
               talents = tenant_usage.talents + $3,
               licenses = tenant_usage.licenses + $4,
               webhooks = tenant_usage.webhooks + $5,
               sources = tenant_usage.sources + $6"
        ),
        params![
            tenant,
            of(LimitedResource::ImageBytes),
            of(LimitedResource::Talents),
            of(LimitedResource::Licenses),
            of(LimitedResource::Webhooks),
            of(LimitedResource::Sources),
        ],
    )
}

/// Adds the bytes of pictures to the usage of their license's tenant.
pub(crate) fn add_bytes(tx: &mut Tx<'_>, license: LicenseId, change: i64) -> Result<()> {
    let tenant: Option<TenantId> = tx.find(
        sql!("SELECT tenant_id FROM licenses WHERE license_id = $1"),
        params![license],
        only_column,
    )?;
    match tenant {
        Some(tenant) if change != 0 => add(tx, tenant, LimitedResource::ImageBytes, change),
        _ => Ok(()),
    }
}

fn read(row: &Row<'_>) -> Result<ResourceUsage> {
    let figure = |name| row.get::<i64>(name).map(|it| u64::try_from(it).unwrap_or(0));
    Ok(ResourceUsage {
        image_bytes: figure("image_bytes")?,
        talents: figure("talents")?,
        licenses: figure("licenses")?,
        webhooks: figure("webhooks")?,
        sources: figure("sources")?,
    })
}
