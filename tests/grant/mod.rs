//! The licensing loop: requests, offers and grants between two parties, and decisions.

mod accept;
mod certificate;
mod decision;
mod email;
mod exclusive;
mod issuer;
mod lifecycle;
mod list;
mod mail;
mod node;
mod party;
mod receipt;
mod replay;
mod request;
mod status_list;
mod territory;
mod version;

use std::time::Duration;

use grantor_service::Context;
use grantor_service::licensing::{grant as grants, reminder as reminders, request as requests};
use grantor_testkit::app::Answer;
use http::Method;
use serde_json::{Value, json};

use crate::license::{Member, World, text};

/// When grants of the tests start and end by default.
const STARTS: &str = "2026-02-01T00:00:00.000000Z";
const ENDS: &str = "2026-08-01T00:00:00.000000Z";

impl World {
    /// A private license that the brand can see, with these further members.
    async fn shared(&self, more: Value) -> String {
        let license = self.license(more).await;
        assert_eq!(self.grant(&license, "viewer").await.status, 201);
        license
    }

    /// A public license.
    pub(crate) async fn public(&self) -> String {
        self.license(json!({ "status": "public" })).await
    }

    pub(crate) async fn as_brand(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.brand.external(&self.app, method, path, body).await
    }

    pub(crate) async fn as_agency(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        self.agency.external(&self.app, method, path, body).await
    }

    /// The brand asks for a grant; returns the request's id.
    pub(crate) async fn request_license(&self, license: &str) -> String {
        let made = self.as_brand(Method::POST, "/requests", Some(wish(license))).await;
        assert_eq!(made.status, 201, "{}", made.json());
        text(&made.json()["id"])
    }

    /// The agency makes an offer; returns the hash of its terms.
    pub(crate) async fn offer(&self, request: &str, terms: Value) -> String {
        let path = format!("/requests/{request}/offer");
        let made = self.as_agency(Method::POST, &path, Some(json!({ "terms": terms }))).await;
        assert_eq!(made.status, 200, "{}", made.json());
        let thread = self.as_brand(Method::GET, &format!("/requests/{request}"), None).await;
        let offers = thread.json()["offers"].as_array().unwrap().clone();
        text(&offers.last().unwrap()["terms_hash"])
    }

    pub(crate) async fn accept_offer(&self, request: &str, hash: &str) -> Answer {
        let path = format!("/requests/{request}/accept");
        self.as_brand(Method::POST, &path, Some(json!({ "terms_hash": hash }))).await
    }

    /// A grant from asking to accepting; returns its body.
    pub(crate) async fn granted(&self, license: &str, terms: Value) -> Value {
        let request = self.request_license(license).await;
        let hash = self.offer(&request, terms).await;
        let made = self.accept_offer(&request, &hash).await;
        assert_eq!(made.status, 200, "{}", made.json());
        made.json().clone()
    }

    /// Lets time pass, and stores what it changed as the workers do.
    pub(crate) async fn pass(&mut self, time: Duration) {
        self.app.clock.advance(time);
        let context = Context::system(Duration::ZERO);
        requests::lapse(&self.app.app, &context).await.unwrap();
        grants::advance(&self.app.app, &context).await.unwrap();
        reminders::send(&self.app.app, &context).await.unwrap();
        self.brand.external = self.brand.renewed(&self.app).await;
        self.agency.external = self.agency.renewed(&self.app).await;
    }

    /// The types of the newest events in a member's feed, oldest first.
    async fn events(&self, member: &Member) -> Vec<String> {
        let feed = member.external(&self.app, Method::GET, "/events?limit=100", None).await;
        let events = feed.json()["data"].as_array().cloned().unwrap_or_default();
        events.iter().map(|it| text(&it["type"])).collect()
    }
}

pub(crate) fn days(count: u64) -> Duration {
    Duration::from_hours(24 * count)
}

fn wish(license: &str) -> Value {
    json!({
        "license_id": license, "uses": ["advertising"], "territories": ["US"],
        "starts_at": STARTS, "ends_at": ENDS, "purpose": "A winter campaign",
    })
}

pub(crate) fn terms() -> Value {
    json!({
        "uses": ["advertising"], "territories": ["US"], "starts_at": STARTS, "ends_at": ENDS,
    })
}
