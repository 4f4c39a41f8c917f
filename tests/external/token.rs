//! `/auth/token`, and what its access token opens.

use std::time::Duration;

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Office, PROBE, invalid, pair, post, refused, text};

const TOKEN: &str = "/auth/token";

fn wrong() -> (u16, Value) {
    (401, refused("INVALID_CREDENTIALS", "The API key or secret is incorrect"))
}

/// A pair that was a client's until it was deleted: well-formed and unknown.
async fn gone(office: &Office) -> Value {
    let client = office.make_client(json!({ "name": "Gone" })).await;
    let path = format!("/v1.0.1/org/client/{}", text(&client["clientId"]));
    assert_eq!(office.console(Method::DELETE, &path, &json!({})).await.status, 204);
    pair(&client)
}

#[db_test]
async fn a_pair_is_exchanged_for_tokens(office: Office) {
    let answer = post(&office.app, TOKEN, &office.pair()).await;
    let (access, refresh) = (
        answer.json()["data"]["access_token"].clone(),
        answer.json()["data"]["refresh_token"].clone(),
    );
    assert!(text(&refresh).starts_with("gxr_"));
    let body = format!(
        r#"{{"success":true,"data":{{"access_token":{access},"refresh_token":{refresh},"token_type":"Bearer","expires_in":3600,"scopes":["license:read","license:write","mention:read","webhook:manage"]}}}}"#
    );
    assert_eq!(
        (answer.status.as_u16(), String::from_utf8(answer.body.clone()).unwrap()),
        (200, body)
    );
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(office.probe(&access).await.whole(), (200, json!({ "client": "Crawler" })));
}

#[db_test]
async fn every_missing_field_is_named(office: Office) {
    let (key, secret) = (office.pair()["api_key"].clone(), office.pair()["api_secret"].clone());
    let required = "is required";
    for (body, details) in [
        (json!({}), json!({ "api_key": required, "api_secret": required })),
        (json!({ "api_key": key }), json!({ "api_secret": required })),
        (json!({ "api_secret": secret, "api_key": "" }), json!({ "api_key": required })),
        (json!({ "api_key": null, "api_secret": secret }), json!({ "api_key": required })),
    ] {
        assert_eq!(post(&office.app, TOKEN, &body).await.whole(), (400, invalid(&details)));
    }
}

#[db_test]
async fn a_body_that_is_empty_or_of_no_type_is_400(office: Office) {
    let message = "A JSON body is required. Send Content-Type: application/json.";
    let missing = (400, refused("VALIDATION_ERROR", message));
    let request = || office.app.request(Method::POST, TOKEN).header("x-request-id", "r-1");
    let json = "application/json";
    assert_eq!(request().send().await.whole(), missing);
    assert_eq!(request().header("content-type", json).send().await.whole(), missing);
    assert_eq!(request().header("content-type", "text/plain").send().await.whole(), missing);
    assert_eq!(request().body(office.pair().to_string()).send().await.whole(), missing);
    let plain = request().header("content-type", "text/plain").body(office.pair().to_string());
    assert_eq!(plain.send().await.status, 415, "another type is still one");
}

#[db_test]
async fn what_was_wrong_is_not_said(office: Office) {
    let (own, gone) = (office.pair(), gone(&office).await);
    for (key, secret) in [
        (&gone["api_key"], &gone["api_secret"]),
        (&gone["api_key"], &own["api_secret"]),
        (&own["api_key"], &gone["api_secret"]),
        (&own["api_key"], &json!("gs_live_nonsense")),
        (&own["api_key"], &own["api_key"]),
        (&json!("gk_live_nonsense"), &own["api_secret"]),
        (&own["api_secret"], &own["api_key"]),
        (&json!("ß"), &json!(" ")),
    ] {
        let body = json!({ "api_key": key, "api_secret": secret });
        let answer = post(&office.app, TOKEN, &body).await;
        assert_eq!(answer.whole(), wrong(), "{body}");
    }
    assert_eq!(post(&office.app, TOKEN, &own).await.status, 200, "the control");
}

#[db_test]
async fn that_a_client_rests_is_told_only_to_who_holds_its_secret(office: Office) {
    let inactive = (401, refused("CREDENTIAL_INACTIVE", "This API client is inactive"));
    let (own, other) = (office.pair(), gone(&office).await);
    let guessed = json!({ "api_key": own["api_key"], "api_secret": other["api_secret"] });
    let (exchange, options) = (|body| post(&office.app, TOKEN, body), &office.app.database.options);
    office.change_client(json!({ "status": "inactive" })).await;
    assert_eq!(exchange(&own).await.whole(), inactive);
    assert_eq!(exchange(&guessed).await.whole(), wrong());
    office.change_client(json!({ "status": "active" })).await;
    office.change_client(json!({ "expiresAt": "2026-01-01T00:30:00Z" })).await;
    assert_eq!(exchange(&own).await.status, 200);
    office.app.clock.advance(Duration::from_mins(30));
    assert_eq!(exchange(&own).await.whole(), inactive, "at its end");
    assert_eq!(exchange(&guessed).await.whole(), wrong());
    office.change_client(json!({ "expiresAt": null })).await;
    seed::run(options, "UPDATE memberships SET status = 'inactive'".to_owned()).await;
    assert_eq!(exchange(&own).await.whole(), inactive, "with its user");
    seed::run(options, "UPDATE memberships SET status = 'active'".to_owned()).await;
    office.app.clock.advance(Duration::from_secs(1));
    office.change_client(json!({ "status": "revoked" })).await;
    assert_eq!(exchange(&own).await.whole(), inactive);
    assert_eq!(exchange(&guessed).await.whole(), wrong());
}

#[db_test]
async fn a_suspended_tenant_hears_so_only_with_its_secret(office: Office) {
    let tokens = office.tokens().await;
    let (mut guessed, own) = (gone(&office).await, office.pair());
    guessed["api_key"] = own["api_key"].clone();
    let script = "UPDATE tenants SET status = 'suspended'".to_owned();
    seed::run(&office.app.database.options, script).await;
    let suspended = (403, refused("FORBIDDEN", "This account is suspended"));
    assert_eq!(post(&office.app, TOKEN, &own).await.whole(), suspended);
    assert_eq!(post(&office.app, TOKEN, &guessed).await.whole(), wrong());
    office.app.clock.advance(Duration::from_secs(1));
    assert_eq!(office.probe(&tokens["access_token"]).await.whole(), suspended);
}

#[db_test]
async fn a_token_lives_an_hour(office: Office) {
    let token = office.tokens().await["access_token"].clone();
    office.app.clock.advance(Duration::from_secs(3_599));
    assert_eq!(office.probe(&token).await.status, 200);
    office.app.clock.advance(Duration::from_secs(1));
    let expired = refused("TOKEN_EXPIRED", "The access token has expired");
    assert_eq!(office.probe(&token).await.whole(), (401, expired));
}

#[db_test]
async fn a_token_opens_what_its_scopes_say(office: Office) {
    let narrow = office.make_client(json!({ "permissions": ["mention:read"] })).await;
    let tokens = office.tokens_of(&narrow).await;
    assert_eq!(tokens["scopes"], json!(["mention:read"]));
    let lacks = refused("INSUFFICIENT_PERMISSIONS", "The token lacks the scope license:read");
    assert_eq!(office.probe(&tokens["access_token"]).await.whole(), (403, lacks));
    let bare = office.app.request(Method::GET, PROBE).header("x-request-id", "r-1");
    let missing = refused("UNAUTHORIZED", "An access token is required");
    assert_eq!(bare.send().await.whole(), (401, missing));
}

#[db_test]
async fn other_permissions_of_a_client_narrow_its_live_tokens_at_once(office: Office) {
    let wide = office.tokens().await["access_token"].clone();
    assert_eq!(office.probe(&wide).await.status, 200);
    office.change_client(json!({ "permissions": ["mention:read"] })).await;
    assert_eq!(office.probe(&wide).await.json()["error"]["code"], "INSUFFICIENT_PERMISSIONS");
    let narrow = office.tokens().await["access_token"].clone();
    office.change_client(json!({ "permissions": ["mention:read", "license:read"] })).await;
    assert_eq!(office.probe(&wide).await.status, 200, "it carried the scope all the time");
    assert_eq!(office.probe(&narrow).await.status, 403, "it never carried it");
}

#[db_test]
async fn what_ends_a_client_ends_its_tokens_at_once(office: Office) {
    let ended = (401, refused("UNAUTHORIZED", "The access token is not valid"));
    for status in ["inactive", "revoked"] {
        let token = office.tokens().await["access_token"].clone();
        assert_eq!(office.probe(&token).await.status, 200);
        office.change_client(json!({ "status": status })).await;
        assert_eq!(office.probe(&token).await.whole(), ended, "{status}");
        if status == "inactive" {
            office.change_client(json!({ "status": "active" })).await;
        }
    }
}
