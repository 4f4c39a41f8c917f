//! How deliveries fared of late.

use grantor_domain::Timestamp;
use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::id::{DeliveryId, TenantId, least};

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx};

/// So many deliveries of each status that people look at; what was dropped was never to arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Arrived.
    pub delivered: u64,
    /// Given up.
    pub failed: u64,
    /// On their way.
    pub pending: u64,
}

/// Of those to a tenant's webhooks that were made since then. Their ids begin with the time, so that
/// the index of each webhook leads to the first.
pub fn totals(tx: &mut Tx<'_>, tenant: TenantId, since: Timestamp) -> Result<Totals> {
    let first: DeliveryId = least(since);
    let rows = tx.query(
        sql!(
            "SELECT d.status, count(*) FROM webhooks w CROSS JOIN deliveries d
             WHERE w.tenant_id = $1 AND w.status IN ('active', 'disabled')
               AND d.webhook_id = w.webhook_id AND d.delivery_id >= $2
             GROUP BY d.status"
        ),
        params![tenant, first],
        |row| Ok((row.get::<String>(0)?, row.get::<i64>(1)?)),
    )?;
    let mut totals = Totals::default();
    for (status, count) in rows {
        let count = u64::try_from(count).unwrap_or(0);
        match status.parse().map_err(Error::Fault)? {
            DeliveryStatus::Delivered => totals.delivered = count,
            DeliveryStatus::Failed => totals.failed = count,
            DeliveryStatus::Pending => totals.pending = count,
            DeliveryStatus::Dropped => {}
        }
    }
    Ok(totals)
}
