//! What the next migration would do, and what it waits for.

use super::history::{check, older_nodes};
use super::{MIGRATIONS, Migration, Phase};
use crate::node::Node;
use crate::schema::has_table;
use crate::{Result, Store, Tx};

/// The pending migrations, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The migrations.
    pub steps: Vec<PlannedStep>,
}

/// A pending migration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStep {
    /// The migration's number.
    pub version: i64,
    /// The migration's name.
    pub name: &'static str,
    /// What it does to older nodes.
    pub phase: Phase,
    /// The older nodes that it waits for.
    pub waits_for: Vec<Node>,
}

impl Plan {
    /// Whether a migration waits for older nodes.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.steps.iter().any(|step| !step.waits_for.is_empty())
    }
}

/// Returns the pending migrations; fails if the database's history does not match.
pub async fn plan(store: &Store) -> Result<Plan> {
    plan_steps(store, MIGRATIONS).await
}

/// Like [`plan`], with other migrations, for tests.
pub async fn plan_steps(store: &Store, steps: &'static [Migration]) -> Result<Plan> {
    store.read(move |tx| read(tx, steps)).await
}

fn read(tx: &mut Tx<'_>, steps: &'static [Migration]) -> Result<Plan> {
    let is_new = !has_table(tx, "schema_migrations")?;
    let applied = if is_new { vec![] } else { check(tx, steps)? };
    let mut planned = Vec::new();
    for step in steps.iter().filter(|step| !applied.contains(&step.version)) {
        let (version, name, phase) = (step.version, step.name, step.phase());
        let contracts = phase == Phase::Contract;
        let waits_for = if contracts { older_nodes(tx, version)? } else { vec![] };
        planned.push(PlannedStep { version, name, phase, waits_for });
    }
    Ok(Plan { steps: planned })
}
