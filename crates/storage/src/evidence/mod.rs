//! Evidence of mentions: one row for each revision. The copies of pictures are objects with the id
//! of the row.

mod copy;

use std::collections::BTreeMap;

use grantor_domain::Timestamp;
use grantor_domain::check::CheckMethod;
use grantor_domain::content::ContentUrl;
use grantor_domain::evidence::{
    Evidence, EvidenceMatch, FoundPicture, Headers, MAX_LISTED, Mark, MissingPicture,
    ReferencePicture, StoredCopy,
};
use grantor_domain::id::{ImageId, MentionId, TalentId, TenantId};
use grantor_domain::image::ImageType;
use grantor_domain::likeness::Placement;
use grantor_domain::page::{Listing, Page};
use grantor_domain::usage::LimitedResource;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

pub use self::copy::{CopiesOf, count_copies, find_copies, list_after, list_existing};
use crate::statement::{sql, sql_choice};
use crate::total::{self, BOUND, Total};
use crate::value::{Value, params};
use crate::{Error, Result, Row, Tx, only_column, usage};

/// The JSON form of the `placement` column. Older rows have no confidence.
#[derive(Serialize, Deserialize)]
struct PlacementForm {
    #[serde(flatten)]
    placement: Placement,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
}

/// Inserts the evidence of a revision. The caller counts its bytes. Returns false if it has
/// evidence already.
pub fn insert(tx: &mut Tx<'_>, tenant: TenantId, evidence: &Evidence) -> Result<bool> {
    let (picture, reference) = (evidence.picture.as_ref(), evidence.reference.as_ref());
    let [copy, reference_copy] = evidence.copies();
    let picture_headers = picture.map(|it| to_json(&it.headers)).transpose()?;
    let placement = placement_form(&evidence.found).as_ref().map(to_json).transpose()?;
    let added = tx.execute(
        sql!(
            "INSERT INTO evidence (evidence_id, mention_id, tenant_id, revision, captured_at,
               method, content_url, url, final_url, status, headers, body_sha256, excerpt, marks,
               match_kind, match_term, distance, picture_url, picture_final_url, picture_status,
               picture_headers, picture_sha256, picture_type, picture_missing, copy_sha256,
               copy_bytes, reference_image_id, reference_sha256, reference_copy_sha256,
               reference_copy_bytes, bytes, previous_sha256, sha256, match_method, placement)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
               $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33, $34,
               $35)
             ON CONFLICT (mention_id, revision) DO NOTHING"
        ),
        params![
            evidence.id,
            evidence.mention,
            tenant,
            evidence.revision,
            evidence.captured_at,
            evidence.method.name(),
            evidence.content_url,
            evidence.url,
            evidence.final_url,
            evidence.status.map(u32::from),
            to_json(&evidence.headers)?,
            evidence.body_sha256,
            evidence.text,
            to_json(&evidence.marks)?,
            evidence.found.kind.name(),
            evidence.found.term,
            evidence.found.distance,
            picture.map(|it| it.url.as_str()),
            picture.and_then(|it| it.final_url.as_deref()),
            picture.and_then(|it| it.status).map(u32::from),
            picture_headers,
            picture.and_then(|it| it.sha256.as_deref()),
            picture.and_then(|it| it.content_type).map(ImageType::name),
            picture.and_then(|it| it.missing).map(MissingPicture::name),
            copy.map(|it| it.sha256.as_str()),
            copy.map(|it| it.bytes),
            reference.map(|it| it.image_id),
            reference.and_then(|it| it.sha256.as_deref()),
            reference_copy.map(|it| it.sha256.as_str()),
            reference_copy.map(|it| it.bytes),
            i64::try_from(evidence.bytes()).unwrap_or(i64::MAX),
            evidence.previous_sha256,
            evidence.sha256,
            evidence.found.method.map(CheckMethod::name),
            placement,
        ],
    )?;
    Ok(added == 1)
}

/// Adds the bytes of copies to a tenant's usage.
pub fn count_bytes(tx: &mut Tx<'_>, tenant: TenantId, bytes: u64) -> Result<()> {
    let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
    usage::add(tx, tenant, LimitedResource::ImageBytes, bytes)
}

/// Whether a sighting of content with this digest needs evidence: its mention is new, has changed,
/// or has no evidence yet.
pub fn is_wanted(
    tx: &mut Tx<'_>,
    talent: TalentId,
    url: &ContentUrl,
    digest: &str,
) -> Result<bool> {
    let known: Option<(Option<String>, Option<u32>)> = tx.find(
        sql!(
            "SELECT m.content_digest, e.revision FROM mentions m
             LEFT JOIN evidence e ON e.mention_id = m.mention_id AND e.revision = m.revision
             WHERE m.talent_id = $1 AND m.url_key = $2"
        ),
        params![talent, url.key()],
        |row| Ok((row.get("content_digest")?, row.get("revision")?)),
    )?;
    Ok(match known {
        Some((before, Some(_))) => before.as_deref() != Some(digest),
        _ => true,
    })
}

/// Returns the hash of the newest evidence of a mention before a revision.
pub fn last_hash(tx: &mut Tx<'_>, mention: MentionId, before: u32) -> Result<Option<String>> {
    tx.find(
        sql!(
            "SELECT sha256 FROM evidence WHERE mention_id = $1 AND revision < $2
             ORDER BY revision DESC LIMIT 1"
        ),
        params![mention, before],
        only_column,
    )
}

/// Lists the newest evidence of a mention, up to [`MAX_LISTED`] revisions, oldest first.
pub fn list(tx: &mut Tx<'_>, mention: MentionId) -> Result<Vec<Evidence>> {
    let mut found = select(tx, 0, params![mention, MAX_LISTED])?;
    found.reverse();
    Ok(found)
}

/// Lists a page of the evidence of a mention, oldest first.
pub fn page(tx: &mut Tx<'_>, mention: MentionId, page: Page) -> Result<Listing<Evidence>> {
    let found = select(tx, 1, params![mention, page.size() + 1, page.offset()])?;
    total::listing(page, found, || count(tx, mention))
}

/// Lists the evidence of a mention after a revision, up to `at_most`, oldest first.
pub fn list_after_revision(
    tx: &mut Tx<'_>,
    mention: MentionId,
    after: u32,
    at_most: u32,
) -> Result<Vec<Evidence>> {
    select(tx, 2, params![mention, at_most, after])
}

/// The first of this many newest revisions of a mention that have evidence. `None` if there are
/// fewer.
pub fn first_of_newest(tx: &mut Tx<'_>, mention: MentionId, count: u32) -> Result<Option<u32>> {
    tx.find(
        sql!(
            "SELECT revision FROM evidence WHERE mention_id = $1
             ORDER BY revision DESC LIMIT 1 OFFSET $2"
        ),
        params![mention, i64::from(count.saturating_sub(1))],
        only_column,
    )
}

fn select(tx: &mut Tx<'_>, by: usize, values: &[Value<'_>]) -> Result<Vec<Evidence>> {
    tx.query(
        sql_choice!(
            by,
            "SELECT evidence_id, mention_id, revision, captured_at, method, content_url, url,
               final_url, status, headers, body_sha256, excerpt, marks, match_kind, match_term,
               distance, picture_url, picture_final_url, picture_status, picture_headers,
               picture_sha256, picture_type, picture_missing, copy_sha256, copy_bytes,
               reference_image_id, reference_sha256, reference_copy_sha256, reference_copy_bytes,
               previous_sha256, sha256, match_method, placement
             FROM evidence WHERE mention_id = $1",
            [
                " ORDER BY revision DESC LIMIT $2",
                " ORDER BY revision LIMIT $2 OFFSET $3",
                " AND revision > $3 ORDER BY revision LIMIT $2",
            ],
            ""
        ),
        values,
        read,
    )
}

/// Counts up to [`BOUND`] revisions of a mention.
fn count(tx: &mut Tx<'_>, mention: MentionId) -> Result<Total> {
    let found: Option<i64> = tx.find(
        sql!(
            "SELECT count(*) FROM (
               SELECT revision FROM evidence WHERE mention_id = $1 LIMIT $2) found"
        ),
        params![mention, BOUND],
        only_column,
    )?;
    let found = found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
    Ok(if found == u64::from(BOUND) { Total::About(found) } else { Total::Exact(found) })
}

/// Deletes evidence captured before this time. Its copies become orphans, which are swept.
pub fn delete_before(tx: &mut Tx<'_>, before: Timestamp, at_most: u32) -> Result<u64> {
    let deleted: Vec<(TenantId, i64)> = tx.query(
        sql!(
            "DELETE FROM evidence WHERE evidence_id IN (
               SELECT evidence_id FROM evidence WHERE captured_at < $1 LIMIT $2)
             RETURNING tenant_id, bytes"
        ),
        params![before, at_most],
        |row| Ok((row.get("tenant_id")?, row.get("bytes")?)),
    )?;
    // By tenant, so that two units of work cannot deadlock on the usage.
    let mut freed: BTreeMap<TenantId, i64> = BTreeMap::new();
    for (tenant, bytes) in &deleted {
        *freed.entry(*tenant).or_default() += bytes;
    }
    for (tenant, bytes) in freed.into_iter().filter(|it| it.1 > 0) {
        usage::add(tx, tenant, LimitedResource::ImageBytes, -bytes)?;
    }
    Ok(deleted.len() as u64)
}

fn to_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value).map_err(fault)
}

fn from_json<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(fault)
}

fn fault(what: impl std::fmt::Display) -> Error {
    Error::Fault(format!("invalid evidence: {what}"))
}

fn placement_form(found: &EvidenceMatch) -> Option<PlacementForm> {
    let placement = found.placement.clone()?;
    Some(PlacementForm { placement, confidence: found.confidence })
}

fn status(row: &Row<'_>, name: &str) -> Result<Option<u16>> {
    let status = row.get::<Option<u32>>(name)?;
    status.map(u16::try_from).transpose().map_err(fault)
}

fn read(row: &Row<'_>) -> Result<Evidence> {
    let text = |name| row.get::<String>(name);
    Ok(Evidence {
        id: row.get("evidence_id")?,
        mention: row.get("mention_id")?,
        revision: row.get("revision")?,
        captured_at: row.get("captured_at")?,
        method: text("method")?.parse().map_err(fault)?,
        content_url: text("content_url")?,
        url: text("url")?,
        final_url: row.get("final_url")?,
        status: status(row, "status")?,
        headers: from_json(&text("headers")?)?,
        body_sha256: text("body_sha256")?,
        text: text("excerpt")?,
        marks: from_json::<Vec<Mark>>(&text("marks")?)?,
        found: read_match(row)?,
        picture: read_picture(row)?,
        reference: read_reference(row)?,
        previous_sha256: row.get("previous_sha256")?,
        sha256: text("sha256")?,
    })
}

fn read_match(row: &Row<'_>) -> Result<EvidenceMatch> {
    let (method, placement): (Option<String>, Option<String>) =
        (row.get("match_method")?, row.get("placement")?);
    let form = placement.map(|it| from_json::<PlacementForm>(&it)).transpose()?;
    Ok(EvidenceMatch {
        kind: row.get::<String>("match_kind")?.parse().map_err(fault)?,
        term: row.get("match_term")?,
        distance: row.get("distance")?,
        method: method.map(|it| it.parse()).transpose().map_err(fault)?,
        confidence: form.as_ref().and_then(|it| it.confidence),
        placement: form.map(|it| it.placement),
    })
}

fn read_picture(row: &Row<'_>) -> Result<Option<FoundPicture>> {
    let Some(url) = row.get::<Option<String>>("picture_url")? else { return Ok(None) };
    let optional = |name| row.get::<Option<String>>(name);
    let headers = optional("picture_headers")?.map(|it| from_json::<Headers>(&it)).transpose()?;
    let content_type =
        optional("picture_type")?.map(|it| it.parse::<ImageType>()).transpose().map_err(fault)?;
    let missing = optional("picture_missing")?
        .map(|it| it.parse::<MissingPicture>())
        .transpose()
        .map_err(fault)?;
    Ok(Some(FoundPicture {
        url,
        final_url: optional("picture_final_url")?,
        status: status(row, "picture_status")?,
        headers: headers.unwrap_or_default(),
        content_type,
        sha256: optional("picture_sha256")?,
        copy: read_copy(row, ["copy_sha256", "copy_bytes"])?,
        missing,
    }))
}

fn read_reference(row: &Row<'_>) -> Result<Option<ReferencePicture>> {
    let Some(image_id) = row.get::<Option<ImageId>>("reference_image_id")? else { return Ok(None) };
    let (sha256, copy) = (
        row.get("reference_sha256")?,
        read_copy(row, ["reference_copy_sha256", "reference_copy_bytes"])?,
    );
    Ok(Some(ReferencePicture { image_id, sha256, copy }))
}

/// Reads the SHA-256 and the length of a copy from these columns.
fn read_copy(row: &Row<'_>, [sha256, bytes]: [&str; 2]) -> Result<Option<StoredCopy>> {
    let (sha256, bytes): (Option<String>, Option<u32>) = (row.get(sha256)?, row.get(bytes)?);
    Ok(sha256.zip(bytes).map(|(sha256, bytes)| StoredCopy { sha256, bytes }))
}
