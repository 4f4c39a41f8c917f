//! Probes, the OpenAPI documents and the page that shows them.

use std::collections::BTreeSet;
use std::io::Read as _;

use grantor_service::operations::health;
use grantor_storage::migrate::MIGRATIONS;
use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::json;

#[db_test]
async fn a_node_says_whether_it_can_work(app: TestApp) {
    assert_eq!(app.get("/livez").await.whole(), (200, json!({ "status": "live" })));
    let checks = json!({
        "database": { "ok": true },
        "writes": { "ok": true },
        "migrations": { "ok": true },
        "key_ring": { "ok": true },
        "mail_queue": { "ok": true, "oldest_seconds": 0 },
        "jobs": { "ok": true },
    });
    let ready = json!({ "status": "ready", "checks": checks });
    assert_eq!(app.get("/readyz").await.whole(), (200, ready));
    let script = "DELETE FROM schema_migrations; DELETE FROM schema_steps".to_owned();
    seed::run(&app.database.options, script).await;
    let reason = format!("migrations not applied: {}", MIGRATIONS.len());
    let checks = json!({
        "database": { "ok": true },
        "writes": { "ok": true },
        "migrations": { "ok": false, "reason": reason },
        "key_ring": { "ok": true },
        "mail_queue": { "ok": true, "oldest_seconds": 0 },
        "jobs": { "ok": true },
    });
    let not_ready = json!({ "status": "not ready", "checks": checks });
    assert_eq!(app.get("/readyz").await.whole(), (503, not_ready));
}

#[db_test]
async fn a_job_that_panics_is_named_until_it_has_done_its_work(app: TestApp) {
    app.app.health.panicked("mail");
    app.app.health.panicked("retention");
    let degraded = app.get("/readyz").await;
    assert_eq!((degraded.status.as_u16(), &degraded.json()["status"]), (200, &"degraded".into()));
    let failing = json!({ "ok": false, "failing": ["mail", "retention"] });
    assert_eq!(degraded.json()["checks"]["jobs"], failing);
    app.app.health.succeeded("mail");
    app.app.health.succeeded("retention");
    assert_eq!(app.get("/readyz").await.json()["status"], "ready");
}

/// A rule that refuses as a standby or a full disk would.
fn refuse(code: &str) -> String {
    format!(
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{code}'; END $$;
         CREATE OR REPLACE TRIGGER refuse BEFORE INSERT OR UPDATE ON meta
         FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
}

#[tokio::test]
async fn a_database_that_takes_no_writes_is_told_of() {
    let app = TestApp::on(Engine::Postgres).await;
    let options = &app.database.options;
    assert!(health::try_write(&app.app).await);
    for (code, reason) in
        [("25006", "the database is read-only"), ("53100", "the database's disk is full")]
    {
        seed::run(options, refuse(code)).await;
        assert!(!health::try_write(&app.app).await);
        let answer = app.get("/readyz").await;
        assert_eq!((answer.status.as_u16(), &answer.json()["status"]), (503, &"not ready".into()));
        let told = json!({ "ok": false, "reason": reason });
        assert_eq!(answer.json()["checks"]["writes"], told);
    }
    seed::run(options, "DROP TRIGGER refuse ON meta".to_owned()).await;
    assert!(health::try_write(&app.app).await);
    assert_eq!(app.get("/readyz").await.status, 200);
}

#[tokio::test]
async fn metrics_are_not_on_the_public_router() {
    let app = TestApp::on(Engine::Sqlite).await;
    assert_eq!(app.get("/metrics").await.status, 404);
}

#[tokio::test]
async fn both_documents_are_openapi_3_1() {
    let app = TestApp::on(Engine::Sqlite).await;
    let external = app.get("/openapi/external.json").await.json();
    assert_eq!(external["openapi"], "3.1.0");
    assert_eq!(external["info"]["title"], "external API v2");
    assert_eq!(external["info"]["version"], "3.1.0");
    assert_eq!(external["servers"], json!([{ "url": "https://grantor.test" }]));
    let paths: BTreeSet<&str> =
        external["paths"].as_object().unwrap().keys().map(String::as_str).collect();
    let discovery = app.get("/.well-known/grantor").await.json();
    let endpoints = discovery["endpoints"].as_array().unwrap().iter();
    let told = endpoints.map(|it| it.as_str().unwrap().split_once(' ').unwrap().1).collect();
    assert_eq!(paths, told, "what discovery tells is what the document holds");
    assert!(paths.contains("/auth/token"));
    let console = app.get("/openapi/console.json").await.json();
    assert_eq!(console["info"]["version"], "1.0.1");
    assert_eq!(console["servers"], json!([{ "url": "https://grantor.test/v1.0.1" }]));
}

/// A reference that leads nowhere would break every generated client.
#[tokio::test]
async fn every_reference_leads_to_a_schema() {
    let app = TestApp::on(Engine::Sqlite).await;
    for path in ["/openapi/external.json", "/openapi/console.json"] {
        let answer = app.get(path).await;
        let text = String::from_utf8(answer.body.clone()).unwrap();
        let schemas = answer.json()["components"]["schemas"].clone();
        for reference in text.split("\"#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.get(name).is_some(), "{path}: {name}");
        }
    }
}

#[tokio::test]
async fn pages_and_probes_have_an_id_and_are_not_guessed_at() {
    let app = TestApp::on(Engine::Sqlite).await;
    for path in ["/", "/docs/", "/openapi/external.json", "/livez", "/readyz", "/docs/nothing"] {
        let answer = app.request(Method::GET, path).header("x-request-id", "r-1").send().await;
        assert_eq!(answer.header("x-request-id"), Some("r-1"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(app.get(path).await.header("x-request-id").unwrap().len(), 36, "{path}");
    }
}

#[tokio::test]
async fn a_compressed_answer_has_a_tag_of_its_own() {
    let app = TestApp::on(Engine::Sqlite).await;
    seed::public_licenses(&app.database.options, 20).await;
    let get = |name: &'static str, value: &str| {
        app.request(Method::GET, "/metadata").header(name, value).send()
    };
    let plain = app.get("/metadata").await;
    let gzip = get("accept-encoding", "gzip").await;
    assert_eq!(gzip.header("content-encoding"), Some("gzip"));
    let (plain, gzip) = (plain.header("etag").unwrap(), gzip.header("etag").unwrap());
    assert_eq!(gzip, format!("{}-gzip\"", plain.strip_suffix('"').unwrap()));
    for tag in [plain, gzip] {
        assert_eq!(get("if-none-match", tag).await.status, 304, "{tag}");
    }
}

#[tokio::test]
async fn large_answers_are_compressed_for_whoever_asks() {
    let app = TestApp::on(Engine::Sqlite).await;
    let request = app.request(Method::GET, "/openapi/external.json");
    let answer = request.header("accept-encoding", "gzip").send().await;
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(answer.body.as_slice()).read_to_string(&mut text).unwrap();
    assert_eq!(text.as_bytes(), app.get("/openapi/external.json").await.body);
    let page = app.request(Method::GET, "/docs/quick-start");
    let page = page.header("accept-encoding", "gzip").send().await;
    assert_eq!(page.header("content-encoding"), Some("gzip"));
}

#[tokio::test]
async fn every_status_of_licenses_mentions_and_bookmarks_is_documented() {
    let app = TestApp::on(Engine::Sqlite).await;
    let external = app.get("/openapi/external.json").await.json();
    for (method, path, expected) in [
        ("get", "/metadata", "200 304 400 403 413 429 500 503"),
        ("get", "/metadata/{id}", "200 304 400 403 404 413 429 500 503"),
        ("post", "/oauth/token", "200 400 401 403 408 413 429 500 503"),
        ("get", "/oauth/authorize", "400 403 413 429 500 503"),
        ("get", "/licenses", "200 400 401 403 413 429 500 503"),
        ("get", "/licenses/{id}", "200 304 400 401 403 404 409 413 429 500 503"),
        ("patch", "/licenses/{id}", "200 400 401 403 404 408 409 412 413 415 422 429 500 503"),
        ("get", "/licenses/{id}/mentions", "200 400 401 403 404 413 429 500 503"),
        ("get", "/mentions/{id}", "200 400 401 403 404 413 429 500 503"),
        ("patch", "/mentions/{id}", "200 400 401 403 404 408 409 413 415 422 429 500 503"),
        ("get", "/mentions/{id}/evidence", "200 400 401 403 404 413 429 500 503"),
        ("get", "/mentions/{id}/evidence.zip", "200 400 401 403 404 413 429 500 503"),
        ("get", "/bookmarks", "200 400 401 403 413 429 500 503"),
        ("post", "/bookmarks", "200 201 400 401 403 404 408 409 413 415 422 429 500 503"),
        ("delete", "/bookmarks/{id}", "204 400 401 403 404 413 429 500 503"),
    ] {
        let answers = external["paths"][path][method]["responses"].as_object().unwrap();
        let found: Vec<_> = answers.keys().map(String::as_str).collect();
        assert_eq!(found.join(" "), expected, "{method} {path}");
    }
    let both = &external["paths"]["/bookmarks"]["post"]["responses"];
    assert_eq!(both["200"]["content"], both["201"]["content"]);
    assert_eq!(external["paths"]["/licenses/{id}"]["get"]["responses"]["304"].get("content"), None);
}
