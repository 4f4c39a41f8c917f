//! The sample site: `serve --demo` serves it, scans it and tells about it, and its scans read
//! nothing else on this machine.

use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, Reply, eventually, exchange};
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{Client, printed, text};
use crate::server::send;

/// Starts a server with sample data and returns it with the screen that it prints.
async fn start(installation: &Installation) -> (GrantorProcess, String) {
    let file = installation.folder().join("printed");
    let server = GrantorProcess::start_printing(installation.command("serve --demo"), &file).await;
    let screen = printed(&file, "access_token").await;
    (server, screen)
}

/// The agency's API client, whose credentials are in the printed command.
async fn agency<'a>(server: &'a GrantorProcess, screen: &str) -> Client<'a> {
    let pair = screen.split("-d '").nth(1).and_then(|it| it.split('\'').next()).unwrap();
    let pair: Value = serde_json::from_str(pair).unwrap();
    let account = json!({ "apiKey": pair["api_key"], "apiSecret": pair["api_secret"] });
    Client::of(server, &account).await
}

/// Waits for the mention of a license with this title.
async fn found(agency: &Client<'_>, license: &str, title: &str) -> Value {
    let licenses = agency.list("/licenses?per_page=100").await;
    let license = licenses.iter().find(|it| it["external_id"] == license).unwrap();
    let path = format!("/licenses/{}/mentions?per_page=5", text(&license["id"]));
    eventually(title, async || agency.list(&path).await.into_iter().find(|it| it["title"] == title))
        .await
}

/// Waits until the sample site was scanned and all emails about it are composed, without waiting
/// for the minute in which emails of a kind are folded.
pub(super) async fn settled(installation: &Installation) {
    let options = installation.options();
    let ended = "SELECT outcome FROM feed_runs WHERE ended_at IS NOT NULL";
    let outcome =
        eventually("the first scan", async || seed::rows(&options, ended).await.into_iter().next())
            .await;
    assert_eq!(outcome, ["ok"]);
    let due = "UPDATE notices SET due_at = 0 WHERE due_at IS NOT NULL AND channel = 'now'";
    seed::run(&options, due.to_owned()).await;
    let waiting = "SELECT kind FROM notices WHERE due_at IS NOT NULL AND channel = 'now'";
    eventually("the emails", async || seed::rows(&options, waiting).await.is_empty().then_some(()))
        .await;
}

/// A page as a browser on this machine gets it.
async fn page(server: &GrantorProcess, path: &str) -> Reply {
    let host = server.address();
    let asked = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    exchange(server.connect().await, asked.as_bytes()).await.expect("an answer")
}

#[db_test]
async fn a_newcomer_sees_mentions_and_emails_soon_after_the_start(installation: Installation) {
    // The tests ask more often than a person would.
    let installation = installation.with("GRANTOR_LIMITS", "off");
    let (server, screen) = start(&installation).await;
    let site = format!("http://{}/sample-site/", server.address());
    assert!(screen.contains(&site), "{screen}");
    let agency = agency(&server, &screen).await;
    let sources = agency.list("/sources").await;
    let [source] = &*sources else { panic!("{sources:?}") };
    let shown = ["url", "frequency", "status"].map(|it| text(&source[it]));
    assert_eq!(shown, [site.as_str(), "hourly", "running"]);
    let source = json!({ "id": source["id"], "name": "The Corner Table" });
    for (license, title, slug, verdict, kind) in [
        ("QF-001", "Above the clouds", "above-the-clouds", "unlicensed", "image"),
        ("QF-009", "A piano in the station", "a-piano-in-the-station", "needs_review", "text"),
    ] {
        let mention = found(&agency, license, title).await;
        let shown = ["url", "verdict", "media_type", "status"].map(|it| text(&mention[it]));
        assert_eq!(shown, [&*format!("{site}posts/{slug}"), verdict, kind, "new"]);
        assert_eq!(mention["source"], source);
    }
    settled(&installation).await;
    for (talent, verdict) in [("Zoë Lindqvåg", "unlicensed"), ("Олена Ясновець", "needs review")]
    {
        let subject = format!("{talent} was found on {} ({verdict})", server.address());
        eventually(&subject, async || {
            page(&server, "/app/dev/mail").await.body.contains(&subject).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn the_site_can_be_read_like_any_other() {
    let installation = Installation::default();
    let (server, _) = start(&installation).await;
    let index = page(&server, "/sample-site/").await;
    let kind = Some("text/html; charset=utf-8");
    assert_eq!((index.status, index.header("content-type")), (200, kind));
    assert!(index.body.contains("href=\"/sample-site/feed.atom\""), "{}", index.body);
    let feed = page(&server, "/sample-site/feed.atom").await;
    let kind = Some("application/atom+xml; charset=utf-8");
    assert_eq!((feed.status, feed.header("content-type")), (200, kind));
    assert_eq!(feed.body.matches("<entry>").count(), 3);
    let bare = page(&server, "/sample-site").await;
    assert_eq!((bare.status, bare.header("location")), (308, Some("/sample-site/")));
    assert_eq!(page(&server, "/sample-site/posts/none").await.status, 404);
}

#[tokio::test]
async fn scans_read_nothing_else_on_this_machine() {
    let installation = Installation::default();
    let (server, screen) = start(&installation).await;
    let agency = agency(&server, &screen).await;
    let feed = b"<rss version='2.0'><channel><title>Inside</title></channel></rss>";
    let other = Listener::start(move |_| Script::ok(feed)).await.unwrap();
    let (own, port) = (server.address(), server.address().port());
    let bearer = format!("authorization: Bearer {}", agency.token);
    let watch = async |url: String| {
        let body = json!({ "url": url });
        let answer = send(server.connect().await, "POST /sources", &[&bearer], body).await;
        answer.expect("an answer")
    };
    for url in [
        other.url("/sample-site/feed.atom"),
        format!("http://{own}/app/dev/mail"),
        format!("http://localhost:{port}/sample-site/"),
        format!("https://{own}/sample-site/"),
    ] {
        let refused = watch(url.clone()).await;
        assert_eq!(refused.status, 400, "{url}: {}", refused.body);
        assert!(refused.json()["error"]["details"]["url"].is_string(), "{}", refused.body);
    }
    assert_eq!(other.connections(), 0);
    // The control: the site itself can be read, and is watched already.
    let known = watch(format!("http://{own}/sample-site/")).await;
    assert_eq!(known.status, 409, "{}", known.body);
}

#[tokio::test]
async fn without_demo_there_is_no_site_and_the_source_is_paused() {
    let installation = Installation::default();
    let made: Value = serde_json::from_str(&installation.run("demo --json").await.ok()).unwrap();
    assert_eq!(made["site"], made["source"]["url"]);
    let source = ["name", "status"].map(|it| text(&made["source"][it]));
    assert_eq!(source, ["The Corner Table", "paused"]);
    assert!(text(&made["site"]).ends_with("/sample-site/"), "{made}");
    let server = installation.serve().await;
    let agency = Client::of(&server, &made["accounts"][0]).await;
    let sources = agency.list("/sources").await;
    assert_eq!(sources[0]["id"], made["source"]["sourceId"]);
    assert_eq!(page(&server, "/sample-site/").await.status, 404);
    let bearer = format!("authorization: Bearer {}", agency.token);
    let body = json!({ "url": format!("http://{}/sample-site/", server.address()) });
    let refused = send(server.connect().await, "POST /sources", &[&bearer], body).await.unwrap();
    assert_eq!(refused.status, 400, "{}", refused.body);
}
