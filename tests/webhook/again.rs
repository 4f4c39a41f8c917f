//! `…/deliveries/{delivery_id}/retry` and `/webhooks/{id}/replay`: what is sent once more.

use std::time::Duration;

use futures_util::future::join_all;
use grantor_domain::Clock as _;
use grantor_service::operations::chore;
use grantor_testkit::listener::Script;
use grantor_testkit::{Engine, db_test, seed};
use serde_json::{Value, json};

use super::{Room, START, UNKNOWN, each, path, payload};
use crate::external::{invalid, refused};
use crate::license::text;

impl Room {
    async fn retry(&self, webhook: &Value, delivery: &str) -> (u16, Value) {
        let path = path(webhook, &format!("/deliveries/{delivery}/retry"));
        self.ask(&format!("POST {path}"), Value::Null).await.whole()
    }

    async fn replay(&self, webhook: &Value, body: Value) -> (u16, Value) {
        self.ask(&format!("POST {}", path(webhook, "/replay")), body).await.whole()
    }

    async fn run(&self, script: &str) {
        seed::run(&self.world.app.database.options, script.to_owned()).await;
    }

    /// Numbers of what waits for a webhook, in order.
    async fn waiting(&self, webhook: &Value) -> Vec<u64> {
        let pending = self.get(&path(webhook, "/deliveries?status=pending&per_page=100")).await;
        let pending = pending["data"].as_array().unwrap().clone();
        let mut numbers: Vec<_> =
            pending.iter().map(|it| it["sequence"].as_u64().unwrap()).collect();
        numbers.sort_unstable();
        numbers
    }
}

fn queued(count: u64) -> (u16, Value) {
    (202, json!({ "queued": count }))
}

fn counted(count: u64) -> (u16, Value) {
    (200, json!({ "queued": count, "dry_run": true }))
}

#[db_test]
async fn a_delivery_is_sent_again_at_once_and_by_a_schedule_of_its_own(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.world.license(json!({})).await;
    room.send().await;
    let done = room.deliveries(&webhook).await.swap_remove(0);
    let id = text(&done["id"]);
    room.world.app.clock.advance(Duration::from_secs(9));
    let (status, shown) = room.retry(&webhook, &id).await;
    let mut pending = done.clone();
    pending["status"] = json!("pending");
    pending["next_attempt_at"] = json!("2026-01-01T00:00:10.000000Z");
    pending["finished_at"] = Value::Null;
    assert_eq!((status, shown), (202, pending.clone()));
    assert_eq!(room.retry(&webhook, &id).await, (202, pending), "also one that waits");
    room.change(&webhook, json!({ "status": "disabled" })).await;
    let off = "The webhook is disabled: set its status to active first";
    assert_eq!(room.retry(&webhook, &id).await, (409, refused("RESOURCE_CONFLICT", off)));
    room.change(&webhook, json!({ "status": "active" })).await;
    room.answers(Script::answer(500, b""));
    room.send().await;
    room.world.app.clock.advance(Duration::from_secs(6));
    room.answers(Script::ok(b""));
    room.send().await;
    let statuses: Vec<_> = room.deliveries(&webhook).await[0]["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["status_code"].as_u64().unwrap())
        .collect();
    assert_eq!(statuses, [200, 500, 200], "each attempt is kept");
    let ids: Vec<_> =
        room.calls().iter().map(|it| it.header("webhook-id").unwrap().to_owned()).collect();
    assert_eq!(ids, vec![text(&done["event_id"]); 3]);
    let log =
        ["create", "retry", "retry", "update", "update"].map(|it| format!("INFO webhook.{it}"));
    assert_eq!(room.logged().await, log);
}

#[db_test]
async fn only_a_delivery_of_this_webhook_can_be_asked_for(room: Room) {
    let (webhook, other) = (room.webhook(&[]).await, room.webhook(&[]).await);
    room.world.license(json!({})).await;
    room.send().await;
    let foreign = text(&room.deliveries(&other).await[0]["id"]);
    let unknown = (404, refused("NOT_FOUND", "Delivery not found"));
    for id in [foreign.as_str(), UNKNOWN] {
        assert_eq!(room.retry(&webhook, id).await, unknown);
    }
    let malformed = (400, invalid(&json!({ "delivery_id": "must be a UUID" })));
    assert_eq!(room.retry(&webhook, "x").await, malformed);
    assert_eq!(room.waiting(&other).await, Vec::<u64>::new());
    assert_eq!(room.retry(&other, &foreign).await.0, 202, "the control");
}

/// Events 1 to 6, a second apart: one from before the webhook, one delivered, one failed, one
/// dropped, one pending, and a change that was delivered.
async fn six(room: &Room) -> Value {
    room.world.license(json!({})).await;
    let webhook = room.webhook(&[]).await;
    let mut last = String::new();
    for _ in 2..=5 {
        last = room.world.license(json!({})).await;
    }
    room.world.app.clock.advance(Duration::from_secs(1));
    room.world.patch(&last, json!({ "title": "Changed" })).await;
    room.send().await;
    for (number, status) in [(3, "failed"), (4, "dropped")] {
        let script = format!("UPDATE deliveries SET status = '{status}' WHERE sequence = {number}");
        room.run(&script).await;
    }
    let far = "status = 'pending', due_at = 4000000000000000, finished_at = NULL";
    room.run(&format!("UPDATE deliveries SET {far} WHERE sequence = 5")).await;
    webhook
}

#[db_test]
async fn a_replay_takes_what_fits_every_condition(room: Room) {
    let webhook = six(&room).await;
    let at = |second: u64| format!("2026-01-01T00:00:0{second}Z");
    let (all, created) = (json!({ "since": START }), ["license.created"]);
    for (more, numbers) in [
        (json!({}), vec![1, 2, 3, 4, 6]),
        (json!({ "until": at(9) }), vec![1, 2, 3, 4, 6]),
        (json!({ "since": at(3) }), vec![3, 4, 6]),
        (json!({ "until": at(3) }), vec![1, 2]),
        (json!({ "since": at(2), "until": at(4) }), vec![2, 3]),
        (json!({ "since": "2026-01-01T01:00:03+01:00" }), vec![3, 4, 6]),
        (json!({ "types": ["license.updated"] }), vec![6]),
        (json!({ "types": ["license.updated", "license.created"] }), vec![1, 2, 3, 4, 6]),
        (json!({ "types": ["mention.created"] }), vec![]),
        (json!({ "status": "delivered" }), vec![2, 6]),
        (json!({ "status": "failed" }), vec![3]),
        (json!({ "status": "dropped" }), vec![4]),
        (json!({ "status": "delivered", "types": ["license.created"] }), vec![2]),
        (json!({ "status": "delivered", "since": at(3) }), vec![6]),
        (json!({ "status": "failed", "until": at(3) }), vec![]),
        (json!({ "status": "delivered", "since": at(3), "until": at(6) }), vec![]),
        (json!({ "since": at(2), "until": at(9), "types": created, "status": "dropped" }), vec![4]),
        (
            json!({ "until": null, "types": null, "status": null, "dry_run": false }),
            vec![1, 2, 3, 4, 6],
        ),
    ] {
        let mut body = all.clone();
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut dry = body.clone();
        dry["dry_run"] = json!(true);
        let count = numbers.len() as u64;
        assert_eq!(room.replay(&webhook, dry).await, counted(count), "{body}");
        assert_eq!(room.waiting(&webhook).await, [5], "only counted");
        room.world.app.clock.advance(Duration::from_secs(1));
        assert_eq!(room.replay(&webhook, body.clone()).await, queued(count), "{body}");
        let mut waiting = numbers;
        waiting.push(5);
        waiting.sort_unstable();
        assert_eq!(room.waiting(&webhook).await, waiting, "{body}");
        let now = room.world.app.clock.now().as_micros();
        room.run(&format!("DELETE FROM deliveries WHERE created_at = {now}")).await;
    }
}

#[db_test]
async fn what_is_replayed_arrives_under_its_old_id_and_number(room: Room) {
    let webhook = six(&room).await;
    let before = room.calls().len();
    room.replay(&webhook, json!({ "since": START, "status": "failed" })).await;
    room.send().await;
    let calls = room.calls();
    let again = calls.last().unwrap();
    let same = calls.iter().filter(|it| it.header("webhook-id") == again.header("webhook-id"));
    assert_eq!((calls.len(), same.count()), (before + 1, 2));
    assert_eq!(payload(again)["sequence"], 3);
    assert_eq!(
        room.replay(&webhook, json!({ "since": START, "status": "failed" })).await,
        queued(0),
        "its newest delivery arrived"
    );
    let asked = room.logged().await.into_iter().filter(|it| it == "INFO webhook.replay");
    assert_eq!(asked.count(), 2);
}

#[db_test]
async fn of_two_who_race_one_queues(room: Room) {
    let webhook = six(&room).await;
    let token = room.agency().renewed(&room.world.app).await;
    let what = format!("POST {}", path(&webhook, "/replay"));
    let replay = || room.ask_with(&token, &what, json!({ "since": START }));
    let raced = join_all((0..8).map(|_| replay())).await;
    let counts = raced.iter().map(|it| it.json()["queued"].as_u64().unwrap());
    assert_eq!(counts.sum::<u64>(), 5);
    assert_eq!(room.waiting(&webhook).await, [1, 2, 3, 4, 5, 6]);
}

#[db_test]
async fn every_fault_is_named(room: Room) {
    let webhook = room.webhook(&[]).await;
    let instant = "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z";
    let ended = "must be one of delivered, failed, dropped";
    for (body, field, reason) in [
        (json!({}), "since", "is required"),
        (json!({ "since": null }), "since", "is required"),
        (json!({ "since": "yesterday" }), "since", instant),
        (json!({ "since": 7 }), "since", "must be a string"),
        (json!({ "since": START, "until": "" }), "until", instant),
        (json!({ "since": START, "until": START }), "until", "must be after since"),
        (json!({ "since": START, "types": [] }), "types", "must contain at least one event"),
        (json!({ "since": START, "types": "license.created" }), "types", "must be a list"),
        (json!({ "since": START, "status": "pending" }), "status", ended),
        (json!({ "since": START, "status": "" }), "status", ended),
        (json!({ "since": START, "dry_run": "yes" }), "dry_run", "must be true or false"),
    ] {
        let told = (400, invalid(&json!({ field: reason })));
        assert_eq!(room.replay(&webhook, body.clone()).await, told, "{body}");
    }
    let unknown = room.replay(&webhook, json!({ "since": START, "types": ["x"] })).await;
    assert!(text(&unknown.1["error"]["details"]["types"]).starts_with("must be one of license."));
}

#[db_test]
async fn a_replay_of_more_than_fit_is_refused(room: Room) {
    let webhook = room.webhook(&[]).await;
    let id = match room.world.app.database.store.engine() {
        Engine::Sqlite => "randomblob(16)",
        Engine::Postgres => "gen_random_uuid()",
    };
    let tenant = "(SELECT last_tenant_id FROM users WHERE email = 'ada@example.com')";
    let script = format!(
        "INSERT INTO events (event_id, owner_id, type, resource_version, data, created_at)
         WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5001)
         SELECT {id}, {tenant}, 'license.deleted', 1, '{{}}', n FROM c;
         INSERT INTO feed_entries (feed_id, sequence, event_id)
         SELECT {tenant}, created_at, event_id FROM events;"
    );
    room.run(&script).await;
    let most = (400, invalid(&json!({ "since": "must span at most 5000 events" })));
    for dry_run in [true, false] {
        let body = json!({ "since": "1970-01-01T00:00:00Z", "dry_run": dry_run });
        assert_eq!(room.replay(&webhook, body).await, most);
        assert_eq!(room.count("deliveries").await, 0);
    }
    let body = json!({ "since": "1970-01-01T00:00:00.000002Z" });
    assert_eq!(room.replay(&webhook, body.clone()).await, queued(5_000));
    assert_eq!(room.count("deliveries").await, 500, "a part in the change itself");
    let under_way = "Another replay of this webhook is still being queued";
    let refused = (409, refused("RESOURCE_CONFLICT", under_way));
    assert_eq!(room.replay(&webhook, body.clone()).await, refused);
    // The rest goes on wherever somebody works, also after the node that began it is gone.
    let other = room.world.app.another_node(9).await;
    assert_eq!(chore::work(&other).await, Ok(10));
    assert_eq!(room.count("deliveries").await, 5_000, "each once");
    assert_eq!(room.replay(&webhook, body).await, queued(0), "all are on their way");
}

#[db_test]
async fn a_test_of_another_webhook_is_not_replayed_here(room: Room) {
    let (tested, other) =
        (room.webhook(&[]).await, room.webhook_of(room.agency(), "/other", &[]).await);
    room.ask(&format!("POST {}", path(&tested, "/test")), Value::Null).await;
    assert_eq!(room.replay(&other, json!({ "since": START })).await, queued(0));
    assert_eq!(
        room.replay(&tested, json!({ "since": START })).await,
        queued(1),
        "but where it was sent"
    );
    room.send().await;
    assert_eq!(room.told("/other"), Vec::<String>::new());
    assert_eq!(each(&room.deliveries(&tested).await, "status"), ["delivered", "delivered"]);
}

#[db_test]
async fn a_replay_is_of_what_the_webhook_is_for(room: Room) {
    room.world.license(json!({})).await;
    let license = room.world.license(json!({})).await;
    let webhook = room.webhook(&["license.updated"]).await;
    assert_eq!(room.world.patch(&license, json!({ "title": "Anew" })).await.status, 200);
    room.send().await;
    let since = "2025-01-01T00:00:00Z";
    let replay =
        async |body: Value| room.ask(&format!("POST {}", path(&webhook, "/replay")), body).await;
    let own = replay(json!({ "since": since, "dry_run": true })).await;
    assert_eq!(own.json()["queued"], 1);
    let named = json!({ "since": since, "dry_run": true, "types": ["license.created"] });
    assert_eq!(replay(named).await.json()["queued"], 2, "others where they are named");
    room.change(&webhook, json!({ "status": "disabled" })).await;
    assert_eq!(replay(json!({ "since": since })).await.status, 409);
}
