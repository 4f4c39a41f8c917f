//! `/auth/token/refresh`.

use std::time::Duration;

use grantor_domain::secret::{Secret, SecretKind};
use grantor_service::operations::retention::{self, Retention};
use grantor_testkit::app::TestApp;
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Office, invalid, post, refused, sign_up, standing, text};

const REFRESH: &str = "/auth/token/refresh";
const KEPT: Retention = Retention {
    events: Duration::from_hours(24),
    access: Duration::from_hours(24),
    audit: Duration::from_hours(24),
    evidence: Duration::from_hours(24),
};

fn dead() -> (u16, Value) {
    (401, refused("UNAUTHORIZED", "The refresh token is not valid"))
}

fn expired() -> (u16, Value) {
    (401, refused("TOKEN_EXPIRED", "The refresh token has expired"))
}

/// A refresh token of the right form that nobody was given.
fn unknown() -> Value {
    let secret = Secret::generate(SecretKind::ExternalRefresh, &SeededEntropy::new(99));
    json!({ "refresh_token": secret.expose() })
}

async fn rotate(office: &Office, grace: u32) {
    let id = text(&office.client["clientId"]);
    let path = format!("/v1.0.1/org/refresh/client?clientId={id}&graceSeconds={grace}");
    let rotated = office.console(Method::PATCH, &path, &json!({})).await;
    assert_eq!(rotated.status, 200, "{}", rotated.json());
}

#[db_test]
async fn a_refresh_token_works_again_and_again(office: Office) {
    let tokens = office.tokens().await;
    let mut seen = vec![tokens["access_token"].clone()];
    for _ in 0..3 {
        let answer = office.refresh(&tokens).await;
        let access = answer.json()["data"]["access_token"].clone();
        let body = format!(
            r#"{{"success":true,"data":{{"access_token":{access},"token_type":"Bearer","expires_in":3600}}}}"#
        );
        assert_eq!(String::from_utf8(answer.body).unwrap(), body);
        assert_eq!(answer.status, 200);
        assert!(!seen.contains(&access), "another each time");
        seen.push(access);
    }
    for access in &seen {
        assert_eq!(office.probe(access).await.status, 200, "none ends the ones before");
    }
}

#[db_test]
async fn a_refresh_token_lives_30_days(office: Office) {
    let tokens = office.tokens().await;
    office.app.clock.advance(Duration::from_secs(2_591_999));
    let renewed = office.refresh(&tokens).await;
    assert_eq!(renewed.status, 200);
    office.app.clock.advance(Duration::from_secs(1));
    assert_eq!(office.refresh(&tokens).await.whole(), expired());
    let access = renewed.json()["data"]["access_token"].clone();
    assert_eq!(office.probe(&access).await.status, 200, "the access token has its hour");
}

#[db_test]
async fn what_is_no_refresh_token_of_this_api_is_refused(office: Office) {
    let login = sign_up(&office.app, "grace@example.com").await;
    for token in [&unknown()["refresh_token"], &json!("gxr_nonsense"), &login["refresh_token"]] {
        let body = json!({ "refresh_token": token });
        assert_eq!(post(&office.app, REFRESH, &body).await.whole(), dead(), "{token}");
    }
    let tokens = office.tokens().await;
    let body = json!({ "refresh_token": tokens["access_token"] });
    assert_eq!(post(&office.app, REFRESH, &body).await.whole(), dead());
    let missing = invalid(&json!({ "refresh_token": "is required" }));
    assert_eq!(post(&office.app, REFRESH, &json!({})).await.whole(), (400, missing));
}

#[db_test]
async fn a_refresh_token_dies_with_its_client(office: Office) {
    let tokens = office.tokens().await;
    office.change_client(json!({ "status": "inactive" })).await;
    assert_eq!(office.refresh(&tokens).await.whole(), dead());
    office.change_client(json!({ "status": "active" })).await;
    assert_eq!(office.refresh(&tokens).await.whole(), dead(), "for good");
    let tokens = office.tokens().await;
    assert_eq!(office.refresh(&tokens).await.status, 200, "the client itself came back");
    office.change_client(json!({ "status": "revoked" })).await;
    assert_eq!(office.refresh(&tokens).await.whole(), dead());
    let path = format!("/v1.0.1/org/client/{}", text(&office.client["clientId"]));
    assert_eq!(office.console(Method::DELETE, &path, &json!({})).await.status, 204);
    assert_eq!(office.refresh(&tokens).await.whole(), dead(), "deleted");
}

#[db_test]
async fn another_secret_ends_the_refresh_tokens_of_the_one_before(office: Office) {
    let tokens = office.tokens().await;
    rotate(&office, 60).await;
    office.app.clock.advance(Duration::from_secs(59));
    assert_eq!(office.refresh(&tokens).await.status, 200, "within the grace");
    office.app.clock.advance(Duration::from_secs(1));
    assert_eq!(office.refresh(&tokens).await.whole(), expired());
    assert_eq!(office.probe(&tokens["access_token"]).await.status, 200, "it has its hour");
}

#[db_test]
async fn what_is_got_in_the_grace_ends_with_it(office: Office) {
    let pair = office.pair();
    rotate(&office, 60).await;
    let late = post(&office.app, "/auth/token", &pair).await.json()["data"].clone();
    office.app.clock.advance(Duration::from_secs(59));
    assert_eq!(office.refresh(&late).await.status, 200);
    office.app.clock.advance(Duration::from_secs(1));
    assert_eq!(office.refresh(&late).await.whole(), expired());
}

#[db_test]
async fn another_rotation_ends_the_secret_in_its_grace(office: Office) {
    let (pair, tokens) = (office.pair(), office.tokens().await);
    rotate(&office, 60).await;
    rotate(&office, 60).await;
    assert_eq!(post(&office.app, "/auth/token", &pair).await.status, 401);
    assert_eq!(office.refresh(&tokens).await.whole(), expired(), "and what was got with it");
}

#[db_test]
async fn without_a_grace_they_end_at_once(office: Office) {
    let (pair, tokens) = (office.pair(), office.tokens().await);
    rotate(&office, 0).await;
    assert_eq!(office.refresh(&tokens).await.whole(), expired());
    assert_eq!(post(&office.app, "/auth/token", &pair).await.status, 401, "and the old secret");
}

#[db_test]
async fn it_falls_under_the_clients_general_limit_and_counts_for_nobody_else(office: Office) {
    let other = office.make_client(json!({ "name": "Other" })).await;
    let tokens = [office.tokens().await, office.tokens_of(&other).await];
    for left in (50..100).rev() {
        let answer = office.refresh(&tokens[0]).await;
        let left = left.to_string();
        let expected = [Some("100"), Some(left.as_str()), Some("1767225660")];
        assert_eq!((answer.status.as_u16(), standing(&answer)), (200, expected));
    }
    for _ in 0..50 {
        assert_eq!(office.probe(&tokens[0]["access_token"]).await.status, 200, "the same counter");
    }
    let late = office.refresh(&tokens[0]).await;
    let body = refused("RATE_LIMITED", "Too many requests; try again later");
    assert_eq!((late.whole(), late.header("retry-after")), ((429, body), Some("60")));
    let another = office.refresh(&tokens[1]).await;
    assert_eq!(standing(&another)[..2], [Some("100"), Some("99")], "another client of theirs");
    let login = sign_up(&office.app, "grace@example.com").await;
    let body = json!({ "refreshToken": login["refresh_token"] });
    let console = post(&office.app, "/v1.0.1/auth/refresh/token", &body).await;
    assert_eq!(standing(&console)[..2], [Some("10"), Some("9")], "the console has its own");
}

#[db_test]
async fn a_dead_one_counts_for_the_address_and_not_for_its_client(office: Office) {
    let tokens = office.tokens().await;
    post(&office.app, "/auth/token/revoke", &json!({ "token": tokens["refresh_token"] })).await;
    let answer = office.refresh(&tokens).await;
    assert_eq!(
        (answer.whole(), standing(&answer)[..2].to_vec()),
        (dead(), vec![Some("10"), Some("9")])
    );
    let fresh = office.tokens().await;
    assert_eq!(standing(&office.refresh(&fresh).await)[1], Some("99"));
}

#[db_test]
async fn an_expired_one_is_told_so_for_a_year_though_its_exchange_is_forgotten(office: Office) {
    let (tokens, revoked) = (office.tokens().await, office.tokens().await);
    post(&office.app, "/auth/token/revoke", &json!({ "token": revoked["refresh_token"] })).await;
    office.app.clock.advance(Duration::from_hours(32 * 24));
    retention::sweep(&office.app.app, KEPT).await.unwrap();
    let kept = "SELECT 'exchange' FROM exchanges UNION ALL SELECT 'expired' FROM expired_tokens";
    let rows = seed::rows(&office.app.database.options, kept).await;
    assert_eq!(rows, [["expired"], ["expired"]], "this one, and the one of the person's session");
    assert_eq!(office.refresh(&tokens).await.whole(), expired());
    assert_eq!(office.refresh(&revoked).await.whole(), dead(), "a revoked one is not told of");
    office.app.clock.advance(Duration::from_hours(363 * 24));
    retention::sweep(&office.app.app, KEPT).await.unwrap();
    assert_eq!(office.refresh(&tokens).await.whole(), expired(), "365 days later");
    office.app.clock.advance(Duration::from_hours(2 * 24));
    retention::sweep(&office.app.app, KEPT).await.unwrap();
    assert_eq!(office.refresh(&tokens).await.whole(), dead(), "and forgotten in the end");
}

#[db_test]
async fn ten_invalid_ones_a_minute_from_one_address(app: TestApp) {
    let from = |address: &'static str, body: Value| {
        app.request(Method::POST, REFRESH).from(address).json(&body).send()
    };
    for body in [unknown(), json!({ "refresh_token": "nonsense" })].iter().cycle().take(10) {
        assert_eq!(from("198.51.100.1", body.clone()).await.status, 401);
    }
    assert_eq!(from("198.51.100.1", unknown()).await.status, 429);
    assert_eq!(from("198.51.100.2", unknown()).await.status, 401);
}
