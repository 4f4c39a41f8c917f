//! Accepting an offer in two calls.

use std::time::Duration;

use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use serde_json::{Value, json};

use super::{call, data, failure};
use crate::grant::terms;
use crate::license::{World, text};

/// The arguments of a request for a license.
pub(super) fn wish(license: &str) -> Value {
    let terms = terms();
    json!({
        "license_id": license, "uses": terms["uses"], "territories": terms["territories"],
        "starts_at": terms["starts_at"], "ends_at": terms["ends_at"], "purpose": "A campaign",
    })
}

/// A call as the brand.
async fn brand(world: &World, tool: &str, arguments: Value) -> Answer {
    call(&world.app, Some(&world.brand.external), tool, arguments).await
}

/// A request of the brand that the agency answered with an offer; its ID.
async fn with_offer(world: &World) -> String {
    let request = world.request_license(&world.public().await).await;
    world.offer(&request, terms()).await;
    request
}

/// The terms that the first call shows to the brand.
async fn read_terms(world: &World, request: &str) -> Value {
    data(&brand(world, "accept_offer", json!({ "id": request })).await)
}

async fn count_grants(world: &World) -> String {
    let query = "SELECT CAST(count(*) AS text) FROM grants";
    seed::rows(&world.app.database.options, query).await.concat().concat()
}

#[db_test]
async fn an_agent_gets_a_grant_and_its_receipt(world: World) {
    let license = world.public().await;
    let asked = data(&brand(&world, "request_license", wish(&license)).await);
    let request = text(&asked["id"]);
    world.offer(&request, terms()).await;
    let thread = data(&brand(&world, "read_offer", json!({ "id": request })).await);
    let offer = &thread["offers"][0];
    let shown = read_terms(&world, &request).await;
    let expected = json!({
        "accepted": false, "license": thread["license"], "talent": thread["talent"],
        "owner": thread["owner"], "offer": offer,
    });
    assert_eq!(shown, expected);
    assert_eq!(count_grants(&world).await, "0", "the first call changes nothing");
    let arguments = json!({ "id": request, "terms_hash": shown["offer"]["terms_hash"] });
    let accepted = data(&brand(&world, "accept_offer", arguments.clone()).await);
    let grant = &accepted["grant"];
    assert_eq!((&accepted["accepted"], &grant["terms"]), (&json!(true), &offer["terms"]));
    assert_eq!(data(&brand(&world, "accept_offer", arguments).await), accepted, "the same grant");
    let listed = data(&brand(&world, "list_grants", json!({ "role": "asker" })).await);
    assert_eq!(listed["data"], json!([grant]));
    let receipt = data(&brand(&world, "get_receipt", json!({ "id": grant["id"] })).await);
    let verified = world.app.post("/receipts/verify", &receipt).await.json();
    assert_eq!(verified["claims"]["terms_hash"], grant["terms_hash"]);
}

#[db_test]
async fn only_terms_that_were_read_are_accepted(world: World) {
    let request = with_offer(&world).await;
    let first = read_terms(&world, &request).await["offer"]["terms_hash"].clone();
    world.app.clock.advance(Duration::from_millis(1));
    let mut other = terms();
    other["conditions"] = json!("No alcohol");
    let second = world.offer(&request, other).await;
    let wrong = json!(format!("sha256:{}", "A".repeat(43)));
    for hash in [&first, &wrong] {
        let arguments = json!({ "id": request, "terms_hash": hash });
        let refused = failure(&brand(&world, "accept_offer", arguments).await);
        assert_eq!(refused["code"], "RESOURCE_CONFLICT");
        assert!(!refused.to_string().contains(&second), "whoever accepts must read the terms");
        assert_eq!(count_grants(&world).await, "0");
    }
    let shown = read_terms(&world, &request).await;
    assert_eq!(shown["offer"]["terms"]["conditions"], "No alcohol");
    let arguments = json!({ "id": request, "terms_hash": shown["offer"]["terms_hash"] });
    assert_eq!(data(&brand(&world, "accept_offer", arguments).await)["accepted"], true);
    assert_eq!(count_grants(&world).await, "1");
}

#[db_test]
async fn without_an_open_offer_there_is_nothing_to_accept(world: World) {
    let request = world.request_license(&world.public().await).await;
    let none = failure(&brand(&world, "accept_offer", json!({ "id": request })).await);
    let message = "The request has no open offer";
    let expected = json!({ "code": "RESOURCE_CONFLICT", "message": message, "request_id": "r-1" });
    assert_eq!(none, expected);
    world.offer(&request, terms()).await;
    assert_eq!(read_terms(&world, &request).await["accepted"], false, "now there is one");
}

/// Whoever made an offer can read it, but not accept it.
#[db_test]
async fn the_owner_does_not_accept_its_own_offer(world: World) {
    let request = with_offer(&world).await;
    let token = Some(world.agency.external.as_str());
    let shown = data(&call(&world.app, token, "accept_offer", json!({ "id": request })).await);
    let arguments = json!({ "id": request, "terms_hash": shown["offer"]["terms_hash"] });
    let refused = failure(&call(&world.app, token, "accept_offer", arguments).await);
    let message = json!("Only the party that received the offer can accept it");
    assert_eq!((&refused["message"], &*count_grants(&world).await), (&message, "0"));
}
