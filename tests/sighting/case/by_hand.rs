//! What a person marks as removed: who did it is said, and what is taken back at once is not told.

use std::time::Duration;

use grantor_service::notices;
use grantor_testkit::listener::Script;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{DAY, Room};
use crate::console::account;
use crate::license::{PASSWORD, text};

const MINUTE: Duration = Duration::from_mins(1);
const MAILED: &str = "SELECT kind FROM mails WHERE kind LIKE 'mention%removed' ORDER BY kind";
const TOLD: &str =
    "SELECT summary, link FROM notices WHERE kind = 'mention_removed' ORDER BY summary";
/// An owner of the agency, whom nothing keeps from being told: the tests act by a client of Ada's.
const NORA: &str = "nora@example.com";

impl Room {
    async fn set(&self, status: &str) {
        let changed = self.send(Method::PATCH, "", Some(json!({ "status": status }))).await;
        assert_eq!(changed.json()["status"], status, "{}", changed.json());
    }

    /// Adds another owner to the agency.
    async fn colleague(&self) {
        let app = &self.world().app;
        account(app, NORA, "Home of Nora").await;
        let (options, agency) = (&app.database.options, "Agency of ada@example.com");
        seed::move_into(options, NORA, agency, "Organization_Admin").await;
    }

    /// Sends a change as the colleague.
    async fn as_colleague(&self, path: &str, body: Value) {
        let app = &self.world().app;
        let token = text(&app.sign_in(NORA, PASSWORD).await["accessToken"]);
        let request = app.request(Method::PATCH, &format!("/v1.0.1{path}")).console(&token);
        let changed = request.json(&body).send().await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    }

    /// Lets a minute pass, and composes the emails that are due.
    async fn pass(&self) {
        let app = &self.world().app;
        app.clock.advance(MINUTE);
        notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
    }

    /// The types of the mention events since the decision, with who removed it.
    async fn events(&self) -> Vec<Value> {
        let feed = self.ask(&self.world().agency, Method::GET, "/events?limit=100", None).await;
        let feed = feed.json();
        let events = feed["data"].as_array().unwrap().iter();
        let of_mention = events.filter(|it| text(&it["type"]).starts_with("mention."));
        let told = of_mention.map(|it| json!([it["type"], it["data"].get("removed_by")]));
        told.skip(2).collect()
    }

    /// The authors and texts of the comments.
    async fn comments(&self) -> Vec<Value> {
        let case = self.case().await;
        let comments = case["comments"].as_array().unwrap().iter();
        comments.map(|it| json!([it["author"], it["text"]])).collect()
    }

    fn site_name(&self) -> String {
        format!("127.0.0.1:{}", self.site.port())
    }

    fn page_of_case(&self) -> String {
        format!("/app/mentions/{}/case", self.mention)
    }
}

#[db_test]
async fn it_is_said_who_marked_a_mention_as_removed(room: Room) {
    room.open().await;
    room.colleague().await;
    // The email that the mention was found.
    room.pass().await;
    room.set("removed").await;
    room.pass().await;
    let summary = format!("Feed marked Grâce Hopper as removed from {}", room.site_name());
    assert_eq!(room.rows(TOLD).await, [[summary, room.page_of_case()]]);
    assert_eq!(room.rows(MAILED).await, [["mention_marked_removed"]]);
    let mail = room.world().app.newest_mail(NORA).await.replace("=\r\n", "");
    for line in ["This is what Feed says.", &room.page_of_case()] {
        assert!(mail.contains(line), "{line}: {mail}");
    }
    assert_eq!(room.events().await, [json!(["mention.removed", "Feed"])]);
    assert_eq!(room.comments().await, [json!(["Feed", "Marked the mention as removed."])]);
}

/// The same removal, found by a look.
#[db_test]
async fn what_a_look_found_has_no_person(room: Room) {
    room.open().await;
    room.show(Script::answer(410, b""));
    assert_eq!(room.look().await, 1);
    room.pass().await;
    let summary = format!("Grâce Hopper was removed from {}", room.site_name());
    assert_eq!(room.rows(TOLD).await, [[summary, room.page_of_case()]]);
    assert_eq!(room.rows(MAILED).await, [["mention_removed"]]);
    assert_eq!(room.events().await, [json!(["mention.removed", null])]);
    assert_eq!(room.comments().await, [json!(["Grantor", "The page does not exist any more."])]);
}

#[db_test]
async fn members_that_a_change_ignores_are_named(room: Room) {
    room.open().await;
    for (body, ignored) in [
        (json!({ "status": "sent", "states": "closed" }), Some("states")),
        (json!({ "status": "open" }), None),
    ] {
        let changed = room.send(Method::PATCH, "", Some(body)).await;
        assert_eq!((changed.status.as_u16(), changed.header("x-ignored-fields")), (200, ignored));
    }
}

#[db_test]
async fn what_is_taken_back_at_once_is_not_told(room: Room) {
    room.open().await;
    room.colleague().await;
    room.set("removed").await;
    assert_eq!(room.rows(TOLD).await.len(), 1, "it would be told");
    room.world().app.clock.advance(Duration::from_secs(1));
    room.set("open").await;
    room.pass().await;
    assert_eq!((room.rows(TOLD).await.len(), room.rows(MAILED).await.len()), (0, 0));
    // Events are in order and told at once, so the second takes the first back.
    let events = [json!(["mention.removed", "Feed"]), json!(["mention.updated", null])];
    assert_eq!(room.events().await, events);
    let comments = ["Marked the mention as removed.", "Marked the mention as not removed."];
    assert_eq!(room.comments().await, comments.map(|it| json!(["Feed", it])));
}

/// Closing a case does not bring the mention back; opening the case again does.
#[db_test]
async fn what_is_taken_back_after_closing_is_not_told(room: Room) {
    room.open().await;
    room.colleague().await;
    for status in ["removed", "closed"] {
        room.set(status).await;
        assert_eq!(room.rows(TOLD).await.len(), 1, "it would be told: {status}");
    }
    room.set("open").await;
    room.pass().await;
    assert_eq!((room.rows(TOLD).await.len(), room.rows(MAILED).await.len()), (0, 0));
    let events = [json!(["mention.removed", "Feed"]), json!(["mention.updated", null])];
    assert_eq!(room.events().await, events);
}

#[db_test]
async fn what_was_told_is_corrected(room: Room) {
    room.open().await;
    room.colleague().await;
    room.pass().await;
    room.set("removed").await;
    room.pass().await;
    // Closing the case does not bring the mention back.
    for status in ["closed", "open"] {
        assert_eq!(room.rows(TOLD).await.len(), 1, "{status}");
        room.set(status).await;
    }
    let line = |what: &str| format!("Feed {what} removed from {}", room.site_name());
    let told = ["marked Grâce Hopper as", "says that Grâce Hopper was not"]
        .map(|it| [line(it), room.page_of_case()]);
    assert_eq!(room.rows(TOLD).await, told);
    room.pass().await;
    let mailed = [["mention_marked_not_removed"], ["mention_marked_removed"]];
    assert_eq!(room.rows(MAILED).await, mailed);
    let mail = room.world().app.newest_mail(NORA).await.replace("=\r\n", "");
    for said in ["You were told before that the mention was removed.", &room.page_of_case()] {
        assert!(mail.contains(said), "{said}: {mail}");
    }
    // Another removal is told again, and taking that back in time leaves the first.
    room.set("removed").await;
    assert_eq!(room.rows(TOLD).await.len(), 3);
    room.set("open").await;
    room.pass().await;
    assert_eq!(
        (room.rows(TOLD).await, room.rows(MAILED).await.len()),
        (told.map(Vec::from).to_vec(), 2)
    );
}

/// Who has read of the removal gets no email about it any more, but one about the correction.
#[db_test]
async fn what_was_read_is_corrected(room: Room) {
    room.open().await;
    room.colleague().await;
    room.pass().await;
    room.set("removed").await;
    room.as_colleague("/user/notices", json!({})).await;
    room.set("open").await;
    room.pass().await;
    assert_eq!(room.rows(TOLD).await.len(), 2);
    assert_eq!(room.rows(MAILED).await, [["mention_marked_not_removed"]]);
}

#[db_test]
async fn a_digest_is_corrected_by_the_next_one(room: Room) {
    room.open().await;
    room.colleague().await;
    let channels = json!({ "channels": { "mention_removed": "digest" } });
    room.as_colleague("/user/notifications", channels).await;
    let digests = async || {
        let app = &room.world().app;
        // There is one digest a day at most.
        app.clock.advance(2 * DAY);
        notices::compose_due(&app.app, app.app.clock.now()).await.unwrap();
        room.rows("SELECT kind FROM mails WHERE kind = 'digest'").await.len()
    };
    for status in ["removed", "open"] {
        room.set(status).await;
    }
    assert_eq!(digests().await, 0, "it was taken back before the digest");
    for (status, expected) in [("removed", 1), ("open", 2)] {
        room.set(status).await;
        assert_eq!(digests().await, expected, "{status}");
    }
}

#[db_test]
async fn a_chat_waits_for_what_can_be_taken_back(room: Room) {
    room.open().await;
    let (app, agency) = (&room.world().app, &room.world().agency);
    let body = json!({
        "name": "Rights", "url": room.site.url("/hook"), "kinds": ["mention_removed"],
    });
    let made = agency.console(app, Method::POST, "/org/chat-addresses", Some(body)).await;
    assert_eq!(made.status, 201, "{}", made.json());
    let sent = async || notices::send_chat_messages(&app.app).await.unwrap();
    room.set("removed").await;
    assert_eq!(sent().await, 0, "not yet");
    room.set("open").await;
    app.clock.advance(MINUTE);
    assert_eq!(sent().await, 0, "it was taken back");
    room.set("removed").await;
    app.clock.advance(MINUTE);
    assert_eq!(sent().await, 1);
    room.set("open").await;
    assert_eq!(sent().await, 1, "it is corrected");
    let calls = room.site.calls().into_iter().filter(|it| it.path == "/hook");
    let told: Vec<_> = calls.map(|it| String::from_utf8(it.body).unwrap()).collect();
    let lines = ["as removed from", "was not removed from"];
    assert!(told.len() == 2 && lines.iter().zip(&told).all(|(a, b)| b.contains(a)), "{told:?}");
}
