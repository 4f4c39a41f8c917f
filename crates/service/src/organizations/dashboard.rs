//! The figures on the dashboard.

use std::time::Duration;

use grantor_domain::mention::Verdict;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::{self, Totals as DeliveryTotals};
use grantor_storage::license::reader;
pub use grantor_storage::license::reader::Totals as LicenseTotals;
use grantor_storage::mention::day;
use grantor_storage::tenant;

use crate::App;
use crate::billing::quota::{self, Usage};
use crate::identity::access::Caller;
use crate::organizations::trend::{self, ChartSpan, ChartView, Trends};
use crate::watching::mention;

/// How far back deliveries are counted.
const DELIVERY_DAYS: Duration = Duration::from_hours(6 * 24);
const DAY_SECONDS: i64 = 86_400;

/// The dashboard's figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// The number of the organization's licenses by current status.
    pub licenses: LicenseTotals,
    /// The number of new mentions per day on licenses the user can see, oldest first.
    pub days: Vec<Day>,
    /// Mentions without a decision, counted up to [`mention::MAX_PENDING`].
    pub waiting: u64,
    /// Webhook deliveries of the last seven days by outcome, and pending ones.
    pub deliveries: DeliveryTotals,
    /// The current month's requests.
    pub usage: Usage,
    /// The figures of the charts.
    pub trends: Trends,
}

/// The mentions of one UTC day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// When the day starts.
    pub begins_at: Timestamp,
    /// Covered by a license.
    pub licensed: u64,
    /// Not covered.
    pub unlicensed: u64,
    /// To be reviewed.
    pub needs_review: u64,
}

/// Returns the dashboard's figures for a user. All are stored or read from an index.
pub async fn overview(app: &App, caller: &Caller, span: ChartSpan) -> Result<Overview> {
    let (tenant, reader, now) = (caller.tenant, caller.reader(), app.clock.now());
    let today = now.as_secs().div_euclid(DAY_SECONDS);
    let mut days = empty_days(today, span.days());
    let since = days[0].begins_at;
    let view = ChartView::of(caller);
    let read = app.store.read(move |tx| {
        let plan = tenant::find(tx, tenant)?.ok_or_else(|| Error::not_found("Organization"))?.plan;
        let licenses = reader::totals(tx, tenant, now)?;
        let counted = day::totals(tx, reader, since)?;
        let waiting = mention::pending_in(tx, reader)?;
        let deliveries = delivery::totals(tx, tenant, now.minus(DELIVERY_DAYS))?;
        let trends = trend::read(tx, view, since, now)?;
        Ok::<_, Error>((plan, licenses, counted, waiting, deliveries, trends))
    });
    let (plan, licenses, counted, waiting, deliveries, trends) = read.await?;
    for (day, verdict, count) in counted {
        if let Some(day) = days.iter_mut().find(|it| it.begins_at.as_secs() == day * DAY_SECONDS) {
            *day.of(verdict) = count;
        }
    }
    let usage = quota::usage(app, tenant, plan).await?;
    Ok(Overview { licenses, days, waiting, deliveries, usage, trends })
}

/// Returns the last days with zero mentions.
fn empty_days(today: i64, count: u16) -> Vec<Day> {
    let first = today - i64::from(count) + 1;
    let day = |number: i64| Day {
        begins_at: Timestamp::from_secs(number * DAY_SECONDS),
        licensed: 0,
        unlicensed: 0,
        needs_review: 0,
    };
    (first..=today).map(day).collect()
}

impl Day {
    fn of(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Licensed => &mut self.licensed,
            Verdict::Unlicensed => &mut self.unlicensed,
            Verdict::NeedsReview => &mut self.needs_review,
        }
    }
}
