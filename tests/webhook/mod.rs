//! Webhooks: recipients, attempts, signatures, and what their owner sees.

mod again;
mod cost;
mod deliver;
mod demoted;
mod describe;
mod feed;
mod health;
mod held;
mod hostile;
mod kill;
mod manage;
mod refusal;
mod rights;
mod rotate;
mod ssrf;
mod trace;
mod trial;
mod worker;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_service::App;
use grantor_service::operations::queue;
use grantor_service::webhooks::delivery::Sender;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, seed};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, World, text};

/// The time at which every test starts.
const START: &str = "2026-01-01T00:00:00.000000Z";
/// An id that no record has.
const UNKNOWN: &str = "018f3f9e-0000-7000-8000-000000000001";

/// An app with an agency and a brand, and a webhook receiver with responses that a test sets.
struct Room {
    world: World,
    receiver: Listener,
    script: Arc<Mutex<Script>>,
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().expect("a network");
        Self::with_config(engine, TestConfig { allowed, ..TestConfig::default() }).await
    }
}

impl Room {
    /// Like `on`, with a test's own configuration, without limits.
    async fn with_config(engine: Engine, config: TestConfig) -> Self {
        let config = TestConfig { limits: Limits::off(), ..config };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let script = Arc::new(Mutex::new(Script::ok(b"")));
        let answer = Arc::clone(&script);
        let receiver = Listener::start(move |_| answer.lock().expect("a script").clone()).await;
        Self { world, receiver: receiver.expect("a receiver"), script }
    }

    fn agency(&self) -> &Member {
        &self.world.agency
    }

    fn brand(&self) -> &Member {
        &self.world.brand
    }

    /// Sends a request to the external API as a user: method and path, and a body unless it is
    /// null. Each request uses a new token, so that it has not expired.
    async fn ask_as(&self, who: &Member, what: &str, body: Value) -> Answer {
        let token = who.renewed(&self.world.app).await;
        self.ask_with(&token, what, body).await
    }

    async fn ask_with(&self, token: &str, what: &str, body: Value) -> Answer {
        let (method, path) = what.split_once(' ').expect("method and path");
        let method = Method::from_bytes(method.as_bytes()).expect("a method");
        let request = self.world.app.request(method, path).bearer(token);
        let request = request.header("x-request-id", "r-1");
        if body.is_null() { request.send().await } else { request.json(&body).send().await }
    }

    /// Sends a request as the agency.
    async fn ask(&self, what: &str, body: Value) -> Answer {
        self.ask_as(self.agency(), what, body).await
    }

    /// Sends a GET request as the agency.
    async fn get(&self, path: &str) -> Value {
        let answer = self.ask(&format!("GET {path}"), Value::Null).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json()
    }

    /// Creates a webhook of the agency for these events, or for all of them.
    async fn webhook(&self, events: &[&str]) -> Value {
        self.webhook_of(self.agency(), "/hook", events).await
    }

    async fn webhook_of(&self, who: &Member, path: &str, events: &[&str]) -> Value {
        let mut body = json!({ "url": self.receiver.url(path) });
        if !events.is_empty() {
            body["events"] = json!(events);
        }
        let made = self.ask_as(who, "POST /webhooks", body).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }

    /// The agency's webhook as it is shown now.
    async fn shown(&self, webhook: &Value) -> Value {
        self.get(&path(webhook, "")).await
    }

    /// Updates a webhook of the agency.
    async fn change(&self, webhook: &Value, body: Value) {
        let changed = self.ask(&format!("PATCH {}", path(webhook, "")), body).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    }

    /// Sets the receiver's response.
    fn answers(&self, script: Script) {
        *self.script.lock().expect("a script") = script;
    }

    /// Sends all due deliveries.
    async fn send(&self) {
        Sender::new(self.world.app.app.clone()).settle().await.expect("deliveries");
    }

    fn calls(&self) -> Vec<Call> {
        self.receiver.calls()
    }

    /// The event types received at a path, in order.
    fn told(&self, path: &str) -> Vec<String> {
        let calls = self.calls().into_iter().filter(|it| it.path == path);
        calls.map(|it| text(&payload(&it)["type"])).collect()
    }

    /// The agency's deliveries to a webhook, newest event first.
    async fn deliveries(&self, webhook: &Value) -> Vec<Value> {
        self.deliveries_of(self.agency(), webhook).await
    }

    async fn deliveries_of(&self, who: &Member, webhook: &Value) -> Vec<Value> {
        let what = format!("GET {}", path(webhook, "/deliveries?per_page=100"));
        let listed = self.ask_as(who, &what, Value::Null).await;
        assert_eq!(listed.status, 200, "{}", listed.json());
        let mut listed = listed.json()["data"].as_array().expect("a list").clone();
        // Ids created at the same time have no order.
        listed.sort_by_key(|it| std::cmp::Reverse(it["sequence"].as_u64()));
        listed
    }

    /// The log entries about webhooks, oldest first: level and action.
    async fn logged(&self) -> Vec<String> {
        let query = "SELECT level || ' ' || action FROM log_entries WHERE action LIKE 'webhook.%'
                     ORDER BY created_at, action";
        seed::rows(&self.world.app.database.options, query).await.concat()
    }

    /// The number of rows of a table.
    async fn count(&self, table: &str) -> u64 {
        let query = format!("SELECT CAST(count(*) AS text) FROM {table}");
        let rows = seed::rows(&self.world.app.database.options, &query).await;
        rows[0][0].parse().expect("a number")
    }
}

/// How long the oldest delivery has been due.
async fn queue_age(app: &App) -> Duration {
    let queues = queue::measure(app).await.expect("the queues");
    queues.iter().find(|it| it.name == "webhooks").expect("deliveries").age
}

/// The payload of a call.
fn payload(call: &Call) -> Value {
    serde_json::from_slice(&call.body).expect("JSON")
}

/// The path of a webhook, with a suffix.
fn path(webhook: &Value, rest: &str) -> String {
    format!("/webhooks/{}{rest}", text(&webhook["id"]))
}

/// One member of each record.
fn each(records: &[Value], name: &str) -> Vec<String> {
    records.iter().map(|it| text(&it[name])).collect()
}
