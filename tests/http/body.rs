//! Bodies that do not fit: too large, of the wrong type, malformed, too deep, too slow.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use grantor_http::Settings;
use grantor_testkit::Engine;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use http::Method;
use http_body_util::StreamBody;
use serde_json::{Value, json};

use super::probe;

async fn app() -> TestApp {
    let settings = Settings { body_time: Duration::from_millis(50), ..Settings::default() };
    let external = probe::routes(&Arc::default());
    let console = probe::routes(&Arc::default());
    TestApp::with_config(
        Engine::Sqlite,
        TestConfig { settings, external, console, ..TestConfig::default() },
    )
    .await
}

async fn send(app: &TestApp, content_type: &str, body: impl Into<Body>) -> Answer {
    let request = app.request(Method::POST, "/probe/echo").header("content-type", content_type);
    request.header("x-request-id", "r-1").body(body).send().await
}

fn refused(code: &str, message: &str) -> Value {
    let error = json!({ "code": code, "message": message, "request_id": "r-1" });
    json!({ "success": false, "error": error })
}

#[tokio::test]
async fn a_body_that_fits_is_read() {
    let app = app().await;
    let note = json!({ "name": "a", "count": 1 });
    for kind in
        ["application/json", "application/json; charset=utf-8", "application/merge-patch+json"]
    {
        assert_eq!(send(&app, kind, note.to_string()).await.whole(), (200, note.clone()), "{kind}");
    }
}

#[tokio::test]
async fn another_content_type_is_415() {
    let app = app().await;
    let message = "The request body must be JSON. Send Content-Type: application/json.";
    for kind in ["text/plain", "application/xml", "application/x-www-form-urlencoded", "json"] {
        let answer = send(&app, kind, "{}").await;
        assert_eq!(answer.whole(), (415, refused("UNSUPPORTED_MEDIA_TYPE", message)), "{kind}");
    }
    let plain =
        app.request(Method::POST, "/v1.0.1/probe/echo").header("content-type", "text/plain");
    let error = json!({ "code": "UNSUPPORTED_MEDIA_TYPE", "message": message, "details": {} });
    let expected = (415, json!({ "error": error, "status": "error" }));
    assert_eq!(plain.body("{}").send().await.whole(), expected);
}

#[tokio::test]
async fn a_body_that_is_missing_or_of_no_type_is_400() {
    let app = app().await;
    let message = "A JSON body is required. Send Content-Type: application/json.";
    for body in ["", "{}"] {
        let answer = app.request(Method::POST, "/v1.0.1/probe/echo").body(body).send().await;
        let error = json!({ "code": "VALIDATION_ERROR", "message": message, "details": {} });
        assert_eq!(answer.whole(), (400, json!({ "error": error, "status": "error" })), "{body:?}");
        let refresh = app.request(Method::POST, "/auth/token/refresh");
        let answer = refresh.header("x-request-id", "r-1").body(body).send().await;
        assert_eq!(answer.whole(), (400, refused("VALIDATION_ERROR", message)), "{body:?}");
    }
}

#[tokio::test]
async fn a_compressed_body_is_415() {
    let app = app().await;
    let send = async |coding: &'static str| {
        let request = app.request(Method::POST, "/probe/echo").header("content-encoding", coding);
        let request = request.header("content-type", "application/json");
        let note = json!({ "name": "a", "count": 1 });
        request.header("x-request-id", "r-1").body(note.to_string()).send().await
    };
    let message = "The request body must not be compressed. Send it without Content-Encoding.";
    let expected = (415, refused("UNSUPPORTED_MEDIA_TYPE", message));
    assert_eq!(send("gzip").await.whole(), expected);
    assert_eq!(send("identity").await.status, 200);
}

#[tokio::test]
async fn malformed_json_is_400_and_says_where() {
    let app = app().await;
    let at =
        |line, column| format!("The request body is not valid JSON (line {line}, column {column})");
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let cases = [
        ("{\"name\":", at(1, 8)),
        ("{\"name\":\"a\",\n nonsense}", at(2, 2)),
        ("{\"name\":\"a\",\"count\":1} trailing", at(1, 24)),
        ("", "A JSON body is required. Send Content-Type: application/json.".to_owned()),
    ];
    for (body, message) in cases {
        let answer = send(&app, "application/json", body).await;
        assert_eq!(answer.whole(), (400, refused("VALIDATION_ERROR", &message)), "{body}");
    }
    assert_eq!(send(&app, "application/json", deep).await.status, 400);
    assert_eq!(send(&app, "application/json", vec![0xff, 0xfe]).await.status, 400);
}

#[tokio::test]
async fn a_wrong_field_is_named_in_each_envelope() {
    let app = app().await;
    let body = json!({ "name": "a" });
    let answer = app.post("/probe/echo", &body).await;
    assert_eq!(answer.json()["error"]["details"], json!({ "count": "is required" }));
    let answer = app.post("/v1.0.1/probe/echo", &body).await;
    let error = json!({
        "code": "VALIDATION_ERROR",
        "message": "Some fields are not valid",
        "details": { "count": "is required" },
    });
    assert_eq!(answer.whole(), (400, json!({ "error": error, "status": "error" })));
}

#[tokio::test]
async fn more_than_a_mebibyte_is_413_however_it_is_sent() {
    let app = app().await;
    let large = vec![b' '; 1024 * 1024 + 1];
    let message = "The request body is too large for this endpoint";
    let expected = (413, refused("PAYLOAD_TOO_LARGE", message));
    let told = app.request(Method::POST, "/probe/echo").header("content-type", "application/json");
    let told = told.header("content-length", "1048577").header("x-request-id", "r-1");
    assert_eq!(told.send().await.whole(), expected);
    let chunks = large
        .chunks(64 * 1024)
        .map(|chunk| Ok::<_, Infallible>(http_body::Frame::data(Bytes::copy_from_slice(chunk))));
    let chunks: Vec<_> = chunks.collect();
    let streamed = Body::new(StreamBody::new(futures_util::stream::iter(chunks)));
    assert_eq!(send(&app, "application/json", streamed).await.whole(), expected);
    let just_fits = format!("{{\"name\":\"{}\",\"count\":1}}", "x".repeat(1024 * 1024 - 21));
    assert_eq!(just_fits.len(), 1024 * 1024);
    assert_eq!(send(&app, "application/json", just_fits).await.status, 200);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_408() {
    let app = app().await;
    let never = futures_util::stream::pending::<Result<http_body::Frame<Bytes>, Infallible>>();
    let answer = send(&app, "application/json", Body::new(StreamBody::new(never))).await;
    let message = "The request body was not received in time";
    assert_eq!(answer.whole(), (408, refused("REQUEST_TIMEOUT", message)));
}

#[tokio::test]
async fn a_list_is_no_body() {
    let app = TestApp::with_config(Engine::Sqlite, TestConfig::default()).await;
    let body = json!(["ada@example.com", "Analytical-Engine-1843"]);
    let answer = app.post("/v1.0.1/auth/login", &body).await;
    assert_eq!(answer.json()["error"]["message"], "The request body must be a JSON object");
    assert_eq!(answer.status, 400);
}
