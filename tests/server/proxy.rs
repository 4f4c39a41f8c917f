//! Behind a proxy that speaks HTTPS for us, and without one.

use grantor_testkit::server::{GrantorProcess, Installation};
use serde_json::json;

const HTTPS: &str = "x-forwarded-proto: https";

fn behind_proxy() -> Installation {
    Installation::default()
        .with("GRANTOR_LISTEN", "0.0.0.0:0")
        .with("GRANTOR_TRUSTED_PROXIES", "127.0.0.1/32")
        .with("GRANTOR_PUBLIC_URL", "https://grantor.test")
}

#[tokio::test]
async fn only_what_came_by_https_passes() {
    let server = behind_proxy().serve().await;
    assert_eq!(server.ask("GET /health", &[HTTPS]).await.status, 200);
    assert_eq!(server.ask("GET /health", &["x-forwarded-proto: http"]).await.status, 403);

    let external = server.get("/health").await;
    let request_id = external.header("x-request-id").expect("an id");
    let error = json!({
        "code": "FORBIDDEN", "message": "HTTPS is required", "request_id": request_id,
    });
    assert_eq!(external.json(), json!({ "success": false, "error": error }));

    let console = server.get("/v1.0.1/x").await;
    let error = json!({ "code": "FORBIDDEN", "message": "HTTPS is required", "details": {} });
    assert_eq!(
        (console.status, console.json()),
        (403, json!({ "error": error, "status": "error" }))
    );
    assert_eq!(server.ask("GET /v1.0.1/x", &[HTTPS]).await.status, 404);

    for path in ["/docs/", "/", "/openapi/external.json"] {
        assert_eq!(server.get(path).await.status, 403, "{path}");
    }
    for path in ["/livez", "/readyz"] {
        assert_eq!(server.get(path).await.status, 200, "{path}");
    }
}

/// The statuses of a catalog request for each of these callers in turn.
async fn catalog(server: &GrantorProcess, callers: &[&str]) -> Vec<u16> {
    let mut statuses = Vec::new();
    for caller in callers {
        let forwarded = format!("x-forwarded-for: {caller}");
        statuses.push(server.ask("GET /metadata", &[HTTPS, &forwarded]).await.status);
    }
    statuses
}

#[tokio::test]
async fn a_trusted_proxy_says_who_is_counted() {
    let server = behind_proxy().with("GRANTOR_LIMITS", "metadata=1/60s").serve().await;
    let callers = ["198.51.100.1", "198.51.100.1", "198.51.100.2", "198.51.100.2"];
    assert_eq!(catalog(&server, &callers).await, [200, 429, 200, 429]);
    // What a caller wrote before the proxy did counts for nothing.
    assert_eq!(catalog(&server, &["198.51.100.9, 198.51.100.1"]).await, [429]);
}

#[tokio::test]
async fn nobody_else_does() {
    let server = Installation::default().with("GRANTOR_LIMITS", "metadata=1/60s").serve().await;
    let callers = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
    assert_eq!(catalog(&server, &callers).await, [200, 429, 429]);
}

#[tokio::test]
async fn a_proxy_elsewhere_is_not_this_peer() {
    let server = behind_proxy().with("GRANTOR_TRUSTED_PROXIES", "192.0.2.1").serve().await;
    assert_eq!(server.ask("GET /health", &[HTTPS]).await.status, 403);
}
