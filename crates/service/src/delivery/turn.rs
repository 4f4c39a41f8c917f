//! The unit of work of a sender's turn: what became of ended attempts is written, and more is claimed.

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

/// What a turn brought.
#[derive(Debug, Default)]
pub(super) struct Turned {
    pub(super) parcels: Vec<Parcel>,
    /// When something not yet due will be.
    pub(super) next_due: Option<Timestamp>,
    /// Receivers that nothing arrives at, and since when.
    pub(super) failing: Vec<(WebhookId, Timestamp)>,
    /// Outcomes whose claim no longer held.
    pub(super) lost: u64,
    pub(super) dropped: u64,
}

/// A claimed delivery with what is needed to send it.
#[derive(Debug)]
pub(super) struct Parcel {
    pub(super) url: Arc<str>,
    pub(super) sealed: Arc<Sealed>,
    pub(super) claimed: Claimed,
}

impl Parcel {
    /// What is written of one that was not attempted: it is due again.
    pub(super) fn give_back(self, due_at: Timestamp) -> Ended {
        let Claimed { id, webhook, attempts, failed, tries, .. } = self.claimed;
        let status = DeliveryStatus::Pending;
        let outcome = Outcome { id, attempts, status, failed, tries, due_at };
        Ended { webhook, health: None, outcome }
    }
}

/// What a claimed delivery leaves to be written.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) webhook: WebhookId,
    /// What the attempt told of the receiver, where there was one.
    pub(super) health: Option<Health>,
    pub(super) outcome: Outcome,
}

/// What attempts told of a receiver.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Health {
    pub(super) arrived: bool,
    /// Until when it is to be left alone.
    pub(super) rests_until: Option<Timestamp>,
}

/// How much may be claimed.
#[derive(Clone, Debug)]
pub(super) struct Rooms {
    /// In all.
    pub(super) hands: usize,
    /// Of these, for receivers whose last answer was not a good one.
    pub(super) unproven: usize,
    /// For each receiver that is known.
    pub(super) lanes: HashMap<WebhookId, Room>,
    /// For each of the others.
    pub(super) stranger: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) room: usize,
    pub(super) proven: bool,
}

impl Rooms {
    pub(super) fn of(&self, id: WebhookId) -> usize {
        let stranger = Room { room: self.stranger, proven: false };
        let Room { room, proven } = self.lanes.get(&id).copied().unwrap_or(stranger);
        room.min(self.hands).min(if proven { self.hands } else { self.unproven })
    }

    fn take(&mut self, id: WebhookId, taken: usize) {
        self.hands -= taken.min(self.hands);
        if !self.lanes.get(&id).is_some_and(|it| it.proven) {
            self.unproven -= taken.min(self.unproven);
        }
    }
}

/// Writes what became of attempts, and claims what there is room for.
pub(super) fn turn(
    tx: &mut Tx<'_>,
    ended: &[Ended],
    rooms: Option<&Rooms>,
    now: Timestamp,
) -> Result<Turned> {
    let mut turned = Turned::default();
    write(tx, ended, now, &mut turned)?;
    let Some(rooms) = rooms else { return Ok(turned) };
    let mut rooms = rooms.clone();
    for (id, due) in delivery::waiting(tx)? {
        if due > now {
            turned.next_due = Some(due);
            break;
        }
        let room = rooms.of(id);
        if room > 0 {
            let before = turned.parcels.len();
            claim(tx, id, room, now, &mut turned)?;
            rooms.take(id, turned.parcels.len() - before);
        }
        if rooms.hands == 0 {
            break;
        }
    }
    Ok(turned)
}

fn write(tx: &mut Tx<'_>, ended: &[Ended], now: Timestamp, turned: &mut Turned) -> Result<()> {
    let outcomes: Vec<_> = ended.iter().map(|it| &it.outcome).collect();
    let lost = delivery::settle(tx, &outcomes, now)?;
    // Receivers in the order of their ids, so that no two senders wait for each other.
    let mut receivers = BTreeMap::<WebhookId, Health>::new();
    for it in ended.iter().filter(|it| !lost.contains(&it.outcome.id)) {
        let Some(health) = it.health else { continue };
        let known = receivers.entry(it.webhook).or_default();
        known.arrived |= health.arrived;
        // The last word counts.
        known.rests_until = health.rests_until;
    }
    turned.lost = lost.len() as u64;
    for (id, health) in receivers {
        if health.arrived {
            webhook::note_success(tx, id, now)?;
        } else if let Some(since) = webhook::note_failure(tx, id, now)? {
            turned.failing.push((id, since));
        }
        if health.rests_until.is_some() {
            webhook::set_rest(tx, id, health.rests_until)?;
        }
    }
    Ok(())
}

/// Claims what is due for one receiver. What it no longer sees is dropped here, before it could be
/// sent.
fn claim(
    tx: &mut Tx<'_>,
    id: WebhookId,
    room: usize,
    now: Timestamp,
    turned: &mut Turned,
) -> Result<()> {
    let Some(receiver) = webhook::find_receiver(tx, id)? else { return Ok(()) };
    let reader = sight(&receiver);
    let (url, sealed) = (Arc::from(receiver.url), Arc::new(receiver.sealed));
    let room = u32::try_from(room).unwrap_or(u32::MAX);
    for (claimed, listed) in delivery::claim(tx, (id, reader), now, now.plus(LEASE), room)? {
        let told = &claimed.told;
        let sees = listed || told.license.is_none() || !told.kind.needs_sight();
        if sees {
            let (url, sealed) = (Arc::clone(&url), Arc::clone(&sealed));
            turned.parcels.push(Parcel { url, sealed, claimed });
        } else {
            let claim = (claimed.id, claimed.attempts);
            delivery::drop_claimed(tx, claim, DropReason::NotVisible, now)?;
            turned.dropped += 1;
        }
    }
    Ok(())
}

/// Whose sight counts: the tenant's, and that of the person who made it, while they are a member who
/// may manage webhooks.
fn sight(receiver: &Receiver) -> Reader {
    let allowed = |role| may(role, receiver.kind, Right::ManageWebhooks).is_ok();
    let maker = receiver.maker.filter(|(_, role)| allowed(*role)).map(|(user, _)| user);
    let user = maker.unwrap_or_else(|| receiver.tenant.as_uuid().into());
    Reader::Caller { tenant: receiver.tenant, user }
}
