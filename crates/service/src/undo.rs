//! Undo: for a minute after an act on a page, the session that acted can take it back.
//!
//! An act says in its result what takes it back (`Done::undone_by`). That is stored with the act,
//! under the hash of a token, if the context names a session ([`UndoOffer`]); only the console's
//! pages do. Items of a bulk action keep it with their batch (`keep`). Taking something back is an
//! act of its own: it checks the rights again, is logged, and tells those whom the act told. Nothing
//! that somebody changed since is overwritten.

mod reverse;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use grantor_domain::batch::{BatchStep, BatchUndo};
use grantor_domain::id::{SessionId, SourceId};
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::batch;
use grantor_storage::object::ObjectKey;
use grantor_storage::undo::{self, StoredUndo};
use serde_json::Value;

pub(crate) use self::reverse::Reverse;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::{AdminCaller, Caller};
use crate::{App, Context};

/// How long an act can be taken back.
pub const LIFE: Duration = Duration::from_mins(1);

/// How much longer objects stay than an act can be taken back: another node may be about to do that.
const GRACE: Duration = Duration::from_secs(30);

/// Rows per unit of work.
const AT_ONCE: u32 = 500;

/// What takes an act back, and the objects that must stay until then.
pub(crate) struct Undo {
    pub(crate) reverse: Reverse,
    pub(crate) objects: Vec<ObjectKey>,
}

/// The session that can take back what its acts do, and the undo of the last one. Copies of a context
/// share it.
#[derive(Clone, Debug, Default)]
pub struct UndoOffer(Arc<Mutex<OfferState>>);

#[derive(Debug, Default)]
struct OfferState {
    session: Option<SessionId>,
    offered: Option<Offered>,
}

/// An undo that a page can offer.
#[derive(Clone, PartialEq, Eq)]
pub struct Offered {
    /// The token, which works once.
    pub token: String,
    /// When it stops working.
    pub until: Timestamp,
}

impl fmt::Debug for Offered {
    /// Omits the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offered").field("until", &self.until).finish_non_exhaustive()
    }
}

impl UndoOffer {
    /// Lets this session take back what is done from now on.
    pub fn bind(&self, session: SessionId) {
        self.state(|it| it.session = Some(session));
    }

    /// Whether a session can take back what is done.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.session().is_some()
    }

    /// Returns the undo of the last act.
    #[must_use]
    pub fn offered(&self) -> Option<Offered> {
        self.state(|it| it.offered.clone())
    }

    fn session(&self) -> Option<SessionId> {
        self.state(|it| it.session)
    }

    fn state<T>(&self, change: impl FnOnce(&mut OfferState) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Stores what takes an act back, in the act's unit of work.
pub(crate) fn offer(
    app: &App,
    tx: &mut Tx<'_>,
    to: &UndoOffer,
    now: Timestamp,
    action: &str,
    Undo { reverse, objects }: Undo,
) -> Result<()> {
    let Some(session) = to.session() else { return Ok(()) };
    let token = Secret::generate(SecretKind::Undo, &*app.entropy);
    let reverse = written(&reverse)?;
    let until = now.plus(LIFE);
    let stored = StoredUndo { session, action: action.to_owned(), reverse, expires_at: until };
    undo::insert(tx, &token.hash(), &stored, &objects)?;
    let offered = Offered { token: token.expose().to_owned(), until };
    to.state(|it| it.offered = Some(offered));
    Ok(())
}

/// Stores what takes back a change that is part of a batch, if the batch can be undone. No such change
/// removes pictures, whose objects would have to be kept.
pub(crate) fn keep(tx: &mut Tx<'_>, step: &BatchStep, action: &str, undo: &Undo) -> Result<()> {
    let Some(record) = step.undoable.clone() else { return Ok(()) };
    let kept = BatchUndo { record, action: action.to_owned(), reverse: written(&undo.reverse)? };
    Ok(batch::undo::insert(tx, step.batch, step.from.item(), &kept)?)
}

fn written(reverse: &Reverse) -> Result<String> {
    serde_json::to_string(reverse).map_err(|error| Error::internal(error.to_string()))
}

/// Who takes something back.
#[derive(Clone, Debug)]
pub enum Undoer {
    /// A user.
    Person(Arc<Caller>),
    /// A member of staff.
    Staff(Arc<AdminCaller>),
}

impl Undoer {
    fn session(&self) -> SessionId {
        match self {
            Self::Person(caller) => caller.session,
            Self::Staff(caller) => caller.session,
        }
    }

    fn staff(&self) -> Result<&Arc<AdminCaller>> {
        match self {
            Self::Staff(caller) => Ok(caller),
            Self::Person(_) => Err(over()),
        }
    }
}

/// Takes an act back and returns what was done, in a sentence.
pub async fn take_back(app: &App, context: &Context, by: Undoer, token: &str) -> Result<String> {
    let token = Secret::parse(&[SecretKind::Undo], token).ok_or_else(over)?;
    let act = TakeBack { by, hash: token.hash() };
    let TakenBack { message, source } = app.act(context, act).await?;
    if let Some(source) = source {
        // A source may have many mentions, which one unit of work must not hold up others for.
        let attach = || app.store.write(move |tx| undo::attach_mentions(tx, source, AT_ONCE));
        while attach().await? == u64::from(AT_ONCE) {}
    }
    Ok(message)
}

/// Deletes what can no longer be taken back, with the objects that were kept for it. Returns the
/// number of rows.
pub async fn forget_expired(app: &App) -> Result<u64> {
    let before = app.clock.now().minus(GRACE);
    let mut forgotten = 0;
    loop {
        let released = move |tx: &mut Tx<'_>| undo::release_objects(tx, before, AT_ONCE);
        let released = app.store.write(released).await?;
        for key in &released {
            if let Err(error) = app.objects.delete(*key).await {
                tracing::warn!(%error, object = %key, "failed to delete an object without a row");
            }
        }
        forgotten += released.len() as u64;
        if released.len() < AT_ONCE as usize {
            break;
        }
    }
    while app.store.write(move |tx| batch::undo::forget_expired(tx, before, AT_ONCE)).await? {
        forgotten += 1;
    }
    loop {
        let rows = move |tx: &mut Tx<'_>| -> grantor_storage::Result<u64> {
            let undos = undo::delete_expired(tx, before, AT_ONCE)?;
            Ok(undos.max(undo::forget_mentions(tx, before, AT_ONCE)?))
        };
        let rows = app.store.write(rows).await?;
        forgotten += rows;
        if rows < u64::from(AT_ONCE) {
            return Ok(forgotten);
        }
    }
}

/// When the mentions of a source that is deleted now are forgotten.
pub(crate) fn mentions_until(now: Timestamp) -> Timestamp {
    now.plus(LIFE)
}

/// Runs an act that takes another one back, as part of its unit of work.
pub(crate) fn run<A: Act>(
    unit: &mut UnitOfWork<'_, '_>,
    act: &A,
    message: &str,
) -> Result<Done<()>> {
    let permit = act.authorize(unit).map_err(about_versions)?;
    let done = act.carry_out(unit, permit).map_err(about_versions)?;
    Ok(done.told(message))
}

fn about_versions(error: Error) -> Error {
    if *error.kind() == ErrorKind::PreconditionFailed { changed_since() } else { error }
}

/// The error if somebody changed since what would be taken back.
pub(crate) fn changed_since() -> Error {
    Error::conflict("This can't be undone, because somebody has changed it since")
}

/// The error of a token that is unknown, used or too old. It does not say which.
pub(crate) fn over() -> Error {
    Error::conflict("This can't be undone anymore: a minute has passed, or it was undone already")
}

/// Reads back a value that was stored as text.
pub(crate) fn stored<T, E: fmt::Display>(parsed: Result<T, E>) -> Result<T> {
    parsed.map_err(|error| Error::internal(format!("a stored undo is invalid: {error}")))
}

struct TakeBack {
    by: Undoer,
    hash: SecretHash,
}

/// What was taken back.
pub(crate) struct TakenBack {
    message: String,
    /// The source that gets its mentions back.
    source: Option<SourceId>,
}

impl Act for TakeBack {
    type Permit = StoredUndo;
    type Output = TakenBack;
    const ACTION: &'static str = "change.undo";

    /// Another session's token is reported like an unknown one. What is taken back checks the rights.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<StoredUndo> {
        let found = undo::claim(unit.tx, &self.hash)?;
        let session = self.by.session();
        let found = found.filter(|it| it.session == session && unit.now < it.expires_at);
        found.ok_or_else(over)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        found: StoredUndo,
    ) -> Result<Done<TakenBack>> {
        undo::delete(unit.tx, &self.hash)?;
        restore(unit, &self.by, &found.reverse, found.action)
    }
}

/// Whether this version can take back what another one may have stored.
pub(crate) fn is_readable(reverse: &str) -> bool {
    serde_json::from_str::<Reverse>(reverse).is_ok()
}

/// Takes an act back, as part of a unit of work.
pub(crate) fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    by: &Undoer,
    reverse: &str,
    action: String,
) -> Result<Done<TakenBack>> {
    let reverse: Reverse = stored(serde_json::from_str(reverse))?;
    let source = reverse.restored_source();
    let mut done = reverse.run(unit, by)?;
    // What was taken back is not offered again.
    done.undo = None;
    if let Value::Object(details) = &mut done.details {
        details.insert("undoes".to_owned(), Value::String(action));
    }
    let message = done.message.clone();
    Ok(done.map(|()| TakenBack { message, source }))
}
