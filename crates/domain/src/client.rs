//! API clients: named credential pairs of a tenant for one environment (contract section 5).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::{enum_names, enum_variants};
use crate::error::{Error, Result};
use crate::organization::OrganizationName;
use crate::scope::Scopes;
use crate::secret::Mode;
use crate::text::TextRule;

enum_names!(Environment, ClientStatus);
enum_variants!(ExpiryWarning);

/// The name of an API client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientName(String);

impl ClientName {
    /// Same rule as for organization names.
    pub const RULE: TextRule = OrganizationName::RULE;

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as entered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The environment a client is used in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum Environment {
    /// The live environment.
    Production,
    /// A test environment for upcoming releases.
    Staging,
    /// A test environment for development.
    Development,
}

impl Environment {
    /// Whether the credentials are live or test credentials (contract section 3).
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Production => Mode::Live,
            Self::Staging | Self::Development => Mode::Test,
        }
    }
}

/// Parses the scopes of a client. Scopes are optional, and without them a client gets all scopes of
/// its user. An empty list is an error.
pub fn parse_permissions<T: AsRef<str>>(names: Option<&[T]>) -> Result<Scopes, String> {
    match names {
        None => Ok(Scopes::all()),
        Some([]) => Err("must contain at least one scope".to_owned()),
        Some(names) => Scopes::parse_list(names).map_err(|error| error.to_string()),
    }
}

/// The status of an API client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum ClientStatus {
    /// The client may be used.
    Active,
    /// The client is temporarily disabled.
    Inactive,
    /// The client is permanently disabled.
    Revoked,
}

impl ClientStatus {
    /// The allowed transitions. Revoked is final: a leaked credential must not become valid again.
    const TRANSITIONS: [(Self, Self); 4] = [
        (Self::Active, Self::Inactive),
        (Self::Active, Self::Revoked),
        (Self::Inactive, Self::Active),
        (Self::Inactive, Self::Revoked),
    ];

    /// Whether this status may change to `next`. Setting the same status again is allowed.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        self == next || Self::TRANSITIONS.contains(&(self, next))
    }

    /// Returns the new status, or a conflict if the transition is not allowed.
    pub fn change_to(self, next: Self) -> Result<Self> {
        if self.may_become(next) {
            return Ok(next);
        }
        let message = format!("An API client cannot change from {self} to {next}");
        Err(Error::conflict(message).at("status"))
    }
}

/// Parses the expiry date of a client, which must be after `now`.
pub fn parse_expiry(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let at = Timestamp::parse(text).map_err(|error| error.to_string())?;
    if at > now { Ok(at) } else { Err("must be in the future".to_owned()) }
}

/// Whether a client's credentials and tokens work. A client is expired from `expires_at` on.
#[must_use]
pub fn is_usable(status: ClientStatus, expires_at: Option<Timestamp>, now: Timestamp) -> bool {
    status == ClientStatus::Active && expires_at.is_none_or(|at| now < at)
}

/// The maximum time an old secret may keep working after a rotation, same as for webhooks.
pub const MAX_GRACE: Duration = Duration::from_hours(24);

/// Parses `graceSeconds`: how long the old secret keeps working after a rotation. The default is 0,
/// because secrets are most often rotated after a leak.
pub fn parse_grace(seconds: Option<i64>) -> Result<Duration, &'static str> {
    let grace = u64::try_from(seconds.unwrap_or(0)).map(Duration::from_secs);
    match grace {
        Ok(grace) if grace <= MAX_GRACE => Ok(grace),
        _ => Err("must be a whole number of seconds from 0 to 86400"),
    }
}

/// Whether a replaced secret still works. It stops working at `until`.
#[must_use]
pub fn old_secret_works(until: Timestamp, now: Timestamp) -> bool {
    now < until
}

/// When a tenant is notified that a client is about to expire, in order of urgency: earliest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum ExpiryWarning {
    /// 30 days before.
    Month,
    /// 7 days before.
    Week,
    /// 1 day before.
    Day,
}

impl ExpiryWarning {
    /// The number of days before the expiry.
    #[must_use]
    pub const fn days(self) -> u16 {
        match self {
            Self::Month => 30,
            Self::Week => 7,
            Self::Day => 1,
        }
    }

    /// Returns the warning for the given number of days.
    #[must_use]
    pub fn from_days(days: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.days() == days)
    }

    /// When the warning is due.
    #[must_use]
    pub fn at(self, expires_at: Timestamp) -> Timestamp {
        expires_at.minus(Duration::from_hours(24 * u64::from(self.days())))
    }

    /// The latest warning whose time has come. It counts as sent when an expiry date is set: a
    /// client created for one week needs no 30-day warning.
    #[must_use]
    pub fn reached(expires_at: Timestamp, now: Timestamp) -> Option<Self> {
        Self::ALL.into_iter().rfind(|it| it.at(expires_at) <= now)
    }

    /// The warning to send now, given the last one sent. Each is sent at most once. If several were
    /// missed, only the latest is sent; none is sent after the expiry.
    #[must_use]
    pub fn due(expires_at: Timestamp, now: Timestamp, last_sent: Option<Self>) -> Option<Self> {
        let reached = Self::reached(expires_at, now).filter(|_| now < expires_at);
        reached.filter(|it| Some(*it) > last_sent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);
    const MICRO: Duration = Duration::from_micros(1);

    fn days(count: u64) -> Duration {
        Duration::from_hours(24 * count)
    }

    #[test]
    fn only_production_is_live() {
        let modes = Environment::ALL.map(|it| (it.name(), it.mode()));
        let expected =
            [("production", Mode::Live), ("staging", Mode::Test), ("development", Mode::Test)];
        assert_eq!(modes, expected);
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for environment in Environment::ALL {
            assert_eq!(environment.to_string().parse(), Ok(environment));
            assert_eq!(serde_json::to_value(environment).unwrap(), environment.name());
        }
        for status in ClientStatus::ALL {
            assert_eq!(status.to_string().parse(), Ok(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        assert_eq!(
            "prod".parse::<Environment>().unwrap_err(),
            "must be one of production, staging, development"
        );
        assert_eq!(
            "deleted".parse::<ClientStatus>().unwrap_err(),
            "must be one of active, inactive, revoked"
        );
        assert_eq!(ClientName::parse(" Ad unit ").unwrap().as_str(), "Ad unit");
        assert!(ClientName::parse("x").is_err());
    }

    #[test]
    fn a_client_without_permissions_has_all() {
        let parse = |names: Option<&[&str]>| parse_permissions(names);
        assert_eq!(parse(None), Ok(Scopes::all()));
        assert_eq!(parse(Some(&["mention:read"])).unwrap().to_string(), "mention:read");
        assert_eq!(parse(Some(&[])).unwrap_err(), "must contain at least one scope");
        assert!(parse(Some(&["mention:write"])).unwrap_err().starts_with("must contain only "));
    }

    #[test]
    fn revoked_is_final() {
        // Rows are from, columns to, both in the order of `ClientStatus::ALL`.
        let expected = ["xxx", "xxx", "--x"];
        let found = ClientStatus::ALL.map(|from| {
            let cell = |to| if from.change_to(to) == Ok(to) { 'x' } else { '-' };
            String::from_iter(ClientStatus::ALL.map(cell))
        });
        assert_eq!(found, expected);
        let error = ClientStatus::Revoked.change_to(ClientStatus::Active).unwrap_err();
        assert_eq!(error.message(), "An API client cannot change from revoked to active");
        assert_eq!(error.kind(), &crate::ErrorKind::Conflict);
    }

    #[test]
    fn usable_is_active_and_before_the_end() {
        for status in ClientStatus::ALL {
            let active = status == ClientStatus::Active;
            assert_eq!(is_usable(status, None, NOW), active);
            assert_eq!(is_usable(status, Some(NOW.plus(MICRO)), NOW), active);
            assert!(!is_usable(status, Some(NOW), NOW));
            assert!(!is_usable(status, Some(NOW.minus(MICRO)), NOW));
        }
    }

    #[test]
    fn an_expiry_lies_ahead() {
        let future = NOW.plus(MICRO);
        assert_eq!(parse_expiry(&future.to_string(), NOW), Ok(future));
        for past in [NOW, NOW.minus(MICRO)] {
            assert_eq!(parse_expiry(&past.to_string(), NOW).unwrap_err(), "must be in the future");
        }
        assert!(parse_expiry("tomorrow", NOW).unwrap_err().starts_with("must be an RFC 3339"));
    }

    #[test]
    fn an_old_secret_works_for_a_day_at_most() {
        assert_eq!(parse_grace(None), Ok(Duration::ZERO));
        assert_eq!(parse_grace(Some(86_400)), Ok(MAX_GRACE));
        for bad in [-1, 86_401, i64::MIN, i64::MAX] {
            let message = "must be a whole number of seconds from 0 to 86400";
            assert_eq!(parse_grace(Some(bad)), Err(message), "{bad}");
        }
        assert!(!old_secret_works(NOW, NOW));
        let hour = Duration::from_hours(1);
        assert!(old_secret_works(NOW.plus(hour), NOW.plus(hour).minus(MICRO)));
        assert!(!old_secret_works(NOW.plus(hour), NOW.plus(hour)));
    }

    #[test]
    fn each_warning_is_due_at_its_instant() {
        for warning in ExpiryWarning::ALL {
            assert_eq!(ExpiryWarning::from_days(warning.days()), Some(warning));
            let end = NOW.plus(days(u64::from(warning.days())));
            assert_eq!(ExpiryWarning::due(end, NOW, None), Some(warning));
            assert_ne!(ExpiryWarning::due(end, NOW.minus(MICRO), None), Some(warning));
            assert_eq!(ExpiryWarning::due(end, NOW, Some(warning)), None);
        }
        assert_eq!(ExpiryWarning::from_days(14), None);
    }

    /// Checks every `step` hours, from `before` days before the expiry until after it.
    fn heard(before: u64, step: u64) -> Vec<u16> {
        let end = NOW.plus(days(before));
        let mut sent = ExpiryWarning::reached(end, NOW);
        let instants = (0..=(before + 2) * 24).step_by(usize::try_from(step).unwrap());
        let due = instants.filter_map(|hour| {
            let due = ExpiryWarning::due(end, NOW.plus(Duration::from_hours(hour)), sent);
            sent = due.or(sent);
            due.map(ExpiryWarning::days)
        });
        due.collect()
    }

    #[test]
    fn each_warning_comes_once() {
        assert_eq!(heard(40, 1), [30, 7, 1]);
        assert_eq!(heard(30, 1), [7, 1]);
        assert_eq!(heard(3, 1), [1]);
        assert!(heard(1, 1).is_empty());
        // Infrequent checks miss some warnings, but never repeat one or send an outdated one.
        assert_eq!(heard(40, 38 * 24), [7]);
        assert!(heard(40, 41 * 24).is_empty());
    }
}
