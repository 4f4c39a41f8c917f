//! The copies of pictures that evidence has.

use std::collections::HashSet;

use grantor_domain::evidence::StoredCopy;
use grantor_domain::id::EvidenceId;
use uuid::Uuid;

use super::read_copy;
use crate::statement::sql;
use crate::value::{padded, params};
use crate::{Result, Row, Tx, only_column};

/// How many ids one statement looks up.
const AT_ONCE: usize = 20;

/// The copies of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopiesOf {
    /// The row.
    pub id: EvidenceId,
    /// The copy of the found picture.
    pub picture: Option<StoredCopy>,
    /// The copy of the reference image.
    pub reference: Option<StoredCopy>,
}

/// Returns the ids for which a row with copies exists.
pub fn list_existing(tx: &mut Tx<'_>, ids: &[EvidenceId]) -> Result<HashSet<EvidenceId>> {
    let mut known = HashSet::new();
    for chunk in ids.chunks(AT_ONCE) {
        known.extend(tx.query(
            sql!(
                "SELECT evidence_id FROM evidence
                 WHERE bytes > 0 AND evidence_id IN ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                   $12, $13, $14, $15, $16, $17, $18, $19, $20)"
            ),
            &padded::<_, AT_ONCE>(chunk),
            only_column::<EvidenceId>,
        )?);
    }
    Ok(known)
}

/// Counts the copies of all rows.
pub fn count_copies(tx: &mut Tx<'_>) -> Result<u64> {
    let found: Option<i64> = tx.find(
        sql!("SELECT count(copy_bytes) + count(reference_copy_bytes) FROM evidence"),
        params![],
        only_column,
    )?;
    Ok(found.and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
}

/// Returns the copies of a row.
pub fn find_copies(tx: &mut Tx<'_>, id: EvidenceId) -> Result<Option<CopiesOf>> {
    tx.find(
        sql!(
            "SELECT evidence_id, copy_sha256, copy_bytes, reference_copy_sha256,
               reference_copy_bytes
             FROM evidence WHERE evidence_id = $1"
        ),
        params![id],
        read,
    )
}

/// Lists the copies of the rows after this id, ordered by id.
pub fn list_after(
    tx: &mut Tx<'_>,
    after: Option<EvidenceId>,
    at_most: usize,
) -> Result<Vec<CopiesOf>> {
    let after = after.map_or(Uuid::nil(), EvidenceId::as_uuid);
    let at_most = i64::try_from(at_most).unwrap_or(i64::MAX);
    tx.query(
        sql!(
            "SELECT evidence_id, copy_sha256, copy_bytes, reference_copy_sha256,
               reference_copy_bytes
             FROM evidence WHERE evidence_id > $1 ORDER BY evidence_id LIMIT $2"
        ),
        params![after, at_most],
        read,
    )
}

fn read(row: &Row<'_>) -> Result<CopiesOf> {
    Ok(CopiesOf {
        id: row.get("evidence_id")?,
        picture: read_copy(row, ["copy_sha256", "copy_bytes"])?,
        reference: read_copy(row, ["reference_copy_sha256", "reference_copy_bytes"])?,
    })
}
