//! `docs/scaling.md` names exactly what stands between Grantor's SQL and PostgreSQL's distributed
//! relatives: statements, migrations, keys and the place of every table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use grantor_storage::Result;
use grantor_storage::migrate::{MIGRATIONS, RELEASED};
use grantor_storage::schema::{Table, describe};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _};

use super::statements::{all_texts, sources};

/// Rows of the page about statements, and what the statements that they name contain.
const IN_STATEMENTS: [(&str, &str); 4] = [
    ("Claims", "/*skip locked*/"),
    ("Row locks", "/*for update"),
    ("Recursion", "WITH RECURSIVE"),
    ("Windows", " OVER ("),
];

/// Rows of the page about migrations, and what the changes of the schema that they name contain.
const IN_MIGRATIONS: [(&str, &str); 4] = [
    ("Storage parameters", " SET ("),
    ("Column storage", " SET STORAGE "),
    ("Partitions", " PARTITION "),
    ("Blocks of code", "DO $$"),
];

/// Rows of the page about tables.
const PLACES: [&str; 8] = [
    "Tenant, in the key",
    "Tenant, by ID",
    "Part of a record",
    "Two tenants",
    "Person",
    "Everybody",
    "The watched web",
    "Cell",
];

/// Columns that name a tenant.
const TENANT: [&str; 8] = [
    "tenant_id",
    "owner_id",
    "licensor_id",
    "licensee_id",
    "asker_id",
    "holder_id",
    "reader_id",
    "grantee_id",
];

type Schema = BTreeMap<String, Table>;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/scaling.md");
    std::fs::read_to_string(path).unwrap()
}

/// What the last column of a row of the page names.
fn named(page: &str, row: &str) -> BTreeSet<String> {
    let line = page.lines().find(|it| it.starts_with(&format!("| {row} |")));
    let line = line.unwrap_or_else(|| panic!("docs/scaling.md has no row {row}"));
    let cell = line.trim_end_matches(" |").rsplit(" | ").next().unwrap();
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The statements of a migration for PostgreSQL, each on one line.
fn steps(text: &str) -> Vec<String> {
    let (mut sql, mut is_skipping) = (String::new(), false);
    for line in text.lines() {
        if let Some(engine) = line.strip_prefix("-- only ") {
            is_skipping = engine.trim() != "postgres";
        } else if line.trim_end() == "-- end" {
            is_skipping = false;
        } else if !is_skipping {
            sql.push_str(line.split("--").next().unwrap_or_default());
            sql.push('\n');
        }
    }
    let steps = sql.split(';').map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    steps.filter(|it| !it.is_empty()).collect()
}

fn starts_with_any(step: &str, words: &[&str]) -> bool {
    words.iter().any(|it| step.split(' ').next() == Some(*it))
}

fn changes_schema(step: &str) -> bool {
    starts_with_any(step, &["CREATE", "ALTER", "DROP", "DO"])
}

fn changes_rows(step: &str) -> bool {
    starts_with_any(step, &["INSERT", "UPDATE", "DELETE"])
}

/// Whether a migration changes both the schema and rows.
fn is_mixed(steps: &[String]) -> bool {
    steps.iter().any(|it| changes_schema(it)) && steps.iter().any(|it| changes_rows(it))
}

/// Whether the rows that a migration changes are only new ones in tables that it makes.
fn only_fills(steps: &[String]) -> bool {
    let third = |step: &String| step.split(' ').nth(2).map(str::to_owned);
    let made = steps.iter().filter(|it| it.starts_with("CREATE TABLE "));
    let made: BTreeSet<_> = made.filter_map(third).collect();
    let mut changes = steps.iter().filter(|it| changes_rows(it));
    changes
        .all(|it| it.starts_with("INSERT INTO ") && third(it).is_some_and(|it| made.contains(&it)))
}

/// The numbers of the migrations for which this holds.
fn migrations(holds: impl Fn(&[String]) -> bool) -> BTreeSet<String> {
    let found = MIGRATIONS.iter().filter(|it| holds(&steps(it.text)));
    found.map(|it| format!("{:04}", it.version)).collect()
}

/// The sources below a folder of the crates that contain any of these parts.
fn sources_with(folder: &str, parts: &[&str]) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates").join(folder);
    let found = sources(&folder).into_iter().filter(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        path.extension().is_some_and(|it| it == "rs") && parts.iter().any(|it| text.contains(it))
    });
    found.map(|it| it.strip_prefix(&folder).unwrap().display().to_string()).collect()
}

async fn schema() -> Schema {
    let test = TestStore::on(Engine::Sqlite).await;
    let read: Result<_> = test.store.read(describe).await;
    read.unwrap()
}

fn names_a_tenant<'a>(columns: impl IntoIterator<Item = &'a String>) -> bool {
    columns.into_iter().any(|it| TENANT.contains(&it.as_str()))
}

/// Whether a table can have this place, given those that have the first four.
fn fits(place: &str, table: &Table, of_tenants: &BTreeSet<String>) -> bool {
    let in_key = names_a_tenant(&table.primary_key);
    let in_row = names_a_tenant(table.columns.iter().map(|it| &it.name));
    match place {
        "Tenant, in the key" => in_key,
        "Tenant, by ID" => in_row && !in_key,
        "Part of a record" => {
            !in_row && table.references.iter().any(|(_, target)| of_tenants.contains(target))
        }
        "The watched web" | "Cell" => !in_row,
        _ => true,
    }
}

#[test]
fn the_page_names_every_statement_that_others_run_differently() {
    let (page, texts) = (page(), all_texts());
    for (row, part) in IN_STATEMENTS {
        let found = texts.iter().filter(|(_, text)| text.contains(part));
        let found: BTreeSet<_> = found.map(|(file, _)| file.clone()).collect();
        assert_eq!(named(&page, row), found, "{row}");
    }
}

#[test]
fn advisory_locks_are_taken_in_one_file() {
    let mut found = sources_with("", &["advisory_"]);
    found.retain(|it| !it.starts_with("testkit/"));
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(named(&page(), "Advisory locks"), found);
}

#[test]
fn the_page_names_every_file_that_changes_the_schema_while_serving() {
    let parts = ["CREATE TABLE ", "ALTER TABLE ", "DROP TABLE ", "LOCK TABLE "];
    let mut found = sources_with("storage/src", &parts);
    // Migrations and their translation, and the tests of the other engine.
    let known = ["migrate.rs", "dialect.rs", "driver/sqlite/"];
    found.retain(|it| !known.iter().any(|known| it.starts_with(known)));
    assert_eq!(named(&page(), "DDL while serving"), found);
}

#[test]
fn the_page_names_every_migration_that_others_cannot_run() {
    let page = page();
    for (row, part) in IN_MIGRATIONS {
        let has = |steps: &[String]| {
            steps.iter().any(|it| changes_schema(it) && format!(" {it}").contains(part))
        };
        assert_eq!(named(&page, row), migrations(has), "{row}");
    }
    assert_eq!(named(&page, "DDL with DML"), migrations(is_mixed));
}

#[test]
fn no_new_migration_changes_the_schema_and_existing_rows() {
    for migration in MIGRATIONS.iter().filter(|it| it.version > RELEASED) {
        let steps = steps(migration.text);
        assert!(!is_mixed(&steps) || only_fills(&steps), "migration {}", migration.version);
    }
}

#[test]
fn a_migration_that_mixes_is_noticed() {
    let of = |text: &str| {
        let steps = steps(text);
        (is_mixed(&steps), only_fills(&steps))
    };
    assert_eq!(
        of("ALTER TABLE a\n  ADD COLUMN b TEXT;\n-- then\nUPDATE a SET b = '';"),
        (true, false)
    );
    assert_eq!(of("CREATE TABLE a (b TEXT);\nINSERT INTO a SELECT c FROM d;"), (true, true));
    assert_eq!(of("CREATE TABLE a (b TEXT);\nINSERT INTO e SELECT c FROM d;"), (true, false));
    assert_eq!(of("-- only sqlite\nUPDATE a SET b = '';\n-- end\nDROP TABLE a;"), (false, true));
}

#[tokio::test]
async fn every_table_has_a_place_and_the_key_that_it_allows() {
    let (schema, page) = (schema().await, page());
    let placed = PLACES.map(|place| (place, named(&page, place)));
    let mut all: Vec<_> = placed.iter().flat_map(|(_, tables)| tables).collect();
    all.sort();
    assert_eq!(
        all,
        schema.keys().collect::<Vec<_>>(),
        "each table has one place in docs/scaling.md"
    );
    let of_tenants: BTreeSet<_> =
        placed[..4].iter().flat_map(|(_, tables)| tables).cloned().collect();
    for (place, tables) in &placed {
        let wrong: Vec<_> =
            tables.iter().filter(|it| !fits(place, &schema[*it], &of_tenants)).collect();
        assert_eq!(wrong, Vec::<&String>::new(), "{place}");
    }
}

#[tokio::test]
async fn the_page_names_every_index_that_is_unique_over_all_tenants() {
    let (schema, page) = (schema().await, page());
    let of_tenants = PLACES[..4].iter().flat_map(|place| named(&page, place));
    let indexes = of_tenants.flat_map(|it| schema[&it].indexes.clone());
    let found = indexes.filter(|(_, it)| it.unique && !names_a_tenant(&it.columns));
    let found: BTreeSet<_> = found.map(|(name, _)| name).collect();
    assert_eq!(named(&page, "Unique over all tenants"), found);
}

#[tokio::test]
async fn a_table_without_its_tenant_is_noticed() {
    let (schema, none) = (schema().await, BTreeSet::new());
    assert!(!fits("Tenant, in the key", &schema["licenses"], &none));
    assert!(!fits("Tenant, by ID", &schema["license_versions"], &none));
    assert!(!fits("Part of a record", &schema["license_versions"], &none));
    assert!(!fits("Cell", &schema["licenses"], &none));
    let licenses = BTreeSet::from(["licenses".to_owned()]);
    assert!(fits("Part of a record", &schema["license_versions"], &licenses));
}
