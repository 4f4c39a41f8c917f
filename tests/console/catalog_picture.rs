//! Catalog pictures: set, replaced, removed and counted, and shown to everybody while the license
//! is public.

use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::organization::Plan;
use grantor_domain::plan::{Plans, grouped};
use grantor_service::operations::object_check::{Depth, Fault, compare};
use grantor_service::operations::object_sweep::{SweepCursor, sweep};
use grantor_storage::object::{ObjectKey, ObjectKind};
use grantor_testkit::db_test;
use uuid::Uuid;

use super::image::Studio;
use super::*;
use crate::picture::{PLACE, form, jpeg, png, send_form, sha256};

const START: &str = "2026-01-01T00:00:00.000000Z";
const KINDS: [ObjectKind; 2] = [ObjectKind::CatalogPicture, ObjectKind::CatalogThumbnail];

impl Studio {
    fn picture_path(&self) -> String {
        format!("/v1.0.1/org/license/{}/catalog-picture", self.license)
    }

    async fn choose_picture(&self, image: &Value) -> Answer {
        let body = json!({ "imageId": image });
        self.home.send(Method::PUT, &self.picture_path(), Some(body)).await
    }

    async fn upload_picture(&self, files: &[&[u8]]) -> Answer {
        let (path, body) = (self.picture_path(), form(&[], files));
        send_form(self.app(), &self.home.token, Method::PUT, &path, body).await
    }

    async fn remove_picture(&self) -> Answer {
        self.home.send(Method::DELETE, &self.picture_path(), None).await
    }

    async fn change_license(&self, body: Value) {
        let path = format!("/v1.0.1/org/license/{}", self.license);
        let changed = self.home.send(Method::PATCH, &path, Some(body)).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    }

    async fn picture_object(&self, id: &str, kind: ObjectKind) -> Option<Vec<u8>> {
        let key = ObjectKey::new(kind, id.parse().unwrap());
        self.app().app.objects.get(key).await.unwrap()
    }

    fn picture_files(&self) -> usize {
        let folder = self.app().object_folder();
        let count =
            |it: ObjectKind| std::fs::read_dir(folder.join(it.as_str())).map_or(0, Iterator::count);
        KINDS.map(count).iter().sum()
    }

    /// The bytes that count against the plan.
    async fn used_bytes(&self) -> u64 {
        let query = "SELECT CAST(image_bytes AS text) FROM tenant_usage WHERE talents > 0";
        self.rows(query).await[0][0].parse().unwrap()
    }
}

fn picture_id(answer: &Answer) -> String {
    let (status, body) = answer.whole();
    assert_eq!(status, 200, "{body}");
    body["data"]["pictureId"].as_str().unwrap().to_owned()
}

fn size(bytes: &[u8]) -> (u32, u32) {
    let picture = ::image::load_from_memory(bytes).unwrap();
    (picture.width(), picture.height())
}

#[db_test]
async fn a_copy_of_a_reference_image_is_set_replaced_and_removed(studio: Studio) {
    let image = studio.add(&[&jpeg(1500, 1000)]).await["images"][0].clone();
    let own = image["bytes"].as_u64().unwrap();
    let answer = studio.choose_picture(&image["imageId"]).await;
    let id = picture_id(&answer);
    let [full, small] = KINDS;
    let kept = studio.picture_object(&id, full).await.unwrap();
    let data = json!({
        "licenseId": studio.license, "pictureId": id, "width": 1024, "height": 683,
        "bytes": kept.len(), "sha256": sha256(&kept), "createdAt": START,
    });
    let expected = json!({ "data": data, "message": "Catalog picture set", "status": "success" });
    assert_eq!(answer.whole(), (200, expected));
    let thumbnail = studio.picture_object(&id, small).await.unwrap();
    assert_eq!((size(&kept), size(&thumbnail)), ((1024, 683), (480, 320)));
    assert!(!kept.windows(PLACE.len()).any(|it| it == PLACE.as_bytes()));
    assert_eq!(studio.used_bytes().await, own + kept.len() as u64);

    let again = picture_id(&studio.upload_picture(&[&png(30, 20)]).await);
    let kept = studio.picture_object(&again, full).await.unwrap();
    assert_eq!((size(&kept), studio.picture_files()), ((30, 20), 2));
    assert_eq!(studio.picture_object(&id, full).await, None);
    assert_eq!(studio.used_bytes().await, own + kept.len() as u64);

    for _ in 0..2 {
        let removed = studio.remove_picture().await;
        assert_eq!((removed.status.as_u16(), removed.body.len()), (204, 0));
    }
    assert_eq!((studio.picture_files(), studio.used_bytes().await), (0, own));
    let query = "SELECT action, CAST(count(*) AS text) FROM log_entries
        WHERE action LIKE 'catalog_picture.%' GROUP BY action ORDER BY action";
    let logged = studio.rows(query).await;
    assert_eq!(logged, [["catalog_picture.remove", "1"], ["catalog_picture.set", "2"]]);
    let versions = studio.rows("SELECT CAST(version AS text) FROM licenses").await;
    assert_eq!(versions, [["2"]], "only the reference image made a new version");
}

#[db_test]
async fn everybody_loads_it_while_the_license_is_public(studio: Studio) {
    let image = studio.add(&[&png(800, 600)]).await["images"][0].clone();
    let id = picture_id(&studio.choose_picture(&image["imageId"]).await);
    let [full, card] = ["full", "card"].map(|it| format!("/app/catalog/pictures/{id}/{it}.jpg"));
    let app = studio.app();
    for path in [&full, &card] {
        assert_eq!(app.get(path).await.status, 404, "it is private");
    }
    studio.change_license(json!({ "status": "public" })).await;
    let shown = app.get(&full).await;
    assert_eq!((shown.status.as_u16(), size(&shown.body)), (200, (800, 600)));
    let tag = format!("\"{}-full\"", &sha256(&shown.body)[..32]);
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("cache-control", "public, max-age=604800"),
        ("etag", tag.as_str()),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(shown.header(name), Some(value));
    }
    let known = app.request(Method::GET, &full).header("if-none-match", &tag).send().await;
    assert_eq!((known.status.as_u16(), known.body.len()), (304, 0));
    assert_eq!(known.header("etag"), Some(tag.as_str()));
    assert_eq!(size(&app.get(&card).await.body), (480, 360));
    let reference = image["imageId"].as_str().unwrap();
    let reference = format!("/app/catalog/pictures/{reference}/full.jpg");
    assert_eq!(app.get(&reference).await.status, 404, "reference images stay private");
    assert_eq!(app.get("/app/catalog/pictures/odd/full.jpg").await.status, 404);

    studio.change_license(json!({ "expiresAt": "2026-01-01T00:10:00Z" })).await;
    app.clock.advance(Duration::from_mins(10));
    let gone = app.get(&card).await;
    assert_eq!(gone.status, 404, "it has expired");
    assert_eq!(gone.header("cache-control"), Some("no-store"));
}

#[db_test]
async fn what_is_no_picture_of_the_license_is_refused(studio: Studio) {
    let other = crate::picture::license(studio.app(), &studio.home.token, &studio.talent).await;
    let added = crate::picture::add(studio.app(), &studio.home.token, &other, &[&png(8, 8)]).await;
    let foreign = "must be a reference image of this license";
    for (answer, details) in [
        (
            studio.choose_picture(&added["images"][0]["imageId"]).await,
            json!({ "imageId": foreign }),
        ),
        (studio.choose_picture(&json!("x")).await, json!({ "imageId": "must be a UUID" })),
        (studio.upload_picture(&[]).await, json!({ "image": "is required" })),
        (
            studio.upload_picture(&[&png(8, 8), &png(8, 8)]).await,
            json!({ "image": "must be one image" }),
        ),
        (
            studio.upload_picture(&[b"<svg/>"]).await,
            json!({ "image": "must be a JPEG, PNG or WebP image" }),
        ),
    ] {
        assert_eq!(faults(&answer), (400, details));
    }
    assert_eq!(studio.picture_files(), 0);
}

#[db_test]
async fn a_deleted_license_takes_its_catalog_picture_along(studio: Studio) {
    picture_id(&studio.upload_picture(&[&png(30, 20)]).await);
    assert_eq!(studio.picture_files(), 2);
    let path = format!("/v1.0.1/org/license/{}", studio.license);
    assert_eq!(studio.home.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!((studio.picture_files(), studio.used_bytes().await), (0, 0));
    let rows = studio.rows("SELECT sha256 FROM catalog_pictures").await;
    assert_eq!(rows, Vec::<Vec<String>>::new());
}

#[db_test]
async fn objects_are_compared_with_their_rows_and_swept_without_them(studio: Studio) {
    studio.add(&[&png(8, 8)]).await;
    let id = picture_id(&studio.upload_picture(&[&png(30, 20)]).await);
    let app = &studio.app().app;
    let found = compare(&app.store, &app.objects, Depth::All).await.unwrap();
    assert_eq!((found.pictures, found.hashed, found.faults.len()), (2, 2, 0));

    for kind in KINDS {
        let orphan = ObjectKey::new(kind, Uuid::from_u128(1));
        app.objects.put(orphan, b"?".to_vec(), "image/jpeg").await.unwrap();
    }
    studio.app().clock.set_wall(Timestamp::parse("2100-01-01T00:00:00Z").unwrap());
    assert_eq!(sweep(app, &mut SweepCursor::default()).await.unwrap(), 2);
    assert_eq!(studio.picture_files(), 2, "those with a row stay");

    let key = ObjectKey::new(ObjectKind::CatalogPicture, id.parse().unwrap());
    app.objects.delete(key).await.unwrap();
    let found = compare(&app.store, &app.objects, Depth::All).await.unwrap();
    let missing = &found.faults[&Fault::Missing];
    assert_eq!((missing.count, missing.first.as_slice()), (1, &[key][..]));
}

/// A studio whose plan has room for one small image.
struct Tight(Studio);

impl Fixture for Tight {
    async fn on(engine: Engine) -> Self {
        let mut plans = Plans::default();
        let limit = u64::try_from(png(64, 64).len() + 16).unwrap();
        plans.of_mut(Plan::Free).image_bytes = Some(limit);
        let home = Home::with_config(engine, TestConfig { plans, ..TestConfig::default() }).await;
        Self(Studio::of(home).await)
    }
}

#[db_test]
async fn a_picture_counts_against_the_plan(tight: Tight) {
    let Tight(studio) = tight;
    let image = studio.add(&[&png(64, 64)]).await["images"][0].clone();
    let limit = png(64, 64).len() as u64 + 16;
    let message = format!("Your plan allows {} bytes of images; upgrade for more", grouped(limit));
    let mut expected = refused("RESOURCE_CONFLICT", &message);
    expected["error"]["details"] = json!({ "limit": limit, "used": image["bytes"] });
    let answer = studio.choose_picture(&image["imageId"]).await;
    assert_eq!((answer.whole(), studio.picture_files()), ((409, expected), 0));
}
