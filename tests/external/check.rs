//! `/checks`.

mod bound;
mod refusal;

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use image::imageops::replace;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use super::gallery::Gallery;
use super::refused;
use crate::license::{Member, World};
use crate::picture::{add, photo, saved};

const FORM: &str = "multipart/form-data; boundary=part";
const NAME: &str = "Grâce Hopper";

/// The world, and a site that can be reached from it.
struct Desk {
    world: World,
    site: Listener,
}

impl Fixture for Desk {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        Self { world, site: Listener::start(answer).await.unwrap() }
    }
}

fn answer(call: &Call) -> Script {
    match &*call.path {
        "/copy.png" => Script::ok(&png(&photo(1))),
        "/page" => Script::ok(
            "<html><title>News</title><p>A day with Grâce Hopper.</p><img src='copy.png'>\
             <img src='gone.png'></html>"
                .as_bytes(),
        ),
        "/alt" => Script::ok(b"<html><p>Look!</p><img src='gone.png' alt='Amazing Grace'></html>"),
        "/feed" => Script::ok(
            "<?xml version='1.0' encoding='utf-8'?><rss version='2.0'><channel><item>\
             <title>Grâce Hopper wins</title><link>https://wire.example/1</link></item></channel>\
             </rss>"
                .as_bytes(),
        ),
        "/sitemap" => Script::ok(
            b"<?xml version='1.0'?><urlset><url><loc>https://wire.example/1</loc></url></urlset>",
        ),
        "/paper.pdf" => Script::ok(b"%PDF-1.7 <</Type /Catalog>>"),
        "/notes.txt" => typed("text/plain; charset=utf-8", b"A day with nobody."),
        "/data.csv" => typed("text/csv", b"name,day\nnobody,1"),
        _ => Script::answer(404, b""),
    }
}

/// A response of this type.
fn typed(kind: &str, body: &[u8]) -> Script {
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    Script::Raw([head.as_bytes(), body].concat())
}

fn png(picture: &RgbImage) -> Vec<u8> {
    saved(picture, ImageFormat::Png)
}

/// A form of texts, then files under `image`.
fn form(texts: &[(&str, &str)], files: &[&[u8]]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in texts {
        let head = format!("--part\r\nContent-Disposition: form-data; name=\"{name}\"");
        body.extend(format!("{head}\r\n\r\n{text}\r\n").into_bytes());
    }
    for file in files {
        let head = "--part\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"";
        body.extend(format!("{head}\r\nContent-Type: image/png\r\n\r\n").into_bytes());
        body.extend([*file, b"\r\n"].concat());
    }
    body.extend(b"--part--\r\n");
    body
}

async fn check(world: &World, member: &Member, body: Value) -> Answer {
    member.external(&world.app, Method::POST, "/checks", Some(body)).await
}

async fn upload(world: &World, member: &Member, texts: &[(&str, &str)], files: &[&[u8]]) -> Answer {
    let request = world.app.request(Method::POST, "/checks").bearer(&member.external);
    request.header("content-type", FORM).body(form(texts, files)).send().await
}

/// What a check that found nothing says.
fn nothing() -> (u16, Value) {
    (200, json!({ "matches": [], "skipped": [] }))
}

fn decision(decision: &str, code: &str, message: &str, license: &str) -> Value {
    let reason = json!({ "code": code, "message": message, "license_id": license });
    json!({ "decision": decision, "reasons": [reason] })
}

fn no_grant(license: &str) -> Value {
    decision("ask", "NO_GRANT", "The party has no grant for this use", license)
}

fn owner(license: &str) -> Value {
    decision("allowed", "OWNER", "The party owns the license", license)
}

fn permission(license: &str) -> Value {
    let message = "The party has a permission, and the license covers this use";
    decision("allowed", "PERMISSION", message, license)
}

fn by_name(world: &World, license: &str, decision: &Value) -> Value {
    json!({
        "talent": { "id": world.talent, "name": NAME }, "license_id": license, "kind": "name",
        "method": "full_name", "term": NAME, "strong": true, "confidence": 0.98,
        "decision": decision,
    })
}

fn by_image(world: &World, license: &str, decision: &Value) -> Value {
    json!({
        "talent": { "id": world.talent, "name": NAME }, "license_id": license, "kind": "image",
        "method": "perceptual_hash", "strong": true, "confidence": 1.0, "distance": 0,
        "decision": decision,
    })
}

fn found(matches: &[Value]) -> (u16, Value) {
    (200, json!({ "matches": matches, "skipped": [] }))
}

/// A license of this status with a reference image.
async fn pictured(world: &World, status: &str, picture: &RgbImage) -> String {
    let license = world.license(json!({ "status": status })).await;
    add(&world.app, &world.agency.console, &license, &[&png(picture)]).await;
    license
}

#[db_test]
async fn a_text_names_the_talents_of_visible_licenses(world: World) {
    let text = json!({ "text": "A day with Grâce Hopper." });
    let private = world.license(json!({})).await;
    let own = check(&world, &world.agency, text.clone()).await;
    assert_eq!(own.whole(), found(&[by_name(&world, &private, &owner(&private))]));
    // The license of another tenant is private.
    assert_eq!(check(&world, &world.brand, text.clone()).await.whole(), nothing());
    assert_eq!(world.grant(&private, "viewer").await.status, 201);
    let shared = check(&world, &world.brand, text.clone()).await;
    assert_eq!(shared.whole(), found(&[by_name(&world, &private, &permission(&private))]));
    let nobody = check(&world, &world.agency, json!({ "text": "A day with nobody." })).await;
    assert_eq!(nobody.whole(), nothing());
}

#[db_test]
async fn a_public_license_is_found_while_it_is_public(world: World) {
    let expires = json!({ "status": "public", "expiresAt": "2026-01-01T01:00:00Z" });
    let license = world.license(expires).await;
    let text = json!({ "text": "amazing grace" });
    let mut expected = by_name(&world, &license, &no_grant(&license));
    expected["term"] = json!("Amazing Grace");
    expected["confidence"] = json!(0.9);
    assert_eq!(check(&world, &world.brand, text.clone()).await.whole(), found(&[expected]));
    world.app.clock.advance(Duration::from_mins(70));
    let (brand, agency) = (&world.brand, &world.agency);
    let again = |token: String| {
        let request = world.app.request(Method::POST, "/checks").bearer(&token);
        request.json(&text).send()
    };
    assert_eq!(again(brand.renewed(&world.app).await).await.whole(), nothing());
    let own = again(agency.renewed(&world.app).await).await.json();
    assert_eq!(own["matches"][0]["license_id"], json!(license), "its owner still sees it");
}

/// Of several licenses of a talent, the one that allows most is named.
#[db_test]
async fn the_best_license_of_a_talent_is_named(world: World) {
    let shared = world.license(json!({})).await;
    assert_eq!(world.grant(&shared, "viewer").await.status, 201);
    let public = world.license(json!({ "status": "public" })).await;
    let text = json!({ "text": "Grâce Hopper" });
    let both = check(&world, &world.brand, text.clone()).await;
    assert_eq!(both.whole(), found(&[by_name(&world, &shared, &permission(&shared))]));
    let path = format!("/org/license/{shared}");
    let deleted = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert_eq!(deleted.status, 204);
    let one = check(&world, &world.brand, text).await;
    assert_eq!(one.whole(), found(&[by_name(&world, &public, &no_grant(&public))]));
}

#[db_test]
async fn a_picture_is_compared_with_the_images_of_visible_licenses(world: World) {
    let picture = photo(1);
    let private = pictured(&world, "private", &picture).await;
    // A public license of the same talent without the picture.
    let public = world.license(json!({ "status": "public" })).await;
    let file = png(&picture);
    let own = upload(&world, &world.agency, &[], &[&file]).await;
    assert_eq!(own.whole(), found(&[by_image(&world, &private, &owner(&private))]));
    assert_eq!(upload(&world, &world.brand, &[], &[&file]).await.whole(), nothing());
    add(&world.app, &world.agency.console, &public, &[&file]).await;
    let seen = upload(&world, &world.brand, &[], &[&file]).await;
    assert_eq!(seen.whole(), found(&[by_image(&world, &public, &no_grant(&public))]));
    let other = upload(&world, &world.agency, &[], &[&png(&photo(2))]).await;
    assert_eq!(other.whole(), nothing());
}

#[db_test]
async fn the_part_inside_a_border_is_told(world: World) {
    let license = pictured(&world, "public", &photo(1)).await;
    let mut framed = RgbImage::from_pixel(440, 320, Rgb([255; 3]));
    replace(&mut framed, &photo(1), 40, 40);
    let seen = upload(&world, &world.brand, &[], &[&png(&framed)]).await;
    let mut expected = by_image(&world, &license, &no_grant(&license));
    expected["region"] = json!({ "x": 0.091, "y": 0.125, "width": 0.818, "height": 0.75 });
    assert_eq!(seen.whole(), found(&[expected]));
}

#[db_test]
async fn an_address_is_read_with_its_pictures(desk: Desk) {
    let (world, site) = (&desk.world, &desk.site);
    let license = pictured(world, "public", &photo(1)).await;
    let ask = no_grant(&license);
    let (image, name) = (by_image(world, &license, &ask), by_name(world, &license, &ask));
    let url = |path: &str| json!({ "url": site.url(path) });
    let gone = json!([{
        "url": site.url("/gone.png"),
        "reason": "could not be read: the server returned status 404",
    }]);
    let page = check(world, &world.brand, url("/page")).await;
    assert_eq!(page.whole(), (200, json!({ "matches": [image, name], "skipped": gone })));
    let alt = check(world, &world.brand, url("/alt")).await.json();
    assert_eq!((&alt["matches"][0]["term"], &alt["skipped"]), (&json!("Amazing Grace"), &gone));
    let feed = check(world, &world.brand, url("/feed")).await;
    assert_eq!(feed.whole(), found(&[name]));
    for body in [url("/copy.png"), json!({ "image_url": site.url("/copy.png") })] {
        assert_eq!(
            check(world, &world.brand, body).await.whole(),
            found(std::slice::from_ref(&image))
        );
    }
    assert_eq!(site.calls().len(), 8, "nothing is fetched twice: {:?}", site.calls());
}

/// How many rows of the log match.
async fn logged(world: &World, condition: &str) -> String {
    let query = format!("SELECT CAST(count(*) AS text) FROM log_entries WHERE {condition}");
    seed::rows(&world.app.database.options, &query).await.concat().concat()
}

#[db_test]
async fn the_log_has_no_content(desk: Desk) {
    let (world, site) = (&desk.world, &desk.site);
    world.license(json!({})).await;
    let text = json!({ "text": "Xylophone by Grâce Hopper" });
    assert_eq!(check(world, &world.agency, text).await.status, 200);
    let url = json!({ "url": site.url("/page") });
    assert_eq!(check(world, &world.agency, url).await.status, 200);
    assert_eq!(upload(world, &world.agency, &[], &[&png(&photo(1))]).await.status, 200);
    let query = "SELECT details FROM log_entries WHERE action = 'check.create'";
    let mut details = seed::rows(&world.app.database.options, query).await.concat();
    details.sort_unstable();
    let told = [("image", 0), ("text", 1), ("url", 1)];
    let told = told.map(|(kind, count)| format!(r#"{{"kind":"{kind}","matches":{count}}}"#));
    assert_eq!(details, told);
    for column in ["details", "message"] {
        let has = |word: &str| format!("lower({column}) LIKE '%{word}%'");
        for word in ["xylophone", "/page", "hopper"] {
            let condition = format!("action = 'check.create' AND {}", has(word));
            assert_eq!(logged(world, &condition).await, "0", "{column} {word}");
        }
        assert_ne!(logged(world, &has("e")).await, "0", "the same search finds something");
    }
}

#[db_test]
async fn a_check_takes_the_scope(gallery: Gallery) {
    let token = gallery.scoped(&["license:read", "license:write"]).await;
    let body = Some(json!({ "text": "x" }));
    let refusal = refused("INSUFFICIENT_PERMISSIONS", "The token lacks the scope mention:read");
    let answer = gallery.send(&token, Method::POST, "/checks", body.clone()).await;
    assert_eq!(answer.whole(), (403, refusal));
    let token = gallery.scoped(&["mention:read"]).await;
    assert_eq!(gallery.send(&token, Method::POST, "/checks", body).await.whole(), nothing());
}

/// How many statements a check of a text takes.
async fn statements(world: &World) -> u64 {
    let before = world.app.app.store.statements();
    let answer = check(world, &world.brand, json!({ "text": "Grâce Hopper" })).await;
    assert_eq!(answer.json()["matches"].as_array().unwrap().len(), 1);
    world.app.app.store.statements() - before
}

#[db_test]
async fn the_cost_does_not_grow_with_what_the_caller_sees(world: World) {
    world.license(json!({ "status": "public" })).await;
    statements(&world).await;
    let few = statements(&world).await;
    for _ in 0..12 {
        world.license(json!({ "status": "public" })).await;
    }
    // The first request after some time also reads the token's client.
    statements(&world).await;
    assert_eq!(statements(&world).await, few);
    assert!(few <= 20, "{few}");
}
