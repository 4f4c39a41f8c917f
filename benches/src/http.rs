//! What the frame costs: our endpoints beside bare handlers that send the same bytes. Requests go
//! straight to the router, so that neither sockets nor a client are measured.

use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::get;
use grantor_domain::limit::Limits;
use grantor_testkit::app::{Plan, TestApp};
use grantor_testkit::{Engine, seed};
use http::Request;
use http_body_util::BodyExt as _;
use tower::ServiceExt as _;

use crate::measure::{Outcome, median, processor_time, say};

/// Requests between two looks at the clock, and how long a round lasts at least: the system adds
/// up processor time in steps of milliseconds.
const REQUESTS: u32 = 200;
const ROUND: Duration = Duration::from_millis(200);
const ROUNDS: usize = 5;
const LICENSES: u32 = 10_000;

/// Runs all of it.
pub(crate) async fn run() -> Outcome {
    let plan = Plan { limits: generous(), ..Plan::default() };
    let app = TestApp::planned(Engine::Sqlite, plan).await;
    seed::public_licenses(&app.database.options, LICENSES).await;
    seed::tidy(&app.database.options).await;
    for path in ["/health", "/.well-known/jwks.json", "/metadata"] {
        let body = Bytes::from(app.get(path).await.body);
        let size = body.len();
        let bare = Router::new().route(path, get(move || async move { body }));
        let ask = || Request::get(path).body(Body::empty());
        beside(&format!("GET {path} ({size} bytes)"), [&app.router(), &bare], ask).await?;
    }
    Ok(())
}

/// Tells what ours costs beside the bare one.
pub(crate) async fn beside<F: Fn() -> http::Result<Request<Body>>>(
    what: &str,
    routers: [&Router; 2],
    ask: F,
) -> Outcome {
    let [ours, bare] = in_turns(routers, &ask).await?;
    let times = ours / bare;
    say(
        "http",
        &format!("{what}: {ours:.1} µs of processor time, bare {bare:.1} µs: {times:.1} times"),
    );
    Ok(())
}

/// The limiter counts, but never refuses.
fn generous() -> Limits {
    Limits::parse("metadata=4000000000/60s").unwrap_or_default()
}

async fn in_turns<F: Fn() -> http::Result<Request<Body>>>(
    routers: [&Router; 2],
    ask: &F,
) -> Outcome<[f64; 2]> {
    let mut taken = [Vec::new(), Vec::new()];
    for _ in 0..=ROUNDS {
        for (router, taken) in routers.iter().zip(&mut taken) {
            taken.push(round(router, ask).await?);
        }
    }
    Ok(taken.map(median))
}

async fn round<F: Fn() -> http::Result<Request<Body>>>(router: &Router, ask: &F) -> Outcome<f64> {
    let before = processor_time("self")?;
    let mut sent = 0_u32;
    loop {
        for _ in 0..REQUESTS {
            let response = router.clone().oneshot(ask()?).await?;
            response.into_body().collect().await?;
        }
        sent += REQUESTS;
        let taken = processor_time("self")?.saturating_sub(before);
        if taken >= ROUND {
            return Ok(taken.as_secs_f64() * 1e6 / f64::from(sent));
        }
    }
}
