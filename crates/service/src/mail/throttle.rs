//! Limits on mail to third parties (contract-2 section 27): registrations, invitations, shared
//! licenses, offers and letters. An address gets at most 3 mails an hour from one sender and 10 in
//! total, and a plan may limit a tenant's invitations and letters per day. Magic links, password resets and resent codes
//! have their own limits.

use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::email::Email;
use grantor_domain::limit::{LimitName, Window};
use grantor_domain::organization::Plan;
use grantor_domain::plan::{PlanTerms, grouped};
use grantor_domain::wait::in_words;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::tenant;

use crate::operations::limit::Subject;
use crate::organizations::usage::is_internal;
use crate::{App, Context};

const DAY: Duration = Duration::from_hours(24);

/// Runs a change that mails an invitation, if the limits allow another mail to this address. A
/// failed change doesn't count.
pub async fn inviting<T>(
    app: &App,
    context: &Context,
    to: &Email,
    change: impl Future<Output = Result<T>>,
) -> Result<T> {
    let reserved = reserve_daily(app, context, to, Daily::Invitations).await?;
    let outcome = change.await;
    if outcome.is_err() {
        reserved.release(app).await;
    }
    outcome
}

/// Runs a change that mails a letter, if the limits allow another mail to this address and another
/// letter today. A failed change doesn't count.
pub async fn writing<T>(
    app: &App,
    context: &Context,
    to: &Email,
    change: impl Future<Output = Result<T>>,
) -> Result<T> {
    let reserved = reserve_daily(app, context, to, Daily::Letters).await?;
    let outcome = change.await;
    if outcome.is_err() {
        reserved.release(app).await;
    }
    outcome
}

/// What a plan limits per day.
#[derive(Clone, Copy)]
enum Daily {
    Invitations,
    Letters,
}

impl Daily {
    fn limit(self, terms: &PlanTerms) -> Option<u32> {
        match self {
            Self::Invitations => terms.invitations_per_day,
            Self::Letters => terms.letters_per_day,
        }
    }

    const fn name(self) -> LimitName {
        match self {
            Self::Invitations => LimitName::Invitations,
            Self::Letters => LimitName::Letters,
        }
    }

    /// The noun for one, and for several.
    const fn nouns(self) -> [&'static str; 2] {
        match self {
            Self::Invitations => ["invitation", "invitations"],
            Self::Letters => ["letter", "letters"],
        }
    }
}

/// Reserves one mail for a caller without an account; `None` if a limit is exceeded. The response
/// is the same either way.
pub async fn try_reserve(app: &App, context: &Context, to: &Email) -> Result<Option<Reservation>> {
    match reserve(app, context, to).await {
        Ok(reserved) => Ok(Some(reserved)),
        Err(error) if matches!(error.kind(), ErrorKind::RateLimited(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// One mail that has been counted. Call [`Reservation::release`] if the mail isn't queued.
#[derive(Debug)]
#[must_use = "release the reservation if the mail isn't queued"]
pub struct Reservation {
    counted: Vec<(LimitName, Subject, Vec<Window>)>,
}

impl Reservation {
    /// Releases the reservation.
    pub async fn release(self, app: &App) {
        for (name, subject, windows) in self.counted {
            app.limiter.refund_within(name, &subject, &windows).await;
        }
    }

    /// Counts against one limit. If it is exceeded, the earlier counts are released.
    async fn count(
        &mut self,
        app: &App,
        name: LimitName,
        subject: Subject,
        windows: Option<Vec<Window>>,
    ) -> Result<()> {
        let Some(own) = app.limiter.limits().windows(name) else { return Ok(()) };
        let windows = windows.unwrap_or_else(|| own.to_vec());
        match app.limiter.hit_within(name, &subject, &windows).await {
            Ok(_) => {
                self.counted.push((name, subject, windows));
                Ok(())
            }
            Err(refused) => {
                Self { counted: std::mem::take(&mut self.counted) }.release(app).await;
                Err(refused)
            }
        }
    }
}

/// Counts a mail to an address, or refuses if a limit is exceeded.
async fn reserve(app: &App, context: &Context, to: &Email) -> Result<Reservation> {
    let mut reserved = Reservation { counted: vec![] };
    let recipient = to.key();
    if let Some(sender) = sender(context) {
        let (name, subject) = (LimitName::MailSender, format!("{sender} {recipient}"));
        let counted = reserved.count(app, name, Subject::text(&subject), None).await;
        counted.map_err(|error| address_limit_reached(app, error, name))?;
    }
    let name = LimitName::MailRecipient;
    let counted = reserved.count(app, name, Subject::text(&recipient), None).await;
    counted.map_err(|error| address_limit_reached(app, error, name))?;
    Ok(reserved)
}

/// Counts a mail that also counts against a daily limit of the tenant.
async fn reserve_daily(
    app: &App,
    context: &Context,
    to: &Email,
    daily: Daily,
) -> Result<Reservation> {
    let mut reserved = reserve(app, context, to).await?;
    let tenant = context.actor.tenant().filter(|_| !is_internal(&context.origin));
    let Some(tenant) = tenant else { return Ok(reserved) };
    let found = app.store.read(move |tx| tenant::find(tx, tenant)).await;
    let plan = match found.map_err(Error::from) {
        Ok(found) => found.map_or(Plan::Free, |it| it.plan),
        Err(error) => {
            reserved.release(app).await;
            return Err(error);
        }
    };
    if let Some(limit) = daily.limit(app.plans.of(plan)) {
        let day = vec![Window { limit, length: DAY }];
        let subject = Subject::id(tenant.as_uuid());
        let counted = reserved.count(app, daily.name(), subject, Some(day)).await;
        counted.map_err(|error| daily_limit_reached(error, limit, daily))?;
    }
    Ok(reserved)
}

/// Explains which limit of an address is reached, and how long that lasts.
fn address_limit_reached(app: &App, error: Error, name: LimitName) -> Error {
    let ErrorKind::RateLimited(state) = error.kind() else { return error };
    let windows = app.limiter.limits().windows(name).unwrap_or_default();
    let reached = windows.iter().find(|it| it.limit == state.limit).or(windows.first());
    let length = in_words(reached.map_or(state.resets_in, |it| it.length));
    let (limit, wait) = (reached.map_or(state.limit, |it| it.limit), in_words(state.resets_in));
    let senders = match name {
        LimitName::MailSender => "one sender",
        _ => "all senders",
    };
    let message = format!(
        "This address gets at most {limit} emails in {length} from {senders}. Try again in {wait}"
    );
    Error::new(error.kind().clone(), message)
}

/// Explains the daily limit, since it lasts much longer than the others.
fn daily_limit_reached(error: Error, limit: u32, daily: Daily) -> Error {
    let ErrorKind::RateLimited(state) = error.kind() else { return error };
    let [one, several] = daily.nouns();
    let noun = if limit == 1 { one } else { several };
    let (limit, wait) = (grouped(u64::from(limit)), in_words(state.resets_in));
    let message = format!("Your plan allows {limit} {noun} per day. Try again in {wait}");
    Error::new(error.kind().clone(), message)
}

/// The sender that the limit counts: the tenant, the member of staff or the caller's address.
fn sender(context: &Context) -> Option<String> {
    match &context.actor {
        Actor::User { tenant, .. } | Actor::Client { tenant, .. } => {
            Some(format!("tenant {tenant}"))
        }
        Actor::Admin { id, .. } => Some(format!("admin {id}")),
        Actor::Anonymous => {
            let address = context.origin.address?;
            Some(format!("address {}", Subject::address(address)))
        }
        Actor::Operator | Actor::System => None,
    }
}
