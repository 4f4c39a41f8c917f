//! Passkeys, with one in software: as second factor and as a sign-in of their own.

use grantor_testkit::app::ORIGIN;
use grantor_testkit::authenticator::Authenticator;
use grantor_testkit::{db_test, seed};

use super::factor::{SECURITY, STEP, enter_password, recovery_codes};
use super::kit::{ADA, Browser, Seen, WebFixture};
use crate::console::PASSWORD;

const ALONE: &str = "/app/sign-in/passkey";
const SECOND: &str = "/app/sign-in/second-factor/passkey";

async fn start(browser: &mut Browser<'_>, path: &str) -> String {
    let seen = browser.post(&format!("{path}/start"), &[]).await;
    assert_eq!((seen.status, seen.kind.as_deref()), (200, Some("application/json")));
    seen.page
}

/// Adds a passkey for the person who is signed in.
async fn add(browser: &mut Browser<'_>, name: &str) -> (Authenticator, Seen) {
    let path = format!("{SECURITY}/passkeys");
    let options = start(browser, &path).await;
    let (passkey, created) = Authenticator::create(ORIGIN, &options);
    let seen = browser.post(&path, &[("name", name), ("credential", &created)]).await;
    (passkey, seen)
}

/// Signs in with a passkey alone.
async fn sign_in(browser: &mut Browser<'_>, passkey: &mut Authenticator) -> Seen {
    let signed = passkey.sign(&start(browser, ALONE).await);
    browser.post(ALONE, &[("credential", &signed), ("next", "/app/talents")]).await
}

#[db_test]
async fn a_passkey_signs_in_alone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (mut passkey, seen) = add(&mut ada, "Laptop").await;
    assert_eq!(recovery_codes(seen.says(200, &["Passkey added"])).len(), 10);
    ada.get(SECURITY).await.says(200, &["Laptop", "never"]);
    let mut browser = fixture.browser();
    let seen = sign_in(&mut browser, &mut passkey).await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app/talents")));
    browser.get("/app/profile").await.says(200, &["Passkey"]);
    let seen = sign_in(&mut fixture.browser(), &mut passkey).await;
    assert_eq!(seen.status, 303, "again, with a new challenge");
}

#[db_test]
async fn the_options_name_our_host_and_ask_for_verification(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let options = start(&mut ada, &format!("{SECURITY}/passkeys")).await;
    let options: serde_json::Value = serde_json::from_str(&options).unwrap();
    let options = &options["publicKey"];
    assert_eq!(options["rp"]["id"], "grantor.test");
    assert_eq!(options["user"]["name"], ADA);
    let wanted = &options["authenticatorSelection"];
    assert_eq!(wanted["residentKey"], "preferred");
    assert_eq!(wanted["userVerification"], "required");
    let options = start(&mut fixture.browser(), ALONE).await;
    let options: serde_json::Value = serde_json::from_str(&options).unwrap();
    assert_eq!(options["publicKey"]["rpId"], "grantor.test");
    assert_eq!(options["publicKey"]["userVerification"], "required");
}

#[db_test]
async fn a_signature_works_once_and_in_its_browser(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (mut passkey, _) = add(&mut ada, "Laptop").await;
    let mut browser = fixture.browser();
    let signed = passkey.sign(&start(&mut browser, ALONE).await);
    let form = [("credential", &*signed)];
    let mut other = fixture.browser();
    start(&mut other, ALONE).await;
    other.post(ALONE, &form).await.says(401, &["The passkey was not accepted"]);
    fixture.browser().post(ALONE, &form).await.says(422, &["start again"]);
    assert_eq!(browser.post(ALONE, &form).await.status, 303);
    browser.post(ALONE, &form).await.says(422, &["start again"]);
}

#[db_test]
async fn a_false_passkey_is_refused(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut mary = fixture.stranger().await;
    let refused = "The passkey was not accepted";
    let (mut elsewhere, _) = add(&mut ada, "Phished").await;
    elsewhere.move_to("https://grantor.test.evil.example");
    sign_in(&mut fixture.browser(), &mut elsewhere).await.says(401, &[refused]);
    let (mut careless, _) = add(&mut ada, "Careless").await;
    careless.stop_verifying();
    sign_in(&mut fixture.browser(), &mut careless).await.says(401, &[refused]);
    let (mut own, _) = add(&mut ada, "Own").await;
    let (mut others, _) = add(&mut mary, "Hers").await;
    others.pretend(&own);
    sign_in(&mut fixture.browser(), &mut others).await.says(401, &[refused]);
    let options = start(&mut ada, &format!("{SECURITY}/passkeys")).await;
    let (mut unknown, _) = Authenticator::create(ORIGIN, &options);
    sign_in(&mut fixture.browser(), &mut unknown).await.says(401, &[refused]);
    let seen = sign_in(&mut fixture.browser(), &mut own).await;
    assert_eq!(seen.status, 303, "the control");
}

#[db_test]
async fn a_passkey_is_a_second_factor(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    let (mut passkey, _) = add(&mut ada, "Laptop").await;
    let mut mary = fixture.stranger().await;
    let (mut others, _) = add(&mut mary, "Hers").await;
    let mut browser = enter_password(app, ADA).await;
    browser.get(STEP).await.says(200, &["Use a passkey", "Recovery code"]);
    let options = start(&mut browser, SECOND).await;
    let form = others.sign(&options);
    let seen = browser.post(SECOND, &[("credential", &form)]).await;
    seen.says(401, &["The passkey was not accepted", "Confirm it's you"]);
    let signed = passkey.sign(&options);
    browser.follow(SECOND, &[("credential", &signed)]).await.says(200, &["Hello, Ada"]);
    let mut again = enter_password(app, ADA).await;
    start(&mut again, SECOND).await;
    again.post(SECOND, &[("credential", &signed)]).await.says(401, &["not accepted"]);
}

#[db_test]
async fn a_passkey_is_created_where_a_second_factor_is_required(fixture: WebFixture) {
    fixture.run("UPDATE tenants SET requires_second_factor = 1 = 1".to_owned()).await;
    let mut browser = fixture.browser();
    let form = [("username", ADA), ("password", PASSWORD)];
    browser.follow("/app/sign-in", &form).await.says(200, &["requires a second factor"]);
    let path = "/app/sign-in/set-up/passkey";
    let options = start(&mut browser, path).await;
    let (mut passkey, created) = Authenticator::create(ORIGIN, &options);
    let refused = browser.post(path, &[("name", " "), ("credential", &created)]).await;
    refused.says(422, &[]).refuses("name", "Is required.");
    let seen = browser.post(path, &[("name", "Phone"), ("credential", &created)]).await;
    assert_eq!(recovery_codes(seen.says(200, &["Your recovery codes"])).len(), 10);
    browser.get("/app").await.says(200, &["Hello, Ada"]);
    let seen = sign_in(&mut fixture.browser(), &mut passkey).await;
    assert_eq!(seen.location.as_deref(), Some("/app/talents"), "a passkey alone is enough");
}

#[db_test]
async fn a_passkey_is_named_listed_and_removed_by_its_owner(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let path = format!("{SECURITY}/passkeys");
    let options = start(&mut ada, &path).await;
    let (_, created) = Authenticator::create(ORIGIN, &options);
    let long = "x".repeat(61);
    let seen = ada.post(&path, &[("name", &*long), ("credential", &*created)]).await;
    seen.says(422, &[]).refuses("name", "Must be 1 to 60 characters.");
    let seen = ada.post(&path, &[("name", "Key"), ("credential", "{}")]).await;
    seen.says(401, &["The passkey was not accepted"]);
    let (mut passkey, _) = add(&mut ada, "Laptop").await;
    let seen = ada.get(SECURITY).await;
    let id = seen.between("/app/profile/security/passkeys/", "/remove").unwrap();
    let remove = format!("{path}/{id}/remove");
    let mut mary = fixture.stranger().await;
    mary.post(&remove, &[]).await.says(404, &[]);
    ada.follow(&remove, &[]).await.says(200, &["Passkey removed"]).hides("Laptop");
    sign_in(&mut fixture.browser(), &mut passkey).await.says(401, &["not accepted"]);
    let left = "SELECT CAST(count(*) AS text) FROM recovery_codes";
    assert_eq!(seed::rows(&fixture.app.database.options, left).await, [["0"]]);
}

#[db_test]
async fn one_passkey_belongs_to_one_account(fixture: WebFixture) {
    let (mut ada, mut mary) = (fixture.ada().await, fixture.stranger().await);
    let path = format!("{SECURITY}/passkeys");
    let options = start(&mut ada, &path).await;
    let (_, created) = Authenticator::create(ORIGIN, &options);
    let form = [("name", "Key"), ("credential", &*created)];
    start(&mut mary, &path).await;
    mary.post(&path, &form).await.says(401, &["not accepted"]);
    ada.post(&path, &form).await.says(200, &["Passkey added"]);
    ada.post(&path, &form).await.says(422, &["start again"]);
}
