//! Sites that mean harm, watched by sources: each costs bounded time and memory, shows as an error
//! of its own source, leads nowhere inside, and takes nothing from the source beside it.

use std::net::Ipv4Addr;
use std::time::Duration;

use grantor_domain::scan::RunOutcome;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test};
use serde_json::json;

use super::{SAID, Watching, rss};
use crate::console::scan::hostile::attacks;

const MIB: usize = 1024 * 1024;
/// A failing source is tried again within a day, or a little later.
const DAY: Duration = Duration::from_hours(26);
/// The same table is for pods, which do not watch pages.
const HTML: &str = "it is an HTML page, not a feed";

/// A site, and something inside that may not be reached.
struct Trap {
    site: Watching,
    inside: Listener,
}

impl Fixture for Trap {
    async fn on(engine: Engine) -> Self {
        Self::allowing(engine, "127.0.0.1/32, 127.0.0.2/32").await
    }
}

impl Trap {
    async fn allowing(engine: Engine, networks: &str) -> Self {
        let site = Watching::allowing(engine, networks).await;
        let address = (Ipv4Addr::new(127, 0, 0, 9), site.site.port()).into();
        let inside = Listener::bind(address, |_| Script::answer(404, b"")).await.unwrap();
        Self { site, inside }
    }

    /// Watches addresses whose content leads inside: by pictures, links and lists.
    async fn watch_leads(&self) {
        let (site, inside) = (&self.site, self.inside.url(""));
        let picture = format!("<enclosure url='{inside}/1.png' type='image/png'/>");
        let feed = format!(
            "<rss version='2.0'><channel><title>Leads</title><item><title>News</title>\
             <link>{inside}/post</link><description>{SAID}</description>{picture}</item>\
             <item><link>/2</link><enclosure url='/2.png' type='image/png'/></item>\
             </channel></rss>"
        );
        let page = format!(
            "<!doctype html><title>Leads</title><p>{SAID}</p><img src='{inside}/3.png' alt='x'>\
             <a href='{inside}/4'>More</a><a href='/5'>Here</a>"
        );
        let map = format!("<urlset><url><loc>{inside}/6</loc></url></urlset>");
        let maps =
            format!("<sitemapindex><sitemap><loc>{inside}/map</loc></sitemap></sitemapindex>");
        for (path, body) in [("/rss", feed), ("/page", page), ("/map", map), ("/maps", maps)] {
            site.put_text(path, &body);
            site.source(&site.site.url(path), json!({})).await;
        }
        for path in ["/2.png", "/5"] {
            site.put(path, Script::redirect(302, &format!("{inside}{path}")));
        }
    }
}

impl Watching {
    /// The outcome of a source's last run, and its reason.
    async fn last(&self, id: &str) -> (RunOutcome, String) {
        let run = self.shown(id).await.last_run.expect("a run");
        (run.outcome.expect("it ended"), run.reason.unwrap_or_default())
    }
}

#[db_test]
async fn hostile_feeds_fail_with_a_reason_and_a_good_one_goes_on(trap: Trap) {
    let (site, hourly) = (&trap.site, || json!({ "frequency": "hourly" }));
    site.put_text("/rss", &rss(&[("/1", SAID, None)]));
    site.put_text("/good", &rss(&[("/2", SAID, None)]));
    let bad = site.source(&site.site.url("/rss"), hourly()).await;
    let good = site.source(&site.neighbor("/good"), hourly()).await;
    assert_eq!(site.scan().await, 2);
    for (place, (script, reason)) in attacks(site.site.port()).into_iter().enumerate() {
        site.put("/rss", script);
        site.advance(DAY);
        assert_eq!(site.scan().await, 2, "attack {place}");
        let (outcome, found) = site.last(&bad).await;
        assert_eq!(outcome, RunOutcome::Failed, "attack {place}: {found}");
        assert!(found.contains(reason) && found.contains("/rss: "), "attack {place}: {found}");
        assert_eq!(site.last(&good).await, (RunOutcome::Ok, String::new()), "attack {place}");
    }
    assert!(site.site.sent() < 100 * MIB, "{} bytes were taken", site.site.sent());
    assert_eq!(trap.inside.connections(), 0);
    // The control: the same source reads what is sound, and then shows no error.
    site.put_text("/rss", &rss(&[("/1", SAID, None), ("/3", SAID, None)]));
    site.advance(DAY);
    assert_eq!(site.scan().await, 2);
    assert_eq!(site.last(&bad).await, (RunOutcome::Ok, String::new()));
    let found = site.rows("SELECT url FROM mentions ORDER BY url").await.concat();
    assert_eq!(found, [site.site.url("/1"), site.site.url("/3"), site.neighbor("/2")]);
}

#[db_test]
async fn hostile_addresses_are_refused_with_a_reason(trap: Trap) {
    let (site, agency) = (&trap.site, &trap.site.world().agency);
    let attacks = attacks(site.site.port()).into_iter().filter(|(_, reason)| *reason != HTML);
    for (place, (script, reason)) in attacks.enumerate() {
        site.put("/rss", script);
        let refused = site.create(agency, &site.site.url("/rss"), json!({})).await;
        let said = refused.json()["error"]["details"]["url"].clone();
        assert_eq!(refused.status, 400, "attack {place}: {said}");
        assert!(said.as_str().unwrap().contains(reason), "attack {place}: {said}");
    }
    assert!(site.site.sent() < 100 * MIB, "{} bytes were taken", site.site.sent());
    assert_eq!(trap.inside.connections(), 0);
    assert_eq!(site.rows("SELECT name FROM sources").await.len(), 0);
}

#[db_test]
async fn a_hostile_robots_file_fails_its_source(trap: Trap) {
    let site = &trap.site;
    site.put_text("/rss", &rss(&[("/1", SAID, None)]));
    let id = site.source(&site.site.url("/rss"), json!({ "frequency": "hourly" })).await;
    let before = site.asked("/rss");
    for (script, reason) in [
        (Script::Endless, "could not be read: the response is too large"),
        (Script::Drip(Duration::from_millis(50)), "could not be read: the request timed out"),
        (Script::Hang, "could not be read: the request timed out"),
        (Script::redirect(302, &trap.inside.url("/")), "could not be read: the URL must "),
        (Script::answer(500, b""), "returned status 500"),
    ] {
        site.put("/robots.txt", script);
        assert_eq!(site.scan().await, 1, "{reason}");
        let (outcome, found) = site.last(&id).await;
        let expected = format!("127.0.0.1:{}/rss: robots.txt {reason}", site.site.port());
        assert_eq!((outcome, found.starts_with(&expected)), (RunOutcome::Failed, true), "{found}");
        site.advance(DAY);
    }
    assert_eq!((site.asked("/rss"), trap.inside.connections()), (before, 0));
}

#[db_test]
async fn what_a_site_names_leads_nowhere_inside(trap: Trap) {
    trap.watch_leads().await;
    assert_eq!(trap.site.scan().await, 4);
    assert_eq!(trap.site.rows("SELECT outcome FROM feed_runs").await, [["ok"]; 4]);
    assert_eq!(trap.inside.connections(), 0);
}

/// The network where something inside may be reached.
struct OpenTrap(Trap);

impl Fixture for OpenTrap {
    async fn on(engine: Engine) -> Self {
        Self(Trap::allowing(engine, "127.0.0.0/8").await)
    }
}

/// The negative control: the same feed leads to a picture where that is allowed.
#[db_test]
async fn an_allowed_network_is_reached_by_the_same_sites(open: OpenTrap) {
    let OpenTrap(trap) = open;
    trap.watch_leads().await;
    assert_eq!(trap.site.scan().await, 4);
    let asked: Vec<String> = trap.inside.calls().into_iter().map(|it| it.path).collect();
    assert!(asked.iter().any(|it| it == "/1.png"), "{asked:?}");
}
