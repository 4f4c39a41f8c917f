//! Checks in the console and on the public catalog.

use grantor_testkit::db_test;
use image::ImageFormat;

use super::kit::{Browser, WebFixture};
use super::license::license;
use crate::picture::{photo, saved};

const PAGE: &str = "/app/check";
const PUBLIC: &str = "/app/catalog/check";

fn file() -> Vec<u8> {
    saved(&photo(1), ImageFormat::Png)
}

/// A license of Ada's talent Grace Hopper with a reference image.
async fn pictured(ada: &mut Browser<'_>, status: &str) -> String {
    let id = license(ada, &[("name", "Winter"), ("status", status)]).await;
    ada.upload(&format!("/app/licenses/{id}/images"), &[], &[&file()]).await.says(303, &[]);
    id
}

#[db_test]
async fn a_picture_is_checked_with_its_reference_image(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get(PAGE).await;
    seen.says(200, &["Check", "Picture", "Or a text", "We don't keep what you check."]);
    let id = pictured(&mut ada, "private").await;
    let seen = ada.upload(PAGE, &[("url", ""), ("text", "")], &[&file()]).await;
    let told = ["1 match", "Grace Hopper", "Found by the picture", "Very likely (100%)"];
    seen.says(200, &told).says(200, &["You may use it. Your organization owns this license."]);
    assert!(seen.page.contains("alt=\"Reference image of Grace Hopper\""), "{}", seen.page);
    assert_eq!(seen.link("/app/licenses/"), format!("/app/licenses/{id}"));
    seen.hides("Request this license");
}

#[db_test]
async fn others_find_what_they_may_see(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut mary = fixture.stranger().await;
    pictured(&mut ada, "private").await;
    let form = [("text", "A day with Grace Hopper")];
    let seen = mary.post(PAGE, &form).await;
    seen.says(200, &["Nobody was recognized"]).hides("Winter");
    mary.upload(PAGE, &[], &[&file()]).await.says(200, &["Nobody was recognized"]);
    // The same text finds the license where it may be seen.
    ada.post(PAGE, &form).await.says(200, &["1 match", "Grace Hopper"]);
    let id = pictured(&mut ada, "public").await;
    let seen = mary.post(PAGE, &form).await;
    let told = ["1 match", "Found by the name Grace Hopper", "Very likely (98%): a full name"];
    seen.says(200, &told);
    seen.says(200, &["You need a grant. Ask the rights holder for one.", "Request this license"]);
    assert_eq!(seen.link("/app/catalog/"), format!("/app/catalog/{id}"));
    assert_eq!(seen.link("/app/requests/new"), format!("/app/requests/new?license={id}"));
    // The reference images of public licenses are not public.
    let seen = mary.upload(PAGE, &[], &[&file()]).await;
    seen.says(200, &["1 match", "Found by the picture"]).hides("check-picture");
}

#[db_test]
async fn anybody_checks_against_public_licenses(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let private = pictured(&mut ada, "private").await;
    let form = [("text", "A day with Grace Hopper")];
    let mut guest = fixture.browser();
    guest.get("/app/catalog").await.says(200, &["Check a picture or a text"]);
    guest.get(PUBLIC).await.says(200, &["Check", "public licenses", "Sign in"]);
    guest.get(PAGE).await.says(303, &[]);
    guest.post(PUBLIC, &form).await.says(200, &["Nobody was recognized"]);
    let seen = ada.post(PUBLIC, &form).await;
    seen.says(200, &["Nobody was recognized"]).hides(&private);
    let public = pictured(&mut ada, "public").await;
    let seen = guest.post(PUBLIC, &form).await;
    let told = ["1 match", "Grace Hopper", "You need a grant.", "Request this license"];
    seen.says(200, &told).hides(&private);
    let seen = guest.upload(PUBLIC, &[], &[&file()]).await;
    seen.says(200, &["1 match", "Found by the picture"]).hides("check-picture");
    assert!(seen.page.contains(&format!("href=\"/app/catalog/{public}\"")), "{}", seen.page);
    guest.post_from_afar(PUBLIC, &form).await.says(403, &[]);
}

#[db_test]
async fn a_check_is_refused_in_plain_words(fixture: WebFixture) {
    let mut guest = fixture.browser();
    let seen = guest.post(PUBLIC, &[("url", " "), ("text", "")]).await;
    let wrong = "Is required, unless you enter an address or a text.";
    seen.says(422, &[]).refuses("image", wrong).begins_at("image");
    let seen = guest.post(PUBLIC, &[("url", "https://example.com/"), ("text", "Grace")]).await;
    let wrong = "Must be empty, or the others must be.";
    seen.says(422, &[]).refuses("url", wrong).refuses("text", wrong);
    let seen = guest.post(PUBLIC, &[("url", "example")]).await;
    let wrong = "Must be a URL such as https://example.com/page.";
    seen.says(422, &[]).refuses("url", wrong).holds("url", "example");
    let seen = guest.upload(PUBLIC, &[], &[b"nothing"]).await;
    seen.says(422, &[]).refuses("image", "Must be a JPEG, PNG or WebP image.");
}

#[db_test]
async fn the_public_page_has_its_limit(fixture: WebFixture) {
    let mut guest = fixture.browser();
    let form = [("text", "Nobody")];
    for _ in 0..10 {
        guest.post(PUBLIC, &form).await.says(200, &["Nobody was recognized"]);
    }
    guest.post(PUBLIC, &form).await.says(429, &["Too many requests"]);
    guest.get(PUBLIC).await.says(200, &["Check"]);
    let mut ada = fixture.ada().await;
    ada.post(PAGE, &form).await.says(200, &["Nobody was recognized"]);
}
