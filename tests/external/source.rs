//! `/sources`, `/sources/{id}` and scans on demand.

use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_service::watching::pod::Pace;
use grantor_service::watching::source;
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, World, text};

const START: &str = "2026-01-01T00:00:00.000000Z";
const UNKNOWN: &str = "0190a5e4-7b3c-7def-8123-456789abcdef";
/// No waiting in tests.
const AT_ONCE: Pace = Pace { pause: Duration::ZERO };

/// An agency with a talent, Grâce Hopper, and a site that anybody may watch.
struct Watch {
    world: World,
    site: Listener,
}

impl Fixture for Watch {
    async fn on(engine: Engine) -> Self {
        let allowed = "127.0.0.0/8".parse().unwrap();
        let config = TestConfig { limits: Limits::off(), allowed, ..TestConfig::default() };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let site = Listener::start(page).await.unwrap();
        Self { world, site }
    }
}

/// Every path below `/feeds/` is a feed of its own.
fn page(call: &Call) -> Script {
    if !call.path.starts_with("/feeds/") {
        return Script::answer(404, b"");
    }
    let item = |number: u8, said: &str| {
        format!(
            "<item><title>Post {number}</title><link>/posts/{number}</link>
             <description>{said}</description></item>"
        )
    };
    let items = item(1, "Grace Hopper is in town.") + &item(2, "Nobody is.");
    let title = format!("<title>News of {}</title>", call.path);
    let feed = format!("<rss version='2.0'><channel>{title}{items}</channel></rss>");
    Script::ok(feed.as_bytes())
}

impl Watch {
    async fn send(&self, member: &Member, what: &str, body: Option<Value>) -> Answer {
        let (method, path) = what.split_once(' ').unwrap();
        member.external(&self.world.app, method.parse().unwrap(), path, body).await
    }

    async fn ask(&self, what: &str, body: Option<Value>) -> Answer {
        self.send(&self.world.agency, what, body).await
    }

    async fn watch(&self, path: &str) -> Value {
        let made = self.ask("POST /sources", Some(json!({ "url": self.site.url(path) }))).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }

    async fn names(&self, query: &str) -> (Vec<String>, u64) {
        let answer = self.ask(&format!("GET /sources{query}"), None).await;
        let body = answer.json();
        assert_eq!(answer.status, 200, "{body}");
        let names = body["data"].as_array().unwrap().iter().map(|it| text(&it["name"]));
        (names.collect(), body["pagination"]["total"].as_u64().unwrap())
    }

    async fn scan(&self) -> u64 {
        source::scan_due(&self.world.app.app, AT_ONCE).await.unwrap()
    }

    /// Makes the agency's admin somebody with this role.
    async fn demote(&self, role: &str) {
        let script = format!(
            "UPDATE memberships SET role = '{role}' WHERE user_id IN (
               SELECT user_id FROM users WHERE email = 'ada@example.com')"
        );
        seed::run(&self.world.app.database.options, script).await;
        self.world.app.clock.advance(Duration::from_secs(2));
    }
}

fn refusal(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), text(&answer.json()["error"]["code"]))
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[db_test]
async fn a_new_source_says_what_was_found(watch: Watch) {
    let url = watch.site.url("/feeds/a");
    let body = json!({ "url": url, "frequency": "hourly" });
    let answer = watch.ask("POST /sources", Some(body)).await;
    let item = |number: u8| {
        let url = watch.site.url(&format!("/posts/{number}"));
        json!({ "title": format!("Post {number}"), "url": url, "published_at": null })
    };
    let mut source = json!({
        "id": answer.json()["id"], "url": url, "name": "News of /feeds/a", "frequency": "hourly",
        "status": "running", "stopped_at": null, "talents": "all", "kind": "feed",
        "service": null, "feed_url": url, "push_only": false,
        "push": {
            "status": "off", "hub": null, "active_until": null,
            "reason": "the address names no hub that can be subscribed to",
        },
        "last_scan_at": null,
        "next_scan_at": START, "failing_since": null, "last_run": null, "mention_count": 0,
        "created_at": START, "updated_at": START,
    });
    let mut created = source.clone();
    created["found"] = json!({
        "title": "News of /feeds/a", "kind": "feed", "service": null, "feed_url": url,
        "items": 2, "sample": [item(1), item(2)], "push_only": false, "note": null,
    });
    assert_eq!(answer.whole(), (201, created));
    let shown = watch.ask(&format!("GET /sources/{}", text(&source["id"])), None).await;
    assert_eq!(shown.whole(), (200, source.clone()));
    let pagination = json!({
        "page": 1, "per_page": 20, "total": 1, "total_pages": 1, "has_next": false,
        "has_prev": false,
    });
    let listed = watch.ask("GET /sources", None).await;
    assert_eq!(listed.whole(), (200, json!({ "data": [source.take()], "pagination": pagination })));
}

#[db_test]
async fn what_a_source_finds_becomes_a_mention(watch: Watch) {
    let license = watch.world.license(json!({ "canCrawl": true })).await;
    let made = watch.watch("/feeds/a").await;
    assert_eq!(watch.scan().await, 1);
    let path = format!("/sources/{}", text(&made["id"]));
    let source = watch.ask(&format!("GET {path}"), None).await.json();
    assert_eq!((&source["mention_count"], &source["failing_since"]), (&json!(1), &Value::Null));
    let run = &source["last_run"];
    assert_eq!((&run["outcome"], &run["skipped"]), (&json!("ok"), &json!([])));
    assert_eq!((&run["counts"]["items"], &run["counts"]["mentions"]), (&json!(2), &json!(1)));
    let runs = watch.ask(&format!("GET {path}/runs"), None).await;
    assert_eq!(runs.whole(), (200, json!({ "runs": [run] })));
    let mentions = watch.world.get(&format!("/licenses/{license}/mentions")).await.json();
    let mention = &mentions["data"][0];
    let found_by = json!({ "id": made["id"], "name": "News of /feeds/a" });
    assert_eq!((&mention["platform"], &mention["source"]), (&Value::Null, &found_by));
    assert_eq!(mention["verdict"], "needs_review", "a name alone is no use");

    let gone = watch.ask(&format!("DELETE {path}"), None).await;
    assert_eq!((gone.status.as_u16(), gone.body.is_empty()), (204, true));
    let again = watch.ask(&format!("GET {path}"), None).await;
    assert_eq!(refusal(&again), refused(404, "NOT_FOUND"));
    let mentions = watch.world.get(&format!("/licenses/{license}/mentions")).await.json();
    assert_eq!(mentions["pagination"]["total"], 1, "mentions stay");
    assert_eq!(mentions["data"][0]["source"], Value::Null);
}

#[db_test]
async fn sources_are_filtered_ordered_and_counted(watch: Watch) {
    for name in ["a", "b", "c"] {
        watch.watch(&format!("/feeds/{name}")).await;
        watch.world.app.clock.advance(Duration::from_secs(1));
    }
    let all = watch.ask("GET /sources", None).await.json();
    let paused = format!("PATCH /sources/{}", text(&all["data"][1]["id"]));
    watch.ask(&paused, Some(json!({ "status": "paused" }))).await;
    for (query, names, total) in [
        ("", "cba", 3),
        ("?status=paused", "b", 1),
        ("?status=running", "ca", 2),
        ("?per_page=2&page=2", "a", 3),
    ] {
        let expected = names.chars().map(|it| format!("News of /feeds/{it}")).collect();
        assert_eq!(watch.names(query).await, (expected, total), "{query}");
    }
    let wrong = watch.ask("GET /sources?page=0&per_page=101&status=x", None).await;
    let details = wrong.json()["error"]["details"].clone();
    let named: Vec<_> = details.as_object().unwrap().keys().cloned().collect();
    assert_eq!((wrong.status.as_u16(), named.join(" ")), (400, "page per_page status".to_owned()));
}

#[db_test]
async fn every_member_that_does_not_fit_is_named(watch: Watch) {
    let body = json!({
        "url": " ", "name": "", "frequency": "often", "status": "on", "talents": "some",
    });
    let answer = watch.ask("POST /sources", Some(body)).await;
    let details = json!({
        "url": "is required",
        "name": "must be 1 to 120 characters",
        "frequency": "must be one of hourly, daily, weekly",
        "status": "must be one of running, paused",
        "talents": "must be \"all\" or a list of talent IDs",
    });
    assert_eq!((answer.status.as_u16(), &answer.json()["error"]["details"]), (400, &details));
    for talents in [json!([]), json!([7]), json!(["x"]), json!([UNKNOWN]), json!({})] {
        let body = json!({ "url": watch.site.url("/feeds/a"), "talents": talents });
        let answer = watch.ask("POST /sources", Some(body)).await;
        assert_eq!(refusal(&answer), refused(400, "VALIDATION_ERROR"), "{talents}");
        assert!(answer.json()["error"]["details"]["talents"].is_string(), "{talents}");
    }
    let nothing = watch.site.url("/nothing");
    for url in ["ftp://example.com/", "https://www.instagram.com/ada", &nothing] {
        let answer = watch.ask("POST /sources", Some(json!({ "url": url }))).await;
        assert_eq!(refusal(&answer), refused(400, "VALIDATION_ERROR"), "{url}");
        assert!(answer.json()["error"]["details"]["url"].is_string(), "{url}");
    }
    assert_eq!(watch.names("").await, (vec![], 0), "nothing was stored");
}

#[db_test]
async fn a_source_is_changed_paused_and_resumed(watch: Watch) {
    let made = watch.watch("/feeds/a").await;
    let path = format!("/sources/{}", text(&made["id"]));
    let talents = json!([watch.world.talent]);
    let body = json!({ "name": "The News", "frequency": "weekly", "talents": talents });
    let changed = watch.ask(&format!("PATCH {path}"), Some(body.clone())).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
    for member in ["name", "frequency", "talents"] {
        assert_eq!(changed.json()[member], body[member], "{member}");
    }
    let paused = watch.ask(&format!("PATCH {path}"), Some(json!({ "status": "paused" }))).await;
    let paused = paused.json();
    assert_eq!((&paused["status"], &paused["next_scan_at"]), (&json!("paused"), &Value::Null));
    let scan = watch.ask(&format!("POST {path}/scan"), None).await;
    assert_eq!(refusal(&scan), refused(409, "RESOURCE_CONFLICT"));
    let resumed = watch.ask(&format!("PATCH {path}"), Some(json!({ "status": "running" }))).await;
    assert_eq!(resumed.json()["status"], "running");
    let nulls = json!({ "name": null, "frequency": null, "status": null, "talents": null });
    let answer = watch.ask(&format!("PATCH {path}"), Some(nulls)).await;
    let details = answer.json()["error"]["details"].clone();
    assert_eq!((answer.status.as_u16(), details.as_object().unwrap().len()), (400, 4));
}

#[db_test]
async fn a_change_can_require_what_was_read(watch: Watch) {
    let made = watch.watch("/feeds/a").await;
    let path = format!("/sources/{}", text(&made["id"]));
    let shown = watch.ask(&format!("GET {path}"), None).await;
    let tag = shown.header("etag").expect("a tag").to_owned();
    let patch = async |tag: &str, name: &str| {
        let request = watch.world.app.request(Method::PATCH, &path);
        let request = request.bearer(&watch.world.agency.external).header("if-match", tag);
        request.json(&json!({ "name": name })).send().await
    };
    assert_eq!(patch(&tag, "One").await.status, 200);
    assert_eq!(refusal(&patch(&tag, "Two").await), refused(412, "PRECONDITION_FAILED"));
    let request = watch.world.app.request(Method::GET, &path).bearer(&watch.world.agency.external);
    assert_eq!(request.header("if-none-match", &tag).send().await.status, 200, "it has changed");
}

#[db_test]
async fn a_scan_on_demand_comes_once_a_minute(watch: Watch) {
    let made = watch.watch("/feeds/a").await;
    watch.scan().await;
    assert_eq!(watch.scan().await, 0, "it is not due");
    let scan = format!("POST /sources/{}/scan", text(&made["id"]));
    assert_eq!(watch.ask(&scan, None).await.status, 200);
    assert_eq!(watch.scan().await, 1);
    let soon = watch.ask(&scan, None).await;
    assert_eq!(refusal(&soon).0, 429);
    assert_eq!(soon.header("retry-after"), Some("60"));
    watch.world.app.clock.advance(Duration::from_mins(1));
    assert_eq!(watch.ask(&scan, None).await.status, 200);
}

#[db_test]
async fn an_address_is_watched_once_for_each_tenant(watch: Watch) {
    let made = watch.watch("/feeds/a").await;
    let body = json!({ "url": watch.site.url("/feeds/a") });
    let again = watch.ask("POST /sources", Some(body.clone())).await;
    assert_eq!(refusal(&again), refused(409, "RESOURCE_CONFLICT"));
    assert_eq!(again.json()["error"]["details"]["source_id"], made["id"]);
    let other = Member::join(&watch.world.app, "mary@example.com", Some("Agency")).await;
    assert_eq!(watch.send(&other, "POST /sources", Some(body)).await.status, 201);
    let before = watch.site.calls().iter().filter(|it| it.path == "/feeds/a").count();
    assert_eq!(watch.scan().await, 1);
    let after = watch.site.calls().iter().filter(|it| it.path == "/feeds/a").count();
    assert_eq!(after - before, 1, "one fetch for both");
}

#[db_test]
async fn a_retry_creates_nothing_twice(watch: Watch) {
    let post = async || {
        let request = watch.world.app.request(Method::POST, "/sources");
        let request = request.bearer(&watch.world.agency.external);
        let body = json!({ "url": watch.site.url("/feeds/a") });
        request.header("idempotency-key", "k-1").json(&body).send().await
    };
    let (first, again) = (post().await, post().await);
    assert_eq!((first.status.as_u16(), first.whole()), (201, again.whole()));
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(watch.names("").await.1, 1);
}

#[db_test]
async fn a_plan_has_so_many_sources(watch: Watch) {
    for number in 1..=5 {
        watch.watch(&format!("/feeds/{number}")).await;
    }
    let calls = watch.site.connections();
    let body = json!({ "url": watch.site.url("/feeds/6") });
    let sixth = watch.ask("POST /sources", Some(body)).await;
    assert_eq!(sixth.status, 409);
    assert_eq!(watch.site.connections(), calls, "nothing is fetched in vain");
}

#[db_test]
async fn only_those_who_have_talents_watch(watch: Watch) {
    let made = watch.watch("/feeds/a").await;
    let path = format!("/sources/{}", text(&made["id"]));
    let body = json!({ "url": watch.site.url("/feeds/b") });
    let brand = &watch.world.brand;
    for (what, body) in [("GET /sources", None), ("POST /sources", Some(body.clone()))] {
        assert_eq!(refusal(&watch.send(brand, what, body).await), refused(403, "FORBIDDEN"));
    }
    let other = Member::join(&watch.world.app, "mary@example.com", Some("Agency")).await;
    for verb in ["GET", "PATCH", "DELETE"] {
        let body = (verb == "PATCH").then(|| json!({ "name": "Mine" }));
        let answer = watch.send(&other, &format!("{verb} {path}"), body).await;
        assert_eq!(refusal(&answer), refused(404, "NOT_FOUND"), "{verb}");
    }
    let scan = watch.send(&other, &format!("POST {path}/scan"), None).await;
    assert_eq!(refusal(&scan), refused(404, "NOT_FOUND"));
    watch.demote("Team_Member").await;
    assert_eq!(watch.ask(&format!("GET {path}"), None).await.status, 200);
    let answer = watch.ask("POST /sources", Some(body)).await;
    assert_eq!(refusal(&answer), refused(403, "INSUFFICIENT_PERMISSIONS"));
}

#[db_test]
async fn a_lead_watches_for_their_own_teams(watch: Watch) {
    watch.demote("Team_Lead").await;
    for talents in [json!("all"), json!([watch.world.talent])] {
        let body = json!({ "url": watch.site.url("/feeds/a"), "talents": talents });
        let answer = watch.ask("POST /sources", Some(body)).await;
        assert_eq!(refusal(&answer), refused(403, "ACCESS_DENIED"), "{talents}");
    }
}
