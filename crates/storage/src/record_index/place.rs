//! Where mentions were found, counted by day. The tenant, the day and the place of a mention are
//! one term, so a chart reads only the days it shows.

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::id::{PlatformId, TenantId};
use uuid::Uuid;

use super::select::stale;
use super::{READER, RecordKind};
use crate::bitmap::{BitmapIndex, NumberSet, sets_within};
use crate::license::reader::Reader;
use crate::mention::inbox;
use crate::statement::sql;
use crate::total::BOUND;
use crate::value::params;
use crate::{Result, Tx, only_column};

const KIND: RecordKind = RecordKind::Mention;
/// The facet of the tenant, the day and the place together.
pub(super) const FOUND_AT: &str = "at";
/// How many rows of the index are read for one tenant.
const MOST_READ: u32 = 8_192;
/// How many permissions and grants are looked at to find the tenants that share mentions.
const SHARES: u32 = 1_000;
/// The mentions of how many of these tenants are counted.
const OWNERS: u32 = 20;

/// Where a mention was found.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A platform.
    Platform(PlatformId),
    /// A site that a source watches, by its host.
    Host(String),
}

impl Place {
    /// Reads the end of a term.
    fn read(text: &str) -> Option<Self> {
        if let Some(host) = text.strip_prefix('h') {
            return Some(Self::Host(host.to_owned()));
        }
        Uuid::try_parse(text.strip_prefix('p')?).ok().map(|it| Self::Platform(it.into()))
    }
}

/// The value of the facet.
pub(super) fn value(
    tenant: TenantId,
    seen_at: Timestamp,
    platform: Option<PlatformId>,
    host: &str,
) -> String {
    let (tenant, day) = (tenant.as_uuid().simple(), day_of(seen_at));
    match platform {
        Some(id) => format!("{tenant}.{day}.p{}", id.as_uuid().simple()),
        None => format!("{tenant}.{day}.h{host}"),
    }
}

/// A day such as `2026-01-31`.
fn day_of(at: Timestamp) -> String {
    at.to_string().chars().take("2026-01-31".len()).collect()
}

/// Counts by place the mentions that a reader sees and that were first seen from one day to
/// another, both included.
pub fn count_places(
    tx: &mut Tx<'_>,
    reader: Reader,
    (since, until): (Timestamp, Timestamp),
) -> Result<BTreeMap<Place, u64>> {
    let ([own, _], days) = (reader.ids(), (day_of(since), day_of(until)));
    let stale = stale(tx, KIND)?;
    let mut outdated = NumberSet::default();
    stale.iter().filter_map(|(_, number)| *number).for_each(|it| outdated.insert(it));
    let shared = shared(tx, reader)?;
    let mut owners = vec![own];
    if shared.is_some() {
        owners.extend(owners_of_shared(tx, reader)?);
    }
    let mut counts = BTreeMap::new();
    for owner in owners {
        let (from, to) = range(owner, &days);
        let found = sets_within(tx, BitmapIndex::Records, (&from, &to), MOST_READ)?;
        for (term, mut numbers) in found {
            numbers.subtract(&outdated);
            if let Some(shared) = shared.as_ref().filter(|_| owner != own) {
                numbers.intersect(shared);
            }
            add(&mut counts, &term, numbers.len());
        }
    }
    let ids: Vec<_> = stale.into_iter().map(|(id, _)| id).collect();
    let is_own = KIND.term(READER, own.simple());
    for facets in KIND.load(tx, &ids)? {
        let prefix = KIND.term(FOUND_AT, "");
        let Some(term) = facets.terms.iter().find(|it| it.starts_with(&prefix)) else { continue };
        let listed = facets.terms.contains(&is_own)
            || shared.is_some() && inbox::is_shared(tx, reader, facets.id.into())?;
        if listed && is_within(term, &days) {
            add(&mut counts, term, 1);
        }
    }
    Ok(counts)
}

/// The terms of a tenant's mentions on these days.
fn range(owner: Uuid, (since, until): &(String, String)) -> (String, String) {
    let term = |end: String| KIND.term(FOUND_AT, format!("{}.{end}", owner.simple()));
    // A tilde sorts after the dot that follows the day.
    (term(since.clone()), term(format!("{until}~")))
}

/// Whether the day of a term is one of these.
fn is_within(term: &str, (since, until): &(String, String)) -> bool {
    let day = term.split('.').nth(2).unwrap_or_default();
    (since.as_str()..=until.as_str()).contains(&day)
}

fn add(counts: &mut BTreeMap<Place, u64>, term: &str, count: u64) {
    // The scope of the kind, the tenant, the day, and the place, which may contain dots.
    let place = term.splitn(4, '.').nth(3).and_then(Place::read);
    if let Some(place) = place.filter(|_| count > 0) {
        *counts.entry(place).or_default() += count;
    }
}

/// The numbers of the mentions that others have shared with the reader, if there are any.
fn shared(tx: &mut Tx<'_>, reader: Reader) -> Result<Option<NumberSet>> {
    if !inbox::has_grants(tx, reader)? {
        return Ok(None);
    }
    let mut numbers = NumberSet::default();
    inbox::shared_numbers(tx, reader, BOUND)?.into_iter().for_each(|it| numbers.insert(it));
    Ok(Some(numbers))
}

/// The tenants that share licenses with the reader, by a permission or an active grant.
fn owners_of_shared(tx: &mut Tx<'_>, reader: Reader) -> Result<Vec<Uuid>> {
    let [own, other] = reader.ids();
    tx.query(
        sql!(
            "SELECT DISTINCT tenant_id FROM (
               SELECT l.tenant_id FROM permissions p CROSS JOIN licenses l
               WHERE p.grantee_id IN ($1, $2) AND l.license_id = p.license_id
                 AND l.tenant_id <> $1
               UNION ALL
               SELECT g.licensor_id FROM grants g
               WHERE g.licensee_id = $1 AND g.status = 'active'
               LIMIT $3) found LIMIT $4"
        ),
        params![own, other, SHARES, OWNERS],
        only_column,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_says_whose_mention_was_found_when_and_where() {
        let tenant = TenantId::from(Uuid::from_u128(1));
        let platform = PlatformId::from(Uuid::from_u128(2));
        let at = Timestamp::parse("2026-01-31T23:59:59Z").unwrap();
        let days = |from: &str, to: &str| (from.to_owned(), to.to_owned());
        for (place, expected) in [
            (Some(platform), Place::Platform(platform)),
            (None, Place::Host("news.example.co.uk".to_owned())),
        ] {
            let term = KIND.term(FOUND_AT, value(tenant, at, place, "news.example.co.uk"));
            let mut counts = BTreeMap::new();
            add(&mut counts, &term, 2);
            add(&mut counts, &term, 0);
            assert_eq!(counts, BTreeMap::from([(expected, 2)]), "{term}");
            for (from, to, within) in [
                ("2026-01-31", "2026-01-31", true),
                ("2026-02-01", "2026-02-28", false),
                ("2025-11-01", "2026-01-30", false),
            ] {
                let (first, end) = range(tenant.as_uuid(), &days(from, to));
                assert_eq!((first..end).contains(&term), within, "{term} {from} {to}");
                assert_eq!(is_within(&term, &days(from, to)), within, "{term} {from} {to}");
            }
        }
    }
}
