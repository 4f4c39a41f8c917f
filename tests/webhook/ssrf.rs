//! Hostile URLs at every door of webhooks: nobody on this machine is connected to.
//!
//! A URL that would lead elsewhere is only asked for at the doors that never connect.

use std::sync::Arc;

use grantor_outbound::Dns;
use grantor_testkit::app::TestConfig;
use grantor_testkit::{Engine, Fixture, db_test, seed};
use serde_json::{Value, json};

use super::{Room, path};
use crate::license::text;
use crate::outbound::FakeDns;
use crate::outbound::corpus::{ELSEWHERE, FORM, LISTENER, LOOPBACK, NAMES};

/// What a name answers first, when a webhook is made, and from then on.
const REBINDING: (&str, [&str; 2]) = ("rebind.example", ["8.8.8.8", "127.0.0.1"]);

/// A name whose second look-up is a fault of ours.
const FAULTY: (&str, [&str; 2]) = ("faulty.example", ["8.8.8.8", "panics"]);

/// A room whose app resolves names by a table; walled in, or open to this machine.
struct Walled(Room);
struct Open(Room);

async fn with_names(engine: Engine, allowed: &str) -> Room {
    let dns = FakeDns::default().with(REBINDING.0, &REBINDING.1).with("later.example", &["fails"]);
    let dns = dns.with("outside.example", &["8.8.8.8"]).with(FAULTY.0, &FAULTY.1);
    let dns = NAMES.iter().fold(dns, |dns, (name, answer)| dns.with(name, &[*answer]));
    let dns: Option<Arc<dyn Dns>> = Some(Arc::new(dns));
    let allowed = allowed.parse().expect("networks");
    Room::with_config(engine, TestConfig { allowed, dns, ..TestConfig::default() }).await
}

impl Fixture for Walled {
    async fn on(engine: Engine) -> Self {
        Self(with_names(engine, "").await)
    }
}

impl Fixture for Open {
    async fn on(engine: Engine) -> Self {
        Self(with_names(engine, "127.0.0.0/8, 0.0.0.0/8").await)
    }
}

impl Room {
    fn at(&self, url: &str) -> String {
        url.replace("{port}", &self.receiver.port().to_string())
    }

    /// A webhook at an address that nobody minds.
    async fn harmless(&self) -> Value {
        let made = self.ask("POST /webhooks", json!({ "url": "https://8.8.8.8/" })).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }

    /// Puts a URL where the API would not.
    async fn smuggle(&self, url: &str) {
        let script = format!("DELETE FROM deliveries; UPDATE webhooks SET url = '{url}'");
        seed::run(&self.world.app.database.options, script).await;
    }

    /// Why the newest delivery did not arrive.
    async fn newest_error(&self, webhook: &Value) -> String {
        text(&self.deliveries(webhook).await[0]["attempts"][0]["error"])
    }
}

#[db_test]
async fn no_hostile_url_is_taken(room: Walled) {
    let Walled(room) = room;
    let webhook = room.harmless().await;
    let token = room.agency().renewed(&room.world.app).await;
    let change = format!("PATCH {}", path(&webhook, ""));
    let urls = [LISTENER, LOOPBACK, FORM, ELSEWHERE].concat();
    assert!(urls.len() >= 170, "{}", urls.len());
    for url in urls {
        let url = room.at(url);
        for what in ["POST /webhooks", &change] {
            let answer = room.ask_with(&token, what, json!({ "url": url })).await;
            let faults = answer.json()["error"]["details"].clone();
            let named =
                faults.as_object().is_some_and(|it| it.len() == 1 && faults["url"].is_string());
            assert!(answer.status == 400 && named, "{what} {url:?}: {}", answer.json());
        }
    }
    assert_eq!((room.count("webhooks").await, room.receiver.connections()), (1, 0));
    assert_eq!(room.shown(&webhook).await["url"], "https://8.8.8.8/");
}

#[db_test]
async fn no_hostile_url_that_is_there_already_is_connected_to(room: Walled) {
    let Walled(room) = room;
    let webhook = room.harmless().await;
    let token = room.agency().renewed(&room.world.app).await;
    let test = format!("POST {}", path(&webhook, "/test"));
    for url in [LISTENER, LOOPBACK, FORM].concat() {
        room.smuggle(&room.at(url)).await;
        let tested = room.ask_with(&token, &test, Value::Null).await.json();
        assert!(text(&tested["error"]).starts_with("the URL must"), "{url:?}: {tested}");
        assert_eq!(room.world.create(json!({})).await.status, 201);
        room.send().await;
        let error = room.newest_error(&webhook).await;
        assert!(error.starts_with("the URL must"), "{url:?}: {error}");
    }
    assert_eq!(room.receiver.connections(), 0);
}

/// The control: once the network is allowed the same URLs are taken and lead to the receiver, so it
/// is the check that held them back.
#[db_test]
async fn an_allowed_network_is_reached_by_the_same_urls(room: Open) {
    let Open(room) = room;
    let webhook = room.harmless().await;
    let token = room.agency().renewed(&room.world.app).await;
    let [change, test] = ["PATCH", "POST"].map(|it| format!("{it} {}", path(&webhook, "")));
    for (before, url) in LISTENER.iter().enumerate() {
        let body = json!({ "url": room.at(url) });
        let changed = room.ask_with(&token, &change, body).await;
        assert_eq!(changed.status, 200, "{url:?}: {}", changed.json());
        room.ask_with(&token, &format!("{test}/test"), Value::Null).await;
        assert_eq!(room.receiver.connections(), before + 1, "{url:?}");
    }
    let connections = room.receiver.connections();
    room.smuggle(&room.at(LISTENER[0])).await;
    room.world.license(json!({})).await;
    room.send().await;
    assert_eq!(room.receiver.connections(), connections + 1, "and by a delivery");
}

#[db_test]
async fn a_name_that_leads_elsewhere_later_is_not_followed(room: Walled) {
    let Walled(room) = room;
    let url = room.at(&format!("https://{}:{{port}}/", REBINDING.0));
    let made = room.ask("POST /webhooks", json!({ "url": url })).await;
    assert_eq!(made.status, 201, "it was public then: {}", made.json());
    room.world.license(json!({})).await;
    room.send().await;
    let refused = "the URL must resolve to a public address";
    assert_eq!(room.newest_error(&made.json()).await, refused);
    let test = format!("POST {}", path(&made.json(), "/test"));
    assert_eq!(room.ask(&test, Value::Null).await.json()["error"], refused);
    assert_eq!(room.receiver.connections(), 0);
}

/// A room whose operator allows this machine alone, beside the internet.
struct Neighbor(Room);

impl Fixture for Neighbor {
    async fn on(engine: Engine) -> Self {
        Self(with_names(engine, "127.0.0.1/32").await)
    }
}

#[db_test]
async fn an_allowed_network_opens_http_to_no_other(room: Neighbor) {
    let Neighbor(room) = room;
    let webhook = room.harmless().await;
    let change = format!("PATCH {}", path(&webhook, ""));
    for url in ["http://outside.example/", "http://later.example/", "http://8.8.8.8/"] {
        for what in ["POST /webhooks", &change] {
            let answer = room.ask(what, json!({ "url": url })).await;
            assert_eq!(answer.status, 400, "{what} {url}: {}", answer.json());
        }
    }
    // The control: a name that leads into the network is taken.
    let inside =
        room.ask("POST /webhooks", json!({ "url": room.at("http://inside.example:{port}/") }));
    assert_eq!(inside.await.status, 201);
}

#[db_test]
async fn a_name_that_is_not_there_yet_is_taken(room: Walled) {
    let Walled(room) = room;
    let made = room.ask("POST /webhooks", json!({ "url": "https://later.example/" })).await;
    assert_eq!(made.status, 201, "{}", made.json());
    let test = format!("POST {}", path(&made.json(), "/test"));
    let tested = room.ask(&test, Value::Null).await.json();
    assert_eq!(tested["error"], "the host name could not be resolved");
}

#[db_test]
async fn a_fault_in_one_delivery_is_a_failed_attempt(room: Walled) {
    let room = room.0;
    let faulty = json!({ "url": "https://faulty.example/", "events": ["license.created"] });
    let faulty = room.ask("POST /webhooks", faulty).await.json();
    room.world.license(json!({})).await;
    // Without a report of it this would wait for ever.
    room.send().await;
    let delivery = &room.deliveries(&faulty).await[0];
    assert_eq!(
        (&delivery["status"], &delivery["attempts"][0]["status_code"]),
        (&json!("pending"), &json!(null))
    );
    assert_eq!(delivery["attempts"][0]["error"], "an internal error interrupted the attempt");
}
