//! `/auth/authenticateAdmin`, `/admin/members`, and what opens the admin API.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use grantor_keys::{Audience, Claims};
use grantor_service::operations::admin::{self, OneTimeToken};
use grantor_service::{App, Context};
use grantor_testkit::app::{Answer, ORIGIN, TestApp};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Home, PROFILE, access, exchange, faults, probed, refused};

pub(super) const MEMBERS: &str = "/v1.0.1/admin/members";

/// An app with a `Super_Admin` who is signed in.
pub(super) struct Office {
    pub(super) app: TestApp,
    pub(super) token: String,
}

impl Fixture for Office {
    async fn on(engine: Engine) -> Self {
        let app = TestApp::on(engine).await;
        let token = staff(&app, "root@example.com", AdminRole::SuperAdmin).await;
        Self { app, token }
    }
}

fn operator(app: &App) -> Context {
    Context::operator(app.clock.monotonic())
}

async fn create(app: &TestApp, email: &str, role: AdminRole) -> OneTimeToken {
    let email = Email::parse(email).unwrap();
    let name = FullName::parse("Grace Hopper").unwrap();
    admin::create(&app.app, &operator(&app.app), email, name, role).await.unwrap()
}

pub(super) async fn authenticate(app: &TestApp, token: &str) -> Answer {
    app.post("/v1.0.1/auth/authenticateAdmin", &json!({ "token": token })).await
}

/// Makes a member of staff; gives the access token.
pub(super) async fn staff(app: &TestApp, email: &str, role: AdminRole) -> String {
    let token = create(app, email, role).await.token;
    access(&authenticate(app, token.expose()).await.json()["data"])
}

pub(super) async fn members(app: &TestApp, token: &str) -> Answer {
    app.request(Method::GET, MEMBERS).bearer(token).send().await
}

fn spent() -> (u16, Value) {
    let message = "The admin token is invalid, already used or expired";
    (401, refused("INVALID_CREDENTIALS", message))
}

#[db_test]
async fn a_token_made_on_the_machine_lets_staff_in_once(app: TestApp) {
    let made = create(&app, "grace@example.com", AdminRole::SuperAdmin).await;
    let token = made.token.expose();
    assert!(token.starts_with("gat_"));
    let answer = authenticate(&app, token).await;
    let data = answer.json()["data"].clone();
    let claims = app.app.keys.verify(&access(&data), ORIGIN, Audience::Admin).unwrap();
    assert_eq!((claims.sub, claims.exp - claims.iat), (made.admin.to_string(), 3_600));
    assert!(data["refreshToken"].as_str().unwrap().starts_with("gcr_"));
    let admin = json!({
        "adminId": made.admin.to_string(),
        "fullname": "Grace Hopper",
        "email": "grace@example.com",
        "role": "Super_Admin",
    });
    let data = json!({
        "accessToken": data["accessToken"],
        "refreshToken": data["refreshToken"],
        "expiresIn": 3600,
        "admin": admin,
    });
    let body = json!({ "data": data, "message": "You are signed in", "status": "success" });
    assert_eq!((answer.whole(), answer.header("cache-control")), ((201, body), Some("no-store")));
    assert_eq!(authenticate(&app, token).await.whole(), spent(), "it was used");
}

#[db_test]
async fn a_one_time_token_lives_15_minutes(app: TestApp) {
    let token = create(&app, "a@example.com", AdminRole::Admin).await.token;
    app.clock.advance(Duration::from_secs(899));
    assert_eq!(authenticate(&app, token.expose()).await.status, 201);
    let token = create(&app, "b@example.com", AdminRole::Admin).await.token;
    app.clock.advance(Duration::from_mins(15));
    assert_eq!(authenticate(&app, token.expose()).await.whole(), spent());
}

#[db_test]
async fn what_is_no_admin_token_lets_nobody_in(app: TestApp) {
    for token in ["nonsense", "gat_nonsense", "gin_x", "\u{1f511}"] {
        assert_eq!(authenticate(&app, token).await.whole(), spent(), "{token}");
    }
    for body in [json!({}), json!({ "token": "" }), json!({ "token": null })] {
        let answer = app.post("/v1.0.1/auth/authenticateAdmin", &body).await;
        assert_eq!(faults(&answer), (400, json!({ "token": "is required" })), "{body}");
    }
}

#[db_test]
async fn another_token_ends_the_one_before(app: TestApp) {
    let first = create(&app, "a@example.com", AdminRole::Admin).await.token;
    let email = || Email::parse("A@Example.com").unwrap();
    let second = admin::create_token(&app.app, &operator(&app.app), email()).await.unwrap();
    assert_eq!(authenticate(&app, first.expose()).await.whole(), spent());
    assert_eq!(authenticate(&app, second.token.expose()).await.status, 201);
    let third = admin::create_token(&app.app, &operator(&app.app), email()).await.unwrap();
    let script = "UPDATE admins SET status = 'inactive'".to_owned();
    seed::run(&app.database.options, script).await;
    assert_eq!(authenticate(&app, third.token.expose()).await.whole(), spent(), "not active");
    assert!(admin::create_token(&app.app, &operator(&app.app), email()).await.is_err());
}

#[db_test]
async fn of_64_with_one_token_one_comes_in(app: TestApp) {
    let token = create(&app, "a@example.com", AdminRole::Admin).await.token;
    let all = (0..64).map(|_| authenticate(&app, token.expose()));
    let answers = futures_util::future::join_all(all).await;
    assert_eq!(answers.iter().filter(|it| it.status == 201).count(), 1);
}

#[db_test]
async fn a_token_opens_only_the_api_it_was_made_for(home: Home) {
    let app = &home.app;
    let admin = staff(app, "root@example.com", AdminRole::SuperAdmin).await;
    let client = home.any_client().await;
    let external = access(&exchange(app, &client).await.json()["data"]);
    let expected = (401, refused("UNAUTHORIZED", "The access token is not valid"));
    for token in [&home.token, &external] {
        assert_eq!(members(app, token).await.whole(), expected);
    }
    for token in [&admin, &external] {
        let answer = home.send_as(token, Method::GET, PROFILE, None).await;
        assert_eq!(answer.whole(), expected);
    }
    for token in [&admin, &home.token] {
        assert_eq!(probed(app, token).await.status, 401);
    }
    assert_eq!(members(app, &admin).await.status, 200, "the control: each opens its own");
    assert_eq!(home.send(Method::GET, PROFILE, None).await.status, 200);
    assert_eq!(probed(app, &external).await.status, 200);
}

#[db_test]
async fn nothing_but_the_audience_need_be_wrong(home: Home) {
    let app = &home.app;
    let admin = staff(app, "root@example.com", AdminRole::SuperAdmin).await;
    let external = access(&exchange(app, &home.any_client().await).await.json()["data"]);
    let admin = app.app.keys.verify(&admin, ORIGIN, Audience::Admin).unwrap();
    let external = app.app.keys.verify(&external, ORIGIN, Audience::External).unwrap();
    let sign = |claims: &Claims, aud| app.app.keys.sign(&Claims { aud, ..claims.clone() }).unwrap();
    for (aud, opened) in [(Audience::Admin, 200), (Audience::Console, 401)] {
        assert_eq!(members(app, &sign(&admin, aud)).await.status, opened, "{aud}");
    }
    for (aud, opened) in [(Audience::External, 200), (Audience::Console, 401)] {
        assert_eq!(probed(app, &sign(&external, aud)).await.status, opened, "{aud}");
    }
}

#[db_test]
async fn a_session_of_staff_is_renewed_and_ended_as_any_other(app: TestApp) {
    let token = create(&app, "a@example.com", AdminRole::Admin).await.token;
    let first = authenticate(&app, token.expose()).await.json()["data"].clone();
    let body = json!({ "refreshToken": first["refreshToken"] });
    let renewed = app.post("/v1.0.1/auth/refresh/token", &body).await.json()["data"].clone();
    let next = access(&renewed);
    assert!(app.app.keys.verify(&next, ORIGIN, Audience::Admin).is_ok(), "still of staff");
    assert_eq!(members(&app, &next).await.status, 200);
    let body = json!({ "refreshToken": renewed["refreshToken"] });
    assert_eq!(app.post("/v1.0.1/auth/logout", &body).await.status, 201);
    for token in [&access(&first), &next] {
        assert_eq!(members(&app, token).await.status, 401, "the whole family ended, at once");
    }
    assert_eq!(app.post("/v1.0.1/auth/refresh/token", &body).await.status, 401);
}

#[db_test]
async fn staff_who_leave_are_out_within_a_second(office: Office) {
    assert_eq!(members(&office.app, &office.token).await.status, 200);
    let script = "UPDATE admins SET status = 'inactive'".to_owned();
    seed::run(&office.app.database.options, script).await;
    office.app.clock.advance(Duration::from_secs(1));
    let expected = (401, refused("UNAUTHORIZED", "The access token is not valid"));
    assert_eq!(members(&office.app, &office.token).await.whole(), expected);
}

#[db_test]
async fn the_staff_is_listed_by_pages(office: Office) {
    let app = &office.app;
    app.clock.advance(Duration::from_secs(1));
    let second = create(app, "second@example.com", AdminRole::SupportAdmin).await.admin;
    let path = format!("{MEMBERS}?page=2&limit=1");
    let listed = app.request(Method::GET, &path).bearer(&office.token).send().await;
    let member = json!({
        "adminId": second.to_string(),
        "fullname": "Grace Hopper",
        "email": "second@example.com",
        "role": "Support_Admin",
        "status": "active",
        "createdAt": "2026-01-01T00:00:01.000000Z",
    });
    let pagination = json!({ "page": 2, "limit": 1, "total": 2, "totalPages": 2 });
    let data = json!({ "members": [member], "total": 2, "pagination": pagination });
    let body = json!({ "data": data, "message": "Staff members", "status": "success" });
    assert_eq!(listed.whole(), (200, body));
    let emails = members(app, &office.token).await.json()["data"]["members"].clone();
    assert_eq!(emails[0]["email"], "root@example.com", "in the order they came");
}

#[db_test]
async fn a_page_out_of_range_is_refused(office: Office) {
    for (query, field, most) in [
        ("page=0", "page", "4294967295"),
        ("page=x", "page", "4294967295"),
        ("limit=0", "limit", "100"),
        ("limit=101", "limit", "100"),
        ("limit=-1", "limit", "100"),
    ] {
        let path = format!("{MEMBERS}?{query}");
        let answer = office.app.request(Method::GET, &path).bearer(&office.token).send().await;
        let details = json!({ field: format!("must be a whole number from 1 to {most}") });
        assert_eq!(faults(&answer), (400, details), "{query}");
    }
}

#[db_test]
async fn five_hundred_a_minute_for_each_of_the_staff(office: Office) {
    let app = &office.app;
    let other = staff(app, "other@example.com", AdminRole::SupportAdmin).await;
    let first = members(app, &office.token).await;
    let told = ["limit", "remaining", "reset"].map(|it| format!("x-ratelimit-{it}"));
    let told = told.map(|it| first.header(&it).map(str::to_owned));
    assert_eq!(told.map(Option::unwrap), ["500", "499", "1767225660"]);
    for _ in 1..500 {
        members(app, &office.token).await;
    }
    let refused = members(app, &office.token).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("60")));
    assert_eq!(members(app, &other).await.header("x-ratelimit-remaining"), Some("499"));
}

#[db_test]
async fn every_outcome_is_logged(app: TestApp) {
    let made = create(&app, "a@example.com", AdminRole::Admin).await;
    authenticate(&app, made.token.expose()).await;
    authenticate(&app, made.token.expose()).await;
    let query = "SELECT action, level, actor_kind, scheme FROM log_entries
        WHERE resource_type = 'admin' ORDER BY action, level";
    let rows = [
        ["admin.authenticate", "INFO", "admin", "admin"],
        ["admin.authenticate", "WARN", "anonymous", "admin"],
        ["admin.create", "INFO", "operator", "system"],
    ];
    assert_eq!(seed::rows(&app.database.options, query).await, rows);
}
