//! Licenses: who sees what, who may do what, and how that is given and taken.

use grantor_testkit::db_test;

use super::kit::{ADA, WebFixture};
use super::license::license;

/// Everything below one license, as forms reach it.
const POSTS: [&str; 9] = [
    "edit",
    "status",
    "delete",
    "duplicate",
    "template",
    "images",
    "images/01900000-0000-7000-8000-000000000001/remove",
    "permissions",
    "permissions/01900000-0000-7000-8000-000000000001/revoke",
];

#[db_test]
async fn a_license_of_others_is_not_there(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let id = license(&mut mary, &[("name", "Secret"), ("status", "public")]).await;
    let mut ada = fixture.ada().await;
    for page in ["", "/edit", "/history", "/preview"] {
        let seen = ada.get(&format!("/app/licenses/{id}{page}")).await;
        seen.says(404, &["Page not found"]).hides("Secret");
    }
    let form = [("status", "private"), ("version", "1-public"), ("role", "viewer"), ("name", "x")];
    for page in POSTS {
        let seen = ada.post(&format!("/app/licenses/{id}/{page}"), &form).await;
        seen.says(404, &["Page not found"]).hides("Secret");
    }
    mary.get(&format!("/app/licenses/{id}")).await.says(200, &["Secret", "public"]);
}

#[db_test]
async fn who_only_reads_is_offered_nothing_else(fixture: WebFixture) {
    let id = license(&mut fixture.ada().await, &[("name", "Winter"), ("status", "private")]).await;
    let mut reader = fixture.colleague("Team_Member").await;
    let seen = reader.get(&format!("/app/licenses/{id}")).await;
    seen.says(200, &["Winter", "Bookmark"]).hides("/edit\"").hides("Make private").hides("Delete");
    seen.hides("Share license").hides("Add images");
    reader.get("/app/licenses").await.says(200, &["Winter"]).hides("New license");
    reader.get("/app/licenses/new").await.says(403, &["You don't have access"]);
    for page in POSTS {
        let seen =
            reader.post(&format!("/app/licenses/{id}/{page}"), &[("version", "1-private")]).await;
        assert_eq!(seen.status, 403, "{page}: {}", seen.text);
    }
}

#[db_test]
async fn a_right_is_given_and_taken(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let id = license(&mut mary, &[("name", "Shared"), ("status", "private")]).await;
    let (page, path) = (format!("/app/licenses/{id}"), format!("/app/licenses/{id}/permissions"));
    let mut ada = fixture.ada().await;
    ada.get(&page).await.says(404, &[]);
    let seen = mary.follow(&path, &[("grantee", ADA), ("role", "viewer")]).await;
    seen.says(200, &["License shared. We emailed ada@example.com", "pending", "Revoke"]);
    ada.get("/app/licenses").await.says(200, &["No licenses yet"]);
    ada.get("/app/licenses?of=seen").await.says(200, &["Shared", "Somerville & Co"]);
    let shown = ada.get(&page).await;
    shown
        .says(200, &["Shared", "You can view this license"])
        .hides("Share license")
        .hides("/edit\"");
    ada.get(&format!("{page}/edit")).await.says(403, &["not edit it"]);
    let right = seen.between("/permissions/", "/revoke").unwrap();
    mary.follow(&format!("{path}/{right}/revoke"), &[])
        .await
        .says(200, &["Access revoked", "Only your organization has access"]);
    ada.get(&page).await.says(404, &[]);
}

#[db_test]
async fn a_licensor_elsewhere_edits(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let id = license(&mut mary, &[("name", "Shared"), ("status", "private")]).await;
    let form = [("grantee", ADA), ("role", "licensor")];
    mary.follow(&format!("/app/licenses/{id}/permissions"), &form).await.says(200, &["can edit"]);
    let mut ada = fixture.ada().await;
    ada.get(&format!("/app/licenses/{id}")).await.says(200, &["Edit", "Publish"]).hides("Delete");
    let form =
        [("version", "1-private"), ("name", "Ours too"), ("type", "voice"), ("status", "private")];
    let seen = ada.follow(&format!("/app/licenses/{id}/edit"), &form).await;
    seen.says(200, &["Ours too", "Somerville & Co"]);
    assert_eq!(ada.post(&format!("/app/licenses/{id}/delete"), &[]).await.status, 404);
}

#[db_test]
async fn a_right_that_cannot_be_given_is_said_so(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let path = format!("/app/licenses/{id}/permissions");
    let seen = ada.post(&path, &[("role", "viewer")]).await;
    seen.says(422, &["Winter"]).refuses("grantee", "Is required.").begins_at("grantee");
    let seen = ada.post(&path, &[("grantee", "nobody@"), ("role", "king")]).await;
    seen.says(422, &["Must be one of viewer, trustee, licensor."]).holds("grantee", "nobody@");
    assert!(seen.page.contains("grantee-wrong"), "{}", seen.text);
    let form = [("grantee", "nobody@example.com"), ("role", "viewer")];
    let seen = ada.follow(&path, &form).await;
    seen.says(200, &["License shared. We emailed nobody@example.com", "pending", "Winter"]);
}

#[db_test]
async fn a_brand_sees_what_is_shared_alone(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let id = license(&mut mary, &[("name", "Shared"), ("status", "private")]).await;
    fixture.becomes("Brand").await;
    let mut ada = fixture.ada().await;
    ada.get("/app/licenses")
        .await
        .says(200, &["No licenses shared with you yet"])
        .hides("Owned by you");
    let form = [("grantee", ADA), ("role", "trustee")];
    mary.post(&format!("/app/licenses/{id}/permissions"), &form).await;
    ada.get("/app/licenses").await.says(200, &["Shared"]).hides("New license");
    ada.get("/app/licenses/new").await.says(403, &["cannot manage licenses"]);
}
