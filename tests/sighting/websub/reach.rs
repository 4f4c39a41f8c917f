//! Which hubs are subscribed to, and how much they may send.

use std::time::Duration;

use grantor_domain::id::FeedId;
use grantor_domain::limit::Limits;
use grantor_service::watching::websub;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use url::Url;

use super::{Stage, sign, subscribe};

#[db_test]
async fn a_push_may_have_a_mebibyte(stage: Stage) {
    let form = stage.confirmed().await;
    let mut body = vec![b'.'; 1024 * 1024];
    assert_eq!(stage.push(&form, &body).await, 202);
    body.push(b'.');
    // Not over HTTP, because the server may hang up before all of it was sent.
    let path = Url::parse(&form["hub.callback"]).unwrap().path().to_owned();
    let request = stage.world.app.request(Method::POST, &path);
    let signature = sign("sha256", &form["hub.secret"], &body);
    let refused = request.header("x-hub-signature", &signature).body(body).send().await;
    assert_eq!((refused.status.as_u16(), refused.body), (413, vec![]));
    assert_eq!(stage.push(&form, b"").await, 202, "it says that the feed has changed");
    let sizes: Vec<_> = stage.bodies().await.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1024 * 1024]);
}

#[db_test]
async fn the_newest_hundred_pushes_wait(stage: Stage) {
    let form = stage.confirmed().await;
    for number in 0..=100 {
        assert_eq!(stage.push(&form, number.to_string().as_bytes()).await, 202);
        stage.pass(Duration::from_millis(1));
    }
    let expected: Vec<_> = (1..=100).map(|it| it.to_string().into_bytes()).collect();
    assert_eq!(stage.bodies().await, expected);
}

/// An app that is reached at a public URL and reaches no private network.
struct Walled(TestApp);

impl Fixture for Walled {
    async fn on(engine: Engine) -> Self {
        let limits = Limits::parse("hub=2/60s").unwrap();
        Self(TestApp::with_config(engine, TestConfig { limits, ..TestConfig::default() }).await)
    }
}

#[db_test]
async fn no_hub_inside_is_subscribed_to(walled: Walled) {
    let (app, feed): (_, FeedId) = (&walled.0.app, walled.0.app.ids.next());
    for hub in [
        "http://127.0.0.1/",
        "https://127.0.0.1/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://169.254.169.254/",
        "https://localhost/",
        "https://user:password@hub.example/",
        "ftp://hub.example/",
        "hub",
    ] {
        assert!(!subscribe(app, feed, hub).await, "{hub}");
    }
    assert_eq!(websub::find(app, feed).await.unwrap(), None);
    for hub in ["https://hub.example/", "http://hub.example/"] {
        assert!(subscribe(app, feed, hub).await, "the control: {hub}");
    }
}

#[db_test]
async fn callbacks_are_limited_by_address(walled: Walled) {
    for status in [404, 404, 429] {
        assert_eq!(walled.0.get("/websub/x").await.status, status);
    }
    let other = walled.0.request(Method::GET, "/websub/x").from("198.51.100.9");
    assert_eq!(other.send().await.status, 404);
}

#[tokio::test]
async fn nobody_subscribes_where_no_hub_can_reach_them() {
    for origin in ["http://grantor.example", "http://127.0.0.1:8080", "https://localhost"] {
        let config = TestConfig { origin: Some(origin.to_owned()), ..TestConfig::default() };
        let app = TestApp::with_config(Engine::Sqlite, config).await;
        assert!(!websub::is_possible(&app.app), "{origin}");
        assert!(!subscribe(&app.app, app.app.ids.next(), "https://hub.example/").await);
    }
}
