//! Promises of the object store, in a folder and in a bucket.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use grantor_domain::ErrorKind;
use grantor_storage::Error;
use grantor_storage::object::{ObjectKey, ObjectKind, ObjectPage, Objects, S3Settings};
use grantor_testkit::install_tls_provider;
use grantor_testkit::s3::S3Server;
use tempfile::TempDir;
use uuid::Uuid;

const PNG: &str = "image/png";
const HOUR: Duration = Duration::from_hours(1);

/// Both kinds of store, empty.
struct Both {
    stores: [Objects; 2],
    folder: TempDir,
    server: S3Server,
}

async fn both() -> Both {
    install_tls_provider();
    let folder = tempfile::tempdir().unwrap();
    let server = S3Server::start().await.unwrap();
    let files = Objects::local(folder.path().join("objects"));
    let stores = [files, Objects::s3(&server.settings()).unwrap()];
    Both { stores, folder, server }
}

fn image(number: u128) -> ObjectKey {
    ObjectKey::new(ObjectKind::Image, Uuid::from_u128(number))
}

fn thumbnail(number: u128) -> ObjectKey {
    ObjectKey::new(ObjectKind::Thumbnail, Uuid::from_u128(number))
}

#[tokio::test]
async fn an_object_is_there_until_it_is_deleted() {
    let both = both().await;
    for store in &both.stores {
        assert_eq!(store.get(image(1)).await, Ok(None));
        store.put(image(1), b"one".to_vec(), PNG).await.unwrap();
        store.put(thumbnail(1), b"small".to_vec(), PNG).await.unwrap();
        store.put(image(2), Vec::new(), PNG).await.unwrap();
        assert_eq!(store.get(image(1)).await, Ok(Some(b"one".to_vec())));
        assert_eq!(store.get(thumbnail(1)).await, Ok(Some(b"small".to_vec())));
        assert_eq!(store.get(image(2)).await, Ok(Some(Vec::new())));

        store.delete(image(1)).await.unwrap();
        store.delete(image(1)).await.unwrap();
        assert_eq!(store.get(image(1)).await, Ok(None));
        assert_eq!(store.get(thumbnail(1)).await, Ok(Some(b"small".to_vec())));
    }
}

#[tokio::test]
async fn an_object_is_replaced_whole() {
    let both = both().await;
    let large: Vec<u8> =
        (0..10 * 1024 * 1024_u32).map(|it| it.to_le_bytes()[it as usize % 4]).collect();
    for store in &both.stores {
        store.put(image(1), large.clone(), PNG).await.unwrap();
        assert!(store.get(image(1)).await.unwrap().unwrap() == large);
        store.put(image(1), b"short".to_vec(), PNG).await.unwrap();
        assert_eq!(store.get(image(1)).await, Ok(Some(b"short".to_vec())));
    }
}

#[tokio::test]
async fn a_reader_sees_all_of_an_object_or_another_but_no_mixture() {
    let both = both().await;
    for store in &both.stores {
        let whole = |fill: u8| vec![fill; 200_000];
        store.put(image(1), whole(0), PNG).await.unwrap();
        let writers = (1..=8_u8).map(|fill| {
            let store = store.clone();
            tokio::spawn(async move { store.put(image(1), whole(fill), PNG).await })
        });
        for writer in writers.collect::<Vec<_>>() {
            let seen = store.get(image(1)).await.unwrap().unwrap();
            assert_eq!(seen.len(), 200_000);
            assert!(seen.iter().all(|byte| *byte == seen[0]));
            writer.await.unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn files_are_their_owners_alone_and_nothing_is_left_half_written() {
    let both = both().await;
    let [files, _] = &both.stores;
    files.put(image(1), b"one".to_vec(), PNG).await.unwrap();
    files.put(image(1), b"two".to_vec(), PNG).await.unwrap();
    files.put(thumbnail(1), b"small".to_vec(), PNG).await.unwrap();
    let names = [
        ("objects".to_owned(), 0o700),
        ("objects/images".to_owned(), 0o700),
        (format!("objects/{}", image(1)), 0o600),
        ("objects/thumbnails".to_owned(), 0o700),
        (format!("objects/{}", thumbnail(1)), 0o600),
    ];
    assert_eq!(tree(both.folder.path()), names.into());
}

/// Every path under the folder with its mode.
fn tree(folder: &Path) -> BTreeSet<(String, u32)> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap().map(Result::unwrap) {
            let metadata = entry.metadata().unwrap();
            let name = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
            found.insert((name, metadata.permissions().mode() & 0o777));
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    found
}

#[tokio::test]
async fn only_a_bucket_signs_urls() {
    let both = both().await;
    let [files, bucket] = &both.stores;
    assert_eq!(files.presign(image(1), PNG, HOUR).await, Ok(None));
    assert!(bucket.presign(image(1), PNG, HOUR).await.unwrap().is_some());
}

#[tokio::test]
async fn anyone_with_the_presigned_url_fetches_the_object_and_nothing_else() {
    let both = both().await;
    let [_, bucket] = &both.stores;
    bucket.put(image(1), b"one".to_vec(), PNG).await.unwrap();
    bucket.put(image(2), b"two".to_vec(), PNG).await.unwrap();
    let url = bucket.presign(image(1), PNG, HOUR).await.unwrap().unwrap();
    let client = client();
    let get = async |url: &str| client.get(url).send().await.unwrap();

    let answer = get(url.as_str()).await;
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["content-type"], PNG);
    assert_eq!(answer.bytes().await.unwrap(), "one");

    let other = url.as_str().replace(&image(1).to_string(), &image(2).to_string());
    let signature = url.query_pairs().find(|(name, _)| name == "X-Amz-Signature").unwrap().1;
    let flipped = if signature.ends_with('0') { "1" } else { "0" };
    let forged = format!("{}{flipped}", &signature[..signature.len() - 1]);
    for altered in [
        other,
        url.as_str().replace("X-Amz-Expires=3600", "X-Amz-Expires=7200"),
        url.as_str().replace("image%2Fpng", "text%2Fhtml"),
        url.as_str().replace(&*signature, &forged),
        url.as_str().split('?').next().unwrap().to_owned(),
    ] {
        assert_ne!(altered, url.as_str());
        let answer = get(&altered).await;
        assert_eq!(answer.status(), 403, "{altered}");
    }
    let put = client.put(url.as_str()).body("changed").send().await.unwrap();
    assert_eq!(put.status(), 403);
    assert_eq!(bucket.get(image(1)).await, Ok(Some(b"one".to_vec())));
}

#[expect(clippy::disallowed_methods, reason = "a plain client, as a browser is one")]
fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

#[tokio::test]
async fn a_bucket_out_of_reach_is_an_outage_and_never_an_absent_object() {
    let mut both = both().await;
    let wrong_key =
        S3Settings { secret_access_key: "another-key".into(), ..both.server.settings() };
    let reason = assert_outage(&Objects::s3(&wrong_key).unwrap()).await;
    assert!(reason.ends_with(": the S3 service returned SignatureDoesNotMatch"), "{reason}");
    both.server.stop().await;
    assert_outage(&both.stores[1]).await;
}

#[tokio::test]
async fn a_folder_out_of_reach_is_an_outage_and_never_an_absent_object() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("objects"), "a file where the folder should be").unwrap();
    assert_outage(&Objects::local(folder.path().join("objects"))).await;
}

/// Gives the last reason, as the operator reads it.
async fn assert_outage(store: &Objects) -> String {
    let outcomes = [
        store.put(image(1), b"one".to_vec(), PNG).await,
        store.get(image(1)).await.map(drop),
        store.delete(image(1)).await,
    ];
    outcomes.map(|outcome| {
        let error = outcome.unwrap_err();
        assert!(matches!(error, Error::Objects(_)), "{error}");
        let told = grantor_domain::Error::from(error.clone());
        assert!(matches!(told.kind(), ErrorKind::Unavailable { .. }), "{told}");
        error.to_string()
    })[2]
        .clone()
}

#[tokio::test]
async fn objects_are_listed_in_pages() {
    let both = both().await;
    for store in &both.stores {
        let empty = store.list(ObjectKind::Image, None, 2).await.unwrap();
        assert_eq!(empty, ObjectPage::default());
        for number in [4, 2, 5, 1, 3] {
            store.put(image(number), Vec::new(), PNG).await.unwrap();
        }
        store.put(thumbnail(9), Vec::new(), PNG).await.unwrap();
        let (mut pages, mut after) = (Vec::new(), None);
        loop {
            let page = store.list(ObjectKind::Image, after, 2).await.unwrap();
            pages.push(page.objects.iter().map(|it| it.key).collect::<Vec<_>>());
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        let pairs = [vec![image(1), image(2)], vec![image(3), image(4)], vec![image(5)]];
        assert_eq!(pages, pairs);
    }
}

#[tokio::test]
async fn what_bears_no_name_of_ours_is_not_listed() {
    let both = both().await;
    let folder = both.folder.path().join("objects/images");
    both.stores[0].put(image(1), Vec::new(), PNG).await.unwrap();
    for name in ["notes.txt", ".hidden", "00000000-0000-0000-0000-000000000002.0.1.part"] {
        std::fs::write(folder.join(name), "").unwrap();
    }
    let listed = both.stores[0].list(ObjectKind::Image, None, 9).await.unwrap();
    assert_eq!(listed.objects.iter().map(|it| it.key).collect::<Vec<_>>(), [image(1)]);
    let later = listed.objects[0].written_at.plus(HOUR);
    assert_eq!(both.stores[0].delete_unfinished(ObjectKind::Image, later).await, Ok(1));
    assert_eq!(both.stores[0].delete_unfinished(ObjectKind::Thumbnail, later).await, Ok(0));
    assert!(folder.join("notes.txt").exists() && folder.join(".hidden").exists());
}
