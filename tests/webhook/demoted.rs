//! What a role lost, the API clients of whoever had it lose too: webhooks, what is sent to them, and
//! the feed. Each with its control, who was not demoted so far.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{Room, each, path};
use crate::license::text;

const REFUSED: &str = "INSUFFICIENT_PERMISSIONS";

impl Room {
    /// What comes of everything that is done with a webhook and the feed, by a client of the agency.
    async fn tried(&self, webhook: &Value) -> Vec<(u16, Value)> {
        let delivery = self.count("deliveries").await;
        assert_eq!(delivery, 1, "one was sent");
        let id = seed_delivery(self).await;
        let span = json!({ "since": "2025-12-31T00:00:00Z", "dry_run": true });
        let mut outcomes = Vec::new();
        for (what, body) in [
            ("GET /webhooks".to_owned(), Value::Null),
            (format!("GET {}", path(webhook, "")), Value::Null),
            (format!("GET {}", path(webhook, "/deliveries")), Value::Null),
            ("GET /events".to_owned(), Value::Null),
            ("GET /events?wait=1".to_owned(), Value::Null),
            ("POST /webhooks".to_owned(), json!({ "url": self.receiver.url("/more") })),
            (format!("PATCH {}", path(webhook, "")), json!({ "description": "Mine" })),
            (format!("POST {}", path(webhook, "/replay")), span),
            (format!("POST {}", path(webhook, &format!("/deliveries/{id}/retry"))), Value::Null),
            (format!("POST {}", path(webhook, "/test")), Value::Null),
            (format!("POST {}", path(webhook, "/rotate-secret")), Value::Null),
        ] {
            let answer = self.ask(&what, body).await;
            outcomes.push((answer.status.as_u16(), answer.json()["error"]["code"].clone()));
        }
        outcomes
    }
}

/// The id of the one delivery there is.
async fn seed_delivery(room: &Room) -> String {
    let query = match room.world.app.database.store.engine() {
        grantor_testkit::Engine::Sqlite => "SELECT lower(hex(delivery_id)) FROM deliveries",
        grantor_testkit::Engine::Postgres => "SELECT CAST(delivery_id AS text) FROM deliveries",
    };
    let rows = grantor_testkit::seed::rows(&room.world.app.database.options, query).await;
    rows[0][0].parse::<uuid::Uuid>().unwrap().to_string()
}

#[db_test]
async fn a_demoted_persons_client_loses_webhooks_deliveries_and_events(room: Room) {
    let webhook = room.webhook(&["license.created"]).await;
    room.world.license(json!({})).await;
    room.send().await;
    room.world.become_role(room.agency(), "Team_Member").await;
    let outcomes = room.tried(&webhook).await;
    assert_eq!(outcomes, vec![(403, json!(REFUSED)); 11]);
    assert_eq!(room.ask("GET /licenses", Value::Null).await.status, 200, "reading goes on");
    room.world.become_role(room.agency(), "Organization_User").await;
    let outcomes = room.tried(&webhook).await;
    assert!(outcomes.iter().all(|it| it.0 < 300), "the control: {outcomes:?}");
}

#[db_test]
async fn what_rests_on_a_demoted_persons_own_right_is_not_sent(room: Room) {
    for (role, sent) in [("Organization_User", 1), ("Team_Member", 0)] {
        let path = format!("/{role}");
        room.world.become_role(room.brand(), "Organization_Admin").await;
        let webhook = room.webhook_of(room.brand(), &path, &["license.updated"]).await;
        let id = room.world.license(json!({})).await;
        let grantee = json!({ "userEmail": "bea@example.com" });
        room.world.grant_to(&id, grantee, "viewer").await;
        room.world.patch(&id, json!({ "title": "For Bea alone" })).await;
        room.world.become_role(room.brand(), role).await;
        room.send().await;
        assert_eq!(room.told(&path).len(), sent, "{role}");
        room.world.become_role(room.brand(), "Organization_Admin").await;
        let shown = room.deliveries_of(room.brand(), &webhook).await;
        let status = if sent == 1 { "delivered" } else { "dropped" };
        assert_eq!(each(&shown, "status"), [status], "{role}");
    }
}

/// A webhook is the organization's: what the organization itself may see is sent on, whoever made it.
#[db_test]
async fn what_the_organization_sees_is_sent_whoever_made_the_webhook(room: Room) {
    room.webhook_of(room.brand(), "/brand", &["license.updated"]).await;
    let id = room.world.license(json!({})).await;
    room.world.grant(&id, "viewer").await;
    room.world.patch(&id, json!({ "title": "For the brand" })).await;
    room.world.become_role(room.brand(), "Team_Member").await;
    room.send().await;
    assert_eq!(room.told("/brand"), ["license.updated"]);
}

#[db_test]
async fn whoever_is_demoted_while_waiting_is_told_nothing(room: Room) {
    let token = room.agency().renewed(&room.world.app).await;
    let team = json!({ "name": "Voices" });
    let made = room.agency().console(&room.world.app, Method::POST, "/org/create/team", Some(team));
    let team = text(&made.await.json()["data"]["teamId"]);
    let own = room.agency().console(&room.world.app, Method::GET, "/user/profile", None).await;
    let member = format!("/org/team/{team}/member/{}", text(&own.json()["data"]["id"]));
    // Somebody else must be an admin.
    grantor_testkit::seed::move_into(
        &room.world.app.database.options,
        "bea@example.com",
        "Agency of ada@example.com",
        "Organization_Admin",
    )
    .await;
    let waiting = || room.ask_with(&token, "GET /events?wait=1", Value::Null);
    assert_eq!(waiting().await.status, 200, "the control");
    let (refused, ()) = tokio::join!(waiting(), async {
        let demoted = Some(json!({ "role": "Team_Member" }));
        let demoted = room.agency().console(&room.world.app, Method::PATCH, &member, demoted).await;
        assert_eq!(demoted.status, 200, "{}", demoted.json());
    });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["code"]), (403, &json!(REFUSED)));
}
