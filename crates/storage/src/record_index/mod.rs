//! The index of the records that people list and search, besides licenses and log entries:
//! talents, mentions, grants, requests, sources and cases.
//!
//! It works like the index of licenses: each record has a number among those of its kind, and each
//! term has the set of the numbers of its records. A change only marks the record as stale; a
//! worker updates the index shortly after. Queries look at the stale records themselves, so every
//! result is current, except that a new name of a talent, license, organization, platform or source
//! takes a moment to reach the records that show it.

mod case;
mod conditions;
mod ending;
mod facets;
mod grant;
mod mention;
mod order;
mod place;
mod renamed;
mod request;
mod select;
mod source;
mod talent;
mod update;

use uuid::Uuid;

pub use self::case::{CaseSearch, search_cases};
pub use self::ending::count_grants_ending;
use self::facets::Facets;
pub use self::grant::{GrantSearch, search_grants};
pub(crate) use self::mention::count_mentions;
pub use self::mention::{MentionSearch, search_mentions};
pub use self::order::{RecordOrder, RecordSort};
pub use self::place::{Place, count_places};
pub use self::renamed::{has_renames, mark_dependents};
pub(crate) use self::renamed::{
    license_renamed, platform_renamed, source_renamed, talent_renamed, tenant_renamed,
};
pub use self::request::{RequestSearch, search_requests};
pub use self::source::{SourceSearch, search_sources};
pub use self::talent::{TalentSearch, find_talents_by_name, search_talents};
pub use self::update::update;
use crate::bitmap::term::WORDS;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, meta};

/// The name under which the version of the terms is stored that the index has.
const META: &str = "record_index_words";
/// What terms records have. With another version, the next start indexes all records again.
const TERMS: &str = "2";

/// How many records a rebuild indexes at a time.
const REBUILD: u32 = 1_000;

/// How many records one statement looks up.
const AT_ONCE: usize = 10;

/// The facet of the tenant that lists a record.
const READER: &str = "r";
/// The facet of the status.
const STATUS: &str = "s";
/// The facet of the license.
const LICENSE: &str = "li";
/// The facet of the uses.
const USAGE: &str = "u";
/// The facet of the territories.
const TERRITORY: &str = "pl";

/// A kind of record in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Talents.
    Talent,
    /// Mentions.
    Mention,
    /// Grants.
    Grant,
    /// Requests.
    Request,
    /// Sources.
    Source,
    /// Cases, by the ids of their mentions.
    Case,
}

impl RecordKind {
    /// All variants.
    pub const ALL: [Self; 6] =
        [Self::Talent, Self::Mention, Self::Grant, Self::Request, Self::Source, Self::Case];

    /// The stored name.
    const fn name(self) -> &'static str {
        match self {
            Self::Talent => "talent",
            Self::Mention => "mention",
            Self::Grant => "grant",
            Self::Request => "request",
            Self::Source => "source",
            Self::Case => "case",
        }
    }

    /// What the terms of this kind begin with.
    const fn scope(self) -> &'static str {
        match self {
            Self::Talent => "t.",
            Self::Mention => "m.",
            Self::Grant => "g.",
            Self::Request => "r.",
            Self::Source => "s.",
            Self::Case => "c.",
        }
    }

    /// What the terms of this kind begin with that only one tenant finds.
    fn scope_of(self, tenant: Uuid) -> String {
        format!("{}{}.", self.scope(), tenant.simple())
    }

    /// A term of this kind.
    fn term(self, facet: &str, value: impl std::fmt::Display) -> String {
        format!("{}{facet}:{value}", self.scope())
    }

    /// The facets of those of these records that exist, in any order.
    fn load(self, tx: &mut Tx<'_>, ids: &[Uuid]) -> Result<Vec<Facets>> {
        match self {
            Self::Talent => talent::load(tx, ids),
            Self::Mention => mention::load(tx, ids),
            Self::Grant => grant::load(tx, ids),
            Self::Request => request::load(tx, ids),
            Self::Source => source::load(tx, ids),
            Self::Case => case::load(tx, ids),
        }
    }
}

/// Marks a record for indexing, because it was created, changed or deleted.
pub(crate) fn mark(tx: &mut Tx<'_>, kind: RecordKind, id: Uuid) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark) VALUES ($1, $2, 1)
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![kind.name(), id],
    )?;
    Ok(())
}

/// Whether any record is marked for indexing.
pub fn has_stale(tx: &mut Tx<'_>) -> Result<bool> {
    let found = tx.find(sql!("SELECT 1 FROM record_stale LIMIT 1"), params![], |_| Ok(()))?;
    Ok(found.is_some())
}

/// Marks all records for indexing if the index has the terms of another version of the server.
pub fn mark_outdated(tx: &mut Tx<'_>) -> Result<()> {
    let version = format!("{WORDS}.{TERMS}");
    if meta::find(tx, META)?.as_deref() == Some(&*version) {
        return Ok(());
    }
    // Of many nodes one does it, without the time limit of a unit.
    tx.lock_schema()?;
    mark_all(tx)?;
    meta::put(tx, META, &version)
}

/// Rebuilds the index, after a restore.
pub(crate) fn rebuild(tx: &mut Tx<'_>) -> Result<()> {
    mark_all(tx)?;
    for kind in RecordKind::ALL {
        let mut after = Uuid::nil();
        while let Some(last) = update(tx, kind, after, REBUILD)? {
            after = last;
        }
    }
    Ok(())
}

fn mark_all(tx: &mut Tx<'_>) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'talent', talent_id, 1 FROM talents WHERE true
             ON CONFLICT (kind, record_id) DO NOTHING"
        ),
        params![],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'mention', mention_id, 1 FROM mentions WHERE true
             ON CONFLICT (kind, record_id) DO NOTHING"
        ),
        params![],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'grant', grant_id, 1 FROM grants WHERE true
             ON CONFLICT (kind, record_id) DO NOTHING"
        ),
        params![],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'request', request_id, 1 FROM requests WHERE true
             ON CONFLICT (kind, record_id) DO NOTHING"
        ),
        params![],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'source', source_id, 1 FROM sources WHERE true
             ON CONFLICT (kind, record_id) DO NOTHING"
        ),
        params![],
    )?;
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'case', mention_id, 1 FROM cases WHERE true
             ON CONFLICT (kind, record_id) DO NOTHING"
        ),
        params![],
    )?;
    Ok(())
}
