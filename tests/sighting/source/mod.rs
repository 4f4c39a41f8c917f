//! Sources: what is fetched for the tenants that watch an address, and when.

mod evidence;
mod hosted_api;
mod hostile;
mod kill;
mod load;
mod part;
mod private_name;
mod refusal;
mod schedule;
mod shared;
mod verdict;

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_outbound::TimeLimits;
use grantor_service::App;
use grantor_service::watching::pod::Pace;
use grantor_service::watching::source::{self, ListedSource};
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::Watch;
use crate::license::{Member, World, text};

/// No waiting in tests.
const AT_ONCE: Pace = Pace { pause: Duration::ZERO };

type Pages = Arc<Mutex<Vec<(String, Script)>>>;

/// An agency with a watched license, and a site that it watches.
struct Watching {
    watch: Watch,
    license: String,
    site: Listener,
    /// The same site at 127.0.0.2, which is another host to a client.
    _neighbor: Listener,
    pages: Pages,
}

impl Fixture for Watching {
    async fn on(engine: Engine) -> Self {
        Self::allowing(engine, "127.0.0.0/8").await
    }
}

impl Watching {
    /// Like `on`, where these networks can be reached besides the public internet.
    async fn allowing(engine: Engine, networks: &str) -> Self {
        let allowed = networks.parse().unwrap();
        let times = TimeLimits { total: Duration::from_secs(2), ..TimeLimits::default() };
        let config = TestConfig { allowed, times, ..TestConfig::default() };
        Self::with_config(engine, config).await
    }

    /// Without rate limits.
    async fn with_config(engine: Engine, config: TestConfig) -> Self {
        let config = TestConfig { limits: Limits::off(), ..config };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let watch = Watch::over(world).await;
        let license = watch.license(json!({})).await;
        let pages = Pages::default();
        let open = async |last: u8, port: u16| {
            let (shown, address) = (Arc::clone(&pages), Ipv4Addr::new(127, 0, 0, last));
            Listener::bind((address, port).into(), move |call| page(&shown, call)).await.unwrap()
        };
        let site = open(1, 0).await;
        let neighbor = open(2, site.port()).await;
        Self { watch, license, site, _neighbor: neighbor, pages }
    }
}

/// Unknown paths are a 404.
fn page(pages: &Pages, call: &Call) -> Script {
    let pages = pages.lock().unwrap();
    let found = pages.iter().find(|(path, _)| *path == call.path);
    found.map_or_else(|| Script::answer(404, b""), |(_, script)| script.clone())
}

impl Watching {
    fn world(&self) -> &World {
        &self.watch.world
    }

    fn app(&self) -> &App {
        &self.world().app.app
    }

    fn put(&self, path: &str, script: Script) {
        let mut pages = self.pages.lock().unwrap();
        pages.retain(|(known, _)| known != path);
        pages.push((path.to_owned(), script));
    }

    fn put_text(&self, path: &str, body: &str) {
        self.put(path, Script::ok(body.as_bytes()));
    }

    /// The URL of a path at the neighbor.
    fn neighbor(&self, path: &str) -> String {
        format!("http://127.0.0.2:{}{path}", self.site.port())
    }

    async fn create(&self, who: &Member, url: &str, more: Value) -> Answer {
        let mut body = json!({ "url": url });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        who.external(&self.world().app, Method::POST, "/sources", Some(body)).await
    }

    /// Watches a URL as the agency and returns the source's ID.
    async fn source(&self, url: &str, more: Value) -> String {
        let made = self.create(&self.world().agency, url, more).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["id"])
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.world().agency.external(&self.world().app, method, path, body).await
    }

    async fn scan_now(&self, id: &str) -> Answer {
        self.send(Method::POST, &format!("/sources/{id}/scan"), None).await
    }

    /// The source as the agency sees it.
    async fn shown(&self, id: &str) -> ListedSource {
        let tenant = self.world().agency.organization.parse().unwrap();
        source::get(self.app(), tenant, id.parse().unwrap()).await.unwrap()
    }

    /// Scans the due feeds and returns their number.
    async fn scan(&self) -> u64 {
        source::scan_due(self.app(), AT_ONCE).await.unwrap()
    }

    /// How often a path was requested at 127.0.0.1.
    fn asked(&self, path: &str) -> usize {
        self.site.calls().iter().filter(|it| it.path == path).count()
    }

    async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.world().app.database.options, query).await
    }

    async fn mentions(&self) -> Vec<Value> {
        self.watch.mentions(&self.license).await
    }

    fn advance(&self, time: Duration) {
        self.world().app.clock.advance(time);
    }
}

/// An RSS feed of items with a path, a text and possibly the path of a picture.
fn rss(items: &[(&str, &str, Option<&str>)]) -> String {
    let item = |(path, said, picture): &(&str, &str, Option<&str>)| {
        let picture = picture.map(|it| format!("<enclosure url='{it}' type='image/jpeg'/>"));
        let picture = picture.unwrap_or_default();
        format!(
            "<item><title>News</title><link>{path}</link>
             <description>{said}</description>{picture}</item>"
        )
    };
    let items: String = items.iter().map(item).collect();
    format!("<rss version='2.0'><channel><title>The Daily</title>{items}</channel></rss>")
}

const SAID: &str = "Seen: Grâce Hopper, in person.";

#[db_test]
async fn two_tenants_that_watch_a_feed_cost_one_fetch(site: Watching) {
    let world = site.world();
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let cara = Member::join(&world.app, "cara@example.com", Some("Agency")).await;
    let body = json!({ "fullname": "Grâce Hopper" });
    let talent = cara.console(&world.app, Method::POST, "/org/talent", Some(body)).await;
    let path = format!("/org/talent/license/{}", text(&talent.json()["data"]["talentId"]));
    let body = json!({
        "name": "Theirs", "type": "advertising", "status": "private", "canCrawl": true,
    });
    let theirs = cara.console(&world.app, Method::POST, &path, Some(body)).await;
    let theirs = text(&theirs.json()["data"]["licenseId"]);
    let own = site.source(&site.site.url("/feed"), json!({})).await;
    let made = site.create(&cara, &site.site.url("/feed"), json!({ "name": "Mine" })).await;
    assert_eq!(made.status, 201, "{}", made.json());
    let before = site.asked("/feed");
    assert_eq!(site.scan().await, 1, "one feed");
    assert_eq!(site.asked("/feed"), before + 1);
    let now = site.app().clock.now().to_string();
    let found = site.mentions().await;
    let reason = "Naming somebody is not a use of their likeness by itself. Please check what the \
                  name is used for";
    let expected = json!({
        "id": found[0]["id"], "license_id": site.license, "platform": null,
        "source": { "id": own, "name": "The Daily" }, "url": site.site.url("/1"), "title": "News",
        "excerpt": SAID, "author": null, "media_type": "text",
        "match": {
            "kind": "name", "method": "full_name", "term": "Grâce Hopper", "confidence": 0.98,
        },
        "verdict": "needs_review", "verdict_reason": reason, "status": "new", "note": null,
        "allowed": null, "decided_by": null, "decided_at": null,
        "published_at": null, "first_seen_at": now, "last_seen_at": now, "revision": 1,
    });
    assert_eq!(found, [expected]);
    let path = format!("/licenses/{theirs}/mentions");
    let found = cara.external(&world.app, Method::GET, &path, None).await.json();
    let source = json!({ "id": made.json()["id"], "name": "Mine" });
    assert_eq!(found["data"][0]["source"], source, "{found}");
    assert_eq!(site.shown(&own).await.mention_count, 1);
}

#[db_test]
async fn an_address_is_watched_once_by_a_tenant(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let url = site.site.url("/feed");
    let first = site.source(&url, json!({})).await;
    let calls = site.site.connections();
    let again = site.create(&site.world().agency, &url, json!({})).await;
    assert_eq!(site.site.connections(), calls, "it is said before anything is fetched");
    let error = again.json()["error"].clone();
    assert_eq!((again.status.as_u16(), &error["code"]), (409, &json!("RESOURCE_CONFLICT")));
    assert!(error.to_string().contains(&first), "it names the source: {error}");
}

#[db_test]
async fn only_those_with_talents_have_sources(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let brand = &site.world().brand;
    let made = site.create(brand, &site.site.url("/feed"), json!({})).await;
    assert_eq!((made.status.as_u16(), &made.json()["error"]["code"]), (403, &json!("FORBIDDEN")));
    let listed = brand.external(&site.world().app, Method::GET, "/sources", None).await;
    assert_eq!(listed.status, 403);
    assert_eq!(site.asked("/feed"), 0, "nothing is fetched for them");
}

#[db_test]
async fn a_plan_limits_the_sources(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    site.source(&site.site.url("/feed"), json!({})).await;
    let used = "SELECT CAST(sources AS text) FROM tenant_usage WHERE sources > 0";
    assert_eq!(site.rows(used).await, [["1"]]);
    let full = "UPDATE tenant_usage SET sources = 5 WHERE sources = 1".to_owned();
    seed::run(&site.world().app.database.options, full).await;
    let made = site.create(&site.world().agency, &site.site.url("/other"), json!({})).await;
    let error = made.json()["error"].clone();
    assert_eq!((made.status.as_u16(), &error["code"]), (409, &json!("RESOURCE_CONFLICT")));
    assert_eq!((&error["details"]["limit"], &error["details"]["used"]), (&json!(5), &json!(5)));
    assert_eq!(site.asked("/other"), 0, "nothing is fetched");
}

#[db_test]
async fn a_deleted_source_leaves_its_mentions(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    let deleted = site.send(Method::DELETE, &format!("/sources/{id}"), None).await;
    assert_eq!(deleted.status, 204);
    let found = site.mentions().await;
    assert_eq!((&found[0]["platform"], &found[0]["source"]), (&Value::Null, &Value::Null));
    let state = "SELECT CAST(count(due_at) AS text), CAST(count(unwatched_at) AS text)
         FROM watched_feeds";
    assert_eq!(site.rows(state).await, [["0", "1"]]);
    assert_eq!(site.rows("SELECT name FROM sources").await.len(), 0);
    let used = "SELECT CAST(sum(sources) AS text) FROM tenant_usage";
    assert_eq!(site.rows(used).await, [["0"]]);
    site.advance(Duration::from_hours(48));
    assert_eq!(site.scan().await, 0);
}

#[db_test]
async fn a_mention_without_a_source_passes_to_the_next_that_finds_it(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    site.put_text("/other", &rss(&[("/1", SAID, None)]));
    let first = site.source(&site.site.url("/feed"), json!({})).await;
    let second = site.source(&site.site.url("/other"), json!({})).await;
    site.scan().await;
    let of = |found: &[Value]| text(&found[0]["source"]["id"]);
    let found = site.mentions().await;
    let (owner, other) = if of(&found) == first { (first, second) } else { (second, first) };
    assert_eq!((found.len(), of(&found)), (1, owner.clone()));
    site.send(Method::DELETE, &format!("/sources/{owner}"), None).await;
    site.scan_now(&other).await;
    assert_eq!(site.scan().await, 1);
    assert_eq!(of(&site.mentions().await), other);
}

#[db_test]
async fn a_source_is_watched_for_the_chosen_talents(site: Watching) {
    let world = site.world();
    let both = "Ann Byron met Grâce Hopper.";
    site.put_text("/feed", &rss(&[("/1", both, None)]));
    let body = json!({ "fullname": "Ann Byron" });
    let made = world.agency.console(&world.app, Method::POST, "/org/talent", Some(body)).await;
    let ann = text(&made.json()["data"]["talentId"]);
    let body = json!({
        "name": "Ann", "type": "advertising", "status": "private", "canCrawl": true,
    });
    let path = format!("/org/talent/license/{ann}");
    let made = world.agency.console(&world.app, Method::POST, &path, Some(body)).await;
    let license = text(&made.json()["data"]["licenseId"]);
    let id = site.source(&site.site.url("/feed"), json!({ "talents": [ann] })).await;
    site.scan().await;
    assert_eq!(site.watch.mentions(&license).await.len(), 1);
    assert_eq!(site.mentions().await.len(), 0, "nobody else is looked for");
    let all = Some(json!({ "talents": "all" }));
    let changed = site.send(Method::PATCH, &format!("/sources/{id}"), all).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
    site.scan_now(&id).await;
    assert_eq!(site.scan().await, 1);
    assert_eq!(site.mentions().await.len(), 1);
}

/// Each further item that names nobody costs the same, however many sources there are.
#[db_test]
async fn a_scan_costs_statements_for_what_it_reads(site: Watching) {
    let paths: Vec<String> = (0..40).map(|it| format!("/{it}")).collect();
    let feed = |count: usize| {
        let items: Vec<_> = paths[..count].iter().map(|it| (&**it, "Nobody", None)).collect();
        rss(&items)
    };
    site.put_text("/feed", &feed(10));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    let mut costs = vec![];
    for count in [10, 20, 40] {
        site.put_text("/feed", &feed(count));
        site.advance(Duration::from_mins(2));
        site.scan_now(&id).await;
        let before = site.app().store.statements();
        assert_eq!(site.scan().await, 1);
        costs.push(site.app().store.statements() - before);
    }
    // An item is looked up and stored: two statements each. A run that takes longer checks more
    // often whether it may continue, with two statements.
    assert!(costs[1] - costs[0] <= 24 && costs[2] - costs[1] <= 44, "{costs:?}");
}
