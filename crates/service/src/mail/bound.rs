//! How much mail a stranger may cause (contract-2 section 27): registrations, invitations and shares go
//! to an address that its owner did not give us. To one address 3 an hour from one sender and 10 in all;
//! a plan may also bound the invitations of a tenant's day. Magic links, resets and codes sent again
//! have figures of their own.

use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::email::Email;
use grantor_domain::limit::{LimitName, Window};
use grantor_domain::organization::Plan;
use grantor_domain::plan::grouped;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::tenant;

use crate::limit::Subject;
use crate::usage::is_on_the_machine;
use crate::{App, Context};

const DAY: Duration = Duration::from_hours(24);

/// Carries out a change that invites somebody by mail, or shares something with them, if the caller may
/// cause one more mail to that address; otherwise refuses with the time to wait. A change that fails
/// counts nothing.
pub async fn inviting<T>(
    app: &App,
    context: &Context,
    to: &Email,
    change: impl Future<Output = Result<T>>,
) -> Result<T> {
    let room = take_invitation(app, context, to).await?;
    let outcome = change.await;
    if outcome.is_err() {
        room.give_back(app).await;
    }
    outcome
}

/// Room for one mail from a caller without an account; nothing when there is none. Such callers get the
/// same answer either way.
pub async fn take_quietly(app: &App, context: &Context, to: &Email) -> Result<Option<Room>> {
    match take(app, context, to).await {
        Ok(room) => Ok(Some(room)),
        Err(error) if matches!(error.kind(), ErrorKind::RateLimited(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Room for one mail, already counted. Give it back with [`Room::give_back`] if the mail was not
/// queued after all.
#[derive(Debug)]
#[must_use = "a mail that was not queued is given back"]
pub struct Room {
    taken: Vec<(LimitName, Subject, Vec<Window>)>,
}

impl Room {
    /// Takes the mail back: it was not queued.
    pub async fn give_back(self, app: &App) {
        for (name, subject, windows) in self.taken {
            app.limiter.give_back_within(name, &subject, &windows).await;
        }
    }

    /// Counts by one limit; what others counted before is given back when this one is full.
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
                self.taken.push((name, subject, windows));
                Ok(())
            }
            Err(refused) => {
                Self { taken: std::mem::take(&mut self.taken) }.give_back(app).await;
                Err(refused)
            }
        }
    }
}

/// Counts a mail that the caller causes to an address, or refuses with the figures to wait for.
async fn take(app: &App, context: &Context, to: &Email) -> Result<Room> {
    let mut room = Room { taken: vec![] };
    let recipient = to.key();
    if let Some(sender) = sender(context) {
        let subject = Subject::text(&format!("{sender} {recipient}"));
        room.count(app, LimitName::MailSender, subject, None).await?;
    }
    room.count(app, LimitName::MailRecipient, Subject::text(&recipient), None).await?;
    Ok(room)
}

/// The same for an invitation, which also counts for the day of the caller's tenant.
async fn take_invitation(app: &App, context: &Context, to: &Email) -> Result<Room> {
    let mut room = take(app, context, to).await?;
    let tenant = context.actor.tenant().filter(|_| !is_on_the_machine(&context.origin));
    let Some(tenant) = tenant else { return Ok(room) };
    let found = app.store.read(move |tx| tenant::find(tx, tenant)).await;
    let plan = match found.map_err(Error::from) {
        Ok(found) => found.map_or(Plan::Free, |it| it.plan),
        Err(error) => {
            room.give_back(app).await;
            return Err(error);
        }
    };
    if let Some(limit) = app.plans.of(plan).invitations_per_day {
        let day = vec![Window { limit, length: DAY }];
        let subject = Subject::id(tenant.as_uuid());
        let counted = room.count(app, LimitName::Invitations, subject, Some(day)).await;
        counted.map_err(|error| no_more_today(error, limit))?;
    }
    Ok(room)
}

/// Says which bound it is: other limits last a minute, this one a day.
fn no_more_today(error: Error, limit: u32) -> Error {
    let ErrorKind::RateLimited(_) = error.kind() else { return error };
    let noun = if limit == 1 { "invitation" } else { "invitations" };
    let message = format!("Your plan allows {} {noun} a day", grouped(u64::from(limit)));
    Error::new(error.kind().clone(), message)
}

/// Who causes it: a tenant, whoever acts for it; a member of staff; or else an address.
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
