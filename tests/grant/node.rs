//! A revocation on one node, seen from another one.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use grantor_api::ApiState;
use grantor_http::{HttpState, Settings};
use grantor_service::App;
use grantor_testkit::db_test;
use http::{Method, Request};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::{days, terms};
use crate::license::{World, text};

/// A second node on the same database, with its own memory.
struct Node {
    app: App,
    router: Router,
}

impl Node {
    async fn beside(world: &World) -> Self {
        let app = world.app.another_node(9).await;
        let http = HttpState::new(app.clone(), Settings::default());
        let external = grantor_api::external::routes(&app.service_name);
        let console = grantor_api::console::routes();
        let pages = grantor_web::router(&http);
        let router = grantor_api::assemble(&ApiState::new(http), external, console, pages);
        Self { app, router }
    }

    async fn send(&self, method: Method, path: &str, token: &str, body: Value) -> (u16, Vec<u8>) {
        let mut request = Request::builder().method(method).uri(path);
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut request = if body.is_null() {
            request.body(Body::empty()).unwrap()
        } else {
            let request = request.header("content-type", "application/json");
            request.body(Body::from(body.to_string())).unwrap()
        };
        let peer = SocketAddr::from(([203, 0, 113, 8], 40_000));
        request.extensions_mut().insert(ConnectInfo(peer));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        (status, response.into_body().collect().await.unwrap().to_bytes().to_vec())
    }

    /// The decision about the brand's use of a license, as this party asks, and its first reason.
    async fn decide(&self, token: &str, license: &str, brand: &str) -> [Value; 2] {
        let question = json!({
            "license_id": license, "use": "advertising", "territory": "US", "party": brand,
        });
        let body = json!({ "questions": [question] });
        let (_, answer) = self.send(Method::POST, "/decisions", token, body).await;
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        let decision = &answer["decisions"][0];
        [decision["decision"].clone(), decision["reasons"][0]["code"].clone()]
    }

    async fn verify(&self, receipt: &str) -> [Value; 2] {
        let body = json!({ "receipt": receipt });
        let (_, found) = self.send(Method::POST, "/receipts/verify", "", body).await;
        let found: Value = serde_json::from_slice(&found).unwrap();
        [found["valid"].clone(), found["reasons"].clone()]
    }

    /// Whether the status list revokes an entry.
    async fn lists_revoked(&self, entry: &Value) -> bool {
        let uri = text(&entry["uri"]);
        let path = uri.strip_prefix(&self.app.public_url).unwrap();
        let (status, token) = self.send(Method::GET, path, "", Value::Null).await;
        assert_eq!(status, 200);
        let token = String::from_utf8(token).unwrap();
        let held = grantor_receipt::verify_status_list(&token, &*self.app.keys).unwrap();
        let index = u32::try_from(entry["idx"].as_u64().unwrap()).unwrap();
        held.list.is_revoked(index).unwrap()
    }
}

#[db_test]
async fn a_revocation_is_seen_on_another_node(mut world: World) {
    let license = world.public().await;
    let grant = text(&world.granted(&license, terms()).await["id"]);
    world.patch(&license, json!({ "status": "private" })).await;
    world.pass(days(31)).await;
    let receipt = world.as_brand(Method::GET, &format!("/grants/{grant}/receipt"), None).await;
    let receipt = text(&receipt.json()["receipt"]);
    let found = world.app.post("/receipts/verify", &json!({ "receipt": receipt })).await.json();
    let entry = found["claims"]["status"]["status_list"].clone();
    let node = Node::beside(&world).await;
    let (brand, agency) = (world.brand.external.as_str(), world.agency.external.as_str());
    let party = world.brand.organization.as_str();
    let view = format!("/licenses/{license}");
    let seen = async || {
        (
            node.send(Method::GET, &view, brand, Value::Null).await.0,
            node.decide(brand, &license, party).await,
            node.decide(agency, &license, party).await,
        )
    };
    // The other node knows it all before.
    let allowed = [json!("allowed"), json!("GRANT_COVERS")];
    assert_eq!(seen().await, (200, allowed.clone(), allowed));
    assert_eq!(node.verify(&receipt).await, [json!("yes"), json!([])]);
    assert!(!node.lists_revoked(&entry).await);

    let path = format!("/grants/{grant}/revoke");
    let revoked = world.as_agency(Method::POST, &path, Some(json!({ "reason": "Not paid" }))).await;
    assert_eq!(revoked.status, 200);
    let denied = |code: &str| [json!("denied"), json!(code)];
    assert_eq!(seen().await, (403, denied("NOT_VISIBLE"), denied("GRANT_REVOKED")), "at once");
    world.app.clock.advance(Duration::from_secs(1));
    assert_eq!(node.verify(&receipt).await, [json!("no"), json!(["REVOKED"])]);
    assert!(node.lists_revoked(&entry).await);
}
