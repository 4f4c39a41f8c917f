//! How many deliveries to each webhook ended on each day: kept, so that nobody has to count them.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::delivery::DeliveryStatus;
use grantor_domain::id::{TenantId, WebhookId};

use crate::statement::sql;
use crate::total::BOUND;
use crate::value::params;
use crate::{Result, Tx};

const DAY_MICROS: i64 = 86_400_000_000;

/// How deliveries fared; what was dropped was never to arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Arrived.
    pub delivered: u64,
    /// Given up.
    pub failed: u64,
    /// On their way; counting them ends at 10,001.
    pub pending: u64,
}

fn day_of(at: Timestamp) -> i64 {
    at.as_micros().div_euclid(DAY_MICROS)
}

/// What ended in one unit of work, by receiver.
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

    /// Counts it, in the order of receivers, so that no two senders wait for each other.
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

/// What ended since a day began of deliveries to a tenant's webhooks, and what is on its way to them.
pub fn totals(tx: &mut Tx<'_>, tenant: TenantId, since: Timestamp) -> Result<Totals> {
    let count = |it: Option<i64>| it.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    let ended = tx.find(
        sql!(
            "SELECT CAST(sum(d.delivered) AS bigint), CAST(sum(d.failed) AS bigint)
             FROM webhooks w CROSS JOIN delivery_days d
             WHERE w.tenant_id = $1 AND w.status IN ('active', 'disabled')
               AND d.webhook_id = w.webhook_id AND d.day >= $2"
        ),
        params![tenant, day_of(since)],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let pending = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT d.delivery_id FROM webhooks w CROSS JOIN deliveries d
               WHERE w.tenant_id = $1 AND w.status IN ('active', 'disabled')
                 AND d.webhook_id = w.webhook_id AND d.status = 'pending' LIMIT $2) found"
        ),
        params![tenant, BOUND],
        |row| row.get(0),
    )?;
    let (delivered, failed) = ended.unwrap_or_default();
    Ok(Totals { delivered: count(delivered), failed: count(failed), pending: count(pending) })
}
