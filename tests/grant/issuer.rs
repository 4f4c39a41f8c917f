//! The documents with which verifiers find the keys of receipts and the meaning of their claims.

use std::collections::BTreeSet;

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::terms;
use crate::license::{World, text};

#[db_test]
async fn the_issuer_says_where_its_keys_are(world: World) {
    let answer = world.app.get("/.well-known/jwt-vc-issuer").await;
    assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"));
    let expected = json!({
        "issuer": "https://grantor.test",
        "jwks_uri": "https://grantor.test/.well-known/jwks.json",
    });
    assert_eq!(answer.whole(), (200, expected));
}

#[db_test]
async fn the_type_describes_exactly_the_claims_of_a_receipt(world: World) {
    let grant = world.granted(&world.public().await, terms()).await;
    let path = format!("/grants/{}/receipt", text(&grant["id"]));
    let receipt = world.as_brand(Method::GET, &path, None).await.json();
    let found = world.app.post("/receipts/verify", &receipt).await.json();
    let claims = found["claims"].as_object().unwrap();

    let answer = world.app.get("/credentials/grant/1").await;
    assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"));
    let described = answer.json();
    assert_eq!(described["vct"], claims["vct"]);
    let names = |list: &[Value]| -> BTreeSet<String> {
        list.iter().map(|it| text(&it["path"][0])).collect()
    };
    let all = described["claims"].as_array().unwrap();
    assert_eq!(names(all), claims.keys().cloned().collect());
    let withheld: Vec<_> = all.iter().filter(|it| it["sd"] == "always").cloned().collect();
    let disclosable = ["license", "talent", "licensee", "fee", "conditions", "channels"];
    assert_eq!(names(&withheld), disclosable.map(str::to_owned).into());
    assert!(all.iter().all(|it| it["display"][0]["label"].is_string()));
}
