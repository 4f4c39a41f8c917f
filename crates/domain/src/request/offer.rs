//! Offers: the terms under which the owner of a license would give a grant.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::grant::{GrantTerms, Party};
use crate::id::{OfferId, RequestId, UserId};

enum_names!(OfferStatus);

/// How long an offer is open unless the licensor sets another time.
pub const OFFER_TIME: Duration = Duration::from_hours(14 * 24);
/// The maximum time an offer can be open.
pub const MAX_OFFER_TIME: Duration = Duration::from_hours(90 * 24);

/// The status of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum OfferStatus {
    /// Can be accepted.
    Open,
    /// A newer offer took its place.
    Replaced,
    /// There is a grant.
    Accepted,
    /// The asker declined it.
    Declined,
    /// The owner withdrew it, or the asker the request.
    Withdrawn,
    /// Nobody acted in time, or the license no longer allows it.
    Lapsed,
}

/// A stored offer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The unique ID.
    pub id: OfferId,
    /// The request it answers.
    pub request: RequestId,
    /// The version of the license it was made under.
    pub license_version: u32,
    /// The terms.
    pub terms: GrantTerms,
    /// The hash of the terms and the parties, which the asker names to accept exactly these.
    pub terms_hash: String,
    /// The stored status.
    pub status: OfferStatus,
    /// The side that withdrew it: the owner, or the asker together with the request.
    pub withdrawn_by: Option<Party>,
    /// When it ends.
    pub expires_at: Timestamp,
    /// The user who made it.
    pub created_by: UserId,
    /// The name of that user.
    pub author: String,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The end of an offer: the given time, or the default.
pub fn offer_end(expires_at: Option<Timestamp>, now: Timestamp) -> Result<Timestamp, &'static str> {
    match expires_at {
        None => Ok(now.plus(OFFER_TIME)),
        Some(at) if at <= now => Err("must be in the future"),
        Some(at) if at > now.plus(MAX_OFFER_TIME) => Err("must be at most 90 days from now"),
        Some(at) => Ok(at),
    }
}
