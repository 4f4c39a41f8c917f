//! How often a pair is exchanged, and how often its tokens are used.

use std::time::Duration;

use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Office, pair, post, refused, standing};

async fn exchange(app: &TestApp, address: &str, body: &Value) -> Answer {
    let request = app.request(Method::POST, "/auth/token").header("x-request-id", "r-1");
    request.from(address).json(body).send().await
}

fn too_many() -> (u16, Value) {
    (429, refused("RATE_LIMITED", "Too many requests; try again later"))
}

#[db_test]
async fn ten_exchanges_an_hour_for_a_key_from_any_address(office: Office) {
    let (app, own) = (&office.app, office.pair());
    for left in (0..10).rev() {
        let answer = exchange(app, &format!("198.51.100.{left}"), &own).await;
        let left = left.to_string();
        let expected = [Some("10"), Some(left.as_str()), Some("1767229200")];
        assert_eq!((answer.status.as_u16(), standing(&answer)), (200, expected));
    }
    app.clock.advance(Duration::from_millis(3_598_100));
    let refused = exchange(app, "198.51.100.99", &own).await;
    assert_eq!(refused.whole(), too_many());
    assert_eq!(standing(&refused), [Some("10"), Some("0"), Some("1767229200")]);
    assert_eq!(refused.header("retry-after"), Some("2"));
    app.clock.advance(Duration::from_millis(1_900));
    let answer = exchange(app, "198.51.100.99", &own).await;
    assert_eq!((answer.status.as_u16(), standing(&answer)[1]), (200, Some("9")), "a new window");
}

#[db_test]
async fn wrong_secrets_lock_out_nobody_but_who_sent_them(office: Office) {
    let (app, own) = (&office.app, office.pair());
    let guess = json!({ "api_key": own["api_key"], "api_secret": "gs_live_guess" });
    for left in (0..10).rev() {
        let answer = exchange(app, "198.51.100.1", &guess).await;
        let left = left.to_string();
        let expected = [Some("10"), Some(left.as_str()), Some("1767229200")];
        assert_eq!((answer.status.as_u16(), standing(&answer)), (401, expected));
    }
    let refused = exchange(app, "198.51.100.1", &guess).await;
    assert_eq!((refused.whole(), refused.header("retry-after")), (too_many(), Some("3600")));
    let owner = exchange(app, "198.51.100.2", &own).await;
    assert_eq!((owner.status.as_u16(), standing(&owner)[1]), (200, Some("9")), "none was counted");
    assert_eq!(exchange(app, "198.51.100.2", &guess).await.status, 401, "each address by itself");
    let other = office.make_client(json!({ "name": "Other" })).await;
    let answer = exchange(app, "198.51.100.1", &pair(&other)).await;
    assert_eq!(answer.status, 200, "and each key");
}

#[db_test]
async fn right_secrets_do_not_count_as_wrong_ones(office: Office) {
    let own = office.pair();
    for _ in 0..10 {
        assert_eq!(exchange(&office.app, "198.51.100.1", &own).await.status, 200);
    }
    let guess = json!({ "api_key": own["api_key"], "api_secret": "gs_live_guess" });
    let answer = exchange(&office.app, "198.51.100.1", &guess).await;
    assert_eq!((answer.status.as_u16(), standing(&answer)[1]), (401, Some("9")));
}

#[db_test]
async fn a_malformed_request_has_its_figures_too(office: Office) {
    for path in ["/auth/token", "/auth/token/refresh"] {
        let answer = post(&office.app, path, &json!({})).await;
        assert_eq!((answer.status.as_u16(), standing(&answer)[0]), (400, Some("100")), "{path}");
    }
    for (path, status) in [("/v1.0.1/auth/token", 401), ("/v1.0.1/auth/refresh/token", 400)] {
        let answer = post(&office.app, path, &json!({})).await;
        assert_eq!((answer.status.as_u16(), standing(&answer)[0]), (status, Some("100")), "{path}");
    }
    for _ in 0..96 {
        assert_eq!(post(&office.app, "/auth/token", &json!({})).await.status, 400);
    }
    assert_eq!(post(&office.app, "/auth/token", &json!({})).await.whole(), too_many());
    assert_eq!(post(&office.app, "/auth/token", &office.pair()).await.status, 200);
}

#[db_test]
async fn the_plan_decides_how_often_a_client_may_ask(office: Office) {
    let token = office.tokens().await["access_token"].clone();
    for left in (0..100).rev() {
        let answer = office.probe(&token).await;
        let left = left.to_string();
        assert_eq!(standing(&answer), [Some("100"), Some(left.as_str()), Some("1767225660")]);
    }
    let refused = office.probe(&token).await;
    assert_eq!((refused.whole(), refused.header("retry-after")), (too_many(), Some("60")));
    let other = office.make_client(json!({ "name": "Other" })).await;
    let other = office.tokens_of(&other).await["access_token"].clone();
    assert_eq!(standing(&office.probe(&other).await)[1], Some("99"), "each client by itself");
    let script = "UPDATE tenants SET plan = 'Pro'".to_owned();
    seed::run(&office.app.database.options, script).await;
    office.app.clock.advance(Duration::from_secs(1));
    let answer = office.probe(&token).await;
    assert_eq!(standing(&answer), [Some("1000"), Some("999"), Some("1767225661")]);
}

#[db_test]
async fn a_refused_scope_is_counted(office: Office) {
    let narrow = office.make_client(json!({ "permissions": ["mention:read"] })).await;
    let token = office.tokens_of(&narrow).await["access_token"].clone();
    let answer = office.probe(&token).await;
    assert_eq!((answer.status.as_u16(), standing(&answer)[1]), (403, Some("99")));
}
