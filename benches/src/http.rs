//! The cost of the request pipeline: Grantor's endpoints compared with bare handlers that send the
//! same bytes. Requests go straight to the router, without sockets or a client.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::get;
use grantor_domain::limit::Limits;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, seed};
use http::Request;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::measure::{Outcome, median, processor_time, report};

/// Requests between two reads of the CPU time, and the minimum length of a round: the system counts
/// CPU time in steps of milliseconds.
const REQUESTS: u32 = 200;
const ROUND: Duration = Duration::from_millis(200);
const ROUNDS: usize = 5;
const LICENSES: u32 = 10_000;

/// Runs the suite.
pub(crate) async fn run() -> Outcome {
    let config = TestConfig { limits: generous(), ..TestConfig::default() };
    let app = TestApp::with_config(Engine::Sqlite, config).await;
    seed::public_licenses(&app.database.options, LICENSES).await;
    seed::tidy(&app.database.options).await;
    for path in ["/health", "/.well-known/jwks.json", "/metadata"] {
        let body = Bytes::from(app.get(path).await.body);
        let size = body.len();
        let bare = Router::new().route(path, get(move || async move { body }));
        let build = || Request::get(path).body(Body::empty());
        compare(&format!("GET {path} ({size} bytes)"), [&app.router(), &bare], build).await?;
    }
    Ok(())
}

/// Reports the cost of Grantor's router and of the bare one.
pub(crate) async fn compare<F: Fn() -> http::Result<Request<Body>>>(
    what: &str,
    routers: [&Router; 2],
    build: F,
) -> Outcome {
    let [ours, bare] = interleave(routers, &build).await?;
    let times = ours / bare;
    report(
        "http",
        &format!("{what}: {ours:.1} µs of CPU time, bare handler {bare:.1} µs: {times:.1} times"),
    );
    Ok(())
}

/// Limits that count requests but never refuse one.
fn generous() -> Limits {
    Limits::parse("metadata=4000000000/60s").unwrap_or_default()
}

async fn interleave<F: Fn() -> http::Result<Request<Body>>>(
    routers: [&Router; 2],
    build: &F,
) -> Outcome<[f64; 2]> {
    let mut taken = [Vec::new(), Vec::new()];
    for _ in 0..=ROUNDS {
        for (router, taken) in routers.iter().zip(&mut taken) {
            taken.push(round(router, build).await?);
        }
    }
    Ok(taken.map(median))
}

async fn round<F>(router: &Router, build: &F) -> Outcome<f64>
where
    F: Fn() -> http::Result<Request<Body>>,
{
    let before = processor_time("self")?;
    let mut sent = 0_u32;
    loop {
        for _ in 0..REQUESTS {
            let response = router.clone().oneshot(build()?).await?;
            response.into_body().collect().await?;
        }
        sent += REQUESTS;
        let taken = processor_time("self")?.saturating_sub(before);
        if taken >= ROUND {
            return Ok(taken.as_secs_f64() * 1e6 / f64::from(sent));
        }
    }
}
