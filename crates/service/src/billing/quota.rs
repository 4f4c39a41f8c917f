//! Monthly request quotas. A node takes a block of a tenant's quota from the database and counts it
//! down in memory, so that a request costs one atomic operation. All nodes together never exceed
//! the quota. A node returns unused requests when it stops; a crash loses at most one block.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan;
use grantor_domain::quota::Month;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::quota;
use tokio::sync::Mutex;

use crate::App;

/// How long an exhausted quota is cached before the database is asked again: another node may have
/// returned unused requests.
const EMPTY_TTL: Duration = Duration::from_secs(1);

/// The quota blocks that this node holds, by tenant.
#[derive(Debug, Default)]
pub struct Quotas(RwLock<HashMap<TenantId, Arc<Meter>>>);

/// How much of a month's quota is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Requests made; blocks held by other nodes count as used.
    pub used: u64,
    /// Requests allowed; `None` if unlimited.
    pub limit: Option<u64>,
    /// When the quota resets.
    pub resets_at: Timestamp,
}

/// The quota block that this node holds for one tenant.
#[derive(Debug)]
struct Meter {
    /// Requests left in the block.
    left: AtomicU64,
    /// When the block's month ends, in microseconds.
    ends_at: AtomicI64,
    /// Locked during a refill, so that concurrent requests share it.
    refill: Mutex<Refill>,
}

#[derive(Debug)]
struct Refill {
    month: i64,
    /// When the quota was found exhausted, on the monotonic clock, and its limit then.
    empty: Option<(Duration, Option<u64>)>,
}

/// Counts one request of a tenant, or refuses it if the quota is exhausted.
pub async fn take(app: &App, tenant: TenantId, plan: Plan) -> Result<()> {
    if !app.limiter.limits().has_quota() {
        return Ok(());
    }
    let (meter, now) = (app.quotas.meter(tenant), app.clock.now());
    if meter.count_down(now) {
        return Ok(());
    }
    let mut refill = meter.refill.lock().await;
    let month = Month::of(now);
    // Another request may have refilled the block in the meantime.
    if refill.month == month.number && meter.count_down(now) {
        return Ok(());
    }
    let (limit, instant) = (app.plans.of(plan).requests_per_month, app.clock.monotonic());
    let known = refill.empty.filter(|it| refill.month == month.number && it.1 == limit);
    if known.is_some_and(|it| instant.saturating_sub(it.0) < EMPTY_TTL) {
        return Err(used_up(month, now));
    }
    let taken = app.store.write(move |tx| quota::take(tx, tenant, month.number, limit)).await;
    let taken = taken.map_err(Error::from)?;
    refill.empty = Some((instant, limit)).filter(|_| taken == 0);
    if taken == 0 {
        return Err(used_up(month, now));
    }
    if refill.month != month.number {
        // No request counts down between the two stores, because the old month has ended.
        meter.left.store(0, Ordering::SeqCst);
        refill.month = month.number;
        meter.ends_at.store(month.ends_at.as_micros(), Ordering::SeqCst);
    }
    // One is used by this request.
    meter.left.fetch_add(taken - 1, Ordering::SeqCst);
    Ok(())
}

/// Returns a tenant's usage of this month's quota.
pub async fn usage(app: &App, tenant: TenantId, plan: Plan) -> Result<Usage> {
    let month = Month::of(app.clock.now());
    let taken = app.store.lookup(move |tx| quota::find(tx, tenant, month.number)).await;
    let held = app.quotas.held(tenant, month).await;
    let used = taken.map_err(Error::from)?.saturating_sub(held);
    let limit = app.plans.of(plan).requests_per_month;
    Ok(Usage { used, limit, resets_at: month.ends_at })
}

/// Returns all unused blocks of this node. Called on shutdown.
pub async fn release(app: &App) -> Result<()> {
    let meters: Vec<_> = {
        let meters = app.quotas.0.read().unwrap_or_else(PoisonError::into_inner);
        meters.iter().map(|(tenant, meter)| (*tenant, Arc::clone(meter))).collect()
    };
    for (tenant, meter) in meters {
        let refill = meter.refill.lock().await;
        let (month, unused) = (refill.month, meter.left.swap(0, Ordering::SeqCst));
        if unused > 0 {
            let given = app.store.write(move |tx| quota::give_back(tx, tenant, month, unused));
            given.await.map_err(Error::from)?;
        }
    }
    Ok(())
}

fn used_up(month: Month, now: Timestamp) -> Error {
    let kind = ErrorKind::QuotaExceeded { retry_after: month.left(now) };
    Error::new(kind, "This month's request quota is used up; upgrade your plan for more")
}

impl Quotas {
    fn meter(&self, tenant: TenantId) -> Arc<Meter> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&tenant).cloned();
        known.unwrap_or_else(|| {
            let mut meters = self.0.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(meters.entry(tenant).or_default())
        })
    }

    async fn held(&self, tenant: TenantId, month: Month) -> u64 {
        let meter = self.meter(tenant);
        let refill = meter.refill.lock().await;
        if refill.month == month.number { meter.left.load(Ordering::SeqCst) } else { 0 }
    }
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            left: AtomicU64::new(0),
            ends_at: AtomicI64::new(i64::MIN),
            refill: Mutex::new(Refill { month: 0, empty: None }),
        }
    }
}

impl Meter {
    /// Takes one request from the block, if one of the current month is left.
    fn count_down(&self, now: Timestamp) -> bool {
        now.as_micros() < self.ends_at.load(Ordering::SeqCst)
            && self
                .left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
                .is_ok()
    }
}
