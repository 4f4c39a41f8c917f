//! How many entries a list of the log has: counted up to a bound, so that asking costs the same however
//! long the log is.

use grantor_domain::Timestamp;

use super::Ask;
use crate::statement::sql_choice;
use crate::value::Value;
use crate::{Result, Tx};

/// How many entries are counted one by one.
const COUNTED: u32 = 10_000;

/// How many there are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Total {
    /// So many.
    Exact(u64),
    /// More than are counted, and about so many.
    About(u64),
}

/// The newest entries that fit: how many, and the times of the first and last of them.
struct Newest {
    count: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
}

pub(super) fn count(tx: &mut Tx<'_>, ask: &Ask<'_>) -> Result<Total> {
    let newest = newest(tx, ask)?;
    match (newest.first, newest.last) {
        (Some(first), Some(last)) if newest.count > u64::from(COUNTED) => {
            let oldest = oldest(tx, ask)?.unwrap_or(first);
            Ok(Total::About(extrapolate(newest.count, (first, last), oldest)))
        }
        _ => Ok(Total::Exact(newest.count)),
    }
}

/// As many in the time before as in the time that was counted.
fn extrapolate(count: u64, (first, last): (Timestamp, Timestamp), oldest: Timestamp) -> u64 {
    let counted = last.since(first).as_micros().max(1);
    let all = last.since(oldest).as_micros().max(counted);
    u64::try_from(u128::from(count) * all / counted).unwrap_or(u64::MAX)
}

fn newest(tx: &mut Tx<'_>, ask: &Ask<'_>) -> Result<Newest> {
    let mut params = ask.params().to_vec();
    params.push(Value::Integer(i64::from(COUNTED) + 1));
    let found = tx.find(
        sql_choice!(
            ask.way,
            "SELECT count(*), min(created_at), max(created_at) FROM (
               SELECT created_at FROM log_entries WHERE ",
            [
                "tenant_id = $1 AND '' = $2",
                "tenant_id = $1 AND action = $2",
                "tenant_id = $1 AND level <> 'INFO' AND '' = $2",
                "scheme = $1 AND '' = $2",
                "scheme = $1 AND action = $2",
                "scheme = $1 AND level <> 'INFO' AND '' = $2",
            ],
            "    AND created_at >= $3 AND created_at < $4 AND ($5 = '' OR level = $5)
                 AND ($6 = '' OR class = $6) AND ($7 = '' OR scheme = $7)
                 AND ($8 = '' OR words LIKE $8 ESCAPE '\\')
               ORDER BY created_at DESC LIMIT $9) newest"
        ),
        &params,
        |row| {
            let count = u64::try_from(row.get::<i64>(0)?).unwrap_or(0);
            Ok(Newest { count, first: row.get(1)?, last: row.get(2)? })
        },
    )?;
    Ok(found.unwrap_or(Newest { count: 0, first: None, last: None }))
}

fn oldest(tx: &mut Tx<'_>, ask: &Ask<'_>) -> Result<Option<Timestamp>> {
    tx.find(
        sql_choice!(
            ask.way,
            "SELECT created_at FROM log_entries WHERE ",
            [
                "tenant_id = $1 AND '' = $2",
                "tenant_id = $1 AND action = $2",
                "tenant_id = $1 AND level <> 'INFO' AND '' = $2",
                "scheme = $1 AND '' = $2",
                "scheme = $1 AND action = $2",
                "scheme = $1 AND level <> 'INFO' AND '' = $2",
            ],
            " AND created_at >= $3 AND created_at < $4 AND ($5 = '' OR level = $5)
               AND ($6 = '' OR class = $6) AND ($7 = '' OR scheme = $7)
               AND ($8 = '' OR words LIKE $8 ESCAPE '\\')
             ORDER BY created_at LIMIT 1"
        ),
        &ask.params(),
        |row| row.get(0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_counted_is_as_dense_as_what_was() {
        let at = Timestamp::from_secs;
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(100)), 10_001);
        assert_eq!(extrapolate(10_001, (at(100), at(200)), at(-300)), 50_005);
        assert_eq!(extrapolate(10_001, (at(100), at(100)), at(100)), 10_001, "all at once");
    }
}
