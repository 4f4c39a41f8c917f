//! Scans outside the schedule: on demand by staff, and when a license starts to be watched.

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{Site, rss, text};
use crate::console::refused;

#[db_test]
async fn staff_make_a_pod_scan_once_a_minute(site: Site) {
    site.put_text("/rss", &rss(&["/1"]));
    let pod = site.pod(&["/rss"]).await;
    site.scan().await;
    assert_eq!(site.scan().await, 0, "it is not due");
    let soon = site.make("scan", &pod).await;
    assert_eq!((soon.status.as_u16(), soon.header("retry-after")), (429, Some("60")));
    site.pass(1);
    let asked = site.make("scan", &pod).await;
    let body = asked.json();
    let message = json!("The pod scans within seconds");
    assert_eq!((asked.status.as_u16(), &body["message"]), (201, &message));
    assert_eq!(body["data"], site.shown(&pod).await);
    assert_eq!(site.scan().await, 1);
    assert_eq!(site.grounds.logged("pod.scan").await, 1);
    site.make("pause", &pod).await;
    site.pass(1);
    let message = "The pod is not running; start it first";
    let answer = site.make("scan", &pod).await;
    assert_eq!(answer.whole(), (409, refused("RESOURCE_CONFLICT", message)));
}

#[db_test]
async fn a_license_that_starts_to_be_watched_is_looked_for_at_once(site: Site) {
    site.put_text("/rss", &rss(&["/1"]));
    site.pod(&["/rss"]).await;
    site.scan().await;
    site.pass(5);
    let home = &site.grounds.home;
    let post = async |path: &str, body| home.send(Method::POST, path, Some(body)).await.json();
    let talent = post("/v1.0.1/org/talent", json!({ "fullname": "Grace Hopper" })).await;
    let path = format!("/v1.0.1/org/talent/license/{}", text(&talent["data"]["talentId"]));
    let body = json!({ "name": "Winter", "type": "voice", "status": "private" });
    let license = text(&post(&path, body).await["data"]["licenseId"]);
    assert_eq!(site.scan().await, 0, "it is not watched");
    let path = format!("/v1.0.1/org/license/{license}");
    let change = async |body| home.send(Method::PATCH, &path, Some(body)).await.status.as_u16();
    assert_eq!(change(json!({ "canCrawl": true })).await, 200);
    assert_eq!(site.scan().await, 1);
    assert_eq!(change(json!({ "description": "Long" })).await, 200);
    assert_eq!(site.scan().await, 0, "it was watched before");
    assert_eq!(change(json!({ "canCrawl": false })).await, 200);
    assert_eq!(change(json!({ "canCrawl": true })).await, 200);
    assert_eq!(site.scan().await, 0, "not twice within a minute");
    site.pass(1);
    assert_eq!(site.scan().await, 1);
}
