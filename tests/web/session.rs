//! Sign-ins of browsers: what the cookie is, how it is renewed, and when it ends.

use std::time::Duration;

use grantor_testkit::db_test;

use super::kit::{ADA, WebFixture};
use crate::console::PASSWORD;

#[db_test]
async fn a_wrong_password_keeps_the_name(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let form = [("username", ADA), ("password", "Wrong-Engine-1")];
    let seen = browser.post("/app/sign-in", &form).await;
    seen.says(401, &["The username or password is incorrect"]);
    seen.holds("username", ADA).hides("Wrong-Engine-1");
    let seen = browser.post("/app/sign-in", &[]).await;
    seen.refuses("username", "Is required.").refuses("password", "Is required.");
}

#[db_test]
async fn whoever_signs_in_goes_on_where_they_wanted(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let form = [("username", ADA), ("password", PASSWORD), ("next", "/app/talents?page=1")];
    browser.follow("/app/sign-in", &form).await.says(200, &["No talents yet"]);
    let outside =
        ["//evil.example", "/app/../..//evil.example", "/app/%2E./x", "/app/.%2e", "/apple"];
    for next in outside {
        let form = [("username", ADA), ("password", PASSWORD), ("next", next)];
        let seen = fixture.browser().post("/app/sign-in", &form).await;
        assert_eq!(seen.location.as_deref(), Some("/app"), "{next}");
    }
}

#[db_test]
async fn a_cookie_is_renewed_on_the_way_and_ends_everywhere(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    // The test's server is reached by HTTPS, so the cookie is bound to its host.
    let first = ada.cookie("__Host-grantor").unwrap().to_owned();
    fixture.app.clock.advance(Duration::from_secs(3_601));
    ada.get("/app").await.says(200, &["Hello, Ada"]);
    assert_ne!(ada.cookie("__Host-grantor").unwrap(), first);
    ada.follow("/app/sign-out", &[]).await.says(200, &["You're signed out"]);
    assert_eq!(ada.cookie("__Host-grantor"), None);
    let seen = ada.get("/app").await;
    assert_eq!(seen.location.as_deref(), Some("/app/sign-in"));
}

#[db_test]
async fn a_session_that_was_ended_elsewhere_is_over_here(fixture: WebFixture) {
    let mut here = fixture.ada().await;
    let mut there = fixture.ada().await;
    let form = [("password", PASSWORD), ("newPassword", "Difference-Engine-22")];
    there.follow("/app/profile/password", &form).await;
    let seen = here.get("/app").await;
    assert_eq!(seen.location.as_deref(), Some("/app/sign-in"));
    there.get("/app").await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn light_and_dark_are_remembered(fixture: WebFixture) {
    let mut browser = fixture.browser();
    let seen = browser.follow("/app/theme", &[("theme", "dark"), ("back", "/app/catalog")]).await;
    assert!(seen.page.contains("data-theme=\"dark\""), "{}", seen.page);
    let seen = browser.follow("/app/theme", &[("theme", "pink"), ("back", "/app/catalog")]).await;
    assert!(seen.page.contains("data-theme=\"auto\""));
}

#[db_test]
async fn pages_are_guarded_and_assets_are_kept(fixture: WebFixture) {
    let seen = fixture.browser().get("/app/sign-in").await;
    let policy = seen.policy.clone().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    for inline in ["<style", " style=", " onclick=", "<script>"] {
        seen.hides(inline);
    }
    let sheet = fixture.app.get(&seen.link("/app/assets/")).await;
    assert_eq!(sheet.header("cache-control"), Some("public, max-age=31536000, immutable"));
    assert_eq!(fixture.app.get("/app/assets/000000000000/app.css").await.status, 404);
    assert_eq!(fixture.app.get("/app/").await.header("location"), Some("/app"));
}

/// An open page greets whoever is signed in. Where that cannot be told it must not say that nobody is.
#[db_test]
async fn a_fault_is_not_taken_for_nobody(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    fixture.app.clock.advance(Duration::from_secs(1));
    ada.get("/app/catalog").await.says(200, &["Ada Lovelace"]);
    fixture.run("UPDATE tenants SET status = 'suspended'".to_owned()).await;
    fixture.app.clock.advance(Duration::from_secs(1));
    ada.get("/app/catalog").await.says(200, &["Sign in"]);
    fixture.run("ALTER TABLE sessions RENAME COLUMN revoked_at TO ended_at".to_owned()).await;
    fixture.app.clock.advance(Duration::from_secs(1));
    assert_eq!(ada.get("/app/catalog").await.status, 500);
}
