//! The mail queue: what is put in with a change comes out here.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::id::{IdSource, MailId};
use grantor_domain::mail::{Mail, retry_delay};
use grantor_domain::{Clock, Error, Result};
use grantor_storage::mail::ClaimedMail;
use grantor_storage::{Changes, Matter, Store, Tx, mail as rows};
use lettre::message::Mailbox;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::{SendError, Transport, message};
use crate::keys::{Keys, Purpose};

/// How long a claimed mail belongs to its claimer.
const LEASE: Duration = Duration::from_mins(2);
/// Well within the lease, so that no mail is in two hands while its attempt runs.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(90);
/// Mails on their way at the same time.
const AT_ONCE: usize = 4;

/// What is sealed is a multiple of so many bytes long.
const SEALED: usize = 4096;

/// Queues mails and sends them. Cheap to clone; clones are the same mailer.
#[derive(Clone)]
pub struct Mailer(Arc<Parts>);

struct Parts {
    store: Store,
    keys: Arc<Keys>,
    clock: Arc<dyn Clock>,
    ids: IdSource,
    transport: Arc<dyn Transport>,
    from: String,
    sender: Mailbox,
    wake: Notify,
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Mailer").field(&self.0.from).finish()
    }
}

impl Mailer {
    /// A mailer that sends in this name, which may be an address or `Name <address>`.
    pub fn new(
        store: Store,
        keys: Arc<Keys>,
        clock: Arc<dyn Clock>,
        ids: IdSource,
        transport: Arc<dyn Transport>,
        from: &str,
    ) -> Result<Self> {
        let (sender, from) = (message::sender(from)?, from.to_owned());
        let wake = Notify::new();
        Ok(Self(Arc::new(Parts { store, keys, clock, ids, transport, from, sender, wake })))
    }

    /// Puts a mail in the queue, within the unit of work of the change it tells of: both happen or
    /// neither does. The content is sealed, since it may hold a code. Should the unit run again,
    /// the mail gets another id, and the first was never seen.
    pub fn enqueue(&self, tx: &mut Tx<'_>, kind: &str, mail: &Mail) -> Result<MailId> {
        message::check(mail)?;
        let id: MailId = self.0.ids.next();
        let mut plain =
            serde_json::to_vec(mail).map_err(|error| Error::internal(error.to_string()))?;
        // White space after JSON is nothing. With it neither the time of sealing nor the length of
        // the row tells which of two mails it was.
        plain.resize(plain.len().next_multiple_of(SEALED), b' ');
        let sealed = self.0.keys.seal(Purpose::Mail, &id.to_string(), &plain);
        rows::insert(tx, id, kind, &sealed, self.0.clock.now())?;
        Ok(id)
    }

    /// Takes as long over a mail that is not sent as [`Self::enqueue`] does over one that is.
    pub(crate) fn weigh(mail: &Mail) {
        let checked = message::check(mail).is_ok();
        std::hint::black_box((checked, serde_json::to_vec(mail).ok()));
    }

    /// Wakes the sender if a mail was put in the queue.
    pub fn follow(&self, changes: &Changes) {
        if changes.touch(Matter::Mail) {
            self.0.wake.notify_one();
        }
    }

    /// Waits until there is something new in the queue, or was since the last wait.
    pub async fn woken(&self) {
        self.0.wake.notified().await;
    }

    /// Sends what is due, at most so many; gives how many were sent. A fault of the store ends it
    /// only after the attempts that are under way, whose outcome would be lost otherwise.
    pub async fn send_due(&self, at_most: u32) -> Result<usize> {
        let mut left = usize::try_from(at_most).unwrap_or(usize::MAX);
        let mut attempts = JoinSet::new();
        let (mut sent, mut fault) = (0, None);
        loop {
            // A few at a time: the lease of each then runs from when it really starts.
            let free = left.min(AT_ONCE - attempts.len());
            if free > 0 {
                let claimed = self.claim(free).await.unwrap_or_else(|error| {
                    fault = Some(error);
                    Vec::new()
                });
                left = if claimed.len() < free { 0 } else { left - free };
                for mail in claimed {
                    attempts.spawn(self.clone().attempt(mail));
                }
            }
            match attempts.join_next().await {
                Some(Ok(Ok(was_sent))) => sent += usize::from(was_sent),
                Some(Ok(Err(error))) => (left, fault) = (0, Some(error)),
                Some(Err(error)) => (left, fault) = (0, Some(Error::internal(error.to_string()))),
                None => break,
            }
        }
        fault.map_or(Ok(sent), Err)
    }

    /// Where sent mails can be read again: only where they are files in the house.
    #[must_use]
    pub fn mailbox(&self) -> Option<super::Mailbox> {
        self.0.transport.mailbox()
    }

    /// How long the oldest mail that is due has been due; zero when none is.
    pub async fn queue_age(&self) -> Result<Duration> {
        let now = self.0.clock.now();
        let since = self.0.store.read(move |tx| rows::oldest_due(tx, now)).await?;
        Ok(since.map_or(Duration::ZERO, |since| now.since(since)))
    }

    async fn claim(&self, at_most: usize) -> Result<Vec<ClaimedMail>> {
        let now = self.0.clock.now();
        let at_most = u32::try_from(at_most).unwrap_or(u32::MAX);
        let work = move |tx: &mut Tx<'_>| rows::claim(tx, now, now.plus(LEASE), at_most);
        Ok(self.0.store.write(work).await?)
    }

    async fn attempt(self, mail: ClaimedMail) -> Result<bool> {
        let outcome = tokio::time::timeout(ATTEMPT_LIMIT, self.hand_over(&mail)).await;
        let outcome = outcome.unwrap_or_else(|_| Err(SendError::transient("it took too long")));
        match outcome {
            Ok(()) => self.note_sent(mail).await.map(|()| true),
            Err(error) => self.note_failed(mail, error).await.map(|()| false),
        }
    }

    async fn hand_over(&self, claimed: &ClaimedMail) -> Result<(), SendError> {
        let plain =
            self.0.keys.open_sealed(Purpose::Mail, &claimed.id.to_string(), &claimed.sealed);
        // Not permanent, for that would erase it: the right key ring may yet be put in place.
        let mail: Mail = plain
            .and_then(|plain| serde_json::from_slice(&plain).ok())
            .ok_or_else(|| SendError::transient("the key ring does not open it"))?;
        let message_id = message::message_id(claimed.id, &self.0.sender);
        self.0.transport.send(&self.0.from, &mail, &message_id).await
    }

    async fn note_sent(&self, mail: ClaimedMail) -> Result<()> {
        metrics::counter!("grantor_mail_sent_total").increment(1);
        let (id, now) = (mail.id, self.0.clock.now());
        if !self.0.store.write(move |tx| rows::mark_sent(tx, &mail, now)).await? {
            tracing::warn!(mail = %id, "a mail was sent after its lease, and may be sent again");
        }
        Ok(())
    }

    async fn note_failed(&self, mail: ClaimedMail, error: SendError) -> Result<()> {
        let now = self.0.clock.now();
        let delay = if error.permanent { None } else { retry_delay(mail.attempts) };
        let next = delay.map(|delay| now.plus(delay));
        let outcome = if next.is_some() { "retry" } else { "given_up" };
        metrics::counter!("grantor_mail_failed_total", "outcome" => outcome).increment(1);
        let (id, attempts, reason) = (mail.id, mail.attempts, error.reason);
        tracing::warn!(mail = %id, attempts, outcome, reason, "a mail was not sent");
        let work = move |tx: &mut Tx<'_>| rows::mark_failed(tx, &mail, &reason, next, now);
        Ok(self.0.store.write(work).await?)
    }
}
