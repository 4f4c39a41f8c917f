//! Objects without rows: swept once they are old, and never those that have one.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use grantor_domain::{Clock as _, Timestamp};
use grantor_service::operations::object_sweep::{SweepCursor, sweep};
use grantor_storage::object::{ObjectKey, ObjectKind, Objects};
use grantor_testkit::db_test;
use grantor_testkit::s3::S3Server;
use uuid::Uuid;

use super::image::Studio;
use super::*;
use crate::picture::{fetch, png};

const DAY: Duration = Duration::from_hours(24);
const ORPHANS: [ObjectKind; 2] = [ObjectKind::Image, ObjectKind::Thumbnail];

impl Studio {
    /// Leaves what a process leaves that dies before the row is written.
    async fn orphan(&self, number: u128) {
        for kind in ORPHANS {
            let key = ObjectKey::new(kind, Uuid::from_u128(number));
            self.app().app.objects.put(key, b"?".to_vec(), "image/png").await.unwrap();
        }
    }

    async fn sweep(&self) -> u64 {
        sweep(&self.app().app, &mut SweepCursor::default()).await.unwrap()
    }

    fn stored(&self) -> Vec<PathBuf> {
        let kinds = ORPHANS.map(|it| self.app().object_folder().join(it.as_str()));
        let paths = kinds.into_iter().flat_map(|it| std::fs::read_dir(it).unwrap());
        paths.map(|it| it.unwrap().path()).collect()
    }
}

/// Says that a file was written at this instant.
fn date(path: &PathBuf, at: Timestamp) {
    let micros = u64::try_from(at.as_micros()).unwrap();
    let file = File::options().write(true).open(path).unwrap();
    file.set_modified(UNIX_EPOCH + Duration::from_micros(micros)).unwrap();
}

#[db_test]
async fn an_old_object_without_a_row_is_swept_and_nothing_else(studio: Studio) {
    let image = studio.add(&[&png(4, 4)]).await["images"][0].clone();
    studio.orphan(1).await;
    let unfinished = studio.app().object_folder().join("images").join("1.0.7.part");
    std::fs::write(&unfinished, "half").unwrap();
    for path in studio.stored() {
        date(&path, studio.app().clock.now());
    }
    studio.orphan(2).await;
    let young = studio.app().clock.now().plus(Duration::from_micros(1));
    for path in studio.stored().iter().filter(|it| it.to_string_lossy().ends_with("02")) {
        date(path, young);
    }
    studio.app().clock.advance(DAY);
    assert_eq!((studio.sweep().await, studio.files()), (0, 7));
    studio.app().clock.advance(Duration::from_micros(1));
    assert_eq!((studio.sweep().await, studio.files()), (3, 4));
    assert!(!unfinished.exists());
    studio.app().clock.advance(Duration::from_micros(1));
    assert_eq!((studio.sweep().await, studio.files()), (2, 2));
    assert_eq!(studio.rows("SELECT content_type FROM images").await, [["image/png"]]);
    let id: Uuid = image["imageId"].as_str().unwrap().parse().unwrap();
    for kind in ORPHANS {
        let kept = studio.app().app.objects.get(ObjectKey::new(kind, id)).await;
        assert!(kept.unwrap().is_some());
    }
}

#[db_test]
async fn a_store_of_another_database_is_left_alone(studio: Studio) {
    studio.orphan(1).await;
    assert_eq!(studio.sweep().await, 0, "it is this database's now");
    let objects = Some(Objects::local(studio.app().object_folder()));
    let config = TestConfig { objects, ..TestConfig::default() };
    let other = TestApp::with_config(Engine::Sqlite, config).await;
    let far = Timestamp::parse("2100-01-01T00:00:00Z").unwrap();
    other.clock.set_wall(far);
    let refused = sweep(&other.app, &mut SweepCursor::default()).await.unwrap_err();
    let reason = refused.internal_detail().unwrap_or_default();
    assert!(
        reason.starts_with(
            "objects are not swept: the object store belongs to a database other than"
        ),
        "{reason}"
    );
    assert_eq!(studio.files(), 2);
    studio.app().clock.set_wall(far);
    assert_eq!((studio.sweep().await, studio.files()), (2, 0), "its own database sweeps it");
}

#[tokio::test]
async fn a_bucket_is_swept_too() {
    let server = S3Server::start().await.unwrap();
    grantor_testkit::install_tls_provider();
    let objects = Objects::s3(&server.settings()).unwrap();
    let config = TestConfig { objects: Some(objects.clone()), ..TestConfig::default() };
    let app = TestApp::with_config(Engine::Sqlite, config).await;
    assert_eq!(account(&app, "ada@example.com", "Babbage Talent").await.status, 201);
    let token = access(&app.sign_in("ada@example.com", PASSWORD).await);
    let studio = Studio::of(Home { app, token }).await;
    studio.add(&[&png(4, 4)]).await;
    studio.orphan(1).await;
    let count = async || {
        let list = |kind| objects.list(kind, None, 9);
        list(ORPHANS[0]).await.unwrap().objects.len()
            + list(ORPHANS[1]).await.unwrap().objects.len()
    };
    let page = objects.list(ORPHANS[0], None, 9).await.unwrap();
    let written = page.objects.iter().map(|it| it.written_at);
    studio.app().clock.set_wall(written.min().unwrap().plus(DAY));
    assert_eq!((studio.sweep().await, count().await), (0, 4));
    studio.app().clock.advance(DAY);
    assert_eq!((studio.sweep().await, count().await), (2, 2));
}

#[db_test]
async fn a_deleted_license_takes_its_pictures_along(studio: Studio) {
    let added = studio.add(&[&png(4, 4), &png(5, 5)]).await;
    assert_eq!(studio.files(), 4);
    let path = format!("/v1.0.1/org/license/{}", studio.license);
    assert_eq!(studio.home.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(studio.files(), 0);
    assert_eq!(studio.rows("SELECT content_type FROM images").await, Vec::<Vec<String>>::new());
    let url = added["images"][0]["url"].as_str().unwrap();
    assert_eq!(fetch(studio.app(), url).await.status, 404);
}
