//! What staff see first: totals and growth, what fails and what waits. Nothing is counted that grows
//! with the store.

use std::time::Duration;

use grantor_domain::id::PodId;
use grantor_domain::page::{Listing, Page};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::overview::{self, Concern};
pub use grantor_storage::overview::{DeclinedPayment, FailedMail, FailingWebhook};

use super::growth::{self, AllGrowth};
use crate::App;

/// Up to how many is counted.
pub const BOUND: u32 = 1_000;

/// How far back failed mails are counted. They are kept as long.
const MAIL_DAYS: Duration = Duration::from_hours(7 * 24);

/// The overview.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overview {
    /// Totals and growth.
    pub growth: AllGrowth,
    /// When the first of the counted days begins.
    pub since: Timestamp,
    /// What fails.
    pub failing: Failing,
    /// What waits for staff.
    pub waiting: Waiting,
}

/// What fails, each counted up to [`BOUND`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failing {
    /// Running scanners whose last run failed.
    pub scanners: u64,
    /// Sources that cannot be read.
    pub sources: u64,
    /// Emails that were given up in the last seven days.
    pub emails: u64,
    /// Webhooks whose deliveries fail.
    pub webhooks: u64,
    /// Organizations whose card was declined.
    pub payments: u64,
}

impl Failing {
    /// Whether nothing fails.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What waits for staff, each counted up to [`BOUND`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Platforms whose organizations asked for a scanner.
    pub platforms: u64,
    /// Requests for help.
    pub help: u64,
}

impl Waiting {
    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Returns the overview.
pub async fn show(app: &App) -> Result<Overview> {
    let (now, today) = (app.clock.now(), growth::day_of(app));
    let first = today - i64::from(growth::DAYS) + 1;
    app.store
        .read(move |tx| {
            Ok(Overview {
                growth: growth::read(tx, today)?,
                since: Timestamp::from_secs(first * 86_400),
                failing: failing(tx, now)?,
                waiting: waiting(tx, now)?,
            })
        })
        .await
}

fn failing(tx: &mut Tx<'_>, now: Timestamp) -> Result<Failing> {
    Ok(Failing {
        scanners: overview::failing_pods(tx)?.len() as u64,
        sources: overview::count(tx, Concern::FailingSources, now, BOUND)?,
        emails: overview::count(tx, Concern::FailedMails, now.minus(MAIL_DAYS), BOUND)?,
        webhooks: overview::count(tx, Concern::FailingWebhooks, now, BOUND)?,
        payments: overview::count(tx, Concern::DeclinedPayments, now, BOUND)?,
    })
}

fn waiting(tx: &mut Tx<'_>, now: Timestamp) -> Result<Waiting> {
    Ok(Waiting {
        platforms: overview::count(tx, Concern::WaitingPlatforms, now, BOUND)?,
        help: overview::count(tx, Concern::OpenHelpRequests, now, BOUND)?,
    })
}

/// Lists the running scanners whose last run failed.
pub async fn failing_pods(app: &App) -> Result<Vec<PodId>> {
    app.store.read(|tx| Ok(overview::failing_pods(tx)?)).await
}

/// Lists failing webhooks, longest failing first.
pub async fn failing_webhooks(app: &App, page: Page) -> Result<Listing<FailingWebhook>> {
    let now = app.clock.now();
    app.store.read(move |tx| Ok(overview::failing_webhooks(tx, now, page)?)).await
}

/// Lists emails that were given up in the last seven days, newest first.
pub async fn failed_mails(app: &App, page: Page) -> Result<Listing<FailedMail>> {
    let since = app.clock.now().minus(MAIL_DAYS);
    app.store.read(move |tx| Ok(overview::failed_mails(tx, since, page)?)).await
}

/// Lists organizations whose card was declined.
pub async fn declined_payments(app: &App, page: Page) -> Result<Listing<DeclinedPayment>> {
    let now = app.clock.now();
    app.store.read(move |tx| Ok(overview::declined_payments(tx, now, page)?)).await
}
