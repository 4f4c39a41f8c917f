//! Mentions of a restored license, which lists them again.

use grantor_domain::license::License;

use super::day;
use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// Gives an owner to the mentions without one that this restored license lists.
pub fn restore_owner(tx: &mut Tx<'_>, restored: &License) -> Result<()> {
    let License { tenant, talent, watched_until: until, .. } = *restored;
    let Some(since) = restored.watched_since else { return Ok(()) };
    let counted: Vec<(i64, String, String, i64)> = tx.query(
        sql!(
            "SELECT first_seen_at / 86400000000 AS day, verdict, status,
               count(*) AS total FROM mentions
             WHERE talent_id = $1 AND tenant_id IS NULL AND last_seen_at >= $2
               AND (CAST($3 AS bigint) IS NULL OR first_seen_at <= $3)
             GROUP BY 1, 2, 3"
        ),
        params![talent, since, until],
        |row| Ok((row.get("day")?, row.get("verdict")?, row.get("status")?, row.get("total")?)),
    )?;
    if counted.is_empty() {
        return Ok(());
    }
    for (day, verdict, status, total) in counted {
        day::add(tx, tenant, day, (&verdict, &status), total)?;
    }
    tx.execute(
        sql!(
            "INSERT INTO record_stale (kind, record_id, mark)
             SELECT 'mention', mention_id, 1 FROM mentions
             WHERE talent_id = $1 AND tenant_id IS NULL AND last_seen_at >= $2
               AND (CAST($3 AS bigint) IS NULL OR first_seen_at <= $3)
             ON CONFLICT (kind, record_id) DO UPDATE SET mark = record_stale.mark + 1"
        ),
        params![talent, since, until],
    )?;
    tx.execute(
        sql!(
            "UPDATE mentions SET tenant_id = $4
             WHERE talent_id = $1 AND tenant_id IS NULL AND last_seen_at >= $2
               AND (CAST($3 AS bigint) IS NULL OR first_seen_at <= $3)"
        ),
        params![talent, since, until, tenant],
    )?;
    Ok(())
}
