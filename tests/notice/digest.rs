//! The daily digest: at the person's hour, at most once a day.

use grantor_testkit::db_test;
use serde_json::json;

use super::{ADA, BEA, Inbox, MINUTE, header, hours, to};
use crate::license::World;

const ONE: &str = "Your daily digest: 1 notification";

#[db_test]
async fn a_digest_comes_at_eight_unless_told_otherwise(mut world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.share_license().await;
    world.share_license().await;
    world.later(hours(7)).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new());
    world.later(hours(1)).await;
    let texts = inbox.texts(&world.app).await;
    let [mail] = texts.as_slice() else { panic!("{texts:?}") };
    let subject = "Your daily digest: 2 notifications".to_owned();
    assert_eq!((header(mail, "To"), header(mail, "Subject")), (BEA.to_owned(), subject));
    assert!(mail.contains("This is your digest for Jan 1, 2026"), "{mail}");
    assert_eq!(mail.matches("Agency of ada@example.com shared Winter with you\r\n").count(), 2);
    world.later(hours(24)).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "nothing happened");
}

#[db_test]
async fn a_digest_comes_at_the_persons_hour_in_their_time_zone(mut world: World) {
    let body = json!({ "digestHour": 18, "timeZone": "America/New_York" });
    assert_eq!(world.set(&world.brand, body).await.status, 200);
    let mut inbox = Inbox::of(&world.app).await;
    world.share_license().await;
    world.later(hours(22)).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "17:00 in New York");
    world.later(hours(1)).await;
    assert_eq!(inbox.take(&world.app).await, [to(BEA, ONE)]);
}

#[db_test]
async fn there_is_one_digest_a_day_whatever_is_changed(mut world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.share_license().await;
    world.later(hours(8)).await;
    assert_eq!(inbox.take(&world.app).await, [to(BEA, ONE)]);
    world.share_license().await;
    assert_eq!(world.set(&world.brand, json!({ "digestHour": 18 })).await.status, 200);
    world.later(hours(14)).await;
    assert_eq!(inbox.take(&world.app).await, Vec::<String>::new(), "22:00 on the same day");
    world.later(hours(20)).await;
    assert_eq!(inbox.take(&world.app).await, [to(BEA, ONE)], "18:00 on the next day");
}

#[db_test]
async fn what_waits_moves_with_the_hour(mut world: World) {
    let mut inbox = Inbox::of(&world.app).await;
    world.share_license().await;
    assert_eq!(world.set(&world.brand, json!({ "digestHour": 3 })).await.status, 200);
    world.later(hours(3)).await;
    assert_eq!(inbox.take(&world.app).await, [to(BEA, ONE)]);
}

#[db_test]
async fn a_kind_can_move_between_digest_and_at_once(mut world: World) {
    world.choose(&world.brand, "license_shared", "now").await;
    world.choose(&world.agency, "request", "digest").await;
    let mut inbox = Inbox::of(&world.app).await;
    world.share_license().await;
    world.ask_for_license().await;
    world.later(MINUTE).await;
    let shared = to(BEA, "Agency of ada@example.com shared Winter with you");
    assert_eq!(inbox.take(&world.app).await, [shared]);
    world.later(hours(8)).await;
    assert_eq!(inbox.take(&world.app).await, [to(ADA, ONE)]);
}
