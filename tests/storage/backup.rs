//! Backups: from each engine into each engine, from one moment, and only into a store they fit.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grantor_storage::backup::{export, import};
use grantor_storage::idempotency::ClaimTimes;
use grantor_storage::migrate::{MIGRATIONS, Migration, run_steps};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_storage::{Error, Result, audit, event, idempotency, mail, meta};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;

use super::{NOW, id, is_there, put};

/// SHA-256 of "a picture".
const PICTURE_SUM: &str = "92b2fa58028958317e408bd84ecfa70f5ee35b121991dbc232c49d166353708b";

/// Something in every table, with the values that are easily mangled on the way.
async fn fill(test: &TestStore) {
    seed::public_licenses(&test.options, 2_500).await;
    let filled: Result<()> = test
        .store
        .write(|tx| {
            meta::put(tx, "strange", "tab\t quote\" slash\\ é 日本 \u{1f600} line\nbreak")?;
            meta::put(tx, "", "")?;
            audit::insert(tx, &super::units::entry(1))?;
            for number in 1..=2_000 {
                event::insert(tx, &super::event::event(number, &[1, 2]))?;
            }
            mail::insert(tx, id(1), "otp", &[0, 1, 127, 128, 255], NOW)?;
            mail::insert(tx, id(2), "otp", &[], NOW)?;
            let sent = mail::ClaimedMail { id: id(2), sealed: vec![], attempts: 0 };
            mail::mark_sent(tx, &sent, NOW)?;
            let run = super::idempotency::run_of(1);
            let moments = ClaimTimes { now: NOW, until: NOW, forget_before: NOW, dead_before: NOW };
            idempotency::claim(tx, &run, b"\x00hash", moments)?;
            super::people::fill(tx)
        })
        .await;
    filled.unwrap();
    fill_sources(test).await;
    fill_by_hand(test).await;
    fill_websub(test).await;
}

/// The tables of WebSub.
async fn fill_websub(test: &TestStore) {
    let it = seed::id(&test.options, "00000000-0000-0000-0000-000000000083");
    let bytes = match test.store.engine() {
        Engine::Sqlite => "unhex('00ff')",
        Engine::Postgres => "decode('00ff', 'hex')",
    };
    let script = format!(
        "INSERT INTO websub_subscriptions VALUES ({it}, {it}, 'https://hub.test',
           'https://site.test', {bytes}, {bytes}, 'active', 0, 5, 9, NULL, 1);
         INSERT INTO websub_pushes VALUES ({it}, {it}, NULL, 2, 1, {bytes});"
    );
    seed::run(&test.options, script).await;
}

/// The tables of sources.
async fn fill_sources(test: &TestStore) {
    let id =
        |number: u8| seed::id(&test.options, &format!("00000000-0000-0000-0000-{number:012x}"));
    let license = seed::id(&test.options, "30000000-0000-0000-0000-000000000001");
    let (bytes, no) = match test.store.engine() {
        Engine::Sqlite => ("unhex('00ff')", "0"),
        Engine::Postgres => ("decode('00ff', 'hex')", "FALSE"),
    };
    let (tenant, user, it) = (id(71), id(72), id(83));
    let script = format!(
        "INSERT INTO watched_feeds VALUES ({it}, 'https://site.test/rss', 'feed', 'mastodon',
           'https://site.test/@a', 'Site', {no}, 9, NULL, 1, {no}, 1, 1, NULL, 0, 1, NULL, 1);
         INSERT INTO sources VALUES ({it}, {tenant}, {it}, 'https://site.test', 'Site', 'daily',
           'running', NULL, {no}, 1, 1, NULL, {user}, 1, 1, 1);
         INSERT INTO source_talents SELECT {it}, talent_id FROM licenses
           WHERE license_id = {license};
         INSERT INTO feed_runs VALUES ({it}, {it}, 1, 2, 'ok', NULL, 1, 0, 1, 1, 0, '[]');
         INSERT INTO profiles VALUES ({it}, {tenant}, 'mastodon', 'https://site.test/@a', 'code', 2,
           1);
         INSERT INTO scanned_images VALUES ({it}, 'https://site.test/a.png', {bytes}, 1);"
    );
    seed::run(&test.options, script).await;
}

/// The tables that take a person and a license first.
async fn fill_by_hand(test: &TestStore) {
    let id =
        |number: u8| seed::id(&test.options, &format!("00000000-0000-0000-0000-{number:012x}"));
    let license = seed::id(&test.options, "30000000-0000-0000-0000-000000000001");
    let secret = match test.store.engine() {
        Engine::Sqlite => "unhex('00ff')",
        Engine::Postgres => "decode('00ff', 'hex')",
    };
    let (tenant, user, it, webhook) = (id(71), id(72), id(83), id(86));
    let script = format!(
        "INSERT INTO permissions VALUES ({it}, {license}, 'user', {user}, 'viewer', {user}, 1,
           'a@b.example', 'a@b.example', NULL, NULL);
         INSERT INTO images VALUES ({it}, {license}, 'image/png', 1, 1, 9, '{PICTURE_SUM}', 1);
         INSERT INTO image_hashes VALUES ({it}, NULL, 0, 1);
         INSERT INTO platforms (platform_id, tenant_id, name, domain, created_at)
           VALUES ({it}, {tenant}, 'Site', 'site.test', 1);
         INSERT INTO teams VALUES ({it}, {tenant}, 'Web', 'web', 1, 1);
         INSERT INTO team_members VALUES ({it}, {tenant}, {user}, 1);
         INSERT INTO pax VALUES ({it}, {tenant}, {it}, 'Feed', 'read', 'active', 0, NULL, 1, 1);
         INSERT INTO pods VALUES ({it}, {it}, 'crawl', 'stopped', NULL, NULL, 0, 0, 0, 1, 1, NULL);
         INSERT INTO pod_runs VALUES ({it}, {it}, 1, 2, 'ok', NULL, 1, 0, 1, 1, 0);
         INSERT INTO scanner_requests VALUES ({it}, 1);
         INSERT INTO scan_hosts VALUES ('site.test', NULL, 1, 2);
         INSERT INTO chores VALUES ({it}, {tenant}, '{{}}', 3);
         INSERT INTO feed_cursors VALUES ({it}, 'https://site.test/rss', NULL, NULL, {secret}, 1);
         INSERT INTO scanned_items VALUES ({it}, 'site.test/1', {secret}, NULL, 1, 1);
         INSERT INTO mentions SELECT {it}, talent_id, {tenant}, {it}, 'https://site.test',
           'site.test', 'T', 'E', NULL, 'text', '{{}}', 'licensed', 'why', 'new', NULL, NULL, 1, 1, 1,
           1, 'digest', NULL, {it}, NULL, {user}, 'Ada', 1 FROM licenses WHERE license_id = {license};
         INSERT INTO evidence VALUES ({it}, {it}, {tenant}, 1, 1, 'fetched', 'https://site.test',
           'https://site.test/rss', 'https://site.test/rss', 200, '{{}}', 'x', 'E', '[]', 'image', 'x',
           3, 'https://site.test/a', NULL, 200, '{{}}', 'x', 'image/png', NULL, '{PICTURE_SUM}', 9,
           {it}, 'x', '{PICTURE_SUM}', 9, 18, NULL, 'x');
         INSERT INTO cases VALUES ({it}, {tenant}, NULL, 'open', {user}, {secret}, {secret}, 1, NULL,
           NULL, 0, NULL, NULL, NULL, {user}, 1, 1, 1);
         INSERT INTO case_comments VALUES ({it}, {it}, {user}, 'Ada', 'Called', 1);
         INSERT INTO case_letters VALUES ({it}, {it}, 'a@b.example', 'S', 'B', {user}, 'Ada', 1, NULL);
         INSERT INTO letter_templates VALUES ({tenant}, 'takedown', 'S', 'B', 1);
         INSERT INTO mention_days VALUES ({tenant}, 0, 'licensed', 'new', 1);
         INSERT INTO bookmarks VALUES ({it}, {user}, 'license', {license}, NULL, '[]', 1);
         INSERT INTO webhooks (webhook_id, tenant_id, user_id, url, description, events, status,
             secret, created_at, updated_at)
           VALUES ({webhook}, {tenant}, {user}, 'https://site.test', '', 1, 'active', {secret}, 1, 1);
         INSERT INTO deliveries (delivery_id, webhook_id, event_id, sequence, status, attempts,
             failed, tries, due_at, created_at)
           SELECT {it}, {webhook}, event_id, 1, 'pending', 0, 0, '[]', 1, 1
           FROM events ORDER BY event_id LIMIT 1;
         INSERT INTO delivery_days VALUES ({webhook}, 0, 1, 0);"
    );
    seed::run(&test.options, script).await;
    fill_billing(test, &tenant, &it, secret).await;
    fill_licensing(test, &[tenant, user, it, license], secret).await;
}

/// The tables of billing and of a tenant's own settings.
async fn fill_billing(test: &TestStore, tenant: &str, it: &str, secret: &str) {
    let script = format!(
        "INSERT INTO tenant_information VALUES ({tenant}, '{{}}', 1);
         INSERT INTO log_exports VALUES ({it}, {tenant}, 'csv', '{{}}', 1, 1, 2);
         INSERT INTO mail_templates VALUES ({it}, 'registration', 'S', 'B', 1, 1);
         INSERT INTO processor_customers VALUES ({tenant}, 'sandbox', 'customer', 1);
         INSERT INTO cards VALUES ({it}, {tenant}, 'sandbox', 'c', 'r', 'visa', '4242', 1, 2030, 1);
         INSERT INTO subscriptions VALUES ({it}, {tenant}, 'Starter', NULL, {it}, 'active', 1, 1, 2,
           0, 2, NULL, 2, 1, 1);
         INSERT INTO bills VALUES ({it}, {tenant}, {it}, {it}, 'Starter', 'purchase', 1, 4999, 'USD',
           'paid', 'Starter', NULL, 0, 1, 1, 1);
         INSERT INTO sandbox_charges VALUES ('p', 1, 'c', 4999, 'succeeded', 1);
         INSERT INTO quotas VALUES ({tenant}, 202601, 7);
         INSERT INTO tenant_usage VALUES ({tenant}, 9, 1, 1, 1, 1);
         INSERT INTO expired_tokens VALUES ({secret}, 1);"
    );
    seed::run(&test.options, script).await;
}

/// The tables of requests and grants.
async fn fill_licensing(test: &TestStore, [tenant, user, it, license]: &[String; 4], secret: &str) {
    let no = match test.store.engine() {
        Engine::Sqlite => "0",
        Engine::Postgres => "FALSE",
    };
    let script = format!(
        "INSERT INTO license_versions VALUES ({license}, 9, NULL, 'T', '', 'private', 'voice', '[]',
           '[]', NULL, {no}, '{{}}', NULL, NULL, 0, 1, {no}, 'user', {user}, 'Ada');
         INSERT INTO past_permissions VALUES ({it}, {license}, {user}, 'viewer', 1, 2, {no}, {it});
         INSERT INTO requests SELECT {it}, {license}, talent_id, {tenant}, {tenant}, 'a@b.example',
           'a@b.example', 'open', 'asker', '{{}}', 'why', '[]', NULL, NULL, 0, 1, 9, 1, {user}, 1, 1,
           'Ada', 2, 1, {no} FROM licenses WHERE license_id = {license};
         INSERT INTO offers VALUES ({it}, {it}, 1, '{{}}', 'sha256:x', 'open', 9, {user}, 'Ada', 1,
           NULL, 'owner');
         INSERT INTO request_messages VALUES ({it}, {it}, 'asker', {user}, 'Ada', 'Hello', 1);
         INSERT INTO grants SELECT {it}, {it}, {license}, 1, talent_id, {tenant}, {tenant}, 2026, 1,
           'active', '{{}}', 'sha256:x', {no}, 1, 9, {user}, 'Ada', 1, 77, NULL, 1, NULL, NULL,
           'Ada' FROM licenses WHERE license_id = {license};
         INSERT INTO status_lists VALUES (1);
         INSERT INTO shared_receipts VALUES ({it}, {it}, {secret}, {secret}, '[]', {no}, {user},
           'Ada', 1);
         INSERT INTO grant_territories VALUES ({tenant}, 'owner', 'WORLD', {it}, {no}, 1, 9, {it});
         INSERT INTO grant_numbers VALUES ({tenant}, 2026, 1);
         INSERT INTO party_counts VALUES ({tenant}, 'grants_held', 'active', 1);
         INSERT INTO party_names VALUES ('acme', {tenant});
         INSERT INTO known_parties VALUES ({tenant}, {tenant}, 2);
         INSERT INTO known_names VALUES ({tenant}, 'acme', {tenant});"
    );
    seed::run(&test.options, script).await;
    fill_notices(test, [tenant, user, it], secret).await;
}

/// The tables of notices and chats.
async fn fill_notices(test: &TestStore, [tenant, user, it]: [&String; 3], secret: &str) {
    let script = format!(
        "INSERT INTO notices VALUES ({it}, {user}, {tenant}, 'request', 'request_received', '{{}}',
           'Asked', '/app', 'now', 1, NULL, 1);
         INSERT INTO notice_preferences VALUES ({user}, 'request', 'digest');
         INSERT INTO notice_settings VALUES ({user}, 8, 'Europe/Berlin', 1);
         INSERT INTO refused_addresses VALUES ('a@b.example', 'no such user', 1);
         INSERT INTO told_states VALUES ({it}, 'card_expiring', 1, 1);
         INSERT INTO chat_addresses VALUES ({it}, {tenant}, 'Team', {secret}, 'chat.example', 'wxyz',
           '[]', 'active', NULL, NULL, NULL, 1, 1);
         INSERT INTO chat_messages VALUES ({it}, {it}, 'Hello', 0, 1, 1);"
    );
    seed::run(&test.options, script).await;
}

/// The files of a backup by name; the manifest without what differs between two exports.
fn content(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files: BTreeMap<_, _> = std::fs::read_dir(folder.join("tables"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.strip_prefix(folder).unwrap().to_owned(), read(&path)))
        .collect();
    let mut manifest: Value = serde_json::from_str(&read(&folder.join("manifest.json"))).unwrap();
    manifest["engine"].take();
    files.insert("manifest".into(), manifest.to_string());
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

fn rows(folder: &Path, table: &str) -> Vec<Value> {
    let text = read(&folder.join("tables").join(format!("{table}.jsonl")));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub(super) fn folder() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("backup");
    (place, folder)
}

/// Objects that lie beside a backup.
pub(super) fn objects(folder: &Path) -> Objects {
    Objects::local(folder.with_file_name("objects"))
}

/// The objects of the one picture that [`fill`] names.
async fn keep_picture(objects: &Objects) {
    let kinds =
        [ObjectKind::Image, ObjectKind::Thumbnail, ObjectKind::Evidence, ObjectKind::Reference];
    for kind in kinds {
        let key = ObjectKey::new(kind, uuid::Uuid::from_u128(83));
        objects.put(key, b"a picture".to_vec(), "image/png").await.unwrap();
    }
}

async fn moved(from: Engine, to: Engine) {
    let (_place, first) = folder();
    let source = TestStore::on(from).await;
    fill(&source).await;
    keep_picture(&objects(&first)).await;
    let written =
        export(&source.store, &objects(&first), first.clone(), vec![], NOW).await.unwrap();
    assert!(written.tables.values().all(|rows| *rows > 0), "{written:?}");
    assert_eq!(written.tables["licenses"], 2_500);

    let (target, (_other, second)) = (TestStore::on(to).await, folder());
    let restored = import(&target.store, &objects(&second), first.clone(), NOW).await.unwrap();
    assert_eq!(written, restored);

    export(&target.store, &objects(&second), second.clone(), vec![], NOW).await.unwrap();
    assert_eq!(content(&first), content(&second));
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_to_sqlite() {
    moved(Engine::Sqlite, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_to_postgres() {
    moved(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_to_sqlite() {
    moved(Engine::Postgres, Engine::Sqlite).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_to_postgres() {
    moved(Engine::Postgres, Engine::Postgres).await;
}

#[db_test]
async fn only_the_owner_may_read_it(test: TestStore) {
    let (_place, folder) = folder();
    export(&test.store, &objects(&folder), folder.clone(), vec![], NOW).await.unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join("tables"))), (0o700, 0o700));
    let tables = std::fs::read_dir(folder.join("tables")).unwrap();
    let files = tables.map(|entry| entry.unwrap().path()).chain([folder.join("manifest.json")]);
    for file in files {
        assert_eq!(mode(&file), 0o600, "{}", file.display());
        assert!(file.extension().unwrap() != "part");
    }
}

fn write_until(test: &TestStore, stop: &Arc<AtomicBool>) -> JoinSet<()> {
    let mut writers = JoinSet::new();
    for writer in 1..=4_u128 {
        let (store, stop) = (test.store.clone(), Arc::clone(stop));
        writers.spawn(async move {
            for round in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let written: Result<_> = store
                    .write(move |tx| {
                        event::insert(tx, &super::event::event(round * 10 + writer, &[1]))
                    })
                    .await;
                written.unwrap();
            }
        });
    }
    writers
}

#[db_test]
async fn an_export_shows_one_moment(test: TestStore) {
    let stop = Arc::new(AtomicBool::new(false));
    let writers = write_until(&test, &stop);
    let mut counts = Vec::new();
    // Goes on until writing was seen to go on between two exports.
    while counts.len() < 5 || counts.first() == counts.last() {
        let (_place, folder) = folder();
        export(&test.store, &objects(&folder), folder.clone(), vec![], NOW).await.unwrap();
        let last = rows(&folder, "feeds").first().map_or(0, |feed| feed[1].as_u64().unwrap());
        let told = (rows(&folder, "events").len(), rows(&folder, "feed_entries").len());
        assert_eq!(told, (usize::try_from(last).unwrap(), usize::try_from(last).unwrap()));
        counts.push(last);
    }
    stop.store(true, Ordering::Relaxed);
    writers.join_all().await;
}

/// The sentence an import was refused with.
async fn refused(test: &TestStore, folder: &Path) -> String {
    match import(&test.store, &objects(folder), folder.to_owned(), NOW).await {
        Err(Error::Backup(text)) => text.replace(&folder.display().to_string(), "FOLDER"),
        other => panic!("{other:?} is no refusal"),
    }
}

/// A backup with one row, from the same engine.
async fn small_backup(engine: Engine) -> (TempDir, PathBuf) {
    let source = TestStore::on(engine).await;
    put(&source.store, "from the backup").await.unwrap();
    let (place, folder) = folder();
    export(&source.store, &objects(&folder), folder.clone(), vec![], NOW).await.unwrap();
    (place, folder)
}

#[db_test]
async fn a_store_with_rows_is_left_alone(test: TestStore) {
    let (_place, folder) = small_backup(test.store.engine()).await;
    put(&test.store, "own").await.unwrap();
    assert_eq!(
        refused(&test, &folder).await,
        "the database already has rows (in meta): restore into an empty one"
    );
    assert_eq!(is_there(&test.store, "own").await, Ok(true));
    assert_eq!(is_there(&test.store, "from the backup").await, Ok(false));
}

#[db_test]
async fn a_tampered_file_is_refused(test: TestStore) {
    let (_place, folder) = small_backup(test.store.engine()).await;
    let file = folder.join("tables/meta.jsonl");
    let whole = read(&file);
    for tampered in [whole.replace("from", "form"), whole.repeat(2), String::new()] {
        std::fs::write(&file, tampered).unwrap();
        assert_eq!(
            refused(&test, &folder).await,
            "FOLDER/tables/meta.jsonl is corrupted: its checksum differs from the manifest"
        );
    }
    std::fs::remove_file(&file).unwrap();
    assert_eq!(
        refused(&test, &folder).await,
        "FOLDER/tables/meta.jsonl: No such file or directory (os error 2)"
    );
    std::fs::write(&file, whole).unwrap();
    import(&test.store, &objects(&folder), folder.clone(), NOW).await.unwrap();
    assert_eq!(is_there(&test.store, "from the backup").await, Ok(true));
}

#[db_test]
async fn a_row_that_does_not_fit_undoes_all(test: TestStore) {
    let (_place, folder) = small_backup(test.store.engine()).await;
    // A forged manifest that goes with the forged file: only the database itself can refuse it.
    let forged = "[\"00000000000000000000000000000001\",1,\"00000000000000000000000000000009\"]\n";
    let file = folder.join("tables/feed_entries.jsonl");
    std::fs::write(&file, forged).unwrap();
    let path = folder.join("manifest.json");
    let mut manifest: Value = serde_json::from_str(&read(&path)).unwrap();
    let tables = manifest["tables"].as_array_mut().unwrap();
    let entry = tables.iter_mut().find(|table| table["name"] == "feed_entries").unwrap();
    entry["rows"] = 1.into();
    entry["bytes"] = forged.len().into();
    entry["sha256"] = "416289c74b6cd688467f5ae3453b10e6120505870717c091b0cdedda967d43f7".into();
    std::fs::write(&path, manifest.to_string()).unwrap();
    let text = refused(&test, &folder).await;
    assert!(text.starts_with("cannot insert a row of feed_entries: "), "{text}");
    assert_eq!(is_there(&test.store, "from the backup").await, Ok(false));
}

#[db_test]
async fn another_schema_is_refused(test: TestStore) {
    let (_place, folder) = small_backup(test.store.engine()).await;
    let newer = TestStore::empty(test.store.engine()).await;
    let later = Migration {
        version: 99,
        name: "later",
        text: "CREATE TABLE later (\n  a TEXT PRIMARY KEY\n);",
    };
    let own =
        MIGRATIONS.iter().map(|it| Migration { version: it.version, name: it.name, text: it.text });
    run_steps(&newer.store, NOW, Vec::leak(own.chain([later]).collect())).await.unwrap();
    let text = refused(&newer, &folder).await;
    assert!(text.starts_with("the backup was made with migration "), "{text}");
    assert!(text.contains("but the database has migration 99 (later, "), "{text}");
    assert_eq!(is_there(&newer.store, "from the backup").await, Ok(false));

    let bare = TestStore::empty(test.store.engine()).await;
    assert_eq!(refused(&bare, &folder).await, "the database has no schema yet: migrate it first");
}

#[db_test]
async fn only_a_free_folder_is_written_to(test: TestStore) {
    let (_place, folder) = small_backup(test.store.engine()).await;
    let before = content(&folder);
    let again = export(&test.store, &objects(&folder), folder.clone(), vec![], NOW).await;
    assert_eq!(again, Err(Error::Backup(format!("{} is not empty", folder.display()))));
    assert_eq!(content(&folder), before);
    std::fs::remove_file(folder.join("manifest.json")).unwrap();
    assert_eq!(
        refused(&test, &folder).await,
        "FOLDER is not a complete backup: manifest.json is missing"
    );
}

#[db_test]
async fn a_failed_export_leaves_nothing_behind(test: TestStore) {
    let bare = TestStore::empty(test.store.engine()).await;
    let (_place, folder) = folder();
    let failed = export(&bare.store, &objects(&folder), folder.clone(), vec![], NOW).await;
    assert_eq!(
        failed,
        Err(Error::Backup("the database has no schema yet: migrate it first".into()))
    );
    assert!(!folder.exists());
    export(&test.store, &objects(&folder), folder.clone(), vec![], NOW).await.unwrap();
}
