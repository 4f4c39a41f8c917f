//! What a person sees first: how their organization stands today.

use std::time::Duration;

use grantor_domain::mention::Verdict;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::delivery::{self, Totals as DeliveryTotals};
use grantor_storage::license::reader::{self, Totals as LicenseTotals};
use grantor_storage::mention::day;
use grantor_storage::tenant;

use crate::access::Caller;
use crate::quota::{self, Usage};
use crate::{App, mention};

/// Days of mentions, today among them.
pub const DAYS: u16 = 30;
/// Days that deliveries are counted of, before today.
const DELIVERY_DAYS: Duration = Duration::from_hours(6 * 24);
const DAY_SECONDS: i64 = 86_400;

/// How things stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// The organization's own licenses, by the status that holds now.
    pub licenses: LicenseTotals,
    /// What was first seen on each of the last days of the licenses the person sees, oldest first.
    pub days: Vec<Day>,
    /// Mentions that nobody decided on; [`mention::MOST_WAITING`] stands for as many or more.
    pub waiting: u64,
    /// What ended on the last seven days of what was sent to the organization's webhooks, and what is on
    /// its way.
    pub deliveries: DeliveryTotals,
    /// The month's requests.
    pub usage: Usage,
}

/// Mentions of one day in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// When it began.
    pub begins_at: Timestamp,
    /// Covered by a license.
    pub licensed: u64,
    /// Not covered.
    pub unlicensed: u64,
    /// For a person to tell.
    pub needs_review: u64,
}

/// How things stand for a person. Every figure is kept or read from an index.
pub async fn overview(app: &App, caller: &Caller) -> Result<Overview> {
    let (tenant, reader, now) = (caller.tenant, caller.reader(), app.clock.now());
    let today = now.as_secs().div_euclid(DAY_SECONDS);
    let mut days = empty_days(today);
    let since = days[0].begins_at;
    let read = app.store.read(move |tx| {
        let plan = tenant::find(tx, tenant)?.ok_or_else(|| Error::not_found("Organization"))?.plan;
        let licenses = reader::totals(tx, tenant, now)?;
        let counted = day::totals(tx, reader, since)?;
        let waiting = mention::count_waiting(tx, reader)?;
        let deliveries = delivery::totals(tx, tenant, now.minus(DELIVERY_DAYS))?;
        Ok::<_, Error>((plan, licenses, counted, waiting, deliveries))
    });
    let (plan, licenses, counted, waiting, deliveries) = read.await?;
    for (day, verdict, count) in counted {
        if let Some(day) = days.iter_mut().find(|it| it.begins_at.as_secs() == day * DAY_SECONDS) {
            *day.of(verdict) = count;
        }
    }
    let usage = quota::usage(app, tenant, plan).await?;
    Ok(Overview { licenses, days, waiting, deliveries, usage })
}

/// The last days until today, on which nothing happened yet.
fn empty_days(today: i64) -> Vec<Day> {
    let first = today - i64::from(DAYS) + 1;
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
