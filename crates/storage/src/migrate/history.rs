//! The migrations that a database has, and whether this program can serve with them.

use super::Migration;
use crate::node::Node;
use crate::schema::has_table;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx, node};

/// An applied migration.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// The migration's number.
    pub(crate) version: i64,
    /// The migration's name.
    pub(crate) name: String,
    /// The checksum of its text.
    pub(crate) checksum: String,
    /// The last migration that a program must know to serve with it.
    needs: i64,
}

/// Every applied migration in order.
pub(crate) fn applied(tx: &mut Tx<'_>) -> Result<Vec<Applied>> {
    let mut all = tx.query(
        sql!("SELECT version, name, checksum FROM schema_migrations ORDER BY version"),
        params![],
        |row| {
            let version = row.get("version")?;
            Ok(Applied {
                version,
                name: row.get("name")?,
                checksum: row.get("checksum")?,
                needs: version,
            })
        },
    )?;
    // A database of an older version does not have this table before the first start.
    if has_table(tx, "schema_steps")? {
        let steps = tx.query(
            sql!("SELECT version, name, checksum, needs FROM schema_steps ORDER BY version"),
            params![],
            |row| {
                let (version, name) = (row.get("version")?, row.get("name")?);
                Ok(Applied {
                    version,
                    name,
                    checksum: row.get("checksum")?,
                    needs: row.get("needs")?,
                })
            },
        )?;
        all.retain(|it| !steps.iter().any(|step| step.version == it.version));
        all.extend(steps);
    }
    all.sort_by_key(|it| it.version);
    Ok(all)
}

/// Returns which of these migrations are applied. Fails if one was altered, or if there is another
/// with which a program that knows only these cannot serve.
pub(super) fn check(tx: &mut Tx<'_>, steps: &[Migration]) -> Result<Vec<i64>> {
    let latest = steps.last().map_or(0, |step| step.version);
    let mut known = Vec::new();
    for Applied { version, name, checksum, needs } in applied(tx)? {
        match steps.iter().find(|step| step.version == version) {
            Some(step) if step.checksum() == checksum => known.push(version),
            Some(_) => {
                return Err(Error::Migration(format!(
                    "migration {version} ({name}) was altered after it was applied: restore its \
                     text, or the backup made before it"
                )));
            }
            None if needs <= latest => {}
            None => {
                return Err(Error::Migration(format!(
                    "the database has migration {version} ({name}), which this version of Grantor \
                     does not know: run the newer version"
                )));
            }
        }
    }
    Ok(known)
}

/// The nodes whose program does not know this migration.
pub(super) fn older_nodes(tx: &mut Tx<'_>, version: i64) -> Result<Vec<Node>> {
    if !has_table(tx, "nodes")? {
        return Ok(vec![]);
    }
    let mut nodes = node::list(tx)?;
    nodes.retain(|it| it.schema_version < version);
    Ok(nodes)
}
