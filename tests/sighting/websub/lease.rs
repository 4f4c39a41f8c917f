//! Leases, failures and denials.

use std::time::Duration;

use grantor_domain::websub::HubStatus;
use grantor_service::watching::websub;
use grantor_testkit::db_test;
use grantor_testkit::listener::{Listener, Script};
use url::form_urlencoded;

use super::{DAY, Form, RSS, Stage, TEN_DAYS, TOPIC};

#[db_test]
async fn a_lease_is_renewed_before_it_ends(stage: Stage) {
    let first = stage.confirmed().await;
    stage.pass(Duration::from_secs(5 * 86_400 - 1));
    assert_eq!(stage.ask().await, 0, "the first half of the lease");
    stage.pass(DAY * 5 / 2);
    assert_eq!(stage.ask().await, 1);
    let renewal = stage.asked().pop().unwrap();
    assert_eq!(renewal, first, "the same callback and the same secret");
    assert_eq!(stage.status().await, HubStatus::Active, "it still has its lease");
    assert_eq!(stage.push(&first, RSS).await, 202);
    let now = stage.app().clock.now();
    assert_eq!(stage.verify(&renewal, &[("hub.lease_seconds", TEN_DAYS)]).await.0, 200);
    let renewed = stage.subscription().await.unwrap();
    assert_eq!((renewed.lease_ends_at, renewed.attempts), (Some(now.plus(DAY * 10)), 0));
}

#[db_test]
async fn any_number_of_nodes_ask_once(stage: Stage) {
    stage.confirmed().await;
    stage.pass(DAY * 8);
    let other = stage.world.app.another_node(9).await;
    let (one, two) = tokio::join!(stage.ask(), websub::send_due(&other));
    assert_eq!(one + two.unwrap(), 1);
    assert_eq!(stage.asked().len(), 2, "the subscription and its renewal");
}

#[db_test]
async fn a_hub_that_fails_is_asked_again_later(stage: Stage) {
    stage.answer(Script::answer(500, b""));
    stage.subscribe().await;
    let failed = stage.subscription().await.unwrap();
    assert_eq!(failed.note.as_deref(), Some("the hub returned status 500"));
    stage.pass(Duration::from_mins(4));
    assert_eq!(stage.ask().await, 0);
    let wait = "HTTP/1.1 503 Busy\r\nretry-after: 7200\r\ncontent-length: 0\r\n\
                connection: close\r\n\r\n";
    stage.answer(Script::Raw(wait.into()));
    stage.pass(Duration::from_mins(3));
    assert_eq!(stage.ask().await, 1);
    stage.pass(Duration::from_mins(119));
    assert_eq!(stage.ask().await, 0, "the hub asked for two hours");
    stage.answer(Script::answer(202, b""));
    stage.pass(Duration::from_mins(1));
    assert_eq!(stage.ask().await, 1);
    let accepted = stage.subscription().await.unwrap();
    assert_eq!((accepted.status, accepted.note), (HubStatus::Pending, None));
}

#[db_test]
async fn a_hub_may_point_to_another(stage: Stage) {
    let other = Listener::start(|_| Script::answer(202, b"")).await.unwrap();
    stage.answer(Script::redirect(307, &other.url("/hub")));
    let form = stage.subscribe().await;
    let calls = other.calls();
    let call = calls.first().unwrap();
    let asked: Form = form_urlencoded::parse(&call.body).into_owned().collect();
    assert_eq!((call.method.as_str(), call.path.as_str(), asked), ("POST", "/hub", form));
    assert_eq!(stage.subscription().await.unwrap().note, None);
}

#[db_test]
async fn hubs_that_point_at_each_other_are_left(stage: Stage) {
    stage.answer(Script::redirect(308, "/"));
    stage.subscribe().await;
    assert_eq!(stage.asked().len(), 4);
    let note = stage.subscription().await.unwrap().note;
    let expected = "the hub could not be asked: there were too many redirects";
    assert_eq!(note.as_deref(), Some(expected));
}

#[db_test]
async fn a_denied_subscription_is_asked_for_again_after_a_week(stage: Stage) {
    let form = stage.confirmed().await;
    let denied = [("hub.mode", "denied"), ("hub.topic", TOPIC), ("hub.reason", "not here")];
    assert_eq!(stage.call(&form["hub.callback"], &denied).await, (200, String::new()));
    let subscription = stage.subscription().await.unwrap();
    assert_eq!(
        (subscription.status, subscription.note.as_deref()),
        (HubStatus::Denied, Some("the hub denied the subscription: not here"))
    );
    assert_eq!(stage.push(&form, RSS).await, 410);
    assert_eq!(stage.verify(&form, &[]).await.0, 404, "there is nothing to confirm");
    assert!(stage.subscribe_to(&stage.hub.url("/")).await);
    stage.pass(DAY * 6);
    assert_eq!(stage.ask().await, 0);
    stage.pass(DAY);
    assert_eq!(stage.ask().await, 1);
    assert_eq!(stage.verify(&form, &[]).await.0, 200);
    assert_eq!(stage.status().await, HubStatus::Active);
}
