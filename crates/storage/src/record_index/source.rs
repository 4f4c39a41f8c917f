//! Sources in the index.

use grantor_domain::Timestamp;
use grantor_domain::id::{SourceId, TenantId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::FindQuery;
use grantor_domain::source::{FeedKind, SourceStatus};
use uuid::Uuid;

use super::conditions::Conditions;
use super::facets::Facets;
use super::mention::host;
use super::order::RecordOrder;
use super::select::Selection;
use super::{AT_ONCE, READER, RecordKind, STATUS};
use crate::source::{self, ListedSource};
use crate::statement::sql;
use crate::value::padded;
use crate::{Result, Row, Tx};

const KIND: RecordKind = RecordKind::Source;
/// The fields: the name and the host of the address.
const NAME: char = 'h';
const HOST: char = 's';
/// The facet of what is read.
const FEED: &str = "f";

/// Which of a tenant's sources are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceSearch {
    /// Beginnings of words in the name and the host.
    pub find: Option<FindQuery>,
    /// Filter by status.
    pub status: Option<SourceStatus>,
    /// Filter by what is read.
    pub kind: Option<FeedKind>,
    /// The order.
    pub order: RecordOrder,
}

/// Lists a tenant's matching sources.
pub fn search_sources(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    search: &SourceSearch,
    page: Page,
) -> Result<Listing<ListedSource>> {
    let conditions = Conditions::new(KIND)
        .find(&[NAME, HOST], search.find.as_ref())
        .having(STATUS, search.status.map(SourceStatus::name))
        .having(FEED, search.kind.map(FeedKind::name));
    let readers = [KIND.term(READER, tenant.as_uuid().simple())];
    let found = Selection::of(tx, &readers, &conditions, None)?.page(tx, search.order, page)?;
    let ids: Vec<SourceId> = found.items.iter().map(|it| SourceId::from(*it)).collect();
    let mut items = source::load(tx, &ids)?;
    items.sort_by_key(|it| ids.iter().position(|id| *id == it.source.id));
    Ok(found.with_items(|_| items))
}

pub(super) fn load(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT s.source_id, s.tenant_id, s.name, s.url, s.status, s.created_at, f.kind
                 FROM sources s JOIN watched_feeds f ON f.feed_id = s.feed_id
                 WHERE s.source_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Facets> {
    let text = |name| row.get::<String>(name);
    let (id, tenant): (SourceId, TenantId) = (row.get("source_id")?, row.get("tenant_id")?);
    let (name, url) = (text("name")?, text("url")?);
    let created: Timestamp = row.get("created_at")?;
    Ok(Facets::new(KIND, id.as_uuid(), &name, (created, None))
        .with(READER, tenant.as_uuid().simple())
        .with(STATUS, text("status")?)
        .with(FEED, text("kind")?)
        .named(NAME, [&name])
        .named(HOST, [host(&url)]))
}
