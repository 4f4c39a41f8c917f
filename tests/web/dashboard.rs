//! `/app`: the dashboard.

use grantor_testkit::db_test;

use super::kit::{ADA, Browser, WebFixture};
use super::license::license;
use super::request::{Parties, WISH};
use crate::sighting::Watch;

#[db_test]
async fn a_newcomer_is_shown_where_to_begin(fixture: WebFixture) {
    let seen = fixture.ada().await.get("/app").await;
    seen.says(200, &["Hello, Ada", "First steps 0 of 5 done", "Mentions in the last 30 days"]);
    seen.says(200, &["0 of 100,000", "No deliveries yet"]);
}

#[db_test]
async fn what_was_seen_is_drawn_and_told_in_numbers(watch: Watch) {
    watch.license(serde_json::json!({ "status": "private" })).await;
    watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    let seen = Browser::signed_in(&watch.world.app, "ada@example.com").await.get("/app").await;
    seen.says(200, &["New mentions 1", "unlicensed 1", "private 1"]);
    assert!(seen.page.contains("aria-label=\"Mentions in the last 30 days, by verdict: 1 total\""));
}

#[db_test]
async fn a_brand_is_told_what_was_granted_to_it(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let id = license(&mut mary, &[("name", "Shared"), ("status", "private")]).await;
    fixture.becomes("Brand").await;
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app").await;
    seen.says(200, &["Licenses shared with you 0 Browse the catalog"]);
    seen.hides("Active licenses").hides("Licenses by status");
    let form = [("grantee", ADA), ("role", "viewer")];
    mary.post(&format!("/app/licenses/{id}/permissions"), &form).await.made();
    ada.get("/app").await.says(200, &["Licenses shared with you 1 View"]);
    mary.get("/app").await.says(200, &["Active licenses 1"]).hides("Licenses shared");
}

#[db_test]
async fn what_waits_for_an_answer_is_said(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    let link = format!("/app/requests/{request}");
    let seen = parties.mary.get("/app").await;
    assert_eq!(seen.says(200, &["1 request waits for your answer"]).link(&link), link);
    parties.ada.get("/app").await.says(200, &["Hello"]).hides("waits for your answer");
    parties.offer(&request, "1500").await;
    let seen = parties.ada.get("/app").await;
    assert_eq!(seen.says(200, &["1 offer waits for your answer"]).link(&link), link);
    parties.mary.get("/app").await.says(200, &["Hello"]).hides("waits for your answer");
    let hash = parties.terms_hash(&request).await;
    let form = [("terms_hash", hash.as_str()), ("accept", "true")];
    parties.ada.post(&format!("{link}/accept"), &form).await.made();
    parties.ada.get("/app").await.says(200, &["Hello"]).hides("waits for your answer");
}
