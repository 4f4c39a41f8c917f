//! Grants in the index.

use grantor_domain::Timestamp;
use grantor_domain::day::DayRange;
use grantor_domain::grant::{GrantNumber, GrantStatus, GrantTerms, Party};
use grantor_domain::id::{GrantId, LicenseId, TalentId, TenantId};
use grantor_domain::license::{LicenseType, Territory};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::{FindQuery, NameFilter};
use uuid::Uuid;

use super::conditions::{Conditions, TALENT_NAMES};
use super::facets::Facets;
use super::order::{CHANGED, ENDS, RecordOrder};
use super::select::Selection;
use super::{AT_ONCE, LICENSE, RecordKind, STATUS, TERRITORY, USAGE};
use crate::grant::{self, GrantRecord};
use crate::request::fault;
use crate::statement::sql;
use crate::value::padded;
use crate::{Result, Row, Tx};

const KIND: RecordKind = RecordKind::Grant;
/// The fields: the license's title, the licensor, the licensee and the number.
const TITLE: char = 'h';
const LICENSOR: char = 'o';
const LICENSEE: char = 'e';
const NUMBER: char = 'x';
/// The facets of the tenants that list a grant.
const HELD_BY: &str = "ra";
const GIVEN_BY: &str = "ro";
/// The day on which it starts.
const STARTS: char = 'b';

/// Up to this many grants are read to compare their ends.
const MAX_READ: u32 = 500;

/// Which grants are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrantSearch {
    /// Beginnings of words in the talent's names, the license's title, the names of the parties and
    /// the number.
    pub find: Option<FindQuery>,
    /// Those with a number. Several may have it, because each licensor counts its own grants.
    pub number: Option<GrantNumber>,
    /// Those on one side of the tenant; both if not given.
    pub role: Option<Party>,
    /// Those with a stored status.
    pub status: Option<GrantStatus>,
    /// Those under one license.
    pub license: Option<LicenseId>,
    /// Those of one talent.
    pub talent: Option<NameFilter<TalentId>>,
    /// Words of a party's name.
    pub party: Option<FindQuery>,
    /// Those that allow a use.
    pub usage: Option<LicenseType>,
    /// Those that apply in a territory. Worldwide grants apply in each.
    pub territory: Option<Territory>,
    /// The days on which they start.
    pub starts: DayRange,
    /// The days on which they end.
    pub ends: DayRange,
    /// Those that end before a moment. The index finds ends by their days, so the grants that meet
    /// all other conditions are read: those must be few, like the ones with a number.
    pub ends_before: Option<Timestamp>,
    /// The order.
    pub order: RecordOrder,
}

/// Lists a tenant's matching grants.
pub fn search_grants(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    search: &GrantSearch,
    page: Page,
) -> Result<Listing<GrantRecord>> {
    let own = tenant.as_uuid().simple();
    let sides = Party::ALL.into_iter().filter(|it| search.role.is_none_or(|role| role == *it));
    let readers: Vec<_> = sides.map(|it| KIND.term(side(it), own)).collect();
    let read = search.ends_before.map_or(page, |_| Page::new(1, MAX_READ));
    let selection = Selection::of(tx, &readers, &conditions(search), None)?;
    let found = selection.page(tx, search.order, read)?;
    let ids: Vec<GrantId> = found.items.iter().map(|it| GrantId::from(*it)).collect();
    let mut items = grant::load(tx, &ids)?;
    items.sort_by_key(|it| ids.iter().position(|id| *id == it.grant.id));
    let found = found.with_items(|_| items);
    Ok(match search.ends_before {
        Some(end) => ending_before(found, end, page),
        None => found,
    })
}

fn conditions(search: &GrantSearch) -> Conditions {
    let all = [TALENT_NAMES, TITLE, LICENSOR, LICENSEE, NUMBER];
    let mut conditions = Conditions::new(KIND)
        .find(&all, search.find.as_ref())
        .find(&[LICENSOR, LICENSEE], search.party.as_ref())
        .having(STATUS, search.status.map(GrantStatus::name))
        .having(LICENSE, search.license.map(|it| it.as_uuid().simple()))
        .having(USAGE, search.usage.map(LicenseType::key))
        .talent(search.talent.as_ref())
        .days(STARTS, search.starts)
        .days(ENDS, search.ends);
    if let Some(GrantNumber { year, serial }) = search.number {
        // The year of a number is that in which the grant was made.
        conditions = conditions.word(NUMBER, &format!("{serial:06}")).year(CHANGED, year);
    }
    if let Some(place) = search.territory {
        let places = [place, Territory::WORLD];
        conditions = conditions.having_any(TERRITORY, places.iter().map(Territory::as_str));
    }
    conditions
}

/// A page of those of these grants that end before a moment.
fn ending_before(found: Listing<GrantRecord>, end: Timestamp, page: Page) -> Listing<GrantRecord> {
    let has_more = found.total > found.items.len() as u64;
    let ends = |it: &GrantRecord| it.grant.terms.coverage.ends_at.is_some_and(|it| it < end);
    let ending: Vec<GrantRecord> = found.items.into_iter().filter(ends).collect();
    let total = ending.len() as u64;
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let items = ending.into_iter().skip(skipped).take(page.size() as usize).collect();
    Listing { page, items, total, total_is_estimate: has_more }
}

/// The facet of the tenants on a side.
pub(super) const fn side(party: Party) -> &'static str {
    match party {
        Party::Asker => HELD_BY,
        Party::Owner => GIVEN_BY,
    }
}

pub(super) fn load(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT g.grant_id, g.license_id, g.talent_id, g.licensor_id, g.licensee_id,
                   g.year, g.serial, g.status, g.terms, g.starts_at, g.ends_at, g.created_at,
                   l.title, t.fullname, t.aliases, o.name AS licensor_name, e.name AS licensee_name
                 FROM grants g
                 JOIN licenses l ON l.license_id = g.license_id
                 JOIN talents t ON t.talent_id = g.talent_id
                 JOIN tenants o ON o.tenant_id = g.licensor_id
                 JOIN tenants e ON e.tenant_id = g.licensee_id
                 WHERE g.grant_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Facets> {
    let text = |name| row.get::<String>(name);
    let (id, license, talent): (GrantId, LicenseId, TalentId) =
        (row.get("grant_id")?, row.get("license_id")?, row.get("talent_id")?);
    let (licensor, licensee): (TenantId, TenantId) =
        (row.get("licensor_id")?, row.get("licensee_id")?);
    let year = u16::try_from(row.get::<u32>("year")?).map_err(fault)?;
    let number = GrantNumber { year, serial: row.get("serial")? };
    let terms: Option<GrantTerms> = serde_json::from_str(&text("terms")?).ok();
    let (starts, created): (Timestamp, Timestamp) = (row.get("starts_at")?, row.get("created_at")?);
    let fullname = text("fullname")?;
    let mut facets = Facets::new(KIND, id.as_uuid(), &fullname, (created, row.get("ends_at")?))
        .with(HELD_BY, licensee.as_uuid().simple())
        .with(GIVEN_BY, licensor.as_uuid().simple())
        .with(LICENSE, license.as_uuid().simple())
        .with(STATUS, text("status")?)
        .on(STARTS, starts)
        .named(NUMBER, [number.to_string(), number.serial.to_string()])
        .named(TITLE, [text("title")?])
        .named(LICENSOR, [text("licensor_name")?])
        .named(LICENSEE, [text("licensee_name")?]);
    for usage in terms.iter().flat_map(|it| it.coverage.uses.as_slice()) {
        facets = facets.with(USAGE, usage.key());
    }
    for place in terms.iter().flat_map(|it| it.coverage.territories.as_slice()) {
        facets = facets.with(TERRITORY, place.as_str());
    }
    facets.of_talent(talent, &fullname, &text("aliases")?)
}
