//! `/token/info`.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use grantor_service::Context;
use grantor_service::operations::admin;
use grantor_testkit::app::{Answer, TestApp};
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{Office, PROFILE, invalid, post, standing, text};

const INFO: &str = "/token/info";

async fn info(office: &Office, token: &Value) -> Value {
    let answer = post(&office.app, INFO, &json!({ "token": token })).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["success"]), (200, &json!(true)));
    answer.json()["data"].clone()
}

fn inactive(expires_at: &str, revoked: bool) -> Value {
    json!({
        "active": false,
        "token_type": "external",
        "expires_at": format!("2026-01-01T{expires_at}.000000Z"),
        "revoked": revoked,
    })
}

/// An access token of a member of staff.
pub(crate) async fn admin_token(app: &TestApp) -> Value {
    let context = Context::operator(Duration::ZERO);
    let (email, name) = (Email::parse("root@example.com"), FullName::parse("Root Admin"));
    let role = AdminRole::SuperAdmin;
    let made = admin::create(&app.app, &context, email.unwrap(), name.unwrap(), role).await;
    let body = json!({ "token": made.unwrap().token.expose() });
    let login = post(app, "/v1.0.1/auth/authenticateAdmin", &body).await;
    login.json()["data"]["accessToken"].clone()
}

#[db_test]
async fn an_active_token_is_told_of_whole(office: Office) {
    let token = office.tokens().await["access_token"].clone();
    let profile = office.console(Method::GET, PROFILE, &Value::Null).await;
    let user = profile.json()["data"]["id"].clone();
    office.app.clock.advance(Duration::from_millis(100_500));
    let body = format!(
        r#"{{"success":true,"data":{{"active":true,"token_type":"external","scopes":["license:read","license:write","mention:read","webhook:manage"],"user_id":{user},"issued_at":"2026-01-01T00:00:00.000000Z","expires_at":"2026-01-01T01:00:00.000000Z","expires_in":3499,"revoked":false}}}}"#
    );
    let by_body = post(&office.app, INFO, &json!({ "token": token })).await;
    assert_eq!(
        (by_body.status.as_u16(), String::from_utf8_lossy(&by_body.body)),
        (200, body.into())
    );
    let bearer = format!("Bearer {}", text(&token));
    let by_header = |body: Option<Value>| {
        let request = office.app.request(Method::POST, INFO).header("authorization", &bearer);
        match body {
            Some(body) => request.json(&body).send(),
            None => request.send(),
        }
    };
    for body in
        [None, Some(json!({})), Some(json!({ "token": null })), Some(json!({ "token": "" }))]
    {
        assert_eq!(by_header(body).await.body, by_body.body);
    }
    let first = by_header(Some(json!({ "token": "nonsense" }))).await.json();
    assert_eq!(first["data"]["active"], false, "the body goes first");
}

#[db_test]
async fn an_expired_token_was_one(office: Office) {
    let (token, revoked) = (office.tokens().await, office.tokens().await);
    post(&office.app, "/auth/token/revoke", &json!({ "token": revoked["access_token"] })).await;
    office.app.clock.advance(Duration::from_secs(3_599));
    assert_eq!(info(&office, &token["access_token"]).await["expires_in"], 1);
    office.app.clock.advance(Duration::from_secs(1));
    assert_eq!(info(&office, &token["access_token"]).await, inactive("01:00:00", false));
    assert_eq!(info(&office, &revoked["access_token"]).await, inactive("01:00:00", true));
}

#[db_test]
async fn a_revoked_token_is_told_of_as_such(office: Office) {
    let (alone, family) = (office.tokens().await, office.tokens().await);
    for token in [&alone["access_token"], &family["refresh_token"]] {
        post(&office.app, "/auth/token/revoke", &json!({ "token": token })).await;
    }
    assert_eq!(info(&office, &alone["access_token"]).await, inactive("01:00:00", true));
    assert_eq!(info(&office, &family["access_token"]).await, inactive("01:00:00", true));
    let live = office.tokens().await["access_token"].clone();
    office.change_client(json!({ "status": "revoked" })).await;
    assert_eq!(info(&office, &live).await, inactive("01:00:00", true), "with its client");
}

#[db_test]
async fn of_every_other_token_nothing_is_said(office: Office) {
    let refresh = office.tokens().await["refresh_token"].clone();
    let admin = admin_token(&office.app).await;
    office.app.clock.advance(Duration::from_secs(7));
    for token in [&refresh, &json!(office.person), &admin, &json!("a.b.c"), &json!("ß")] {
        assert_eq!(info(&office, token).await, inactive("00:00:07", false), "{token}");
    }
}

#[db_test]
async fn without_a_token_there_is_nothing_to_tell(app: TestApp) {
    let missing = (400, invalid(&json!({ "token": "is required" })));
    for body in [json!({}), json!({ "token": "" }), json!({ "token": null })] {
        assert_eq!(post(&app, INFO, &body).await.whole(), missing);
    }
    let bare = app.request(Method::POST, INFO).header("x-request-id", "r-1");
    assert_eq!(bare.send().await.whole(), missing);
    let basic = app.request(Method::POST, INFO).header("authorization", "Basic YTpi");
    assert_eq!(basic.send().await.status, 400);
}

#[db_test]
async fn sixty_a_minute_from_one_address(app: TestApp) {
    let body = json!({ "token": "nonsense" });
    for left in (0..60).rev() {
        let answer = post(&app, INFO, &body).await;
        let left = left.to_string();
        assert_eq!(standing(&answer), [Some("60"), Some(left.as_str()), Some("1767225660")]);
    }
    let refused: Answer = post(&app, INFO, &body).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, Some("60")));
    let other = app.request(Method::POST, INFO).from("198.51.100.1").json(&body).send().await;
    assert_eq!(other.status, 200);
}
