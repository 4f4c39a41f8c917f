//! Subscriptions to WebSub hubs: confirmation, signatures, leases, failures, denials and ends. The
//! hub is a server of the test, and reaches the callbacks over HTTP.

mod end;
mod lease;
mod reach;
mod state;

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws_lc_rs::hmac;
use grantor_domain::hex;
use grantor_domain::id::FeedId;
use grantor_domain::limit::Limits;
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{Feed, FeedKind, Source, SourceName, SourceStatus, WatchedTalents};
use grantor_domain::websub::{HubStatus, HubSubscription};
use grantor_service::App;
use grantor_service::watching::websub::{self, Push};
use grantor_storage::{feed, source, websub as stored};
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::clock::MockClock;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};
use uuid::Uuid;

use crate::license::World;

const TOPIC: &str = "https://site.example/feed?a=1&b=ü";
/// The address of the feed, as URLs are stored.
const ADDRESS: &str = "https://site.example/feed?a=1&b=%C3%BC";
const RSS: &[u8] = b"<rss version='2.0'><channel><title>News</title></channel></rss>";
const DAY: Duration = Duration::from_hours(24);
const TEN_DAYS: &str = "864000";

/// An app whose callbacks are reached over HTTP, a feed that the agency watches, and its hub, with
/// responses that a test sets.
struct Stage {
    world: World,
    hub: Listener,
    answer: Arc<Mutex<Script>>,
    feed: FeedId,
    client: reqwest::Client,
    serving: JoinHandle<()>,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Fixture for Stage {
    async fn on(engine: Engine) -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let origin = Some(format!("http://{}", port.local_addr().unwrap()));
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { allowed, origin, limits: Limits::off(), ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let service = world.app.router().into_make_service_with_connect_info::<SocketAddr>();
        let serving = tokio::spawn(async move {
            // Ends only when the task is aborted.
            let _ = axum::serve(port, service).await;
        });
        let answer = Arc::new(Mutex::new(Script::answer(202, b"")));
        let script = Arc::clone(&answer);
        let hub = Listener::start(move |_| script.lock().unwrap().clone()).await.unwrap();
        let feed = watched_feed(&world).await;
        Self { world, hub, answer, feed, client: client(), serving }
    }
}

/// A feed with a source of the agency.
async fn watched_feed(world: &World) -> FeedId {
    let (app, now) = (&world.app.app, MockClock::START);
    let feed = Feed {
        id: app.ids.next(),
        url: ADDRESS.to_owned(),
        kind: FeedKind::Feed,
        service: None,
        profile: None,
        title: "News".to_owned(),
        push_only: false,
        due_at: None,
        last_scan_at: None,
        failing_since: None,
        failures: 0,
        created_at: now,
    };
    let id = feed.id;
    let source = Source {
        id: app.ids.next(),
        tenant: world.agency.organization.parse().unwrap(),
        feed: id,
        url: ADDRESS.to_owned(),
        name: SourceName::parse("News").unwrap(),
        frequency: DetectionFrequency::Daily,
        status: SourceStatus::Running,
        stopped: None,
        talents: WatchedTalents::All,
        asked_at: None,
        created_by: Uuid::nil().into(),
        created_at: now,
        updated_at: now,
        version: 1,
    };
    let stored: grantor_storage::Result<()> = app
        .store
        .write(move |tx| {
            feed::put(tx, &feed)?;
            source::insert(tx, &source)
        })
        .await;
    stored.unwrap();
    id
}

type Form = BTreeMap<String, String>;

impl Stage {
    fn app(&self) -> &App {
        &self.world.app.app
    }

    async fn subscribe_to(&self, hub: &str) -> bool {
        subscribe(self.app(), self.feed, hub).await
    }

    /// Subscribes to the hub and returns the request that it got.
    async fn subscribe(&self) -> Form {
        assert!(self.subscribe_to(&self.hub.url("/")).await);
        assert_eq!(self.ask().await, 1);
        self.asked().pop().unwrap()
    }

    /// Subscribes to the hub, which confirms for ten days.
    async fn confirmed(&self) -> Form {
        let form = self.subscribe().await;
        let answer = self.verify(&form, &[("hub.lease_seconds", TEN_DAYS)]).await;
        assert_eq!(answer, (200, "a challenge".to_owned()));
        form
    }

    /// Sends the requests that are due and returns their number.
    async fn ask(&self) -> u64 {
        websub::send_due(self.app()).await.unwrap()
    }

    /// The requests that the hub got.
    fn asked(&self) -> Vec<Form> {
        let calls = self.hub.calls();
        calls.iter().map(|it| form_urlencoded::parse(&it.body).into_owned().collect()).collect()
    }

    /// The hub asks for the confirmation of a request.
    async fn verify(&self, form: &Form, more: &[(&str, &str)]) -> (u16, String) {
        let (mode, topic) = (("hub.mode", &*form["hub.mode"]), ("hub.topic", TOPIC));
        let mut query = vec![mode, topic, ("hub.challenge", "a challenge")];
        query.extend_from_slice(more);
        self.call(&form["hub.callback"], &query).await
    }

    /// Sends a GET request with a query, as hubs do.
    async fn call(&self, callback: &str, query: &[(&str, &str)]) -> (u16, String) {
        let mut url = Url::parse(callback).unwrap();
        url.query_pairs_mut().extend_pairs(query);
        let answer = self.client.get(url).send().await.unwrap();
        let status = answer.status().as_u16();
        (status, String::from_utf8(answer.bytes().await.unwrap().to_vec()).unwrap())
    }

    /// The hub pushes content, signed with the secret of the request.
    async fn push(&self, form: &Form, body: &[u8]) -> u16 {
        let signature = sign("sha256", &form["hub.secret"], body);
        self.push_signed(&form["hub.callback"], body, Some(&signature)).await
    }

    async fn push_signed(&self, callback: &str, body: &[u8], signature: Option<&str>) -> u16 {
        let request = self.client.post(callback).header("content-type", "application/rss+xml");
        let request = match signature {
            Some(signature) => request.header("x-hub-signature", signature),
            None => request,
        };
        request.body(body.to_vec()).send().await.unwrap().status().as_u16()
    }

    async fn subscription(&self) -> Option<HubSubscription> {
        let feed = self.feed;
        self.app().store.read(move |tx| stored::find(tx, feed)).await.unwrap()
    }

    async fn status(&self) -> HubStatus {
        self.subscription().await.unwrap().status
    }

    async fn pushes(&self) -> Vec<Push> {
        websub::take_pushes(self.app(), self.feed).await.unwrap()
    }

    async fn bodies(&self) -> Vec<Vec<u8>> {
        self.pushes().await.into_iter().map(|it| it.body).collect()
    }

    fn answer(&self, script: Script) {
        *self.answer.lock().unwrap() = script;
    }

    fn pass(&self, time: Duration) {
        self.world.app.clock.advance(time);
    }

    async fn run(&self, script: &str) {
        seed::run(&self.world.app.database.options, script.to_owned()).await;
    }

    /// Nobody watches the feed any more.
    async fn release(&self) {
        let (feed, now) = (self.feed, self.app().clock.now());
        self.app().store.write(move |tx| websub::release(tx, feed, now)).await.unwrap();
    }
}

async fn subscribe(app: &App, feed: FeedId, hub: &str) -> bool {
    let (own, hub) = (app.clone(), hub.to_owned());
    let work = app.store.write(move |tx| websub::subscribe(&own, tx, feed, &hub, TOPIC));
    work.await.unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a hub is a client of its own")]
fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

fn sign(method: &str, secret: &str, body: &[u8]) -> String {
    let algorithm = match method {
        "sha1" => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        "sha256" => hmac::HMAC_SHA256,
        "sha384" => hmac::HMAC_SHA384,
        _ => hmac::HMAC_SHA512,
    };
    let tag = hmac::sign(&hmac::Key::new(algorithm, secret.as_bytes()), body);
    format!("{method}={}", hex::encode(tag.as_ref()))
}

#[db_test]
async fn a_hub_is_asked_confirms_and_pushes(stage: Stage) {
    let form = stage.subscribe().await;
    let keys: Vec<_> = form.keys().map(String::as_str).collect();
    let expected = ["hub.callback", "hub.lease_seconds", "hub.mode", "hub.secret", "hub.topic"];
    assert_eq!(keys, expected);
    let callback = format!("{}/websub/", stage.app().public_url);
    assert!(form["hub.callback"].starts_with(&callback), "{}", form["hub.callback"]);
    let asked = ["hub.mode", "hub.topic", "hub.lease_seconds"].map(|it| &*form[it]);
    assert_eq!((asked, form["hub.secret"].len()), (["subscribe", TOPIC, TEN_DAYS], 43));
    let call = stage.hub.calls().remove(0);
    assert_eq!(
        (call.method.as_str(), call.header("content-type")),
        ("POST", Some("application/x-www-form-urlencoded"))
    );
    assert_eq!(stage.status().await, HubStatus::Pending);
    assert!(stage.subscribe_to(&stage.hub.url("/")).await);
    assert_eq!(stage.ask().await, 0, "once is enough");

    let answer = stage.verify(&form, &[("hub.lease_seconds", "3600")]).await;
    assert_eq!(answer, (200, "a challenge".to_owned()));
    let confirmed = stage.subscription().await.unwrap();
    let lease_end = MockClock::START.plus(Duration::from_hours(1));
    assert_eq!((confirmed.status, confirmed.lease_ends_at), (HubStatus::Active, Some(lease_end)));
    assert!(confirmed.is_live(MockClock::START));

    assert_eq!(stage.push(&form, RSS).await, 202);
    let pushes = stage.pushes().await;
    let content_type = Some("application/rss+xml".to_owned());
    let expected =
        Push { id: pushes[0].id, body: RSS.to_vec(), content_type, received_at: MockClock::START };
    assert_eq!(pushes, [expected]);
    let feed = stage.feed;
    let due = stage.app().store.read(move |tx| feed::find(tx, feed)).await.unwrap().unwrap();
    assert_eq!(due.due_at, Some(MockClock::START), "it is scanned at once");
    websub::done(stage.app(), pushes[0].id).await.unwrap();
    assert_eq!(stage.pushes().await, []);
}

#[db_test]
async fn only_signed_content_is_taken(stage: Stage) {
    let form = stage.confirmed().await;
    let (callback, secret) = (&form["hub.callback"], &form["hub.secret"]);
    let other = sign("sha256", "another secret", RSS);
    let unknown = sign("sha256", secret, RSS).replace("sha256", "md5");
    let right = sign("sha256", secret, RSS);
    let of_another_body = sign("sha1", secret, b"another body");
    let wrong = ["", &other, &unknown, &right[..40], &of_another_body];
    for signature in wrong.into_iter().map(Some).chain([None]) {
        let status = stage.push_signed(callback, RSS, signature).await;
        assert_eq!(status, 403, "{signature:?}");
    }
    assert_eq!(stage.pushes().await, []);
    let mut expected = vec![];
    for method in ["sha1", "sha256", "sha384", "sha512"] {
        let body = format!("<rss>{method}</rss>").into_bytes();
        let signature = sign(method, secret, &body);
        assert_eq!(stage.push_signed(callback, &body, Some(&signature)).await, 202);
        stage.pass(Duration::from_secs(1));
        expected.push(body);
    }
    assert_eq!(stage.bodies().await, expected);
}

#[db_test]
async fn what_was_not_asked_for_is_not_confirmed(stage: Stage) {
    let form = stage.subscribe().await;
    let callback = &form["hub.callback"];
    let (mode, topic) = (("hub.mode", "subscribe"), ("hub.topic", TOPIC));
    let challenge = ("hub.challenge", "a challenge");
    let refused = [
        vec![],
        vec![mode, topic],
        vec![mode, challenge],
        vec![mode, ("hub.topic", "https://site.example/other"), challenge],
        vec![("hub.mode", "unsubscribe"), topic, challenge],
        vec![("hub.mode", "publish"), topic, challenge],
        vec![("hub.mode", "denied"), ("hub.topic", "https://site.example/other")],
        vec![mode, mode, topic, challenge],
    ];
    for query in refused {
        assert_eq!(stage.call(callback, &query).await, (404, String::new()), "{query:?}");
    }
    assert_eq!(stage.status().await, HubStatus::Pending);
    assert_eq!(stage.call(callback, &[mode, topic, challenge]).await.0, 200, "the control");
}

#[db_test]
async fn an_unknown_callback_is_gone(stage: Stage) {
    let form = stage.confirmed().await;
    let (start, token) = form["hub.callback"].rsplit_once('/').unwrap();
    let signature = sign("sha1", &form["hub.secret"], RSS);
    let last = if token.ends_with('A') { 'E' } else { 'A' };
    let altered = format!("{}{last}", &token[..token.len() - 1]);
    for token in ["x", altered.as_str()] {
        let callback = format!("{start}/{token}");
        let status = stage.push_signed(&callback, RSS, Some(&signature)).await;
        assert_eq!(status, 410, "{callback}");
        let mut other = form.clone();
        other.insert("hub.callback".to_owned(), callback);
        assert_eq!(stage.verify(&other, &[]).await, (404, String::new()));
    }
    assert_eq!(stage.pushes().await, []);
}
