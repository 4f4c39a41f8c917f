//! `/app`: the dashboard.

use grantor_testkit::db_test;

use super::kit::{ADA, Browser, House};
use super::license::license;
use crate::sighting::Watch;

#[db_test]
async fn a_newcomer_is_shown_where_to_begin(house: House) {
    let seen = house.ada().await.get("/app").await;
    seen.says(200, &["Hello, Ada", "Begin with a license", "Mentions of the last 30 days"]);
    seen.says(200, &["0 of 100,000", "Nothing sent yet"]);
}

#[db_test]
async fn what_was_seen_is_drawn_and_told_in_numbers(watch: Watch) {
    watch.license(serde_json::json!({ "status": "private" })).await;
    watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    let seen = Browser::signed_in(&watch.world.app, "ada@example.com").await.get("/app").await;
    seen.says(200, &["Mentions waiting 1", "unlicensed 1", "private 1"]);
    assert!(
        seen.page.contains("aria-label=\"Mentions of the last 30 days, by verdict: 1 in all\"")
    );
}

#[db_test]
async fn a_brand_is_told_what_was_granted_to_it(house: House) {
    let mut mary = house.stranger().await;
    let id = license(&mut mary, &[("name", "Shared"), ("status", "private")]).await;
    house.becomes("Brand").await;
    let mut ada = house.ada().await;
    let seen = ada.get("/app").await;
    seen.says(200, &["Licenses granted to you 0 Find some in the catalog"]);
    seen.hides("Licenses in force").hides("Licenses by status");
    let form = [("grantee.userEmail", ADA), ("role", "viewer")];
    mary.post(&format!("/app/licenses/{id}/permissions"), &form).await.made();
    ada.get("/app").await.says(200, &["Licenses granted to you 1 Look at them"]);
    mary.get("/app").await.says(200, &["Licenses in force 1"]).hides("Licenses granted");
}
