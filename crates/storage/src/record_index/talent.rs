//! Talents in the index.

use grantor_domain::Timestamp;
use grantor_domain::day::DayRange;
use grantor_domain::id::{TalentId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::FindQuery;
use grantor_domain::tag::{TagKey, TaggedKind, term_of};
use grantor_domain::talent::TalentStatus;
use uuid::Uuid;

use super::conditions::{Conditions, TALENT_NAMES};
use super::facets::Facets;
use super::order::RecordOrder;
use super::select::Selection;
use super::{AT_ONCE, READER, RecordKind, STATUS};
use crate::statement::sql;
use crate::talent::{self, ListedTalent};
use crate::value::padded;
use crate::{Result, Row, Tx, tag};

const KIND: RecordKind = RecordKind::Talent;
/// The field of the email address.
const EMAIL: char = 'm';
/// The facet that tells whether the name is verified.
const VERIFIED: &str = "v";
/// The day on which the talent was added.
const ADDED: char = 'a';
/// The facet of the tags.
const TAG: &str = "tg";

/// Which of a tenant's talents are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TalentSearch {
    /// Beginnings of words in the names and the email address.
    pub find: Option<FindQuery>,
    /// Filter by status.
    pub status: Option<TalentStatus>,
    /// Only talents whose name is verified (`true`), or only others (`false`).
    pub verified: Option<bool>,
    /// Only talents with this tag.
    pub tag: Option<TagKey>,
    /// The days on which they were added.
    pub added: DayRange,
    /// The order.
    pub order: RecordOrder,
}

/// Lists matching talents.
pub fn search_talents(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    search: &TalentSearch,
    page: Page,
) -> Result<Listing<ListedTalent>> {
    if *search == TalentSearch::default() {
        return talent::list(tx, tenant, page);
    }
    let conditions = Conditions::new(KIND)
        .find(&[TALENT_NAMES, EMAIL], search.find.as_ref())
        .having(STATUS, search.status.map(TalentStatus::name))
        .having(VERIFIED, search.verified)
        .having(TAG, search.tag.as_ref().map(TagKey::term))
        .days(ADDED, search.added);
    select(tx, tenant, &conditions, search.order, page)
}

/// Lists a tenant's talents with these beginnings of words in their names, newest first.
pub fn find_talents_by_name(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    name: &FindQuery,
    page: Page,
) -> Result<Listing<ListedTalent>> {
    let conditions = Conditions::new(KIND).find(&[TALENT_NAMES], Some(name));
    select(tx, tenant, &conditions, RecordOrder::default(), page)
}

fn select(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    conditions: &Conditions,
    order: RecordOrder,
    page: Page,
) -> Result<Listing<ListedTalent>> {
    let readers = [KIND.term(READER, tenant.as_uuid().simple())];
    let found = Selection::of(tx, &readers, conditions, None)?.page(tx, order, page)?;
    let ids: Vec<TalentId> = found.items.iter().map(|it| TalentId::from(*it)).collect();
    let mut items = talent::load(tx, &ids)?;
    items.sort_by_key(|it| ids.iter().position(|id| *id == it.talent.id));
    Ok(found.with_items(|_| items))
}

pub(super) fn load(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT talent_id, tenant_id, fullname, aliases, email, status, verified,
                   created_at, updated_at
                 FROM talents WHERE talent_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    let mut tags = tag::list_of(tx, TaggedKind::Talent, ids)?;
    let tagged = |facets: Facets| {
        let tags = tags.remove(&facets.id).unwrap_or_default();
        tags.iter().fold(facets, |facets, it| facets.with(TAG, term_of(&it.key)))
    };
    Ok(found.into_iter().map(tagged).collect())
}

fn read(row: &Row<'_>) -> Result<Facets> {
    let (id, tenant): (TalentId, TenantId) = (row.get("talent_id")?, row.get("tenant_id")?);
    let (fullname, aliases): (String, String) = (row.get("fullname")?, row.get("aliases")?);
    let (added, updated): (Timestamp, Timestamp) = (row.get("created_at")?, row.get("updated_at")?);
    let facets = Facets::new(KIND, id.as_uuid(), &fullname, (updated, None))
        .with(READER, tenant.as_uuid().simple())
        .with(STATUS, row.get::<String>("status")?)
        .with(VERIFIED, row.get::<bool>("verified")?)
        .on(ADDED, added)
        .named(EMAIL, row.get::<Option<String>>("email")?);
    facets.of_talent(id, &fullname, &aliases)
}
