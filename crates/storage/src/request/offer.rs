//! Offers of terms for a request.

use grantor_domain::Timestamp;
use grantor_domain::grant::Party;
use grantor_domain::id::{OfferId, RequestId, TalentId};
use grantor_domain::request::{Offer, OfferStatus};

use super::{fault, from_json, json};
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Row, Tx, only_column};

/// Inserts an offer. The open offer must have been closed before.
pub fn insert(tx: &mut Tx<'_>, offer: &Offer) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO offers (offer_id, request_id, license_version, terms, terms_hash, status,
               expires_at, created_by, author, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
        ),
        params![
            offer.id,
            offer.request,
            offer.license_version,
            json(&offer.terms)?,
            offer.terms_hash,
            offer.status.name(),
            offer.expires_at,
            offer.created_by,
            offer.author,
            offer.created_at,
        ],
    )?;
    Ok(())
}

/// Sets the status of an offer.
pub fn set_status(tx: &mut Tx<'_>, id: OfferId, status: OfferStatus) -> Result<()> {
    tx.execute(
        sql!("UPDATE offers SET status = $2 WHERE offer_id = $1"),
        params![id, status.name()],
    )?;
    Ok(())
}

/// Stores which side withdrew an offer.
pub fn withdraw(tx: &mut Tx<'_>, id: OfferId, by: Party) -> Result<()> {
    tx.execute(
        sql!("UPDATE offers SET status = 'withdrawn', withdrawn_by = $2 WHERE offer_id = $1"),
        params![id, by.name()],
    )?;
    Ok(())
}

/// Records that an exclusive grant is in the way of an open offer. False if that was recorded before.
pub fn mark_blocked(tx: &mut Tx<'_>, id: OfferId, now: Timestamp) -> Result<bool> {
    let changed = tx.execute(
        sql!(
            "UPDATE offers SET blocked_at = $2
             WHERE offer_id = $1 AND status = 'open' AND blocked_at IS NULL"
        ),
        params![id, now],
    )?;
    Ok(changed == 1)
}

/// Returns the open offer of a request.
pub fn find_open(tx: &mut Tx<'_>, request: RequestId) -> Result<Option<Offer>> {
    tx.find(
        sql!(
            "SELECT offer_id, request_id, license_version, terms, terms_hash, status, expires_at,
               created_by, author, created_at, withdrawn_by
             FROM offers WHERE request_id = $1 AND status = 'open'
             ORDER BY offer_id DESC LIMIT 1"
        ),
        params![request],
        read,
    )
}

/// Lists open offers for a talent that have not lapsed now, of requests after a given one.
pub fn list_open_of_talent(
    tx: &mut Tx<'_>,
    talent: TalentId,
    after: RequestId,
    (now, at_most): (Timestamp, u32),
) -> Result<Vec<Offer>> {
    tx.query(
        sql!(
            "SELECT o.offer_id, o.request_id, o.license_version, o.terms, o.terms_hash, o.status,
               o.expires_at, o.created_by, o.author, o.created_at, o.withdrawn_by
             FROM requests r JOIN offers o ON o.request_id = r.request_id AND o.status = 'open'
             WHERE r.talent_id = $1 AND r.status = 'offered' AND r.request_id > $2
               AND r.lapses_at > $3
             ORDER BY r.request_id LIMIT $4"
        ),
        params![talent, after, now, at_most],
        read,
    )
}

/// Returns the status of the last offer of a request.
pub fn last_status(tx: &mut Tx<'_>, request: RequestId) -> Result<Option<OfferStatus>> {
    tx.find(
        sql!("SELECT status FROM offers WHERE request_id = $1 ORDER BY offer_id DESC LIMIT 1"),
        params![request],
        |row| only_column::<String>(row)?.parse().map_err(fault),
    )
}

/// Lists all offers of a request, oldest first.
pub fn list(tx: &mut Tx<'_>, request: RequestId) -> Result<Vec<Offer>> {
    tx.query(
        sql!(
            "SELECT offer_id, request_id, license_version, terms, terms_hash, status, expires_at,
               created_by, author, created_at, withdrawn_by
             FROM offers WHERE request_id = $1 ORDER BY offer_id"
        ),
        params![request],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<Offer> {
    let by: Option<String> = row.get("withdrawn_by")?;
    Ok(Offer {
        id: row.get("offer_id")?,
        request: row.get("request_id")?,
        license_version: row.get("license_version")?,
        terms: from_json(&row.get::<String>("terms")?)?,
        terms_hash: row.get("terms_hash")?,
        status: row.get::<String>("status")?.parse().map_err(fault)?,
        expires_at: row.get("expires_at")?,
        created_by: row.get("created_by")?,
        author: row.get("author")?,
        created_at: row.get("created_at")?,
        withdrawn_by: by.map(|it| it.parse().map_err(fault)).transpose()?,
    })
}
