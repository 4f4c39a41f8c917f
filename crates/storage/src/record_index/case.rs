//! Cases in the index, by the ids of their mentions.

use grantor_domain::Timestamp;
use grantor_domain::case::{CaseFilter, CaseStatus};
use grantor_domain::day::DayRange;
use grantor_domain::id::{MentionId, TalentId, TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::{FindQuery, NameFilter};
use uuid::Uuid;

use super::conditions::{Conditions, TALENT_NAMES};
use super::facets::Facets;
use super::mention::host;
use super::order::RecordOrder;
use super::select::Selection;
use super::{AT_ONCE, READER, RecordKind, STATUS};
use crate::case::{self, ListedCase};
use crate::statement::sql;
use crate::value::padded;
use crate::{Error, Result, Row, Tx};

const KIND: RecordKind = RecordKind::Case;
/// The fields: the title of the content, and where it was found.
const TITLE: char = 'h';
const PLACE: char = 's';
/// The facet of cases that are neither removed nor closed.
const LIVE: &str = "l";
/// The facet of who works on it.
const ASSIGNEE: &str = "w";
/// The day on which it was opened.
const OPENED: char = 'a';

/// Which of a tenant's cases are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaseSearch {
    /// Beginnings of words in the talent's names, the title and the host of the address.
    pub find: Option<FindQuery>,
    /// Filter by status.
    pub filter: CaseFilter,
    /// Filter by talent.
    pub talent: Option<NameFilter<TalentId>>,
    /// Filter by who works on it.
    pub assignee: Option<UserId>,
    /// The days on which they were opened.
    pub opened: DayRange,
    /// The order.
    pub order: RecordOrder,
}

/// Lists a tenant's matching cases.
pub fn search_cases(
    tx: &mut Tx<'_>,
    tenant: TenantId,
    search: &CaseSearch,
    page: Page,
) -> Result<Listing<ListedCase>> {
    let conditions = Conditions::new(KIND)
        .find(&[TALENT_NAMES, TITLE, PLACE], search.find.as_ref())
        .talent(search.talent.as_ref())
        .having(ASSIGNEE, search.assignee.map(|it| it.as_uuid().simple()))
        .days(OPENED, search.opened);
    let conditions = match search.filter {
        CaseFilter::All => conditions,
        CaseFilter::Live => conditions.having(LIVE, Some(true)),
        CaseFilter::Status(status) => conditions.having(STATUS, Some(status.name())),
    };
    let readers = [KIND.term(READER, tenant.as_uuid().simple())];
    let found = Selection::of(tx, &readers, &conditions, None)?.page(tx, search.order, page)?;
    let ids: Vec<MentionId> = found.items.iter().map(|it| MentionId::from(*it)).collect();
    let items = case::load(tx, &ids)?;
    Ok(found.with_items(|_| items))
}

pub(super) fn load(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT c.mention_id, c.tenant_id, c.agent_id, c.status, c.assignee_id,
                   c.opened_at, c.updated_at, m.title, m.url, m.talent_id, t.fullname, t.aliases
                 FROM cases c JOIN mentions m ON m.mention_id = c.mention_id
                 JOIN talents t ON t.talent_id = m.talent_id
                 WHERE c.mention_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Facets> {
    let text = |name| row.get::<String>(name);
    let (id, talent): (MentionId, TalentId) = (row.get("mention_id")?, row.get("talent_id")?);
    let (tenant, agent): (TenantId, Option<TenantId>) =
        (row.get("tenant_id")?, row.get("agent_id")?);
    let status: CaseStatus = text("status")?.parse().map_err(Error::Fault)?;
    let assignee: Option<UserId> = row.get("assignee_id")?;
    let (opened, updated): (Timestamp, Timestamp) = (row.get("opened_at")?, row.get("updated_at")?);
    let (title, url) = (text("title")?, text("url")?);
    let facets = Facets::new(KIND, id.as_uuid(), &title, (updated, None))
        .with(READER, tenant.as_uuid().simple())
        .with_some(READER, agent.map(|it| it.as_uuid().simple()))
        .with(STATUS, status.name())
        .with_some(LIVE, status.is_live().then_some(true))
        .with_some(ASSIGNEE, assignee.map(|it| it.as_uuid().simple()))
        .on(OPENED, opened)
        .named(TITLE, [&title])
        .named(PLACE, [host(&url)]);
    facets.of_talent(talent, &text("fullname")?, &text("aliases")?)
}
