//! `GET /health`, `GET /.well-known/<service>`, `GET /.well-known/jwks.json`.

use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;
use http::Method;
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

#[db_test]
async fn discovery_tells_where_everything_is(app: TestApp) {
    insta::assert_json_snapshot!("discovery", app.get("/.well-known/grantor").await.json());
}

#[db_test]
async fn documents_are_tagged_and_sent_once(app: TestApp) {
    let paths = [
        "/openapi/external.json",
        "/openapi/console.json",
        "/.well-known/grantor",
        "/.well-known/jwks.json",
        "/.well-known/jwt-vc-issuer",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/tdmrep.json",
        "/credentials/grant/1",
        "/ns/uses",
    ];
    for path in paths {
        let get = |name: &'static str, value: &str| {
            app.request(Method::GET, path).header(name, value).send()
        };
        let (plain, gzip) = (app.get(path).await, get("accept-encoding", "gzip").await);
        let (tag, other) = (plain.header("etag").unwrap(), gzip.header("etag").unwrap());
        assert_eq!(gzip.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(other, format!("{}-gzip\"", tag.strip_suffix('"').unwrap()), "{path}");
        for known in [tag, other, "*"] {
            let answer = get("if-none-match", known).await;
            assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0), "{path} {known}");
        }
        assert_eq!(get("if-none-match", "\"x\"").await.body, plain.body, "{path}");
        assert_eq!(plain.header("x-ratelimit-limit"), None, "{path}");
    }
}

#[db_test]
async fn documents_count_against_the_limit_of_open_endpoints(app: TestApp) {
    let paths = ["/openapi/external.json", "/.well-known/grantor", "/.well-known/jwks.json"];
    for path in paths.iter().cycle().take(100) {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
    for path in paths {
        let refused = app.get(path).await;
        let wait = refused.header("retry-after");
        assert_eq!((refused.status.as_u16(), wait), (429, Some("60")), "{path}");
        assert_eq!(refused.header("x-ratelimit-limit"), None, "{path}");
    }
    let other = app.request(Method::GET, paths[0]).from("198.51.100.1").send().await;
    assert_eq!(other.status, 200);
    assert_eq!(app.get("/health").await.status, 200, "health counts nothing");
}

#[db_test]
async fn a_rotated_key_changes_the_tag_of_the_set(app: TestApp) {
    let tag = app.get("/.well-known/jwks.json").await.header("etag").unwrap().to_owned();
    app.app.keys.rotate(false).unwrap();
    let request = app.request(Method::GET, "/.well-known/jwks.json");
    let answer = request.header("if-none-match", &tag).send().await;
    assert_eq!((answer.status.as_u16(), answer.json()["keys"].as_array().unwrap().len()), (200, 4));
}

#[db_test]
async fn the_published_key_verifies_what_the_ring_signs(app: TestApp) {
    use grantor_keys::{Audience, Claims};
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
