//! Accepting an offer.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{ENDS, STARTS, terms};
use crate::license::{Member, World, text};

#[db_test]
async fn an_accepted_offer_is_a_grant(world: World) {
    let license = world.public().await;
    let mut offered = terms();
    offered["fee"] = json!({ "amount": 1500, "currency": "EUR", "per": "campaign" });
    let made = world.granted(&license, offered).await;
    let party = |member: &Member, kind: &str| {
        let name = format!("{kind} of {}", member.email);
        json!({ "id": member.organization, "name": name, "type": kind })
    };
    let expected = json!({
        "id": made["id"],
        "number": "GR-2026-000001",
        "license": { "id": license, "name": "Winter" },
        "license_version": 1,
        "talent": { "id": world.talent, "name": "Grâce Hopper" },
        "licensor": party(&world.agency, "Agency"),
        "licensee": party(&world.brand, "Brand"),
        "role": "asker", "status": "scheduled",
        "terms": {
            "uses": ["advertising"], "territories": ["US"], "starts_at": STARTS, "ends_at": ENDS,
            "fee": { "amount": "1500.00", "currency": "EUR", "per": "campaign" },
            "exclusive": false, "channels": [], "conditions": null, "credit_line": null,
        },
        "terms_hash": made["terms_hash"],
        "accepted_by": "Feed",
        "request_id": made["request_id"],
        "created_at": "2026-01-01T00:00:01.000000Z",
        "revoked_at": null, "revoke_reason": null, "revoked_by": null,
    });
    assert_eq!(made, expected);
    let path = format!("/grants/{}", text(&made["id"]));
    assert_eq!(world.as_brand(Method::GET, &path, None).await.whole(), (200, expected.clone()));
    let given = world.as_agency(Method::GET, &path, None).await.json().clone();
    assert_eq!((&given["role"], &given["number"]), (&json!("owner"), &expected["number"]));
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    assert_eq!(eve.external(&world.app, Method::GET, &path, None).await.status, 404);
    let told = ["request.created", "request.offered", "grant.created"];
    assert_eq!(world.events(&world.brand).await, told);
}

/// What the API answers is enough to compute the hash, as docs/verifying.md says.
#[db_test]
async fn the_hash_of_the_terms_can_be_computed_from_the_answer(world: World) {
    let mut offered = terms();
    offered["uses"] = json!(["voice", "advertising"]);
    offered["fee"] = json!({ "amount": 1500.5, "currency": "EUR", "per": "campaign" });
    let grant = world.granted(&world.public().await, offered).await;
    let mut terms = grant["terms"].clone();
    for member in ["starts_at", "ends_at"] {
        terms[member] = json!(text(&terms[member]).replace(".000000Z", "Z"));
    }
    let mut hashed = json!({
        "license_id": grant["license"]["id"], "license_version": grant["license_version"],
        "licensor": grant["licensor"]["id"], "licensee": grant["licensee"]["id"], "terms": terms,
    });
    // Sorted members without white space: the canonical form of values as simple as these.
    hashed.sort_all_objects();
    let hash = digest(&SHA256, hashed.to_string().as_bytes());
    let hash = format!("sha256:{}", URL_SAFE_NO_PAD.encode(hash));
    assert_eq!(grant["terms_hash"], json!(hash));
}

#[db_test]
async fn nobody_accepts_terms_they_have_not_read(world: World) {
    let request = world.request_license(&world.public().await).await;
    let first = world.offer(&request, terms()).await;
    let mut other = terms();
    other["conditions"] = json!("No alcohol");
    world.app.clock.advance(Duration::from_millis(1));
    let second = world.offer(&request, other).await;
    let refused = world.accept_offer(&request, &first).await;
    let details = json!({ "terms_hash": second });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (409, &details));
    let made = world.accept_offer(&request, &second).await;
    let again = world.accept_offer(&request, &second).await;
    assert_eq!((again.status.as_u16(), again.json()), (200, made.json()), "the same grant");
}

#[db_test]
async fn only_the_asker_accepts(world: World) {
    let request = world.request_license(&world.public().await).await;
    let hash = world.offer(&request, terms()).await;
    let body = json!({ "terms_hash": hash });
    let path = format!("/requests/{request}/accept");
    let refused = world.as_agency(Method::POST, &path, Some(body)).await;
    let message = &refused.json()["error"]["message"];
    assert_eq!(
        (refused.status.as_u16(), message),
        (403, &json!("Only the party that received the offer can accept it"))
    );
}

#[db_test]
async fn a_license_that_became_narrower_lapses_the_offer(world: World) {
    let license = world.public().await;
    let request = world.request_license(&license).await;
    let hash = world.offer(&request, terms()).await;
    assert_eq!(world.patch(&license, json!({ "uses": ["voice"] })).await.status, 200);
    let refused = world.accept_offer(&request, &hash).await;
    let message = "The license no longer allows these terms, so the offer has lapsed";
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["error"]["message"]),
        (409, &json!(message))
    );
    let path = format!("/requests/{request}");
    assert_eq!(world.as_brand(Method::GET, &path, None).await.json()["status"], "lapsed");
    assert_eq!(world.events(&world.brand).await.last().unwrap(), "request.lapsed");
}

#[db_test]
async fn sixty_four_acceptances_make_one_grant(world: World) {
    let request = world.request_license(&world.public().await).await;
    let hash = world.offer(&request, terms()).await;
    let answers = join_all((0..64).map(|_| world.accept_offer(&request, &hash))).await;
    let first = answers[0].json();
    assert!(answers.iter().all(|it| it.status == 200 && it.json()["id"] == first["id"]));
    let query = "SELECT CAST(count(*) AS text) FROM grants
        UNION ALL SELECT CAST(last_serial AS text) FROM grant_numbers
        UNION ALL SELECT CAST(total AS text) FROM party_counts
          WHERE list IN ('grants_held', 'grants_given') AND status = 'scheduled'";
    let counted = seed::rows(&world.app.database.options, query).await;
    assert_eq!(counted, [["1"], ["1"], ["1"], ["1"]], "grants, numbers and both parties' counts");
    let made = world.events(&world.brand).await;
    assert_eq!(made.iter().filter(|it| *it == "grant.created").count(), 1);
}

#[db_test]
async fn numbers_have_no_gaps(world: World) {
    for serial in 1..=3 {
        let license = world.public().await;
        let made = world.granted(&license, terms()).await;
        assert_eq!(made["number"], format!("GR-2026-{serial:06}"));
    }
}
