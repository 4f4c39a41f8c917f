//! Backups hold every picture that their rows name, or there is no backup.

use std::path::Path;
use std::sync::Arc;

use grantor_domain::id::ImageId;
use grantor_domain::image::ImageType;
use grantor_storage::backup::{Archive, export, import};
use grantor_storage::catalog_picture::{self, CatalogPicture};
use grantor_storage::image::{self, Image};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_storage::{Error, Result, Store, meta};
use grantor_testkit::s3::S3Server;
use grantor_testkit::store::TestStore;
use grantor_testkit::{Engine, Fixture, db_test, install_tls_provider, seed};
use serde_json::Value;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::NOW;
use super::backup::{folder, objects};
use crate::picture::sha256;

/// A store with one license and as many pictures as a test adds.
struct Gallery(TestStore);

impl Fixture for Gallery {
    async fn on(engine: Engine) -> Self {
        let test = TestStore::on(engine).await;
        seed::public_licenses(&test.options, 1).await;
        Self(test)
    }
}

fn keys(number: u128) -> [ObjectKey; 2] {
    [ObjectKind::Image, ObjectKind::Thumbnail]
        .map(|kind| ObjectKey::new(kind, Uuid::from_u128(number)))
}

fn bytes(key: ObjectKey) -> Vec<u8> {
    format!("the bytes of {key}").into_bytes()
}

async fn add(store: &Store, objects: &Objects, number: u128) {
    for key in keys(number) {
        objects.put(key, bytes(key), "image/png").await.unwrap();
    }
    let content = bytes(keys(number)[0]);
    let image = Image {
        id: ImageId::from(Uuid::from_u128(number)),
        license: "30000000-0000-0000-0000-000000000001".parse().unwrap(),
        content_type: ImageType::Png,
        width: 1,
        height: 1,
        bytes: u32::try_from(content.len()).unwrap(),
        sha256: sha256(&content),
        created_at: NOW,
    };
    let added: Result<()> = store.write(move |tx| image::insert(tx, &image)).await;
    added.unwrap();
}

/// As a license's owner would: the row first, then its objects.
async fn remove(store: &Store, objects: &Objects, number: u128) {
    let license = "30000000-0000-0000-0000-000000000001".parse().unwrap();
    let id = ImageId::from(Uuid::from_u128(number));
    let gone: Result<bool> = store.write(move |tx| image::delete(tx, license, id)).await;
    assert!(gone.unwrap());
    for key in keys(number) {
        objects.delete(key).await.unwrap();
    }
}

/// The sentence of a backup that was refused.
fn refusal<T>(outcome: Result<T>) -> String {
    match outcome {
        Err(Error::Backup(text)) => text,
        Err(other) => panic!("{other:?} is no refusal"),
        Ok(_) => panic!("not refused"),
    }
}

#[db_test]
async fn pictures_come_back_from_files_and_from_a_bucket(Gallery(test): Gallery) {
    install_tls_provider();
    let buckets = [S3Server::start().await.unwrap(), S3Server::start().await.unwrap()];
    let (_from, first) = folder();
    let sources = [objects(&first), Objects::s3(&buckets[0].settings()).unwrap()];
    for number in 1..=7 {
        add(&test.store, &sources[0], number).await;
        for key in keys(number) {
            sources[1].put(key, bytes(key), "image/png").await.unwrap();
        }
    }
    for (source, to_bucket) in [(&sources[0], true), (&sources[1], false)] {
        let (_place, backup) = folder();
        let written = export(&test.store, source, backup.clone(), vec![], NOW).await.unwrap();
        assert_eq!((written.tables["images"], written.objects), (7, 14));
        let target = TestStore::on(test.store.engine()).await;
        let (_to, second) = folder();
        let to =
            if to_bucket { Objects::s3(&buckets[1].settings()).unwrap() } else { objects(&second) };
        assert_eq!(import(&target.store, &to, backup, NOW).await, Ok(written));
        for key in (1..=7).flat_map(keys) {
            assert_eq!(to.get(key).await, Ok(Some(bytes(key))), "{key}");
        }
    }
}

#[db_test]
async fn an_object_that_cannot_be_read_fails_the_backup_by_name(Gallery(test): Gallery) {
    let (place, backup) = folder();
    let objects = objects(&backup);
    add(&test.store, &objects, 1).await;
    add(&test.store, &objects, 2).await;
    let [image, thumbnail] = keys(2);
    let path = |key: ObjectKey| place.path().join("objects").join(key.to_string());
    let try_again = || export(&test.store, &objects, backup.clone(), vec![], NOW);
    for key in [image, thumbnail] {
        std::fs::remove_file(path(key)).unwrap();
        let sentence = format!(
            "the object {key} is in the database but not in the object store: restore it from an \
             older backup, or delete the image"
        );
        assert_eq!(refusal(try_again().await), sentence);
        // A folder where a file should be cannot be read at all.
        std::fs::create_dir(path(key)).unwrap();
        let said = refusal(try_again().await);
        assert!(
            said.starts_with(&format!("{key}: ")) && said.ends_with("cannot be copied"),
            "{said}"
        );
        std::fs::remove_dir(path(key)).unwrap();
        objects.put(key, bytes(key), "image/png").await.unwrap();
    }
    std::fs::write(path(image), "something else").unwrap();
    let sentence = format!("{image} is damaged: its size or SHA-256 differs from the database");
    assert_eq!(refusal(try_again().await), sentence);
    assert!(!backup.exists(), "a failed backup leaves nothing");
    objects.put(image, bytes(image), "image/png").await.unwrap();
    assert_eq!(try_again().await.unwrap().objects, 4);
}

#[db_test]
async fn a_backup_with_a_lost_or_altered_object_is_none(Gallery(test): Gallery) {
    let (_place, backup) = folder();
    let objects = objects(&backup);
    add(&test.store, &objects, 1).await;
    export(&test.store, &objects, backup.clone(), vec![], NOW).await.unwrap();
    let open = || async { refusal(Archive::open(backup.clone()).await) };
    for key in keys(1) {
        let path = backup.join("objects").join(key.to_string());
        std::fs::write(&path, "altered").unwrap();
        assert!(open().await.contains(&format!("{key} is corrupted")), "{key}");
        std::fs::remove_file(&path).unwrap();
        assert!(open().await.contains(&format!("{key}: No such file")), "{key}");
        std::fs::write(&path, bytes(key)).unwrap();
    }
    let list = backup.join("objects.jsonl");
    let whole = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, whole.lines().next().unwrap()).unwrap();
    assert!(open().await.contains("objects.jsonl is corrupted"));
    std::fs::write(&list, whole).unwrap();
    assert_eq!(Archive::open(backup.clone()).await.unwrap().report().objects, 2);
}

/// How many pictures there are at a time while they come and go.
const LIVING: u128 = 100;
/// How many come and go during a backup at most. Before its rows are read again, all that were there
/// the last time must be gone, so four times at most: the fifth try succeeds.
const PASSING: usize = 400;

fn listed(backup: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(backup.join("objects.jsonl")).unwrap();
    let key = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["key"].as_str().unwrap().to_owned()
    };
    text.lines().map(key).collect()
}

#[db_test]
async fn pictures_that_come_and_go_meanwhile_leave_no_gap(Gallery(test): Gallery) {
    let (_place, first) = folder();
    let objects = objects(&first);
    for number in 1..=LIVING {
        add(&test.store, &objects, number).await;
    }
    let passing = Arc::new(Semaphore::new(0));
    let churn = tokio::spawn({
        let (store, objects, passing) = (test.store.clone(), objects.clone(), Arc::clone(&passing));
        async move {
            let mut number = LIVING + 1;
            while let Ok(permit) = passing.acquire().await {
                permit.forget();
                add(&store, &objects, number).await;
                remove(&store, &objects, number - LIVING).await;
                number += 1;
            }
        }
    });
    let mut seen = std::collections::BTreeSet::new();
    while seen.len() < 6 {
        let (_place, backup) = folder();
        passing.add_permits(PASSING - passing.available_permits());
        let written = export(&test.store, &objects, backup.clone(), vec![], NOW).await.unwrap();
        assert_eq!(written.objects, 2 * written.tables["images"]);
        Archive::open(backup.clone()).await.unwrap();
        seen.insert(listed(&backup));
    }
    passing.close();
    churn.await.unwrap();
}

#[db_test]
async fn objects_of_another_database_are_left_alone(Gallery(test): Gallery) {
    let (_place, backup) = folder();
    let source = objects(&backup);
    add(&test.store, &source, 1).await;
    let own = Uuid::from_u128(7);
    let named: Result<_> =
        test.store.write(move |tx| meta::put(tx, meta::DATABASE_ID, &own.to_string())).await;
    named.unwrap();
    export(&test.store, &source, backup.clone(), vec![], NOW).await.unwrap();
    let target = TestStore::on(test.store.engine()).await;
    let (_other, second) = folder();
    let to = objects(&second);
    let owner = |id: u128| ObjectKey::new(ObjectKind::Database, Uuid::from_u128(id));
    to.put(owner(8), Vec::new(), "application/octet-stream").await.unwrap();
    let said = refusal(import(&target.store, &to, backup.clone(), NOW).await);
    let sentence = format!(
        "the objects belong to another database ({}): restore into a separate object store",
        owner(8)
    );
    assert_eq!((said, to.get(keys(1)[0]).await), (sentence, Ok(None)));
    to.delete(owner(8)).await.unwrap();
    to.put(owner(7), Vec::new(), "application/octet-stream").await.unwrap();
    assert_eq!(import(&target.store, &to, backup, NOW).await.unwrap().objects, 2);
}

#[db_test]
async fn catalog_pictures_are_in_a_backup_or_there_is_none(Gallery(test): Gallery) {
    let (_place, folder) = folder();
    let objects = objects(&folder);
    let id = Uuid::from_u128(5);
    let [full, thumbnail] = [ObjectKind::CatalogPicture, ObjectKind::CatalogThumbnail]
        .map(|kind| ObjectKey::new(kind, id));
    for key in [full, thumbnail] {
        objects.put(key, bytes(key), "image/jpeg").await.unwrap();
    }
    let picture = CatalogPicture {
        id: id.into(),
        license: "30000000-0000-0000-0000-000000000001".parse().unwrap(),
        width: 1,
        height: 1,
        bytes: u32::try_from(bytes(full).len()).unwrap(),
        sha256: sha256(&bytes(full)),
        created_at: NOW,
    };
    let added: Result<()> = test.store.write(move |tx| catalog_picture::insert(tx, &picture)).await;
    added.unwrap();
    let written = export(&test.store, &objects, folder.clone(), vec![], NOW).await.unwrap();
    assert_eq!((written.tables["catalog_pictures"], written.objects), (1, 2));
    Archive::open(folder.clone()).await.map(drop).unwrap();
    std::fs::write(folder.join("objects").join(full.to_string()), "another").unwrap();
    let damaged = refusal(Archive::open(folder.clone()).await);
    assert!(damaged.contains(&full.to_string()), "{damaged}");

    objects.delete(thumbnail).await.unwrap();
    let (_other, again) = crate::storage::backup::folder();
    let missing = refusal(export(&test.store, &objects, again, vec![], NOW).await);
    let sentence = format!(
        "the object {thumbnail} is in the database but not in the object store: restore it from \
         an older backup, or remove the picture of the license"
    );
    assert_eq!(missing, sentence);
}
