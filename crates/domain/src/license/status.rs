//! The status of a license and its transitions (contract section 4, "Licence status").

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::{Error, Result};

enum_names!(LicenseStatus);

/// The status of a license.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum LicenseStatus {
    /// Not finished yet.
    #[default]
    Draft,
    /// Visible to tenants with a permission.
    Private,
    /// Also listed in the public catalog.
    Public,
    /// No longer in force.
    Expired,
}

impl LicenseStatus {
    /// The statuses a new license can have.
    pub const FIRST: [Self; 3] = [Self::Draft, Self::Private, Self::Public];

    /// The allowed transitions. A published license must not become a draft again.
    const TRANSITIONS: [(Self, Self); 8] = [
        (Self::Draft, Self::Private),
        (Self::Draft, Self::Public),
        (Self::Private, Self::Public),
        (Self::Public, Self::Private),
        (Self::Private, Self::Expired),
        (Self::Public, Self::Expired),
        (Self::Expired, Self::Private),
        (Self::Expired, Self::Public),
    ];

    /// Returns the status if a new license can have it.
    pub fn as_first(self) -> Result<Self, String> {
        let fits = Self::FIRST.contains(&self);
        let names = || Self::FIRST.map(Self::name).join(", ");
        if fits { Ok(self) } else { Err(format!("must be one of {}", names())) }
    }

    /// Whether a license with this status is in force until it expires.
    #[must_use]
    pub const fn is_live(self) -> bool {
        matches!(self, Self::Private | Self::Public)
    }
}

/// The current status: a private or public license expires at its end date even if that is not
/// stored yet. Drafts do not expire.
#[must_use]
pub fn effective(
    stored: LicenseStatus,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> LicenseStatus {
    let over = expires_at.is_some_and(|at| at <= now);
    if stored.is_live() && over { LicenseStatus::Expired } else { stored }
}

/// Returns the new status, or a conflict. `current` is the effective status, `expires_at` the
/// expiry date after the change. Setting the same status again is allowed.
pub fn change(
    current: LicenseStatus,
    next: LicenseStatus,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<LicenseStatus> {
    if current == next {
        return Ok(next);
    }
    if !LicenseStatus::TRANSITIONS.contains(&(current, next)) {
        let message = format!("A license cannot change from {current} to {next}");
        return Err(Error::conflict(message).at("status"));
    }
    if next.is_live() && expires_at.is_some_and(|at| at <= now) {
        let message = format!(
            "A license can become {next} only if its expiration date is removed or in the future"
        );
        return Err(Error::conflict(message).at("status"));
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::ErrorKind;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn micro_later() -> Timestamp {
        NOW.plus(Duration::from_micros(1))
    }

    /// Rows are from, columns to, both in the order of `LicenseStatus::ALL`.
    fn matrix(expires_at: Option<Timestamp>) -> [String; 4] {
        LicenseStatus::ALL.map(|from| {
            String::from_iter(LicenseStatus::ALL.map(|to| {
                match change(from, to, expires_at, NOW) {
                    Ok(status) => {
                        assert_eq!(status, to);
                        'x'
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), &ErrorKind::Conflict);
                        '-'
                    }
                }
            }))
        })
    }

    #[test]
    fn every_pair_is_allowed_or_refused_as_the_contract_says() {
        for expires_at in [None, Some(micro_later())] {
            assert_eq!(matrix(expires_at), ["xxx-", "-xxx", "-xxx", "-xxx"]);
        }
        for expires_at in [NOW, Timestamp::from_secs(0)] {
            assert_eq!(matrix(Some(expires_at)), ["x---", "-x-x", "--xx", "---x"]);
        }
    }

    #[test]
    fn a_refusal_says_why() {
        let message = |from, to| change(from, to, Some(NOW), NOW).unwrap_err().message().to_owned();
        assert_eq!(
            message(LicenseStatus::Public, LicenseStatus::Draft),
            "A license cannot change from public to draft"
        );
        assert_eq!(
            message(LicenseStatus::Expired, LicenseStatus::Public),
            "A license can become public only if its expiration date is removed or in the future"
        );
    }

    #[test]
    fn time_ends_what_is_in_force() {
        for stored in LicenseStatus::ALL {
            assert_eq!(effective(stored, None, NOW), stored);
            assert_eq!(effective(stored, Some(micro_later()), NOW), stored);
            let ended = if stored.is_live() { LicenseStatus::Expired } else { stored };
            assert_eq!(effective(stored, Some(NOW), NOW), ended);
        }
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for status in LicenseStatus::ALL {
            assert_eq!(status.to_string().parse(), Ok(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        let error = "active".parse::<LicenseStatus>().unwrap_err();
        assert_eq!(error, "must be one of draft, private, public, expired");
        let error = LicenseStatus::Expired.as_first().unwrap_err();
        assert_eq!(error, "must be one of draft, private, public");
        assert_eq!(LicenseStatus::FIRST.map(LicenseStatus::as_first), LicenseStatus::FIRST.map(Ok));
    }
}
