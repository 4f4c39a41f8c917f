//! Mentions in the index.

use grantor_domain::Timestamp;
use grantor_domain::content;
use grantor_domain::day::DayRange;
use grantor_domain::id::{MentionId, PlatformId, TalentId, TenantId};
use grantor_domain::mention::{MentionStatus, Verdict};
use grantor_domain::page::{Listing, Page};
use grantor_domain::search::{FindQuery, NameFilter};
use uuid::Uuid;

use super::conditions::{Conditions, TALENT, TALENT_NAMES};
use super::facets::Facets;
use super::order::{CHANGED, RecordOrder};
use super::place::{self, FOUND_AT};
use super::select::{Selection, Shared};
use super::{AT_ONCE, READER, RecordKind, STATUS};
use crate::bitmap::NumberSet;
use crate::license::reader::Reader;
use crate::mention::inbox;
use crate::statement::sql;
use crate::total::BOUND;
use crate::value::padded;
use crate::{Result, Row, Tx};

const KIND: RecordKind = RecordKind::Mention;
/// The fields: the title of the content, where it was found, the name that only the tenant of the
/// source finds, and the author.
const TITLE: char = 'h';
const PLACE: char = 's';
const SOURCE: char = 'o';
const AUTHOR: char = 'w';
/// The facet of the verdict.
const VERDICT: &str = "v";

/// Which mentions are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MentionSearch {
    /// Beginnings of words in the talent's names, the title, the author, and the name and address
    /// of where it was found. Only the tenant of a source finds by its name.
    pub find: Option<FindQuery>,
    /// Filter by status.
    pub status: Option<MentionStatus>,
    /// Filter by verdict.
    pub verdict: Option<Verdict>,
    /// Filter by talent.
    pub talent: Option<NameFilter<TalentId>>,
    /// The days on which they were first seen.
    pub seen: DayRange,
    /// The order.
    pub order: RecordOrder,
}

/// Lists matching mentions of all licenses that a reader sees.
pub fn search_mentions(
    tx: &mut Tx<'_>,
    reader: Reader,
    search: &MentionSearch,
    page: Page,
) -> Result<Listing<MentionId>> {
    let [own, _] = reader.ids();
    let fields = [TALENT_NAMES, TITLE, PLACE, AUTHOR];
    let conditions = Conditions::new(KIND)
        .find_own(&fields, (own, SOURCE), search.find.as_ref())
        .having(STATUS, search.status.map(MentionStatus::name))
        .having(VERDICT, search.verdict.map(Verdict::name))
        .talent(search.talent.as_ref())
        .days(CHANGED, search.seen);
    let readers = [KIND.term(READER, own.simple())];
    let sees = |tx: &mut Tx<'_>, id: Uuid| inbox::is_shared(tx, reader, id.into());
    let (mut shared, mut cut) = (None, false);
    if inbox::has_grants(tx, reader)? {
        let listed = inbox::shared_numbers(tx, reader, BOUND)?;
        cut = listed.len() >= BOUND as usize;
        let mut numbers = NumberSet::default();
        for it in listed {
            numbers.insert(it);
        }
        shared = Some(Shared { numbers, sees: &sees });
    }
    let found =
        Selection::of(tx, &readers, &conditions, shared.as_ref())?.page(tx, search.order, page)?;
    let Listing { page, items, total, .. } = found;
    let items = items.into_iter().map(MentionId::from).collect();
    Ok(Listing { page, items, total, total_is_estimate: cut })
}

/// Counts the mentions of a talent that its owner lists.
pub(crate) fn count_mentions(
    tx: &mut Tx<'_>,
    (owner, talent): (TenantId, TalentId),
    status: Option<MentionStatus>,
    verdict: Option<Verdict>,
) -> Result<u64> {
    let conditions = Conditions::new(KIND)
        .having(READER, Some(owner.as_uuid().simple()))
        .having(STATUS, status.map(MentionStatus::name))
        .having(VERDICT, verdict.map(Verdict::name));
    let about = [KIND.term(TALENT, talent.as_uuid().simple())];
    Ok(Selection::of(tx, &about, &conditions, None)?.len())
}

pub(super) fn load(tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT m.mention_id, m.talent_id, m.tenant_id, m.title, m.url, m.author,
                   m.verdict, m.status, m.first_seen_at, t.fullname, t.aliases,
                   p.name AS platform_name, s.name AS source_name,
                   s.tenant_id AS source_tenant_id, m.platform_id
                 FROM mentions m JOIN talents t ON t.talent_id = m.talent_id
                 LEFT JOIN platforms p ON p.platform_id = m.platform_id
                 LEFT JOIN sources s ON s.source_id = m.source_id
                 WHERE m.mention_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn read(row: &Row<'_>) -> Result<Facets> {
    let (id, talent): (MentionId, TalentId) = (row.get("mention_id")?, row.get("talent_id")?);
    let tenant: Option<TenantId> = row.get("tenant_id")?;
    let (title, url): (String, String) = (row.get("title")?, row.get("url")?);
    let (fullname, aliases): (String, String) = (row.get("fullname")?, row.get("aliases")?);
    let seen: Timestamp = row.get("first_seen_at")?;
    let platform: Option<PlatformId> = row.get("platform_id")?;
    let found_at = tenant.map(|it| place::value(it, seen, platform, host(&url)));
    let facets = Facets::new(KIND, id.as_uuid(), &title, (seen, None))
        .with_some(READER, tenant.map(|it| it.as_uuid().simple()))
        .with_some(FOUND_AT, found_at)
        .with(VERDICT, row.get::<String>("verdict")?)
        .with(STATUS, row.get::<String>("status")?)
        .named(TITLE, [&title])
        .named(AUTHOR, row.get::<Option<String>>("author")?)
        .named(PLACE, row.get::<Option<String>>("platform_name")?)
        .named(PLACE, [host(&url)]);
    let facets = match row.get::<Option<String>>("source_name")? {
        Some(name) => facets.named_for(row.get("source_tenant_id")?, SOURCE, &name),
        None => facets,
    };
    facets.of_talent(talent, &fullname, &aliases)
}

/// The host of an address.
pub(super) fn host(url: &str) -> &str {
    let address = content::key(url);
    address.split('/').next().unwrap_or(address)
}
