//! The end of a subscription.

use grantor_domain::websub::HubStatus;
use grantor_service::watching::websub;
use grantor_testkit::db_test;

use super::{DAY, RSS, Stage};

#[db_test]
async fn a_feed_without_running_sources_is_unsubscribed(stage: Stage) {
    let form = stage.confirmed().await;
    stage.run("UPDATE sources SET status = 'paused'").await;
    assert_eq!(stage.push(&form, RSS).await, 410);
    assert_eq!((stage.status().await, stage.bodies().await.len()), (HubStatus::Ending, 0));
    assert_eq!(stage.ask().await, 1);
    let end = stage.asked().pop().unwrap();
    let keys: Vec<_> = end.keys().map(String::as_str).collect();
    assert_eq!(keys, ["hub.callback", "hub.mode", "hub.topic"]);
    assert_eq!((&*end["hub.mode"], &end["hub.callback"]), ("unsubscribe", &form["hub.callback"]));
    assert_eq!(stage.verify(&form, &[]).await.0, 404, "it is no longer wanted");
    assert_eq!(stage.verify(&end, &[]).await, (200, "a challenge".to_owned()));
    assert_eq!(stage.status().await, HubStatus::Ended);
    assert_eq!(websub::find(stage.app(), stage.feed).await.unwrap(), None);
    stage.pass(DAY * 30);
    assert_eq!(stage.ask().await, 0);

    stage.run("UPDATE sources SET status = 'running'").await;
    let (feed, now) = (stage.feed, stage.app().clock.now());
    stage.app().store.write(move |tx| websub::resume(tx, feed, now)).await.unwrap();
    assert_eq!(stage.ask().await, 1);
    assert_eq!(stage.asked().pop().unwrap()["hub.mode"], "subscribe");
}

#[db_test]
async fn a_resumed_source_is_subscribed_again(stage: Stage) {
    let first = stage.confirmed().await;
    stage.run("UPDATE sources SET status = 'paused'").await;
    assert_eq!(stage.push(&first, RSS).await, 410);
    assert_eq!(stage.ask().await, 1);
    let end = stage.asked().pop().unwrap();
    assert_eq!(stage.verify(&end, &[]).await.0, 200);
    stage.run("UPDATE sources SET status = 'running'").await;
    stage.pass(DAY / 24);
    assert_eq!((stage.ask().await, stage.status().await), (0, HubStatus::Pending));
    assert_eq!(stage.ask().await, 1);
    assert_eq!(stage.asked().pop().unwrap(), first);
    assert!(stage.subscribe_to(&stage.hub.url("/")).await, "reading the feed changes nothing");
    assert_eq!(stage.ask().await, 0);
}

#[db_test]
async fn a_lease_of_a_paused_source_is_not_renewed(stage: Stage) {
    stage.confirmed().await;
    stage.run("UPDATE sources SET status = 'paused'").await;
    stage.pass(DAY * 8);
    assert_eq!(stage.ask().await, 0);
    assert_eq!((stage.ask().await, stage.status().await), (1, HubStatus::Ending));
    assert_eq!(stage.asked().pop().unwrap()["hub.mode"], "unsubscribe");
}

#[db_test]
async fn a_deleted_source_leaves_nothing_behind(stage: Stage) {
    let form = stage.confirmed().await;
    stage.run("DELETE FROM sources").await;
    stage.release().await;
    assert_eq!(stage.ask().await, 1);
    let end = stage.asked().pop().unwrap();
    assert_eq!(stage.verify(&end, &[]).await.0, 200);
    assert_eq!(stage.subscription().await, None);
    assert_eq!(stage.push(&form, RSS).await, 410);
}

#[db_test]
async fn a_hub_that_confirms_no_end_is_forgotten_when_its_lease_ends(stage: Stage) {
    stage.confirmed().await;
    stage.run("DELETE FROM sources").await;
    stage.release().await;
    assert_eq!(stage.ask().await, 1);
    stage.pass(DAY * 10);
    assert_eq!((stage.ask().await, stage.subscription().await), (0, None));
}

#[db_test]
async fn a_feed_that_moves_is_subscribed_at_its_new_hub(stage: Stage) {
    let old = stage.confirmed().await;
    assert!(stage.subscribe_to(&stage.hub.url("/new")).await);
    assert_eq!(stage.ask().await, 1);
    let new = stage.asked().pop().unwrap();
    assert_eq!(stage.hub.calls().pop().unwrap().path, "/new");
    assert_ne!(old["hub.callback"], new["hub.callback"]);
    assert_ne!(old["hub.secret"], new["hub.secret"]);
    assert_eq!(stage.push(&old, RSS).await, 410, "the old hub learns that it is over");
    assert_eq!(stage.verify(&new, &[]).await.0, 200);
    assert_eq!(stage.push(&new, RSS).await, 202);
}
