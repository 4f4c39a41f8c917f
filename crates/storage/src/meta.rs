//! Facts about the store itself, such as which key ring its sealed values belong to.

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx};

/// The name of the database's own id.
pub const DATABASE_ID: &str = "database_id";

/// The value under a name.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    tx.find(sql!("SELECT value FROM meta WHERE name = $1"), params![name], |row| row.get(0))
}

/// Holds a name until the unit of work ends, whether it has a value or not: whoever else does so
/// waits. A name without a value gets an empty one.
pub fn claim(tx: &mut Tx<'_>, name: &str) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO meta (name, value) VALUES ($1, '')
             ON CONFLICT (name) DO UPDATE SET value = meta.value"
        ),
        params![name],
    )?;
    Ok(())
}

/// Sets a value, whether there was one or not.
pub fn put(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<()> {
    tx.execute(
        sql!(
            "INSERT INTO meta (name, value) VALUES ($1, $2)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        ),
        params![name, value],
    )?;
    Ok(())
}

/// Sets a value unless there is one; gives what is there then.
pub fn put_first(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<String> {
    tx.execute(
        sql!("INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"),
        params![name, value],
    )?;
    Ok(find(tx, name)?.unwrap_or_else(|| value.to_owned()))
}
