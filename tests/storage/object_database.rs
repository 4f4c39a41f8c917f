//! Objects in the database, which every node has.

use std::sync::Arc;
use std::time::Duration;

use grantor_storage::backup::{export, import};
use grantor_storage::object::{ObjectKey, ObjectKind, ObjectPage, Objects};
use grantor_storage::{Error, Store};
use grantor_testkit::clock::MockClock;
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use uuid::Uuid;

use super::NOW;
use super::backup::folder;

const PNG: &str = "image/png";

fn objects(store: &Store) -> Objects {
    Objects::database(store.clone(), Arc::new(MockClock::default()), None)
}

fn image(number: u128) -> ObjectKey {
    ObjectKey::new(ObjectKind::Image, Uuid::from_u128(number))
}

fn thumbnail(number: u128) -> ObjectKey {
    ObjectKey::new(ObjectKind::Thumbnail, Uuid::from_u128(number))
}

async fn count(test: &TestStore, table: &str) -> String {
    let query = format!("SELECT CAST(count(*) AS text) FROM {table}");
    seed::rows(&test.options, &query).await[0][0].clone()
}

#[db_test]
async fn an_object_is_there_for_every_node_until_it_is_deleted(test: TestStore) {
    let (one, other) = (objects(&test.store), Store::open(&test.options).await.unwrap());
    let other = objects(&other);
    assert_eq!(other.get(image(1)).await, Ok(None));
    one.put(image(1), b"one".to_vec(), PNG).await.unwrap();
    one.put(thumbnail(1), b"small".to_vec(), PNG).await.unwrap();
    one.put(image(2), Vec::new(), PNG).await.unwrap();
    assert_eq!(other.get(image(1)).await, Ok(Some(b"one".to_vec())));
    assert_eq!(other.size(image(1)).await, Ok(Some(3)));
    assert_eq!(other.get(image(2)).await, Ok(Some(Vec::new())));
    other.delete(image(1)).await.unwrap();
    other.delete(image(1)).await.unwrap();
    assert_eq!((one.get(image(1)).await, one.size(image(1)).await), (Ok(None), Ok(None)));
    assert_eq!(one.get(thumbnail(1)).await, Ok(Some(b"small".to_vec())));
    assert_eq!(one.presign(image(2), PNG, Duration::from_hours(1)).await, Ok(None));
}

#[db_test]
async fn an_object_of_many_rows_is_replaced_whole(test: TestStore) {
    let store = objects(&test.store);
    let large: Vec<u8> =
        (0..10 * 1024 * 1024_u32).map(|it| it.to_le_bytes()[it as usize % 4]).collect();
    for length in [1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, large.len()] {
        store.put(image(1), large[..length].to_vec(), PNG).await.unwrap();
        assert!(store.get(image(1)).await.unwrap().unwrap() == large[..length], "{length}");
    }
    assert_eq!(count(&test, "object_chunks").await, "40");
    store.put(image(1), b"short".to_vec(), PNG).await.unwrap();
    assert_eq!(store.get(image(1)).await, Ok(Some(b"short".to_vec())));
    store.delete(image(1)).await.unwrap();
    assert_eq!(count(&test, "object_chunks").await, "0", "nothing is left");
}

#[db_test]
async fn a_reader_sees_no_mixture_of_two_objects(test: TestStore) {
    let store = objects(&test.store);
    let whole = |fill: u8| vec![fill; 600_000];
    store.put(image(1), whole(0), PNG).await.unwrap();
    let writers = (1..=8_u8).map(|fill| {
        let store = store.clone();
        tokio::spawn(async move { store.put(image(1), whole(fill), PNG).await })
    });
    for writer in writers.collect::<Vec<_>>() {
        let seen = store.get(image(1)).await.unwrap().unwrap();
        assert_eq!(seen.len(), 600_000);
        assert!(seen.iter().all(|byte| *byte == seen[0]));
        writer.await.unwrap().unwrap();
    }
}

#[db_test]
async fn objects_are_listed_in_pages_with_their_age(test: TestStore) {
    let store = objects(&test.store);
    assert_eq!(store.list(ObjectKind::Image, None, 2).await, Ok(ObjectPage::default()));
    for number in [3, 1, 2] {
        store.put(image(number), Vec::new(), PNG).await.unwrap();
    }
    store.put(thumbnail(9), Vec::new(), PNG).await.unwrap();
    let first = store.list(ObjectKind::Image, None, 2).await.unwrap();
    let found = first.objects.iter().map(|it| (it.key, it.written_at)).collect::<Vec<_>>();
    assert_eq!(found, [(image(1), NOW), (image(2), NOW)]);
    let last = store.list(ObjectKind::Image, first.next, 2).await.unwrap();
    assert_eq!(last.objects.iter().map(|it| it.key).collect::<Vec<_>>(), [image(3)]);
    assert_eq!(last.next, None);
}

#[db_test]
async fn a_lost_part_is_an_outage_and_never_half_an_object(test: TestStore) {
    let store = objects(&test.store);
    store.put(image(1), vec![7; 600_000], PNG).await.unwrap();
    seed::run(&test.options, "DELETE FROM object_chunks WHERE number = 1".to_owned()).await;
    let found = store.get(image(1)).await;
    assert!(matches!(&found, Err(Error::Objects(why)) if why.starts_with("images/")), "{found:?}");
}

#[db_test]
async fn files_are_read_where_they_are_and_moved(test: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let files = Objects::local(folder.path());
    files.put(image(1), b"one".to_vec(), PNG).await.unwrap();
    files.put(thumbnail(1), b"small".to_vec(), PNG).await.unwrap();
    files.put(image(2), b"two".to_vec(), PNG).await.unwrap();
    let written_at = files.list(ObjectKind::Image, None, 1).await.unwrap().objects[0].written_at;
    let clock = Arc::new(MockClock::default());
    let both = Objects::database(test.store.clone(), clock, Some(folder.path().to_owned()));
    assert_eq!(both.get(image(1)).await, Ok(Some(b"one".to_vec())));
    assert_eq!(both.size(image(1)).await, Ok(Some(3)));
    both.delete(image(2)).await.unwrap();
    assert_eq!(both.move_files().await, Ok(2));
    assert_eq!(both.move_files().await, Ok(0));
    let moved = objects(&test.store);
    assert_eq!(moved.get(image(1)).await, Ok(Some(b"one".to_vec())));
    assert_eq!(moved.get(thumbnail(1)).await, Ok(Some(b"small".to_vec())));
    assert_eq!(moved.get(image(2)).await, Ok(None), "what was deleted does not come back");
    assert_eq!(files.get(image(1)).await, Ok(None));
    let listed = moved.list(ObjectKind::Image, None, 9).await.unwrap().objects;
    assert_eq!(listed.iter().map(|it| it.written_at).collect::<Vec<_>>(), [written_at]);
}

#[db_test]
async fn files_are_copied_once_and_stay_for_other_nodes(test: TestStore) {
    let folder = tempfile::tempdir().unwrap();
    let files = Objects::local(folder.path());
    files.put(image(1), b"one".to_vec(), PNG).await.unwrap();
    files.put(thumbnail(1), b"small".to_vec(), PNG).await.unwrap();
    let clock = Arc::new(MockClock::default());
    let both = Objects::database(test.store.clone(), clock, Some(folder.path().to_owned()));
    assert_eq!((both.copy_files().await, both.copy_files().await), (Ok(2), Ok(0)));
    assert_eq!(files.get(image(1)).await, Ok(Some(b"one".to_vec())), "an older node reads it");
    let copied = objects(&test.store);
    assert_eq!(copied.get(image(1)).await, Ok(Some(b"one".to_vec())));
    assert_eq!(copied.get(thumbnail(1)).await, Ok(Some(b"small".to_vec())));
    // One that an older node adds.
    files.put(image(2), b"two".to_vec(), PNG).await.unwrap();
    assert_eq!(both.move_files().await, Ok(3));
    assert_eq!(copied.get(image(2)).await, Ok(Some(b"two".to_vec())));
    assert_eq!(files.get(image(1)).await, Ok(None));
}

async fn comes_along(from: Engine, to: Engine) {
    let (source, target) = (TestStore::on(from).await, TestStore::on(to).await);
    seed::public_licenses(&source.options, 1).await;
    let content = vec![7; 600_000];
    objects(&source.store).put(image(1), content.clone(), PNG).await.unwrap();
    objects(&source.store).put(thumbnail(1), b"small".to_vec(), PNG).await.unwrap();
    let row = format!(
        "INSERT INTO images (image_id, license_id, content_type, width, height, bytes, sha256,
           created_at)
         SELECT {id}, license_id, 'image/png', 1, 1, 600000, '{sha256}', 0 FROM licenses",
        id = match from {
            Engine::Sqlite => "x'00000000000000000000000000000001'",
            Engine::Postgres => "'00000000-0000-0000-0000-000000000001'",
        },
        sha256 = crate::picture::sha256(&content),
    );
    seed::run(&source.options, row).await;
    let (_place, folder) = folder();
    let report =
        export(&source.store, &objects(&source.store), folder.clone(), vec![], NOW).await.unwrap();
    assert_eq!((report.objects, report.object_bytes), (2, 600_005));
    assert!(!report.tables.contains_key("object_chunks"), "objects are files of a backup");
    import(&target.store, &objects(&target.store), folder, NOW).await.unwrap();
    assert_eq!(objects(&target.store).get(image(1)).await, Ok(Some(content)));
}

#[tokio::test]
async fn a_backup_has_the_objects_from_sqlite_to_postgres() {
    comes_along(Engine::Sqlite, Engine::Postgres).await;
}

#[tokio::test]
async fn a_backup_has_the_objects_from_postgres_to_sqlite() {
    comes_along(Engine::Postgres, Engine::Sqlite).await;
}
