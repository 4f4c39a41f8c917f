//! The schema's history: applied once, never altered, all of a step or nothing.

use std::collections::BTreeSet;
use std::path::Path;

use grantor_domain::platform::PlatformStatus;
use grantor_domain::usage::ResourceUsage;
use grantor_storage::migrate::{MIGRATIONS, Migration, SQLITE_SCHEMA, pending, run, run_steps};
use grantor_storage::schema::describe;
use grantor_storage::{Error, Result, Store, platform, usage};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use tokio::task::JoinSet;

use super::NOW;

/// A store without any schema.
pub(super) struct Bare(pub(super) TestStore);

impl Fixture for Bare {
    async fn on(engine: Engine) -> Self {
        Self(TestStore::empty(engine).await)
    }
}

const FIRST: &str = "CREATE TABLE first (\n  name TEXT PRIMARY KEY\n);";
const SECOND: &str = "CREATE TABLE second (\n  name TEXT PRIMARY KEY\n);";

/// Steps numbered from 1, for a program that never was.
fn steps(texts: &[&'static str]) -> &'static [Migration] {
    let step = |(text, version): (&&'static str, i64)| Migration { version, name: "step", text };
    Vec::leak(texts.iter().zip(1..).map(step).collect())
}

async fn tables(store: &Store) -> BTreeSet<String> {
    let described: Result<_> = store.read(describe).await;
    described.unwrap().into_keys().collect()
}

fn refusal(outcome: Result<Vec<&'static str>>) -> String {
    match outcome {
        Err(Error::Migration(text)) => text,
        other => panic!("{other:?} is no refusal"),
    }
}

#[test]
fn the_table_is_the_folder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    let table: Vec<(String, String)> = MIGRATIONS
        .iter()
        .map(|step| (format!("{:04}_{}.sql", step.version, step.name), step.text.to_owned()))
        .collect();
    assert_eq!(files, table);
    assert!(MIGRATIONS.iter().zip(1..).all(|(step, place)| step.version == place));
}

#[db_test]
async fn a_second_run_applies_nothing(Bare(test): Bare) {
    let names: Vec<_> = MIGRATIONS.iter().map(|step| step.name).collect();
    assert_eq!(run(&test.store, NOW).await, Ok(names));
    assert_eq!(run(&test.store, NOW).await, Ok(vec![]));
    assert_eq!(pending(&test.store).await, Ok(0));
}

#[db_test]
async fn a_later_version_applies_only_what_is_new(Bare(test): Bare) {
    run_steps(&test.store, NOW, steps(&[FIRST])).await.unwrap();
    assert_eq!(run_steps(&test.store, NOW, steps(&[FIRST, SECOND])).await, Ok(vec!["step"]));
    let expected = ["first", "schema_migrations", "schema_steps", "second"].map(str::to_owned);
    assert_eq!(tables(&test.store).await, expected.into());
}

#[db_test]
async fn an_altered_migration_stops(Bare(test): Bare) {
    run_steps(&test.store, NOW, steps(&[FIRST])).await.unwrap();
    let altered = FIRST.replace("name TEXT", "title TEXT").leak();
    let outcome = run_steps(&test.store, NOW, steps(&[altered, SECOND])).await;
    assert_eq!(
        refusal(outcome),
        "migration 1 (step) was altered after it was applied: restore its text, or the backup made \
         before it"
    );
    assert!(!tables(&test.store).await.contains("second"));
}

#[db_test]
async fn an_unknown_migration_stops(Bare(test): Bare) {
    run_steps(&test.store, NOW, steps(&[FIRST, SECOND])).await.unwrap();
    let outcome = run_steps(&test.store, NOW, steps(&[FIRST])).await;
    assert_eq!(
        refusal(outcome),
        "the database has migration 2 (step), which this version of Grantor does not know: run the \
         newer version"
    );
}

#[db_test]
async fn a_failing_migration_leaves_nothing_behind(Bare(test): Bare) {
    let broken = "CREATE TABLE third (\n  name TEXT PRIMARY KEY\n);\nCREATE TABEL oops (\n);";
    let outcome = run_steps(&test.store, NOW, steps(&[FIRST, SECOND, broken])).await;
    let text = refusal(outcome);
    assert!(text.starts_with("migration 3 (step) failed: "), "{text}");
    assert_eq!(tables(&test.store).await, BTreeSet::new());
    // Corrected, it applies.
    let applied = run_steps(&test.store, NOW, steps(&[FIRST, SECOND])).await.unwrap();
    assert_eq!(applied.len(), 2);
}

/// How to take over a changed schema is in docs/storage.md.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_sqlite_store_has_the_schema_that_the_migrations_leave() {
    let migrated = TestStore::empty(Engine::Sqlite).await;
    run_steps(&migrated.store, NOW, MIGRATIONS).await.unwrap();
    let schema = sqlite_schema(&migrated).await;
    if schema != SQLITE_SCHEMA {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/sqlite.sql");
        std::fs::write(&file, &schema).unwrap();
    }
    assert!(schema == SQLITE_SCHEMA, "cp target/sqlite.sql crates/storage/src/migrate/sqlite.sql");

    let new = TestStore::empty(Engine::Sqlite).await;
    run(&new.store, NOW).await.unwrap();
    assert_eq!(sqlite_schema(&new).await, schema);
    for table in tables(&new.store).await {
        let count = format!("SELECT CAST(COUNT(*) AS TEXT) FROM {table}");
        let [new, migrated] = [&new, &migrated].map(|it| seed::rows(&it.options, &count));
        assert_eq!(new.await, migrated.await, "{table}");
    }
}

async fn sqlite_schema(test: &TestStore) -> String {
    let statements = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
    let lines = seed::rows(&test.options, statements).await;
    lines.concat().into_iter().map(|it| it + ";\n").collect()
}

#[db_test]
async fn eight_nodes_that_start_together_migrate_once(Bare(test): Bare) {
    let mut nodes = Vec::new();
    for _ in 0..8 {
        nodes.push(Store::open(&test.options).await.unwrap());
    }
    let mut runs = JoinSet::new();
    for node in nodes {
        runs.spawn(async move { run(&node, NOW).await.unwrap().len() });
    }
    let mut applied = runs.join_all().await;
    applied.sort_unstable();
    assert_eq!(applied, [0, 0, 0, 0, 0, 0, 0, MIGRATIONS.len()]);
}

#[db_test]
async fn what_was_owned_before_there_was_a_list_of_it_is_listed(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "own_and_verified").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 3).await;
    let own = seed::reader_rows(&test.options, seed::SAMPLE_OWNER).await;
    seed::forget_reader(&test.options, seed::SAMPLE_OWNER).await;
    assert_eq!(seed::reader_rows(&test.options, seed::SAMPLE_OWNER).await.len(), 0);
    run(&test.store, NOW).await.unwrap();
    assert_eq!((own.len(), seed::reader_rows(&test.options, seed::SAMPLE_OWNER).await), (4, own));
}

#[db_test]
async fn drafts_that_were_shared_before_are_listed_for_viewers(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "shared_drafts").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 4).await;
    let viewer = "40000000-0000-0000-0000-000000000001";
    let id = |text: &str| seed::id(&test.options, text);
    let rows =
        [(1, "viewer"), (2, "viewer"), (3, "trustee"), (4, "viewer")].map(|(number, role)| {
            let license = id(&format!("30000000-0000-0000-0000-00000000000{number}"));
            let grantee = id(viewer);
            format!("({license}, {license}, 'organization', {grantee}, '{role}', {grantee}, 1)")
        });
    let script = format!(
        "UPDATE licenses SET status = 'draft' WHERE title <> 'License 4';
         INSERT INTO permissions VALUES {}",
        rows.join(", ")
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let listed = seed::reader_rows(&test.options, viewer).await;
    let titles: Vec<_> = listed.iter().map(|row| row[..4].join(" ")).collect();
    let row = |it: u8| format!("License {it} draft advertising 0");
    assert_eq!(titles, [" draft 2 ".to_owned(), row(1), row(2)], "the count, then the rows");
}

#[db_test]
async fn what_was_seen_and_logged_before_finds_its_owner_and_its_license(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "console").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 2).await;
    let (one, two) =
        ("30000000-0000-0000-0000-000000000001", "30000000-0000-0000-0000-000000000002");
    let id = |text: &str| seed::id(&test.options, text);
    let tenant = id("10000000-0000-0000-0000-000000000001");
    let mention = |license: &str| {
        format!(
            "INSERT INTO mentions (mention_id, license_id, platform_id, url, url_key, title, excerpt,
               media_type, match, verdict, verdict_reason, status, first_seen_at, last_seen_at,
               revision)
             VALUES ({0}, {0}, {tenant}, '', '{license}', '', '', 'text', '{{}}', 'licensed', '', 'new',
               1, 1, 1);",
            id(license)
        )
    };
    let script = format!(
        "INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
           VALUES ({tenant}, {tenant}, 'Site', 'site.test', 1);
         {}{}UPDATE licenses SET deleted_at = 1 WHERE license_id = {};
         INSERT INTO log_entries (tenant_id, created_at, log_id, class, scheme, level, action,
           message, actor_kind, actor_name, resource_type, resource_id, duration_micros, details)
         VALUES ({tenant}, 1, {tenant}, 'audit', 'console', 'INFO', 'license.update', '', 'user', '',
           'license', '{one}', 0, '{{}}')",
        mention(one),
        mention(two),
        id(two),
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let query = format!(
        "SELECT CAST(count(tenant_id) AS text), CAST(count(*) AS text),
           (SELECT CAST(count(*) AS text) FROM log_entries WHERE license_id = {})
         FROM mentions",
        id(one)
    );
    assert_eq!(seed::rows(&test.options, &query).await, [["1", "2", "1"]]);
}

#[db_test]
async fn what_a_tenant_has_is_counted_once(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "bounds").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 3).await;
    let id = |text: &str| seed::id(&test.options, text);
    let license = |number: u32| id(&format!("30000000-0000-0000-0000-00000000000{number}"));
    let script = format!(
        "INSERT INTO images (image_id, license_id, content_type, width, height, bytes, sha256,
           created_at)
         VALUES ({0}, {0}, 'image/png', 1, 1, 70, '', 1), ({1}, {0}, 'image/png', 1, 1, 7, '', 1);
         UPDATE licenses SET deleted_at = 1 WHERE license_id = {1}",
        license(1),
        license(2),
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let tenant = "10000000-0000-0000-0000-000000000001".parse().unwrap();
    let used: Result<_> = test.store.read(move |tx| usage::find(tx, tenant)).await;
    let expected =
        ResourceUsage { image_bytes: 77, talents: 1, licenses: 2, ..ResourceUsage::default() };
    assert_eq!(used.unwrap(), expected);
}

#[db_test]
async fn platforms_of_before_stay_and_are_to_be_proved(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "platforms").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    let text = "0190a5e4-7b3c-7def-8123-0000000000aa";
    let id = seed::id(&test.options, text);
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         VALUES ({id}, 'Wire', 'wire', 'Platform', 'active', 'Free', 1, 1);
         INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
         VALUES ({id}, {id}, 'The Wire', 'wire.example', 7)"
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let found: Result<_> =
        test.store.read(move |tx| platform::find_anywhere(tx, text.parse().unwrap())).await;
    let found = found.unwrap().expect("it is still there");
    assert_eq!((found.name.as_str(), found.domain.as_str()), ("The Wire", "wire.example"));
    assert_eq!((found.team, found.status()), (None, PlatformStatus::PendingVerification));
    assert_eq!((found.token.as_str().len(), found.updated_at.as_micros()), (32, 7));
}

#[db_test]
async fn accounts_of_before_are_members_of_the_tenant_they_were_in(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "memberships").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    let id =
        |number: u8| seed::id(&test.options, &format!("0190a5e4-7b3c-7def-8123-{number:012x}"));
    let (tenant, team, active, idle, left) = (id(1), id(2), id(3), id(4), id(5));
    let user = |id: &str, name: &str, status: &str| {
        format!(
            "INSERT INTO users (user_id, tenant_id, email, email_key, fullname, fullname_key, role,
               status, created_at, updated_at)
             VALUES ({id}, {tenant}, '{name}', '{name}', '{name}', '{name}', 'Team_Lead',
               '{status}', 7, 7);"
        )
    };
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         VALUES ({tenant}, 'Wire', 'wire', 'Agency', 'active', 'Free', 1, 1);
         INSERT INTO teams VALUES ({team}, {tenant}, 'T', 't', 1, 1);
         {}{}{}
         INSERT INTO team_members VALUES ({team}, {active}, 8), ({team}, {idle}, 9);
         INSERT INTO sessions (session_id, audience, subject_id, created_at, last_seen_at, expires_at)
         VALUES ({team}, 'console', {active}, 1, 1, 1), ({tenant}, 'admin', {team}, 1, 1, 1);",
        user(&active, "active", "active"),
        user(&idle, "idle", "inactive"),
        user(&left, "left", "inactive"),
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let members = "SELECT u.email, m.role, m.status, t.name, CAST(m.created_at AS text),
           coalesce(CAST(p.joined_at AS text), 'none')
         FROM memberships m JOIN users u ON u.user_id = m.user_id
         JOIN tenants t ON t.tenant_id = m.tenant_id AND t.tenant_id = u.last_tenant_id
         LEFT JOIN team_members p ON p.user_id = u.user_id AND p.tenant_id = t.tenant_id
         ORDER BY u.email";
    let expected = [
        ["active", "Team_Lead", "active", "Wire", "7", "8"],
        ["idle", "Team_Lead", "inactive", "Wire", "7", "9"],
    ];
    assert_eq!(
        seed::rows(&test.options, members).await,
        expected,
        "whoever left is a member no more"
    );
    let sessions = "SELECT s.audience, coalesce(t.name, 'none') FROM sessions s
         LEFT JOIN tenants t ON t.tenant_id = s.tenant_id
         WHERE s.family_id = s.session_id ORDER BY s.audience";
    assert_eq!(seed::rows(&test.options, sessions).await, [["admin", "none"], ["console", "Wire"]]);
}

/// One holder no longer exists, and neither does the grantee of a permission.
#[db_test]
async fn what_licensing_looks_up_is_filled_in(Bare(test): Bare) {
    let before = MIGRATIONS.iter().position(|step| step.name == "licensing_costs").unwrap();
    run_steps(&test.store, NOW, &MIGRATIONS[..before]).await.unwrap();
    seed::licenses_without_index(&test.options, 2).await;
    let id = |text: &str| seed::id(&test.options, text);
    let tenant = id("10000000-0000-0000-0000-000000000001");
    let license = id("30000000-0000-0000-0000-000000000001");
    let (other, gone) =
        (id("a0000000-0000-0000-0000-000000000001"), id("f0000000-0000-0000-0000-000000000001"));
    let no = if test.store.engine() == Engine::Sqlite { "0" } else { "false" };
    let script = format!(
        "INSERT INTO tenants (tenant_id, name, name_key, type, status, plan, created_at, updated_at)
         VALUES ({other}, 'Société Générale', 'société générale', 'Brand', 'active', 'Free', 1, 1);
         INSERT INTO known_parties VALUES ({tenant}, {other}, 1), ({gone}, {other}, 2);
         INSERT INTO permissions (permission_id, license_id, grantee_kind, grantee_id, role,
           granted_by, created_at)
         VALUES ({gone}, {license}, 'organization', {gone}, 'viewer', {gone}, 1);
         INSERT INTO past_permissions VALUES ({other}, {license}, {gone}, 'viewer', 1, 2, {no});
         INSERT INTO requests (request_id, license_id, talent_id, owner_id, asker_id, status,
           begun_by, coverage, purpose, channels, unread_by_asker, unread_by_owner, lapses_at,
           version, created_by, created_at, updated_at)
         SELECT {other}, license_id, talent_id, tenant_id, {other}, 'accepted', 'asker', '{{}}', '',
           '[]', 0, 0, 1, 1, {other}, 1, 1 FROM licenses WHERE license_id = {license};
         INSERT INTO grants (grant_id, request_id, license_id, license_version, talent_id,
           licensor_id, licensee_id, year, serial, status, terms, terms_hash, exclusive, starts_at,
           accepted_by, accepted_by_name, status_list, status_index, created_at)
         SELECT {other}, {other}, license_id, 1, talent_id, tenant_id, {other}, 2026, 1, 'active',
           '{{}}', 'x', {no}, 1, {other}, 'Ada', 1, 1, 1 FROM licenses WHERE license_id = {license};
         INSERT INTO grant_territories VALUES ({tenant}, 'owner', 'WORLD', {other}, {no}, 1, 9)"
    );
    seed::run(&test.options, script).await;
    run(&test.store, NOW).await.unwrap();
    let names = "SELECT n.name, CAST(count(*) AS text) FROM known_names n
         JOIN tenants t ON t.tenant_id = n.tenant_id GROUP BY n.name ORDER BY n.name";
    let expected = [["generale", "2"], ["societe generale", "2"]];
    assert_eq!(seed::rows(&test.options, names).await, expected);
    let talents = "SELECT 'grant ' || g.status, t.fullname FROM grant_territories g
         JOIN talents t ON t.talent_id = g.talent_id
         UNION ALL SELECT 'permission', t.fullname FROM past_permissions p
         JOIN talents t ON t.talent_id = p.talent_id ORDER BY 1";
    let expected = [["grant active", "Talent 1"], ["permission", "Talent 1"]];
    assert_eq!(seed::rows(&test.options, talents).await, expected);
}
