//! Feeds that several tenants watch: none sees anything of the others, and the site gets no more
//! requests for them.

use std::time::Duration;

use grantor_testkit::app::TestConfig;
use grantor_testkit::{Engine, Fixture, db_test};
use http::Method;
use serde_json::{Value, json};

use super::{SAID, Watching, rss};
use crate::license::{Member, text};

const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

impl Watching {
    /// Another agency with a talent of this name, whose license is watched.
    async fn other(&self, talent: &str) -> Member {
        let app = &self.world().app;
        let cara = Member::join(app, "cara@example.com", Some("Agency")).await;
        let body = json!({ "fullname": talent });
        let made = cara.console(app, Method::POST, "/org/talent", Some(body)).await;
        let path = format!("/org/talent/license/{}", text(&made.json()["data"]["talentId"]));
        let body = json!({
            "name": "Theirs", "type": "advertising", "status": "private", "canCrawl": true,
        });
        let made = cara.console(app, Method::POST, &path, Some(body)).await;
        assert!(made.status.is_success(), "{}", made.json());
        cara
    }

    /// Watches a URL as somebody else and returns the answer.
    async fn joined(&self, who: &Member, url: &str) -> Value {
        let made = self.create(who, url, json!({})).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }

    async fn read(&self, who: &Member, path: &str) -> Value {
        let token = who.renewed(&self.world().app).await;
        self.world().app.request(Method::GET, path).bearer(&token).send().await.json()
    }

    /// Requests a scan of a source as somebody, and scans.
    async fn scan_for(&self, who: &Member, id: &str) {
        let token = who.renewed(&self.world().app).await;
        let path = format!("/sources/{id}/scan");
        let asked = self.world().app.request(Method::POST, &path).bearer(&token).send().await;
        assert!(asked.status.is_success(), "{}", asked.json());
        assert_eq!(self.scan().await, 1);
    }

    /// The mentions of each run of a source, newest first, as somebody sees them.
    async fn found(&self, who: &Member, id: &str) -> Vec<u64> {
        let runs = self.read(who, &format!("/sources/{id}/runs")).await;
        let count = |it: &Value| it["counts"]["mentions"].as_u64().unwrap();
        runs["runs"].as_array().unwrap().iter().map(count).collect()
    }
}

#[db_test]
async fn a_tenant_sees_its_own_scans_and_mentions_alone(site: Watching) {
    let agency = &site.world().agency;
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let own = site.source(&site.site.url("/feed"), json!({ "frequency": "hourly" })).await;
    site.scan().await;
    assert_eq!(site.found(agency, &own).await, [1]);
    site.advance(2 * HOUR);
    let cara = site.other("Ann Byron").await;
    let theirs = text(&site.joined(&cara, &site.site.url("/feed")).await["id"]);
    let path = format!("/sources/{theirs}");
    let before = site.read(&cara, &path).await;
    let state = ["last_run", "last_scan_at", "mention_count"].map(|it| before[it].clone());
    assert_eq!(state, [Value::Null, Value::Null, json!(0)], "nothing from before");
    assert_eq!(site.found(&cara, &theirs).await, [0; 0]);
    site.put_text("/feed", &rss(&[("/1", SAID, None), ("/2", SAID, None)]));
    assert_eq!(site.scan().await, 1);
    assert_eq!(site.found(agency, &own).await, [1, 1]);
    assert_eq!(site.found(&cara, &theirs).await, [0], "a mention of others does not count");
    let after = site.read(&cara, &path).await;
    assert_eq!(after["last_run"]["counts"]["mentions"], 0);
    // The agency has the feed scanned every hour, which is not Cara's to know.
    let next = site.app().clock.now().plus(DAY).to_string();
    assert_eq!(after["next_scan_at"], json!(next));
    let listed = site.read(&cara, "/sources").await;
    assert_eq!(listed["data"], json!([after]));
}

/// Neither a scan that somebody else requested nor what it does to the schedule can be seen.
#[db_test]
async fn a_scan_that_others_requested_is_not_shown(site: Watching) {
    let agency = &site.world().agency;
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let own = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    site.advance(2 * HOUR);
    let path = format!("/sources/{own}");
    let before = site.read(agency, &path).await;
    let cara = site.other("Ann Byron").await;
    let theirs = text(&site.joined(&cara, &site.site.url("/feed")).await["id"]);
    assert_eq!(site.read(agency, &path).await, before, "a scan that is due for others");
    assert_eq!(site.scan().await, 1);
    site.scan_for(&cara, &theirs).await;
    assert_eq!(site.found(&cara, &theirs).await, [0, 0]);
    assert_eq!(site.found(agency, &own).await, [1]);
    assert_eq!(site.read(agency, &path).await, before);

    site.advance(DAY);
    assert_eq!(site.scan().await, 1, "the regular scan was not put off");
    assert_eq!(site.found(&cara, &theirs).await, [0, 0, 0]);
    assert_eq!(site.found(agency, &own).await, [0, 1]);
    site.scan_for(agency, &own).await;
    assert_eq!(site.found(agency, &own).await, [0, 0, 1], "its own request is shown");
    assert_eq!(site.found(&cara, &theirs).await.len(), 3);
}

/// A source that is scanned daily shows a scan a day, also if others have its feed scanned every
/// hour, and theirs do not push out its own.
#[db_test]
async fn a_source_shows_scans_by_its_own_frequency(site: Watching) {
    let agency = &site.world().agency;
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let own = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    site.advance(2 * HOUR);
    let cara = site.other("Ann Byron").await;
    let hourly = json!({ "frequency": "hourly" });
    let made = site.create(&cara, &site.site.url("/feed"), hourly).await;
    let theirs = text(&made.json()["id"]);
    assert_eq!(site.scan().await, 1);
    for _ in 0..60 {
        site.advance(HOUR + HOUR / 20);
        assert_eq!(site.scan().await, 1);
    }
    assert_eq!(site.found(agency, &own).await, [0, 0, 1]);
    assert_eq!(site.found(&cara, &theirs).await, [0; 10]);
}

#[db_test]
async fn joining_a_feed_that_was_just_read_causes_no_request(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", "Ann Byron met Grâce Hopper.", None)]));
    let page = "<!doctype html><head><title>Blog</title>\
                <link rel=alternate type=application/rss+xml href='/feed'></head><p>Hello</p>";
    site.put_text("/blog", page);
    site.source(&site.site.url("/blog"), json!({ "frequency": "weekly" })).await;
    site.scan().await;
    site.advance(HOUR / 2);
    let cara = site.other("Ann Byron").await;
    let calls = site.site.calls().len();
    let made = site.joined(&cara, &site.site.url("/blog")).await;
    assert_eq!(site.site.calls().len(), calls, "no request at all");
    let found = json!({
        "title": "The Daily", "kind": "feed", "service": null, "feed_url": site.site.url("/feed"),
        "items": 1, "push_only": false, "note": null,
        "sample": [{ "title": "News", "url": site.site.url("/1"), "published_at": null }],
    });
    assert_eq!((&made["found"], &made["name"]), (&found, &json!("The Daily")));
    let within = site.app().clock.now().plus(HOUR).to_string();
    assert_eq!(made["next_scan_at"], json!(within), "when others scan is not told");
    assert_eq!(site.scan().await, 0);
    site.advance(HOUR / 2);
    assert_eq!(site.scan().await, 1, "within the hour, although the other is weekly");
    assert_eq!(site.found(&cara, &text(&made["id"])).await, [1]);
}

/// The address of the feed itself is known, too. After an hour it is looked at again.
#[db_test]
async fn a_feed_that_was_read_long_ago_is_looked_at(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    site.source(&site.site.url("/feed"), json!({ "frequency": "weekly" })).await;
    site.scan().await;
    site.advance(HOUR);
    let cara = site.other("Ann Byron").await;
    let before = site.asked("/feed");
    let made = site.joined(&cara, &site.site.url("/feed")).await;
    assert_eq!(site.asked("/feed"), before + 1);
    assert_eq!(made["next_scan_at"], json!(site.app().clock.now().to_string()));
    assert_eq!((site.scan().await, site.asked("/feed")), (1, before + 2));
}

/// A look keeps the distance of a scan.
struct Paced(Watching);

impl Fixture for Paced {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let look_pause = Duration::from_secs(1);
        let config = TestConfig { allowed, look_pause, ..TestConfig::default() };
        Self(Watching::with_config(engine, config).await)
    }
}

#[db_test]
async fn what_follows_a_look_waits_its_second(site: Paced) {
    let Paced(site) = site;
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    site.source(&site.site.url("/feed"), json!({})).await;
    let next = site.app().clock.now().plus(Duration::from_secs(1)).as_micros().to_string();
    let hosts = "SELECT host, CAST(next_at AS text) FROM scan_hosts WHERE run_id IS NULL";
    assert_eq!(site.rows(hosts).await, [["127.0.0.1".to_owned(), next]]);
}
