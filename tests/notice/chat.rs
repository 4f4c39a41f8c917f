//! Chat addresses: sealed, masked, sent to by the rules of webhooks.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::mail::RETRY_DELAYS;
use grantor_service::notices::send_chat_messages;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use crate::license::{World, text};

const PATH: &str = "/org/chat-addresses";
const SECRET: &str = "/services/T000/B000/abcdefghijklmnop";
const ASKED: &str = "Brand of bea@example.com requested Winter";

/// A world with a chat that answers as a test tells it to.
struct Room {
    world: World,
    chat: Listener,
    script: Arc<Mutex<Script>>,
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().expect("a network");
        let config = TestConfig { allowed, limits: Limits::off(), ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let script = Arc::new(Mutex::new(Script::ok(b"ok")));
        let answer = Arc::clone(&script);
        let chat = Listener::start(move |_| answer.lock().expect("a script").clone()).await;
        Self { world, chat: chat.expect("a chat"), script }
    }
}

impl Room {
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.world.agency.console(&self.world.app, method, path, body).await
    }

    /// Creates a chat address of the agency and returns it.
    async fn address(&self) -> Value {
        let url = self.chat.url(SECRET);
        let body = json!({ "name": "Rights team", "url": url, "kinds": ["request", "offer"] });
        let made = self.ask(Method::POST, PATH, Some(body)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    fn answers(&self, script: Script) {
        *self.script.lock().expect("a script") = script;
    }

    async fn send(&self) -> u64 {
        send_chat_messages(&self.world.app.app).await.unwrap()
    }

    /// The texts that the chat got.
    fn texts(&self) -> Vec<String> {
        let body = |body: &[u8]| serde_json::from_slice::<Value>(body).expect("JSON");
        self.chat.calls().iter().map(|it| text(&body(&it.body)["text"])).collect()
    }

    async fn shown(&self) -> Value {
        self.ask(Method::GET, PATH, None).await.json()["data"]["chatAddresses"].clone()
    }
}

#[db_test]
async fn an_address_is_shown_without_its_secret(room: Room) {
    let made = room.address().await;
    let now = "2026-01-01T00:00:00.000000Z";
    let expected = json!({
        "chatAddressId": made["chatAddressId"], "name": "Rights team",
        "maskedUrl": room.chat.url("/…mnop"), "kinds": ["request", "offer"],
        "status": "active", "failingSince": null, "lastSuccessAt": null, "lastError": null,
        "createdAt": now, "updatedAt": now,
    });
    assert_eq!(made, expected);
    assert_eq!(room.shown().await, json!([expected]));
    let kept = seed::rows(&room.world.app.database.options, "SELECT host FROM chat_addresses");
    let origin = room.chat.url("");
    assert_eq!(kept.await, [[origin]]);
    let sealed = match room.world.app.database.store.engine() {
        Engine::Sqlite => "SELECT hex(sealed_url) FROM chat_addresses",
        Engine::Postgres => "SELECT upper(encode(sealed_url, 'hex')) FROM chat_addresses",
    };
    let sealed = seed::rows(&room.world.app.database.options, sealed).await.concat().concat();
    let secret = SECRET.bytes().fold(String::new(), |hex, it| hex + &format!("{it:02X}"));
    assert!(!sealed.contains(&secret), "{sealed}");
    let log = "SELECT message || details FROM log_entries WHERE action LIKE 'chat_address.%'";
    let log = seed::rows(&room.world.app.database.options, log).await.concat().concat();
    assert!(!log.is_empty() && !log.contains("abcdefghijklmnop"), "{log}");
}

#[db_test]
async fn chosen_kinds_are_sent_as_slack_and_teams_take_them(room: Room) {
    room.address().await;
    let request = room.world.ask_for_license().await;
    assert_eq!(room.send().await, 1);
    let calls = room.chat.calls();
    let link = format!("https://grantor.test/app/requests/{request}");
    let body: Value = serde_json::from_slice(&calls[0].body).unwrap();
    assert_eq!(body, json!({ "text": format!("{ASKED}\n{link}") }));
    assert_eq!((calls[0].method.as_str(), calls[0].path.as_str()), ("POST", SECRET));
    assert_eq!(calls[0].header("content-type"), Some("application/json"));
    assert_eq!(room.send().await, 0, "once");
    // Another kind, and what concerns another tenant.
    let body = json!({ "message": "Is June free?" });
    room.world.as_brand(Method::POST, &format!("/requests/{request}/messages"), Some(body)).await;
    room.world.share_license().await;
    assert_eq!((room.send().await, room.chat.calls().len()), (0, 1));
}

/// A channel has readers of many languages.
#[db_test]
async fn a_chat_is_told_in_english(room: Room) {
    let world = &room.world;
    assert_eq!(world.set(&world.agency, json!({ "language": "de" })).await.status, 200);
    room.address().await;
    world.ask_for_license().await;
    assert_eq!(room.send().await, 1);
    assert!(room.texts()[0].starts_with(&format!("{ASKED}\n")), "{:?}", room.texts());
}

#[db_test]
async fn a_burst_becomes_one_message(room: Room) {
    room.address().await;
    for _ in 0..3 {
        room.world.ask_for_license().await;
    }
    assert_eq!(room.send().await, 3);
    let texts = room.texts();
    assert_eq!((texts.len(), texts[0].matches(ASKED).count()), (1, 3), "{texts:?}");
}

#[db_test]
async fn of_two_nodes_one_sends_each_message(room: Room) {
    room.address().await;
    let other = room.world.app.another_node(11).await;
    for round in 1..=5 {
        room.world.ask_for_license().await;
        let (first, second) =
            tokio::join!(send_chat_messages(&room.world.app.app), send_chat_messages(&other));
        assert_eq!(first.unwrap() + second.unwrap(), 1);
        assert_eq!(room.chat.calls().len(), round);
    }
}

#[db_test]
async fn a_chat_that_fails_is_tried_again(room: Room) {
    room.address().await;
    room.world.ask_for_license().await;
    room.answers(Script::answer(500, b""));
    assert_eq!(room.send().await, 0);
    let shown = room.shown().await;
    assert_eq!(shown[0]["lastError"], json!("the chat returned status 500"));
    assert!(shown[0]["failingSince"].is_string() && shown[0]["status"] == "active");
    room.world.app.clock.advance(RETRY_DELAYS[0].saturating_sub(Duration::from_micros(1)));
    assert_eq!((room.send().await, room.chat.calls().len()), (0, 1), "too early");
    room.answers(Script::ok(b""));
    room.world.app.clock.advance(Duration::from_micros(1));
    assert_eq!((room.send().await, room.chat.calls().len()), (1, 2));
    let shown = room.shown().await;
    assert_eq!((&shown[0]["lastError"], &shown[0]["failingSince"]), (&Value::Null, &Value::Null));
}

#[db_test]
async fn a_chat_that_is_gone_is_disabled_and_its_tenant_told(room: Room) {
    room.address().await;
    room.world.ask_for_license().await;
    room.answers(Script::answer(410, b"gone"));
    room.world.app.clock.advance(Duration::from_secs(1));
    assert_eq!(room.send().await, 0);
    assert_eq!(room.shown().await[0]["status"], json!("disabled"));
    let told = room.world.told(&room.world.agency).await;
    assert_eq!(told[0], "The chat address Rights team was disabled");
    room.world.ask_for_license().await;
    room.world.app.clock.advance(Duration::from_hours(24));
    assert_eq!((room.send().await, room.chat.calls().len()), (0, 1), "nothing more is sent");
}

#[db_test]
async fn an_address_is_tested_changed_and_deleted(room: Room) {
    let made = room.address().await;
    let path = format!("{PATH}/{}", text(&made["chatAddressId"]));
    let tested = room.ask(Method::POST, &format!("{path}/test"), None).await;
    let sent = json!({
        "data": { "success": true, "error": null }, "message": "Test message sent",
        "status": "success",
    });
    assert_eq!(tested.json(), sent);
    assert_eq!(room.texts(), ["Test message from Grantor to Rights team"]);
    room.answers(Script::answer(403, b""));
    let tested = room.ask(Method::POST, &format!("{path}/test"), None).await;
    let error = "the chat returned status 403";
    let failed = json!({
        "data": { "success": false, "error": error },
        "message": "The test message did not arrive", "status": "success",
    });
    assert_eq!(tested.json(), failed);
    let body = json!({ "name": "Team", "kinds": ["message"], "status": "disabled" });
    let changed = room.ask(Method::PATCH, &path, Some(body)).await.json()["data"].clone();
    assert_eq!(changed["name"], "Team");
    assert_eq!((&changed["kinds"], &changed["status"]), (&json!(["message"]), &json!("disabled")));
    assert_eq!(room.ask(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(room.shown().await, json!([]));
    assert_eq!(room.ask(Method::DELETE, &path, None).await.status, 404);
}

#[db_test]
async fn what_is_not_valid_is_named(room: Room) {
    let answer = room.ask(Method::POST, PATH, Some(json!({ "kinds": [] }))).await;
    let details = json!({
        "name": "is required", "url": "is required", "kinds": "must contain at least one kind",
    });
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]["details"]), (400, &details));
    for url in ["http://chat.example/x", "https://10.0.0.1/x", "ftp://chat.example/x", "chat"] {
        let body = json!({ "name": "Team", "url": url, "kinds": ["request"] });
        let answer = room.ask(Method::POST, PATH, Some(body)).await;
        assert_eq!(answer.status, 400, "{url}");
        assert!(answer.json()["error"]["details"]["url"].is_string(), "{url}");
    }
}

#[db_test]
async fn only_who_manages_the_organization_sees_addresses(room: Room) {
    room.address().await;
    let options = &room.world.app.database.options;
    let script = "UPDATE memberships SET role = 'Organization_User' WHERE user_id IN (
        SELECT user_id FROM users WHERE email = 'ada@example.com')";
    seed::run(options, script.to_owned()).await;
    room.world.app.clock.advance(Duration::from_secs(2));
    assert_eq!(room.ask(Method::GET, PATH, None).await.status, 403);
    let of_brand = room.world.brand.console(&room.world.app, Method::GET, PATH, None).await;
    assert_eq!(of_brand.json()["data"]["chatAddresses"], json!([]), "others have their own");
}

/// Names are text: they call nobody in the channel, and lead nowhere.
#[db_test]
async fn what_a_stranger_wrote_is_text(room: Room) {
    room.address().await;
    let options = &room.world.app.database.options;
    for (name, shown) in [
        ("<!channel> Loop & *Well*", "&lt;!channel&gt; Loop &amp; *Well*"),
        ("<https://evil.example|Sign in>", "&lt;https:\u{200B}//evil.example|Sign in&gt;"),
    ] {
        let script = format!(
            "UPDATE tenants SET name = '{name}' WHERE tenant_id = (
               SELECT m.tenant_id FROM memberships m JOIN users u ON u.user_id = m.user_id
               WHERE u.email = 'bea@example.com')"
        );
        seed::run(options, script).await;
        let request = room.world.ask_for_license().await;
        assert_eq!(room.send().await, 1);
        let text = room.texts().pop().unwrap();
        let link = format!("https://grantor.test/app/requests/{request}");
        assert_eq!(text, format!("{shown} requested Winter\n{link}"));
    }
}

#[db_test]
async fn a_message_names_its_organization_if_an_owner_is_in_several(room: Room) {
    room.address().await;
    let (agency, brand) = ("Agency of ada@example.com", "Brand of bea@example.com");
    let options = &room.world.app.database.options;
    seed::join(options, "ada@example.com", brand, "Organization_User").await;
    let request = room.world.ask_for_license().await;
    assert_eq!(room.send().await, 1);
    let tenant = &room.world.agency.organization;
    let link = format!("https://grantor.test/app/requests/{request}?organization={tenant}");
    assert_eq!(room.texts(), [format!("[{agency}] {ASKED}\n{link}")]);
}

#[db_test]
async fn an_address_is_added_once(room: Room) {
    let made = room.address().await;
    let url = room.chat.url(SECRET);
    let body = json!({ "name": "Again", "url": url, "kinds": ["offer"] });
    let again = room.ask(Method::POST, PATH, Some(body)).await;
    let message = "The chat address Rights team already has this URL";
    assert_eq!((again.status.as_u16(), &again.json()["error"]["message"]), (409, &json!(message)));
    let other = json!({ "name": "Other", "url": room.chat.url("/other"), "kinds": ["offer"] });
    let other = room.ask(Method::POST, PATH, Some(other)).await.json()["data"].clone();
    let path = |it: &Value| format!("{PATH}/{}", text(&it["chatAddressId"]));
    let changed = room.ask(Method::PATCH, &path(&other), Some(json!({ "url": url }))).await;
    assert_eq!(changed.status, 409);
    let same = room.ask(Method::PATCH, &path(&made), Some(json!({ "url": url }))).await;
    assert_eq!(same.status, 200, "its own URL");
}

/// What concerns one person alone is not for the channel.
#[db_test]
async fn kinds_that_chats_never_get_are_refused(room: Room) {
    let body = json!({ "name": "Team", "url": room.chat.url("/x"), "kinds": ["case_assigned"] });
    let refused = room.ask(Method::POST, PATH, Some(body)).await;
    let said = text(&refused.json()["error"]["details"]["kinds"]);
    assert_eq!(refused.status, 400);
    assert!(said.starts_with("must be one of mention_unlicensed"), "{said}");
    assert!(!said.contains("case_assigned"), "{said}");
}
