//! Who is told: the right is asked for again when an event is about to be sent.

use grantor_domain::organization::OrganizationStatus;
use grantor_service::Context;
use grantor_service::organizations::suspension::{set_tenant_status, set_user_active};
use grantor_testkit::listener::Script;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Room, each, path, payload};
use crate::license::{Member, text};

impl Room {
    pub(super) async fn revoke_right(&self, license: &str, granted: &Value) {
        let right = text(&granted["data"]["permissionId"]);
        let path = format!("/org/license/{license}/permissions/{right}");
        let gone = self.agency().console(&self.world.app, Method::DELETE, &path, None).await;
        assert_eq!(gone.status, 204);
    }

    /// Somebody else in the brand's organization, with a client of their own.
    async fn colleague(&self) -> Member {
        let colleague = Member::join(&self.world.app, "cyd@example.com", Some("Brand")).await;
        let home = "(SELECT last_tenant_id FROM users WHERE email = 'bea@example.com')";
        let person = "(SELECT user_id FROM users WHERE email = 'cyd@example.com')";
        let script = format!(
            "UPDATE clients SET tenant_id = {home} WHERE user_id = {person};
             UPDATE memberships SET tenant_id = {home} WHERE user_id = {person};"
        );
        seed::run(&self.world.app.database.options, script).await;
        self.world.app.clock.advance(std::time::Duration::from_secs(1));
        colleague
    }

    /// A token that may do nothing but manage webhooks.
    async fn narrow_token(&self, who: &Member) -> String {
        let app = &self.world.app;
        let asked = json!({ "name": "Hook", "environment": "production", "permissions": ["webhook:manage"] });
        let made = who.console(app, Method::POST, "/org/create/client", Some(asked)).await.json();
        let pair = &made["data"]["credentials"];
        let pair = json!({ "api_key": pair["clientId"], "api_secret": pair["secretKey"] });
        text(&app.post("/auth/token", &pair).await.json()["data"]["access_token"])
    }

    async fn set_bea_active(&self, active: bool) {
        let app = &self.world.app.app;
        let query = "SELECT CAST(user_id AS text) FROM users WHERE email = 'bea@example.com'";
        let query = match self.world.app.database.store.engine() {
            grantor_testkit::Engine::Sqlite => {
                query.replace("CAST(user_id AS text)", "hex(user_id)")
            }
            grantor_testkit::Engine::Postgres => query.to_owned(),
        };
        let id = seed::rows(&self.world.app.database.options, &query).await.concat().concat();
        let id = id.parse::<uuid::Uuid>().unwrap().into();
        let context = Context::operator(app.clock.monotonic());
        set_user_active(app, &context, id, active).await.unwrap();
    }
}

#[db_test]
async fn what_was_taken_away_before_it_was_sent_is_dropped(room: Room) {
    let webhook = room.webhook_of(room.brand(), "/brand", &[]).await;
    let id = room.world.license(json!({})).await;
    let granted = room.world.grant(&id, "viewer").await.json();
    room.world.patch(&id, json!({ "title": "Not for you" })).await;
    room.revoke_right(&id, &granted).await;
    room.send().await;
    let [call] = &room.calls()[..] else { panic!("{:?}", room.calls()) };
    let permission = json!({
        "id": granted["data"]["permissionId"], "grantee_id": room.brand().organization,
    });
    let told = payload(call);
    assert_eq!(told["type"], "permission.revoked");
    assert_eq!(told["data"], json!({ "license_id": id, "permission": permission }), "ids only");
    let shown = room.deliveries_of(room.brand(), &webhook).await;
    assert_eq!(each(&shown, "status"), ["delivered", "dropped", "dropped"]);
    let seen = room.ask_as(room.brand(), "GET /events", Value::Null).await.json();
    assert_eq!(each(seen["data"].as_array().unwrap(), "type"), ["permission.revoked"]);
}

/// The control: with the right still there everything arrives.
#[db_test]
async fn what_may_be_seen_is_told(room: Room) {
    room.webhook_of(room.brand(), "/brand", &[]).await;
    let id = room.world.license(json!({})).await;
    room.world.grant(&id, "viewer").await;
    room.world.patch(&id, json!({ "title": "For you" })).await;
    room.send().await;
    let mut told = room.told("/brand");
    told.sort();
    assert_eq!(told, ["license.updated", "permission.granted"]);
}

#[db_test]
async fn each_attempt_asks_anew(room: Room) {
    let webhook = room.webhook_of(room.brand(), "/brand", &["license.updated"]).await;
    let id = room.world.license(json!({})).await;
    let granted = room.world.grant(&id, "viewer").await.json();
    room.answers(grantor_testkit::listener::Script::answer(500, b""));
    room.world.patch(&id, json!({ "title": "Not for you any more" })).await;
    room.send().await;
    room.revoke_right(&id, &granted).await;
    room.world.app.clock.advance(std::time::Duration::from_secs(10));
    room.send().await;
    assert_eq!(room.told("/brand").len(), 1);
    let shown = room.deliveries_of(room.brand(), &webhook).await;
    assert_eq!(each(&shown, "status"), ["dropped"]);
    assert_eq!(shown[0]["attempts"].as_array().unwrap().len(), 1, "the first attempt is kept");
}

#[db_test]
async fn a_deleted_license_is_told_by_its_id_alone(room: Room) {
    room.webhook_of(room.brand(), "/brand", &["license.deleted"]).await;
    room.webhook(&["license.deleted"]).await;
    let id = room.world.license(json!({})).await;
    room.world.grant(&id, "viewer").await;
    let path = format!("/org/license/{id}");
    room.agency().console(&room.world.app, Method::DELETE, &path, None).await;
    room.send().await;
    let told: Vec<_> = room.calls().iter().map(|it| payload(it)["data"].clone()).collect();
    assert_eq!(told, vec![json!({ "license_id": id }); 2]);
}

#[db_test]
async fn a_persons_own_right_is_told_to_that_persons_webhooks(room: Room) {
    let colleague = room.colleague().await;
    room.webhook_of(room.brand(), "/bea", &[]).await;
    let other = room.webhook_of(&colleague, "/cyd", &[]).await;
    let id = room.world.license(json!({})).await;
    let granted =
        room.world.grant_to(&id, json!({ "userEmail": "bea@example.com" }), "viewer").await;
    assert_eq!(granted.status, 201, "{}", granted.json());
    room.world.patch(&id, json!({ "title": "For Bea" })).await;
    room.send().await;
    assert_eq!((room.told("/bea").len(), room.told("/cyd").len()), (2, 0));
    let shown = room.deliveries_of(&colleague, &other).await;
    assert_eq!(each(&shown, "status"), ["dropped", "dropped"]);
    let feed = room.ask_as(&colleague, "GET /events", Value::Null).await.json();
    assert_eq!(feed, json!({ "data": [], "next_cursor": "2", "has_more": false }));
    room.world.grant(&id, "viewer").await;
    room.send().await;
    assert_eq!(
        room.told("/cyd"),
        ["permission.granted"],
        "the control: the organization's permission"
    );
}

#[db_test]
async fn what_a_person_saw_ends_with_their_stay(room: Room) {
    room.webhook_of(room.brand(), "/bea", &["license.updated"]).await;
    let id = room.world.license(json!({})).await;
    room.world.grant_to(&id, json!({ "userEmail": "bea@example.com" }), "viewer").await;
    let retitle = async |title: &str| {
        room.world.patch(&id, json!({ "title": title })).await;
    };
    retitle("Seen").await;
    room.send().await;
    assert_eq!(room.told("/bea").len(), 1);
    retitle("While away").await;
    room.set_bea_active(false).await;
    room.send().await;
    assert_eq!(room.told("/bea").len(), 1, "disabled");
    room.set_bea_active(true).await;
    retitle("Back").await;
    room.send().await;
    assert_eq!(room.told("/bea").len(), 2);
    retitle("Moved").await;
    let home = "Agency of ada@example.com";
    let options = &room.world.app.database.options;
    seed::move_into(options, "bea@example.com", home, "Team_Member").await;
    room.send().await;
    assert_eq!(room.told("/bea").len(), 2, "left");
}

#[db_test]
async fn a_suspended_house_hears_nothing_until_it_is_back(room: Room) {
    let webhook = room.webhook_of(room.brand(), "/brand", &[]).await;
    let id = room.world.license(json!({})).await;
    let set = async |status| {
        let app = &room.world.app.app;
        let context = Context::operator(app.clock.monotonic());
        let tenant = room.brand().organization.parse().unwrap();
        set_tenant_status(app, &context, tenant, status).await.unwrap();
    };
    set(OrganizationStatus::Suspended).await;
    room.world.grant(&id, "viewer").await;
    room.send().await;
    assert_eq!(room.calls().len(), 0);
    set(OrganizationStatus::Active).await;
    room.send().await;
    assert_eq!(room.told("/brand"), ["permission.granted"]);
    let shown = room.deliveries_of(room.brand(), &webhook).await;
    assert_eq!(each(&shown, "status"), ["delivered"]);
}

/// A receiver may answer with what it was sent. Whoever may no longer see that does not see it there
/// either: not with a token that may read licenses, nor with one for webhooks alone.
#[db_test]
async fn what_may_no_longer_be_seen_is_in_no_answer(room: Room) {
    let webhook = room.webhook_of(room.brand(), "/brand", &[]).await;
    let id = room.world.license(json!({})).await;
    let granted = room.world.grant(&id, "viewer").await.json();
    room.answers(Script::ok(b"thanks for Hush"));
    room.world.patch(&id, json!({ "title": "Hush" })).await;
    room.send().await;
    let token = room.narrow_token(room.brand()).await;
    let read = room.ask_with(&token, &format!("GET /licenses/{id}"), Value::Null).await;
    assert_eq!(read.status, 403, "the control: it is for webhooks alone");
    let path = path(&webhook, "/deliveries");
    let told = async || {
        let mut told = String::new();
        for path in ["/events", &path] {
            let answer = room.ask_with(&token, &format!("GET {path}"), Value::Null).await;
            assert_eq!(answer.status, 200, "{}", answer.json());
            told += &answer.json().to_string();
        }
        told.matches("Hush").count()
    };
    assert_eq!(told().await, 3, "the control: in the event and in both answers");
    room.revoke_right(&id, &granted).await;
    assert_eq!(told().await, 0);
    let shown = room.deliveries_of(room.brand(), &webhook).await;
    assert_eq!(shown[2]["attempts"][0]["response_body"], Value::Null);
    let retry = format!("POST {path}/{}/retry", text(&shown[2]["id"]));
    let retried = room.ask_as(room.brand(), &retry, Value::Null).await;
    assert_eq!(
        (retried.status.as_u16(), retried.json().to_string().contains("Hush")),
        (202, false)
    );
    room.send().await;
    let shown = room.deliveries_of(room.brand(), &webhook).await;
    assert_eq!(
        (&shown[2]["status"], &shown[2]["drop_reason"]),
        (&json!("dropped"), &json!("not_visible"))
    );
}
