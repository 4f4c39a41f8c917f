//! The document tells of every kind of event, and real events are as it tells.

use std::collections::BTreeSet;
use std::time::Duration;

use grantor_api::{Api, openapi};
use grantor_domain::Clock as _;
use grantor_domain::event::EventType;
use grantor_service::Context;
use grantor_service::identity::client;
use grantor_testkit::app::TestApp;
use grantor_testkit::document::Document;
use grantor_testkit::{Engine, Fixture as _, db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::{Room, payload};
use crate::grant;
use crate::license::text;

fn document() -> (Value, Document) {
    let document = openapi::document(Api::External, "https://grantor.test", "grantor");
    let document = serde_json::to_value(document).unwrap();
    (document.clone(), Document::new(document))
}

/// The schema of what a receiver gets of this kind.
fn schema(document: &Value, kind: &str) -> Value {
    let body = &document["webhooks"][kind]["post"]["requestBody"];
    body["content"]["application/json"]["schema"].clone()
}

#[test]
fn every_kind_is_told_of_with_its_headers() {
    let (document, schemas) = document();
    let told: BTreeSet<_> = document["webhooks"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(told, EventType::ALL.map(|it| it.name().to_owned()).into());
    for kind in EventType::ALL {
        let post = &document["webhooks"][kind.name()]["post"];
        let headers = post["parameters"].as_array().unwrap().iter();
        let headers: Vec<_> = headers.map(|it| (text(&it["name"]), text(&it["in"]))).collect();
        let expected = ["webhook-id", "webhook-timestamp", "webhook-signature"];
        assert_eq!(headers, expected.map(|it| (it.to_owned(), "header".to_owned())), "{kind}");
        let wrong = schemas.faults(&schema(&document, kind.name()), &json!({}));
        assert_eq!(wrong.len(), 5, "{kind}: {wrong:?}");
    }
    let other: Value =
        serde_json::to_value(openapi::document(Api::Console, "https://g.test", "g")).unwrap();
    assert_eq!(other.get("webhooks"), None);
}

impl Room {
    /// Brings about what there is an endpoint or a worker for.
    async fn everything(&self, webhook: &Value) {
        let world = &self.world;
        let id = world.license(json!({ "status": "public", "uses": ["voice"] })).await;
        let fee = json!({ "amount": "10.50", "currency": "EUR", "per": "day" });
        let change = json!({ "title": "Été", "fee": fee, "terms": { "share": 0.5 } });
        assert_eq!(world.patch(&id, change).await.status, 200);
        let granted = world.grant(&id, "viewer").await.json();
        let right = text(&granted["data"]["permissionId"]);
        self.gone(&format!("/org/license/{id}/permissions/{right}")).await;
        assert_eq!(world.patch(&id, json!({ "status": "expired" })).await.status, 200);
        // Before the license is gone: what can no longer be seen is not sent.
        self.send().await;
        self.gone(&format!("/org/license/{id}")).await;
        let soon = world.app.clock.now().plus(Duration::from_mins(24 * 60 + 1)).to_string();
        let new = json!({ "name": "Importer", "environment": "staging", "expiresAt": soon });
        let path = "/org/create/client";
        let made = self.agency().console(&world.app, Method::POST, path, Some(new)).await;
        assert_eq!(made.status, 201, "{}", made.json());
        // The word goes out a day ahead, and only of what was longer away before.
        world.app.clock.advance(Duration::from_mins(2));
        client::warn_expiring(&world.app.app, &Context::system(Duration::ZERO)).await.unwrap();
        self.send().await;
        let what = format!("POST /webhooks/{}/test", text(&webhook["id"]));
        assert_eq!(self.ask(&what, Value::Null).await.status, 200);
    }

    /// Brings about what can happen between the parties of requests and grants.
    async fn agreements(&mut self) {
        let world = &mut self.world;
        let (one, other) = (world.public().await, world.public().await);
        let expiry = json!({ "expires_at": "2026-08-01T00:00:00Z" });
        assert_eq!(world.patch(&one, expiry).await.status, 200);
        world.granted(&one, grant::terms()).await;
        let grant = world.granted(&other, grant::terms()).await;
        let (grant, reason) = (text(&grant["id"]), json!({ "reason": "Not now" }));
        let steps = [("decline", reason.clone()), ("withdraw", Value::Null)];
        for (step, body) in steps {
            let path = format!("/requests/{}", world.request_license(&other).await);
            let hello = Some(json!({ "message": "Hello" }));
            let sent = world.as_brand(Method::POST, &format!("{path}/messages"), hello).await;
            assert_eq!(sent.status, 201, "{}", sent.json());
            let path = format!("{path}/{step}");
            let closed = match body {
                Value::Null => world.as_brand(Method::POST, &path, None).await,
                body => world.as_agency(Method::POST, &path, Some(body)).await,
            };
            assert_eq!(closed.status, 200, "{}", closed.json());
        }
        world.request_license(&other).await;
        let path = format!("/grants/{grant}/revoke");
        assert_eq!(world.as_agency(Method::POST, &path, Some(reason)).await.status, 200);
        self.send().await;
        // The request lapses, then the grant and its license are about to end, then they end.
        for time in [grant::days(91), grant::days(92), grant::days(30)] {
            self.world.pass(time).await;
            self.send().await;
        }
    }

    async fn gone(&self, path: &str) {
        let gone = self.agency().console(&self.world.app, Method::DELETE, path, None).await;
        assert_eq!(gone.status, 204, "{path}");
    }
}

#[db_test]
async fn what_is_sent_is_as_the_document_tells(mut room: Room) {
    let webhook = room.webhook(&[]).await;
    room.everything(&webhook).await;
    room.agreements().await;
    let (document, schemas) = document();
    let mut kinds = BTreeSet::new();
    for call in room.calls() {
        let told = payload(&call);
        let kind = text(&told["type"]);
        assert_eq!(schemas.faults(&schema(&document, &kind), &told), [""; 0], "{kind}");
        let whole = json!({ "$ref": "#/components/schemas/EventPayload" });
        assert_eq!(schemas.faults(&whole, &told), [""; 0], "{kind}");
        kinds.insert(kind);
    }
    let without_mentions = EventType::ALL.map(|it| it.name().to_owned());
    let mut expected: BTreeSet<_> = without_mentions.into();
    expected.retain(|it| !it.starts_with("mention."));
    assert_eq!(kinds, expected);
}

#[tokio::test]
async fn what_the_sample_tells_of_mentions_is_as_the_document_tells() {
    let app = TestApp::on(Engine::Sqlite).await;
    grantor_demo::fill(&app.app).await.unwrap();
    let query = "SELECT type, data FROM events WHERE type LIKE 'mention.%'";
    let rows = seed::rows(&app.database.options, query).await;
    let (document, schemas) = document();
    let mut kinds = BTreeSet::new();
    for row in rows {
        let data: Value = serde_json::from_str(&row[1]).unwrap();
        let body = schema(&document, &row[0]);
        let place = text(&body["$ref"]);
        let data_schema = &document.pointer(&place[1..]).unwrap()["properties"]["data"];
        assert_eq!(schemas.faults(data_schema, &data), [""; 0], "{}", row[0]);
        kinds.insert(row[0].clone());
    }
    assert_eq!(kinds, ["mention.created", "mention.updated"].map(str::to_owned).into());
}

/// A schema that told of too little or too much would be noticed.
#[test]
fn another_payload_does_not_fit() {
    let (document, schemas) = document();
    let schema = schema(&document, "webhook.test");
    let id = "0190a5e4-7b3c-7def-8123-000000000001";
    let good = json!({
        "type": "webhook.test", "timestamp": "2026-01-01T00:00:00Z", "sequence": 1,
        "resource_version": 1, "data": { "webhook_id": id },
    });
    assert_eq!(schemas.faults(&schema, &good), [""; 0]);
    for (member, value) in [
        ("type", json!("license.created")),
        ("sequence", json!("1")),
        ("data", json!({})),
        ("data", json!({ "webhook_id": id, "more": 1 })),
        ("data", json!({ "webhook_id": "x" })),
        ("id", json!("x")),
    ] {
        let mut bad = good.clone();
        bad[member] = value;
        assert_eq!(schemas.faults(&schema, &bad).len(), 1, "{bad}");
    }
}

/// The event catalog has a sample of every kind, and each is as the document tells.
#[test]
fn every_sample_in_the_catalog_of_events_fits() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/events.md");
    let page = std::fs::read_to_string(file).unwrap();
    let (document, schemas) = document();
    let mut kinds = BTreeSet::new();
    for section in page.split("\n### ").skip(1) {
        let (kind, rest) = section.split_once('\n').unwrap();
        let sample = rest.split("```json").nth(1).and_then(|it| it.split("```").next()).unwrap();
        let sample: Value = serde_json::from_str(sample).unwrap();
        assert_eq!(sample["type"], kind);
        assert_eq!(schemas.faults(&schema(&document, kind), &sample), [""; 0], "{kind}");
        kinds.insert(kind.to_owned());
    }
    assert_eq!(kinds, EventType::ALL.map(|it| it.name().to_owned()).into());
}
