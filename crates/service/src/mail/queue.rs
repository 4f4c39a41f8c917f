//! The mail queue.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use grantor_domain::email::Email;
use grantor_domain::id::{IdGenerator, MailId};
use grantor_domain::mail::{Mail, retry_delay};
use grantor_domain::{Clock, Error, Result};
use grantor_storage::mail::ClaimedMail;
use grantor_storage::notice::refusal;
use grantor_storage::{Changes, Store, Topic, Tx, mail as rows};
use lettre::message::Mailbox;
use tokio::sync::Notify;
use tokio::task::JoinSet;

use super::{SendError, Transport, message};
use grantor_keys::{Keys, Purpose};

/// How long a mail stays claimed.
const LEASE: Duration = Duration::from_mins(2);
/// Well within the lease, so that no mail is claimed twice while an attempt runs.
const ATTEMPT_LIMIT: Duration = Duration::from_secs(90);
/// The number of concurrent attempts.
const AT_ONCE: usize = 4;

/// Mails are padded to a multiple of this size before encryption.
const PADDING: usize = 4096;

/// Queues mails and sends them. Cheap to clone; clones are the same mailer.
#[derive(Clone)]
pub struct Mailer(Arc<Parts>);

struct Parts {
    store: Store,
    keys: Arc<Keys>,
    clock: Arc<dyn Clock>,
    ids: IdGenerator,
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
    /// Creates a mailer with this sender, which may be an address or `Name <address>`.
    pub fn new(
        store: Store,
        keys: Arc<Keys>,
        clock: Arc<dyn Clock>,
        ids: IdGenerator,
        transport: Arc<dyn Transport>,
        from: &str,
    ) -> Result<Self> {
        let (sender, from) = (message::sender(from)?, from.to_owned());
        let wake = Notify::new();
        Ok(Self(Arc::new(Parts { store, keys, clock, ids, transport, from, sender, wake })))
    }

    /// Queues a mail in the transaction of its change. The content is encrypted, since it may
    /// contain a code.
    pub fn enqueue(&self, tx: &mut Tx<'_>, kind: &str, mail: &Mail) -> Result<MailId> {
        message::check(mail)?;
        let id: MailId = self.0.ids.next();
        let mut plain =
            serde_json::to_vec(mail).map_err(|error| Error::internal(error.to_string()))?;
        // Trailing white space is valid JSON. With it, neither the time of encryption nor the
        // length of the row reveals which mail it was.
        plain.resize(plain.len().next_multiple_of(PADDING), b' ');
        let sealed = self.0.keys.seal(Purpose::Mail, &id.to_string(), &plain);
        rows::insert(tx, id, kind, &sealed, self.0.clock.now())?;
        Ok(id)
    }

    /// Takes as long as [`Self::enqueue`] without queueing the mail.
    pub(crate) fn simulate_enqueue(mail: &Mail) {
        let checked = message::check(mail).is_ok();
        std::hint::black_box((checked, serde_json::to_vec(mail).ok()));
    }

    /// Wakes the sender if a mail was queued.
    pub fn after_commit(&self, changes: &Changes) {
        if changes.touches(Topic::Mail) {
            self.0.wake.notify_one();
        }
    }

    /// Waits until a mail is queued. Returns at once if one was queued since the last wait.
    pub async fn wait_for_mail(&self) {
        self.0.wake.notified().await;
    }

    /// Sends due mails, at most `at_most`, and returns the number sent. After a database error,
    /// running attempts are finished first, so that their outcome isn't lost.
    pub async fn send_due(&self, at_most: u32) -> Result<usize> {
        let mut left = usize::try_from(at_most).unwrap_or(usize::MAX);
        let mut attempts = JoinSet::new();
        let (mut sent, mut failure) = (0, None);
        loop {
            // Claim only as many as can start now, so that no lease runs while a mail waits.
            let free = left.min(AT_ONCE - attempts.len());
            if free > 0 {
                let claimed = self.claim(free).await.unwrap_or_else(|error| {
                    failure = Some(error);
                    Vec::new()
                });
                left = if claimed.len() < free { 0 } else { left - free };
                for mail in claimed {
                    attempts.spawn(self.clone().attempt(mail));
                }
            }
            match attempts.join_next().await {
                Some(Ok(Ok(was_sent))) => sent += usize::from(was_sent),
                Some(Ok(Err(error))) => (left, failure) = (0, Some(error)),
                Some(Err(error)) => (left, failure) = (0, Some(Error::internal(error.to_string()))),
                None => break,
            }
        }
        failure.map_or(Ok(sent), Err)
    }

    /// Returns the mailbox with the sent mails, if they are written to files.
    #[must_use]
    pub fn mailbox(&self) -> Option<super::Mailbox> {
        self.0.transport.mailbox()
    }

    /// Returns how long the oldest due mail has been waiting; zero if none is due.
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

    async fn attempt(self, claimed: ClaimedMail) -> Result<bool> {
        // Transient: a permanent error would delete the mail, but the key ring may be restored.
        let Some(mail) = self.open(&claimed) else {
            let error = SendError::transient("the key ring cannot decrypt the mail");
            return self.record_failure(claimed, None, error).await.map(|()| false);
        };
        let outcome = tokio::time::timeout(ATTEMPT_LIMIT, self.send(claimed.id, &mail)).await;
        let outcome =
            outcome.unwrap_or_else(|_| Err(SendError::transient("the attempt timed out")));
        let address = address_key(&mail.to);
        match outcome {
            Ok(()) => self.record_sent(claimed, address).await.map(|()| true),
            Err(error) => self.record_failure(claimed, Some(address), error).await.map(|()| false),
        }
    }

    fn open(&self, claimed: &ClaimedMail) -> Option<Mail> {
        let plain =
            self.0.keys.open_sealed(Purpose::Mail, &claimed.id.to_string(), &claimed.sealed)?;
        serde_json::from_slice(&plain).ok()
    }

    async fn send(&self, id: MailId, mail: &Mail) -> Result<(), SendError> {
        let message_id = message::message_id(id, &self.0.sender);
        self.0.transport.send(&self.0.from, mail, &message_id).await
    }

    /// An address that takes mail is no longer refused.
    async fn record_sent(&self, mail: ClaimedMail, address: String) -> Result<()> {
        metrics::counter!("grantor_mail_sent_total").increment(1);
        let (id, now) = (mail.id, self.0.clock.now());
        let work = move |tx: &mut Tx<'_>| -> grantor_storage::Result<bool> {
            refusal::delete(tx, &address)?;
            rows::mark_sent(tx, &mail, now)
        };
        if !self.0.store.write(work).await? {
            tracing::warn!(mail = %id, "a mail was sent after its lease and may be sent again");
        }
        Ok(())
    }

    async fn record_failure(
        &self,
        mail: ClaimedMail,
        address: Option<String>,
        error: SendError,
    ) -> Result<()> {
        let now = self.0.clock.now();
        let delay = if error.permanent { None } else { retry_delay(mail.attempts) };
        let next = delay.map(|delay| now.plus(delay));
        let outcome = if next.is_some() { "retry" } else { "given_up" };
        metrics::counter!("grantor_mail_failed_total", "outcome" => outcome).increment(1);
        let (id, attempts, reason) = (mail.id, mail.attempts, error.reason);
        tracing::warn!(mail = %id, attempts, outcome, reason, "failed to send a mail");
        let refused = address.filter(|_| error.recipient_refused);
        let work = move |tx: &mut Tx<'_>| -> grantor_storage::Result<()> {
            if let Some(address) = &refused {
                refusal::insert(tx, address, &reason, now)?;
            }
            rows::mark_failed(tx, &mail, &reason, next, now)
        };
        Ok(self.0.store.write(work).await?)
    }
}

/// The form in which addresses are compared.
pub(super) fn address_key(to: &str) -> String {
    Email::parse(to).map_or_else(|_| to.to_lowercase(), |it| it.key())
}
