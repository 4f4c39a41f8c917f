//! Webhooks: who is told, how often, signed by what, and what their owner sees of it.

mod deliver;

use std::sync::{Arc, Mutex};

use grantor_domain::limit::Limits;
use grantor_service::delivery::Sender;
use grantor_testkit::app::{Answer, Plan, TestApp};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, World, text};

/// A house with an agency and a brand, and a receiver whose answers a test decides on.
struct Room {
    world: World,
    receiver: Listener,
    script: Arc<Mutex<Script>>,
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().expect("a network");
        let plan = Plan { limits: Limits::off(), allowed, ..Plan::default() };
        let world = World::in_house(TestApp::planned(engine, plan).await).await;
        let script = Arc::new(Mutex::new(Script::ok(b"")));
        let answer = Arc::clone(&script);
        let receiver = Listener::start(move |_| answer.lock().expect("a script").clone()).await;
        Self { world, receiver: receiver.expect("a receiver"), script }
    }
}

impl Room {
    fn agency(&self) -> &Member {
        &self.world.agency
    }

    /// Asks the external API as somebody.
    async fn ask(&self, who: &Member, method: Method, path: &str, body: Option<Value>) -> Answer {
        who.external(&self.world.app, method, path, body).await
    }

    /// A webhook of the agency to the receiver, for these events; all of them where none is named.
    async fn webhook(&self, events: &[&str]) -> Value {
        self.webhook_of(self.agency(), "/hook", events).await
    }

    async fn webhook_of(&self, who: &Member, path: &str, events: &[&str]) -> Value {
        let mut body = json!({ "url": self.receiver.url(path) });
        if !events.is_empty() {
            body["events"] = json!(events);
        }
        let made = self.ask(who, Method::POST, "/webhooks", Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }

    /// From now on the receiver answers so.
    fn answers(&self, script: Script) {
        *self.script.lock().expect("a script") = script;
    }

    /// Sends all that is due.
    async fn send(&self) {
        Sender::new(self.world.app.app.clone()).settle().await.expect("deliveries");
    }

    fn calls(&self) -> Vec<Call> {
        self.receiver.calls()
    }

    /// The agency's deliveries to a webhook.
    async fn deliveries(&self, webhook: &Value) -> Vec<Value> {
        let path = format!("/webhooks/{}/deliveries?per_page=100", text(&webhook["id"]));
        let app = &self.world.app;
        let token = self.agency().renewed(app).await;
        let listed = app.request(Method::GET, &path).bearer(&token).send().await;
        assert_eq!(listed.status, 200, "{}", listed.json());
        listed.json()["data"].as_array().expect("a list").clone()
    }
}

/// What a call brought.
fn payload(call: &Call) -> Value {
    serde_json::from_slice(&call.body).expect("JSON")
}
