//! Sources: public addresses that a tenant watches, its own or anybody's (contract-2 section 24).
//! Several tenants may watch the same address, which is fetched once for all of them: see [`Feed`].

pub mod address;
mod feed;
mod profile;
mod query;
mod schedule;

use std::time::Duration;

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::error::{Error, ErrorKind, Result};
use crate::id::{FeedId, SourceId, TalentId, TenantId, UserId};
use crate::limit::LimitState;
use crate::platform::DetectionFrequency;
use crate::text::{TextRule, texts};
use crate::wait::in_seconds;

pub use self::feed::{
    Feed, FeedKind, FeedRun, FoundItems, HostedService, Looked, LookedItem, MAX_SAMPLE,
    MAX_SKIPPED, Skipped, jitter,
};
pub use self::profile::{MAX_PROFILES, Profile};
pub use self::query::{SourceParams, SourceQuery, StaffSourceQuery};
pub use self::schedule::FIRST_SCAN_WITHIN;

enum_names!(SourceStatus);
texts!(SourceName);

/// How often "scan now" works for one source.
pub const SCAN_NOW_EVERY: Duration = Duration::from_mins(1);

/// Whether a source is watched, as its tenant wishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum SourceStatus {
    /// Scanned when due.
    #[default]
    Running,
    /// Not scanned.
    Paused,
}

/// The name of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceName(String);

impl SourceName {
    /// One line of up to 120 characters.
    pub const RULE: TextRule = TextRule::line(1, 120);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The default name: the title that was found, shortened and without characters that names may
    /// not contain, or the address.
    #[must_use]
    pub fn suggest(title: &str, url: &str) -> Self {
        let clean = |text: &str| {
            let kept: String = text
                .chars()
                .filter(|it| !crate::text::is_hidden(*it) || it.is_whitespace())
                .collect();
            let words: Vec<&str> = kept.split_whitespace().collect();
            let line: String = words.join(" ").chars().take(Self::RULE.max).collect();
            Self::parse(line.trim()).ok()
        };
        let host = || clean(crate::content::key(url));
        clean(title).or_else(host).unwrap_or_else(|| Self("Source".to_owned()))
    }
}

/// The talents that a source is watched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WatchedTalents {
    /// All talents of the tenant, including future ones.
    #[default]
    All,
    /// Only these talents of the tenant: distinct, at least one.
    Listed(Vec<TalentId>),
}

impl WatchedTalents {
    /// The maximum number of listed talents.
    pub const MAX: usize = 1_000;

    /// Parses a list of talents; duplicates are dropped.
    pub fn listed(ids: Vec<TalentId>) -> Result<Self, String> {
        let mut seen = std::collections::BTreeSet::new();
        let kept: Vec<TalentId> = ids.into_iter().filter(|it| seen.insert(*it)).collect();
        match kept.len() {
            0 => Err("must contain at least one talent, or be \"all\"".to_owned()),
            len if len > Self::MAX => Err(format!("must contain at most {} talents", Self::MAX)),
            _ => Ok(Self::Listed(kept)),
        }
    }

    /// The listed talents; empty if all are watched.
    #[must_use]
    pub fn as_slice(&self) -> &[TalentId] {
        match self {
            Self::All => &[],
            Self::Listed(ids) => ids,
        }
    }

    /// Whether all talents of the tenant are watched.
    #[must_use]
    pub const fn is_all(&self) -> bool {
        matches!(self, Self::All)
    }
}

/// A source: a tenant's wish to watch a feed. A tenant watches a feed at most once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The unique ID.
    pub id: SourceId,
    /// The tenant that watches.
    pub tenant: TenantId,
    /// The feed that is fetched.
    pub feed: FeedId,
    /// The address as entered, normalized.
    pub url: String,
    /// The name.
    pub name: SourceName,
    /// How often it is scanned.
    pub frequency: DetectionFrequency,
    /// Whether it is watched, as its tenant wishes.
    pub status: SourceStatus,
    /// When the operator's staff stopped it; only staff can resume it.
    pub stopped: Option<Timestamp>,
    /// The talents it is watched for.
    pub talents: WatchedTalents,
    /// When somebody last asked for a scan.
    pub asked_at: Option<Timestamp>,
    /// Who created it.
    pub created_by: UserId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Incremented by every change.
    pub version: u32,
}

impl Source {
    /// Whether it is scanned: running and not stopped by staff.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.status == SourceStatus::Running && self.stopped.is_none()
    }

    /// Checks that a scan can be requested now: at most one a minute, of a source that is scanned.
    pub fn may_scan_now(&self, now: Timestamp) -> Result<()> {
        if self.stopped.is_some() {
            return Err(Error::conflict("The operator has stopped this source"));
        }
        if self.status == SourceStatus::Paused {
            return Err(Error::conflict("The source is paused; resume it first"));
        }
        match self.asked_at.map(|it| it.plus(SCAN_NOW_EVERY)) {
            Some(resets_at) if resets_at > now => {
                let resets_in = resets_at.since(now);
                let state = LimitState { limit: 1, remaining: 0, resets_at, resets_in };
                let wait = in_seconds(resets_in);
                let message = format!("A source can be scanned once a minute. Try again in {wait}");
                Err(Error::new(ErrorKind::RateLimited(state), message))
            }
            _ => Ok(()),
        }
    }

    /// Applies a change. Returns whether anything changed.
    pub fn apply(&mut self, patch: SourcePatch, now: Timestamp) -> Result<bool> {
        let before = self.clone();
        self.name = patch.name.unwrap_or_else(|| self.name.clone());
        self.frequency = patch.frequency.unwrap_or(self.frequency);
        self.talents = patch.talents.unwrap_or_else(|| self.talents.clone());
        if let Some(status) = patch.status {
            if self.stopped.is_some()
                && status == SourceStatus::Running
                && self.status != SourceStatus::Running
            {
                return Err(Error::conflict("The operator has stopped this source"));
            }
            self.status = status;
        }
        if *self == before {
            return Ok(false);
        }
        (self.updated_at, self.version) = (now, self.version + 1);
        Ok(true)
    }
}

/// A source to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSource {
    /// The address as entered.
    pub url: String,
    /// The name; the title found if none is given.
    pub name: Option<SourceName>,
    /// How often it is scanned.
    pub frequency: DetectionFrequency,
    /// Whether it is watched from the start.
    pub status: SourceStatus,
    /// The talents it is watched for.
    pub talents: WatchedTalents,
}

/// The changes to a source; `None` keeps the current value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePatch {
    /// The new name.
    pub name: Option<SourceName>,
    /// How often it is scanned.
    pub frequency: Option<DetectionFrequency>,
    /// Pauses or resumes it.
    pub status: Option<SourceStatus>,
    /// The talents it is watched for.
    pub talents: Option<WatchedTalents>,
    /// The versions that the caller expects; a source with any other version is not changed.
    pub expected: Option<Vec<u32>>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    pub(super) fn source() -> Source {
        Source {
            id: Uuid::nil().into(),
            tenant: Uuid::nil().into(),
            feed: Uuid::nil().into(),
            url: "https://example.com/".to_owned(),
            name: SourceName::parse("Example").unwrap(),
            frequency: DetectionFrequency::Daily,
            status: SourceStatus::Running,
            stopped: None,
            talents: WatchedTalents::All,
            asked_at: None,
            created_by: Uuid::nil().into(),
            created_at: Timestamp::from_secs(0),
            updated_at: Timestamp::from_secs(0),
            version: 1,
        }
    }

    #[test]
    fn names_are_the_same_everywhere() {
        for status in SourceStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
    }

    #[test]
    fn a_name_is_suggested_by_what_was_found() {
        let suggest = |title: &str| SourceName::suggest(title, "https://example.com/feed").0;
        assert_eq!(suggest(" The \n Daily\u{200B} News "), "The Daily News");
        assert_eq!(suggest(" \u{202E} "), "example.com/feed");
        assert_eq!(suggest(&"x".repeat(500)), "x".repeat(120));
        assert_eq!(SourceName::suggest("", "").0, "Source");
    }

    #[test]
    fn listed_talents_are_distinct_and_bounded() {
        let id = |number: u128| TalentId::from(Uuid::from_u128(number));
        let listed = WatchedTalents::listed(vec![id(2), id(1), id(2)]).unwrap();
        assert_eq!(listed.as_slice(), [id(2), id(1)]);
        let error = WatchedTalents::listed(vec![]).unwrap_err();
        assert_eq!(error, "must contain at least one talent, or be \"all\"");
        let many = (0..1_001).map(id).collect();
        let error = WatchedTalents::listed(many).unwrap_err();
        assert_eq!(error, "must contain at most 1000 talents");
    }

    #[test]
    fn a_source_is_scanned_on_demand_once_a_minute() {
        let at = Timestamp::from_secs;
        let mut source = source();
        assert_eq!(source.may_scan_now(at(100)), Ok(()));
        source.asked_at = Some(at(100));
        let error = source.may_scan_now(at(130)).unwrap_err();
        let resets_in = Duration::from_secs(30);
        let state = LimitState { limit: 1, remaining: 0, resets_at: at(160), resets_in };
        assert_eq!(*error.kind(), ErrorKind::RateLimited(state));
        assert_eq!(source.may_scan_now(at(160)), Ok(()));
        source.status = SourceStatus::Paused;
        let error = source.may_scan_now(at(160)).unwrap_err();
        assert_eq!(error.message(), "The source is paused; resume it first");
    }

    #[test]
    fn a_tenant_cannot_resume_what_staff_stopped() {
        let (mut source, now) = (source(), Timestamp::from_secs(9));
        let set = |status| SourcePatch { status: Some(status), ..SourcePatch::default() };
        assert_eq!(source.apply(SourcePatch::default(), now), Ok(false));
        assert_eq!(source.apply(set(SourceStatus::Paused), now), Ok(true));
        assert_eq!((source.version, source.updated_at), (2, now));
        source.stopped = Some(now);
        let error = source.apply(set(SourceStatus::Running), now).unwrap_err();
        assert_eq!(error.message(), "The operator has stopped this source");
        assert!(!source.is_active());
        source.stopped = None;
        assert_eq!(source.apply(set(SourceStatus::Running), now), Ok(true));
        assert!(source.is_active());
    }
}
