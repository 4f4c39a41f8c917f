//! Daily counts of finished deliveries per webhook, stored so that they need not be counted.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::id::{TenantId, WebhookId};

use crate::statement::sql;
use crate::total::BOUND;
use crate::value::params;
use crate::{Result, Tx, only_column};

const DAY_MICROS: i64 = 86_400_000_000;

/// Delivery counts, without dropped deliveries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Delivered.
    pub delivered: u64,
    /// Failed for good.
    pub failed: u64,
    /// Pending; counted up to 10,001.
    pub pending: u64,
}

fn day_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(DAY_MICROS)
}

/// The deliveries finished in one unit of work, by webhook.
#[derive(Debug, Default)]
pub(super) struct Ended(BTreeMap<WebhookId, (i64, i64)>);

impl Ended {
    pub(super) fn add(&mut self, webhook: WebhookId, status: DeliveryStatus) {
        let (delivered, failed) = self.0.entry(webhook).or_default();
        match status {
            DeliveryStatus::Delivered => *delivered += 1,
            DeliveryStatus::Failed => *failed += 1,
            DeliveryStatus::Pending | DeliveryStatus::Dropped => {}
        }
    }

    /// Writes the counts in the order of webhooks, so that two senders cannot deadlock.
    pub(super) fn write(self, tx: &mut Tx<'_>, now: Timestamp) -> Result<()> {
        for (webhook, (delivered, failed)) in self.0 {
            if delivered + failed == 0 {
                continue;
            }
            tx.execute(
                sql!(
                    "INSERT INTO delivery_days (webhook_id, day, delivered, failed)
                     VALUES ($1, $2, $3, $4)
                     ON CONFLICT (webhook_id, day) DO UPDATE SET
                       delivered = delivery_days.delivered + $3,
                       failed = delivery_days.failed + $4"
                ),
                params![webhook, day_of(now), delivered, failed],
            )?;
        }
        Ok(())
    }
}

/// Returns a tenant's delivered and failed deliveries on each day since one, with the day as number
/// of days since 1970. Days without any are missing.
pub fn daily(tx: &mut Tx<'_>, tenant: TenantId, since: Timestamp) -> Result<Vec<(i64, [u64; 2])>> {
    tx.query(
        sql!(
            "SELECT d.day, CAST(sum(d.delivered) AS bigint) AS delivered,
               CAST(sum(d.failed) AS bigint) AS failed
             FROM webhooks w CROSS JOIN delivery_days d
             WHERE w.tenant_id = $1 AND w.status IN ('active', 'disabled')
               AND d.webhook_id = w.webhook_id AND d.day >= $2
             GROUP BY d.day"
        ),
        params![tenant, day_of(since)],
        |row| {
            let counts = [row.get::<i64>("delivered")?, row.get::<i64>("failed")?];
            Ok((row.get("day")?, counts.map(|it| u64::try_from(it).unwrap_or(0))))
        },
    )
}

/// Returns a tenant's finished deliveries since the start of a day, and its pending ones.
pub fn totals(tx: &mut Tx<'_>, tenant: TenantId, since: Timestamp) -> Result<Totals> {
    let count = |it: Option<i64>| it.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    let ended = tx.find(
        sql!(
            "SELECT CAST(sum(d.delivered) AS bigint) AS delivered,
               CAST(sum(d.failed) AS bigint) AS failed
             FROM webhooks w CROSS JOIN delivery_days d
             WHERE w.tenant_id = $1 AND w.status IN ('active', 'disabled')
               AND d.webhook_id = w.webhook_id AND d.day >= $2"
        ),
        params![tenant, day_of(since)],
        |row| Ok((row.get("delivered")?, row.get("failed")?)),
    )?;
    let pending = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT d.delivery_id FROM webhooks w CROSS JOIN deliveries d
               WHERE w.tenant_id = $1 AND w.status IN ('active', 'disabled')
                 AND d.webhook_id = w.webhook_id AND d.status = 'pending' LIMIT $2) found"
        ),
        params![tenant, BOUND],
        only_column,
    )?;
    let (delivered, failed) = ended.unwrap_or_default();
    Ok(Totals { delivered: count(delivered), failed: count(failed), pending: count(pending) })
}
