//! Grants: listed and shown to both parties, proven by a receipt, revoked with a reason. Others see
//! neither grants nor requests.

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::request::{Parties, WISH};
use crate::console::account;

const NUMBER: &str = "GR-2026-000001";

#[db_test]
async fn both_parties_see_the_grant(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    parties.ada.get("/app/grants").await.says(200, &["No grants yet", "View requests"]);
    let page = format!("/app/grants/{}", parties.grant().await);
    let texts = [
        NUMBER,
        "scheduled",
        "Winter",
        "Grace Hopper",
        "Somerville & Co",
        "Babbage Talent",
        "€1,500 per campaign",
        "Aug 1, 2026, 00:00:00 UTC",
        "No alcohol.",
        "Download receipt",
        "View the request",
    ];
    parties.ada.get(&page).await.says(200, &texts).hides("Revoke grant");
    parties.mary.get(&page).await.says(200, &texts).says(200, &["Revoke grant"]);
    let row = [NUMBER, "Grace Hopper", "Advertising", "Germany", "Feb 1, 2026 to Aug 1, 2026"];
    for path in ["", "?role=asker", "?status=scheduled", "?ends_before=2026-08-02"] {
        parties.ada.get(&format!("/app/grants{path}")).await.says(200, &row);
    }
    let seen = parties.mary.get("/app/grants?role=owner").await;
    seen.says(200, &row).says(200, &["Babbage Talent"]);
    let talent = seen.link("/app/grants?role=owner&amp;talent=").replace("&amp;", "&");
    parties.mary.get(&talent).await.says(200, &row).says(200, &["Talent: Grace Hopper"]);
    parties.ada.get("/app/grants?role=owner").await.says(200, &["No grants yet"]);
    let seen = parties.ada.get("/app/grants?ends_before=2026-07-01").await;
    seen.says(200, &["No grants found", "Clear filters"]);
    parties.ada.get("/app/grants?status=odd").await.says(400, &["Status must be one of"]);
}

#[db_test]
async fn the_receipt_is_downloaded(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let path = format!("/app/grants/{}/receipt", parties.grant().await);
    for browser in [&mut parties.ada, &mut parties.mary] {
        let seen = browser.get(&path).await;
        assert_eq!(seen.kind.as_deref(), Some("application/dc+sd-jwt"));
        let body = serde_json::json!({ "receipt": seen.text });
        let found = fixture.app.post("/receipts/verify", &body).await;
        assert_eq!(found.json()["claims"]["grant_number"], NUMBER);
    }
    for (query, disclosed) in
        [("only=true&include=talent&include=fee", vec!["talent", "fee"]), ("only=true", vec![])]
    {
        let seen = parties.ada.get(&format!("{path}?{query}")).await;
        let body = serde_json::json!({ "receipt": seen.text });
        let claims = fixture.app.post("/receipts/verify", &body).await.json()["claims"].clone();
        for claim in ["license", "talent", "licensee", "fee", "conditions", "channels"] {
            let shown = claims.as_object().unwrap().contains_key(claim);
            assert_eq!(shown, disclosed.contains(&claim), "{query}: {claim}");
        }
    }
}

#[db_test]
async fn a_grant_is_revoked_with_a_reason(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = format!("/app/grants/{}", parties.grant().await);
    let path = format!("{page}/revoke");
    let seen = parties.mary.post(&path, &[("reason", "")]).await;
    seen.says(422, &[NUMBER]).refuses("reason", "Is required.");
    seen.says(422, &["opens one of its shared links", "can no longer be downloaded"]);
    seen.refuses("confirm", "Must be checked.");
    let form = [("reason", "The fee was not paid"), ("confirm", "true")];
    parties.ada.post(&path, &form).await.says(403, &[]);
    let seen = parties.mary.follow(&path, &form).await;
    seen.says(200, &["Grant GR-2026-000001 revoked", "Reason: The fee was not paid"]);
    seen.says(200, &["This grant was revoked just now by Ada Lovelace."]);
    seen.hides("I understand");
    let seen = parties.ada.get(&page).await;
    seen.says(200, &["This grant was revoked just now by Somerville & Co."]);
    seen.says(200, &["Reason: The fee was not paid"]);
    let seen = parties.mary.post(&path, &form).await;
    seen.says(409, &["The grant is already revoked"]);
}

#[db_test]
async fn a_grant_of_others_is_not_there(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = format!("/app/grants/{}", parties.grant().await);
    account(&fixture.app, "eve@example.com", "Eve Agency").await;
    let mut eve = fixture.signed_in("eve@example.com").await;
    eve.get(&page).await.says(404, &["Page not found"]).hides("Winter");
    eve.get(&format!("{page}/receipt")).await.says(404, &["Page not found"]);
    let form = [("reason", "x"), ("confirm", "true")];
    eve.post(&format!("{page}/revoke"), &form).await.says(404, &["Page not found"]);
    eve.get("/app/grants").await.says(200, &["No grants yet"]).hides("Winter");
    // Nor for those who could not revoke any grant.
    fixture.run("UPDATE tenants SET type = 'Brand' WHERE name = 'Eve Agency'".to_owned()).await;
    let mut eve = fixture.signed_in("eve@example.com").await;
    eve.post(&format!("{page}/revoke"), &form).await.says(404, &["Page not found"]);
}

#[db_test]
async fn a_request_of_others_is_not_there(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    account(&fixture.app, "eve@example.com", "Eve Agency").await;
    let mut eve = fixture.signed_in("eve@example.com").await;
    for page in ["", "/offer", "/accept"] {
        let seen = eve.get(&format!("/app/requests/{request}{page}")).await;
        seen.says(404, &["Page not found"]).hides("Winter");
    }
    let form = [("message", "x"), ("reason", "x"), ("accept", "true"), ("terms_hash", "x")];
    for page in ["messages", "decline", "withdraw", "offer", "accept"] {
        let seen = eve.post(&format!("/app/requests/{request}/{page}"), &form).await;
        seen.says(404, &["Page not found"]).hides("Winter");
    }
    eve.get("/app/requests").await.says(200, &["No requests yet"]).hides("Winter");
}
