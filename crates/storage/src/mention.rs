//! Mentions: one appearance of a licensed talent at one URL. A license of the talent lists a
//! mention if the mention was last seen after the license was first watched and first seen before
//! its watching ended. A mention that no license lists has no owner and appears in no list.

pub mod day;
pub mod decision;
pub mod found_by;
pub mod inbox;
mod list;
mod restore;
pub mod reviewer;
mod shown;
pub mod visibility;

use grantor_domain::Timestamp;
use grantor_domain::content::{self, ContentUrl};
use grantor_domain::grant::GrantNumber;
use grantor_domain::id::{GrantId, MentionId, TalentId, TenantId, UserId};
use grantor_domain::license::License;
use grantor_domain::likeness::Placement;
use grantor_domain::mention::{Decided, Match, MatchKind, Mention, VerdictGrant};
use grantor_domain::note::Note;
use serde::{Deserialize, Serialize};

pub use self::list::list;
pub use self::restore::restore_owner;
pub use self::shown::{ListedMention, SourceName, StoredMention};
use crate::record_index::{self, RecordKind};
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Error, Result, Row, Tx};

/// How many mentions one statement looks up.
const AT_ONCE: usize = 10;

/// The JSON form of the `match` column.
#[derive(Serialize, Deserialize)]
struct MatchForm {
    kind: MatchKind,
    term: String,
    confidence: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    placement: Option<Placement>,
}

/// Inserts a mention with the digest of its content. The URL must be canonical: it identifies the
/// mention among those of the talent. Returns false if there is one already.
pub fn insert(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId, content: &str) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO mentions (mention_id, talent_id, platform_id, url, url_key, title,
               excerpt, author, media_type, match, verdict, verdict_reason, status, note,
               published_at, first_seen_at, last_seen_at, revision, content_digest, tenant_id,
               grant_id, source_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20, $21, $22)
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
            mention.grant.map(|it| it.id),
            mention.source,
        ],
    )?;
    if added == 1 {
        day::count(tx, owner, mention)?;
        mark(tx, mention.id)?;
    }
    Ok(added == 1)
}

/// Returns a talent's mention at a URL, with the digest of its content, and locks it until the unit
/// of work ends.
pub fn claim_at(
    tx: &mut Tx<'_>,
    talent: TalentId,
    url: &ContentUrl,
) -> Result<Option<(StoredMention, Option<String>)>> {
    let found: Option<(MentionId, Option<String>)> = tx.find(
        sql!(
            "SELECT mention_id, content_digest FROM mentions
             WHERE talent_id = $1 AND url_key = $2 /*for update*/"
        ),
        params![talent, url.key()],
        |row| Ok((row.get("mention_id")?, row.get("content_digest")?)),
    )?;
    let Some((id, content)) = found else { return Ok(None) };
    Ok(find(tx, id)?.map(|kept| (kept, content)))
}

/// Updates a mention that was seen again. It gets its owner back if it had none.
pub fn update_sighting(
    tx: &mut Tx<'_>,
    mention: &Mention,
    owner: TenantId,
    content: &str,
) -> Result<()> {
    day::recount(tx, owner, mention)?;
    mark_case(tx, mention)?;
    tx.execute(
        sql!(
            "UPDATE mentions SET platform_id = $2, url = $3, title = $4, excerpt = $5, author = $6,
               media_type = $7, match = $8, verdict = $9, verdict_reason = $10, published_at = $11,
               last_seen_at = $12, revision = $13, version = $14, content_digest = $15,
               tenant_id = $16, grant_id = $17, source_id = $18
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
            mention.grant.map(|it| it.id),
            mention.source,
        ],
    )?;
    mark(tx, mention.id)
}

/// Marks a mention for indexing.
fn mark(tx: &mut Tx<'_>, id: MentionId) -> Result<()> {
    record_index::mark(tx, RecordKind::Mention, id.as_uuid())
}

/// Marks the case of a mention whose title is about to change for indexing.
fn mark_case(tx: &mut Tx<'_>, mention: &Mention) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'case', c.mention_id, 1
             FROM cases c JOIN mentions m ON m.mention_id = c.mention_id
             WHERE c.mention_id = $1 AND m.title <> $2
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![mention.id, mention.title],
    )?;
    Ok(())
}

/// Updates only when a mention was last seen.
pub fn touch(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId, now: Timestamp) -> Result<()> {
    let is_back = day::recount(tx, owner, mention)?;
    tx.execute(
        sql!("UPDATE mentions SET last_seen_at = $2, tenant_id = $3 WHERE mention_id = $1"),
        params![mention.id, now, owner],
    )?;
    if is_back { mark(tx, mention.id) } else { Ok(()) }
}

fn form(found: &Match) -> Result<String> {
    let Match { kind, term, confidence, distance, placement } = found.clone();
    serde_json::to_string(&MatchForm { kind, term, confidence, distance, placement }).map_err(fault)
}

/// Returns the mention with this id.
pub fn find(tx: &mut Tx<'_>, id: MentionId) -> Result<Option<StoredMention>> {
    Ok(load(tx, &[id])?.pop())
}

/// Like [`find`], and locks the mention until the unit of work ends.
pub fn claim(tx: &mut Tx<'_>, id: MentionId) -> Result<Option<StoredMention>> {
    tx.lock(sql!("SELECT 1 FROM mentions WHERE mention_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Updates what users change of a mention in its owner's list.
pub fn update(tx: &mut Tx<'_>, mention: &Mention, owner: TenantId) -> Result<()> {
    day::recount(tx, owner, mention)?;
    let note = Some(mention.note.as_str()).filter(|it| !it.is_empty());
    let decided = mention.decided.as_ref();
    tx.execute(
        sql!(
            "UPDATE mentions SET status = $2, note = $3, version = $4, allowed = $5,
               decided_by = $6, decided_by_name = $7, decided_at = $8
             WHERE mention_id = $1"
        ),
        params![
            mention.id,
            mention.status.name(),
            note,
            mention.version,
            mention.allowed,
            decided.map(|it| it.by),
            decided.map(|it| it.by_name.as_str()),
            decided.map(|it| it.at),
        ],
    )?;
    mark(tx, mention.id)
}

/// Clears the owner of the mentions that only this deleted license listed.
pub fn clear_owner(tx: &mut Tx<'_>, deleted: &License) -> Result<()> {
    let License { talent, watched_until: until, .. } = *deleted;
    let Some(since) = deleted.watched_since else { return Ok(()) };
    // Usually another license was watched as long and lists all of them.
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
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'mention', m.mention_id, 1 FROM mentions m
             WHERE m.talent_id = $1 AND m.tenant_id IS NOT NULL AND (
               SELECT l.license_id FROM licenses l
               WHERE l.talent_id = $1 AND l.watched_since <= m.last_seen_at
                 AND (l.watched_until IS NULL OR l.watched_until >= m.first_seen_at)
               ORDER BY l.license_id LIMIT 1) IS NULL
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![talent],
    )?;
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

/// Returns the mentions with these ids, in any order; missing ones are skipped.
pub fn load(tx: &mut Tx<'_>, ids: &[MentionId]) -> Result<Vec<StoredMention>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        found.extend(tx.query(
            sql!(
                "SELECT m.mention_id, m.talent_id, m.platform_id, m.url, m.title, m.excerpt,
                   m.author, m.media_type, m.match, m.verdict, m.verdict_reason, m.status, m.note,
                   m.published_at, m.first_seen_at, m.last_seen_at, m.revision, m.version,
                   p.name AS platform_name, t.fullname, m.tenant_id, m.grant_id, g.year, g.serial,
                   g.licensor_id, g.licensee_id, m.source_id, s.name AS source_name,
                   s.tenant_id AS source_tenant_id, m.allowed, m.decided_by, m.decided_by_name,
                   m.decided_at
                 FROM mentions m JOIN talents t ON t.talent_id = m.talent_id
                 LEFT JOIN platforms p ON p.platform_id = m.platform_id
                 LEFT JOIN sources s ON s.source_id = m.source_id
                 LEFT JOIN grants g ON g.grant_id = m.grant_id
                 WHERE m.mention_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            read,
        )?);
    }
    Ok(found)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid mention: {what}"))
}

fn read(row: &Row<'_>) -> Result<StoredMention> {
    let text = |name| row.get::<String>(name);
    let form: MatchForm = serde_json::from_str(&text("match")?).map_err(fault)?;
    let MatchForm { kind, term, confidence, distance, placement } = form;
    let note = row.get::<Option<String>>("note")?.unwrap_or_default();
    let mention = Mention {
        id: row.get("mention_id")?,
        talent: row.get("talent_id")?,
        platform: row.get("platform_id")?,
        source: row.get("source_id")?,
        url: text("url")?,
        title: text("title")?,
        excerpt: text("excerpt")?,
        author: row.get("author")?,
        media_type: text("media_type")?.parse().map_err(fault)?,
        found: Match { kind, term, confidence, distance, placement },
        verdict: text("verdict")?.parse().map_err(fault)?,
        verdict_reason: text("verdict_reason")?,
        grant: read_grant(row)?,
        status: text("status")?.parse().map_err(fault)?,
        allowed: row.get("allowed")?,
        decided: read_decided(row)?,
        note: Note::parse(&note).map_err(fault)?,
        published_at: row.get("published_at")?,
        first_seen_at: row.get("first_seen_at")?,
        last_seen_at: row.get("last_seen_at")?,
        revision: row.get("revision")?,
        version: row.get("version")?,
    };
    Ok(StoredMention {
        mention,
        platform_name: row.get("platform_name")?,
        source_name: read_source_name(row)?,
        talent_name: text("fullname")?,
        owner: row.get("tenant_id")?,
    })
}

fn read_source_name(row: &Row<'_>) -> Result<Option<SourceName>> {
    let Some(name) = row.get::<Option<String>>("source_name")? else { return Ok(None) };
    Ok(Some(SourceName::new(row.get("source_tenant_id")?, name)))
}

fn read_grant(row: &Row<'_>) -> Result<Option<VerdictGrant>> {
    let Some(id) = row.get::<Option<GrantId>>("grant_id")? else { return Ok(None) };
    let year = u16::try_from(row.get::<u32>("year")?).map_err(fault)?;
    let number = GrantNumber { year, serial: row.get("serial")? };
    let (licensor, licensee) = (row.get("licensor_id")?, row.get("licensee_id")?);
    Ok(Some(VerdictGrant { id, number, licensor, licensee }))
}

fn read_decided(row: &Row<'_>) -> Result<Option<Decided>> {
    let Some(by) = row.get::<Option<UserId>>("decided_by")? else { return Ok(None) };
    Ok(Some(Decided { by, by_name: row.get("decided_by_name")?, at: row.get("decided_at")? }))
}
