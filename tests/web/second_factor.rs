//! Second factors: setting them up, signing in with them, requiring and resetting them.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::admin::staff;
use super::factor::{
    NEXT_CODE, PhoneApp, SECURITY, STEP, enter_password, give_app, recovery_codes, set_up,
};
use super::kit::{ADA, Browser, WebFixture};
use crate::console::PASSWORD;

const REQUIREMENT: &str = "/app/organization/security";
const RESET: &str = "/app/admin/second-factor";

#[db_test]
async fn an_app_is_asked_for_and_each_of_its_codes_works_once(fixture: WebFixture) {
    let app = &fixture.app;
    let (phone, codes) = give_app(app, ADA).await;
    assert_eq!(codes.len(), 10);
    app.clock.advance(NEXT_CODE);
    let mut browser = enter_password(app, ADA).await;
    assert_eq!(browser.get("/app").await.location.as_deref(), Some("/app/sign-in"), "not yet");
    browser.get(STEP).await.says(200, &["Confirm it's you", ADA]);
    let code = phone.code(app);
    let seen = browser.post(STEP, &[("code", &phone.wrong_code(app))]).await;
    seen.says(422, &[]).refuses("code", "The code is incorrect.");
    browser.follow(STEP, &[("code", &code)]).await.says(200, &["Hello, Ada"]);
    // The same code again, though it is still shown.
    let mut again = enter_password(app, ADA).await;
    again.post(STEP, &[("code", &code)]).await.says(422, &["The code is incorrect"]);
    app.clock.advance(NEXT_CODE);
    let code = phone.code(app);
    let form = [("code", &*code), ("next", "/app/talents")];
    assert_eq!(again.post(STEP, &form).await.location.as_deref(), Some("/app/talents"));
}

#[db_test]
async fn only_the_browser_that_knows_the_password_goes_on(fixture: WebFixture) {
    let app = &fixture.app;
    let (phone, _) = give_app(app, ADA).await;
    app.clock.advance(NEXT_CODE);
    enter_password(app, ADA).await;
    let code = phone.code(app);
    let mut other = fixture.browser();
    assert_eq!(other.get(STEP).await.location.as_deref(), Some("/app/sign-in"));
    let seen = other.post(STEP, &[("code", &code)]).await;
    seen.says(422, &["was started in another browser", "Sign in again"]);
    // The control: the same code in the right browser.
    enter_password(app, ADA).await.follow(STEP, &[("code", &code)]).await.says(200, &["Hello"]);
}

#[db_test]
async fn another_persons_code_is_wrong(fixture: WebFixture) {
    let app = &fixture.app;
    let mut mary = fixture.stranger().await;
    let (others, their_codes) = set_up(&mut mary, app).await;
    give_app(app, ADA).await;
    app.clock.advance(NEXT_CODE);
    let mut ada = enter_password(app, ADA).await;
    for code in [&others.code(app), &their_codes[0]] {
        ada.post(STEP, &[("code", code)]).await.says(422, &["The code is incorrect"]);
    }
    let mut mary = enter_password(app, "mary@example.com").await;
    mary.follow(STEP, &[("code", &their_codes[0])]).await.says(200, &["Hello"]);
}

#[db_test]
async fn a_recovery_code_works_once_and_the_owner_is_told(fixture: WebFixture) {
    let app = &fixture.app;
    let (_, codes) = give_app(app, ADA).await;
    let typed = codes[3].to_uppercase().replace('-', " ");
    app.clock.advance(Duration::from_millis(1));
    let mut browser = enter_password(app, ADA).await;
    browser.follow(STEP, &[("code", &typed)]).await.says(200, &["Hello, Ada"]);
    let mail = app.newest_mail(ADA).await;
    assert!(mail.contains("A recovery code was used. 9 are left."), "{mail}");
    browser.get(SECURITY).await.says(200, &["9 of 10 codes are left"]);
    let mut again = enter_password(app, ADA).await;
    again.post(STEP, &[("code", &codes[3])]).await.says(422, &["The code is incorrect"]);
    again.follow(STEP, &[("code", &codes[4])]).await.says(200, &["Hello, Ada"]);
    let stored = "SELECT CAST(count(*) AS text) FROM recovery_codes";
    assert_eq!(seed::rows(&app.database.options, stored).await, [["8"]]);
}

#[db_test]
async fn five_wrong_codes_end_the_sign_in(fixture: WebFixture) {
    let app = &fixture.app;
    let (phone, codes) = give_app(app, ADA).await;
    app.clock.advance(NEXT_CODE);
    let mut browser = enter_password(app, ADA).await;
    for _ in 0..5 {
        browser.post(STEP, &[("code", &phone.wrong_code(app))]).await.says(422, &["incorrect"]);
    }
    browser.post(STEP, &[("code", &codes[0])]).await.says(422, &["start again"]);
    let mut again = enter_password(app, ADA).await;
    again.follow(STEP, &[("code", &codes[0])]).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn a_mailed_link_asks_for_it_too(fixture: WebFixture) {
    let app = &fixture.app;
    let (phone, _) = give_app(app, ADA).await;
    app.clock.advance(NEXT_CODE);
    let mut browser = fixture.browser();
    browser.follow("/app/sign-in/link", &[("email", ADA)]).await;
    let code = app.mailed_code(ADA).await;
    let seen = browser.post("/app/sign-in/code", &[("email", ADA), ("otp", &code)]).await;
    assert_eq!(seen.location.as_deref(), Some(STEP));
    browser.follow(STEP, &[("code", &phone.code(app))]).await.says(200, &["Hello, Ada"]);
}

#[db_test]
async fn a_password_reset_does_not_remove_it(fixture: WebFixture) {
    let app = &fixture.app;
    give_app(app, ADA).await;
    let mut waiting = enter_password(app, ADA).await;
    let mut browser = fixture.browser();
    let seen = browser.follow("/app/forgot", &[("email", ADA)]).await;
    let session = seen.between("name=\"otpSession\" value=\"", "\"").unwrap();
    let code = app.mailed_code(ADA).await;
    let new = "Difference-Engine-22";
    let form = [("otpSession", &*session), ("otp", &*code), ("newPassword", new)];
    assert_eq!(browser.post("/app/reset", &form).await.status, 303);
    let form = [("username", ADA), ("password", new)];
    let seen = browser.post("/app/sign-in", &form).await;
    assert_eq!(seen.location.as_deref(), Some(STEP));
    // A sign-in with the old password waits for nothing anymore.
    assert_eq!(waiting.get(STEP).await.location.as_deref(), Some("/app/sign-in"));
}

#[db_test]
async fn an_organization_requires_it_before_anything_else(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    let mut there = fixture.colleague("Organization_User").await;
    there.get(REQUIREMENT).await.says(403, &[]);
    let refused = ada.post(REQUIREMENT, &[("required", "true")]).await;
    refused.says(409, &["Set up your own second factor first"]);
    assert!(refused.page.contains("href=\"/app/profile/security\""), "the way to it");
    set_up(&mut ada, app).await;
    let seen = ada.follow(REQUIREMENT, &[("required", "true")]).await;
    seen.says(200, &["A second factor is now required", "1 member will set one up"]);
    seen.says(200, &["Authenticator app", "colleague@example.com", "none"]);
    there.get("/app").await.says(200, &["Hello"]);
    let mut browser = fixture.browser();
    let form = [("username", "colleague@example.com"), ("password", PASSWORD)];
    let seen = browser.post("/app/sign-in", &form).await;
    assert_eq!(seen.location.as_deref(), Some("/app/sign-in/set-up"));
    assert_eq!(browser.get("/app/licenses").await.status, 303, "nothing else");
    let seen = browser.get("/app/sign-in/set-up").await;
    seen.says(200, &["Babbage Talent requires a second factor"]);
    let seen = browser.follow("/app/sign-in/set-up", &[]).await;
    let phone = PhoneApp::read(&seen);
    let path = "/app/sign-in/set-up/app";
    let seen = browser.post(path, &[("code", &phone.wrong_code(app))]).await;
    seen.says(422, &[]).refuses("code", "Is not the code that the app shows now.");
    let seen = browser.post(path, &[("code", &phone.code(app))]).await;
    assert_eq!(recovery_codes(seen.says(200, &["Your recovery codes"])).len(), 10);
    browser.get("/app").await.says(200, &["Hello"]);
    let kept = browser.post(&format!("{SECURITY}/app/remove"), &[]).await;
    kept.says(409, &["requires a second factor", "set up another one first", "Add a passkey"]);
    // The log says who set it up, also while signing in.
    let logged = "SELECT DISTINCT l.actor_kind, t.name FROM log_entries l
         JOIN tenants t ON t.tenant_id = l.tenant_id WHERE l.action LIKE 'authenticator_app.%'";
    let logged = seed::rows(&app.database.options, logged).await;
    assert_eq!(logged, [["user", "Babbage Talent"]]);
}

/// Whoever only knows the password sets up nothing once the owner has a second factor.
#[db_test]
async fn a_set_up_that_waits_is_over_once_there_is_a_second_factor(fixture: WebFixture) {
    let app = &fixture.app;
    fixture.run("UPDATE tenants SET requires_second_factor = 1 = 1".to_owned()).await;
    let form = [("username", ADA), ("password", PASSWORD)];
    let (mut stranger, mut ada) = (fixture.browser(), fixture.browser());
    for browser in [&mut stranger, &mut ada] {
        let seen = browser.post("/app/sign-in", &form).await;
        assert_eq!(seen.location.as_deref(), Some("/app/sign-in/set-up"));
    }
    let phone = PhoneApp::read(&ada.follow("/app/sign-in/set-up", &[]).await);
    let seen = ada.post("/app/sign-in/set-up/app", &[("code", &phone.code(app))]).await;
    seen.says(200, &["Your recovery codes"]);
    stranger.post("/app/sign-in/set-up", &[]).await.says(422, &["start again"]);
    let seen = stranger.post("/app/sign-in/set-up/app", &[("code", &phone.code(app))]).await;
    seen.says(422, &["start again"]);
    assert_eq!(stranger.get("/app").await.status, 303);
}

#[db_test]
async fn staff_resets_it_with_a_reason(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    set_up(&mut ada, app).await;
    let mut admin = staff(&fixture, AdminRole::Admin).await;
    admin.get(RESET).await.says(403, &[]);
    admin.post(RESET, &[]).await.says(403, &[]);
    let mut boss = staff(&fixture, AdminRole::SuperAdmin).await;
    let seen = boss.get(&format!("{RESET}?email={ADA}")).await;
    let user = seen.says(200, &["Authenticator app"]).between("name=\"user\" value=\"", "\"");
    let user = user.unwrap();
    let form = [("user", &*user), ("email", ADA), ("reason", "phone")];
    boss.post(RESET, &form).await.refuses("reason", "Must be 10 to 500 characters.");
    let reason = "She called from the number we know";
    app.clock.advance(Duration::from_millis(1));
    let form = [("user", &*user), ("email", ADA), ("reason", reason)];
    boss.follow(RESET, &form).await.says(200, &["Second factors removed"]);
    let mail = app.newest_mail(ADA).await;
    assert!(mail.contains(reason) && mail.contains("second factor was reset"), "{mail}");
    assert_eq!(ada.get("/app").await.status, 303, "signed out");
    fixture.ada().await.get("/app").await.says(200, &["Hello, Ada"]);
    let logged = "SELECT message FROM log_entries WHERE action = 'second_factor.reset'";
    let message = "A person's second factors were removed by staff";
    assert_eq!(seed::rows(&app.database.options, logged).await, [[message]]);
    boss.post(RESET, &form).await.says(409, &["There is nothing to reset."]);
}

#[db_test]
async fn how_one_signs_in_changes_only_shortly_after_signing_in(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    set_up(&mut ada, app).await;
    app.clock.advance(Duration::from_mins(16));
    ada.get(SECURITY).await.says(200, &["sign in again to change"]).hides("Create new codes");
    for path in ["set-up", "app/remove", "recovery-codes"] {
        let seen = ada.post(&format!("{SECURITY}/{path}"), &[]).await;
        let to = seen.location.unwrap();
        assert_eq!(to, "/app/sign-in?next=%2Fapp%2Fprofile%2Fsecurity", "{path}");
    }
    let start = ada.post(&format!("{SECURITY}/passkeys/start"), &[]).await;
    assert_eq!(start.status, 403);
}

/// Signing in again leads back to the form, with what was typed.
#[db_test]
async fn what_was_typed_is_kept_while_one_signs_in_again(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    let phone = PhoneApp::read(&ada.follow(&format!("{SECURITY}/set-up"), &[]).await);
    app.clock.advance(Duration::from_mins(16));
    let seen = ada.post(&format!("{SECURITY}/app"), &[("code", &phone.code(app))]).await;
    let to = "/app/sign-in?next=%2Fapp%2Fprofile%2Fsecurity%2Fapp";
    assert_eq!(seen.location.as_deref(), Some(to));
    let form = [("name", "My laptop"), ("credential", "{}")];
    let seen = ada.post(&format!("{SECURITY}/passkeys"), &form).await;
    let to = "/app/sign-in?next=%2Fapp%2Fprofile%2Fsecurity%3Fname%3DMy%2Blaptop";
    assert_eq!(seen.location.as_deref(), Some(to));
    let form = [("username", ADA), ("password", PASSWORD), ("next", "/app/profile/security/app")];
    let same = ada.follow("/app/sign-in", &form).await;
    assert_eq!(PhoneApp::read(&same).key(), phone.key(), "the key that was typed into the app");
    ada.get(&format!("{SECURITY}?name=My+laptop")).await.holds("name", "My laptop");
}

#[db_test]
async fn an_app_is_removed_and_nobody_asks_anymore(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    set_up(&mut ada, app).await;
    let mail = app.newest_mail(ADA).await;
    assert!(mail.contains("An authenticator app was set up."), "{mail}");
    let seen = ada.post(&format!("{SECURITY}/recovery-codes"), &[]).await;
    assert_eq!(recovery_codes(seen.says(200, &["no longer work"])).len(), 10);
    ada.follow(&format!("{SECURITY}/app/remove"), &[]).await.says(200, &["removed"]);
    ada.get(SECURITY).await.hides("Recovery codes");
    fixture.ada().await.get("/app").await.says(200, &["Hello, Ada"]);
    ada.post(&format!("{SECURITY}/app/remove"), &[]).await.says(404, &[]);
}

#[db_test]
async fn sign_ins_are_listed_by_device_and_the_others_end(fixture: WebFixture) {
    let app = &fixture.app;
    let mut ada = fixture.ada().await;
    app.clock.advance(Duration::from_secs(1));
    let body = json!({ "username": ADA, "password": PASSWORD });
    let firefox = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
    let request = app.request(Method::POST, "/v1.0.1/auth/login").from("198.51.100.9");
    let answer = request.header("user-agent", firefox).json(&body).send().await;
    assert_eq!(answer.status, 201);
    let mail = app.newest_mail(ADA).await;
    for part in ["Firefox on Windows", "198.51.100.9", "Jan 1, 2026, 00:00 UTC"] {
        assert!(mail.contains(part), "{part}: {mail}");
    }
    let seen = ada.get("/app/profile").await;
    seen.says(200, &["Firefox on Windows", "Unknown device", "this device", "Password"]);
    ada.follow("/app/profile/sign-out-others", &[]).await.says(200, &["1 session signed out"]);
    ada.get("/app/profile").await.says(200, &["this device"]).hides("Firefox on Windows");
    let token = answer.json()["data"]["accessToken"].as_str().unwrap().to_owned();
    let request = app.request(Method::GET, "/v1.0.1/user/profile").console(&token);
    assert_eq!(request.send().await.status, 401);
}

#[db_test]
async fn a_known_device_is_no_news(fixture: WebFixture) {
    fixture.ada().await;
    fixture.app.clock.advance(Duration::from_hours(48));
    fixture.ada().await;
    let sent = "SELECT CAST(count(*) AS text) FROM mails WHERE kind = 'new_device'";
    assert_eq!(seed::rows(&fixture.app.database.options, sent).await, [["0"]]);
}

/// A browser with nothing but the cookie of a waiting sign-in reaches no page.
#[db_test]
async fn a_waiting_sign_in_is_no_session(fixture: WebFixture) {
    give_app(&fixture.app, ADA).await;
    let mut browser: Browser<'_> = enter_password(&fixture.app, ADA).await;
    for path in ["/app", SECURITY, "/app/profile", "/app/organization/single-sign-on"] {
        let seen = browser.get(path).await;
        assert!(seen.location.is_some_and(|it| it.starts_with("/app/sign-in")), "{path}");
    }
    let seen = browser.post("/app/sign-in/set-up", &[]).await;
    seen.says(422, &["start again"]);
}
