//! What a sender holds ready for a receiver that has earned trust, and how it gives that back.

use std::collections::HashSet;
use std::time::Duration;

use grantor_service::webhooks::delivery::Sender;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;

use super::{Room, path};

/// Good answers that earn a fifth attempt at a time, and deliveries held ready.
const EARNED: usize = 40;
/// Held then, those under way included.
const HELD: usize = 40;

impl Room {
    /// A sender that the receiver has answered well, and more to be sent than it may hold.
    async fn trusting(&self) -> Sender {
        self.licenses(EARNED).await;
        let mut sender = Sender::new(self.world.app.app.clone());
        sender.settle().await.unwrap();
        assert_eq!(self.calls().len(), EARNED);
        self.licenses(HELD + 20).await;
        sender
    }

    fn events(&self) -> usize {
        let id = |it: &grantor_testkit::listener::Call| it.header("webhook-id").map(str::to_owned);
        self.calls().iter().map(id).collect::<HashSet<_>>().len()
    }
}

#[db_test]
async fn a_receiver_that_earned_trust_is_held_deliveries_ready(room: Room) {
    room.webhook(&["license.created"]).await;
    let mut sender = room.trusting().await;
    room.answers(Script::Hang);
    sender.work().await.unwrap();
    sender.work().await.unwrap();
    assert_eq!(room.under_way().await, HELD, "claimed at once, and no more");
    room.answers(Script::ok(b""));
}

#[db_test]
async fn what_is_held_is_given_back_when_the_receiver_fails(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    let mut sender = room.trusting().await;
    room.answers(Script::answer(500, b""));
    sender.settle().await.unwrap();
    let failed = room.calls().len() - EARNED;
    assert!((5..=6).contains(&failed), "{failed}: then it rests");
    room.answers(Script::ok(b""));
    // The rest is over, the leases would not be.
    room.world.app.clock.advance(Duration::from_secs(2));
    room.send().await;
    let delivered = room.get(&path(&webhook, "/deliveries?status=delivered")).await;
    assert_eq!(delivered["pagination"]["total"], EARNED + HELD + 20 - failed);
}

#[db_test]
async fn a_sender_that_stops_gives_back_what_it_has_not_begun(room: Room) {
    room.webhook(&["license.created"]).await;
    let mut sender = room.trusting().await;
    sender.work().await.unwrap();
    sender.finish().await.unwrap();
    let begun = room.calls().len();
    assert!(begun < EARNED + HELD, "{begun}: it began all it held");
    room.send().await;
    let all = EARNED + HELD + 20;
    assert_eq!((room.calls().len(), room.events()), (all, all), "each once, and none waits");
}
