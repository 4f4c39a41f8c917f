//! What is kept of what a source finds.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::evidence::sha256;
use grantor_testkit::db_test;
use grantor_testkit::listener::{Call, Listener, Script};
use http::Method;
use image::ImageFormat;
use serde_json::{Value, json};

use super::super::picture::{drawn, encoded};
use super::{SAID, Watching, rss};
use crate::license::text;
use crate::picture::add;

impl Watching {
    async fn evidence(&self) -> Vec<Value> {
        let mentions = self.mentions().await;
        let path = format!("/mentions/{}/evidence", text(&mentions[0]["id"]));
        self.world().get(&path).await.json()["revisions"].as_array().unwrap().clone()
    }

    /// The page of the evidence, for those who were given its link.
    async fn shared_evidence(&self) -> String {
        let (world, mentions) = (self.world(), self.mentions().await);
        let path = format!("/mentions/{}", text(&mentions[0]["id"]));
        let decision = json!({ "status": "confirmed", "allowed": false });
        world.agency.external(&world.app, Method::PATCH, &path, Some(decision)).await;
        let case = format!("{path}/case");
        let opened = world.agency.external(&world.app, Method::POST, &case, None).await.json();
        let link = text(&opened["evidence_url"]);
        let (_, code) = link.rsplit_once('/').unwrap();
        let shown = world.app.get(&format!("/evidence/{code}")).await;
        String::from_utf8(shown.body).unwrap()
    }

    /// Adds the drawing with this number as a reference image.
    async fn add_reference(&self, number: u32) {
        let picture = encoded(&drawn(number), ImageFormat::Png);
        let world = self.world();
        add(&world.app, &world.agency.console, &self.license, &[&picture]).await;
    }
}

#[db_test]
async fn the_response_is_kept(site: Watching) {
    let feed = rss(&[("/1", SAID, None)]);
    let head = format!(
        "HTTP/1.1 200 OK\r\nETag: \"7\"\r\nServer: nginx\r\nSet-Cookie: secret=1\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        feed.len()
    );
    site.put("/feed?a=1", Script::Raw([head.as_bytes(), feed.as_bytes()].concat()));
    site.source(&site.site.url("/feed?a=1"), json!({})).await;
    site.scan().await;
    let found = site.evidence().await.remove(0);
    let kept = ["method", "url", "final_url", "status", "body_sha256", "text"];
    let url = site.site.url("/feed?a=1");
    let expected = json!(["fetched", url, url, 200, sha256(feed.as_bytes()), SAID]);
    assert_eq!(json!(kept.map(|it| found[it].clone())), expected, "{found}");
    assert_eq!(found["headers"], json!({ "etag": "\"7\"", "server": "nginx" }));
    let page = site.shared_evidence().await;
    assert!(page.contains("<dt>ETag</dt>") && page.contains("<dt>Server</dt>"), "{page}");
}

/// The hashes of a picture are known from an earlier scan; for evidence it is fetched again, once.
#[db_test]
async fn a_known_picture_is_fetched_again_for_evidence(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", "Nobody is named.", Some("/a.png"))]));
    site.put("/a.png", Script::ok(&encoded(&drawn(1), ImageFormat::Png)));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    assert_eq!((site.asked("/a.png"), site.mentions().await.len()), (1, 0));
    site.add_reference(1).await;
    site.advance(Duration::from_mins(2));
    site.scan_now(&id).await;
    site.scan().await;
    assert_eq!(site.mentions().await.len(), 1);
    let found = site.evidence().await.remove(0);
    assert!(found["picture"]["copy"].is_object(), "{found}");
    assert_eq!(site.asked("/a.png"), 2);
    site.advance(Duration::from_mins(2));
    site.scan_now(&id).await;
    site.scan().await;
    assert_eq!((site.asked("/a.png"), site.evidence().await.len()), (2, 1), "nothing changed");
}

/// A site may take its time to answer.
#[db_test]
async fn the_time_is_when_the_response_arrived(site: Watching) {
    let (clock, feed) = (Arc::clone(&site.world().app.clock), rss(&[("/1", SAID, None)]));
    let answer = move |call: &Call| match call.path.as_str() {
        "/feed" => {
            clock.advance(Duration::from_secs(5));
            Script::ok(feed.as_bytes())
        }
        _ => Script::answer(404, b""),
    };
    let slow = Listener::start(answer).await.unwrap();
    site.source(&slow.url("/feed"), json!({})).await;
    site.scan().await;
    let found = site.evidence().await.remove(0);
    assert_eq!(found["captured_at"], json!(site.app().clock.now().to_string()));
}

#[db_test]
async fn a_picture_that_is_gone_is_said_to_be_missing(site: Watching) {
    site.put_text("/feed", &rss(&[("/1", "Nobody is named.", Some("/a.png"))]));
    site.put("/a.png", Script::ok(&encoded(&drawn(1), ImageFormat::Png)));
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    site.add_reference(1).await;
    site.put("/a.png", Script::answer(404, b""));
    site.advance(Duration::from_mins(2));
    site.scan_now(&id).await;
    site.scan().await;
    let found = site.evidence().await.remove(0);
    assert_eq!(found["picture"]["missing"], "unavailable", "{found}");
    assert_eq!(found["picture"]["url"], site.site.url("/a.png"));
    assert!(found["reference"]["copy"].is_object(), "{found}");
}
