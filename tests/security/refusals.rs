//! Every way in that is refused is in the log, also where nothing was changed; and a flood of them
//! fills neither memory nor the log.

use std::time::Duration;

use grantor_api::frame::action::{UNNAMED, of_auth_attempt, of_read};
use grantor_api::frame::route::Access;
use grantor_domain::limit::Limits;
use grantor_service::log::refusal;
use grantor_testkit::app::{TestApp, TestConfig, TestRequest};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::json;

/// An app without limits.
struct Open(TestApp);

impl Fixture for Open {
    async fn on(engine: Engine) -> Self {
        let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
        Self(TestApp::with_config(engine, config).await)
    }
}

/// Writes what was noted; gives action and code of every entry there is.
async fn logged(app: &TestApp) -> Vec<String> {
    refusal::write(&app.app).await.unwrap();
    let query = "SELECT action || ' ' || level || ' ' || address || ' ' || details
        FROM log_entries ORDER BY created_at, log_id";
    seed::rows(&app.database.options, query).await.concat()
}

fn post<'a>(app: &'a TestApp, path: &str) -> TestRequest<'a> {
    app.request(Method::POST, path)
}

#[db_test]
async fn whatever_keeps_a_caller_out_is_logged(open: Open) {
    let app = &open.0;
    let session = json!({ "otpSession": "gos_x", "otp": "000000", "newPassword": "Aa1!aaaa" });
    let unknown = json!({ "refreshToken": "gcr_unknown" });
    for (request, action, code, route) in [
        (app.request(Method::GET, "/licenses"), "token.verify", "UNAUTHORIZED", "/licenses"),
        (
            app.request(Method::GET, "/v1.0.1/user/profile").bearer("x"),
            "token.verify",
            "UNAUTHORIZED",
            "/user/profile",
        ),
        (
            post(app, "/v1.0.1/auth/refresh/token").json(&unknown),
            "session.renew",
            "UNAUTHORIZED",
            "/auth/refresh/token",
        ),
        (
            post(app, "/v1.0.1/auth/reset/password").json(&session),
            "password.reset",
            "INVALID_SESSION",
            "/auth/reset/password",
        ),
        (
            post(app, "/v1.0.1/auth/validate/registration").json(&session),
            "registration.verify",
            "INVALID_SESSION",
            "/auth/validate/registration",
        ),
        (
            post(app, "/magic-link/verify").json(&json!({ "token": "gml_x" })),
            "magic_link.verify",
            "INVALID_CREDENTIALS",
            "/magic-link/verify",
        ),
        (
            post(app, "/v1.0.1/auth/accept/invitation").json(&json!({ "token": "gin_x" })),
            "invitation.accept",
            "INVALID_SESSION",
            "/auth/accept/invitation",
        ),
        (
            post(app, "/v1.0.1/external/validate/key").bearer("gk_live_x"),
            "key.validate",
            "INVALID_KEY",
            "/external/validate/key",
        ),
        (
            post(app, "/v1.0.1/external/validate/key"),
            "key.validate",
            "UNAUTHORIZED",
            "/external/validate/key",
        ),
    ] {
        let before = logged(app).await.len();
        request.send().await;
        let entries = logged(app).await;
        let last = entries.last().unwrap();
        let start = format!("{action} WARN 203.0.113.7 ");
        assert_eq!(entries.len(), before + 1, "{action}: {entries:?}");
        assert!(last.starts_with(&start), "{action}: {last}");
        let details: serde_json::Value = serde_json::from_str(&last[start.len()..]).unwrap();
        assert_eq!(details, json!({ "code": code, "route": route }), "{action}");
        app.clock.advance(Duration::from_secs(1));
    }
}

#[db_test]
async fn a_wrong_basic_header_is_logged_once(open: Open) {
    let app = &open.0;
    post(app, "/v1.0.1/auth/token").header("authorization", "Basic ???").send().await;
    let entries = logged(app).await;
    assert_eq!(entries.len(), 1, "by the act or by the batch: {entries:?}");
    assert!(entries[0].starts_with("token.create WARN"), "{entries:?}");
}

#[db_test]
async fn a_wrong_staff_token_is_logged_once(open: Open) {
    let app = &open.0;
    post(app, "/v1.0.1/auth/authenticateAdmin").json(&json!({ "token": "gat_x" })).send().await;
    assert_eq!(logged(app).await, ["admin.authenticate WARN 203.0.113.7 {}"]);
    let query = "SELECT scheme FROM log_entries";
    let schemes = seed::rows(&app.database.options, query).await;
    assert_eq!(schemes, [["admin"]], "where staff look for it");
}

#[db_test]
async fn what_is_merely_malformed_is_no_way_in(open: Open) {
    let app = &open.0;
    post(app, "/v1.0.1/auth/login").json(&json!({})).send().await;
    post(app, "/register").json(&json!({ "email": "x" })).send().await;
    app.get("/nothing").await;
    assert_eq!(logged(app).await, [""; 0]);
}

#[db_test]
async fn sign_ins_beyond_the_limit_are_logged(app: TestApp) {
    let body = json!({ "username": "nobody@example.com", "password": "x" });
    for _ in 0..6 {
        app.post("/v1.0.1/auth/login", &body).await;
    }
    let form = "username=nobody%40example.com&password=x";
    let page = post(&app, "/app/sign-in").header("sec-fetch-site", "same-origin");
    let page = page.header("content-type", "application/x-www-form-urlencoded").body(form);
    assert_eq!(page.send().await.status, 429);
    let entries = logged(&app).await;
    let limited: Vec<_> = entries.iter().filter(|it| it.contains("\"route\"")).collect();
    assert_eq!((entries.len(), limited.len()), (7, 2), "{entries:?}");
    assert!(limited.iter().any(|it| it.contains("RATE_LIMIT_EXCEEDED")), "{entries:?}");
    assert!(limited.iter().any(|it| it.contains("/app/sign-in")), "{entries:?}");
}

#[db_test]
async fn whoever_goes_on_beyond_a_limit_is_logged_once_a_minute_and_counted(app: TestApp) {
    let body = json!({ "username": "nobody@example.com", "password": "x" });
    for _ in 0..105 {
        app.clock.advance(Duration::from_millis(100));
        app.post("/v1.0.1/auth/login", &body).await;
    }
    assert_eq!(logged(&app).await.len(), 6, "five that were looked at, and the first beyond");
    app.clock.advance(Duration::from_mins(1));
    let entries = logged(&app).await;
    let omitted = entries.iter().filter(|it| it.contains("refusal.omit"));
    assert_eq!(entries.len(), 7, "{entries:?}");
    assert!(omitted.clone().count() == 1 && omitted.clone().all(|it| it.contains("99")));
}

#[db_test]
async fn of_300_refusals_in_a_second_ten_are_kept_and_the_rest_is_counted(open: Open) {
    let app = &open.0;
    let refused = |from: &'static str| app.request(Method::GET, "/licenses").from(from).send();
    for _ in 0..300 {
        refused("198.51.100.9").await;
    }
    refused("198.51.100.8").await;
    let entries = logged(app).await;
    let kept = entries.iter().filter(|it| it.starts_with("token.verify")).count();
    assert_eq!((entries.len(), kept), (12, 11), "{entries:?}");
    assert!(entries.iter().any(|it| it.contains("refusal.omit") && it.contains("290")));
    refused("198.51.100.9").await;
    assert_eq!(logged(app).await.len(), 13, "the second is not over: one more is counted");
    app.clock.advance(Duration::from_secs(1));
    refused("198.51.100.9").await;
    let entries = logged(app).await;
    assert!(entries.last().unwrap().starts_with("token.verify"), "{entries:?}");
}

/// The control: below the bound every one of them is there.
#[db_test]
async fn ten_refusals_in_a_second_are_ten_entries(open: Open) {
    for _ in 0..10 {
        open.0.get("/licenses").await;
    }
    assert_eq!(logged(&open.0).await.len(), 10);
}

#[db_test]
async fn refusals_of_a_thousand_addresses_fill_one_batch_at_most(open: Open) {
    let app = &open.0;
    for number in 0..1_000_u32 {
        let from = format!("198.{}.{}.1", 18 + number / 256, number % 256);
        app.request(Method::GET, "/licenses").from(&from).send().await;
    }
    assert_eq!(logged(app).await.len(), 100);
}

#[test]
fn every_read_and_every_way_in_has_a_name() {
    let all = [grantor_api::external::routes("grantor"), grantor_api::console::routes()];
    let rows = all.into_iter().flatten().map(|it| it.info);
    let routes: Vec<_> = rows.map(|it| (it.method, it.path, it.access)).collect();
    let unnamed: Vec<_> = routes
        .iter()
        .filter(|(method, _, access)| *method == Method::GET && *access != Access::Public)
        .filter(|(_, path, _)| of_read(path) == UNNAMED)
        .collect();
    assert!(unnamed.is_empty(), "name them in api/src/frame/action.rs: {unnamed:?}");
    let ways = routes.iter().filter(|(method, path, access)| {
        *method != Method::GET && *access == Access::Public && path.starts_with("/auth/")
    });
    // Revoking tells nobody whether there was such a token.
    let unnamed: Vec<_> = ways
        .filter(|(method, path, _)| of_auth_attempt(method, path).is_none())
        .filter(|(_, path, _)| path != "/auth/token/revoke")
        .collect();
    assert!(unnamed.is_empty(), "name them in api/src/frame/action.rs: {unnamed:?}");
}
