//! The program itself, from a feed to the ear of the rights holder, also when it is killed on the way.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use grantor_domain::Timestamp;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::webhook::sign;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, eventually, exchange, request};
use grantor_testkit::{db_test, repeats, seed};
use serde_json::{Value, json};

use crate::license::text;

/// Named in every item; the sample has several licenses over her, and not all are watched.
pub(super) const NAMED: &str = "Zo\u{eb} Lindqv\u{e5}g";

/// The mentions of what the feed shows. There is one of a talent at an address, by an index.
const SEEN: &str = "mentions WHERE url LIKE '%/news/%'";

/// The site of a platform, and what it shows where.
struct Site {
    listener: Listener,
    pages: Arc<Mutex<Vec<(String, String)>>>,
}

impl Site {
    async fn open() -> Self {
        let pages = Arc::new(Mutex::new(Vec::<(String, String)>::new()));
        let shown = Arc::clone(&pages);
        let answer = move |call: &Call| {
            let pages = shown.lock().unwrap();
            let found = pages.iter().find(|(path, _)| *path == call.path);
            found.map_or_else(|| Script::answer(404, b""), |(_, body)| Script::ok(body.as_bytes()))
        };
        let listener = Listener::start(answer).await.unwrap();
        Self { listener, pages }
    }

    fn show(&self, path: &str, body: &str) {
        self.pages.lock().unwrap().push((path.to_owned(), body.to_owned()));
    }

    /// A feed of so many items, each naming her.
    fn show_feed(&self, items: u32) {
        let mut feed = "<rss version=\"2.0\"><channel><title>News</title>".to_owned();
        for item in 0..items {
            let told = format!("Told of {NAMED}, time {item}");
            let _ = write!(feed, "<item><title>Item {item}</title><link>/news/{item}</link>");
            let _ = write!(feed, "<description>{told}</description></item>");
        }
        self.show("/feed.xml", &(feed + "</channel></rss>"));
    }

    fn calls(&self, path: &str) -> Vec<Call> {
        self.listener.calls().into_iter().filter(|it| it.path == path).collect()
    }
}

/// An app with the sample, and who is in it.
pub(super) struct JourneyFixture {
    pub(super) place: Installation,
    pub(super) sample: Value,
}

impl JourneyFixture {
    pub(super) async fn of(place: Installation) -> Self {
        let place =
            place.with("GRANTOR_LIMITS", "off").with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
        let sample = serde_json::from_str(&place.run("demo --json").await.ok()).unwrap();
        Self { place, sample }
    }

    /// Proves the site as the platform's, and makes a pod for it; gives its id and who may move it.
    async fn pod(&self, server: &GrantorProcess, site: &Site) -> (String, String) {
        let account = &self.sample["accounts"][2];
        let login = json!({ "username": account["email"], "password": account["password"] });
        let token =
            text(&ask(server, "POST /v1.0.1/auth/login", "", login).await["data"]["accessToken"]);
        let team = json!({ "name": "Watchers" });
        let team = ask(server, "POST /v1.0.1/org/create/team", &token, team).await;
        let domain = format!("127.0.0.1:{}", site.listener.port());
        let body = json!({
            "name": "Evening News", "type": "News Media", "domain": domain,
            "teamId": team["data"]["teamId"], "feedUrls": [site.listener.url("/feed.xml")],
        });
        let platform = ask(server, "POST /v1.0.1/org/create/platform", &token, body).await;
        let (id, file) =
            (&platform["data"]["platformId"], &platform["data"]["verification"]["file"]);
        site.show(&text(&file["path"]), &text(&file["content"]));
        let path = format!("GET /v1.0.1/org/verify/platform/{}?method=file", text(id));
        let proved = ask(server, &path, &token, Value::Null).await;
        assert_eq!(proved["data"]["verificationStatus"], "verified", "{proved}");
        let admin = json!({ "token": self.sample["admin"]["token"] });
        let staff = ask(server, "POST /v1.0.1/auth/authenticateAdmin", "", admin).await;
        let staff = text(&staff["data"]["accessToken"]);
        let body = json!({ "platform": { "platformId": id }, "scopes": ["crawl"] });
        let pod = ask(server, "POST /v1.0.1/pax/pod", &staff, body).await;
        (text(&pod["data"]["podId"]), staff)
    }

    /// A token of the agency's API client.
    pub(super) async fn agency(&self, server: &GrantorProcess) -> String {
        let pair = json!({
            "api_key": self.sample["api"]["key"], "api_secret": self.sample["api"]["secret"],
        });
        text(&ask(server, "POST /auth/token", "", pair).await["data"]["access_token"])
    }

    /// How many rows there are of this.
    pub(super) async fn count(&self, of: &str) -> usize {
        let query = format!("SELECT CAST(count(*) AS text) FROM {of}");
        seed::rows(&self.place.options(), &query).await[0][0].parse().unwrap()
    }
}

/// Asks and reads; what is refused is a mistake of the test.
pub(super) async fn ask(server: &GrantorProcess, what: &str, token: &str, body: Value) -> Value {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let length = format!("content-length: {}", body.len());
    let mut headers = vec!["content-type: application/json", "x-source: console", &length];
    let bearer = format!("authorization: Bearer {token}");
    if !token.is_empty() {
        headers.push(&bearer);
    }
    let head = request(what, &headers);
    let reply = exchange(server.connect().await, (head + &body).as_bytes()).await.unwrap();
    assert!(reply.status < 300, "{what}: {} {}", reply.status, reply.body);
    reply.json()
}

#[db_test]
async fn a_feed_becomes_a_mention_and_a_signed_webhook(place: Installation) {
    let (fixture, site) = (JourneyFixture::of(place).await, Site::open().await);
    let mut server = fixture.place.serve().await;
    let agency = fixture.agency(&server).await;
    let hook = json!({ "url": site.listener.url("/hook"), "events": ["mention.created"] });
    let hook = ask(&server, "POST /webhooks", &agency, hook).await;
    site.show("/hook", "");
    site.show_feed(1);
    let (pod, staff) = fixture.pod(&server, &site).await;
    ask(&server, &format!("POST /v1.0.1/pax/start/pod/{pod}"), &staff, Value::Null).await;
    let call = eventually("a webhook", async || site.calls("/hook").into_iter().next()).await;
    let told: Value = serde_json::from_slice(&call.body).unwrap();
    let mention = &told["data"]["mention"];
    assert_eq!(
        (&told["type"], &mention["match"]["term"]),
        (&json!("mention.created"), &json!(NAMED))
    );
    assert_eq!(mention["url"], site.listener.url("/news/0"));
    let secret = Secret::parse(&[SecretKind::Webhook], &text(&hook["secret"])).unwrap();
    let id = call.header("webhook-id").unwrap().parse().unwrap();
    let at: i64 = call.header("webhook-timestamp").unwrap().parse().unwrap();
    let signature = sign(&[secret], id, Timestamp::from_secs(at), &call.body);
    assert_eq!(call.header("webhook-signature"), Some(signature.as_str()));
    let path = format!("GET /mentions/{}", text(&mention["id"]));
    let shown = ask(&server, &path, &agency, Value::Null).await;
    assert_eq!((&shown["url"], &shown["verdict"]), (&mention["url"], &mention["verdict"]));
    server.stop().await;
}

#[db_test]
async fn a_killed_scan_loses_and_doubles_nothing(place: Installation) {
    let (items, kills) = (repeats(300, 1_000), repeats(6, 50));
    let (fixture, site) = (JourneyFixture::of(place).await, Site::open().await);
    site.show_feed(items);
    let mut server = GrantorProcess::start(fixture.place.command("serve --no-workers")).await;
    let (pod, staff) = fixture.pod(&server, &site).await;
    ask(&server, &format!("POST /v1.0.1/pax/start/pod/{pod}"), &staff, Value::Null).await;
    server.stop().await;
    // Of this pod alone: the sample's own run beside it.
    let pod = seed::id(&fixture.place.options(), &pod);
    let open = format!("pod_runs WHERE ended_at IS NULL AND pod_id = {pod}");
    let mut interrupted = 0;
    for kill in 0..kills {
        // What a killed worker had is free once its lease is over, which nobody waits for here.
        let free = "UPDATE pods SET due_at = 0 WHERE due_at IS NOT NULL;
                    UPDATE scan_hosts SET held_until = 0, next_at = 0;";
        seed::run(&fixture.place.options(), free.to_owned()).await;
        let mut worker = GrantorProcess::start_worker(fixture.place.command("worker")).await;
        let goal = (kill + 1) as usize * items as usize / (kills + 1) as usize;
        eventually("a scan", async || (fixture.count(SEEN).await >= goal).then_some(())).await;
        worker.signal("KILL");
        worker.ended().await;
        interrupted += fixture.count(&open).await;
    }
    assert!(interrupted > 0, "not one was killed in the middle");
    let free = "UPDATE pods SET due_at = 0; UPDATE scan_hosts SET held_until = 0, next_at = 0;";
    seed::run(&fixture.place.options(), free.to_owned()).await;
    let mut worker = GrantorProcess::start_worker(fixture.place.command("worker")).await;
    let ended = format!("pod_runs WHERE outcome = 'ok' AND pod_id = {pod}");
    eventually("the end", async || (fixture.count(&ended).await > 0).then_some(())).await;
    worker.stop().await;
    let mentions = fixture.count(SEEN).await;
    assert_eq!(mentions, items as usize, "none lost");
    // Each feed hears of a mention once, by whichever license it sees.
    let told = "feed_entries f JOIN events e ON e.event_id = f.event_id
        WHERE e.type = 'mention.created' AND e.data LIKE '%/news/%'";
    let feeds = format!("(SELECT DISTINCT f.feed_id FROM {told}) feeds");
    let expected = mentions * fixture.count(&feeds).await;
    assert_eq!(fixture.count(told).await, expected, "none told twice");
    grantor_testkit::print_figure(&format!(
        "{items} items, {kills} kills, {interrupted} in the middle: {mentions} mentions, each once"
    ));
}
