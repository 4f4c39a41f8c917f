//! When sources are scanned, and how politely.

use std::time::Duration;

use grantor_domain::scan::RunOutcome;
use grantor_service::watching::source;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use grantor_testkit::server::eventually;
use http::Method;
use serde_json::json;

use super::{AT_ONCE, SAID, Watching, rss};

const HOUR: Duration = Duration::from_hours(1);

/// The busy answer of a host that wants an hour of rest.
fn busy() -> Script {
    let head = "HTTP/1.1 429 Scripted\r\nretry-after: 3600\r\ncontent-length: 0\r\n";
    Script::Raw(format!("{head}connection: close\r\n\r\n").into_bytes())
}

impl Watching {
    /// How long from now a source's feed is due.
    async fn due_in(&self, id: &str) -> Duration {
        let due_at = self.shown(id).await.feed.due_at.expect("it is scheduled");
        due_at.since(self.app().clock.now())
    }
}

#[db_test]
async fn a_source_is_scanned_as_often_as_its_tenant_wishes(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let hourly = json!({ "frequency": "hourly" });
    let id = site.source(&site.site.url("/feed"), hourly).await;
    assert_eq!(site.scan().await, 1, "at once");
    assert_eq!(site.scan().await, 0);
    let due = site.due_in(&id).await;
    assert!((HOUR..HOUR + HOUR / 20).contains(&due), "spread a little: {due:?}");
    site.advance(due);
    assert_eq!(site.scan().await, 1);
    let shown = site.shown(&id).await;
    assert_eq!(shown.feed.last_scan_at, Some(site.app().clock.now()));
    assert_eq!(shown.last_run.unwrap().outcome, Some(RunOutcome::Ok));
}

#[db_test]
async fn a_scan_on_demand_comes_at_once_and_once_a_minute(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    let asked = site.scan_now(&id).await;
    assert!(asked.status.is_success(), "{}", asked.json());
    site.advance(Duration::from_secs(10));
    let again = site.scan_now(&id).await;
    assert_eq!((again.status.as_u16(), again.header("retry-after")), (429, Some("50")));
    let before = site.asked("/feed");
    assert_eq!((site.scan().await, site.scan().await), (1, 0));
    assert_eq!(site.asked("/feed"), before + 1);
    site.advance(Duration::from_secs(50));
    assert!(site.scan_now(&id).await.status.is_success());
}

#[db_test]
async fn a_paused_source_is_not_scanned(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let id = site.source(&site.site.url("/feed"), json!({ "status": "paused" })).await;
    assert_eq!(site.scan().await, 0);
    let path = format!("/sources/{id}");
    let set = async |status: &str| {
        let body = Some(json!({ "status": status }));
        let changed = site.send(Method::PATCH, &path, body).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    };
    set("running").await;
    assert_eq!((site.scan().await, site.mentions().await.len()), (1, 1));
    set("paused").await;
    assert_eq!(site.shown(&id).await.feed.due_at, None);
    let refused = site.scan_now(&id).await;
    assert_eq!(refused.status, 409, "{}", refused.json());
    site.advance(Duration::from_hours(200));
    assert_eq!(site.scan().await, 0);
}

#[db_test]
async fn a_failing_source_is_tried_ever_less_often(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let hourly = json!({ "frequency": "hourly" });
    let id = site.source(&site.site.url("/feed"), hourly).await;
    site.put("/feed", Script::answer(500, b""));
    let since = site.app().clock.now();
    for minutes in [15, 30, 60, 120] {
        assert_eq!(site.scan().await, 1);
        let (due, pause) = (site.due_in(&id).await, Duration::from_mins(minutes));
        assert!((pause..pause + pause / 20).contains(&due), "{minutes}: {due:?}");
        site.advance(due);
    }
    let shown = site.shown(&id).await;
    assert_eq!(shown.feed.failing_since, Some(since));
    let run = shown.last_run.unwrap();
    let reason = format!("127.0.0.1:{}/feed: the server returned status 500", site.site.port());
    assert_eq!((run.outcome, run.reason), (Some(RunOutcome::Failed), Some(reason)));
    let told = "SELECT name FROM sources WHERE failing_noticed_at IS NOT NULL";
    assert_eq!(site.rows(told).await.len(), 0, "not within a day");
    site.advance(Duration::from_hours(24));
    assert_eq!((site.scan().await, site.rows(told).await.len()), (1, 1));
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    site.advance(Duration::from_hours(26));
    assert_eq!((site.scan().await, site.rows(told).await.len()), (1, 0));
    let shown = site.shown(&id).await;
    assert_eq!((shown.feed.failing_since, shown.feed.failures), (None, 0));
    assert_eq!(site.rows("SELECT url FROM mentions").await.len(), 1);
}

#[db_test]
async fn a_host_that_wants_rest_gets_it_from_every_run(site: Watching) {
    for path in ["/one", "/two"] {
        site.put_text(path, &rss(&[("/1", SAID, None)]));
    }
    let one = site.source(&site.site.url("/one"), json!({ "frequency": "hourly" })).await;
    site.advance(Duration::from_secs(1));
    let two = site.source(&site.site.url("/two"), json!({ "frequency": "hourly" })).await;
    site.put("/one", busy());
    let before = site.asked("/two");
    assert_eq!(site.scan().await, 1, "the second is put back");
    assert_eq!((site.asked("/two"), site.due_in(&two).await), (before, HOUR));
    assert!(site.due_in(&one).await >= HOUR);
    let other = site.world().app.another_node(8).await;
    site.advance(Duration::from_secs(3_599));
    assert_eq!(source::scan_due(&other, AT_ONCE).await.unwrap(), 0);
    site.put_text("/one", &rss(&[("/1", SAID, None)]));
    site.advance(Duration::from_secs(1));
    assert_eq!(source::scan_due(&other, AT_ONCE).await.unwrap(), 2);
    assert_eq!(site.asked("/two"), before + 1);
}

/// The second of two feeds on one host waits until the first is done, on whichever node.
#[db_test]
async fn a_host_gets_one_request_at_a_time(site: Watching) {
    for path in ["/one", "/two"] {
        site.put_text(path, &rss(&[("/1", SAID, None)]));
    }
    site.source(&site.site.url("/one"), json!({})).await;
    site.advance(Duration::from_secs(1));
    let two = site.source(&site.site.url("/two"), json!({})).await;
    let before = (site.asked("/one"), site.asked("/two"));
    site.put("/one", Script::Hang);
    let app = site.app().clone();
    let hanging = tokio::spawn(async move {
        let claimed = source::claim(&app).await.unwrap().expect("a due feed");
        source::scan(&app, AT_ONCE, claimed, std::future::pending()).await.unwrap()
    });
    eventually("the first", async || (site.asked("/one") > before.0).then_some(())).await;
    let other = site.world().app.another_node(8).await;
    assert_eq!(source::scan_due(&other, AT_ONCE).await.unwrap(), 0);
    assert_eq!(site.asked("/two"), before.1, "it was put back");
    assert_eq!(site.due_in(&two).await, Duration::from_secs(2));
    assert_eq!(hanging.await.unwrap(), Some(RunOutcome::Failed));
    site.advance(Duration::from_secs(2));
    assert_eq!(source::scan_due(&other, AT_ONCE).await.unwrap(), 1);
    assert_eq!(site.asked("/two"), before.1 + 1);
}

#[db_test]
async fn robots_are_obeyed(site: Watching) {
    site.put_text("/robots.txt", "User-agent: *\nDisallow: /private\n");
    site.put_text("/private/feed", &rss(&[("/1", SAID, None)]));
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let refused =
        site.create(&site.world().agency, &site.site.url("/private/feed"), json!({})).await;
    let details = json!({ "url": "cannot be read: robots.txt does not allow it" });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (400, &details));
    assert_eq!(site.asked("/private/feed"), 0);
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.put_text("/robots.txt", "User-agent: *\nDisallow: /\n");
    let before = site.asked("/feed");
    assert_eq!((site.scan().await, site.asked("/feed")), (1, before));
    let run = site.shown(&id).await.last_run.unwrap();
    let reason = format!("127.0.0.1:{}/feed: robots.txt does not allow it", site.site.port());
    assert_eq!((run.outcome, run.reason), (Some(RunOutcome::Failed), Some(reason)));
}

/// Whether there is one or not.
#[db_test]
async fn robots_are_asked_for_once_in_a_scan(site: Watching) {
    let pages = ["/a", "/b", "/c"].map(|it| format!("<a href='{it}'>{it}</a>")).concat();
    site.put_text("/", &format!("<!doctype html><title>News</title><p>{SAID}</p>{pages}"));
    for path in ["/a", "/b", "/c"] {
        site.put_text(path, &format!("<!doctype html><title>News</title><p>{SAID}</p>"));
    }
    let id = site.source(&site.site.url("/"), json!({})).await;
    for rules in [Script::answer(404, b""), Script::ok(b"User-agent: *\n")] {
        site.put("/robots.txt", rules);
        let before = ["/robots.txt", "/c"].map(|it| site.asked(it));
        site.advance(Duration::from_hours(25));
        site.scan_now(&id).await;
        assert_eq!(site.scan().await, 1);
        let asked = ["/robots.txt", "/c"].map(|it| site.asked(it));
        assert_eq!(asked, before.map(|it| it + 1));
    }
}

/// Pictures that robots.txt forbids are skipped, and the run says so.
#[db_test]
async fn what_was_skipped_is_said(site: Watching) {
    site.put_text("/robots.txt", "User-agent: *\nDisallow: /pictures\n");
    site.put_text("/feed", &rss(&[("/1", SAID, Some("/pictures/1.jpg"))]));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    let run = site.shown(&id).await.last_run.unwrap();
    assert_eq!(run.outcome, Some(RunOutcome::Ok));
    let [skipped] = &*run.skipped else { panic!("{run:?}") };
    let what = format!("127.0.0.1:{}/pictures/1.jpg", site.site.port());
    let why = "robots.txt does not allow it";
    assert_eq!((&*skipped.what, &*skipped.why), (&*what, why));
    assert_eq!((site.asked("/pictures/1.jpg"), site.mentions().await.len()), (0, 1));
}
