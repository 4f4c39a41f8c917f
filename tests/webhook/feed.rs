//! `/events`: the same events by number, for those who cannot receive webhooks.

use futures_util::future::join_all;
use grantor_testkit::{db_test, repeats};
use serde_json::{Value, json};

use super::{Room, each, payload};
use crate::external::invalid;
use crate::license::text;

fn numbers(part: &Value) -> Vec<u64> {
    part["data"].as_array().unwrap().iter().map(|it| it["sequence"].as_u64().unwrap()).collect()
}

#[db_test]
async fn a_feed_is_read_part_by_part(room: Room) {
    let empty = json!({ "data": [], "next_cursor": "0", "has_more": false });
    assert_eq!(room.get("/events").await, empty);
    for _ in 0..5 {
        room.world.license(json!({})).await;
    }
    for (query, seen, next, more) in [
        ("", vec![1, 2, 3, 4, 5], "5", false),
        ("?limit=2", vec![1, 2], "2", true),
        ("?limit=2&after=2", vec![3, 4], "4", true),
        ("?limit=2&after=3", vec![4, 5], "5", false),
        ("?limit=5", vec![1, 2, 3, 4, 5], "5", false),
        ("?after=5", vec![], "5", false),
        ("?after=0&limit=100&wait=0", vec![1, 2, 3, 4, 5], "5", false),
    ] {
        let part = room.get(&format!("/events{query}")).await;
        assert_eq!((numbers(&part), part["next_cursor"].as_str()), (seen, Some(next)), "{query}");
        assert_eq!(part["has_more"], more, "{query}");
    }
    let brand = room.ask_as(room.brand(), "GET /events", Value::Null).await;
    assert_eq!(brand.whole(), (200, empty), "each organization has its own");
}

#[db_test]
async fn an_event_is_told_as_webhooks_tell_it(room: Room) {
    room.webhook(&[]).await;
    room.world.license(json!({})).await;
    room.send().await;
    let call = room.calls().remove(0);
    let mut told = payload(&call);
    told["id"] = json!(call.header("webhook-id").unwrap());
    assert_eq!(room.get("/events").await["data"], json!([told]));
}

#[db_test]
async fn every_fault_is_named(room: Room) {
    let limit = "must be a whole number from 1 to 100";
    let wait = "must be a whole number from 0 to 30";
    let cursor = "must be the next_cursor of a previous response";
    for (query, field, reason) in [
        ("after=x", "after", cursor),
        ("after=-1", "after", cursor),
        ("after=", "after", cursor),
        ("after=9223372036854775808", "after", cursor),
        ("limit=0", "limit", limit),
        ("limit=101", "limit", limit),
        ("limit=ten", "limit", limit),
        ("wait=31", "wait", wait),
        ("wait=-1", "wait", wait),
        ("wait=1.5", "wait", wait),
    ] {
        let answer = room.ask(&format!("GET /events?{query}"), Value::Null).await;
        assert_eq!(answer.whole(), (400, invalid(&json!({ field: reason }))), "{query}");
    }
}

/// Whoever waits beyond the end would wait in vain: nothing that comes is ever told there.
#[db_test]
async fn a_cursor_beyond_the_end_is_refused(room: Room) {
    for (newest, after) in [(0, 1), (1, 2), (2, 3), (3, i64::MAX)] {
        let reason = format!("must be at most {newest}, the number of the newest event");
        let refused = (400, invalid(&json!({ "after": reason })));
        for query in [format!("after={after}"), format!("after={after}&wait=30")] {
            let answer = room.ask(&format!("GET /events?{query}"), Value::Null).await;
            assert_eq!(answer.whole(), refused, "{query}");
        }
        room.world.license(json!({})).await;
    }
    assert_eq!(numbers(&room.get("/events?after=4").await), Vec::<u64>::new(), "the end itself");
}

#[db_test]
async fn what_may_no_longer_be_seen_is_left_out_and_passed_over(room: Room) {
    let (kept, lost) = (room.world.license(json!({})).await, room.world.license(json!({})).await);
    let granted = room.world.grant(&lost, "viewer").await.json();
    room.world.grant(&kept, "viewer").await;
    let read = async |query: &str| {
        room.ask_as(room.brand(), &format!("GET /events{query}"), Value::Null).await.json()
    };
    assert_eq!(numbers(&read("").await), [1, 2], "the control");
    room.revoke_right(&lost, &granted).await;
    let part = read("").await;
    assert_eq!(numbers(&part), [2, 3]);
    let types = each(part["data"].as_array().unwrap(), "type");
    assert_eq!(types, ["permission.granted", "permission.revoked"]);
    let part = read("?limit=1").await;
    let passed = json!({ "data": [], "next_cursor": "1", "has_more": true });
    assert_eq!(part, passed, "an empty part leads on");
    let part = read("?limit=1&wait=30").await;
    assert_eq!(numbers(&part), [2], "whoever waits is led past it");
}

#[db_test]
async fn whoever_waits_is_told_of_a_change_when_it_is_made(room: Room) {
    let (part, ()) = tokio::join!(room.get("/events?wait=30"), async {
        room.world.license(json!({})).await;
    });
    assert_eq!(numbers(&part), [1]);
    let many = join_all((0..20).map(|_| room.get("/events?after=1&wait=30")));
    let (parts, ()) = tokio::join!(many, async {
        room.world.license(json!({})).await;
    });
    assert!(parts.iter().all(|it| numbers(it) == [2]));
}

/// A token that is revoked while its bearer waits opens nothing any more.
#[db_test]
async fn whoever_loses_the_token_while_waiting_is_told_nothing(room: Room) {
    let token = room.agency().renewed(&room.world.app).await;
    let read = || room.ask_with(&token, "GET /events?wait=30", Value::Null);
    let (control, ()) = tokio::join!(read(), async {
        room.world.license(json!({})).await;
    });
    assert_eq!((control.status.as_u16(), numbers(&control.json())), (200, vec![1]));
    let wait = room.ask_with(&token, "GET /events?after=1&wait=30", Value::Null);
    let (refused, ()) = tokio::join!(wait, async {
        let body = json!({ "token": token });
        assert_eq!(room.world.app.post("/auth/token/revoke", &body).await.status, 200);
        room.world.license(json!({})).await;
    });
    assert_eq!((refused.status.as_u16(), refused.json()["data"].clone()), (401, Value::Null));
}

/// A look at a feed costs as many statements for one event as for many.
#[db_test]
async fn a_part_costs_the_same_however_long_it_is(room: Room) {
    for _ in 0..6 {
        room.world.license(json!({})).await;
    }
    let cost = async |limit: usize| {
        let before = room.world.app.app.store.statements();
        let part = room.get(&format!("/events?limit={limit}")).await;
        assert_eq!(numbers(&part).len(), limit);
        room.world.app.app.store.statements() - before
    };
    let (first, one) = (cost(1).await, cost(1).await);
    assert!(one > 0 && one <= first, "the control: statements are counted");
    assert_eq!(cost(6).await, one);
}

#[db_test]
async fn whoever_waits_in_vain_gets_an_empty_part(room: Room) {
    room.world.license(json!({})).await;
    let part = room.get("/events?after=1&wait=1").await;
    assert_eq!(part, json!({ "data": [], "next_cursor": "1", "has_more": false }));
}

/// Numbers are given in the order of commits: a reader who follows misses none, however many write.
#[db_test]
async fn nothing_is_skipped_while_many_write(room: Room) {
    let (writers, each) = (8, u64::from(repeats(12, 2_000)));
    let total = writers * each;
    let write = async || {
        for _ in 0..each {
            assert_eq!(room.world.create(json!({})).await.status, 201);
        }
    };
    let follow = async {
        let (mut seen, mut after) = (vec![], "0".to_owned());
        while (seen.len() as u64) < total {
            let part = room.get(&format!("/events?after={after}&limit=7&wait=30")).await;
            seen.extend(numbers(&part));
            after = text(&part["next_cursor"]);
        }
        seen
    };
    let (seen, _) = tokio::join!(follow, join_all((0..writers).map(|_| write())));
    assert_eq!(seen, (1..=total).collect::<Vec<_>>());
}
