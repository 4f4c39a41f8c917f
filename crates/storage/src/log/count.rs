//! How many entries a list of the log has.

use grantor_domain::Timestamp;

use super::Ask;
use crate::statement::sql_choice;
use crate::total::{BOUND, Counted, Total};
use crate::value::Value;
use crate::{Result, Tx};

/// How many entries fit.
pub(super) fn count(tx: &mut Tx<'_>, ask: &Ask<'_>) -> Result<Total> {
    let counted = newest(tx, ask)?;
    counted.total(|| oldest(tx, ask))
}

fn newest(tx: &mut Tx<'_>, ask: &Ask<'_>) -> Result<Counted> {
    let mut params = ask.params().to_vec();
    params.push(Value::Integer(i64::from(BOUND)));
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
        Counted::read,
    )?;
    Ok(found.unwrap_or_default())
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
