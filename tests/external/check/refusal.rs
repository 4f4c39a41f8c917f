//! Checks that are refused, with what is wrong.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_outbound::TimeLimits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use image::RgbImage;
use serde_json::{Value, json};

use super::{Desk, FORM, answer, check, nothing, png, upload};
use crate::license::World;
use crate::picture::photo;

const PLAIN_HTTP: &str = "must begin with https://; addresses that begin with http:// are not read";

/// The details of a rejected check.
fn details(answer: &Answer) -> Value {
    assert_eq!(answer.status, 400, "{}", answer.json());
    answer.json()["error"]["details"].clone()
}

#[db_test]
async fn what_cannot_be_read_is_said(desk: Desk) {
    let (world, site) = (&desk.world, &desk.site);
    let missing = "could not be read: the server returned status 404";
    let sitemap = "could not be read: it is a sitemap; check one of its pages instead";
    let pdf = "could not be read: it is a PDF file; copy its text and check that instead";
    let text = "could not be read: it is a text file; copy its text and check that instead";
    let data = "could not be read: it is neither a page, a feed nor a picture";
    for (member, path, message) in [
        ("url", "/gone", missing),
        ("image_url", "/gone.png", missing),
        ("image_url", "/page", "must be a JPEG, PNG or WebP image"),
        ("url", "/sitemap", sitemap),
        ("url", "/paper.pdf", pdf),
        ("url", "/notes.txt", text),
        ("url", "/data.csv", data),
    ] {
        let refused = check(world, &world.brand, json!({ (member): site.url(path) })).await;
        assert_eq!(details(&refused), json!({ (member): message }), "{path}");
    }
}

#[db_test]
async fn private_networks_are_not_reached(world: World) {
    let site = Listener::start(answer).await.unwrap();
    let inside = format!("https://127.0.0.1:{}/page", site.port());
    // `https://` may be left out.
    let bare = format!("127.0.0.1:{}/page", site.port());
    for (member, url, message) in [
        ("url", inside.as_str(), "must resolve to a public address"),
        ("image_url", &inside, "must resolve to a public address"),
        ("url", "https://localhost/", "must have a public host name"),
        ("url", &bare, "must resolve to a public address"),
        ("url", "http://example.com/", PLAIN_HTTP),
        ("image_url", "http://example.com/a.png", PLAIN_HTTP),
    ] {
        let refused = check(&world, &world.brand, json!({ (member): url })).await;
        assert_eq!(details(&refused), json!({ (member): message }));
    }
    assert_eq!(site.connections(), 0);
}

/// A site that never answers, and a short wait.
struct Slow(World, Listener);

impl Fixture for Slow {
    async fn on(engine: Engine) -> Self {
        let times =
            TimeLimits { connect: Duration::from_millis(200), total: Duration::from_millis(200) };
        let allowed = "127.0.0.0/8".parse().unwrap();
        let limits = Limits::off();
        let config = TestConfig { limits, allowed, times, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        Self(world, Listener::start(|_| Script::Hang).await.unwrap())
    }
}

#[db_test]
async fn a_slow_site_is_given_up(slow: Slow) {
    let Slow(world, site) = &slow;
    for member in ["url", "image_url"] {
        let refused = check(world, &world.brand, json!({ (member): site.url("/") })).await;
        let message = "could not be read: the request timed out";
        assert_eq!(details(&refused), json!({ (member): message }));
    }
}

#[db_test]
async fn a_check_has_exactly_one_member(world: World) {
    let one = "must be the only one of image, image_url, url and text";
    let twice = json!({ "text": "x", "url": "https://example.com/" });
    let refused = check(&world, &world.brand, twice).await;
    assert_eq!(details(&refused), json!({ "text": one, "url": one }));
    let file = png(&photo(1));
    let refused = upload(&world, &world.brand, &[("text", "x")], &[&file]).await;
    assert_eq!(details(&refused), json!({ "image": one, "text": one }));
    let refused = upload(&world, &world.brand, &[], &[&file, &file]).await;
    assert_eq!(details(&refused), json!({ "image": "must be one picture" }));
    let none = "The check must have one of image, image_url, url and text";
    for refused in [
        check(&world, &world.brand, json!({})).await,
        upload(&world, &world.brand, &[("other", "x")], &[]).await,
    ] {
        let error = &refused.json()["error"];
        let told = (refused.status.as_u16(), &error["code"], &error["message"]);
        assert_eq!(told, (400, &json!("VALIDATION_ERROR"), &json!(none)));
    }
}

#[db_test]
async fn every_member_has_its_bounds(world: World) {
    let longest = "x ".repeat(51_200);
    let fits = check(&world, &world.brand, json!({ "text": longest })).await;
    assert_eq!(fits.whole(), nothing());
    let form = "must be a URL such as https://example.com/page";
    for (body, message) in [
        (json!({ "text": format!("{longest}x") }), "must be at most 102400 bytes (100 KB)"),
        (json!({ "text": "ä".repeat(51_201) }), "must be at most 102400 bytes (100 KB)"),
        (json!({ "text": " " }), "must not be empty"),
        (json!({ "url": "ftp://example.com/" }), form),
        (json!({ "image_url": "picture" }), form),
    ] {
        let told = details(&check(&world, &world.brand, body).await);
        assert_eq!(told.as_object().unwrap().values().collect::<Vec<_>>(), [message]);
    }
    for (file, message) in [
        (b"nothing".to_vec(), "must be a JPEG, PNG or WebP image"),
        (png(&RgbImage::new(300, 200)), "has too little detail to be compared"),
    ] {
        let told = details(&upload(&world, &world.brand, &[], &[&file]).await);
        assert_eq!(told, json!({ "image": message }));
    }
    let large = upload(&world, &world.brand, &[], &[&vec![0_u8; 10 * 1024 * 1024 + 1]]).await;
    let error = &large.json()["error"];
    assert_eq!((large.status.as_u16(), &error["code"]), (413, &json!("PAYLOAD_TOO_LARGE")));
    assert_eq!(error["message"], "An image must be at most 10 MiB");
    let huge = world.app.request(Method::POST, "/checks").bearer(&world.brand.external);
    let huge = huge.header("content-type", FORM).header("content-length", "12582912");
    let huge = huge.send().await;
    let message = "The form is too large: an image must be at most 10 MiB, and all of it at most \
                   11 MiB";
    assert_eq!((huge.status.as_u16(), &huge.json()["error"]["message"]), (413, &json!(message)));
    let odd = world.app.request(Method::POST, "/checks").bearer(&world.brand.external);
    let odd = odd.header("content-type", "text/plain").body("x".to_owned()).send().await;
    assert_eq!(odd.status, 415);
}

/// Messages name the field that pictures belong in.
#[db_test]
async fn a_picture_is_sent_in_its_field(world: World) {
    let told = details(&check(&world, &world.brand, json!({ "image": "aGVsbG8=" })).await);
    let message = "must be a file in a multipart/form-data request; for the address of a picture, \
                   use image_url";
    assert_eq!(told, json!({ "image": message }));
    let body = "--part\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\n\r\n\
                x\r\n--part--\r\n";
    let request = world.app.request(Method::POST, "/checks").bearer(&world.brand.external);
    let request = request.header("content-type", FORM).body(body.to_owned());
    let told = details(&request.send().await);
    assert_eq!(told, json!({ "photo": "must be text; send the picture in the field image" }));
}
