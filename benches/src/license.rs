//! What licenses cost to read: a page, one of them, and one the caller has already, beside bare
//! handlers that send the same bytes; and how that grows.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::get;
use grantor_domain::limit::Limits;
use grantor_testkit::app::{Plan, TestApp};
use grantor_testkit::{Engine, seed};
use http::{Request, StatusCode, header};
use serde_json::Value;

use crate::access::member;
use crate::http::beside;
use crate::measure::{Outcome, say};

/// How many licenses there are, and how many of them the caller sees.
const SHELVES: [(u32, u32); 5] =
    [(1_000, 20), (100_000, 20), (100_000, 10_000), (100_000, 100_000), (1_000_000, 10_000)];

/// Runs all of it.
pub(crate) async fn run() -> Outcome {
    for (total, visible) in SHELVES {
        shelf(total, visible).await?;
    }
    Ok(())
}

async fn shelf(total: u32, visible: u32) -> Outcome {
    let limits = Limits::parse("external=4000000000/60s,register=off,anonymous=off,metadata=off")?;
    let app = TestApp::planned(Engine::Sqlite, Plan { limits, ..Plan::default() }).await;
    let (bearer, tenant) = member(&app).await;
    seed::public_licenses(&app.database.options, total).await;
    seed::show_licenses(&app.database.options, &tenant, visible).await;
    seed::run(&app.database.options, "ANALYZE".to_owned()).await;
    say("license", &format!("{total} licenses, {visible} visible"));
    let last = visible.div_ceil(20).min(500);
    for path in [
        "/licenses?per_page=20".to_owned(),
        format!("/licenses?per_page=20&page={last}"),
        "/licenses?per_page=20&status=public&sort=title".to_owned(),
        "/licenses?search=7".to_owned(),
    ] {
        measure(&app, &bearer, &path).await?;
    }
    let id = "/licenses/30000000-0000-0000-0000-000000000001";
    measure(&app, &bearer, id).await?;
    unchanged(&app, &bearer, id).await
}

async fn measure(app: &TestApp, bearer: &str, path: &str) -> Outcome {
    let request = app.request(http::Method::GET, path).header("authorization", bearer);
    let body = Bytes::from(request.send().await.body);
    let what = format!("GET {path} ({} bytes)", body.len());
    let route = path.split('?').next().unwrap_or_default();
    let bare = Router::new().route(route, get(move || async move { body }));
    let ask = || Request::get(path).header(header::AUTHORIZATION, bearer).body(Body::empty());
    beside(&what, [&app.router(), &bare], ask).await
}

/// What the caller has already: 304 beside a bare 304.
async fn unchanged(app: &TestApp, bearer: &str, path: &str) -> Outcome {
    let request = app.request(http::Method::GET, path).header("authorization", bearer);
    let tag = request.send().await.header("etag").unwrap_or_default().to_owned();
    let bare = Router::new().route(path, get(|| async { StatusCode::NOT_MODIFIED }));
    let ask = || {
        let request = Request::get(path).header(header::AUTHORIZATION, bearer);
        request.header(header::IF_NONE_MATCH, &tag).body(Body::empty())
    };
    beside(&format!("GET {path}, known"), [&app.router(), &bare], ask).await
}

/// The text of a value.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
