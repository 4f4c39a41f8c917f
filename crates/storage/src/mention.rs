//! Mentions: recorded sightings of a licensed person.

pub mod inbox;

use grantor_domain::Timestamp;
use grantor_domain::content::{self, ContentUrl};
use grantor_domain::id::{LicenseId, MentionId};
use grantor_domain::mention::{Match, MatchKind, Mention, MentionQuery, MentionStatus, Verdict};
use grantor_domain::note::Note;
use grantor_domain::page::{Listing, Order};
use serde::{Deserialize, Serialize};

use crate::statement::{sql, sql_choice};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx};

/// How many mentions one statement looks up.
const AT_ONCE: usize = 10;

/// A mention with what is shown of where it was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The mention.
    pub mention: Mention,
    /// The platform's name.
    pub platform_name: String,
    /// What its license is called.
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
/// tells it from others of the same license: where that is known already nothing is added, and this
/// gives false.
pub fn insert(tx: &mut Tx<'_>, mention: &Mention, content: &str) -> Result<bool> {
    let added = tx.execute(
        sql!(
            "INSERT INTO mentions (mention_id, license_id, platform_id, url, url_key, title,
               excerpt, author, media_type, match, verdict, verdict_reason, status, note,
               published_at, first_seen_at, last_seen_at, revision, content_digest, tenant_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, (SELECT tenant_id FROM licenses
                 WHERE license_id = $2 AND deleted_at IS NULL))
             ON CONFLICT (license_id, url_key) DO NOTHING"
        ),
        params![
            mention.id,
            mention.license,
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
        ],
    )?;
    Ok(added > 0)
}

/// What was seen of a license at an address, held until the unit of work ends, and what the content
/// was then.
pub fn claim_at(
    tx: &mut Tx<'_>,
    license: LicenseId,
    url: &ContentUrl,
) -> Result<Option<(Shown, Option<String>)>> {
    let found: Option<(MentionId, Option<String>)> = tx.find(
        sql!(
            "SELECT mention_id, content_digest FROM mentions
             WHERE license_id = $1 AND url_key = $2 /*for update*/"
        ),
        params![license, url.key()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let Some((id, content)) = found else { return Ok(None) };
    Ok(find(tx, id)?.map(|shown| (shown, content)))
}

/// Writes that it was seen again, and what is different now.
pub fn see_again(tx: &mut Tx<'_>, mention: &Mention, content: &str) -> Result<()> {
    tx.execute(
        sql!(
            "UPDATE mentions SET platform_id = $2, url = $3, title = $4, excerpt = $5, author = $6,
               media_type = $7, match = $8, verdict = $9, verdict_reason = $10, published_at = $11,
               last_seen_at = $12, revision = $13, version = $14, content_digest = $15
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
        ],
    )?;
    Ok(())
}

/// Writes only that it was seen again.
pub fn touch(tx: &mut Tx<'_>, id: MentionId, now: Timestamp) -> Result<()> {
    tx.execute(
        sql!("UPDATE mentions SET last_seen_at = $2 WHERE mention_id = $1"),
        params![id, now],
    )?;
    Ok(())
}

fn form(found: &Match) -> Result<String> {
    let Match { kind, term, confidence, distance } = found.clone();
    serde_json::to_string(&MatchForm { kind, term, confidence, distance }).map_err(fault)
}

/// The mentions of a license that fit, by when they were first seen.
pub fn list(tx: &mut Tx<'_>, license: LicenseId, query: &MentionQuery) -> Result<Listing<Shown>> {
    let status = query.status.map(MentionStatus::name);
    let verdict = query.verdict.map(Verdict::name);
    let (platform, from, to) = (query.platform, query.from, query.to);
    let total: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM mentions m
             WHERE m.license_id = $1
               AND (CAST($2 AS text) IS NULL OR m.status = $2)
               AND (CAST($3 AS text) IS NULL OR m.verdict = $3)
               AND (CAST($4 AS uuid) IS NULL OR m.platform_id = $4)
               AND (CAST($5 AS bigint) IS NULL OR m.first_seen_at >= $5)
               AND (CAST($6 AS bigint) IS NULL OR m.first_seen_at < $6)"
        ),
        params![license, status, verdict, platform, from, to],
        |row| row.get(0),
    )?;
    let page = query.page;
    let (size, offset) = (page.size(), page.offset());
    let by = match query.order {
        Order::Asc => 0,
        Order::Desc => 1,
    };
    let items =
        sorted(tx, by, params![license, status, verdict, platform, from, to, size, offset])?;
    let total = total.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(Listing::new(page, items, total))
}

/// The mention of this id.
pub fn find(tx: &mut Tx<'_>, id: MentionId) -> Result<Option<Shown>> {
    Ok(load(tx, &[id])?.pop())
}

/// The same, held until the unit of work ends: nobody else changes it meanwhile.
pub fn claim(tx: &mut Tx<'_>, id: MentionId) -> Result<Option<Shown>> {
    tx.lock(sql!("SELECT 1 FROM mentions WHERE mention_id = $1 /*for update*/"), params![id])?;
    find(tx, id)
}

/// Writes what people made of a mention.
pub fn update(tx: &mut Tx<'_>, mention: &Mention) -> Result<()> {
    let note = Some(mention.note.as_str()).filter(|it| !it.is_empty());
    tx.execute(
        sql!("UPDATE mentions SET status = $2, note = $3, version = $4 WHERE mention_id = $1"),
        params![mention.id, mention.status.name(), note, mention.version],
    )?;
    Ok(())
}

/// After its license was deleted: what was seen of it is on nobody's list any more.
pub fn disown(tx: &mut Tx<'_>, license: LicenseId) -> Result<()> {
    tx.execute(
        sql!("UPDATE mentions SET tenant_id = NULL WHERE license_id = $1"),
        params![license],
    )?;
    Ok(())
}

/// The mentions of these ids that are there, in any order.
pub fn load(tx: &mut Tx<'_>, ids: &[MentionId]) -> Result<Vec<Shown>> {
    let mut found = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(AT_ONCE) {
        // What is left over of the statement's places repeats the last id, which changes nothing.
        let id = |at: usize| chunk[at.min(chunk.len() - 1)];
        found.extend(tx.query(
            sql!(
                "SELECT m.mention_id, m.license_id, m.platform_id, m.url, m.title, m.excerpt,
                   m.author, m.media_type, m.match, m.verdict, m.verdict_reason, m.status, m.note,
                   m.published_at, m.first_seen_at, m.last_seen_at, m.revision, m.version, p.name,
                   l.title, t.fullname
                 FROM mentions m JOIN platforms p ON p.platform_id = m.platform_id
                 JOIN licenses l ON l.license_id = m.license_id
                 JOIN talents t ON t.talent_id = l.talent_id
                 WHERE m.mention_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ),
            params![id(0), id(1), id(2), id(3), id(4), id(5), id(6), id(7), id(8), id(9)],
            read,
        )?);
    }
    Ok(found)
}

fn sorted(tx: &mut Tx<'_>, by: usize, key: &[Value<'_>]) -> Result<Vec<Shown>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT m.mention_id, m.license_id, m.platform_id, m.url, m.title, m.excerpt,
               m.author, m.media_type, m.match, m.verdict, m.verdict_reason, m.status, m.note,
               m.published_at, m.first_seen_at, m.last_seen_at, m.revision, m.version, p.name,
               l.title, t.fullname
             FROM mentions m JOIN platforms p ON p.platform_id = m.platform_id
             JOIN licenses l ON l.license_id = m.license_id
             JOIN talents t ON t.talent_id = l.talent_id
             WHERE m.license_id = $1
               AND (CAST($2 AS text) IS NULL OR m.status = $2)
               AND (CAST($3 AS text) IS NULL OR m.verdict = $3)
               AND (CAST($4 AS uuid) IS NULL OR m.platform_id = $4)
               AND (CAST($5 AS bigint) IS NULL OR m.first_seen_at >= $5)
               AND (CAST($6 AS bigint) IS NULL OR m.first_seen_at < $6)
             ORDER BY ",
            ["m.first_seen_at, m.mention_id", "m.first_seen_at DESC, m.mention_id DESC"],
            " LIMIT $7 OFFSET $8"
        ),
        key,
        read,
    )
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("a mention: {what}"))
}

fn read(row: &Row<'_>) -> Result<Shown> {
    let text = |index| row.get::<String>(index);
    let form: MatchForm = serde_json::from_str(&text(8)?).map_err(fault)?;
    let MatchForm { kind, term, confidence, distance } = form;
    let note = row.get::<Option<String>>(12)?.unwrap_or_default();
    let mention = Mention {
        id: row.get(0)?,
        license: row.get(1)?,
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
    let (license_title, talent_name) = (text(19)?, text(20)?);
    Ok(Shown { mention, platform_name: text(18)?, license_title, talent_name })
}
