//! Receipts: proofs of a grant that anybody can verify.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{days, terms};
use crate::license::{Member, World, text};

impl World {
    /// A grant in effect; returns its id and receipt.
    async fn receipt(&mut self) -> (String, String) {
        let grant = self.granted(&self.public().await, terms()).await;
        self.pass(days(31)).await;
        let id = text(&grant["id"]);
        let path = format!("/grants/{id}/receipt");
        let answer = self.as_brand(Method::GET, &path, None).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        (id, text(&answer.json()["receipt"]))
    }

    async fn verify(&self, receipt: &str) -> Value {
        let answer = self.app.post("/receipts/verify", &json!({ "receipt": receipt })).await;
        assert_eq!(answer.status, 200, "{}", answer.json());
        answer.json().clone()
    }
}

#[db_test]
async fn anybody_can_verify_a_receipt(mut world: World) {
    let (id, receipt) = world.receipt().await;
    let found = world.verify(&receipt).await;
    assert_eq!((&found["valid"], &found["reasons"]), (&json!("yes"), &json!([])));
    let claims = &found["claims"];
    assert_eq!(claims["grant_number"], "GR-2026-000001");
    assert_eq!(claims["licensee"]["id"], json!(world.brand.organization));
    assert_eq!(claims["talent"]["name"], "Grâce Hopper");
    let path = format!("/grants/{id}/receipt");
    assert_eq!(world.as_agency(Method::GET, &path, None).await.status, 200);
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    assert_eq!(eve.external(&world.app, Method::GET, &path, None).await.status, 404);
}

#[db_test]
async fn a_revocation_shows_at_once(mut world: World) {
    let (id, receipt) = world.receipt().await;
    let list = text(&world.verify(&receipt).await["claims"]["status"]["status_list"]["uri"]);
    let path = list.strip_prefix(&world.app.app.public_url).unwrap().to_owned();
    let before = world.app.get(&path).await;
    assert_eq!(before.header("content-type"), Some("application/statuslist+jwt"));
    let body = json!({ "reason": "Not paid" });
    let revoked = world.as_agency(Method::POST, &format!("/grants/{id}/revoke"), Some(body)).await;
    assert_eq!(revoked.status, 200);
    let found = world.verify(&receipt).await;
    assert_eq!((&found["valid"], &found["reasons"]), (&json!("no"), &json!(["REVOKED"])));
    assert_ne!(world.app.get(&path).await.body, before.body);
    assert_eq!(world.app.get("/status-lists/2").await.status, 404);
}

#[db_test]
async fn an_altered_receipt_is_refused(mut world: World) {
    let (_, receipt) = world.receipt().await;
    let cut = &receipt[..receipt.len() - 2];
    assert_eq!(world.verify(cut).await["valid"], "no");
    assert_eq!(world.verify("x").await["reasons"], json!(["SIGNATURE"]));
    world.pass(days(181)).await;
    assert_eq!(world.verify(&receipt).await["reasons"], json!(["ENDED"]));
}
