//! `/auth/token/revoke` (RFC 7009).

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{Office, PROFILE, invalid, post, refused, sign_up};

async fn revoke(office: &Office, token: &Value) {
    let answer = post(&office.app, "/auth/token/revoke", &json!({ "token": token })).await;
    assert_eq!(answer.whole(), (200, json!({ "success": true })), "{token}");
}

fn ended() -> (u16, Value) {
    (401, refused("UNAUTHORIZED", "The access token is not valid"))
}

#[db_test]
async fn an_access_token_ends_alone(office: Office) {
    let tokens = office.tokens().await;
    let other = office.refresh(&tokens).await.json()["data"]["access_token"].clone();
    assert_eq!(office.probe(&tokens["access_token"]).await.status, 200);
    revoke(&office, &tokens["access_token"]).await;
    assert_eq!(office.probe(&tokens["access_token"]).await.whole(), ended());
    assert_eq!(office.probe(&other).await.status, 200);
    assert_eq!(office.refresh(&tokens).await.status, 200);
    revoke(&office, &tokens["access_token"]).await;
}

#[db_test]
async fn a_refresh_token_takes_its_access_tokens_along(office: Office) {
    let (tokens, others) = (office.tokens().await, office.tokens().await);
    let second = office.refresh(&tokens).await.json()["data"]["access_token"].clone();
    assert_eq!(office.probe(&second).await.status, 200);
    revoke(&office, &tokens["refresh_token"]).await;
    for access in [&tokens["access_token"], &second] {
        assert_eq!(office.probe(access).await.whole(), ended());
    }
    let dead = (401, refused("UNAUTHORIZED", "The refresh token is not valid"));
    assert_eq!(office.refresh(&tokens).await.whole(), dead);
    assert_eq!(office.probe(&others["access_token"]).await.status, 200, "of another exchange");
    revoke(&office, &tokens["refresh_token"]).await;
}

#[db_test]
async fn of_anything_else_nothing_is_said_and_nothing_ends(office: Office) {
    let login = sign_up(&office.app, "grace@example.com").await;
    let others = [&login["access_token"], &login["refresh_token"], &json!(office.person)];
    for token in others.into_iter().chain([&json!("gxr_nonsense"), &json!("a.b.c"), &json!("ß")]) {
        revoke(&office, token).await;
    }
    let profile = office.console(Method::GET, PROFILE, &Value::Null).await;
    assert_eq!(profile.status, 200, "a console token does not end here");
    let body = json!({ "refreshToken": login["refresh_token"] });
    assert_eq!(post(&office.app, "/v1.0.1/auth/refresh/token", &body).await.status, 201);
    let missing = invalid(&json!({ "token": "is required" }));
    for body in [json!({}), json!({ "token": "" }), json!({ "token": null })] {
        let answer = post(&office.app, "/auth/token/revoke", &body).await;
        assert_eq!(answer.whole(), (400, missing.clone()));
    }
}
