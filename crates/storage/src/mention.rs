//! Mentions: recorded sightings of a licensed person, one of a talent at an address. Licenses of the talent
//! list a mention by when they were watched: it was last seen since a license was first watched, and first
//! seen before that ended. A mention that no license lists any more has no owner, and is on nobody's list.

pub mod day;
pub mod inbox;
mod list;
pub mod through;

use grantor_domain::Timestamp;
use grantor_domain::content::{self, ContentUrl};
use grantor_domain::id::{LicenseId, MentionId, TalentId, TenantId};
use grantor_domain::license::License;
use grantor_domain::mention::{Match, MatchKind, Mention};
use grantor_domain::note::Note;
use serde::{Deserialize, Serialize};

pub use self::list::list;
use crate::license::watch::Named;
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx};

/// How many mentions one statement looks up.
const AT_ONCE: usize = 10;

/// A mention with the names of who was seen and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The mention.
    pub mention: Mention,
    /// The platform's name.
    pub platform_name: String,
    /// Who was seen.
    pub talent_name: String,
    /// Whose talent it is, while one of their licenses lists the mention.
    pub owner: Option<TenantId>,
}

impl Kept {
    /// The mention as it is shown through a license.
    #[must_use]
    pub fn through(self, license: Named) -> Shown {
        let Self { mention, platform_name, talent_name, .. } = self;
        let Named { id, title } = license;
        Shown { mention, platform_name, license: id, license_title: title, talent_name }
    }
}

/// A mention with what is shown of where it was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The mention.
    pub mention: Mention,
    /// The platform's name.
    pub platform_name: String,
    /// The license that it is shown through.
    pub license: LicenseId,
    /// What that license is called.
    pub license_title: String,
    /// Who was seen.
    pub talent_name: String,
}

/// What `match` holds.
#[derive(Serialize, Deserialize)]
struct MatchForm {
    kind: MatchKind,
    term: String,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
}

/// Adds a sighting of what the content was then. Its address, which must be canonical, is what
/// tells it from others of the same talent: where that is known already nothing is added, and this
/// gives false.
pub fn insert(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId, content: &str) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO mentions (mention_id, talent_id, platform_id, url, url_key, title,
               excerpt, author, media_type, match, verdict, verdict_reason, status, note,
               published_at, first_seen_at, last_seen_at, revision, content_digest, tenant_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20)
             ON CONFLICT (talent_id, url_key) DO NOTHING"
        ),
        params![
            mention.id,
            mention.talent,
            mention.platform,
            mention.url,
            content::key(&mention.url),
            mention.title,
            mention.excerpt,
            mention.author,
            mention.media_type.name(),
            form(&mention.found)?,
            mention.verdict.name(),
            mention.verdict_reason,
            mention.status.name(),
            Some(mention.note.as_str()).filter(|it| !it.is_empty()),
            mention.published_at,
            mention.first_seen_at,
            mention.last_seen_at,
            mention.revision,
            content,
            owner,
        ],
    )?;
    if added == 1 {
        day::count(tx, owner, mention)?;
    }
    Ok(added == 1)
}

/// What was seen of a talent at an address, held until the unit of work ends, and what the content
/// was then.
pub fn claim_at(
    tx: &mut Tx<'_>,
    talent: TalentId,
    url: &ContentUrl,
) -> Result<Option<(Kept, Option<String>)>> {
    let found: Option<(MentionId, Option<String>)> = tx.find(
        sql!(
            "SELECT mention_id, content_digest FROM mentions
             WHERE talent_id = $1 AND url_key = $2 /*for update*/"
        ),
        params![talent, url.key()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((id, content)) = found else { return Ok(None) };
    Ok(find(tx, id)?.map(|kept| (kept, content)))
}

/// Writes that it was seen again, and what is different now. It is on its owner's list again, should it
/// have been on nobody's.
pub fn see_again(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId, content: &str) -> Result<()> {
    day::recount(tx, owner, mention)?;
    tx.execute(
        sql!(
            "UPDATE mentions SET platform_id = $2, url = $3, title = $4, excerpt = $5, author = $6,
               media_type = $7, match = $8, verdict = $9, verdict_reason = $10, published_at = $11,
               last_seen_at = $12, revision = $13, version = $14, content_digest = $15,
               tenant_id = $16
             WHERE mention_id = $1"
        ),
        params![
            mention.id,
            mention.platform,
            mention.url,
            mention.title,
            mention.excerpt,
            mention.author,
            mention.media_type.name(),
            form(&mention.found)?,
            mention.verdict.name(),
            mention.verdict_reason,
            mention.published_at,
            mention.last_seen_at,
            mention.revision,
            mention.version,
            content,
            owner,
        ],
    )?;
    Ok(())
}

/// Writes only that it was seen again.
pub fn touch(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId, now: Timestamp) -> Result<()> {
    day::recount(tx, owner, mention)?;
    tx.execute(
        sql!("UPDATE mentions SET last_seen_at = $2, tenant_id = $3 WHERE mention_id = $1"),
        params![mention.id, now, owner],
    )?;
    Ok(())
}

fn form(found: &Match) -> Result<String> {
    let Match { kind, term, confidence, distance } = found.clone();
    serde_json::to_string(&MatchForm { kind, term, confidence, distance }).map_err(fault)
}

/// The mention of this id.
pub fn find(tx: &mut Tx<'_>, id: MentionId) -> Result<Option<Kept>> {
    Ok(load(tx, &[id])?.pop())
}

/// The same, held until the unit of work ends: nobody else changes it meanwhile.
pub fn claim(tx: &mut Tx<'_>, id: MentionId) -> Result<Option<Kept>> {
    tx.lock(sql!("SELECT 1 FROM mentions WHERE mention_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Writes what people made of a mention on its owner's list.
pub fn update(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId) -> Result<()> {
    day::recount(tx, owner, mention)?;
    let note = Some(mention.note.as_str()).filter(|it| !it.is_empty());
    tx.execute(
        sql!("UPDATE mentions SET status = $2, note = $3, version = $4 WHERE mention_id = $1"),
        params![mention.id, mention.status.name(), note, mention.version],
    )?;
    Ok(())
}

/// After a license was deleted: what it listed and no other license lists is on nobody's list any more.
pub fn disown(tx: &mut Tx<'_>, deleted: &License) -> Result<()> {
    let License { talent, watched_until: until, .. } = *deleted;
    let Some(since) = deleted.watched_since else { return Ok(()) };
    // Mostly another license was watched as long, and lists all that this one listed.
    let covered = tx.find(
        sql!(
            "SELECT 1 FROM licenses
             WHERE talent_id = $1 AND watched_since <= $2
               AND (watched_until IS NULL OR watched_until >= CAST($3 AS bigint)) LIMIT 1"
        ),
        params![talent, since, until],
        |_| Ok(()),
    )?;
    if covered.is_some() {
        return Ok(());
    }
    day::discount(tx, talent)?;
    tx.execute(
        sql!(
            "UPDATE mentions SET tenant_id = NULL
             WHERE talent_id = $1 AND tenant_id IS NOT NULL AND (
               SELECT l.license_id FROM licenses l
               WHERE l.talent_id = $1 AND l.watched_since <= mentions.last_seen_at
                 AND (l.watched_until IS NULL OR l.watched_until >= mentions.first_seen_at)
               ORDER BY l.license_id LIMIT 1) IS NULL"
        ),
        params![talent],
    )?;
    Ok(())
}

/// The mentions of these ids that are there, in any order.
pub fn load(tx: &mut Tx<'_>, ids: &[MentionId]) -> Result<Vec<Kept>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT m.mention_id, m.talent_id, m.platform_id, m.url, m.title, m.excerpt,
                   m.author, m.media_type, m.match, m.verdict, m.verdict_reason, m.status, m.note,
                   m.published_at, m.first_seen_at, m.last_seen_at, m.revision, m.version, p.name,
                   t.fullname, m.tenant_id
                 FROM mentions m JOIN platforms p ON p.platform_id = m.platform_id
                 JOIN talents t ON t.talent_id = m.talent_id
                 WHERE m.mention_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("a mention: {what}"))
}

fn read(row: &Row<'_>) -> Result<Kept> {
    let text = |index| row.get::<String>(index);
    let form: MatchForm = serde_json::from_str(&text(8)?).map_err(fault)?;
    let MatchForm { kind, term, confidence, distance } = form;
    let note = row.get::<Option<String>>(12)?.unwrap_or_default();
    let mention = Mention {
        id: row.get(0)?,
        talent: row.get(1)?,
        platform: row.get(2)?,
        url: text(3)?,
        title: text(4)?,
        excerpt: text(5)?,
        author: row.get(6)?,
        media_type: text(7)?.parse().map_err(fault)?,
        found: Match { kind, term, confidence, distance },
        verdict: text(9)?.parse().map_err(fault)?,
        verdict_reason: text(10)?,
        status: text(11)?.parse().map_err(fault)?,
        note: Note::parse(&note).map_err(fault)?,
        published_at: row.get(13)?,
        first_seen_at: row.get(14)?,
        last_seen_at: row.get(15)?,
        revision: row.get(16)?,
        version: row.get(17)?,
    };
    let (platform_name, talent_name) = (text(18)?, text(19)?);
    Ok(Kept { mention, platform_name, talent_name, owner: row.get(20)? })
}
