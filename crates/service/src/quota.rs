//! The month's quota of each tenant. A node takes a block of it from the store and counts that down in
//! memory: a request costs one atomic step. Nodes together never give out more than there is; what a
//! node did not use it gives back when it stops, and a crash loses a block at most.

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

/// How long a tenant that has used up its month is refused without asking the store: another node may
/// have given something back.
const BELIEVED: Duration = Duration::from_secs(1);

/// What this node holds of each tenant's month.
#[derive(Debug, Default)]
pub struct Quotas(RwLock<HashMap<TenantId, Arc<Meter>>>);

/// How much of a month is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Requests that passed; what other nodes hold counts as used.
    pub used: u64,
    /// How many may; none: no end.
    pub limit: Option<u64>,
    /// When the next month begins.
    pub resets_at: Timestamp,
}

/// What this node holds of one tenant's month.
#[derive(Debug)]
struct Meter {
    /// Requests that may pass without asking.
    left: AtomicU64,
    /// When the month ends that they are of, in microseconds.
    ends_at: AtomicI64,
    /// Held by whoever asks the store, so that many who wait ask once.
    refill: Mutex<Refill>,
}

#[derive(Debug)]
struct Refill {
    month: i64,
    /// When there was nothing left, on the clock that nobody sets back, and of which limit.
    empty: Option<(Duration, Option<u64>)>,
}

/// Counts one request of a tenant, or refuses it.
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
    // Whoever held it before may have brought enough for all.
    if refill.month == month.number && meter.count_down(now) {
        return Ok(());
    }
    let (limit, moment) = (app.plans.of(plan).requests_per_month, app.clock.monotonic());
    let known = refill.empty.filter(|it| refill.month == month.number && it.1 == limit);
    if known.is_some_and(|it| moment.saturating_sub(it.0) < BELIEVED) {
        return Err(used_up(month, now));
    }
    let taken = app.store.write(move |tx| quota::take(tx, tenant, month.number, limit)).await;
    let taken = taken.map_err(Error::from)?;
    refill.empty = Some((moment, limit)).filter(|_| taken == 0);
    if taken == 0 {
        return Err(used_up(month, now));
    }
    if refill.month != month.number {
        // Nobody counts down between the two: the old month has ended.
        meter.left.store(0, Ordering::SeqCst);
        refill.month = month.number;
        meter.ends_at.store(month.ends_at.as_micros(), Ordering::SeqCst);
    }
    // One is this request's own.
    meter.left.fetch_add(taken - 1, Ordering::SeqCst);
    Ok(())
}

/// How much of its month a tenant has used.
pub async fn usage(app: &App, tenant: TenantId, plan: Plan) -> Result<Usage> {
    let month = Month::of(app.clock.now());
    let taken = app.store.glance(move |tx| quota::find(tx, tenant, month.number)).await;
    let held = app.quotas.held(tenant, month).await;
    let used = taken.map_err(Error::from)?.saturating_sub(held);
    let limit = app.plans.of(plan).requests_per_month;
    Ok(Usage { used, limit, resets_at: month.ends_at })
}

/// Gives back what this node holds and did not use: for a clean stop.
pub async fn give_back(app: &App) -> Result<()> {
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
    Error::new(kind, "This month's requests are used up; a larger plan has more")
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
    /// One less, if there is one of the month that runs.
    fn count_down(&self, now: Timestamp) -> bool {
        now.as_micros() < self.ends_at.load(Ordering::SeqCst)
            && self
                .left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
                .is_ok()
    }
}
