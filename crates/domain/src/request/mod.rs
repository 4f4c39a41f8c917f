//! Requests for a grant under a license, and what each side may do with them (contract-2 section
//! 21).

mod draft;
mod message;
mod offer;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

pub use self::draft::{Budget, NewRequest, RequestInput};
pub use self::message::{MESSAGE, Message};
pub use self::offer::{MAX_OFFER_TIME, OFFER_TIME, Offer, OfferStatus, offer_end};
use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::{Error, ErrorKind, Result};
use crate::grant::{Coverage, Party};
use crate::id::{LicenseId, RequestId, TalentId, TenantId, UserId};
use crate::text::TextRule;

enum_names!(RequestStatus);

/// How long a request without an offer stays open.
pub const REQUEST_TIME: Duration = Duration::from_hours(90 * 24);
/// How long an offer to an email address waits for its recipient.
pub const UNCLAIMED_TIME: Duration = Duration::from_hours(30 * 24);
/// The rule for the reason of a decline.
pub const DECLINE_REASON: TextRule = TextRule::paragraphs(1, 2_000);

/// The status of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum RequestStatus {
    /// Waits for an offer.
    Open,
    /// Has an open offer.
    Offered,
    /// The offer was accepted; there is a grant.
    Accepted,
    /// The owner declined the request, or the asker the offer.
    Declined,
    /// The asker withdrew it.
    Withdrawn,
    /// Nobody acted in time, or the license no longer allows the offer.
    Lapsed,
}

impl RequestStatus {
    /// Whether the parties can still act.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Open | Self::Offered)
    }

    /// The status at a moment: a live request lapses at its time even if that is not stored yet.
    #[must_use]
    pub fn effective(self, lapses_at: Timestamp, now: Timestamp) -> Self {
        if self.is_live() && lapses_at <= now { Self::Lapsed } else { self }
    }
}

/// What a party does with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestAct {
    /// Write a message.
    Message,
    /// Make an offer, which replaces an open one.
    Offer,
    /// Accept the open offer.
    Accept,
    /// Decline the request (owner) or the open offer (asker).
    Decline,
    /// Withdraw the open offer (owner) or the request (asker).
    Withdraw,
}

impl RequestAct {
    /// Returns the status after the act. Acts of the wrong party are forbidden; acts that do not fit
    /// the status are conflicts.
    pub fn apply(self, party: Party, status: RequestStatus) -> Result<RequestStatus> {
        use {Party as P, RequestAct as A, RequestStatus as S};
        match (self, party, status) {
            (A::Offer, P::Asker, _) => {
                Err(forbidden("Only the owner of the license can make offers"))
            }
            (A::Accept, P::Owner, _) => {
                Err(forbidden("Only the party that received the offer can accept it"))
            }
            (_, _, status) if !status.is_live() => {
                Err(Error::conflict(format!("The request is already {status}")))
            }
            (A::Message, _, status) => Ok(status),
            (A::Offer, ..) => Ok(S::Offered),
            (A::Accept, _, S::Offered) => Ok(S::Accepted),
            (A::Decline, P::Owner, S::Open) | (A::Decline, P::Asker, S::Offered) => Ok(S::Declined),
            (A::Decline, P::Owner, _) => {
                Err(Error::conflict("The request has an open offer: withdraw the offer first"))
            }
            (A::Withdraw, P::Owner, S::Offered) => Ok(S::Open),
            (A::Withdraw, P::Asker, _) => Ok(S::Withdrawn),
            (A::Accept | A::Decline | A::Withdraw, ..) => {
                Err(Error::conflict("The request has no open offer"))
            }
        }
    }
}

fn forbidden(message: &'static str) -> Error {
    Error::new(ErrorKind::Forbidden, message)
}

/// A stored request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The unique ID.
    pub id: RequestId,
    /// The license.
    pub license: LicenseId,
    /// The license's talent.
    pub talent: TalentId,
    /// The tenant that owns the license.
    pub owner: TenantId,
    /// The tenant that asks; `None` for an offer to an email address until someone acts on it.
    pub asker: Option<TenantId>,
    /// The email address that an offer was made to.
    pub email: Option<String>,
    /// The stored status; see [`Self::status_at`] for the current one.
    pub status: RequestStatus,
    /// The side that began it.
    pub begun_by: Party,
    /// What is needed.
    pub coverage: Coverage,
    /// What the likeness is needed for; empty if the owner began.
    pub purpose: String,
    /// Where the likeness would appear.
    pub channels: Vec<String>,
    /// What the asker can spend.
    pub budget: Option<Budget>,
    /// Why it was declined.
    pub reason: Option<String>,
    /// The name of who closed it; `None` while it is live and if it lapsed.
    pub closed_by: Option<String>,
    /// When that was stored; see [`Self::ended_at`] for the current answer.
    pub closed_at: Option<Timestamp>,
    /// The number of offers and messages the asker has not read.
    pub unread_by_asker: u32,
    /// The number of messages the owner has not read, and one more until it reads the request.
    pub unread_by_owner: u32,
    /// The number of offers in `unread_by_asker`.
    pub unread_offers: u32,
    /// Whether the owner has not read the request itself.
    pub unread_request: bool,
    /// When it lapses unless somebody acts.
    pub lapses_at: Timestamp,
    /// Incremented by every change.
    pub version: u32,
    /// The user who began it.
    pub created_by: UserId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Request {
    /// The current status.
    #[must_use]
    pub fn status_at(&self, now: Timestamp) -> RequestStatus {
        self.status.effective(self.lapses_at, now)
    }

    /// When it was closed. A request lapses at its time even if that is not stored yet.
    #[must_use]
    pub fn ended_at(&self, now: Timestamp) -> Option<Timestamp> {
        let lapsed = self.status_at(now) == RequestStatus::Lapsed;
        self.closed_at.or_else(|| lapsed.then_some(self.lapses_at))
    }

    /// Whether it is an offer to an email address that nobody has acted on yet.
    #[must_use]
    pub const fn is_unclaimed(&self) -> bool {
        self.asker.is_none()
    }

    /// When an offer or request that would be open until `end` lapses: an offer to an email address
    /// only waits a limited time for its recipient.
    #[must_use]
    pub fn end(&self, end: Timestamp) -> Timestamp {
        if self.is_unclaimed() { end.min(self.created_at.plus(UNCLAIMED_TIME)) } else { end }
    }

    /// The number of requests, offers and messages that a party has not read.
    #[must_use]
    pub const fn unread_by(&self, party: Party) -> u32 {
        match party {
            Party::Asker => self.unread_by_asker,
            Party::Owner => self.unread_by_owner,
        }
    }

    /// The number of messages among what a party has not read.
    #[must_use]
    pub fn unread_messages_by(&self, party: Party) -> u32 {
        match party {
            Party::Asker => self.unread_by_asker.saturating_sub(self.unread_offers),
            Party::Owner => self.unread_by_owner.saturating_sub(self.unread_request.into()),
        }
    }

    /// Records a new offer, which the asker has not read.
    pub const fn add_unread_offer(&mut self) {
        self.unread_by_asker = self.unread_by_asker.saturating_add(1);
        self.unread_offers = self.unread_offers.saturating_add(1);
    }

    /// Records a new message, which a party has not read.
    pub const fn add_unread_message(&mut self, party: Party) {
        match party {
            Party::Asker => self.unread_by_asker = self.unread_by_asker.saturating_add(1),
            Party::Owner => self.unread_by_owner = self.unread_by_owner.saturating_add(1),
        }
    }

    /// Records that a party has answered the request or the offers, so that only messages can still
    /// be unread.
    pub fn mark_answered_by(&mut self, party: Party) {
        let messages = self.unread_messages_by(party);
        self.mark_read_by(party);
        match party {
            Party::Asker => self.unread_by_asker = messages,
            Party::Owner => self.unread_by_owner = messages,
        }
    }

    /// Records that a party has read everything.
    pub const fn mark_read_by(&mut self, party: Party) {
        match party {
            Party::Asker => {
                self.unread_by_asker = 0;
                self.unread_offers = 0;
            }
            Party::Owner => {
                self.unread_by_owner = 0;
                self.unread_request = false;
            }
        }
    }
}
