//! How much each tenant has of what its plan bounds. Kept with every row that is added or deleted, so
//! that nothing is counted over when one more is asked for.

use grantor_domain::id::{LicenseId, TenantId};
use grantor_domain::usage::{Bounded, Used};

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx};

/// How much a tenant has.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Used> {
    let found = tx.find(
        sql!(
            "SELECT image_bytes, talents, licenses, webhooks FROM tenant_usage
             WHERE tenant_id = $1"
        ),
        params![tenant],
        read,
    )?;
    Ok(found.unwrap_or_default())
}

/// The same, held until the unit ends: of two who add, the second sees what the first added.
pub fn claim(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Used> {
    add(tx, tenant, Bounded::Talents, 0)?;
    find(tx, tenant)
}

/// Counts what was added, or with a minus what was deleted.
pub(crate) fn add(tx: &mut Tx<'_>, tenant: TenantId, what: Bounded, change: i64) -> Result<()> {
    let of = |other: Bounded| if what == other { change } else { 0 };
    tx.execute(
        sql!(
            "INSERT INTO tenant_usage (tenant_id, image_bytes, talents, licenses, webhooks)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (tenant_id) DO UPDATE SET
               image_bytes = tenant_usage.image_bytes + $2,
               talents = tenant_usage.talents + $3,
               licenses = tenant_usage.licenses + $4,
               webhooks = tenant_usage.webhooks + $5"
        ),
        params![
            tenant,
            of(Bounded::ImageBytes),
            of(Bounded::Talents),
            of(Bounded::Licenses),
            of(Bounded::Webhooks),
        ],
    )?;
    Ok(())
}

/// Counts bytes of pictures for the tenant of their license.
pub(crate) fn add_bytes(tx: &mut Tx<'_>, license: LicenseId, change: i64) -> Result<()> {
    let tenant: Option<TenantId> = tx.find(
        sql!("SELECT tenant_id FROM licenses WHERE license_id = $1"),
        params![license],
        |row| row.get(0),
    )?;
    match tenant {
        Some(tenant) if change != 0 => add(tx, tenant, Bounded::ImageBytes, change),
        _ => Ok(()),
    }
}

fn read(row: &Row<'_>) -> Result<Used> {
    let figure = |at| Ok::<_, crate::Error>(u64::try_from(row.get::<i64>(at)?).unwrap_or(0));
    Ok(Used {
        image_bytes: figure(0)?,
        talents: figure(1)?,
        licenses: figure(2)?,
        webhooks: figure(3)?,
    })
}
