//! A server that is killed in the middle of a request, and what its next life makes of it.

use grantor_storage::StoreUrl;
use grantor_testkit::server::{Installation, Reply, eventually};
use grantor_testkit::stripe::{FakeStripe, Fault, KEY};
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::{send, sign_in};

/// Adds a card, always by the same idempotency key; nothing where the server dies over it.
async fn add_card(stream: TcpStream, token: &str) -> Option<Reply> {
    let bearer = format!("authorization: Bearer {token}");
    let headers = [&*bearer, "x-source: console", "idempotency-key: one-card"];
    send(stream, "POST /v1.0.1/org/card", &headers, json!({ "token": "tok_visa" })).await
}

#[db_test]
async fn a_key_held_by_a_killed_process_is_free_in_its_next_life(installation: Installation) {
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok()).unwrap();
    let stripe = FakeStripe::start().await;
    let installation = installation
        .with("GRANTOR_STRIPE_SECRET_KEY", KEY)
        .with("GRANTOR_STRIPE_API_BASE", &stripe.url())
        // The issuer of tokens, which the port of the next life must not change.
        .with("GRANTOR_PUBLIC_URL", "http://127.0.0.1:8080");
    let mut server = installation.serve().await;
    let signed_in = sign_in(&server, &sample["accounts"][0]).await.json();
    let token = signed_in["data"]["accessToken"].as_str().unwrap().to_owned();
    // The key is claimed by then, and nothing is changed before the processor answers.
    stripe.fail("customers", Fault::Silent);
    let (stream, held) = (server.connect().await, token.clone());
    let first = tokio::spawn(async move { add_card(stream, &held).await });
    eventually("the request", async || (!stripe.calls().is_empty()).then_some(())).await;
    let states = "SELECT state FROM idempotency_keys";
    assert_eq!(seed::rows(&installation.options(), states).await, [["running"]]);
    server.signal("KILL");
    server.ended().await;
    assert_eq!(first.await.unwrap(), None);
    let server = installation.serve().await;
    let again = eventually("the key is free", async || {
        let again = add_card(server.connect().await, &token).await.unwrap();
        // On PostgreSQL another node may be at work on it: who asks is told when to ask again.
        let waits =
            matches!(installation.options().url, StoreUrl::Postgres(_)) && again.status == 409;
        assert!(!waits || again.header("retry-after") == Some("1"));
        (!waits).then_some(again)
    })
    .await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (201, None));
}
