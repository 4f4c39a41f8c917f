//! `/app/admin`: the pages of staff.

mod board;
mod help;
mod member;
mod notice;
mod overview;
mod people;
mod pod;
mod source;
mod staff_view;
mod template;

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use grantor_service::Context;
use grantor_service::operations::admin;
use grantor_testkit::db_test;

use super::kit::{Browser, WebFixture};

const UNKNOWN: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";

/// A one-time token for a new staff member with this role.
async fn token(fixture: &WebFixture, role: AdminRole) -> String {
    let app = &fixture.app.app;
    let email = Email::parse(&format!("{role}@grantor.test")).unwrap();
    let name = FullName::parse("Grace Hopper").unwrap();
    let context = Context::operator(app.clock.monotonic());
    let made = admin::create(app, &context, email, name, role).await.unwrap();
    made.token.expose().to_owned()
}

/// The browser of a staff member with this role.
pub(super) async fn staff(fixture: &WebFixture, role: AdminRole) -> Browser<'_> {
    let mut browser = fixture.browser();
    let token = token(fixture, role).await;
    let seen = browser.post("/app/admin/sign-in", &[("token", &token)]).await;
    assert_eq!((seen.status, seen.location.as_deref()), (303, Some("/app/admin")), "{}", seen.text);
    browser
}

#[db_test]
async fn a_token_lets_staff_in_once_and_leads_on(fixture: WebFixture) {
    let token = token(&fixture, AdminRole::SuperAdmin).await;
    let mut browser = fixture.browser();
    let seen = browser.get("/app/admin/pods").await;
    let door = seen.location.unwrap();
    assert_eq!(door, "/app/admin/sign-in?next=%2Fapp%2Fadmin%2Fpods");
    let seen = browser.get(&door).await;
    seen.says(200, &["Sign in to see this page.", "One-time token"]);
    seen.holds("next", "/app/admin/pods");
    browser.get("/app/admin/sign-in").await.says(200, &[]).hides("to see this page");
    let form = [("token", token.as_str()), ("next", "/app/admin/pods")];
    browser
        .follow("/app/admin/sign-in", &form)
        .await
        .says(200, &["No scanners yet", "Grace Hopper"]);
    let again = fixture.browser().post("/app/admin/sign-in", &form).await;
    again.says(401, &["The admin token is invalid, already used or expired."]).hides(&token);
}

#[db_test]
async fn a_token_must_be_given_and_nobody_is_sent_elsewhere(fixture: WebFixture) {
    let empty = fixture.browser().post("/app/admin/sign-in", &[("token", " ")]).await;
    empty.says(422, &[]).refuses("token", "Is required.");
    let token = token(&fixture, AdminRole::Admin).await;
    let form = [("token", token.as_str()), ("next", "//evil.example")];
    let seen = fixture.browser().post("/app/admin/sign-in", &form).await;
    assert_eq!(seen.location.as_deref(), Some("/app/admin"));
}

#[db_test]
async fn who_signs_out_is_out(fixture: WebFixture) {
    let mut browser = staff(&fixture, AdminRole::Admin).await;
    browser.get("/app/admin/organizations").await.says(200, &["Babbage Talent"]);
    let left = browser.follow("/app/admin/sign-out", &[]).await;
    left.says(200, &["You're signed out", "Staff sign-in"]);
    assert_eq!(browser.get("/app/admin").await.status, 303);
}

/// A user's session opens no staff page, and a staff session opens no user page.
#[db_test]
async fn each_door_has_its_own_key(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut grace = staff(&fixture, AdminRole::SuperAdmin).await;
    for path in ["/app/admin", "/app/admin/pods", "/app/admin/mail/registration/preview"] {
        let seen = ada.get(path).await;
        assert!(seen.location.unwrap().starts_with("/app/admin/sign-in"), "{path}");
        assert_eq!(grace.get(path).await.status, 200, "{path}");
    }
    assert!(grace.get("/app/talents").await.location.unwrap().starts_with("/app/sign-in"));
}

/// Every staff form, with the roles that may not send it.
#[db_test]
async fn who_lacks_a_right_is_refused_and_sees_no_button(fixture: WebFixture) {
    let mut admin = staff(&fixture, AdminRole::Admin).await;
    let mut support = staff(&fixture, AdminRole::SupportAdmin).await;
    let one = |noun: &str, verb: &str| format!("/app/admin/{noun}/{UNKNOWN}/{verb}");
    let supers = [
        "/app/admin/members/new".to_owned(),
        one("organizations", "status"),
        one("members", "role"),
        one("members", "status"),
    ];
    for path in &supers {
        admin.post(path, &[]).await.says(403, &["The role Admin does not allow"]);
    }
    let daily = [
        "pods/new",
        "pods/start",
        "pods/pause",
        "pods/stop",
        "mail/registration",
        "mail/registration/revert",
    ];
    let daily = daily.map(|it| format!("/app/admin/{it}"));
    let others = [
        one("organizations", "plan"),
        one("pods", "start"),
        one("pods", "pause"),
        one("pods", "stop"),
    ];
    for path in supers.iter().chain(&daily).chain(&others) {
        support.post(path, &[]).await.says(403, &["The role Support admin does not allow"]);
    }
    support.get("/app/admin/pods").await.says(200, &[]).hides("New scanner");
    support.get("/app/admin/members").await.says(200, &[]).hides("Invite").hides("Suspend");
    support
        .get("/app/admin/mail/registration")
        .await
        .says(200, &[])
        .hides("Save")
        .hides("<textarea");
}

#[db_test]
async fn what_is_not_there_is_not_found(fixture: WebFixture) {
    let mut grace = staff(&fixture, AdminRole::SuperAdmin).await;
    for path in ["organizations/x", "pods/x", "mail/x", "mail/x/preview", "x"] {
        assert_eq!(grace.get(&format!("/app/admin/{path}")).await.status, 404, "{path}");
    }
    for noun in ["organizations", "pods"] {
        let path = format!("/app/admin/{noun}/{UNKNOWN}");
        grace.get(&path).await.says(404, &["Page not found"]);
    }
    let suspended = [("status", "suspended")];
    let path = format!("/app/admin/organizations/{UNKNOWN}/status");
    assert_eq!(grace.post(&path, &suspended).await.status, 404);
}
