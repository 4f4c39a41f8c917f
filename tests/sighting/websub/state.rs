//! What those who watch see of a subscription, and what pausing and resuming a source does to it.

use std::time::Duration;

use grantor_domain::admin::AdminRole;
use grantor_domain::email::Email;
use grantor_domain::person::FullName;
use grantor_domain::websub::HubStatus;
use grantor_service::Context;
use grantor_service::operations::admin;
use grantor_testkit::clock::MockClock;
use grantor_testkit::db_test;
use grantor_testkit::listener::Script;
use http::Method;
use serde_json::{Value, json};

use super::{DAY, RSS, Stage, TOPIC};
use crate::license::text;

impl Stage {
    /// The agency's source, as the API shows it.
    async fn source(&self) -> Value {
        let listed = self.world.get("/sources").await.json();
        let shown = self.world.get(&format!("/sources/{}", text(&listed["data"][0]["id"]))).await;
        assert_eq!(shown.json(), listed["data"][0], "the list says the same");
        shown.json()
    }

    /// The agency pauses or resumes its source.
    async fn set_status(&self, status: &str) {
        let path = format!("/sources/{}", text(&self.source().await["id"]));
        let body = Some(json!({ "status": status }));
        let changed = self.world.agency.external(&self.world.app, Method::PATCH, &path, body).await;
        assert_eq!(changed.status, 200, "{}", changed.json());
    }

    /// An access token of staff.
    async fn staff(&self) -> String {
        let context = Context::operator(self.app().clock.monotonic());
        let email = Email::parse("root@example.com").unwrap();
        let (name, role) = (FullName::parse("Root Admin").unwrap(), AdminRole::SuperAdmin);
        let made = admin::create(self.app(), &context, email, name, role).await.unwrap();
        let body = json!({ "token": made.token.expose() });
        let login = self.world.app.post("/v1.0.1/auth/authenticateAdmin", &body).await;
        text(&login.json()["data"]["accessToken"])
    }

    /// Staff stop or resume the agency's source.
    async fn order(&self, staff: &str, what: &str) {
        let path = format!("/v1.0.1/pax/{what}/source/{}", text(&self.source().await["id"]));
        let done = self.world.app.request(Method::POST, &path).bearer(staff).send().await;
        assert_eq!(done.status, 201, "{}", done.json());
    }

    /// The hub learns from a push that nobody watches any more, and confirms the end.
    async fn end(&self, form: &super::Form) {
        assert_eq!(self.push(form, RSS).await, 410);
        assert_eq!(self.ask().await, 1);
        let end = self.asked().pop().unwrap();
        assert_eq!(self.verify(&end, &[]).await.0, 200);
        assert_eq!((self.status().await, self.ask().await), (HubStatus::Ended, 0));
    }

    fn host(&self) -> String {
        self.hub.address().to_string()
    }
}

#[db_test]
async fn a_source_that_its_tenant_resumes_is_subscribed_at_once(stage: Stage) {
    let first = stage.confirmed().await;
    stage.set_status("paused").await;
    stage.end(&first).await;
    stage.set_status("running").await;
    assert_eq!((stage.status().await, stage.ask().await), (HubStatus::Pending, 1));
    assert_eq!(stage.asked().pop().unwrap(), first);
    stage.set_status("running").await;
    assert_eq!(stage.ask().await, 0, "it was running already");
}

#[db_test]
async fn a_source_that_staff_resume_is_subscribed_at_once(stage: Stage) {
    let (first, staff) = (stage.confirmed().await, stage.staff().await);
    stage.order(&staff, "stop").await;
    stage.end(&first).await;
    stage.order(&staff, "resume").await;
    assert_eq!((stage.status().await, stage.ask().await), (HubStatus::Pending, 1));
    assert_eq!(stage.asked().pop().unwrap(), first);
}

#[db_test]
async fn a_source_that_stays_paused_is_not_subscribed(stage: Stage) {
    let (first, staff) = (stage.confirmed().await, stage.staff().await);
    stage.set_status("paused").await;
    stage.order(&staff, "stop").await;
    stage.end(&first).await;
    stage.order(&staff, "resume").await;
    assert_eq!((stage.status().await, stage.ask().await), (HubStatus::Ended, 0));
}

#[db_test]
async fn a_source_says_whether_its_hub_pushes(stage: Stage) {
    let push = async || stage.source().await["push"].clone();
    let none = "the address names no hub that can be subscribed to";
    let off = json!({ "status": "off", "hub": null, "active_until": null, "reason": none });
    assert_eq!(push().await, off);

    stage.answer(Script::answer(500, b""));
    let form = stage.subscribe().await;
    let pending = json!({
        "status": "pending", "hub": stage.host(), "active_until": null,
        "reason": "the hub returned status 500",
    });
    assert_eq!(push().await, pending);

    stage.answer(Script::answer(202, b""));
    assert_eq!(stage.verify(&form, &[("hub.lease_seconds", "3600")]).await.0, 200);
    let until = MockClock::START.plus(Duration::from_hours(1)).to_string();
    let active =
        json!({ "status": "active", "hub": stage.host(), "active_until": until, "reason": null });
    assert_eq!(push().await, active);

    stage.set_status("paused").await;
    let paused = json!({
        "status": "off", "hub": stage.host(), "active_until": null,
        "reason": "the source is not running",
    });
    assert_eq!(push().await, paused);
}

#[db_test]
async fn a_source_says_why_its_hub_refused(stage: Stage) {
    let form = stage.subscribe().await;
    let denied = [("hub.mode", "denied"), ("hub.topic", TOPIC), ("hub.reason", "too many")];
    assert_eq!(stage.call(&form["hub.callback"], &denied).await.0, 200);
    let expected = json!({
        "status": "denied", "hub": stage.host(), "active_until": null,
        "reason": "the hub denied the subscription: too many",
    });
    assert_eq!(stage.source().await["push"], expected);
}

/// The lease is over although it was to be renewed: the hub pushes no more, as far as we know.
#[db_test]
async fn a_lease_that_is_over_is_not_active(stage: Stage) {
    stage.confirmed().await;
    stage.pass(DAY * 11);
    let token = stage.world.agency.renewed(&stage.world.app).await;
    let listed = stage.world.app.request(Method::GET, "/sources").bearer(&token).send().await;
    let push = &listed.json()["data"][0]["push"];
    assert_eq!((&push["status"], &push["active_until"]), (&json!("pending"), &Value::Null));
    assert_eq!(push["reason"], "the hub has not renewed the subscription yet");
}
