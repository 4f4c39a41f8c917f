//! Limits as both documents write them, seen from outside.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture};
use http::Method;
use serde_json::json;

fn standing(answer: &Answer) -> [Option<&str>; 3] {
    ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"]
        .map(|name| answer.header(name))
}

#[tokio::test]
async fn the_catalog_lets_sixty_pass_in_a_minute() {
    let app = TestApp::on(Engine::Sqlite).await;
    for left in (0..60).rev() {
        let answer = app.get("/metadata").await;
        let left = left.to_string();
        assert_eq!(standing(&answer), [Some("60"), Some(&left), Some("1767225660")]);
    }
    app.clock.advance(Duration::from_millis(59_100));
    let refused = app.request(Method::GET, "/metadata").header("x-request-id", "r-1").send().await;
    let error = json!({
        "code": "RATE_LIMITED",
        "message": "Too many requests; try again later",
        "request_id": "r-1",
    });
    assert_eq!(refused.whole(), (429, json!({ "success": false, "error": error })));
    assert_eq!(standing(&refused), [Some("60"), Some("0"), Some("1767225660")]);
    assert_eq!(refused.header("retry-after"), Some("1"));
    app.clock.advance(Duration::from_millis(900));
    assert_eq!(standing(&app.get("/metadata").await)[1], Some("59"), "a new window");
}

#[tokio::test]
async fn each_address_has_its_own_window() {
    let app = TestApp::on(Engine::Sqlite).await;
    let left = |address: &'static str| {
        let request = app.request(Method::GET, "/metadata").from(address);
        async move { request.send().await.header("x-ratelimit-remaining").unwrap().to_owned() }
    };
    assert_eq!(left("198.51.100.1").await, "59");
    assert_eq!(left("198.51.100.2").await, "59");
    assert_eq!(left("2001:db8:1:2::1").await, "59");
    assert_eq!(left("2001:db8:1:2:ffff::9").await, "58", "one network of /64");
    assert_eq!(left("2001:db8:1:3::1").await, "59");
}

#[tokio::test]
async fn unknown_paths_are_counted_in_the_right_words() {
    let app = TestApp::on(Engine::Sqlite).await;
    for _ in 0..100 {
        assert_eq!(app.get("/v1.0.1/nothing").await.status, 404);
    }
    let answer = app.get("/v1.0.1/nothing").await;
    let error = json!({
        "code": "RATE_LIMIT_EXCEEDED",
        "message": "Too many requests; try again later",
        "details": {},
    });
    assert_eq!(answer.whole(), (429, json!({ "error": error, "status": "error" })));
    assert_eq!(answer.header("retry-after"), Some("60"));
    assert_eq!(app.get("/nothing").await.json()["error"]["code"], "RATE_LIMITED");
}

#[tokio::test]
async fn health_and_discovery_are_not_limited() {
    let app = TestApp::on(Engine::Sqlite).await;
    for path in ["/health", "/.well-known/grantor", "/.well-known/jwks.json"] {
        let answer = app.get(path).await;
        assert_eq!((answer.status.as_u16(), standing(&answer)), (200, [None; 3]), "{path}");
    }
}

#[tokio::test]
async fn a_limit_can_be_set_or_switched_off() {
    let limits =
        |text: &str| TestConfig { limits: Limits::parse(text).unwrap(), ..TestConfig::default() };
    let app = TestApp::with_config(Engine::Sqlite, limits("metadata=1/60s")).await;
    assert_eq!(app.get("/metadata").await.status, 200);
    assert_eq!(app.get("/metadata").await.status, 429);
    let app = TestApp::with_config(Engine::Sqlite, limits("off")).await;
    assert_eq!(standing(&app.get("/metadata").await), [None; 3]);
}
