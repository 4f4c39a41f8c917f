//! Limits, the log and idempotency are those of the API.

use grantor_domain::limit::Limits;
use grantor_service::log::{read_access, refusal};
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::json;

use super::accept::wish;
use super::{UNKNOWN, ask, call, data, error, failure, message, request};
use crate::external::{Office, text};
use crate::license::World;

/// An app whose limit for those without a token is soon reached.
struct Strict(Office);

impl Fixture for Strict {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("open=2/60s").unwrap();
        let config = TestConfig { limits, ..TestConfig::default() };
        Self(Office::with_config(engine, config).await)
    }
}

fn remaining(answer: &Answer) -> i64 {
    answer.header("x-ratelimit-remaining").unwrap().parse().unwrap()
}

#[db_test]
async fn a_call_counts_once_as_in_the_api(office: Office) {
    let token = text(&office.tokens().await["access_token"]);
    let (app, own) = (&office.app, Some(token.as_str()));
    let grants = || app.request(Method::GET, "/grants").bearer(&token).send();
    let before = remaining(&grants().await);
    let called = call(app, own, "list_grants", json!({})).await;
    assert_eq!(remaining(&called), before - 1);
    assert_eq!(remaining(&ask(app, own, "tools/list", json!({})).await), before - 2);
    let unknown = call(app, own, "get_license", json!({ "id": UNKNOWN })).await;
    assert_eq!(
        (remaining(&unknown), &failure(&unknown)["code"]),
        (before - 3, &json!("NOT_FOUND"))
    );
    call(app, own, "search_catalog", json!({})).await;
    assert_eq!(remaining(&grants().await), before - 4, "the catalog counts by address");
}

#[db_test]
async fn whoever_asks_too_often_has_to_wait(strict: Strict) {
    let app = &strict.0.app;
    let token = text(&strict.0.tokens().await["access_token"]);
    for _ in 0..2 {
        assert_eq!(ask(app, None, "tools/list", json!({})).await.status, 200);
    }
    let anonymous = ask(app, None, "tools/list", json!({})).await;
    assert_eq!((error(&anonymous), anonymous.header("retry-after")), ((429, -32600), Some("60")));
    assert_eq!(anonymous.json()["error"]["data"]["code"], "RATE_LIMITED");
    let mut last = call(app, Some(&token), "list_grants", json!({})).await;
    while remaining(&last) > 0 {
        last = call(app, Some(&token), "list_grants", json!({})).await;
    }
    data(&last);
    let limited = failure(&call(app, Some(&token), "list_grants", json!({})).await);
    let rest = app.request(Method::GET, "/grants").bearer(&token).header("x-request-id", "r-1");
    let rest = rest.send().await;
    let mut expected = rest.json()["error"].clone();
    expected["retry_after"] = json!(rest.header("retry-after").unwrap().parse::<u64>().unwrap());
    assert_eq!(limited, expected, "as in the API, with the header for models to read");
    let listed = ask(app, Some(&token), "tools/list", json!({})).await;
    assert_eq!(error(&listed), (429, -32600));
}

async fn logged(app: &TestApp) -> Vec<Vec<String>> {
    read_access::write(&app.app).await.unwrap();
    refusal::write(&app.app).await.unwrap();
    let query = "SELECT action, scheme, address FROM log_entries WHERE request_id = 'r-1'
        ORDER BY action";
    seed::rows(&app.database.options, query).await
}

#[db_test]
async fn calls_and_refusals_are_logged_as_in_the_api(world: World) {
    let (app, token) = (&world.app, Some(world.brand.external.as_str()));
    let license = world.public().await;
    data(&call(app, token, "request_license", wish(&license)).await);
    data(&call(app, token, "list_grants", json!({})).await);
    assert_eq!(error(&ask(app, Some("x"), "tools/list", json!({})).await), (401, -32600));
    let origin = ["external", "203.0.113.7"];
    let expected = ["grant.list", "request.create", "token.verify"];
    assert_eq!(logged(app).await, expected.map(|it| vec![it, origin[0], origin[1]]));
}

#[db_test]
async fn a_repeated_request_is_made_once(world: World) {
    let (app, token) = (&world.app, Some(world.brand.external.as_str()));
    let plain = wish(&world.public().await);
    let mut keyed = plain.clone();
    keyed["idempotency_key"] = json!("k-1");
    let first = data(&call(app, token, "request_license", keyed.clone()).await);
    assert_eq!(data(&call(app, token, "request_license", keyed.clone()).await), first);
    let rest = app.request(Method::POST, "/requests").bearer(&world.brand.external);
    let rest = rest.header("idempotency-key", "k-1").json(&plain).send().await;
    assert_eq!((rest.status.as_u16(), rest.json()), (201, first), "the key is that of the API");
    keyed["purpose"] = json!("Another");
    let other = failure(&call(app, token, "request_license", keyed).await);
    assert_eq!(other["code"], "IDEMPOTENCY_MISMATCH");
}

/// A tool says what is wrong with its arguments by their names.
#[db_test]
async fn invalid_arguments_are_named(world: World) {
    let (app, token) = (&world.app, Some(world.brand.external.as_str()));
    for (tool, arguments, details) in [
        ("get_license", json!({}), json!({ "id": "is required" })),
        ("read_offer", json!({ "id": "x" }), json!({ "id": "must be a UUID" })),
        (
            "list_grants",
            json!({ "sort": "x" }),
            json!({ "sort": "is not an argument of this tool" }),
        ),
        (
            "list_grants",
            json!({ "page": [1] }),
            json!({ "page": "must be a text, a number, true or false" }),
        ),
        ("check_picture", json!({ "image": "%" }), json!({ "image": "must be base64" })),
        (
            "accept_offer",
            json!({ "id": UNKNOWN, "terms_hash": "x" }),
            json!({
                "terms_hash": "must be the hash of an offer",
            }),
        ),
    ] {
        let refused = failure(&call(app, token, tool, arguments).await);
        assert_eq!((&refused["code"], &refused["details"]), (&json!("VALIDATION_ERROR"), &details));
    }
    let missing = request(app, token, &message("tools/call", json!({ "name": "may_i" })));
    let missing = failure(&missing.send().await);
    let details = json!({ "questions": "must contain 1 to 1000 questions" });
    assert_eq!(missing["details"], details, "without arguments at all");
}
