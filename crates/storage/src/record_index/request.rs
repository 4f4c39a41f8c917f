//! Requests in the index.

use grantor_domain::Timestamp;
use grantor_domain::day::DayRange;
use grantor_domain::grant::{Coverage, Party};
use grantor_domain::id::{LicenseId, RequestId, TalentId, TenantId};
use grantor_domain::license::{LicenseType, Territory};
use grantor_domain::page::{Listing, Page};
use grantor_domain::request::RequestStatus;
use grantor_domain::search::{FindQuery, NameFilter};
use uuid::Uuid;

use super::conditions::{Conditions, TALENT_NAMES};
use super::facets::Facets;
use super::order::{CHANGED, RecordOrder};
use super::select::Selection;
use super::{AT_ONCE, LICENSE, RecordKind, STATUS, TERRITORY, USAGE};
use crate::request::{self, RequestRecord, Viewer, fault};
use crate::statement::sql;
use crate::value::padded;
use crate::{Result, Row, Tx};

const KIND: RecordKind = RecordKind::Request;
/// The fields: the license's title, the owner, and the asker or the email address of an offer.
const TITLE: char = 'h';
const OWNER: char = 'o';
const ASKER: char = 'e';
/// The facets of the tenants that list a request, and of the address that an offer is made to.
const ASKED_BY: &str = "ra";
const OWNED_BY: &str = "ro";
const ADDRESS: &str = "rm";

/// Which requests are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestSearch {
    /// Beginnings of words in the talent's names, the license's title and the names of the parties.
    pub find: Option<FindQuery>,
    /// Those on one side of the tenant; both if not given.
    pub role: Option<Party>,
    /// Those with a stored status.
    pub status: Option<RequestStatus>,
    /// Those for one license.
    pub license: Option<LicenseId>,
    /// Those for one talent.
    pub talent: Option<NameFilter<TalentId>>,
    /// Words of a party's name.
    pub party: Option<FindQuery>,
    /// Those that ask for a use.
    pub usage: Option<LicenseType>,
    /// Those that ask for a territory. Worldwide requests ask for each.
    pub territory: Option<Territory>,
    /// The days on which they last changed.
    pub changed: DayRange,
    /// The order.
    pub order: RecordOrder,
}

/// Lists the matching requests that a viewer sees.
pub fn search_requests(
    tx: &mut Tx<'_>,
    viewer: &Viewer,
    search: &RequestSearch,
    page: Page,
) -> Result<Listing<RequestRecord>> {
    let mut conditions = Conditions::new(KIND)
        .find(&[TALENT_NAMES, TITLE, OWNER, ASKER], search.find.as_ref())
        .find(&[OWNER, ASKER], search.party.as_ref())
        .having(STATUS, search.status.map(RequestStatus::name))
        .having(LICENSE, search.license.map(|it| it.as_uuid().simple()))
        .having(USAGE, search.usage.map(LicenseType::key))
        .talent(search.talent.as_ref())
        .days(CHANGED, search.changed);
    if let Some(place) = search.territory {
        let places = [place, Territory::WORLD];
        conditions = conditions.having_any(TERRITORY, places.iter().map(Territory::as_str));
    }
    let readers = readers(viewer, search.role);
    let found = Selection::of(tx, &readers, &conditions, None)?.page(tx, search.order, page)?;
    let ids: Vec<RequestId> = found.items.iter().map(|it| RequestId::from(*it)).collect();
    let mut items = request::load(tx, &ids)?;
    items.sort_by_key(|it| ids.iter().position(|id| *id == it.request.id));
    Ok(found.with_items(|_| items))
}

/// The terms of the requests that a viewer sees on a side, or on both.
fn readers(viewer: &Viewer, role: Option<Party>) -> Vec<String> {
    let own = viewer.tenant.as_uuid().simple();
    let mut readers = Vec::new();
    if role != Some(Party::Asker) {
        readers.push(KIND.term(OWNED_BY, own));
    }
    if role != Some(Party::Owner) {
        readers.push(KIND.term(ASKED_BY, own));
        readers.extend(viewer.email_key.as_ref().map(|it| KIND.term(ADDRESS, it)));
    }
    readers
}

pub(super) fn load(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT r.request_id, r.license_id, r.talent_id, r.owner_id, r.asker_id, r.email,
                   r.email_key, r.status, r.coverage, r.updated_at, l.title, t.fullname,
                   t.aliases, o.name AS owner_name, a.name AS asker_name
                 FROM requests r
                 JOIN licenses l ON l.license_id = r.license_id
                 JOIN talents t ON t.talent_id = r.talent_id
                 JOIN tenants o ON o.tenant_id = r.owner_id
                 LEFT JOIN tenants a ON a.tenant_id = r.asker_id
                 WHERE r.request_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Facets> {
    let text = |name| row.get::<String>(name);
    let optional = |name| row.get::<Option<String>>(name);
    let (id, license, talent): (RequestId, LicenseId, TalentId) =
        (row.get("request_id")?, row.get("license_id")?, row.get("talent_id")?);
    let (owner, asker): (TenantId, Option<TenantId>) = (row.get("owner_id")?, row.get("asker_id")?);
    let status: RequestStatus = text("status")?.parse().map_err(fault)?;
    let coverage: Option<Coverage> = serde_json::from_str(&text("coverage")?).ok();
    let updated: Timestamp = row.get("updated_at")?;
    let fullname = text("fullname")?;
    // An offer to an address is listed for its owner until somebody acts on it.
    let address = optional("email_key")?.filter(|_| asker.is_none() && status.is_live());
    let mut facets = Facets::new(KIND, id.as_uuid(), &fullname, (updated, None))
        .with_some(ASKED_BY, asker.map(|it| it.as_uuid().simple()))
        .with(OWNED_BY, owner.as_uuid().simple())
        .with_some(ADDRESS, address)
        .with(LICENSE, license.as_uuid().simple())
        .with(STATUS, status.name())
        .named(TITLE, [text("title")?])
        .named(OWNER, [text("owner_name")?])
        .named(ASKER, optional("asker_name")?.or(optional("email")?));
    for usage in coverage.iter().flat_map(|it| it.uses.as_slice()) {
        facets = facets.with(USAGE, usage.key());
    }
    for place in coverage.iter().flat_map(|it| it.territories.as_slice()) {
        facets = facets.with(TERRITORY, place.as_str());
    }
    facets.of_talent(talent, &fullname, &text("aliases")?)
}
