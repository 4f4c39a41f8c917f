//! Reference images as API clients see them, and the URLs that open them.

use std::time::Duration;

use grantor_testkit::db_test;

use super::*;
use crate::picture::{add, fetch, jpeg, license, png, sha256};

/// An office with a license that has two images.
struct Gallery {
    office: Office,
    token: String,
    license: String,
    /// As the console showed them.
    images: Value,
}

impl Fixture for Gallery {
    async fn on(engine: Engine) -> Self {
        let office = Office::on(engine).await;
        let own = office.console(Method::GET, "/v1.0.1/talent", &json!({})).await;
        let talent = text(&own.json()["data"]["talents"][0]["talentId"]);
        let license = license(&office.app, &office.person, &talent).await;
        let files = [jpeg(40, 30), png(30, 40)];
        let added = add(&office.app, &office.person, &license, &[&files[0], &files[1]]).await;
        let token = text(&office.tokens().await["access_token"]);
        Self { office, token, license, images: added["images"].clone() }
    }
}

impl Gallery {
    async fn get(&self, path: &str) -> Answer {
        self.office.app.request(Method::GET, path).bearer(&self.token).send().await
    }

    async fn one(&self, query: &str) -> Answer {
        self.get(&format!("/licenses/{}{query}", self.license)).await
    }

    /// The images as they must be shown, without addresses.
    fn expected(&self) -> Vec<Value> {
        let image = |it: &Value| {
            json!({
                "id": it["imageId"], "content_type": it["contentType"], "width": it["width"],
                "height": it["height"], "bytes": it["bytes"], "sha256": it["sha256"],
                "created_at": it["createdAt"],
            })
        };
        self.images.as_array().unwrap().iter().map(image).collect()
    }

    async fn url(&self) -> String {
        let shown = self.one("?include_images=true&include_image_urls=true").await.json();
        text(&shown["reference_images"][0]["url"])
    }
}

#[db_test]
async fn images_are_shown_to_who_asks_for_them(gallery: Gallery) {
    let plain = gallery.one("").await;
    assert_eq!(plain.header("etag"), Some("\"2-private-licensor-plain\""));
    let plain = plain.json();
    assert_eq!((&plain["image_count"], &plain["version"]), (&json!(2), &json!(2)));
    assert!(plain.get("reference_images").is_none() && plain.get("image_urls").is_none());

    let shown = gallery.one("?include_images=true").await;
    assert_eq!(shown.header("etag"), Some("\"2-private-licensor-images\""));
    let mut expected = plain.clone();
    expected["reference_images"] = json!(gallery.expected());
    assert_eq!(shown.whole(), (200, expected.clone()));

    let located = gallery.one("?include_images=true&include_image_urls=true").await;
    assert_eq!(located.header("etag"), None);
    let (status, body) = located.whole();
    for (place, image) in body["reference_images"].as_array().unwrap().iter().enumerate() {
        let fetched = fetch(&gallery.office.app, image["url"].as_str().unwrap()).await;
        assert_eq!(image["sha256"], sha256(&fetched.body));
        expected["reference_images"][place]["url"] = image["url"].clone();
        expected["reference_images"][place]["url_expires_at"] =
            json!("2026-01-01T01:00:00.000000Z");
    }
    assert_eq!((status, body), (200, expected));

    let alone = gallery.one("?include_image_urls=true").await;
    assert_eq!(alone.status, 400);
}

#[db_test]
async fn a_change_shows_the_images_too(gallery: Gallery) {
    let path = format!("/licenses/{}?include_images=true", gallery.license);
    let request = gallery.office.app.request(Method::PATCH, &path).bearer(&gallery.token);
    let changed = request.json(&json!({ "title": "Summer" })).send().await;
    let body = changed.json();
    assert_eq!((changed.status.as_u16(), &body["version"]), (200, &json!(3)), "{body}");
    assert_eq!(body["reference_images"], json!(gallery.expected()));
}

#[db_test]
async fn lists_give_fresh_urls_each_time(gallery: Gallery) {
    let plain = gallery.get("/licenses").await.json();
    for (seconds, expires) in [(0, "01:00:00"), (10, "01:00:10")] {
        gallery.office.app.clock.advance(Duration::from_secs(seconds));
        let listed = gallery.get("/licenses?include_image_urls=true").await.json();
        let mut expected = plain.clone();
        let urls = &listed["data"][0]["image_urls"];
        let url = |at: usize| {
            json!({
                "image_id": gallery.images[at]["imageId"], "url": urls[at]["url"],
                "url_expires_at": format!("2026-01-01T{expires}.000000Z"),
            })
        };
        expected["data"][0]["image_urls"] = json!([url(0), url(1)]);
        assert_eq!(listed, expected);
        for url in urls.as_array().unwrap() {
            assert_eq!(fetch(&gallery.office.app, &text(&url["url"])).await.status, 200);
        }
    }
    assert_eq!(gallery.get("/licenses").await.json(), plain);
}

#[db_test]
async fn a_url_opens_one_image_for_an_hour(gallery: Gallery) {
    let (app, url) = (&gallery.office.app, gallery.url().await);
    let opened = fetch(app, &url).await;
    let headers = [
        ("content-type", "image/jpeg"),
        ("cache-control", "private, max-age=3600"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("content-disposition", "inline; filename=\"image.jpg\""),
    ];
    for (name, value) in headers {
        assert_eq!(opened.header(name), Some(value));
    }
    app.clock.advance(Duration::from_secs(3_599));
    let late = fetch(app, &url).await;
    assert_eq!((late.status.as_u16(), late.body == opened.body), (200, true));
    assert_eq!(late.header("cache-control"), Some("private, max-age=1"));
    app.clock.advance(Duration::from_secs(2));
    let path = url.strip_prefix("https://grantor.test").unwrap();
    let expired = app.request(Method::GET, path).header("x-request-id", "r-1").send().await;
    assert_eq!(expired.whole(), (403, refused("FORBIDDEN", "This URL has expired")));
    assert_eq!(expired.header("cache-control"), Some("no-store"));
}

#[db_test]
async fn an_altered_url_opens_nothing(gallery: Gallery) {
    let (app, url) = (&gallery.office.app, gallery.url().await);
    let path = url.strip_prefix("https://grantor.test").unwrap();
    for place in 0..path.len() {
        for other in [b'0', b'a', b'Z'] {
            let mut bytes = path.as_bytes().to_vec();
            if bytes[place] == other || place == 0 {
                continue;
            }
            bytes[place] = other;
            let altered = String::from_utf8(bytes).unwrap();
            let status = app.get(&altered).await.status.as_u16();
            assert!([403, 404].contains(&status), "{status} {altered}");
        }
    }
    let thumbnail = path.replace("/images/", "/thumbnails/");
    let bare = path.split('?').next().unwrap();
    for other in [thumbnail, bare.to_owned(), format!("{path}&x=1"), format!("{path}=")] {
        assert_eq!(app.get(&other).await.status, 403, "{other}");
    }
}

#[db_test]
async fn the_images_of_a_deleted_license_are_gone(gallery: Gallery) {
    let url = gallery.url().await;
    let path = format!("/v1.0.1/org/license/{}", gallery.license);
    let deleted = gallery.office.console(Method::DELETE, &path, &json!({})).await;
    assert_eq!(deleted.status, 204);
    assert_eq!(fetch(&gallery.office.app, &url).await.status, 404);
}
