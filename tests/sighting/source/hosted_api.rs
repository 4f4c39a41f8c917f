//! Services whose `robots.txt` forbids their feeds, read by their official APIs with a key of the
//! operator. The APIs are a server of the test, and answer as their references document.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::limit::Limits;
use grantor_domain::platform::DetectionFrequency;
use grantor_domain::source::{
    Feed, FeedKind, HostedService, Source, SourceName, SourceStatus, WatchedTalents,
};
use grantor_service::watching::source;
use grantor_service::watching::{HostedApis, RedditApi, YouTubeApi};
use grantor_storage::{feed, source as stored};
use grantor_testkit::app::{Answer, TestApp, TestConfig};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{Engine, Fixture, db_test, seed};
use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{AT_ONCE, Pages, page};
use crate::license::{World, text};
use crate::sighting::Watch;

const KEY: &str = "the-key-of-the-operator";
const SECRET: &str = "the-secret-of-the-operator";
const CHANNEL: &str = "https://www.youtube.com/channel/UCabc";
const CHANNELS: &str = "/youtube/v3/channels?part=snippet%2CcontentDetails&id=UCabc";
const UPLOADS: &str =
    "/youtube/v3/playlistItems?part=snippet%2CcontentDetails&maxResults=50&playlistId=UUabc";
const TOKEN: &str = "/reddit/api/v1/access_token";
const POSTS: &str = "/oauth/r/engines/new?limit=100&raw_json=1";

/// An agency with a watched license, and a server with keys for APIs that the test serves.
struct Hosted {
    watch: Watch,
    license: String,
    api: Listener,
    pages: Pages,
}

impl Fixture for Hosted {
    async fn on(engine: Engine) -> Self {
        let pages = Pages::default();
        let shown = Arc::clone(&pages);
        let api = Listener::start(move |call| page(&shown, call)).await.unwrap();
        let youtube = YouTubeApi::new(&api.url("/youtube/v3/"), KEY.into());
        let (site, oauth) = (api.url("/reddit"), api.url("/oauth"));
        let reddit = RedditApi::new(&site, &oauth, "client".into(), SECRET.into());
        let config = TestConfig {
            limits: Limits::off(),
            allowed: "127.0.0.0/8".parse().unwrap(),
            hosted_apis: HostedApis { youtube: Some(youtube), reddit: Some(reddit) },
            ..TestConfig::default()
        };
        let world = World::in_app(TestApp::with_config(engine, config).await).await;
        let watch = Watch::over(world).await;
        let license = watch.license(json!({})).await;
        Self { watch, license, api, pages }
    }
}

impl Hosted {
    fn app(&self) -> &TestApp {
        &self.watch.world.app
    }

    fn put(&self, path: &str, script: Script) {
        let mut pages = self.pages.lock().unwrap();
        pages.retain(|(known, _)| known != path);
        pages.push((path.to_owned(), script));
    }

    fn put_json(&self, path: &str, body: &Value) {
        self.put(path, Script::ok(body.to_string().as_bytes()));
    }

    /// A channel with a video that names the talent.
    fn put_channel(&self) {
        let channel = json!({
            "kind": "youtube#channelListResponse",
            "items": [{
                "kind": "youtube#channel", "id": "UCabc",
                "snippet": { "title": "Engines" },
                "contentDetails": { "relatedPlaylists": { "likes": "", "uploads": "UUabc" } },
            }],
        });
        self.put_json(CHANNELS, &channel);
        let thumbnail = json!({ "url": self.api.url("/thumbnail.jpg"), "width": 480 });
        let videos = json!({
            "kind": "youtube#playlistItemListResponse",
            "items": [{
                "kind": "youtube#playlistItem",
                "snippet": {
                    "publishedAt": "2025-12-31T10:00:00Z", "title": "An interview",
                    "description": "With Grâce Hopper & others.", "channelTitle": "Engines",
                    "thumbnails": { "high": thumbnail }, "playlistId": "UUabc", "position": 0,
                    "resourceId": { "kind": "youtube#video", "videoId": "a-B_1" },
                },
                "contentDetails": { "videoPublishedAt": "2025-12-31T10:00:00Z" },
            }],
        });
        self.put_json(UPLOADS, &videos);
    }

    /// A subreddit with a post that names the talent.
    fn put_subreddit(&self) {
        let token = json!({
            "access_token": "token-1", "token_type": "bearer", "expires_in": 3600, "scope": "*",
        });
        self.put_json(TOKEN, &token);
        let post = json!({
            "kind": "t3",
            "data": {
                "title": "In town", "selftext_html": "<div><p>Grâce Hopper is here.</p></div>",
                "author": "ada", "created_utc": 1_767_225_000.0, "url": "https://www.reddit.com/x",
                "permalink": "/r/engines/comments/1/in_town/",
            },
        });
        self.put_json(POSTS, &json!({ "kind": "Listing", "data": { "children": [post] } }));
    }

    async fn create(&self, url: &str) -> Answer {
        let agency = &self.watch.world.agency;
        let body = Some(json!({ "url": url, "frequency": "hourly" }));
        agency.external(self.app(), Method::POST, "/sources", body).await
    }

    async fn created(&self, url: &str) -> Value {
        let made = self.create(url).await;
        assert_eq!(made.status, 201, "{}", made.json());
        made.json()
    }

    async fn shown(&self, id: &Value) -> Value {
        self.watch.world.get(&format!("/sources/{}", text(id))).await.json()
    }

    async fn scan(&self) -> u64 {
        source::scan_due(&self.app().app, AT_ONCE).await.unwrap()
    }

    fn calls(&self, path: &str) -> Vec<Call> {
        self.api.calls().into_iter().filter(|it| it.path == path).collect()
    }

    async fn rows(&self, query: &str) -> Vec<Vec<String>> {
        seed::rows(&self.app().database.options, query).await
    }
}

#[db_test]
async fn a_youtube_channel_is_read_with_the_operators_key(hosted: Hosted) {
    hosted.put_channel();
    let made = hosted.created(CHANNEL).await;
    let found = json!({
        "title": "Engines", "kind": "feed", "service": "youtube",
        "feed_url": "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc", "items": 1,
        "sample": [{
            "title": "An interview", "url": "https://www.youtube.com/watch?v=a-B_1",
            "published_at": "2025-12-31T10:00:00.000000Z",
        }],
        "push_only": false,
        "note": "The service does not allow reading its feeds, so its official API is read with a \
                 key of this server.",
    });
    assert_eq!((&made["found"], &made["push_only"]), (&found, &json!(false)));
    assert_eq!(made["push"]["hub"], "pubsubhubbub.appspot.com", "its hub pushes, too");
    assert_eq!(hosted.scan().await, 1);
    let mentions = hosted.watch.mentions(&hosted.license).await;
    let told = ["/url", "/title", "/source/name"].map(|it| mentions[0].pointer(it).cloned());
    let expected = ["https://www.youtube.com/watch?v=a-B_1", "An interview", "Engines"];
    assert_eq!(told, expected.map(|it| Some(json!(it))));

    let calls = hosted.api.calls();
    assert_eq!(calls[0].path, CHANNELS, "no robots.txt is read for an API");
    for call in [hosted.calls(CHANNELS), hosted.calls(UPLOADS)].concat() {
        assert_eq!(call.header("x-goog-api-key"), Some(KEY), "{}", call.path);
    }
    assert_eq!((hosted.calls(CHANNELS).len(), hosted.calls(UPLOADS).len()), (2, 2));
    assert!(calls.iter().all(|it| !it.path.contains(KEY)), "no URL has the key");
    let path = format!("/mentions/{}/evidence", text(&mentions[0]["id"]));
    let evidence = hosted.watch.world.get(&path).await.json();
    assert_eq!(evidence["revisions"][0]["url"], hosted.api.url(UPLOADS));
    assert!(!evidence.to_string().contains(KEY), "{evidence}");
}

#[db_test]
async fn a_scan_on_demand_asks_the_api(hosted: Hosted) {
    hosted.put_channel();
    let made = hosted.created(CHANNEL).await;
    assert_eq!(hosted.scan().await, 1);
    let scan = format!("/sources/{}/scan", text(&made["id"]));
    let agency = &hosted.watch.world.agency;
    assert_eq!(agency.external(hosted.app(), Method::POST, &scan, None).await.status, 200);
    assert_eq!((hosted.scan().await, hosted.calls(UPLOADS).len()), (1, 3));
    let run = hosted.shown(&made["id"]).await["last_run"].clone();
    assert_eq!((&run["outcome"], &run["counts"]["mentions"]), (&json!("ok"), &json!(0)));
    assert_eq!(hosted.watch.mentions(&hosted.license).await.len(), 1);
}

#[db_test]
async fn a_spent_quota_is_the_reason_of_a_failure(hosted: Hosted) {
    hosted.put_channel();
    let made = hosted.created(CHANNEL).await;
    let error = json!({
        "error": { "code": 403, "errors": [{ "reason": "quotaExceeded", "message": "x" }] },
    });
    hosted.put(UPLOADS, Script::answer(403, error.to_string().as_bytes()));
    assert_eq!(hosted.scan().await, 1);
    let shown = hosted.shown(&made["id"]).await;
    let reason =
        "www.youtube.com/feeds/videos.xml: YouTube's API returned status 403 (quotaExceeded)";
    let run = &shown["last_run"];
    assert_eq!((&run["outcome"], &run["reason"]), (&json!("failed"), &json!(reason)));
    let refused = hosted.create("https://www.youtube.com/channel/UCother").await;
    let details = &refused.json()["error"]["details"];
    assert_eq!(details["url"], "cannot be read: YouTube's API returned status 404");
}

#[db_test]
async fn a_playlist_has_its_own_title(hosted: Hosted) {
    let items =
        "/youtube/v3/playlistItems?part=snippet%2CcontentDetails&maxResults=50&playlistId=PLx";
    hosted.put_json(items, &json!({ "items": [] }));
    let playlist = json!({ "items": [{ "id": "PLx", "snippet": { "title": "All talks" } }] });
    hosted.put_json("/youtube/v3/playlists?part=snippet&id=PLx", &playlist);
    let made = hosted.created("https://www.youtube.com/playlist?list=PLx").await;
    assert_eq!((&made["name"], &made["found"]["items"]), (&json!("All talks"), &json!(0)));
    assert_eq!(made["push"]["status"], "off", "playlists have no hub");
}

#[db_test]
async fn a_subreddit_is_read_with_the_operators_client(hosted: Hosted) {
    hosted.put_subreddit();
    let made = hosted.created("https://old.reddit.com/r/engines/top/").await;
    assert_eq!((&made["name"], &made["service"]), (&json!("r/engines"), &json!("reddit")));
    assert_eq!(hosted.scan().await, 1);
    let mentions = hosted.watch.mentions(&hosted.license).await;
    let url = "https://www.reddit.com/r/engines/comments/1/in_town/";
    assert_eq!((&mentions[0]["url"], &mentions[0]["author"]), (&json!(url), &json!("ada")));

    let asked = hosted.calls(TOKEN);
    assert_eq!(asked.len(), 1, "the token is kept");
    // The ID and the secret, as RFC 7617 has them.
    let basic = "Basic Y2xpZW50OnRoZS1zZWNyZXQtb2YtdGhlLW9wZXJhdG9y";
    assert_eq!(asked[0].header("authorization"), Some(basic));
    let sent = (&*asked[0].method, std::str::from_utf8(&asked[0].body));
    assert_eq!(sent, ("POST", Ok("grant_type=client_credentials")));
    let agent = format!("server:grantor:{} (https://grantor.test)", env!("CARGO_PKG_VERSION"));
    for call in hosted.calls(POSTS) {
        assert_eq!(call.header("authorization"), Some("bearer token-1"));
        assert_eq!(call.header("user-agent"), Some(&*agent));
    }
    assert_eq!(hosted.calls(POSTS).len(), 2);
}

#[db_test]
async fn a_token_that_is_over_is_replaced(hosted: Hosted) {
    hosted.put_subreddit();
    let made = hosted.created("https://www.reddit.com/r/engines").await;
    hosted.app().clock.advance(Duration::from_mins(59));
    assert_eq!(hosted.scan().await, 1);
    assert_eq!(hosted.calls(TOKEN).len(), 2);
    // The API may end a token earlier than it said.
    hosted.put(POSTS, Script::answer(401, br#"{ "message": "Unauthorized", "error": 401 }"#));
    hosted.app().clock.advance(Duration::from_hours(2));
    assert_eq!(hosted.scan().await, 1);
    assert_eq!(hosted.calls(TOKEN).len(), 4, "a new one is tried once");
    let tenant = hosted.watch.world.agency.organization.parse().unwrap();
    let id = text(&made["id"]).parse().unwrap();
    let shown = source::get(&hosted.app().app, tenant, id).await.unwrap();
    let reason = shown.last_run.unwrap().reason.unwrap();
    assert!(reason.ends_with("Reddit's API returned status 401 (Unauthorized)"), "{reason}");
}

#[db_test]
async fn a_client_that_reddit_refuses_is_not_told_with_its_secret(hosted: Hosted) {
    hosted.put(TOKEN, Script::ok(br#"{ "error": "invalid_grant" }"#));
    let refused = hosted.create("https://www.reddit.com/r/engines").await;
    assert_eq!(refused.status, 400);
    let body = refused.json().to_string();
    assert!(body.contains("Reddit did not accept the key of this server"), "{body}");
    assert!(!body.contains(SECRET), "{body}");
}

/// The negative control: the same addresses without keys.
#[db_test]
async fn without_a_key_the_refusal_stays(watch: Watch) {
    let agency = &watch.world.agency;
    let body = Some(json!({ "url": "https://www.reddit.com/r/engines" }));
    let refused = agency.external(&watch.world.app, Method::POST, "/sources", body).await;
    let reason = "cannot be watched: Reddit's robots.txt does not allow reading its feeds, and \
                  Reddit does not announce new posts with WebSub";
    let details = refused.json()["error"]["details"].clone();
    assert_eq!((refused.status.as_u16(), details), (400, json!({ "url": reason })));
}

/// A feed that was pushed alone is also read once the operator has a key.
#[db_test]
async fn a_new_key_reads_what_hubs_pushed(hosted: Hosted) {
    hosted.put_channel();
    hosted.created(CHANNEL).await;
    let pushed = "UPDATE watched_feeds SET push_only = TRUE, due_at = NULL, fetch_wanted = FALSE";
    seed::run(&hosted.app().database.options, pushed.to_owned()).await;
    assert_eq!(hosted.scan().await, 0);
    let app = &hosted.app().app;
    assert_eq!(source::adopt_keys(app).await, Ok(1));
    assert_eq!(source::adopt_keys(app).await, Ok(0));
    assert_eq!(hosted.scan().await, 1);
    assert_eq!(hosted.watch.mentions(&hosted.license).await.len(), 1);
    let state = "SELECT service FROM watched_feeds WHERE NOT push_only AND due_at IS NOT NULL";
    assert_eq!(hosted.rows(state).await, [["youtube"]]);
}

#[db_test]
async fn a_key_that_was_removed_is_missed(watch: Watch) {
    let (app, now) = (&watch.world.app.app, watch.world.app.app.clock.now());
    let feed = Feed {
        id: app.ids.next(),
        url: "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc".to_owned(),
        kind: FeedKind::Feed,
        service: Some(HostedService::YouTube),
        profile: Some(CHANNEL.to_owned()),
        title: "Engines".to_owned(),
        push_only: false,
        due_at: None,
        last_scan_at: None,
        failing_since: None,
        failures: 0,
        created_at: now,
    };
    let source = Source {
        id: app.ids.next(),
        tenant: watch.world.agency.organization.parse().unwrap(),
        feed: feed.id,
        url: CHANNEL.to_owned(),
        name: SourceName::parse("Engines").unwrap(),
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
    let (tenant, id) = (source.tenant, source.id);
    let written: grantor_storage::Result<()> = app
        .store
        .write(move |tx| {
            feed::put(tx, &feed)?;
            stored::insert(tx, &source)?;
            feed::reschedule(tx, feed.id, now)
        })
        .await;
    written.unwrap();
    assert_eq!(source::scan_due(app, AT_ONCE).await, Ok(1));
    let run = source::get(app, tenant, id).await.unwrap().last_run.unwrap();
    let reason = "www.youtube.com/feeds/videos.xml: this server has no key for YouTube's API";
    assert_eq!(run.reason.as_deref(), Some(reason));
}
