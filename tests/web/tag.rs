//! Tags of licenses and talents.

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::license::{license, talent};

#[db_test]
async fn a_license_is_tagged_found_and_untagged(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    license(&mut ada, &[("name", "Summer")]).await;
    let (page, tags) = (format!("/app/licenses/{winter}"), format!("/app/licenses/{winter}/tags"));
    let seen = ada.follow(&tags, &[("tags", "Coats, vip guests, COATS")]).await;
    seen.says(200, &["Tags updated", "Coats", "vip guests"]).hides("COATS");
    let seen = ada.get("/app/licenses?tag=VIP%20Guests").await;
    seen.says(200, &["Winter", "Tag: VIP Guests"]).hides("Summer");
    ada.get("/app/licenses?tag=shoes").await.says(200, &["No licenses found"]);
    let seen = ada.get("/app/tags?search=co").await;
    assert_eq!(seen.page, "<option value=\"Coats\"></option>");
    ada.follow(&tags, &[("remove", "coats")]).await.says(200, &["vip guests"]).hides("Coats");
    assert_eq!(ada.get("/app/tags?search=co").await.page, "", "nothing has it any more");
    let log = ada.get("/app/logs?action=tag.change").await;
    log.says(200, &["Tags were changed", "Winter"]);
    ada.get(&page).await.says(200, &["version 1"]);
}

#[db_test]
async fn a_talent_has_at_most_twenty_short_tags(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let path = format!("/app/talents/{}/tags", talent(&mut ada, "Zoë").await);
    let many =
        |from: u32, to: u32| (from..to).map(|it| it.to_string()).collect::<Vec<_>>().join(",");
    ada.follow(&path, &[("tags", &many(0, 20))]).await.says(200, &["19"]);
    let seen = ada.post(&path, &[("tags", "21")]).await;
    seen.says(409, &[]).refuses("tags", "A talent can have at most 20 tags.");
    let seen = ada.post(&path, &[("tags", &many(0, 21))]).await;
    seen.says(422, &[]).refuses("tags", "Must be at most 20 tags.");
    let seen = ada.post(&path, &[("tags", &"x".repeat(31))]).await;
    seen.says(422, &[]).refuses("tags", "Each tag must be 1 to 30 characters.");
    ada.post(&path, &[("tags", " ")]).await.says(422, &[]).refuses("tags", "Is required.");
}

#[db_test]
async fn tags_are_seen_by_their_organization_alone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter"), ("status", "public")]).await;
    let path = format!("/app/licenses/{winter}");
    ada.follow(&format!("{path}/tags"), &[("tags", "Problematic")]).await;
    let mut mary = fixture.stranger().await;
    let form = [("grantee", "mary@example.com"), ("role", "licensor")];
    ada.follow(&format!("{path}/permissions"), &form).await;
    mary.get(&path).await.says(200, &["Winter"]).hides("Problematic");
    mary.get("/app/licenses?of=seen").await.says(200, &["Winter"]).hides("Problematic");
    mary.get("/app/licenses?of=seen&tag=Problematic").await.says(200, &["No licenses found"]);
    assert_eq!(mary.get("/app/tags?search=pro").await.page, "");
    mary.post(&format!("{path}/tags"), &[("tags", "Mine")]).await.says(404, &[]);
    let seen = mary.get("/app/export/licenses?of=seen").await;
    assert!(seen.page.contains("Winter") && !seen.page.contains("Problematic"), "{}", seen.page);
    let mut member = fixture.colleague("Team_Member").await;
    member.get(&path).await.says(200, &["Problematic"]).hides("Add tags");
    member.post(&format!("{path}/tags"), &[("tags", "Mine")]).await.says(403, &[]);
}
