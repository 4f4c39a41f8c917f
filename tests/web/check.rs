//! Checks in the console and on the public catalog.

use std::time::Duration;

use grantor_testkit::db_test;
use image::ImageFormat;

use super::kit::{Browser, WebFixture};
use super::license::license;
use super::request::Parties;
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
    seen.says(200, &["Check", "Picture", "Address", "Text", "We don't keep what you check."]);
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
    let seen = guest.post(PUBLIC, &form).await;
    seen.says(429, &["You can make 10 checks a minute. Try again in", "About checks"]);
    assert!(seen.page.contains(">Nobody</textarea>"), "the text is kept: {}", seen.page);
    assert!(seen.retry_after.is_some() && !seen.page.contains("ashboard"), "{}", seen.page);
    // A picture is not even read.
    let seen = guest.upload(PUBLIC, &[], &[&vec![0_u8; 2 * 1024 * 1024]]).await;
    seen.says(429, &["You can make 10 checks a minute. Try again in"]);
    guest.get(PUBLIC).await.says(200, &["Check"]);
    let mut ada = fixture.ada().await;
    ada.post(PAGE, &form).await.says(200, &["Nobody was recognized"]);
}

/// What was checked is told, and the form is there for the next check.
#[db_test]
async fn the_result_says_what_was_checked(fixture: WebFixture) {
    let mut guest = fixture.browser();
    let seen = guest.upload(PUBLIC, &[("pictures", "1")], &[&file()]).await;
    seen.says(200, &["You checked the picture", "Check something else"]).hides("You chose");
    assert!(seen.page.contains("data-check"), "a picture can be dropped again: {}", seen.page);
    let seen = guest.upload(PUBLIC, &[("pictures", "3")], &[&file()]).await;
    let told = "You chose 3 pictures. Only the first one was checked: check the others one by one.";
    seen.says(200, &[told]);
    let seen = guest.post(PUBLIC, &[("text", "A day\nwith nobody")]).await;
    seen.says(200, &["You checked the text “A day with nobody”."]);
    assert!(seen.page.contains("></textarea>"), "an empty form: {}", seen.page);
}

#[db_test]
async fn what_is_too_large_is_said_with_the_limit(fixture: WebFixture) {
    let mut guest = fixture.browser();
    for mebibytes in [10, 12] {
        let large = vec![0; mebibytes * 1024 * 1024 + 1];
        let seen = guest.upload(PUBLIC, &[], &[&large]).await;
        seen.says(422, &[]).refuses("image", "Must be one picture of at most 10 MiB.");
    }
    // Bytes count, not characters.
    let seen = guest.post(PUBLIC, &[("text", &"ä".repeat(51_201))]).await;
    seen.says(422, &["Text must be at most 102400 bytes (100 KB)."]);
    guest.post(PUBLIC, &[("text", &"ä".repeat(51_200))]).await.says(200, &[]);
}

#[db_test]
async fn an_address_needs_no_scheme_and_plain_http_is_explained(fixture: WebFixture) {
    let mut guest = fixture.browser();
    let seen = guest.post(PUBLIC, &[("url", "http://8.8.8.8/page")]).await;
    let wrong = "Must begin with https://; addresses that begin with http:// are not read.";
    seen.says(422, &[]).refuses("url", wrong);
    let seen = guest.post(PUBLIC, &[("url", "10.0.0.1/page")]).await;
    seen.says(422, &[]).refuses("url", "Must resolve to a public address.");
}

#[db_test]
async fn a_grant_is_named_and_opened(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = format!("/app/grants/{}", parties.grant().await);
    let form = [("text", "A day with Grace Hopper")];
    let seen = parties.ada.post(PAGE, &form).await;
    seen.says(200, &["Your grant has not started yet. (GR-2026-000001)"]);
    assert_eq!(seen.link("/app/grants/"), page);
    fixture.app.clock.advance(Duration::from_hours(32 * 24));
    let seen = fixture.ada().await.post(PAGE, &form).await;
    let told = "You may use it within what your grant covers. The grant says for what, where and \
                until when. (GR-2026-000001)";
    seen.says(200, &[told]);
    assert_eq!(seen.link("/app/grants/"), page);
    parties.mary = fixture.signed_in("mary@example.com").await;
    let seen = parties.mary.post(PAGE, &form).await;
    seen.says(200, &["You may use it. Your organization owns this license."]);
}
