//! Backups: from each engine into each engine, from one moment, and only into a store they fit.

pub(super) mod tables;

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grantor_storage::backup::{export, import};
use grantor_storage::migrate::{MIGRATIONS, Migration, run_steps};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_storage::schema::describe;
use grantor_storage::{Error, Result, event};
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::JoinSet;

use self::tables::fill;
use super::{NOW, is_there, put};

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
    for kind in ObjectKind::ALL.into_iter().filter(|it| *it != ObjectKind::Database) {
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

/// A store in a file that Litestream copies, which adds tables of its own to it.
async fn copied_by_litestream() -> TestStore {
    let test = TestStore::on(Engine::Sqlite).await;
    let own = "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
               CREATE TABLE _litestream_lock (id INTEGER);
               INSERT INTO _litestream_seq VALUES (1, 7);";
    seed::run(&test.options, own.to_owned()).await;
    test
}

#[tokio::test]
async fn the_tables_of_litestream_are_left_out() {
    let (source, target) = (copied_by_litestream().await, copied_by_litestream().await);
    let (_place, folder) = folder();
    let tables = source.store.read(describe).await.unwrap();
    assert!(tables.contains_key("meta") && !tables.keys().any(|it| it.contains("litestream")));
    put(&source.store, "row").await.unwrap();
    let written = export(&source.store, &objects(&folder), folder.clone(), vec![], NOW).await;
    assert!(!written.unwrap().tables.keys().any(|it| it.contains("litestream")));
    import(&target.store, &objects(&folder), folder, NOW).await.unwrap();
    assert_eq!(is_there(&target.store, "row").await, Ok(true));
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
