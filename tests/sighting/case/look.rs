//! Looks at the page of a mention: what removes it, and what brings it back.

use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use serde_json::json;

use super::{Room, SHOWN};

const OTHER: &str = "<html><title>News</title><p>Nobody was seen.</p></html>";

#[db_test]
async fn two_looks_without_a_match_remove_it(room: Room) {
    room.open().await;
    room.show(Script::ok(OTHER.as_bytes()));
    assert_eq!(room.look().await, 1);
    let looks = room.case().await["looks"].clone();
    assert_eq!(json!([looks["last_result"], looks["misses"]]), json!(["no_match", 1]));
    assert_eq!(room.status().await, "open");
    assert_eq!(room.look_tomorrow().await, 1);
    assert_eq!(room.status().await, "removed");
    assert_eq!(room.told().await.last().unwrap(), "mention.removed");
}

#[db_test]
async fn a_match_in_between_starts_the_count_again(room: Room) {
    room.open().await;
    for page in [OTHER, SHOWN, OTHER] {
        room.show(Script::ok(page.as_bytes()));
        assert_eq!(room.look_tomorrow().await, 1);
        assert_eq!(room.status().await, "open");
    }
}

#[db_test]
async fn failures_never_count(room: Room) {
    room.open().await;
    for status in [500, 503, 403, 429] {
        room.show(Script::answer(status, b""));
        assert_eq!(room.look_tomorrow().await, 1);
        let case = room.case().await;
        let shown = json!([case["status"], case["looks"]["last_result"], case["looks"]["misses"]]);
        assert_eq!(shown, json!(["open", "failed", 0]), "{status}");
    }
}

#[db_test]
async fn a_mention_that_is_back_reopens_the_case(room: Room) {
    room.open().await;
    room.show(Script::answer(404, b""));
    assert_eq!(room.look().await, 1);
    assert_eq!(room.status().await, "removed");
    // A scan has seen it, but only the page decides.
    let url = room.site.url("/news");
    room.watch.say(&url, "Seen again: Grace Hopper.").await;
    assert_eq!((room.look().await, room.status().await), (1, "removed".to_owned()));
    room.show(Script::ok(SHOWN.as_bytes()));
    room.watch.say(&url, "Seen once more: Grace Hopper.").await;
    assert_eq!((room.look().await, room.status().await), (1, "open".to_owned()));
    room.show(Script::answer(410, b""));
    assert_eq!((room.look_tomorrow().await, room.status().await), (1, "removed".to_owned()));
    let removed = room.told().await.into_iter().filter(|it| it == "mention.removed").count();
    assert_eq!(removed, 2, "once for each removal");
}
