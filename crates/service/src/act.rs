//! The frame of every change: authorize → decide and store → audit → emit, in one transaction.
//!
//! A change is a type that implements [`Act`]. It cannot leave out its log entry or write one by
//! itself: it returns what it did, and the frame writes the rows.

use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource, Scheme};
use grantor_domain::event::{Event, NewEvent};
use grantor_domain::id::{IdSource, LicenseId, TenantId};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Changes, Tx, audit, delivery, event, idempotency};
use serde_json::Value;

use crate::{App, Context};

/// One change.
pub trait Act: Send + Sync + 'static {
    /// What `authorize` found and `carry_out` needs.
    type Grant;
    /// What the caller gets.
    type Output: Send + 'static;
    /// Its name in the log: `resource.verb`.
    const ACTION: &'static str;

    /// A grant, or a refusal. Reads only.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant>;

    /// Decides by the domain's rules and stores what follows.
    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Self::Output>>;
}

/// What an act works with: the transaction and the moment it happens in.
pub struct Desk<'a, 'tx> {
    /// The transaction.
    pub tx: &'a mut Tx<'tx>,
    /// Who acts.
    pub actor: &'a Actor,
    /// From where.
    pub origin: &'a Origin,
    /// The moment; the same for every row of the change.
    pub now: Timestamp,
    /// Where new records get their ids.
    pub ids: &'a IdSource,
    /// The rest of the house: keys, randomness, the mail queue.
    pub app: &'a App,
}

/// What an act did.
pub struct Done<T> {
    /// For the caller.
    pub output: T,
    /// The record it touched.
    pub resource: Resource,
    /// How grave it is: a refusal that is written down is a warning.
    pub level: Level,
    /// A sentence for the log.
    pub message: String,
    /// More for the log, never a secret.
    pub details: Value,
    /// Whose log it belongs to, when not the actor's own tenant.
    pub tenant: Option<TenantId>,
    /// Who did it, where the act is what tells: nobody is known before they sign in.
    pub actor: Option<Actor>,
    /// The license it is about: part of that one's history.
    pub license: Option<LicenseId>,
    /// What to tell.
    pub events: Vec<NewEvent>,
}

impl<T> Done<T> {
    /// A change of one record that nobody need be told of.
    pub fn new(output: T, resource: Resource, message: impl Into<String>) -> Self {
        let details = Value::Object(serde_json::Map::new());
        Self {
            output,
            resource,
            level: Level::Info,
            message: message.into(),
            details,
            tenant: None,
            actor: None,
            license: None,
            events: vec![],
        }
    }

    /// A refusal, written down because it counts: wrong codes and passwords, reused tokens.
    #[must_use]
    pub fn refused(mut self) -> Self {
        self.level = Level::Warn;
        self
    }

    /// Says who did it: whoever signed in by it.
    #[must_use]
    pub fn by(mut self, actor: Actor) -> Self {
        self.actor = Some(actor);
        self
    }

    /// Makes it part of a license's history.
    #[must_use]
    pub fn about(mut self, license: LicenseId) -> Self {
        self.license = Some(license);
        self
    }

    /// Tells of it.
    #[must_use]
    pub fn tell(mut self, event: NewEvent) -> Self {
        self.events.push(event);
        self
    }
}

impl App {
    /// Carries out a change: all of it, with its log entry and its events, or nothing. What follows
    /// from its rows beside the database happens before anybody hears of it: see `App::follow`.
    pub async fn act<A: Act>(&self, context: &Context, act: A) -> Result<A::Output> {
        let (app, context) = (self.clone(), context.clone());
        let (waiter, entry, follower) =
            (context.waiter.clone(), context.entry.clone(), self.clone());
        let work = move |tx: &mut Tx<'_>| {
            let now = app.clock.now();
            let (actor, origin) = (&context.actor, &context.origin);
            let mut desk = Desk { tx, actor, origin, now, ids: &app.ids, app: &app };
            let grant = act.authorize(&mut desk)?;
            let done = act.carry_out(&mut desk, grant)?;
            app.record::<A>(tx, &context, now, done)
        };
        let follow = move |changes: &Changes| follower.follow(changes);
        let output = self.store.write_for(&waiter, work, follow).await?;
        entry.write();
        Ok(output)
    }

    /// What follows from a change that is stored: tokens are looked at again, and whoever has
    /// something to do is woken. The store says what was changed, so that no act has to.
    pub(crate) fn follow(&self, changes: &Changes) {
        self.access.follow(changes);
        self.mailer.follow(changes);
        self.wakes.follow(changes);
    }

    fn record<A: Act>(
        &self,
        tx: &mut Tx<'_>,
        context: &Context,
        now: Timestamp,
        done: Done<A::Output>,
    ) -> Result<A::Output> {
        if let Some(claim) = &context.idempotency
            && !idempotency::mark_applied(tx, claim)?
        {
            return Err(Error::conflict("Another request with this idempotency key took over"));
        }
        let actor = done.actor.unwrap_or_else(|| context.actor.clone());
        let mut origin = context.origin.clone();
        if matches!(actor, Actor::Admin { .. }) {
            origin.scheme = Scheme::Admin;
        }
        let entry = Entry {
            id: self.ids.next(),
            tenant: done.tenant.or_else(|| actor.tenant()),
            at: now,
            class: Class::Audit,
            level: done.level,
            action: A::ACTION.into(),
            message: done.message,
            actor,
            resource: done.resource,
            license: done.license,
            origin,
            duration: self.clock.monotonic().saturating_sub(context.origin.started),
            details: done.details,
        };
        audit::insert(tx, &entry)?;
        self.tell(tx, now, done.events)?;
        Ok(done.output)
    }

    /// Writes events, and a delivery for each receiver that wants one.
    pub(crate) fn tell(
        &self,
        tx: &mut Tx<'_>,
        now: Timestamp,
        events: Vec<NewEvent>,
    ) -> Result<()> {
        let due_at = now.plus(self.schedule.first());
        for told in events {
            let event = Event { id: self.ids.next(), at: now, told };
            for place in event::insert(tx, &event)? {
                delivery::enqueue(tx, &self.ids, &event, place, due_at)?;
            }
        }
        Ok(())
    }
}
