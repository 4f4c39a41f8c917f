//! The verdict on a mention: whether the use is covered, as far as can be determined automatically
//! (contract section 7, contract-2 section 21). The rule is that of [`decide`]. A page has no use
//! and no territory, so the question is asked in favor of the platform's organization.

use std::time::Duration;

use super::Verdict;
use crate::Timestamp;
use crate::decision::{
    Decision, Facts, GrantFacts, LicenseFacts, Question, Reason, ReasonCode, decide,
};
use crate::grant::{Grant, GrantNumber, GrantStatus};
use crate::id::{GrantId, TenantId};

/// How far the given publication time may be from the first sighting. A platform could choose any
/// time at which its grant was active, so a time further away does not count.
pub const MAX_PUBLICATION_GAP: Duration = Duration::from_hours(7 * 24);

/// How reasons refer to a grant. Its parties read the number instead.
const BY_A_GRANT: &str = "by a grant";

const OWNED: &str = "The platform's organization owns the talent's licenses";
const GRANTED: &str = "Published while licensed by a grant";
const PERMITTED: &str = "The platform's organization has an active permission";
const NOT_STARTED: &str = "Licensed by a grant, which starts after this was published";
const ENDED: &str = "Previously licensed by a grant, which ended before this was published";
const REVOKED: &str = "Previously licensed by a grant, which was revoked before this was published";
const UNCONFIRMED: &str = "May be licensed by a grant, but the publication date is more than \
                           7 days from when this was first seen";
const NOT_PERMITTED: &str = "The platform's organization has a permission that is not active";
const STRONG: &str = "Strong match, and the platform's organization has no permission";
const WEAK: &str = "Weak match, and the platform's organization has no permission";

/// The grant that a verdict is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictGrant {
    /// Its ID.
    pub id: GrantId,
    /// Its number, which only its parties may read.
    pub number: GrantNumber,
    /// The licensor.
    pub licensor: TenantId,
    /// The licensee.
    pub licensee: TenantId,
}

impl VerdictGrant {
    /// Whether a tenant is a party of the grant.
    #[must_use]
    pub fn is_party(&self, tenant: TenantId) -> bool {
        [self.licensor, self.licensee].contains(&tenant)
    }

    /// A reason with the number of the grant.
    pub(super) fn name_in(&self, reason: &str) -> String {
        reason.replacen(BY_A_GRANT, &format!("by grant {}", self.number), 1)
    }
}

impl From<&Grant> for VerdictGrant {
    fn from(grant: &Grant) -> Self {
        let Grant { id, number, licensor, licensee, .. } = *grant;
        Self { id, number, licensor, licensee }
    }
}

/// When content was published and seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SightingTimes {
    /// The publication time given by the content.
    pub published_at: Option<Timestamp>,
    /// When it was first seen.
    pub first_seen_at: Timestamp,
    /// Now.
    pub now: Timestamp,
}

impl SightingTimes {
    /// The publication time that counts; `None` if the given one does not. Content without a time
    /// counts as published when it was first seen, and never later.
    fn published(self) -> Option<Timestamp> {
        let seen = self.first_seen_at;
        let at = self.published_at.unwrap_or(seen);
        let gap = seen.since(at).max(at.since(seen));
        (gap <= MAX_PUBLICATION_GAP).then_some(at.min(seen))
    }
}

/// A verdict with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// The verdict.
    pub verdict: Verdict,
    /// The reason, without the number of the grant.
    pub reason: &'static str,
    /// The grant it is based on.
    pub grant: Option<VerdictGrant>,
}

impl Judgment {
    /// The reason for content that a source found, which has a publisher but no platform.
    #[must_use]
    pub fn publisher_reason(&self) -> String {
        let reason = self.reason.replacen("The platform's organization", "The publisher", 1);
        reason.replacen("the platform's organization", "the publisher", 1)
    }
}

/// What a platform's organization may do with a talent's likeness.
#[derive(Clone, Debug)]
pub struct PublisherRights {
    /// The grants of `by_grant`, in the same order.
    grants: Vec<VerdictGrant>,
    /// Judged at the time of publication.
    by_grant: Facts,
    /// Judged at the time of the sighting.
    by_permission: Facts,
}

impl PublisherRights {
    /// The rights of the talent's owner.
    #[must_use]
    pub fn of_owner() -> Self {
        let facts = facts(true, None, vec![]);
        Self { grants: vec![], by_grant: facts.clone(), by_permission: facts }
    }

    /// The rights of another organization: its grants for the talent, the preferred first, and the
    /// license on which it has a permission given by hand.
    #[must_use]
    pub fn new(grants: Vec<(VerdictGrant, GrantFacts)>, permitted: Option<LicenseFacts>) -> Self {
        let (grants, of_grants) = grants.into_iter().unzip();
        let by_grant = facts(false, None, of_grants);
        Self { grants, by_grant, by_permission: facts(false, permitted, vec![]) }
    }

    /// Judges content in which the talent was recognized. A permission counts now, a grant at the
    /// time of publication.
    #[must_use]
    pub fn judge(&self, times: SightingTimes, strong: bool) -> Judgment {
        let published = times.published();
        let granted = published.and_then(|at| allowing(&self.by_grant, at));
        if let Some(reason) = granted.or_else(|| allowing(&self.by_permission, times.now)) {
            return self.licensed(reason);
        }
        if let Some(judgment) = self.not_in_effect(published, times) {
            return judgment;
        }
        let (verdict, reason) = match (self.by_permission.permission, strong) {
            (true, _) => (Verdict::NeedsReview, NOT_PERMITTED),
            (false, true) => (Verdict::Unlicensed, STRONG),
            (false, false) => (Verdict::NeedsReview, WEAK),
        };
        Judgment { verdict, reason, grant: None }
    }

    fn licensed(&self, allowed: Reason) -> Judgment {
        let reason = match allowed.code {
            ReasonCode::Owner => OWNED,
            ReasonCode::GrantCovers => GRANTED,
            _ => PERMITTED,
        };
        let grant = self.grants.iter().find(|it| Some(it.number) == allowed.grant).copied();
        Judgment { verdict: Verdict::Licensed, reason, grant }
    }

    /// The judgment if there are grants, but none that is known to have been active.
    fn not_in_effect(
        &self,
        published: Option<Timestamp>,
        times: SightingTimes,
    ) -> Option<Judgment> {
        let at = published.or(times.published_at)?;
        let statuses = self.by_grant.grants.iter().map(|it| status(it, at));
        let (status, grant) = statuses.zip(&self.grants).min_by_key(|(it, _)| rank(*it))?;
        let reason = match status {
            _ if published.is_none() => UNCONFIRMED,
            GrantStatus::Active | GrantStatus::Ended => ENDED,
            GrantStatus::Revoked => REVOKED,
            GrantStatus::Scheduled => NOT_STARTED,
        };
        Some(Judgment { verdict: Verdict::NeedsReview, reason, grant: Some(*grant) })
    }
}

fn facts(owner: bool, license: Option<LicenseFacts>, grants: Vec<GrantFacts>) -> Facts {
    Facts { visible: true, owner, permission: license.is_some(), license, grants }
}

/// The reason that allows the use at a moment.
fn allowing(facts: &Facts, at: Timestamp) -> Option<Reason> {
    let answer = decide(&Question::in_favor(at, facts), facts);
    answer.reasons.first().copied().filter(|_| answer.decision == Decision::Allowed)
}

fn status(grant: &GrantFacts, at: Timestamp) -> GrantStatus {
    GrantStatus::at(&grant.coverage, grant.revoked_at, at)
}

/// A grant in the past explains more than one in the future.
const fn rank(status: GrantStatus) -> u8 {
    match status {
        GrantStatus::Active => 0,
        GrantStatus::Ended | GrantStatus::Revoked => 1,
        GrantStatus::Scheduled => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grant::Coverage;
    use crate::license::{LicenseStatus, Territories, Uses};
    use Verdict::{Licensed, NeedsReview, Unlicensed};

    const LICENSOR: u128 = 1;
    const LICENSEE: u128 = 2;

    fn tenant(number: u128) -> TenantId {
        uuid::Uuid::from_u128(number).into()
    }

    fn day(number: i64) -> Timestamp {
        Timestamp::from_secs(number * 86_400)
    }

    /// A grant of these days, which may have been revoked.
    fn grant(
        serial: u32,
        (from, until): (i64, i64),
        revoked: Option<i64>,
    ) -> (VerdictGrant, GrantFacts) {
        let number = GrantNumber { year: 2026, serial };
        let coverage = Coverage {
            uses: Uses::parse(&["voice"]).unwrap(),
            territories: Territories::parse(&["DE"]).unwrap(),
            starts_at: day(from),
            ends_at: Some(day(until)),
        };
        let id = uuid::Uuid::from_u128(serial.into()).into();
        let (licensor, licensee) = (tenant(LICENSOR), tenant(LICENSEE));
        let facts = GrantFacts { number, coverage, revoked_at: revoked.map(day) };
        (VerdictGrant { id, number, licensor, licensee }, facts)
    }

    fn license(valid_from: i64) -> LicenseFacts {
        LicenseFacts {
            status: LicenseStatus::Private,
            uses: Uses::parse(&["merchandise"]).unwrap(),
            territories: Territories::parse(&["US"]).unwrap(),
            valid_from: Some(day(valid_from)),
            expires_at: None,
        }
    }

    fn seen(published: Option<i64>, first_seen: i64) -> SightingTimes {
        let (published_at, first_seen_at) = (published.map(day), day(first_seen));
        SightingTimes { published_at, first_seen_at, now: day(1_000) }
    }

    /// The verdict, the reason and the serial of the grant.
    fn judge(
        rights: &PublisherRights,
        times: SightingTimes,
        strong: bool,
    ) -> (Verdict, &'static str, Option<u32>) {
        let Judgment { verdict, reason, grant } = rights.judge(times, strong);
        (verdict, reason, grant.map(|it| it.number.serial))
    }

    #[test]
    fn a_permission_counts_now() {
        let verdict = |permitted: Option<LicenseFacts>, strong| {
            judge(&PublisherRights::new(vec![], permitted), seen(Some(1), 500), strong)
        };
        assert_eq!(verdict(None, true), (Unlicensed, STRONG, None));
        assert_eq!(verdict(None, false), (NeedsReview, WEAK, None));
        for strong in [true, false] {
            assert_eq!(verdict(Some(license(1_000)), strong), (Licensed, PERMITTED, None));
            assert_eq!(verdict(Some(license(1_001)), strong), (NeedsReview, NOT_PERMITTED, None));
        }
        let owner = PublisherRights::of_owner();
        assert_eq!(judge(&owner, seen(Some(1), 500), false), (Licensed, OWNED, None));
    }

    #[test]
    fn a_grant_counts_when_the_content_was_published() {
        let ended = PublisherRights::new(vec![grant(7, (100, 200), None)], None);
        let revoked = PublisherRights::new(vec![grant(7, (100, 200), Some(150))], None);
        for (rights, published, verdict, reason) in [
            (&ended, 99, NeedsReview, NOT_STARTED),
            (&ended, 100, Licensed, GRANTED),
            (&ended, 199, Licensed, GRANTED),
            (&ended, 200, NeedsReview, ENDED),
            (&revoked, 149, Licensed, GRANTED),
            (&revoked, 150, NeedsReview, REVOKED),
        ] {
            let found = judge(rights, seen(Some(published), published), true);
            assert_eq!(found, (verdict, reason, Some(7)), "{published}");
            assert_eq!(judge(rights, seen(None, published), true), found, "first seen then");
        }
    }

    #[test]
    fn a_publication_time_counts_near_the_first_sighting() {
        let rights = PublisherRights::new(vec![grant(7, (100, 200), None)], None);
        for (published, first_seen, verdict, reason) in [
            (193, 200, Licensed, GRANTED),
            (192, 200, NeedsReview, UNCONFIRMED),
            (150, 158, NeedsReview, UNCONFIRMED),
            // Nothing is published after it was seen.
            (100, 99, NeedsReview, NOT_STARTED),
            (205, 199, Licensed, GRANTED),
            (207, 199, NeedsReview, UNCONFIRMED),
        ] {
            let found = judge(&rights, seen(Some(published), first_seen), true);
            assert_eq!(found, (verdict, reason, Some(7)), "{published} {first_seen}");
        }
        let unrelated = PublisherRights::new(vec![], None);
        let found = judge(&unrelated, seen(Some(1), 500), true);
        assert_eq!(found, (Unlicensed, STRONG, None), "it does not depend on the time");
        let permitted = PublisherRights::new(vec![grant(7, (1, 2), None)], Some(license(1)));
        assert_eq!(judge(&permitted, seen(Some(1), 500), true), (Licensed, PERMITTED, None));
    }

    #[test]
    fn the_grant_that_explains_most_is_named() {
        let grants = [(3, (300, 400)), (2, (200, 250)), (1, (1, 100))];
        let grants = grants.map(|(serial, days)| grant(serial, days, None));
        let rights = PublisherRights::new(grants.into(), None);
        let serial = |published| judge(&rights, seen(Some(published), published), true).2;
        let named = [0, 50, 150, 220, 260, 350, 450].map(serial);
        assert_eq!(named, [3, 1, 1, 2, 2, 3, 3].map(Some));
    }

    #[test]
    fn a_source_finds_content_of_a_publisher() {
        let owner = PublisherRights::of_owner().judge(seen(Some(1), 500), true);
        assert_eq!(owner.publisher_reason(), "The publisher owns the talent's licenses");
        let nobody = PublisherRights::new(vec![], None).judge(seen(Some(1), 500), true);
        let said = "Strong match, and the publisher has no permission";
        assert_eq!(nobody.publisher_reason(), said);
        for reason in [GRANTED, NOT_STARTED, ENDED, REVOKED, UNCONFIRMED] {
            let judgment = Judgment { verdict: NeedsReview, reason, grant: None };
            assert_eq!(judgment.publisher_reason(), reason);
        }
    }

    #[test]
    fn only_its_parties_read_the_number() {
        let (grant, _) = grant(42, (1, 2), None);
        let parties = [LICENSOR, LICENSEE, 3].map(|it| grant.is_party(tenant(it)));
        assert_eq!(parties, [true, true, false]);
        for reason in [GRANTED, NOT_STARTED, ENDED, REVOKED, UNCONFIRMED] {
            let named = grant.name_in(reason);
            assert!(
                !reason.contains("GR-") && named.contains(" by grant GR-2026-000042"),
                "{named}"
            );
        }
        assert_eq!(grant.name_in(GRANTED), "Published while licensed by grant GR-2026-000042");
    }
}
