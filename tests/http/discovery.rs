//! `GET /health`, `GET /.well-known/<service>`, `GET /.well-known/jwks.json`.

use grantor_testkit::app::TestApp;
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::json;

#[db_test]
async fn health_is_as_documented(app: TestApp) {
    let body = json!({
        "status": "healthy",
        "api_type": "external",
        "version": "3.1.0",
        "timestamp": "2026-01-01T00:00:00.000000Z",
    });
    assert_eq!(app.get("/health").await.whole(), (200, body));
}

#[tokio::test]
async fn discovery_tells_where_everything_is() {
    let app = TestApp::on(Engine::Sqlite).await;
    insta::assert_json_snapshot!(app.get("/.well-known/grantor").await.json());
}

#[tokio::test]
async fn the_published_key_verifies_what_the_ring_signs() {
    use grantor_service::keys::{Audience, Claims};
    let app = TestApp::on(Engine::Sqlite).await;
    let now = 1_767_225_600;
    let claims = Claims {
        iss: "https://grantor.test".into(),
        sub: "someone".into(),
        aud: Audience::External,
        scope: "license:read".into(),
        jti: "1".into(),
        sid: None,
        client_id: None,
        iat: now,
        nbf: now,
        exp: now + 3_600,
    };
    let token = app.app.keys.sign(&claims).unwrap();
    let set = app.get("/.well-known/jwks.json").await.json();
    let key = &set["keys"][0];
    assert_eq!(key["alg"], "EdDSA");
    let decoding = jsonwebtoken::DecodingKey::from_ed_components(key["x"].as_str().unwrap());
    let mut validation = jsonwebtoken::Validation::new(jsonwebtoken::Algorithm::EdDSA);
    (validation.validate_exp, validation.validate_aud) = (false, false);
    let read = jsonwebtoken::decode::<Claims>(&token, &decoding.unwrap(), &validation).unwrap();
    assert_eq!((read.claims, read.header.kid.as_deref()), (claims, key["kid"].as_str()));
}
