//! Who is watched, and whether a use is covered.

use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::Watch;
use crate::license::text;

const PAGE: &str = "https://wire.example/1";

fn verdict(found: &[Value]) -> (&str, &str) {
    let [mention] = found else { panic!("{found:?}") };
    (mention["verdict"].as_str().unwrap(), mention["verdictReason"].as_str().unwrap())
}

#[db_test]
async fn a_strong_match_without_a_permission_is_unlicensed(watch: Watch) {
    watch.license(json!({})).await;
    let found = watch.say(PAGE, "by GRACE\n hopper!").await;
    let reason = "Strong match, and the platform's organization has no permission";
    assert_eq!(verdict(&found), ("unlicensed", reason));
}

#[db_test]
async fn a_weak_match_without_a_permission_needs_review(watch: Watch) {
    watch.license(json!({})).await;
    let path = format!("/talent/{}", watch.world.talent);
    let one = json!({ "aliases": ["Hopperissima"] });
    watch.world.agency.console(&watch.world.app, Method::PATCH, &path, Some(one)).await;
    let found = watch.say(PAGE, "by Hopperissima").await;
    let reason = "Weak match, and the platform's organization has no permission";
    assert_eq!(verdict(&found), ("needs_review", reason));
}

#[db_test]
async fn a_permission_in_force_makes_it_licensed(watch: Watch) {
    let license = watch.license(json!({})).await;
    watch.world.grant(&license, "viewer").await;
    let found = watch.say(PAGE, "by Grace Hopper").await;
    let reason = "The platform's organization has an active permission";
    assert_eq!(verdict(&found), ("licensed", reason));
}

#[db_test]
async fn a_permission_that_is_not_in_force_needs_review(watch: Watch) {
    let license = watch.license(json!({ "validFrom": "2027-01-01T00:00:00Z" })).await;
    watch.world.grant(&license, "viewer").await;
    let found = watch.say(PAGE, "by Grace Hopper").await;
    let reason = "The platform's organization has a permission that is not active";
    assert_eq!(verdict(&found), ("needs_review", reason));
}

#[db_test]
async fn the_verdict_follows_the_permission(watch: Watch) {
    let license = watch.license(json!({})).await;
    assert_eq!(verdict(&watch.say(PAGE, "Grace Hopper").await).0, "unlicensed");
    let granted = watch.world.grant(&license, "viewer").await.json();
    assert_eq!(verdict(&watch.say(PAGE, "Grace Hopper").await).0, "licensed");
    let id = text(&granted["data"]["permissionId"]);
    let path = format!("/org/license/{license}/permissions/{id}");
    watch.world.agency.console(&watch.world.app, Method::DELETE, &path, None).await;
    assert_eq!(verdict(&watch.say(PAGE, "Grace Hopper").await).0, "unlicensed");
    assert_eq!(watch.told().await, ["mention.created", "mention.updated", "mention.updated"]);
}

#[db_test]
async fn only_licenses_that_are_watched_get_mentions(watch: Watch) {
    watch.license(json!({ "canCrawl": false })).await;
    watch.license(json!({ "status": "draft" })).await;
    let soon = watch.world.app.clock.now().plus(Duration::from_mins(1)).to_string();
    watch.license(json!({ "expiresAt": soon })).await;
    let gone = watch.license(json!({})).await;
    let path = format!("/org/license/{gone}");
    watch.world.agency.console(&watch.world.app, Method::DELETE, &path, None).await;
    watch.world.app.clock.advance(Duration::from_mins(2));
    assert_eq!(watch.say(PAGE, "Grace Hopper").await, Vec::<Value>::new());
    let public = watch.license(json!({ "status": "public" })).await;
    let found = watch.say(PAGE, "Grace Hopper").await;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["licenseId"], public);
}

#[db_test]
async fn names_are_known_from_the_moment_they_are_written(watch: Watch) {
    let license = watch.license(json!({ "canCrawl": false })).await;
    assert!(watch.say(PAGE, "Rear Admiral").await.is_empty());
    let path = format!("/talent/{}", watch.world.talent);
    let alias = json!({ "aliases": ["Rear Admiral"] });
    watch.world.agency.console(&watch.world.app, Method::PATCH, &path, Some(alias)).await;
    assert!(watch.say(PAGE, "Rear Admiral").await.is_empty(), "it is not watched");
    watch.world.patch(&license, json!({ "can_crawl": true })).await;
    assert_eq!(watch.say(PAGE, "Rear Admiral").await[0]["match"]["term"], "Rear Admiral");
    assert!(watch.say(PAGE, "Amazing Grace").await.is_empty(), "that alias is gone");
}
