//! What a revocation changes in the status list.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{days, terms};
use crate::license::{World, text};

/// The bits of the first status list.
async fn bits(world: &World) -> Vec<u8> {
    let answer = world.app.get("/status-lists/1").await;
    assert_eq!(answer.status, 200);
    let token = String::from_utf8(answer.body).unwrap();
    let held = grantor_receipt::verify_status_list(&token, &*world.app.app.keys).unwrap();
    held.list.as_bytes().to_vec()
}

/// The positions of the bits that differ.
fn flipped(before: &[u8], after: &[u8]) -> Vec<usize> {
    assert_eq!(before.len(), after.len());
    let differs = |at: &usize| (before[at / 8] ^ after[at / 8]) >> (at % 8) & 1 == 1;
    (0..before.len() * 8).filter(differs).collect()
}

async fn verified(world: &World, grant: &str) -> (String, Value) {
    let receipt = world.as_brand(Method::GET, &format!("/grants/{grant}/receipt"), None).await;
    let body = json!({ "receipt": receipt.json()["receipt"] });
    let found = world.app.post("/receipts/verify", &body).await.json();
    (text(&found["valid"]), found["claims"]["status"]["status_list"]["idx"].clone())
}

#[db_test]
async fn a_revocation_flips_exactly_one_bit(mut world: World) {
    let mut grants = Vec::new();
    for _ in 0..4 {
        let license = world.public().await;
        grants.push(text(&world.granted(&license, terms()).await["id"]));
    }
    let made = bits(&world).await;
    assert!(made.iter().all(|it| *it == 0), "a new grant is not revoked");
    world.pass(days(31)).await;
    assert_eq!(bits(&world).await, made, "nor is one that has started");
    let (_, index) = verified(&world, &grants[1]).await;
    for (position, count) in [(1, 1), (3, 2)] {
        let path = format!("/grants/{}/revoke", grants[position]);
        let body = json!({ "reason": "Not paid" });
        assert_eq!(world.as_agency(Method::POST, &path, Some(body)).await.status, 200);
        let flipped = flipped(&made, &bits(&world).await);
        assert_eq!(flipped.len(), count);
        assert!(flipped.contains(&usize::try_from(index.as_u64().unwrap()).unwrap()));
    }
    let mut valid = Vec::new();
    for grant in &grants {
        valid.push(verified(&world, grant).await.0);
    }
    assert_eq!(valid, ["yes", "no", "yes", "no"]);
}
