//! Facts about the store itself, such as the key ring that its sealed values belong to.

use crate::statement::sql;
use crate::value::params;
use crate::{Result, Tx, only_column};

/// The name under which the database's id is stored.
pub const DATABASE_ID: &str = "database_id";
/// The name under which the progress of sample data is stored.
pub const SAMPLE: &str = "demo";
/// The progress of sample data that is being created, or was interrupted.
pub const SAMPLE_BEGUN: &str = "begun";
/// The progress of sample data that is complete.
pub const SAMPLE_FINISHED: &str = "finished";

/// Returns the value of a name.
pub fn find(tx: &mut Tx<'_>, name: &str) -> Result<Option<String>> {
    tx.find(sql!("SELECT value FROM meta WHERE name = $1"), params![name], only_column)
}

/// Locks a name until the unit of work ends, whether it has a value or not. A name without a value
/// gets an empty one.
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

/// Inserts or updates a value.
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

/// Inserts a value unless there is one, and returns the stored value.
pub fn put_first(tx: &mut Tx<'_>, name: &str, value: &str) -> Result<String> {
    tx.execute(
        sql!("INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING"),
        params![name, value],
    )?;
    Ok(find(tx, name)?.unwrap_or_else(|| value.to_owned()))
}
