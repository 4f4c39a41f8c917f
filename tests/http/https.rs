//! Plain HTTP is refused where it could be overheard.

use grantor_http::Settings;
use grantor_testkit::Engine;
use grantor_testkit::app::{TestApp, TestConfig};
use http::Method;
use serde_json::json;

async fn app() -> TestApp {
    let settings = Settings {
        require_https: true,
        trusted_proxies: vec!["203.0.113.7/32".parse().unwrap()],
        ..Settings::default()
    };
    TestApp::with_config(Engine::Sqlite, TestConfig { settings, ..TestConfig::default() }).await
}

#[tokio::test]
async fn only_a_trusted_proxy_vouches_for_https() {
    let app = app().await;
    let status = |address: &'static str, proto: &'static str| {
        let request = app.request(Method::GET, "/health").from(address);
        let request = request.header("x-forwarded-proto", proto);
        async move { request.send().await.status.as_u16() }
    };
    assert_eq!(status("203.0.113.7", "https").await, 200);
    assert_eq!(status("203.0.113.7", "http").await, 403);
    assert_eq!(status("198.51.100.9", "https").await, 403, "a stranger's word");
}

#[tokio::test]
async fn the_refusal_is_in_the_surfaces_own_envelope() {
    let app = app().await;
    let answer = app.get("/metadata").await;
    let id = answer.header("x-request-id").unwrap().to_owned();
    let error = json!({ "code": "FORBIDDEN", "message": "HTTPS is required", "request_id": id });
    assert_eq!(answer.whole(), (403, json!({ "success": false, "error": error })));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("99"), "and it counts");
    let error = json!({ "code": "FORBIDDEN", "message": "HTTPS is required", "details": {} });
    let expected = (403, json!({ "error": error, "status": "error" }));
    assert_eq!(app.get("/v1.0.1/auth/login").await.whole(), expected);
    assert_eq!(app.get("/docs/").await.status, 403);
    assert_eq!(app.get("/livez").await.status, 200, "probes come past the proxy");
}
