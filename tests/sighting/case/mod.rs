//! Cases: what is done about a mention, and by whom.

mod by_hand;
mod letter;
mod look;
mod told;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_outbound::TimeLimits;
use grantor_service::watching::case;
use grantor_service::watching::pod::Pace;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::Watch;
use crate::license::{Member, World, text};

/// No waiting in tests.
const AT_ONCE: Pace = Pace { pause: Duration::ZERO };
const DAY: Duration = Duration::from_hours(24);
const SHOWN: &str = "<html><title>News</title><p>Seen: Grace Hopper, in person.</p></html>";

/// An agency with a confirmed mention on a page that tests change.
struct Room {
    watch: Watch,
    license: String,
    mention: String,
    site: Listener,
    page: Arc<Mutex<Script>>,
}

impl Fixture for Room {
    async fn on(engine: Engine) -> Self {
        Self::with_limits(engine, Limits::off()).await
    }
}

impl Room {
    async fn with_limits(engine: Engine, limits: Limits) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let times = TimeLimits { total: Duration::from_secs(2), ..TimeLimits::default() };
        let config = TestConfig { limits, allowed, times, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let watch = Watch::over(world).await;
        let license = watch.license(json!({})).await;
        let page = Arc::new(Mutex::new(Script::ok(SHOWN.as_bytes())));
        let shown = Arc::clone(&page);
        let answer = move |call: &Call| match call.path.as_str() {
            "/robots.txt" => Script::answer(404, b""),
            _ => shown.lock().unwrap().clone(),
        };
        let site = Listener::start(answer).await.unwrap();
        watch.say(&site.url("/news"), "Seen: Grace Hopper, in person.").await;
        let mention = text(&watch.mentions(&license).await[0]["id"]);
        let room = Self { watch, license, mention, site, page };
        room.decide(json!({ "status": "confirmed", "allowed": false })).await;
        room
    }

    fn world(&self) -> &World {
        &self.watch.world
    }

    fn show(&self, script: Script) {
        *self.page.lock().unwrap() = script;
    }

    /// Asks with a token that is always valid, because tests move the clock by days.
    async fn ask(&self, who: &Member, method: Method, path: &str, body: Option<Value>) -> Answer {
        let app = &self.world().app;
        let token = who.renewed(app).await;
        let request = app.request(method, path).bearer(&token);
        match body {
            Some(body) => request.json(&body).send().await,
            None => request.send().await,
        }
    }

    /// Asks the case as the agency.
    async fn send(&self, method: Method, what: &str, body: Option<Value>) -> Answer {
        let path = format!("/mentions/{}/case{what}", self.mention);
        self.ask(&self.world().agency, method, &path, body).await
    }

    async fn decide(&self, body: Value) -> Answer {
        let path = format!("/mentions/{}", self.mention);
        let answer = self.ask(&self.world().agency, Method::PATCH, &path, Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer
    }

    async fn open(&self) -> Value {
        let opened = self.send(Method::POST, "", None).await;
        assert_eq!(opened.status, 201, "{}", opened.json());
        opened.json()
    }

    async fn case(&self) -> Value {
        let found = self.send(Method::GET, "", None).await;
        assert_eq!(found.status, 200, "{}", found.json());
        found.json()
    }

    async fn status(&self) -> String {
        text(&self.case().await["status"])
    }

    async fn letter(&self, to: &str) -> Answer {
        let body = json!({ "to": to, "subject": "Please remove it", "text": "Hello" });
        self.send(Method::POST, "/letter", Some(body)).await
    }

    /// Makes the looks that are due and returns their number.
    async fn look(&self) -> u64 {
        case::look_due(&self.world().app.app, AT_ONCE).await.unwrap()
    }

    async fn look_tomorrow(&self) -> u64 {
        self.world().app.clock.advance(DAY);
        self.look().await
    }

    /// The types of the mention events in the agency's feed, in order.
    async fn told(&self) -> Vec<String> {
        let feed = self.ask(&self.world().agency, Method::GET, "/events?limit=100", None).await;
        let feed = feed.json();
        let kinds = feed["data"].as_array().unwrap().iter().map(|it| text(&it["type"]));
        kinds.filter(|it| it.starts_with("mention.")).collect()
    }

    async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.world().app.database.options, query).await
    }
}

fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), text(&answer.json()["error"]["message"]))
}

#[db_test]
async fn from_opening_over_a_letter_to_the_removal(room: Room) {
    let opened = room.open().await;
    let shown = json!([opened["status"], opened["assignee"]["name"], opened["version"]]);
    assert_eq!(shown, json!(["open", "Ada Lovelace", 1]));
    let opener =
        json!({ "id": opened["assignee"]["id"], "name": "Ada Lovelace", "author": "Feed" });
    assert_eq!(opened["opened_by"], opener, "the user, and the API client that did it");
    let link = text(&opened["evidence_url"]);
    let draft = &opened["drafts"][0];
    assert_eq!(
        (&draft["kind"], draft["text"].as_str().unwrap().contains(&link)),
        (&json!("takedown"), true)
    );

    let body = json!({
        "to": "legal@wire.example", "subject": "Please remove it", "text": format!("See {link}"),
    });
    let sent = room.send(Method::POST, "/letter", Some(body)).await;
    assert_eq!((sent.status.as_u16(), &sent.json()["status"]), (201, &json!("sent")));
    assert_eq!(sent.json()["letters"][0]["author"], "Feed");
    let mail = room.world().app.newest_mail("legal@wire.example").await;
    for line in ["Reply-To: ada@example.com\r\n", "Subject: Please remove it\r\n", &link] {
        assert!(mail.contains(line), "{line}: {mail}");
    }
    assert!(!mail.contains("text/html"), "{mail}");
    let path = link.strip_prefix(&room.world().app.app.public_url).unwrap();
    let page = room.world().app.get(path).await;
    assert_eq!(
        (page.status.as_u16(), page.header("x-robots-tag")),
        (200, Some("noindex, nofollow"))
    );
    assert!(String::from_utf8_lossy(&page.body).contains("Grâce Hopper"));

    assert_eq!(room.look().await, 1);
    assert_eq!(room.case().await["looks"]["last_result"], "match");
    assert_eq!(room.look().await, 0, "once a day");
    room.show(Script::answer(410, b""));
    assert_eq!(room.look_tomorrow().await, 1);
    let removed = room.case().await;
    assert_eq!(
        json!([removed["status"], removed["looks"]["last_result"]]),
        json!(["removed", "gone"])
    );
    assert_eq!(removed["comments"][0]["text"], "The page does not exist any more.");
    assert_eq!(room.look_tomorrow().await, 1);
    let told = ["mention.created", "mention.updated", "mention.removed"];
    assert_eq!(room.told().await, told, "told once");
    let notices = "SELECT summary FROM notices WHERE kind = 'mention_removed'";
    let summary = format!("Grâce Hopper was removed from 127.0.0.1:{}", room.site.port());
    assert_eq!(room.rows(notices).await, [[summary]]);
}

#[db_test]
async fn a_case_needs_a_confirmed_mention_that_is_not_allowed(room: Room) {
    let open = async || refusal(&room.send(Method::POST, "", None).await);
    room.decide(json!({ "status": "new" })).await;
    let message = "Only a confirmed mention can have a case. Confirm the mention first.";
    assert_eq!(open().await, (409, message.to_owned()));
    room.decide(json!({ "status": "confirmed", "allowed": true })).await;
    let message = "The use is marked as allowed. Mark it as not allowed first.";
    assert_eq!(open().await, (409, message.to_owned()));
    room.decide(json!({ "allowed": null })).await;
    let message = "A case is for a use that is not allowed. Mark it as not allowed first.";
    assert_eq!(open().await, (409, message.to_owned()));
    assert_eq!(
        refusal(&room.send(Method::GET, "", None).await),
        (404, "Case not found".to_owned())
    );
    room.decide(json!({ "allowed": false })).await;
    room.open().await;
    assert_eq!(open().await, (409, "The mention already has a case".to_owned()));
    // Undoing the decision closes the case, and its link ends.
    let link = text(&room.case().await["evidence_url"]);
    room.decide(json!({ "status": "new" })).await;
    let closed = room.case().await;
    assert_eq!(
        json!([closed["status"], closed["evidence_url"], closed["drafts"]]),
        json!(["closed", null, []])
    );
    let said = "The decision about the mention was changed, so the case was closed.";
    assert_eq!(closed["comments"][0]["text"], said);
    let path = link.strip_prefix(&room.world().app.app.public_url).unwrap();
    assert_eq!(room.world().app.get(path).await.status, 410);
    let reopen = room.send(Method::PATCH, "", Some(json!({ "status": "open" }))).await;
    let message = "Only a confirmed mention can have a case. Confirm the mention first.";
    assert_eq!(refusal(&reopen), (409, message.to_owned()));
}

#[db_test]
async fn neither_strangers_nor_viewers_have_a_case(room: Room) {
    room.open().await;
    let brand = &room.world().brand;
    let path = format!("/mentions/{}/case", room.mention);
    for (method, what, body) in [
        (Method::GET, "", None),
        (Method::POST, "", Some(json!({}))),
        (Method::PATCH, "", Some(json!({ "status": "closed" }))),
        (Method::POST, "/comments", Some(json!({ "text": "Mine" }))),
        (
            Method::POST,
            "/letter",
            Some(json!({ "to": "a@b.example", "subject": "a", "text": "b" })),
        ),
    ] {
        let answer = room.ask(brand, method, &format!("{path}{what}"), body).await;
        assert_eq!(refusal(&answer), (404, "Case not found".to_owned()), "{what}");
    }
    room.world().grant(&room.license, "viewer").await;
    for (method, what, body) in [
        (Method::GET, "", None),
        (Method::PATCH, "", Some(json!({ "status": "closed" }))),
        (Method::POST, "/comments", Some(json!({ "text": "Mine" }))),
    ] {
        let answer = room.ask(brand, method, &format!("{path}{what}"), body).await;
        assert_eq!(refusal(&answer), (404, "Case not found".to_owned()), "{what}");
    }
    let listed = room.ask(brand, Method::GET, "/cases", None).await.json();
    assert_eq!(listed["data"], json!([]));
}

#[db_test]
async fn who_acts_for_the_talent_works_on_the_case(room: Room) {
    let ada = text(&room.open().await["assignee"]["id"]);
    let permission = room.world().grant(&room.license, "trustee").await;
    assert_eq!(permission.status, 201, "{}", permission.json());
    let (brand, path) = (&room.world().brand, format!("/mentions/{}/case", room.mention));
    let change = async |body: Value| room.ask(brand, Method::PATCH, &path, Some(body)).await.json();
    assert_eq!(change(json!({ "assignee_id": null })).await["assignee"], json!(null));
    assert_eq!(change(json!({ "assignee_id": ada })).await["assignee"]["name"], "Ada Lovelace");
    let told = "SELECT summary FROM notices WHERE kind = 'case_assigned'";
    let site = format!("127.0.0.1:{}", room.site.port());
    let summary = format!("Feed assigned the case about Grâce Hopper on {site} to you");
    assert_eq!(room.rows(told).await, [[summary]]);
    let wrong = change(json!({ "assignee_id": room.mention, "status": "lost" })).await;
    let names = "must be one of open, sent, answered, removed, disputed, closed";
    assert_eq!(wrong["error"]["details"], json!({ "status": names }));
    let wrong = change(json!({ "assignee_id": room.mention })).await;
    let message = "must be a member of your organization who can review mentions";
    assert_eq!(wrong["error"]["details"], json!({ "assignee_id": message }));
}

#[db_test]
async fn a_status_moves_by_the_table_and_a_version_can_be_required(room: Room) {
    room.open().await;
    let change = async |body: Value| room.send(Method::PATCH, "", Some(body)).await;
    for status in ["answered", "disputed", "closed"] {
        assert_eq!(change(json!({ "status": status })).await.json()["status"], status);
    }
    let refused = change(json!({ "status": "sent" })).await;
    let message = "A case that is closed cannot become sent. It can become open.";
    assert_eq!(refusal(&refused), (409, message.to_owned()));
    let message = "The case is closed. Set its status to open before you send a letter.";
    assert_eq!(refusal(&room.letter("a@b.example").await), (409, message.to_owned()));
    let tag = room.send(Method::GET, "", None).await.header("etag").unwrap().to_owned();
    change(json!({ "status": "open" })).await;
    let path = format!("/mentions/{}/case", room.mention);
    let token = room.world().agency.renewed(&room.world().app).await;
    let request = room.world().app.request(Method::PATCH, &path).bearer(&token);
    let late = request.header("if-match", &tag).json(&json!({ "status": "closed" })).send().await;
    assert_eq!(late.status, 412);
    let said =
        room.send(Method::POST, "/comments", Some(json!({ "text": " Called them. " }))).await;
    assert_eq!(
        (said.status.as_u16(), &said.json()["comments"][0]["text"]),
        (201, &json!("Called them."))
    );
    let listed =
        room.ask(&room.world().agency, Method::GET, "/cases?status=open", None).await.json();
    let shown = json!([listed["pagination"]["total"], listed["data"][0]["mention_id"]]);
    assert_eq!(shown, json!([1, room.mention]));
}
