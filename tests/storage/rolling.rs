//! Rolling upgrades: nodes of two releases on one database.

use grantor_storage::migrate::{
    MIGRATIONS, Migration, Phase, Plan, PlannedStep, RELEASED, pending, plan_steps, run, run_steps,
};
use grantor_storage::node::{Node, beat, remove};
use grantor_storage::{Error, schema};
use grantor_testkit::store::TestStore;
use grantor_testkit::{db_test, seed};

use super::node::node;
use super::{NOW, id};

const EXPAND: &str = "CREATE TABLE later (\n  a TEXT PRIMARY KEY\n);";
const CONTRACT: &str = "-- phase: contract\nDROP TABLE undo_mentions;";

/// What the next release would have.
fn next_release(text: &'static str) -> &'static [Migration] {
    let own =
        MIGRATIONS.iter().map(|it| Migration { version: it.version, name: it.name, text: it.text });
    Vec::leak(own.chain([Migration { version: 9_000, name: "later", text }]).collect())
}

/// The last migration that programs see which do not know of `schema_steps`.
async fn seen_by_unaware(test: &TestStore) -> String {
    let query = "SELECT CAST(max(version) AS text) FROM schema_migrations";
    seed::rows(&test.options, query).await.remove(0).remove(0)
}

#[db_test]
async fn a_node_serves_with_a_schema_one_version_ahead(test: TestStore) {
    assert_eq!(seen_by_unaware(&test).await, "60", "the last release keeps serving");
    let steps = next_release(EXPAND);
    assert_eq!(run_steps(&test.store, NOW, steps).await, Ok(vec!["later"]));
    assert_eq!(pending(&test.store).await, Ok(0));
    assert_eq!(run(&test.store, NOW).await, Ok(vec![]), "and starts with it");
}

#[db_test]
async fn a_node_serves_before_the_schema_is_contracted(test: TestStore) {
    let (store, steps, old) = (&test.store, next_release(CONTRACT), node(1));
    let own = Node { schema_version: 9_000, ..node(2) };
    store.write(move |tx| beat(tx, &node(1)).and_then(|()| beat(tx, &own))).await.unwrap();
    assert_eq!(run_steps(store, NOW, steps).await, Ok(vec![]), "it waits for the older node");
    let (version, name, phase) = (9_000, "later", Phase::Contract);
    let waits = PlannedStep { version, name, phase, waits_for: vec![old] };
    assert_eq!(plan_steps(store, steps).await, Ok(Plan { steps: vec![waits] }));
    assert_eq!(pending(store).await, Ok(0), "the older node serves");
    let has_table = async || {
        let tables = store.read(schema::describe).await.unwrap();
        tables.contains_key("undo_mentions")
    };
    assert!(has_table().await);

    store.write(|tx| remove(tx, id(1), 1, NOW)).await.unwrap();
    let runs = PlannedStep { version, name, phase, waits_for: vec![] };
    assert_eq!(plan_steps(store, steps).await, Ok(Plan { steps: vec![runs] }));
    assert_eq!(run_steps(store, NOW, steps).await, Ok(vec!["later"]));
    assert!(!has_table().await);
    assert_eq!(plan_steps(store, steps).await, Ok(Plan { steps: vec![] }));
    let Err(Error::Migration(refused)) = run(store, NOW).await else { panic!("it started") };
    assert!(refused.contains("migration 9000 (later), which this version of Grantor"), "{refused}");
    assert_eq!(seen_by_unaware(&test).await, "9000", "nor do older programs start");
}

#[db_test]
async fn the_plan_of_an_empty_database_is_everything(test: TestStore) {
    let empty = TestStore::empty(test.store.engine()).await;
    let plan = plan_steps(&empty.store, next_release(CONTRACT)).await.unwrap();
    assert_eq!(plan.steps.len(), MIGRATIONS.len() + 1);
    assert!(!plan.waits());
}

/// Words of steps that nodes of the last release would notice.
const TAKES_AWAY: [&str; 6] =
    ["DROP TABLE", "DROP COLUMN", "RENAME", "ALTER COLUMN", "ADD CONSTRAINT", "UNIQUE INDEX"];
/// Migrations with such a word that the last release does not notice, with the reason.
const UNNOTICED: [(i64, &str); 3] = [
    (63, "the column is in a table that it creates"),
    (64, "the table of before becomes a part of one with the same name, columns and keys"),
    (74, "on SQLite alone, a table with the same columns and keys takes the place of another"),
];

#[test]
fn a_migration_that_expands_takes_nothing_away() {
    let unnoticed = UNNOTICED.map(|(version, _)| version);
    for step in MIGRATIONS.iter().filter(|step| step.version > RELEASED) {
        let first = step.text.lines().next().unwrap_or_default();
        let named = first.strip_prefix("-- phase: ").unwrap_or("expand");
        assert_eq!(named, step.phase().name(), "{}: an unknown phase", step.name);
        if step.phase() == Phase::Contract {
            continue;
        }
        for line in step.text.lines().filter(|it| !it.starts_with("--")) {
            let takes_away = TAKES_AWAY.iter().any(|it| line.contains(it));
            let is_known = unnoticed.contains(&step.version);
            assert!(!takes_away || is_known, "{}: {line}: is it -- phase: contract?", step.name);
            let adds = line.contains("ADD COLUMN") && line.contains("NOT NULL");
            assert!(!adds || line.contains("DEFAULT"), "{}: {line}: no default", step.name);
        }
    }
}
