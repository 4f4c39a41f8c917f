//! The steps of every change: authorize → decide and store → log → emit, in one transaction.
//!
//! A change is a type that implements [`Act`]. It cannot skip its log entry or write one directly:
//! it returns a [`Done`], and [`App::act`] writes the rows.

use std::time::Duration;

use grantor_domain::access::Actor;
use grantor_domain::audit::{Class, Entry, Level, Origin, Resource, Scheme};
use grantor_domain::event::{Event, NewEvent};
use grantor_domain::id::{IdGenerator, LicenseId, TenantId};
use grantor_domain::trace::TraceContext;
use grantor_domain::{Error, Result, Timestamp};
use grantor_messages::Language;
use grantor_storage::{Changes, Tx, audit, batch, delivery, event, idempotency};
use serde_json::Value;

use crate::log::change::FieldChanges;
use crate::operations::staff_view;
use crate::operations::trace::{Ending, SpanKind};
use crate::undo::{self, Reverse, Undo};
use crate::{App, Context};

/// One change.
pub trait Act: Send + Sync + 'static {
    /// The records that `authorize` loads and `carry_out` uses.
    type Permit;
    /// The result returned to the caller.
    type Output: Send + 'static;
    /// The action name in the log: `resource.verb`.
    const ACTION: &'static str;

    /// Returns a permit or refuses. Only reads.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit>;

    /// Applies the domain's rules and stores the result.
    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>>;
}

/// The transaction an act runs in, with its actor and time.
pub struct UnitOfWork<'a, 'tx> {
    /// The transaction.
    pub tx: &'a mut Tx<'tx>,
    /// The actor.
    pub actor: &'a Actor,
    /// Where the call came from.
    pub origin: &'a Origin,
    /// The current time; the same for every row of the change.
    pub now: Timestamp,
    /// The source of ids for new records.
    pub ids: &'a IdGenerator,
    /// The application: keys, randomness, the mail queue.
    pub app: &'a App,
    /// Whether the act can be taken back, so that it has to say how.
    pub undoable: bool,
    /// The language of the page that the call comes from; `None` for calls of programs.
    pub language: Option<Language>,
}

/// The result of an act, with its log entry and events.
pub struct Done<T> {
    /// The result returned to the caller.
    pub output: T,
    /// The record that changed.
    pub resource: Resource,
    /// The log level; a logged refusal is a warning.
    pub level: Level,
    /// The log message.
    pub message: String,
    /// More details for the log. Never contains a secret.
    pub details: Value,
    /// The tenant whose log gets the entry, if it isn't the actor's tenant.
    pub tenant: Option<TenantId>,
    /// The actor, if only the act itself identifies them, as a sign-in does.
    pub actor: Option<Actor>,
    /// The license whose history the entry belongs to.
    pub license: Option<LicenseId>,
    /// The events to emit.
    pub events: Vec<NewEvent>,
    /// What takes the act back.
    pub(crate) undo: Option<Undo>,
}

impl<T> Done<T> {
    /// Creates the result of a change to one record, without events.
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
            undo: None,
        }
    }

    /// Marks a refusal that must be committed and logged: a wrong code or password, a reused token.
    #[must_use]
    pub fn refused(mut self) -> Self {
        self.level = Level::Warn;
        self
    }

    /// Sets the actor, for acts that sign somebody in.
    #[must_use]
    pub fn with_actor(mut self, actor: Actor) -> Self {
        self.actor = Some(actor);
        self
    }

    /// Adds the entry to a license's history.
    #[must_use]
    pub fn for_license(mut self, license: LicenseId) -> Self {
        self.license = Some(license);
        self
    }

    /// Adds an event to emit.
    #[must_use]
    pub fn with_event(mut self, event: NewEvent) -> Self {
        self.events.push(event);
        self
    }

    /// Adds the old and new values of what changed to the details.
    #[must_use]
    pub(crate) fn with_changes(mut self, changes: FieldChanges) -> Self {
        if let (Value::Object(details), Some(changes)) = (&mut self.details, changes.into_value()) {
            details.insert("changes".to_owned(), changes);
        }
        self
    }

    /// Says what takes the act back.
    #[must_use]
    pub(crate) fn undone_by(mut self, reverse: Reverse) -> Self {
        self.undo = Some(Undo { reverse, objects: vec![] });
        self
    }

    /// Converts the output.
    pub(crate) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Done<U> {
        let (output, done) = self.split();
        let Done {
            resource, level, message, details, tenant, actor, license, events, undo, ..
        } = done;
        let output = convert(output);
        Done { output, resource, level, message, details, tenant, actor, license, events, undo }
    }

    /// Takes the output out.
    fn split(self) -> (T, Done<()>) {
        let Self {
            resource, level, message, details, tenant, actor, license, events, undo, ..
        } = self;
        let output = ();
        let done = Done {
            output,
            resource,
            level,
            message,
            details,
            tenant,
            actor,
            license,
            events,
            undo,
        };
        (self.output, done)
    }

    /// Drops the output, and replaces the message.
    pub(crate) fn told(self, message: &str) -> Done<()> {
        let mut done = self.map(|_| ());
        message.clone_into(&mut done.message);
        done
    }
}

/// The record that changed, as a caller is told whose response was lost.
fn changed(resource: &Resource) -> Option<String> {
    resource.id.as_ref().map(|id| format!("{} {id}", resource.kind))
}

impl App {
    /// Runs a change in one transaction, with its log entry and its events. Caches are invalidated
    /// and workers woken (`App::after_commit`) before the caller gets the result.
    pub async fn act<A: Act>(&self, context: &Context, act: A) -> Result<A::Output> {
        if context.read_only {
            return Err(staff_view::read_only());
        }
        let (app, context) = (self.clone(), context.clone());
        let (trace, started) = (context.origin.trace, self.clock.monotonic());
        let (waiter, flags, own) = (context.waiter.clone(), context.flags.clone(), self.clone());
        let work = move |tx: &mut Tx<'_>| {
            let now = app.clock.now();
            let (actor, origin, undoable) =
                (&context.actor, &context.origin, context.is_undoable());
            let (ids, app, language) = (&app.ids, &app, context.language);
            let mut unit = UnitOfWork { tx, actor, origin, now, ids, app, undoable, language };
            let permit = act.authorize(&mut unit)?;
            let (output, done) = act.carry_out(&mut unit, permit)?.split();
            app.record(tx, &context, A::ACTION, now, done)?;
            Ok(output)
        };
        let after = move |changes: &Changes| own.after_commit(changes);
        let outcome = self.store.write_for(&waiter, work, after).await;
        self.trace_act(trace, started, A::ACTION, outcome.as_ref().err());
        let output = outcome?;
        flags.set_logged();
        Ok(output)
    }

    fn trace_act(
        &self,
        trace: Option<TraceContext>,
        started: Duration,
        action: &'static str,
        failure: Option<&Error>,
    ) {
        self.tracer.record(trace, started, || Ending {
            name: action.into(),
            kind: SpanKind::Internal,
            attributes: vec![],
            failure: failure.map(|error| {
                // Not its message, which may contain the text of a user.
                if error.is_refusal() { "refused" } else { "failed" }.to_owned()
            }),
        });
    }

    /// Invalidates cached tokens and wakes workers after a commit. The store reports which tables
    /// changed, so no act has to.
    pub(crate) fn after_commit(&self, changes: &Changes) {
        self.access.after_commit(changes);
        self.mailer.after_commit(changes);
        self.wakeups.after_commit(changes);
    }

    /// Writes what belongs to every act. Not generic, so that it is compiled once.
    fn record(
        &self,
        tx: &mut Tx<'_>,
        context: &Context,
        action: &'static str,
        now: Timestamp,
        done: Done<()>,
    ) -> Result<()> {
        if let Some(claim) = &context.idempotency
            && !idempotency::mark_applied(tx, claim, changed(&done.resource).as_deref())?
        {
            return Err(Error::conflict(
                "Another request with this idempotency key has replaced this one",
            ));
        }
        if let Some(step) = &context.batch {
            let record = done.resource.id.as_deref().and_then(|it| it.parse().ok());
            // Whoever works on the same item stores it first, so that it is changed once.
            if !batch::advance(tx, step, record)? {
                return Err(Error::conflict("This item was already worked on"));
            }
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
            action: action.into(),
            message: done.message,
            actor,
            resource: done.resource,
            license: done.license,
            origin,
            duration: self.clock.monotonic().saturating_sub(context.origin.started),
            details: done.details,
        };
        audit::insert(tx, &entry)?;
        self.emit(tx, now, context.origin.trace, done.events)?;
        match (done.undo, &context.batch) {
            (Some(undo), Some(step)) => undo::keep(tx, step, action, &undo),
            (Some(undo), None) => undo::offer(self, tx, &context.undo, now, action, undo),
            (None, _) => Ok(()),
        }
    }

    /// Writes events, and a delivery for each webhook subscribed to them.
    pub(crate) fn emit(
        &self,
        tx: &mut Tx<'_>,
        now: Timestamp,
        trace: Option<TraceContext>,
        events: Vec<NewEvent>,
    ) -> Result<()> {
        let due_at = now.plus(self.schedule.first());
        for content in events {
            let event = Event { id: self.ids.next(), at: now, content };
            for place in event::insert(tx, &event)? {
                delivery::enqueue(tx, &self.ids, &event, place, due_at)?;
            }
            if let Some(trace) = trace {
                event::set_trace(tx, event.id, trace)?;
            }
        }
        Ok(())
    }
}
