//! Pods at work: what they fetch from a platform, how they behave there, and what they store.

mod behavior;
mod charset;
mod demand;
pub(crate) mod hostile;
mod sharing;

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_domain::id::PodId;
use grantor_domain::scan::{PodRun, RunOutcome};
use grantor_outbound::TimeLimits;
use grantor_service::App;
use grantor_service::watching::pod::{self, Pace};
use grantor_testkit::app::{Answer, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::server::eventually;
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::{Value, json};

use super::admin::staff;
use super::platform::{Grounds, shown, text};

/// No waiting in tests.
const AT_ONCE: Pace = Pace { pause: Duration::ZERO };
const ETAG: &str = "\"one\"";

type Pages = Arc<Mutex<Vec<(String, Script)>>>;

/// An organization with a site, and staff that moves pods.
struct Site {
    grounds: Grounds,
    listener: Listener,
    /// The same site at 127.0.0.2 and 127.0.0.3, which are different hosts to a client.
    _neighbors: [Listener; 2],
    pages: Pages,
    token: String,
}

impl Fixture for Site {
    async fn on(engine: Engine) -> Self {
        let total = Duration::from_secs(2);
        let times = TimeLimits { total, ..TimeLimits::default() };
        let allowed = "127.0.0.0/8".parse().unwrap();
        let grounds =
            Grounds::with_config(engine, TestConfig { allowed, times, ..TestConfig::default() })
                .await;
        let token = staff(&grounds.home.app, "root@example.com", AdminRole::Admin).await;
        let pages = Pages::default();
        let open = async |last: u8, port: u16| {
            let (shown, address) = (Arc::clone(&pages), Ipv4Addr::new(127, 0, 0, last));
            Listener::bind((address, port).into(), move |call| page(&shown, call)).await.unwrap()
        };
        let listener = open(1, 0).await;
        let neighbors = [open(2, listener.port()).await, open(3, listener.port()).await];
        Self { grounds, listener, _neighbors: neighbors, pages, token }
    }
}

/// Unknown paths are a 404; a known `ETag` is a 304.
fn page(pages: &Pages, call: &Call) -> Script {
    if call.header("if-none-match") == Some(ETAG) {
        return Script::answer(304, b"");
    }
    let pages = pages.lock().unwrap();
    let found = pages.iter().find(|(path, _)| *path == call.path);
    found.map_or_else(|| Script::answer(404, b""), |(_, script)| script.clone())
}

impl Site {
    fn app(&self) -> &App {
        &self.grounds.home.app.app
    }

    fn put(&self, path: &str, script: Script) {
        let mut pages = self.pages.lock().unwrap();
        pages.retain(|(known, _)| known != path);
        pages.push((path.to_owned(), script));
    }

    fn put_text(&self, path: &str, body: &str) {
        self.put(path, Script::ok(body.as_bytes()));
    }

    /// Creates a verified platform on the site with these feeds, and starts its pod.
    async fn pod(&self, feeds: &[&str]) -> Value {
        let hourly = json!({ "detectionFrequency": "hourly" });
        let pod = self.pod_at(&self.at("127.0.0.1"), feeds, hourly).await;
        self.make("start", &pod).await;
        pod
    }

    /// The site's URL at one of its hosts.
    fn at(&self, host: &str) -> String {
        format!("{host}:{}", self.listener.port())
    }

    async fn pod_at(&self, domain: &str, feeds: &[&str], settings: Value) -> Value {
        let feeds: Vec<_> = feeds.iter().map(|it| format!("http://{domain}{it}")).collect();
        let made = json!({ "domain": domain, "feedUrls": feeds, "settings": settings });
        let platform = self.grounds.platform(made).await;
        let proved = "UPDATE platforms SET status = 'verified', verification_method = 'dns',
            verified_at = 1";
        self.grounds.run(proved.to_owned()).await;
        let platform = json!({ "platformId": platform["platformId"] });
        let body = json!({ "platform": platform, "scopes": ["crawl"] });
        let request = self.grounds.home.app.request(http::Method::POST, "/v1.0.1/pax/pod");
        let made = request.bearer(&self.token).json(&body).send().await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()["data"].clone()
    }

    async fn make(&self, verb: &str, pod: &Value) -> Answer {
        let path = format!("/v1.0.1/pax/{verb}/pod/{}", text(&pod["podId"]));
        let request = self.grounds.home.app.request(http::Method::POST, &path);
        request.bearer(&self.token).send().await
    }

    /// The pod as shown to staff.
    async fn shown(&self, pod: &Value) -> Value {
        let path = format!("/v1.0.1/pax/pod/{}", text(&pod["podId"]));
        let request = self.grounds.home.app.request(http::Method::GET, &path);
        request.bearer(&self.token).send().await.json()["data"].clone()
    }

    /// Scans the due pods and returns their number.
    async fn scan(&self) -> u64 {
        pod::scan_due(self.app(), AT_ONCE).await.unwrap()
    }

    /// Starts scanning the due pods on another node.
    fn scanning(&self) -> tokio::task::JoinHandle<u64> {
        let app = self.app().clone();
        tokio::spawn(async move { pod::scan_due(&app, AT_ONCE).await.unwrap() })
    }

    async fn runs(&self, pod: &Value) -> Vec<PodRun> {
        pod::last_runs(self.app(), id(pod)).await.unwrap()
    }

    /// The outcome of the last run and its reason.
    async fn last(&self, pod: &Value) -> (RunOutcome, String) {
        let run = self.runs(pod).await.remove(0);
        (run.outcome.expect("it ended"), run.reason.unwrap_or_default())
    }

    /// The scanned URLs, without the host.
    async fn looked_at(&self) -> Vec<String> {
        let rows = self.grounds.rows("SELECT url_key FROM scanned_items ORDER BY url_key").await;
        rows.concat().iter().map(|it| it[it.find('/').unwrap()..].to_owned()).collect()
    }

    /// How often each path was requested.
    fn asked(&self, path: &str) -> usize {
        self.listener.calls().iter().filter(|it| it.path == path).count()
    }

    /// Waits until a path was requested.
    async fn until_asked(&self, path: &str) {
        eventually(path, async || (self.asked(path) > 0).then_some(())).await;
    }

    fn pass(&self, minutes: u64) {
        self.grounds.home.app.clock.advance(Duration::from_mins(minutes));
    }
}

fn id(pod: &Value) -> PodId {
    text(&pod["podId"]).parse().unwrap()
}

/// An RSS feed with items at these paths.
fn rss<T: AsRef<str>>(paths: &[T]) -> String {
    let item = |it: &T| {
        let path = it.as_ref();
        format!("<item><title>About {path}</title><link>{path}</link></item>")
    };
    let items: String = paths.iter().map(item).collect();
    format!("<rss version='2.0'><channel><title>News</title>{items}</channel></rss>")
}

/// A response with an `ETag`.
fn tagged(body: &str) -> Script {
    let head = format!("HTTP/1.1 200 OK\r\netag: {ETAG}\r\ncontent-length: {}\r\n", body.len());
    Script::Raw(format!("{head}connection: close\r\n\r\n{body}").into_bytes())
}

#[db_test]
async fn feeds_of_every_kind_are_read(site: Site) {
    site.put_text("/rss", &rss(&["/1", "/2"]));
    site.put_text(
        "/atom",
        "<feed xmlns='http://www.w3.org/2005/Atom'><id>x</id><title>x</title>
         <entry><id>1</id><title>Three</title><link href='/3'/></entry></feed>",
    );
    let item = json!({ "id": "4", "url": "/4", "content_text": "Four" });
    let feed = json!({ "version": "https://jsonfeed.org/version/1.1", "items": [item] });
    site.put_text("/json", &feed.to_string());
    let page = format!("http://127.0.0.1:{}/5", site.listener.port());
    site.put_text("/map", &format!("<urlset><url><loc>{page}</loc></url></urlset>"));
    site.put_text("/5", "<title>Five</title><p>Fifth</p>");
    let pod = site.pod(&["/rss", "/atom", "/json", "/map"]).await;
    assert_eq!(site.scan().await, 1);
    assert_eq!(site.looked_at().await, ["/1", "/2", "/3", "/4", "/5"]);
    let details = site.shown(&pod).await;
    let counts = json!({ "requests": 6, "errors": 0, "items": 5, "newItems": 5, "mentions": 0 });
    let run = json!({
        "startedAt": "2026-01-01T00:00:00.000000Z", "endedAt": "2026-01-01T00:00:00.000000Z",
        "outcome": "ok", "reason": null, "counts": counts,
    });
    assert_eq!(details["lastRuns"], json!([run]));
    let metrics = json!({ "uptime": 0, "requestCount": 6, "errorRate": 0.0 });
    assert_eq!(details["metrics"], metrics);
    let platform = site.grounds.get(&shown(&details)).await.json()["data"].clone();
    let statistics = json!({
        "contentScanned": 5, "nilDetections": 0, "lastScanAt": "2026-01-01T00:00:00.000000Z",
    });
    assert_eq!(platform["statistics"], statistics);
}

#[db_test]
async fn content_is_counted_once_for_each_change(site: Site) {
    site.put_text("/rss", &rss(&["/1", "/2"]));
    let pod = site.pod(&["/rss"]).await;
    site.scan().await;
    site.pass(60);
    let changed = rss(&["/1", "/2", "/3"]).replace("About /2", "More about /2");
    site.put_text("/rss", &changed);
    site.scan().await;
    let counts = site.runs(&pod).await.remove(0).counts;
    assert_eq!((counts.items, counts.new_items), (3, 2));
    let scanned = "SELECT CAST(content_scanned AS text) FROM platforms";
    assert_eq!(site.grounds.rows(scanned).await, [["4"]]);
}

#[db_test]
async fn pictures_are_fetched_once(site: Site) {
    let item = |it: u8| {
        format!("<item><link>/{it}</link><enclosure url='/{it}.png' type='image/png'/></item>")
    };
    let feed = |to| {
        let items: String = (1..=to).map(item).collect();
        format!("<rss version='2.0'><channel>{items}</channel></rss>")
    };
    site.put_text("/rss", &feed(2));
    site.put_text("/1.png", "a picture");
    let pod = site.pod(&["/rss"]).await;
    site.scan().await;
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()), "one is not there");
    site.pass(60);
    site.put_text("/rss", &feed(3));
    site.put("/3.png", Script::answer(500, b""));
    site.scan().await;
    let note = "an image could not be read: the server returned status 500";
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, note.to_owned()));
    site.pass(60);
    site.put_text("/3.png", "another");
    site.scan().await;
    let asked = ["/1.png", "/2.png", "/3.png"].map(|it| site.asked(it));
    assert_eq!(asked, [1, 1, 2], "only what may come is asked for again");
}

#[db_test]
async fn pages_of_sitemaps_are_fetched_when_they_change(site: Site) {
    let origin = format!("http://127.0.0.1:{}", site.listener.port());
    let entry = |it: &(&str, &str)| {
        format!("<url><loc>{origin}{}</loc><lastmod>{}</lastmod></url>", it.0, it.1)
    };
    let map = |pages: &[(&str, &str)]| {
        format!("<urlset>{}</urlset>", pages.iter().map(entry).collect::<String>())
    };
    let lists = format!(
        "<sitemapindex><sitemap><loc>{origin}/map</loc></sitemap>
         <sitemap><loc>https://other.example/map</loc></sitemap></sitemapindex>"
    );
    site.put_text("/lists", &lists);
    site.put_text(
        "/map",
        &map(&[("/a", "2025-01-01"), ("/b", "2025-01-01"), ("/gone", "2025-01-01")]),
    );
    site.put_text("/a", "<p>A</p>");
    site.put_text("/b", "<p>B</p>");
    let pod = site.pod(&["/lists"]).await;
    site.scan().await;
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()));
    site.pass(60);
    site.put_text(
        "/map",
        &map(&[("/a", "2025-01-02"), ("/b", "2025-01-01"), ("/gone", "2025-01-01")]),
    );
    site.scan().await;
    let asked = ["/lists", "/map", "/a", "/b", "/gone"].map(|it| site.asked(it));
    assert_eq!(asked, [2, 2, 2, 1, 1]);
}

#[db_test]
async fn a_long_sitemap_is_read_run_by_run(site: Site) {
    let origin = format!("http://127.0.0.1:{}", site.listener.port());
    let entry = |it| format!("<url><loc>{origin}/{it}</loc></url>");
    let map: String = (0..130).map(entry).collect();
    site.put("/map", tagged(&format!("<urlset>{map}</urlset>")));
    let pod = site.pod(&["/map"]).await;
    site.scan().await;
    let note = "100 of 130 pages were read; the rest follow in the next run";
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, note.to_owned()));
    site.pass(60);
    site.scan().await;
    assert_eq!((site.looked_at().await.len(), site.asked("/map")), (130, 2));
    assert_eq!(site.last(&pod).await, (RunOutcome::Ok, String::new()));
    site.pass(60);
    site.scan().await;
    assert_eq!(site.runs(&pod).await[0].counts.requests, 2, "nothing is left: rules and a 304");
}
