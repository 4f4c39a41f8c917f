//! API clients: a named credential pair of a tenant for one environment (contract section 5).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::error::{Error, Result};
use crate::named::named;
use crate::organization::OrganizationName;
use crate::scope::Scopes;
use crate::secret::Mode;
use crate::text::TextRule;

named!(Environment, ClientStatus);

/// What an API client is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientName(String);

impl ClientName {
    /// As organizations are named.
    pub const RULE: TextRule = OrganizationName::RULE;

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Where a client is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    /// By the public.
    Production,
    /// By those who try out what comes next.
    Staging,
    /// By those who build it.
    Development,
}

impl Environment {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 3] = [Self::Production, Self::Staging, Self::Development];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Production => "production",
            Self::Staging => "staging",
            Self::Development => "development",
        }
    }

    /// Whether its credentials are live or for tests (contract section 3).
    #[must_use]
    pub const fn mode(self) -> Mode {
        match self {
            Self::Production => Mode::Live,
            Self::Staging | Self::Development => Mode::Test,
        }
    }
}

/// What a client's tokens will carry. The contract leaves the member out of what is required, and
/// no document names a default: without one, a client may do all that its user may, because that
/// is what whoever asked for no restriction expects. A list that is empty is a mistake.
pub fn parse_permissions<T: AsRef<str>>(names: Option<&[T]>) -> Result<Scopes, String> {
    match names {
        None => Ok(Scopes::all()),
        Some([]) => Err("must hold at least one scope".to_owned()),
        Some(names) => Scopes::parse_list(names).map_err(|error| error.to_string()),
    }
}

/// Whether a client may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClientStatus {
    /// It may.
    Active,
    /// Not for now.
    Inactive,
    /// Never again.
    Revoked,
}

impl ClientStatus {
    /// All of them, in the document's order.
    pub const ALL: [Self; 3] = [Self::Active, Self::Inactive, Self::Revoked];

    /// What may become what. Revoked is final: a credential that leaked must not come back.
    const TRANSITIONS: [(Self, Self); 4] = [
        (Self::Active, Self::Inactive),
        (Self::Active, Self::Revoked),
        (Self::Inactive, Self::Active),
        (Self::Inactive, Self::Revoked),
    ];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
            Self::Revoked => "revoked",
        }
    }

    /// Whether this may become `next`; the same again changes nothing and is allowed.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        self == next || Self::TRANSITIONS.contains(&(self, next))
    }

    /// The status after a change, or a conflict.
    pub fn change_to(self, next: Self) -> Result<Self> {
        if self.may_become(next) {
            return Ok(next);
        }
        let message = format!("An API client that is {self} cannot become {next}");
        Err(Error::conflict(message).at("status"))
    }
}

/// Reads when a client shall end, which must be after `now`.
pub fn parse_expiry(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let at = Timestamp::parse(text).map_err(|error| error.to_string())?;
    if at > now { Ok(at) } else { Err("must be in the future".to_owned()) }
}

/// Whether a client's credentials and tokens work. At its expiry it has expired.
#[must_use]
pub fn is_usable(status: ClientStatus, expires_at: Option<Timestamp>, now: Timestamp) -> bool {
    status == ClientStatus::Active && expires_at.is_none_or(|at| now < at)
}

/// The longest time an old secret may go on working: as long as a webhook's after its rotation.
pub const MAX_GRACE: Duration = Duration::from_hours(24);

/// Reads `graceSeconds`: how long the old secret works beside the new one. Not at all when it is
/// not given, because a secret is most often changed when it leaked.
pub fn parse_grace(seconds: Option<i64>) -> Result<Duration, &'static str> {
    let grace = u64::try_from(seconds.unwrap_or(0)).map(Duration::from_secs);
    match grace {
        Ok(grace) if grace <= MAX_GRACE => Ok(grace),
        _ => Err("must be a whole number of seconds from 0 to 86400"),
    }
}

/// Whether a secret that was replaced still works; at its end it does not.
#[must_use]
pub fn old_secret_works(until: Timestamp, now: Timestamp) -> bool {
    now < until
}

/// When a tenant hears that its client expires. The later the more urgent, and so in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExpiryWarning {
    /// 30 days ahead.
    Month,
    /// 7 days ahead.
    Week,
    /// 1 day ahead.
    Day,
}

impl ExpiryWarning {
    /// All of them, in the order they come.
    pub const ALL: [Self; 3] = [Self::Month, Self::Week, Self::Day];

    /// How many days ahead, as told and as stored.
    #[must_use]
    pub const fn days(self) -> u16 {
        match self {
            Self::Month => 30,
            Self::Week => 7,
            Self::Day => 1,
        }
    }

    /// The warning of so many days ahead.
    #[must_use]
    pub fn from_days(days: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.days() == days)
    }

    /// When it is due.
    #[must_use]
    pub fn at(self, expires_at: Timestamp) -> Timestamp {
        expires_at.minus(Duration::from_hours(24 * u64::from(self.days())))
    }

    /// The last one whose instant has come. Whoever sets an expiry notes this as told: a client
    /// made for a week needs no word that it ends within the month.
    #[must_use]
    pub fn reached(expires_at: Timestamp, now: Timestamp) -> Option<Self> {
        Self::ALL.into_iter().rfind(|it| it.at(expires_at) <= now)
    }

    /// What is to be told now, given the last one told. Each comes at most once; of several that
    /// were missed only the last, since the others are no longer true; none after the end.
    #[must_use]
    pub fn due(expires_at: Timestamp, now: Timestamp, told: Option<Self>) -> Option<Self> {
        let reached = Self::reached(expires_at, now).filter(|_| now < expires_at);
        reached.filter(|it| Some(*it) > told)
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
        assert_eq!(ClientName::parse(" Ad desk ").unwrap().as_str(), "Ad desk");
        assert!(ClientName::parse("x").is_err());
    }

    #[test]
    fn a_client_without_permissions_has_all() {
        let parse = |names: Option<&[&str]>| parse_permissions(names);
        assert_eq!(parse(None), Ok(Scopes::all()));
        assert_eq!(parse(Some(&["mention:read"])).unwrap().to_string(), "mention:read");
        assert_eq!(parse(Some(&[])).unwrap_err(), "must hold at least one scope");
        assert!(parse(Some(&["mention:write"])).unwrap_err().starts_with("must hold only "));
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
        assert_eq!(error.message(), "An API client that is revoked cannot become active");
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

    /// Looks once every so many hours, from so many days before the end until after it.
    fn heard(before: u64, step: u64) -> Vec<u16> {
        let end = NOW.plus(days(before));
        let mut told = ExpiryWarning::reached(end, NOW);
        let instants = (0..=(before + 2) * 24).step_by(usize::try_from(step).unwrap());
        let due = instants.filter_map(|hour| {
            let due = ExpiryWarning::due(end, NOW.plus(Duration::from_hours(hour)), told);
            told = due.or(told);
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
        // Who looks rarely misses some, but hears nothing twice and nothing untrue.
        assert_eq!(heard(40, 38 * 24), [7]);
        assert!(heard(40, 41 * 24).is_empty());
    }
}
