//! Receivers that do their worst: the others are served as if they were not there.

use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_service::webhooks::delivery::Sender;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::server::eventually;
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{Room, each, path, queue_age};
use crate::license::text;

/// The worst, each at a receiver of its own. The one over TLS never gets past the handshake.
pub(super) fn worst() -> Vec<(&'static str, Script)> {
    vec![
        ("http", Script::Drip(Duration::from_millis(100))),
        ("http", Script::Endless),
        ("http", Script::Headers { count: 2_000, size: 1_000 }),
        ("http", Script::Hang),
        ("https", Script::Hang),
        ("http", Script::Close),
    ]
}

impl Room {
    /// A webhook of the agency at a receiver of its own.
    pub(super) async fn receiver(&self, scheme: &str, script: Script) -> Listener {
        let listener = Listener::start(move |_| script.clone()).await.unwrap();
        let url = listener.url("/").replace("http:", &format!("{scheme}:"));
        let body = json!({ "url": url, "events": ["license.created"] });
        let made = self.ask("POST /webhooks", body).await;
        assert_eq!(made.status, 201, "{}", made.json());
        listener
    }

    pub(super) async fn licenses(&self, count: usize) {
        for _ in 0..count {
            assert_eq!(self.world.create(json!({})).await.status, 201);
        }
    }

    /// Deliveries under way, whatever will become of them.
    pub(super) async fn under_way(&self) -> usize {
        let lease = Duration::from_secs(30);
        let until = self.world.app.app.clock.now().plus(lease).as_micros();
        let query = format!(
            "SELECT CAST(count(*) AS text) FROM deliveries
             WHERE status = 'pending' AND due_at = {until}"
        );
        let rows = seed::rows(&self.world.app.database.options, &query).await;
        rows[0][0].parse().unwrap()
    }
}

#[db_test]
async fn none_waits_for_those_who_do_their_worst(room: Room) {
    let events = 200;
    let mut hostile = vec![];
    for (scheme, script) in worst() {
        hostile.push((script.clone(), room.receiver(scheme, script).await));
    }
    let good = room.webhook(&["license.created"]).await;
    room.licenses(events).await;
    let mut sender = Sender::new(room.world.app.app.clone());
    while room.calls().len() < events {
        sender.work().await.unwrap();
        sender.attempt_ended().await;
    }
    for (script, receiver) in &hostile {
        let most = match script {
            // Nothing of these has ended yet: each holds what a stranger is trusted with.
            Script::Hang | Script::Drip(_) => 2,
            // Two at first, one after the other then, until it rests.
            Script::Headers { .. } | Script::Close => 6,
            // What is read of it is an answer, and a good one.
            _ => events,
        };
        assert!(receiver.connections() <= most, "{script:?}: {}", receiver.connections());
    }
    let ids: std::collections::HashSet<_> =
        room.calls().iter().map(|it| it.header("webhook-id").unwrap().to_owned()).collect();
    assert_eq!(ids.len(), events, "each once");
    drop(hostile);
    let none_left = async || {
        sender.work().await.unwrap();
        let path = path(&good, "/deliveries?status=delivered");
        let delivered = room.get(&path).await["pagination"]["total"].clone();
        (delivered == events).then_some(())
    };
    eventually("the last outcomes", none_left).await;
}

/// Lets a sender claim all it will while nobody answers; gives how much that is.
async fn claimed(room: &Room, sender: &mut Sender) -> usize {
    let before = room.receiver.connections();
    room.answers(Script::Hang);
    for _ in 0..5 {
        sender.work().await.unwrap();
    }
    let claimed = room.under_way().await;
    let all = async || (room.receiver.connections() == before + claimed).then_some(());
    eventually("every connection", all).await;
    claimed
}

#[db_test]
async fn a_stranger_gets_two_at_a_time(room: Room) {
    room.webhook(&["license.created"]).await;
    room.licenses(20).await;
    let mut sender = Sender::new(room.world.app.app.clone());
    assert_eq!(claimed(&room, &mut sender).await, 2);
}

#[db_test]
async fn one_that_answers_gets_four_at_a_time_and_no_more(room: Room) {
    room.webhook(&["license.created"]).await;
    room.licenses(20).await;
    let mut sender = Sender::new(room.world.app.app.clone());
    sender.settle().await.unwrap();
    assert_eq!(room.calls().len(), 20);
    room.licenses(40).await;
    assert_eq!(claimed(&room, &mut sender).await, 4);
}

#[db_test]
async fn one_that_fails_gets_one_at_a_time(room: Room) {
    room.webhook(&["license.created"]).await;
    room.answers(Script::answer(500, b""));
    room.licenses(3).await;
    let mut sender = Sender::new(room.world.app.app.clone());
    sender.settle().await.unwrap();
    assert_eq!(room.calls().len(), 3);
    room.world.app.clock.advance(Duration::from_secs(10));
    assert_eq!(claimed(&room, &mut sender).await, 1);
}

#[db_test]
async fn one_that_keeps_failing_rests(room: Room) {
    room.webhook(&["license.created"]).await;
    room.answers(Script::answer(500, b""));
    room.licenses(20).await;
    let mut sender = Sender::new(room.world.app.app.clone());
    sender.settle().await.unwrap();
    let calls = room.calls().len();
    assert!((5..=6).contains(&calls), "{calls}");
    sender.settle().await.unwrap();
    room.send().await;
    assert_eq!(room.calls().len(), calls, "no sender tries");
    room.world.app.clock.advance(Duration::from_secs(2));
    sender.settle().await.unwrap();
    assert_eq!(room.calls().len(), calls + 1, "one more, to see");
}

/// What is shown of a rest is what senders do; whoever has seen to the receiver ends it.
#[db_test]
async fn a_rest_is_shown_and_ended_by_its_owner(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.licenses(40).await;
    let rest = async || {
        room.answers(Script::answer(500, b""));
        let mut sender = Sender::new(room.world.app.app.clone());
        sender.settle().await.unwrap();
        room.answers(Script::ok(b""));
    };
    // The latest moment of those that were never tried: one they share.
    let next = async || {
        let waiting = room.deliveries(&webhook).await;
        let fresh = waiting.iter().filter(|it| it["attempts"] == json!([]));
        fresh.map(|it| text(&it["next_attempt_at"])).max().unwrap()
    };
    let created = next().await;
    let test = format!("POST {}", path(&webhook, "/test"));
    for act in ["test", "moved", "off and on"] {
        rest().await;
        assert!(next().await > room.world.app.clock.now().to_string(), "{act}: it rests");
        match act {
            "test" => assert_eq!(room.ask(&test, Value::Null).await.status, 200),
            "moved" => room.change(&webhook, json!({ "url": room.receiver.url("/new") })).await,
            _ => {
                room.change(&webhook, json!({ "status": "disabled" })).await;
                room.change(&webhook, json!({ "status": "active" })).await;
            }
        }
        assert_eq!(next().await, created, "{act}: it does not rest any more");
    }
    rest().await;
    room.change(&webhook, json!({ "description": "the same" })).await;
    assert!(next().await > created, "the control: nobody has seen to it");
    assert_eq!(queue_age(&room.world.app.app).await, Duration::ZERO, "nothing is due");
}

/// A sender that dies leaves nothing behind but a lease that runs out.
#[db_test]
async fn what_a_dead_sender_held_is_sent_by_another(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.licenses(2).await;
    let mut dead = Sender::new(room.world.app.app.clone());
    claimed(&room, &mut dead).await;
    eventually("both of its requests", async || (room.calls().len() == 2).then_some(())).await;
    drop(dead);
    room.answers(Script::ok(b""));
    room.send().await;
    assert_eq!(room.calls().len(), 2, "while the lease lasts they are its");
    room.world.app.clock.advance(Duration::from_secs(30));
    room.send().await;
    assert_eq!(room.calls().len(), 4);
    let statuses = each(&room.deliveries(&webhook).await, "status");
    assert_eq!(statuses, ["delivered"; 2]);
}
