//! Who is told what becomes of a case: everybody who may work on it, and nobody else.

use grantor_service::notices;
use grantor_testkit::listener::Script;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Room, SHOWN};
use crate::license::{Member, text};

const TOLD: &str = "SELECT u.email, n.mail_kind FROM notices n
    JOIN users u ON u.user_id = n.person_id WHERE n.kind = 'mention_removed'
    ORDER BY u.email, n.mail_kind";
const ADA: &str = "ada@example.com";
const BEA: &str = "bea@example.com";

impl Room {
    /// Marks the mention as removed as Ada's client, and takes that back after the emails about it.
    async fn remove_and_take_back(&self) {
        for status in ["removed", "open"] {
            let changed = self.send(Method::PATCH, "", Some(json!({ "status": status }))).await;
            assert_eq!(changed.status, 200, "{}", changed.json());
            let app = &self.world().app;
            app.clock.advance(std::time::Duration::from_mins(1));
            notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
        }
    }

    /// Who removed the mention, as the newest such event of a member says.
    async fn removed_by(&self, who: &Member) -> Value {
        let feed = self.ask(who, Method::GET, "/events?limit=100", None).await.json().clone();
        let events = feed["data"].as_array().unwrap().iter();
        let mut removals = events.filter(|it| it["type"] == "mention.removed");
        removals.next_back().unwrap()["data"]["removed_by"].clone()
    }
}

#[db_test]
async fn whoever_may_work_on_a_case_is_told(room: Room) {
    room.open().await;
    assert_eq!(room.world().grant(&room.license, "trustee").await.status, 201);
    room.remove_and_take_back().await;
    let by_hand = [[BEA, "mention_marked_not_removed"], [BEA, "mention_marked_removed"]];
    assert_eq!(room.rows(TOLD).await, by_hand, "not Ada, whose client did it");
    assert_eq!(room.removed_by(&room.world().brand).await, "Feed");
    for (page, kind) in [
        (Script::answer(410, b""), "mention_removed"),
        (Script::ok(SHOWN.as_bytes()), "mention_back"),
    ] {
        room.show(page);
        assert_eq!(room.look_tomorrow().await, 1);
        let told = room.rows(TOLD).await;
        let of_kind: Vec<_> = told.iter().filter(|it| it[1] == kind).map(|it| &it[0]).collect();
        assert_eq!(of_kind, [ADA, BEA], "{kind}");
    }
}

/// A look that finds the mention within the minute takes back what nobody was told yet.
#[db_test]
async fn what_a_look_takes_back_at_once_is_not_told(room: Room) {
    room.open().await;
    assert_eq!(room.world().grant(&room.license, "trustee").await.status, 201);
    let removed = room.send(Method::PATCH, "", Some(json!({ "status": "removed" }))).await;
    assert_eq!(removed.status, 200);
    assert_eq!(room.rows(TOLD).await, [[BEA, "mention_marked_removed"]], "Ada's client did it");
    // As when a scan has seen the mention.
    let due = "UPDATE cases SET next_look_at = 0".to_owned();
    seed::run(&room.world().app.database.options, due).await;
    room.show(Script::ok(SHOWN.as_bytes()));
    assert_eq!(room.look().await, 1);
    assert_eq!(room.rows(TOLD).await, Vec::<Vec<String>>::new());
}

/// What a look found is corrected by whoever knows better.
#[db_test]
async fn what_a_look_found_is_corrected(room: Room) {
    room.open().await;
    assert_eq!(room.world().grant(&room.license, "licensor").await.status, 201);
    room.show(Script::answer(410, b""));
    assert_eq!(room.look().await, 1);
    let app = &room.world().app;
    app.clock.advance(std::time::Duration::from_mins(1));
    notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
    let opened = room.send(Method::PATCH, "", Some(json!({ "status": "open" }))).await;
    assert_eq!(opened.status, 200);
    let told =
        [[ADA, "mention_removed"], [BEA, "mention_marked_not_removed"], [BEA, "mention_removed"]];
    assert_eq!(room.rows(TOLD).await, told);
}

/// The permission of a person is not that of the organization.
#[db_test]
async fn who_has_a_permission_of_their_own_is_told_alone(room: Room) {
    room.open().await;
    let world = room.world();
    crate::console::account(&world.app, "cyd@example.com", "Home of Cyd").await;
    let (options, brand) = (&world.app.database.options, "Brand of bea@example.com");
    let cyd = "cyd@example.com";
    grantor_testkit::seed::move_into(options, cyd, brand, "Organization_User").await;
    let granted = world.grant_to(&room.license, json!({ "userEmail": cyd }), "trustee").await;
    assert_eq!(granted.status, 201, "{}", granted.json());
    room.remove_and_take_back().await;
    let told = [[cyd, "mention_marked_not_removed"], [cyd, "mention_marked_removed"]];
    assert_eq!(room.rows(TOLD).await, told);
}

#[db_test]
async fn who_lost_the_permission_is_told_nothing_more(room: Room) {
    room.open().await;
    let granted = room.world().grant(&room.license, "trustee").await.json().clone();
    let changed = room.send(Method::PATCH, "", Some(json!({ "status": "removed" }))).await;
    assert_eq!(changed.status, 200);
    let app = &room.world().app;
    app.clock.advance(std::time::Duration::from_mins(1));
    notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
    let permission = text(&granted["data"]["permissionId"]);
    let path = format!("/org/license/{}/permissions/{permission}", room.license);
    let revoked = room.world().agency.console(app, Method::DELETE, &path, None).await;
    assert_eq!(revoked.status, 204);
    room.send(Method::PATCH, "", Some(json!({ "status": "open" }))).await;
    assert_eq!(room.rows(TOLD).await, [[BEA, "mention_marked_removed"]]);
}

#[db_test]
async fn who_only_views_the_mention_gets_the_event_without_a_name(room: Room) {
    room.open().await;
    assert_eq!(room.world().grant(&room.license, "viewer").await.status, 201);
    room.remove_and_take_back().await;
    assert_eq!(room.rows(TOLD).await, Vec::<Vec<String>>::new());
    let seen = [&room.world().agency, &room.world().brand];
    let by = [room.removed_by(seen[0]).await, room.removed_by(seen[1]).await];
    assert_eq!(by, [json!("Feed"), Value::Null]);
}
