//! Schema migrations. They run while nodes of the last release serve: those that expand the schema
//! or migrate rows at once, those that contract it when no older node is left. An altered
//! migration, or an unknown one that this program cannot serve with, stops the server from
//! starting.

mod history;
mod phase;
mod plan;
mod steps;

use grantor_domain::Timestamp;

pub(crate) use self::history::{Applied, applied};
use self::history::{check, older_nodes};
pub use self::phase::Phase;
pub use self::plan::{Plan, PlannedStep, plan, plan_steps};
pub use self::steps::{MIGRATIONS, Migration};
use crate::schema::has_table;
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Store, Tx, catalog_address, image, party};

/// The last migration of the last release. Its nodes serve with every later migration that does not
/// contract the schema.
pub const RELEASED: i64 = 60;
/// The last migration of programs that read only `schema_migrations`, and stop at a row that they
/// do not know. Later migrations that they can serve with are recorded in `schema_steps` alone.
const UNAWARE: i64 = 60;

/// The schema that all migrations leave on `SQLite`, for a new store. The migrations would take longer
/// than the rest of the start, because `SQLite` parses the whole schema after each altered table.
pub const SQLITE_SCHEMA: &str = include_str!("migrate/sqlite.sql");

/// The last migration that this program knows.
#[must_use]
pub fn latest() -> i64 {
    MIGRATIONS.last().map_or(0, |step| step.version)
}

const HISTORY: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (
  version BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS schema_steps (
  version BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  phase TEXT NOT NULL,
  needs BIGINT NOT NULL,
  applied_at BIGINT NOT NULL
);";

/// Brings the schema up to date under a lock and returns the names of the applied migrations; one
/// that contracts the schema waits while an older node is alive. Then splits the names that a
/// migration added, and gives pages their addresses, which SQL cannot do; and gives images their
/// tenants, also those that older nodes added.
pub async fn run(store: &Store, now: Timestamp) -> Result<Vec<&'static str>> {
    let applied = store
        .write(move |tx| {
            tx.lock_schema()?;
            let is_new = !has_table(tx, "schema_migrations")?;
            if is_new && tx.is_sqlite() { create(tx, now) } else { migrate(tx, now, MIGRATIONS) }
        })
        .await?;
    while store.write(party::split_names).await? > 0 {}
    while store.write(move |tx| catalog_address::name_pages(tx, now)).await? > 0 {}
    while store.write(image::assign_tenants).await? > 0 {}
    Ok(applied)
}

/// Like [`run`], with these migrations one by one, for tests.
pub async fn run_steps(
    store: &Store,
    now: Timestamp,
    steps: &'static [Migration],
) -> Result<Vec<&'static str>> {
    store
        .write(move |tx| {
            tx.lock_schema()?;
            migrate(tx, now, steps)
        })
        .await
}

/// Creates the schema that the migrations leave.
fn create(tx: &mut Tx<'_>, now: Timestamp) -> Result<Vec<&'static str>> {
    tx.script(SQLITE_SCHEMA)?;
    MIGRATIONS.iter().map(|step| record(tx, step, now).map(|()| step.name)).collect()
}

fn migrate(tx: &mut Tx<'_>, now: Timestamp, steps: &[Migration]) -> Result<Vec<&'static str>> {
    let history = tx.migration_text(HISTORY);
    tx.script(&history)?;
    let applied = check(tx, steps)?;
    let mut done = Vec::new();
    for step in steps.iter().filter(|step| !applied.contains(&step.version)) {
        if step.phase() == Phase::Contract && !older_nodes(tx, step.version)?.is_empty() {
            continue;
        }
        apply(tx, step)?;
        record(tx, step, now)?;
        done.push(step.name);
    }
    Ok(done)
}

/// Returns how many migrations this program needs and are pending; fails if the database's history
/// does not match. A program serves before the schema is contracted.
pub async fn pending(store: &Store) -> Result<usize> {
    store
        .read(|tx| {
            let applied = check(tx, MIGRATIONS)?;
            let needed = MIGRATIONS.iter().filter(|step| step.phase() != Phase::Contract);
            Ok(needed.filter(|step| !applied.contains(&step.version)).count())
        })
        .await
}

fn apply(tx: &mut Tx<'_>, step: &Migration) -> Result<()> {
    let text = tx.migration_text(step.text);
    tx.script(&text).map_err(|error| {
        Error::Migration(format!("migration {} ({}) failed: {error}", step.version, step.name))
    })
}

fn record(tx: &mut Tx<'_>, step: &Migration, now: Timestamp) -> Result<()> {
    let needs = step.needs();
    if needs > UNAWARE || step.version <= UNAWARE {
        tx.execute(
            sql!(
                "INSERT INTO schema_migrations (version, name, checksum, applied_at)
                 VALUES ($1, $2, $3, $4)"
            ),
            params![step.version, step.name, step.checksum(), now],
        )?;
    }
    if step.version > UNAWARE {
        let phase = step.phase().name();
        tx.execute(
            sql!(
                "INSERT INTO schema_steps (version, name, checksum, phase, needs, applied_at)
                 VALUES ($1, $2, $3, $4, $5, $6)"
            ),
            params![step.version, step.name, step.checksum(), phase, needs, now],
        )?;
    }
    Ok(())
}
