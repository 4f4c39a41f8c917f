//! The unit of work of a sender's round: writes the outcomes of finished attempts and claims more
//! deliveries.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use grantor_domain::delivery::{DeliveryStatus, DropReason, LEASE};
use grantor_domain::id::WebhookId;
use grantor_domain::role::{Right, may};
use grantor_domain::{Result, Timestamp};
use grantor_storage::Tx;
use grantor_storage::delivery::{self, Claimed, Outcome};
use grantor_storage::license::reader::Reader;
use grantor_storage::webhook::{self, Receiver, Sealed};

/// The result of a round.
#[derive(Debug, Default)]
pub(super) struct RoundResult {
    pub(super) outgoing: Vec<Outgoing>,
    /// When the next delivery becomes due.
    pub(super) next_due: Option<Timestamp>,
    /// Receivers that fail, and since when.
    pub(super) failing: Vec<(WebhookId, Timestamp)>,
    /// Outcomes that were not written because their lease had expired.
    pub(super) lost: u64,
    pub(super) dropped: u64,
}

/// A claimed delivery with its URL and secrets.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) url: Arc<str>,
    pub(super) sealed: Arc<Sealed>,
    pub(super) claimed: Claimed,
}

impl Outgoing {
    /// Makes the delivery due again without an attempt.
    pub(super) fn release(self, due_at: Timestamp) -> PendingOutcome {
        let Claimed { id, webhook, attempts, failed, tries, .. } = self.claimed;
        let status = DeliveryStatus::Pending;
        let outcome = Outcome { id, attempts, status, failed, tries, due_at };
        PendingOutcome { webhook, health: None, outcome }
    }
}

/// The outcome of a claimed delivery, to be written.
#[derive(Clone, Debug)]
pub(super) struct PendingOutcome {
    pub(super) webhook: WebhookId,
    /// The state of the receiver, if there was an attempt.
    pub(super) health: Option<ReceiverHealth>,
    pub(super) outcome: Outcome,
}

/// The state of a receiver after attempts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReceiverHealth {
    pub(super) arrived: bool,
    /// Until when nothing is sent to it.
    pub(super) paused_until: Option<Timestamp>,
}

/// How many deliveries may be claimed.
#[derive(Clone, Debug)]
pub(super) struct Capacity {
    /// In total.
    pub(super) free: usize,
    /// Of these, for receivers whose last attempt did not succeed.
    pub(super) unproven: usize,
    /// For each known receiver.
    pub(super) receivers: HashMap<WebhookId, ReceiverCapacity>,
    /// For each other receiver.
    pub(super) unknown_receiver: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ReceiverCapacity {
    pub(super) free: usize,
    pub(super) proven: bool,
}

impl Capacity {
    pub(super) fn of(&self, id: WebhookId) -> usize {
        let unknown_receiver = ReceiverCapacity { free: self.unknown_receiver, proven: false };
        let ReceiverCapacity { free, proven } =
            self.receivers.get(&id).copied().unwrap_or(unknown_receiver);
        free.min(self.free).min(if proven { self.free } else { self.unproven })
    }

    fn take(&mut self, id: WebhookId, count: usize) {
        self.free -= count.min(self.free);
        if !self.receivers.get(&id).is_some_and(|it| it.proven) {
            self.unproven -= count.min(self.unproven);
        }
    }
}

/// Writes outcomes and claims as many deliveries as the capacity allows.
pub(super) fn run_round(
    tx: &mut Tx<'_>,
    ended: &[PendingOutcome],
    capacity: Option<&Capacity>,
    now: Timestamp,
) -> Result<RoundResult> {
    let mut result = RoundResult::default();
    write(tx, ended, now, &mut result)?;
    let Some(capacity) = capacity else { return Ok(result) };
    let mut capacity = capacity.clone();
    for (id, due) in delivery::waiting(tx)? {
        if due > now {
            result.next_due = Some(due);
            break;
        }
        let free = capacity.of(id);
        if free > 0 {
            let before = result.outgoing.len();
            claim(tx, id, free, now, &mut result)?;
            capacity.take(id, result.outgoing.len() - before);
        }
        if capacity.free == 0 {
            break;
        }
    }
    Ok(result)
}

fn write(
    tx: &mut Tx<'_>,
    ended: &[PendingOutcome],
    now: Timestamp,
    result: &mut RoundResult,
) -> Result<()> {
    let outcomes: Vec<_> = ended.iter().map(|it| &it.outcome).collect();
    let lost = delivery::settle(tx, &outcomes, now)?;
    // Receivers are updated in the order of their ids, so that two senders cannot deadlock.
    let mut receivers = BTreeMap::<WebhookId, ReceiverHealth>::new();
    for it in ended.iter().filter(|it| !lost.contains(&it.outcome.id)) {
        let Some(health) = it.health else { continue };
        let known = receivers.entry(it.webhook).or_default();
        known.arrived |= health.arrived;
        // The last attempt decides.
        known.paused_until = health.paused_until;
    }
    result.lost = lost.len() as u64;
    for (id, health) in receivers {
        if health.arrived {
            webhook::record_success(tx, id, now)?;
        } else if let Some(since) = webhook::record_failure(tx, id, now)? {
            result.failing.push((id, since));
        }
        if health.paused_until.is_some() {
            webhook::set_pause(tx, id, health.paused_until)?;
        }
    }
    Ok(())
}

/// Claims due deliveries for one receiver. Drops events that it no longer has access to.
fn claim(
    tx: &mut Tx<'_>,
    id: WebhookId,
    free: usize,
    now: Timestamp,
    result: &mut RoundResult,
) -> Result<()> {
    let Some(receiver) = webhook::find_receiver(tx, id)? else { return Ok(()) };
    let reader = self::reader(&receiver);
    let (url, sealed) = (Arc::from(receiver.url), Arc::new(receiver.sealed));
    let free = u32::try_from(free).unwrap_or(u32::MAX);
    for (claimed, listed) in delivery::claim(tx, (id, reader), now, now.plus(LEASE), free)? {
        let event = &claimed.event;
        let sees = listed || event.license.is_none() || !event.kind.requires_visibility();
        if sees {
            let (url, sealed) = (Arc::clone(&url), Arc::clone(&sealed));
            result.outgoing.push(Outgoing { url, sealed, claimed });
        } else {
            let claim = (claimed.id, claimed.attempts);
            delivery::drop_claimed(tx, claim, DropReason::NotVisible, now)?;
            result.dropped += 1;
        }
    }
    Ok(())
}

/// Whose access decides: the tenant's, plus that of the webhook's creator while they are a member
/// who may manage webhooks.
fn reader(receiver: &Receiver) -> Reader {
    let allowed = |role| may(role, receiver.kind, Right::ManageWebhooks).is_ok();
    let maker = receiver.maker.filter(|(_, role)| allowed(*role)).map(|(user, _)| user);
    let user = maker.unwrap_or_else(|| receiver.tenant.as_uuid().into());
    Reader::Caller { tenant: receiver.tenant, user }
}
