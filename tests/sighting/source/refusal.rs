//! Why an address cannot be watched, as people read it.

use grantor_domain::network::PLAIN_HTTP;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use http::Method;
use image::ImageFormat;
use serde_json::{Value, json};

use super::{SAID, Watching, rss};
use crate::sighting::picture::{drawn, encoded};

impl Watching {
    /// The reason at the field of the address.
    async fn refusal(&self, url: &str) -> String {
        let refused = self.create(&self.world().agency, url, json!({})).await;
        assert_eq!(refused.status, 400, "{url}: {}", refused.json());
        refused.json()["error"]["details"]["url"].as_str().expect("a reason").to_owned()
    }
}

#[db_test]
async fn what_is_no_feed_and_no_page_is_named(site: Watching) {
    site.put("/a.png", Script::ok(&encoded(&drawn(1), ImageFormat::Png)));
    site.put_text("/cut", "<rss version='2.0'><channel><title>News</title><item>");
    site.put_text("/app", "<!doctype html><title>App</title><div id=app></div>");
    for (path, reason) in [
        ("/a.png", "is a picture. Paste the address of the page that shows it"),
        ("/cut", "has a feed that is damaged or incomplete: it ends unexpectedly"),
        ("/app", "is a page without text, pictures or links that could be watched"),
        ("/nothing", "cannot be read: the server returned status 404"),
    ] {
        assert_eq!(site.refusal(&site.site.url(path)).await, reason, "{path}");
    }
}

/// `robots.txt` is not what keeps anybody from a host that cannot be reached.
#[db_test]
async fn a_host_that_cannot_be_reached_is_named(site: Watching) {
    for (url, reason) in [
        ("https://10.0.0.1/feed", "cannot be read: the URL must resolve to a public address"),
        // As a check says it.
        ("http://8.8.8.8/feed", PLAIN_HTTP),
        ("http://nowhere.invalid/feed", PLAIN_HTTP),
        ("http://127.0.0.1:1/feed", "cannot be read: the connection failed"),
    ] {
        assert_eq!(site.refusal(url).await, reason, "{url}");
    }
}

#[db_test]
async fn a_busy_site_is_tried_again_when_it_asks_for_that(site: Watching) {
    for (path, rest, when) in
        [("/unknown", "", "a few minutes"), ("/later", "retry-after: 3600\r\n", "1 hour")]
    {
        let head = format!("HTTP/1.1 429 Scripted\r\n{rest}content-length: 0\r\n");
        site.put(path, Script::Raw(format!("{head}connection: close\r\n\r\n").into_bytes()));
        let reason = format!("cannot be read now: the site asks us to wait. Try again in {when}");
        assert_eq!(site.refusal(&site.site.url(path)).await, reason);
    }
    // Another address of the same host has to wait too, and is not requested.
    let calls = site.site.connections();
    let reason = "cannot be read now: the site asks us to wait. Try again in 1 hour";
    assert_eq!(site.refusal(&site.site.url("/other")).await, reason);
    assert_eq!(site.site.connections(), calls);
}

#[db_test]
async fn talents_of_others_are_refused_before_anything_is_fetched(site: Watching) {
    let unknown = json!({ "talents": ["0190a5e4-7b3c-7def-8123-456789abcdef"] });
    let refused = site.create(&site.world().agency, &site.site.url("/feed"), unknown).await;
    let details = json!({ "talents": "must be talents of your organization" });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (400, &details));
    assert_eq!(site.site.connections(), 0);
}

/// A post leads to the feed of its site.
#[db_test]
async fn a_post_of_a_watched_feed_names_the_feed(site: Watching) {
    site.put_text("/feed", &rss(&[("/post", SAID, None)]));
    let link = "<link rel=alternate type='application/rss+xml' href='/feed'>";
    site.put_text("/post", &format!("<!doctype html><title>News</title>{link}<p>{SAID}</p>"));
    let (feed, post) = (site.site.url("/feed"), site.site.url("/post"));
    let known = site.source(&feed, json!({})).await;
    for (url, message) in [
        (&feed, "You already watch this address".to_owned()),
        (&post, format!("This address leads to {feed}, which you already watch")),
    ] {
        let refused = site.create(&site.world().agency, url, json!({})).await;
        let error = refused.json()["error"].clone();
        assert_eq!((refused.status.as_u16(), &error["message"]), (409, &json!(message)));
        assert_eq!(error["details"]["source_id"], json!(known));
    }
}

#[db_test]
async fn members_that_a_source_ignores_are_named(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", SAID, None)]));
    let path = format!("/sources/{}", site.source(&site.site.url("/feed"), json!({})).await);
    let change = async |body: Value| site.send(Method::PATCH, &path, Some(body)).await;
    let changed = change(json!({ "name": "News", "url": "https://a.example", "x": 1 })).await;
    assert_eq!((changed.status.as_u16(), &changed.json()["name"]), (200, &json!("News")));
    assert_eq!(changed.header("x-ignored-fields"), Some("url, x"));
    assert_eq!(changed.json()["url"], json!(site.site.url("/feed")));
    assert_eq!(change(json!({ "name": "Other" })).await.header("x-ignored-fields"), None);
}
