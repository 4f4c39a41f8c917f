//! Reference images of licenses: added, counted, told of and removed.

use grantor_service::operations::object_url;
use grantor_storage::object::Objects;
use grantor_testkit::db_test;
use grantor_testkit::s3::S3Server;

use super::*;
use crate::picture::{self, PLACE, TAIL, fetch, form, jpeg, png, send_form, sha256, webp};

const START: &str = "2026-01-01T00:00:00.000000Z";
const HOUR_LATER: &str = "2026-01-01T01:00:00.000000Z";

/// An app with a talent and a license over them.
pub(super) struct Studio {
    pub(super) home: Home,
    pub(super) talent: String,
    pub(super) license: String,
}

impl Fixture for Studio {
    async fn on(engine: Engine) -> Self {
        Self::of(Home::on(engine).await).await
    }
}

impl Studio {
    pub(super) async fn of(home: Home) -> Self {
        let body = json!({ "fullname": "Grace Hopper" });
        let talent = home.send(Method::POST, "/v1.0.1/org/talent", Some(body)).await;
        let talent = talent.json()["data"]["talentId"].as_str().unwrap().to_owned();
        let license = picture::license(&home.app, &home.token, &talent).await;
        Self { home, talent, license }
    }

    pub(super) fn app(&self) -> &TestApp {
        &self.home.app
    }

    fn path(&self) -> String {
        format!("/v1.0.1/org/talent/license/{}/image", self.license)
    }

    async fn send(&self, body: Vec<u8>) -> Answer {
        send_form(self.app(), &self.home.token, Method::PATCH, &self.path(), body).await
    }

    pub(super) async fn add(&self, files: &[&[u8]]) -> Value {
        picture::add(self.app(), &self.home.token, &self.license, files).await
    }

    async fn remove(&self, image: &Value) -> Answer {
        let path = format!("{}/{}", self.path(), image.as_str().unwrap());
        self.home.send(Method::DELETE, &path, None).await
    }

    /// Count and version of the license, rows of images, files of objects.
    async fn state(&self) -> [u64; 4] {
        let listed = self.home.send(Method::GET, "/v1.0.1/org/licenses", None).await.json();
        let licenses = listed["data"]["licenses"].as_array().unwrap();
        let license = licenses.iter().find(|it| it["licenseId"] == *self.license).unwrap();
        let rows = self.rows("SELECT content_type FROM images").await.len();
        [
            license["imageCount"].as_u64().unwrap(),
            license["version"].as_u64().unwrap(),
            u64::try_from(rows).unwrap(),
            self.files(),
        ]
    }

    pub(super) fn files(&self) -> u64 {
        let folder = self.app().object_folder();
        let count = |kind: &str| std::fs::read_dir(folder.join(kind)).map_or(0, Iterator::count);
        u64::try_from(count("images") + count("thumbnails")).unwrap()
    }

    pub(super) async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.app().database.options, query).await
    }
}

/// An image as it is shown, with what nobody can foresee taken from it.
fn shown(image: &Value, kind: &str, size: [u32; 2], kept: &[u8]) -> Value {
    json!({
        "imageId": image["imageId"], "contentType": kind, "width": size[0], "height": size[1],
        "bytes": kept.len(), "sha256": sha256(kept), "createdAt": START, "url": image["url"],
        "urlExpiresAt": HOUR_LATER,
    })
}

#[db_test]
async fn images_are_added_in_their_order_and_removed(studio: Studio) {
    let files = [jpeg(64, 48), png(30, 20), webp(20, 30)];
    let answer = studio.send(form(&[], &[&files[0], &files[1], &files[2]])).await;
    let (status, body) = answer.whole();
    assert_eq!(status, 200, "{body}");
    let images = &body["data"]["images"];
    let mut kept = Vec::new();
    for image in images.as_array().unwrap() {
        let fetched = fetch(studio.app(), image["url"].as_str().unwrap()).await;
        assert_eq!(fetched.header("content-type"), image["contentType"].as_str());
        kept.push(fetched.body);
    }
    let expected = json!({
        "data": {
            "licenseId": studio.license, "imagesAdded": 3, "totalImages": 3,
            "hints": body["data"]["hints"],
            "images": [
                shown(&images[0], "image/jpeg", [64, 48], &kept[0]),
                shown(&images[1], "image/png", [30, 20], &kept[1]),
                shown(&images[2], "image/webp", [20, 30], &kept[2]),
            ],
        },
        "message": "Images added", "status": "success",
    });
    assert_eq!(body, expected);
    let hints = body["data"]["hints"].as_array().unwrap().iter();
    let hints: Vec<_> = hints.map(|it| (&it["imageId"], it["tooPlain"] == true)).collect();
    let plain = images.as_array().unwrap().iter().map(|it| (&it["imageId"], true));
    assert_eq!(hints, plain.collect::<Vec<_>>());
    assert_eq!(studio.state().await, [3, 2, 3, 6]);

    let removed = studio.remove(&images[1]["imageId"]).await;
    assert_eq!((removed.status.as_u16(), removed.body.len()), (204, 0));
    assert_eq!(studio.state().await, [2, 3, 2, 4]);
    assert_eq!(fetch(studio.app(), images[1]["url"].as_str().unwrap()).await.status, 404);
    assert_eq!(refusal(&studio.remove(&images[1]["imageId"]).await), (404, "NOT_FOUND".into()));
    assert_eq!(studio.add(&[&files[1]]).await["totalImages"], 3);

    let query = "SELECT CAST(resource_version AS TEXT), data FROM events
        WHERE type = 'license.updated' ORDER BY resource_version";
    let told = studio.rows(query).await.into_iter().map(|row| {
        let data: Value = serde_json::from_str(&row[1]).unwrap();
        assert_eq!(data["license_id"], *studio.license);
        assert_eq!(data["license"]["version"].to_string(), row[0]);
        (data["license"]["image_count"].clone(), data["changed_fields"].clone())
    });
    let changed = json!(["reference_images"]);
    let event = |count: u32| (json!(count), changed.clone());
    assert_eq!(told.collect::<Vec<_>>(), [3, 2, 3].map(event));
}

#[db_test]
async fn a_thumbnail_has_an_address_of_its_own(studio: Studio) {
    let image = studio.add(&[&jpeg(640, 480)]).await["images"][0].clone();
    let id = image["imageId"].as_str().unwrap().parse().unwrap();
    let issued = object_url::issue_thumbnail(&studio.app().app, id).await.unwrap();
    assert_eq!(issued.expires_at.to_string(), HOUR_LATER);
    let small = fetch(studio.app(), &issued.url).await;
    assert_eq!((small.status.as_u16(), small.header("content-type")), (200, Some("image/jpeg")));
    let whole = fetch(studio.app(), image["url"].as_str().unwrap()).await;
    assert!(small.body.len() < whole.body.len());
    studio.remove(&image["imageId"]).await;
    assert_eq!(fetch(studio.app(), &issued.url).await.status, 404);
}

#[db_test]
async fn nothing_but_the_picture_is_kept(studio: Studio) {
    let file = jpeg(64, 48);
    let holds =
        |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|it| it == text.as_bytes());
    assert!(holds(&file, PLACE) && holds(&file, TAIL));
    studio.add(&[&file]).await;
    for kind in ["images", "thumbnails"] {
        for entry in std::fs::read_dir(studio.app().object_folder().join(kind)).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            assert!(!holds(&bytes, PLACE) && !holds(&bytes, TAIL), "{kind}");
        }
    }
}

#[db_test]
async fn a_license_is_made_with_its_images_in_one_form(studio: Studio) {
    let texts = [
        ("name", "Autumn"),
        ("type", "voice"),
        ("uses", "voice"),
        ("uses", "advertising"),
        ("territories[]", "DE"),
        ("canCrawl", "true"),
        ("terms", r#"{"credit": "yes"}"#),
        ("appearanceFee", "12.50"),
        ("currency", "EUR"),
        ("feePer", "month"),
    ];
    let path = format!("/v1.0.1/org/talent/license/{}", studio.talent);
    let body = form(&texts, &[&png(8, 9)]);
    let made = send_form(studio.app(), &studio.home.token, Method::POST, &path, body).await;
    let (status, body) = made.whole();
    let image = &body["data"]["images"][0];
    let kept = fetch(studio.app(), image["url"].as_str().unwrap()).await.body;
    let expected = json!({
        "data": {
            "licenseId": body["data"]["licenseId"], "name": "Autumn", "type": "voice",
            "description": "", "externalId": null, "appearanceFee": "12.50", "currency": "EUR",
            "feePer": "month", "uses": ["voice", "advertising"], "territories": ["DE"],
            "terms": { "credit": "yes" }, "validFrom": null, "expiresAt": null, "canCrawl": true,
            "status": "draft", "permission": "licensor",
            "talent": { "talentId": studio.talent, "fullname": "Grace Hopper" }, "imageCount": 1,
            "version": 1, "createdAt": START, "updatedAt": START,
            "hints": [{
                "imageId": image["imageId"], "tooPlain": true,
                "recognized": body["data"]["hints"][0]["recognized"],
                "features": body["data"]["hints"][0]["features"], "leastFeatures": 60,
                "resembles": [],
            }],
            "images": [shown(image, "image/png", [8, 9], &kept)],
        },
        "message": "License created", "status": "success",
    });
    assert_eq!((status, body), (201, expected));
}

#[db_test]
async fn a_license_that_is_not_made_leaves_no_object(studio: Studio) {
    let path = format!("/v1.0.1/org/talent/license/{}", studio.talent);
    let texts = [("name", "Autumn"), ("type", "voice"), ("externalId", "a-1")];
    for expected in [201, 409] {
        let body = form(&texts, &[&png(8, 9)]);
        let made = send_form(studio.app(), &studio.home.token, Method::POST, &path, body).await;
        assert_eq!(made.status, expected);
        assert_eq!(studio.state().await, [0, 1, 1, 2]);
    }
}

#[db_test]
async fn what_is_no_picture_is_refused_and_leaves_nothing(studio: Studio) {
    let good = png(8, 8);
    let cut = &good[..good.len() - 20];
    let kinds = "must be a JPEG, PNG or WebP image";
    for (file, reason) in [
        (&b"GIF89a\x01\0\x01\0\0\0\0;"[..], kinds),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", kinds),
        (b"", "is empty"),
        (cut, "is incomplete or damaged"),
    ] {
        let refused = studio.send(form(&[], &[&good, file])).await;
        assert_eq!(faults(&refused), (400, json!({ "images": format!("“b.jpg” {reason}") })));
    }
    let none = studio.send(form(&[("name", "x")], &[])).await;
    assert_eq!(faults(&none), (400, json!({ "images": "is required" })));
    let many = studio.send(form(&[], &[&good[..]; 11])).await;
    assert_eq!(faults(&many), (400, json!({ "images": "must be at most 10 in one request" })));
    assert_eq!(studio.state().await, [0, 1, 0, 0]);
}

#[db_test]
async fn a_body_that_does_not_read_or_fit_is_refused(studio: Studio) {
    let whole = form(&[], &[&png(8, 8)]);
    let malformed = refused(
        "VALIDATION_ERROR",
        "The request body is not a valid multipart form, or is incomplete",
    );
    for body in [&b""[..], b"nonsense", &whole[..whole.len() - 8], &whole[..60]] {
        let answer = studio.send(body.to_vec()).await;
        assert_eq!(answer.whole(), (400, malformed.clone()));
    }
    let large = vec![0; 10 * 1024 * 1024 + 1];
    let answer = studio.send(form(&[], &[&large])).await;
    let expected = refused("PAYLOAD_TOO_LARGE", "An image must be at most 10 MiB");
    assert_eq!(answer.whole(), (413, expected));
    let json = json!({ "images": [] });
    let answer = studio.home.send(Method::PATCH, &studio.path(), Some(json)).await;
    let expected = "The request body must be multipart/form-data";
    assert_eq!(answer.whole(), (415, refused("UNSUPPORTED_MEDIA_TYPE", expected)));

    let path = format!("/v1.0.1/org/talent/license/{}", studio.talent);
    let text = "x".repeat(1024 * 1024);
    let answer = studio.home.send(Method::POST, &path, Some(json!({ "description": text }))).await;
    assert_eq!(refusal(&answer), (413, "PAYLOAD_TOO_LARGE".into()));
    let body = form(&[("description", &text)], &[]);
    let answer = send_form(studio.app(), &studio.home.token, Method::POST, &path, body).await;
    assert_eq!(refusal(&answer), (413, "PAYLOAD_TOO_LARGE".into()));
    let request = studio.app().request(Method::POST, &path).console(&studio.home.token);
    let answer = request.header("content-type", "text/plain").body("x").send().await;
    let expected = "The request body must be application/json or multipart/form-data";
    assert_eq!(answer.whole(), (415, refused("UNSUPPORTED_MEDIA_TYPE", expected)));
    assert_eq!(studio.state().await, [0, 1, 0, 0]);
}

#[db_test]
async fn a_license_has_50_images_at_most(studio: Studio) {
    let file = png(4, 4);
    for _ in 0..4 {
        studio.add(&[&file[..]; 10]).await;
    }
    studio.add(&[&file[..]; 9]).await;
    let more = studio.send(form(&[], &[&file[..]; 2])).await;
    let reason = "must be at most 50 per license";
    assert_eq!(faults(&more), (400, json!({ "images": reason })));
    assert_eq!(studio.add(&[&file]).await["totalImages"], 50);
    assert_eq!(studio.state().await, [50, 7, 50, 100]);
}

#[db_test]
async fn uploads_that_race_keep_the_count_and_leave_no_object(studio: Studio) {
    let file = png(4, 4);
    let uploads = (0..7).map(|_| studio.send(form(&[], &[&file[..]; 10])));
    let answers = futures_util::future::join_all(uploads).await;
    let mut outcomes: Vec<u16> = answers.iter().map(|it| it.status.as_u16()).collect();
    outcomes.sort_unstable();
    assert_eq!(outcomes, [200, 200, 200, 200, 200, 400, 400]);
    assert_eq!(studio.state().await, [50, 6, 50, 100]);
}

#[db_test]
async fn another_organizations_license_is_unknown(studio: Studio) {
    let image = studio.add(&[&png(4, 4)]).await["images"][0]["imageId"].clone();
    account(studio.app(), "eve@example.com", "Other Agency").await;
    let eve = access(&studio.app().sign_in("eve@example.com", PASSWORD).await);
    let body = form(&[], &[&png(4, 4)]);
    let added = send_form(studio.app(), &eve, Method::PATCH, &studio.path(), body).await;
    let unknown = refused("NOT_FOUND", "License not found");
    assert_eq!(added.whole(), (404, unknown.clone()));
    let path = format!("{}/{}", studio.path(), image.as_str().unwrap());
    let removed = studio.home.send_as(&eve, Method::DELETE, &path, None).await;
    assert_eq!(removed.whole(), (404, unknown));
    assert_eq!(studio.state().await, [1, 2, 1, 2]);
}

#[db_test]
async fn an_upload_with_a_key_is_carried_out_once(studio: Studio) {
    let body = form(&[], &[&png(4, 4)]);
    let own = picture::form_type();
    let boundary = own.split_once("boundary=").unwrap().1;
    let send = |kind: &str, body: &[u8]| {
        let request = studio.app().request(Method::PATCH, &studio.path());
        let request = request.console(&studio.home.token).header("idempotency-key", "k-1");
        request.header("content-type", kind).body(body.to_vec()).send()
    };
    let (first, second) = (send(&own, &body).await, send(&own, &body).await);
    assert_eq!(first.whole(), second.whole());
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    // Clients part the form by another line each time.
    let other = String::from("multipart/form-data; boundary=another-line");
    let anew = replaced(&body, boundary.as_bytes(), b"another-line");
    assert_eq!(send(&other, &anew).await.whole(), first.whole());
    let changed = replaced(&anew, b"a.jpg", b"b.jpg");
    assert_eq!(send(&other, &changed).await.status, 422, "other words are another request");
    assert_eq!(studio.state().await, [1, 2, 1, 2]);
}

fn replaced(body: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut out = vec![];
    let mut rest = body;
    while let Some(at) = rest.windows(from.len()).position(|it| it == from) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    out.extend_from_slice(rest);
    out
}

#[expect(clippy::disallowed_methods, reason = "a plain client, as a browser is one")]
fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

#[tokio::test]
async fn a_bucket_keeps_and_serves_the_images() {
    let mut server = S3Server::start().await.unwrap();
    grantor_testkit::install_tls_provider();
    let objects = Some(Objects::s3(&server.settings()).unwrap());
    let config = TestConfig { objects, ..TestConfig::default() };
    let app = TestApp::with_config(Engine::Sqlite, config).await;
    assert_eq!(account(&app, "ada@example.com", "Babbage Talent").await.status, 201);
    let token = access(&app.sign_in("ada@example.com", PASSWORD).await);
    let studio = Studio::of(Home { app, token }).await;
    let added = studio.add(&[&jpeg(16, 16)]).await;
    let image = &added["images"][0];
    let client = client();
    let fetched = client.get(image["url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(fetched.status(), 200);
    assert_eq!(fetched.headers()["content-type"], "image/jpeg");
    assert_eq!(image["sha256"], sha256(&fetched.bytes().await.unwrap()));
    assert_eq!(studio.remove(&image["imageId"]).await.status, 204);
    let gone = client.get(image["url"].as_str().unwrap()).send().await.unwrap();
    assert_eq!(gone.status(), 404);
    assert_eq!(studio.state().await, [0, 3, 0, 0]);
    server.stop().await;
    assert_eq!(studio.send(form(&[], &[&png(4, 4)])).await.status, 503);
    assert_eq!(studio.state().await, [0, 3, 0, 0]);
}
