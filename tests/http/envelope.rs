//! Every kind of failure, whole, in the envelope of each surface.

use std::sync::Arc;
use std::time::Duration;

use grantor_http::Settings;
use grantor_testkit::Engine;
use grantor_testkit::app::{TestApp, TestConfig};
use http::Method;
use serde_json::{Value, json};

use super::probe;

async fn app() -> TestApp {
    let settings = Settings { handler_time: Duration::from_millis(50), ..Settings::default() };
    let (external, console) = (probe::routes(&Arc::default()), probe::routes(&Arc::default()));
    TestApp::with_config(
        Engine::Sqlite,
        TestConfig { settings, external, console, ..TestConfig::default() },
    )
    .await
}

fn external(code: &str, message: &str) -> Value {
    json!({
        "success": false,
        "error": { "code": code, "message": message, "request_id": "r-1" },
    })
}

fn console(code: &str, message: &str, details: &Value) -> Value {
    json!({
        "error": { "code": code, "message": message, "details": details },
        "status": "error",
    })
}

#[tokio::test]
async fn each_failure_has_its_status_and_code_on_both_surfaces() {
    let app = app().await;
    let nothing = "No endpoint exists at this URL";
    let method = "This method is not allowed for this URL";
    let cases = [
        (Method::GET, "/nothing/here", 404, "NOT_FOUND", nothing),
        (Method::DELETE, "/probe/echo", 405, "METHOD_NOT_ALLOWED", method),
        (Method::GET, "/probe/conflict", 409, "RESOURCE_CONFLICT", "It is not so far"),
        (Method::GET, "/probe/slow", 503, "UNAVAILABLE", "The request timed out"),
        (
            Method::GET,
            "/probe/outage",
            503,
            "UNAVAILABLE",
            "The service is temporarily unavailable; try again shortly",
        ),
    ];
    for (method, path, status, code, message) in cases {
        let answer = app.request(method.clone(), path).header("x-request-id", "r-1").send().await;
        assert_eq!(answer.whole(), (status, external(code, message)), "{path}");
        let below = format!("/v1.0.1{path}");
        let answer = app.request(method, &below).header("x-request-id", "r-1").send().await;
        assert_eq!(answer.whole(), (status, console(code, message, &json!({}))), "{below}");
    }
}

#[tokio::test]
async fn whatever_begins_with_the_prefix_is_the_consoles() {
    let app = app().await;
    let nothing = console("NOT_FOUND", "No endpoint exists at this URL", &json!({}));
    for path in ["/v1.0.1", "/v1.0.1/", "/v1.0.1?x=1", "/v1.0.1//x", "/v1.0.1/%20"] {
        assert_eq!(app.get(path).await.whole(), (404, nothing.clone()), "{path}");
    }
    for path in ["/v1.0.10", "/v1.0", "//v1.0.1"] {
        assert_eq!(app.get(path).await.json()["success"], false, "{path}");
    }
}

#[tokio::test]
async fn an_address_must_be_text() {
    let app = app().await;
    let message = "The URL must be valid UTF-8 without NUL characters";
    for path in ["/nothing/%ff", "/metadata?search=%ff", "/metadata?search=a%00", "/%C3%28"] {
        let answer = app.request(Method::GET, path).header("x-request-id", "r-1").send().await;
        assert_eq!(answer.whole(), (400, external("VALIDATION_ERROR", message)), "{path}");
    }
    for path in ["/metadata?search=%C3%A9", "/metadata?search=100%25", "/metadata?search=%zz"] {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn a_panic_is_a_500_with_a_request_id_and_nothing_else() {
    let app = app().await;
    let message = "An unexpected error occurred";
    for path in ["/probe/panic", "/probe/bare"] {
        let answer = app.request(Method::GET, path).header("x-request-id", "r-1").send().await;
        assert_eq!(answer.whole(), (500, external("INTERNAL_ERROR", message)), "{path}");
        let below = format!("/v1.0.1{path}");
        let answer = app.request(Method::GET, &below).header("x-request-id", "r-1").send().await;
        let details = json!({ "requestId": "r-1" });
        assert_eq!(answer.whole(), (500, console("INTERNAL_ERROR", message, &details)), "{below}");
    }
    assert_eq!(app.get("/health").await.status, 200, "the server still runs");
}

#[tokio::test]
async fn a_wrong_method_is_told_the_right_ones() {
    let app = app().await;
    let answer = app.request(Method::PUT, "/probe/echo").send().await;
    assert_eq!(answer.header("allow"), Some("POST"));
    let answer = app.request(Method::POST, "/health").send().await;
    assert_eq!(answer.header("allow"), Some("GET,HEAD"));
    assert_eq!(app.request(Method::HEAD, "/health").send().await.status, 200);
}

#[tokio::test]
async fn an_outage_says_when_to_try_again() {
    let app = app().await;
    assert_eq!(app.get("/probe/outage").await.header("retry-after"), Some("1"));
    assert_eq!(app.get("/probe/conflict").await.header("retry-after"), None);
}

#[tokio::test]
async fn a_request_keeps_its_id_or_gets_one() {
    let app = app().await;
    let id = |given: &'static str| {
        let request = app.request(Method::GET, "/health").header("x-request-id", given);
        async move { request.send().await.header("x-request-id").unwrap().to_owned() }
    };
    assert_eq!(id("trace.1:a-b_c".replace('_', "-").leak()).await, "trace.1:a-b-c");
    for unfit in ["", "a b", "a\"b", "é".repeat(3).leak(), "x".repeat(129).leak()] {
        assert_eq!(id(unfit).await.len(), 36, "{unfit}");
    }
    let one = app.get("/health").await;
    let other = app.get("/health").await;
    assert_ne!(one.header("x-request-id"), other.header("x-request-id"));
}

#[tokio::test]
async fn nothing_is_stored_or_guessed_at_unless_it_says_so() {
    let app = app().await;
    let answer = app.get("/health").await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(app.get("/metadata").await.header("cache-control"), Some("public, max-age=60"));
}
