//! What was seen before: one mention of a talent at an address, whoever tells of it.

use std::time::Duration;

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{Watch, item, platform, push};

const PAGE: &str = "https://wire.example/1";

#[db_test]
async fn the_same_content_again_was_only_seen_again(watch: Watch) {
    let license = watch.license(json!({})).await;
    watch.say(PAGE, "Grace Hopper").await;
    let first = watch.mentions(&license).await;
    watch.world.app.clock.advance(Duration::from_mins(1));
    watch.say("http://wire.example/1?utm_source=x#top", "Grace Hopper").await;
    let second = watch.mentions(&license).await;
    let mut expected = first.clone();
    expected[0]["url"] = json!("http://wire.example/1");
    expected[0]["last_seen_at"] = second[0]["last_seen_at"].clone();
    assert_eq!(second, expected);
    assert!(second[0]["last_seen_at"].as_str() > first[0]["last_seen_at"].as_str());
}

#[db_test]
async fn what_did_not_change_is_told_once(watch: Watch) {
    watch.license(json!({})).await;
    for _ in 0..3 {
        watch.say(PAGE, "Grace Hopper").await;
    }
    assert_eq!(watch.told().await, ["mention.created"]);
}

#[db_test]
async fn changed_content_is_another_revision(watch: Watch) {
    let license = watch.license(json!({})).await;
    watch.say(PAGE, "Grace Hopper").await;
    let id = watch.mentions(&license).await[0]["id"].clone();
    let decision = Some(json!({ "status": "dismissed", "note": "fine" }));
    let path = format!("/mentions/{}", id.as_str().unwrap());
    watch.world.agency.external(&watch.world.app, Method::PATCH, &path, decision).await;
    watch.say(PAGE, "Grace Hopper was here").await;
    let now = &watch.mentions(&license).await[0];
    let kept = [&now["id"], &now["status"], &now["note"], &now["revision"], &now["excerpt"]];
    assert_eq!(json!(kept), json!([id, "dismissed", "fine", 2, "Grace Hopper was here"]));
    assert_eq!(watch.told().await, ["mention.created", "mention.updated", "mention.updated"]);
}

#[db_test]
async fn nobody_speaks_for_the_page_of_another(watch: Watch) {
    let license = watch.license(json!({})).await;
    watch.say(PAGE, "Grace Hopper").await;
    let before = watch.mentions(&license).await;
    let (world, agency) = (&watch.world, &watch.world.agency);
    let (_, pax) = platform(world, agency, "other.example").await;
    let told = push(world, agency, &pax, json!([item(PAGE, "Grace Hopper, licensed")])).await;
    let mention = &told.json()["data"]["items"][0]["mentions"][0];
    assert_eq!(mention["verdict"], "unlicensed", "the agency owns the license, the brand does not");
    assert_eq!(watch.mentions(&license).await, before);
}

#[db_test]
async fn a_page_passes_to_who_proved_its_domain(watch: Watch) {
    let license = watch.license(json!({})).await;
    let (world, agency) = (&watch.world, &watch.world.agency);
    let (_, pax) = platform(world, agency, "other.example").await;
    push(world, agency, &pax, json!([item(PAGE, "Grace Hopper")])).await;
    assert_eq!(watch.mentions(&license).await[0]["verdict"], "licensed");
    watch.say(PAGE, "Grace Hopper").await;
    assert_eq!(watch.mentions(&license).await[0]["verdict"], "licensed", "not proved yet");
    let proved = "UPDATE platforms SET status = 'verified', verified_at = 0, \
                  verification_method = 'file' WHERE domain = 'wire.example'";
    grantor_testkit::seed::run(&world.app.database.options, proved.to_owned()).await;
    watch.say(PAGE, "Grace Hopper").await;
    let now = &watch.mentions(&license).await[0];
    assert_eq!(
        (&now["verdict"], &now["platform"]["id"]),
        (&json!("unlicensed"), &json!(watch.platform))
    );
}

#[db_test]
async fn many_who_tell_the_same_make_one_mention(watch: Watch) {
    let license = watch.license(json!({})).await;
    let pushes = (0..8).map(|_| watch.say(PAGE, "Grace Hopper"));
    let found = futures_util::future::join_all(pushes).await;
    let first = &found[0][0]["mentionId"];
    assert!(found.iter().all(|it| it[0]["mentionId"] == *first), "{found:?}");
    assert_eq!(watch.mentions(&license).await.len(), 1);
    assert_eq!(watch.told().await, ["mention.created"]);
}
