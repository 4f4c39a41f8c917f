//! Bookmarks: kept, noted on, let go, and what is left of them when access is lost.

use grantor_testkit::db_test;

use super::kit::{ADA, Browser, WebFixture};
use super::license::license;

/// Bookmarks a license and returns the bookmark's id.
async fn keep(browser: &mut Browser<'_>, license: &str) -> String {
    keep_saying(browser, license, "Bookmark added").await
}

async fn keep_saying(browser: &mut Browser<'_>, license: &str, message: &str) -> String {
    let form = [("target_type", "license"), ("target_id", license)];
    let seen = browser.follow("/app/bookmarks", &form).await;
    seen.says(200, &[message]).between("/app/bookmarks/", "/edit").unwrap()
}

#[db_test]
async fn a_license_is_kept_noted_on_and_let_go(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/bookmarks").await.says(200, &["No bookmarks yet"]);
    let license = license(&mut ada, &[("name", "Winter")]).await;
    let id = keep(&mut ada, &license).await;
    assert_eq!(keep_saying(&mut ada, &license, "Already in your bookmarks").await, id);
    let path = format!("/app/bookmarks/{id}/edit");
    let seen =
        ada.follow(&path, &[("note", "Ask\nGrace"), ("tags", "coats, Winter, winter")]).await;
    seen.says(200, &["Bookmark updated", "Ask Grace", "coats Winter"]);
    ada.get(&path).await.says(200, &["Ask Grace"]).holds("tags", "coats, Winter");
    let page = format!("/app/licenses/{license}");
    ada.get(&page).await.says(200, &["Remove bookmark"]);
    let seen = ada.follow(&format!("/app/bookmarks/{id}/remove"), &[("back", &page)]).await;
    seen.says(200, &["Bookmark removed", "Winter"]).hides("Remove bookmark");
}

#[db_test]
async fn a_note_that_does_not_fit_is_drawn_again(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let license = license(&mut ada, &[("name", "Winter")]).await;
    let id = keep(&mut ada, &license).await;
    let (note, tag) = ("n".repeat(1_001), "t".repeat(51));
    let form = [("note", note.as_str()), ("tags", tag.as_str())];
    let seen = ada.post(&format!("/app/bookmarks/{id}/edit"), &form).await;
    seen.says(422, &[&note]).refuses("note", "Must be at most 1000 characters.");
    seen.refuses("tags", "Each must be 1 to 50 characters.").holds("tags", &tag);
}

#[db_test]
async fn what_is_seen_no_longer_shows_nothing_of_itself(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let license = license(&mut mary, &[("name", "Secret"), ("status", "private")]).await;
    let path = format!("/app/licenses/{license}/permissions");
    let seen = mary.follow(&path, &[("grantee", ADA), ("role", "viewer")]).await;
    let mut ada = fixture.ada().await;
    keep(&mut ada, &license).await;
    ada.get("/app/bookmarks").await.says(200, &["Secret", "Grace Hopper"]);
    let right = seen.between("/permissions/", "/revoke").unwrap();
    mary.follow(&format!("{path}/{right}/revoke"), &[]).await;
    let seen = ada.get("/app/bookmarks").await;
    seen.says(200, &["access lost", "You no longer have access to this license"])
        .hides("Secret")
        .hides("Grace");
}

#[db_test]
async fn what_is_not_seen_is_not_kept(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let license = license(&mut mary, &[("name", "Secret")]).await;
    let id = keep(&mut mary, &license).await;
    let mut ada = fixture.ada().await;
    let form = [("target_type", "license"), ("target_id", license.as_str())];
    ada.post("/app/bookmarks", &form).await.says(404, &["Page not found"]);
    ada.post("/app/bookmarks", &[("target_type", "odd")]).await.says(422, &["Target id"]);
    ada.get(&format!("/app/bookmarks/{id}/edit")).await.says(404, &[]);
    ada.post(&format!("/app/bookmarks/{id}/edit"), &[("note", "x")]).await.says(404, &[]);
    assert_eq!(ada.post(&format!("/app/bookmarks/{id}/remove"), &[]).await.status, 404);
}
