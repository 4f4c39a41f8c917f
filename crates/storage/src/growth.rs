//! Growth: records of each kind, in total and by the day on which they were created. A job counts
//! them, each once; those that are newer than its last run are counted when they are read.

use std::collections::BTreeMap;

use grantor_domain::growth::GrowthKind;
use uuid::Uuid;

use crate::statement::{sql, sql_choice};
use crate::total::BOUND;
use crate::value::params;
use crate::{Error, Result, Row, Tx};

/// The number of records created on a day, by the number of days since 1970.
pub type Days = BTreeMap<i64, u64>;

/// How far the records of a kind are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// All records with a lower id are counted.
    pub counted_to: Uuid,
    /// How many there are.
    pub total: u64,
}

/// Returns how far each kind is counted. A kind that was never counted is left out.
pub fn marks(tx: &mut Tx<'_>) -> Result<BTreeMap<GrowthKind, Mark>> {
    let found =
        tx.query(sql!("SELECT kind, counted_to, total FROM growth_marks"), params![], |row| {
            let kind = row.get::<String>("kind")?.parse().map_err(Error::Fault)?;
            let total = u64::try_from(row.get::<i64>("total")?).unwrap_or(0);
            Ok((kind, Mark { counted_to: row.get("counted_to")?, total }))
        })?;
    Ok(found.into_iter().collect())
}

/// Counts the records of a kind with an id from `from` up to, but without, `to`.
pub fn count(tx: &mut Tx<'_>, kind: GrowthKind, from: Uuid, to: Uuid) -> Result<Days> {
    let counted = tx.query(
        sql_choice!(
            kind as usize,
            "SELECT ",
            [
                "created_at / 86400000000 AS day, count(*) AS created FROM tenants
                 WHERE tenant_id >= $1 AND tenant_id < $2",
                "created_at / 86400000000 AS day, count(*) AS created FROM users
                 WHERE user_id >= $1 AND user_id < $2",
                "created_at / 86400000000 AS day, count(*) AS created FROM licenses
                 WHERE license_id >= $1 AND license_id < $2",
                "created_at / 86400000000 AS day, count(*) AS created FROM grants
                 WHERE grant_id >= $1 AND grant_id < $2",
                "first_seen_at / 86400000000 AS day, count(*) AS created FROM mentions
                 WHERE mention_id >= $1 AND mention_id < $2",
            ],
            " GROUP BY 1"
        ),
        params![from, to],
        read,
    )?;
    Ok(counted.into_iter().collect())
}

/// Counts the records of a kind with an id from `from` on, the oldest 10,000 of them.
pub fn count_new(tx: &mut Tx<'_>, kind: GrowthKind, from: Uuid) -> Result<Days> {
    let counted = tx.query(
        sql_choice!(
            kind as usize,
            "SELECT day, count(*) AS created FROM (SELECT ",
            [
                "created_at / 86400000000 AS day FROM tenants
                 WHERE tenant_id >= $1 ORDER BY tenant_id",
                "created_at / 86400000000 AS day FROM users
                 WHERE user_id >= $1 ORDER BY user_id",
                "created_at / 86400000000 AS day FROM licenses
                 WHERE license_id >= $1 ORDER BY license_id",
                "created_at / 86400000000 AS day FROM grants
                 WHERE grant_id >= $1 ORDER BY grant_id",
                "first_seen_at / 86400000000 AS day FROM mentions
                 WHERE mention_id >= $1 ORDER BY mention_id",
            ],
            " LIMIT $2) fresh GROUP BY day"
        ),
        params![from, BOUND],
        read,
    )?;
    Ok(counted.into_iter().collect())
}

/// Stores what was counted from the last mark up to `to`. False if another node was first.
pub fn advance(
    tx: &mut Tx<'_>,
    kind: GrowthKind,
    from: Option<Uuid>,
    to: Uuid,
    days: &Days,
) -> Result<bool> {
    let total = integer(days.values().sum());
    let changed = match from {
        Some(from) => tx.execute(
            sql!(
                "UPDATE growth_marks SET counted_to = $3, total = total + $4
                 WHERE kind = $1 AND counted_to = $2"
            ),
            params![kind.name(), from, to, total],
        )?,
        None => tx.execute(
            sql!(
                "INSERT INTO growth_marks (kind, counted_to, total) VALUES ($1, $2, $3)
                 ON CONFLICT (kind) DO NOTHING"
            ),
            params![kind.name(), to, total],
        )?,
    };
    if changed == 0 {
        return Ok(false);
    }
    for (day, created) in days {
        tx.execute(
            sql!(
                "INSERT INTO growth_days (kind, day, created) VALUES ($1, $2, $3)
                 ON CONFLICT (kind, day) DO UPDATE SET created = growth_days.created + $3"
            ),
            params![kind.name(), *day, integer(*created)],
        )?;
    }
    Ok(true)
}

/// Returns the stored counts of a kind since a day.
pub fn days(tx: &mut Tx<'_>, kind: GrowthKind, since: i64) -> Result<Days> {
    let stored = tx.query(
        sql!("SELECT day, created FROM growth_days WHERE kind = $1 AND day >= $2"),
        params![kind.name(), since],
        read,
    )?;
    Ok(stored.into_iter().collect())
}

fn integer(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn read(row: &Row<'_>) -> Result<(i64, u64)> {
    Ok((row.get("day")?, u64::try_from(row.get::<i64>("created")?).unwrap_or(0)))
}
