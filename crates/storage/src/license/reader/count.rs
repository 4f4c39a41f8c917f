//! Stored counts of visible licenses.

use grantor_domain::Timestamp;
use grantor_domain::license::LicenseStatus;
use uuid::Uuid;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// How many licenses a reader sees, by stored status.
pub(super) struct Counts(Vec<Count>);

struct Count {
    reader: Uuid,
    status: LicenseStatus,
    /// Negative if licenses were counted in another shard before there were several.
    total: i64,
}

impl Counts {
    /// The count of one status, or of all.
    pub(super) fn of(&self, reader: Uuid, status: Option<LicenseStatus>) -> u64 {
        let matching =
            |it: &&Count| it.reader == reader && status.is_none_or(|status| it.status == status);
        let total: i64 = self.0.iter().filter(matching).map(|it| it.total).sum();
        u64::try_from(total).unwrap_or(0)
    }
}

pub(super) fn counts(tx: &mut Tx<'_>, one: Uuid, other: Uuid) -> Result<Counts> {
    tx.query(
        sql!(
            "SELECT reader_id, status, total FROM reader_counts WHERE reader_id = $1
             UNION ALL
             SELECT reader_id, status, total FROM reader_counts
             WHERE reader_id = $2 AND $1 <> $2"
        ),
        params![one, other],
        read_count,
    )
    .map(Counts)
}

/// Counts the reader's licenses that have expired but are not marked as such yet, usually none. The
/// statement starts from the expired licenses (`SQLite` keeps the order of a CROSS JOIN), never
/// from all that the reader sees.
pub(super) fn lapsed(tx: &mut Tx<'_>, reader: Uuid, now: Timestamp) -> Result<Counts> {
    tx.query(
        sql!(
            "SELECT r.reader_id, r.status, count(*) AS total
             FROM licenses l CROSS JOIN license_readers r
             WHERE l.status IN ('private', 'public') AND l.deleted_at IS NULL
               AND l.expires_at <= $2
               AND r.license_id = l.license_id AND r.reader_id = $1
             GROUP BY r.reader_id, r.status"
        ),
        params![reader, now],
        read_count,
    )
    .map(Counts)
}

fn read_count(row: &Row<'_>) -> Result<Count> {
    Ok(Count {
        reader: row.get("reader_id")?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        total: row.get("total")?,
    })
}
