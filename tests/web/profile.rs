//! `/app/profile` and `/app/organization`.

use grantor_testkit::db_test;

use super::kit::{ADA, WebFixture};
use crate::console::PASSWORD;

#[db_test]
async fn a_profile_is_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/profile").await;
    seen.says(200, &[ADA, "Babbage Talent", "Organization admin"])
        .holds("firstname", "Ada")
        .holds("lastname", "Lovelace");
    let form = [
        ("firstname", "Augusta Ada"),
        ("lastname", "King"),
        ("bio", "Writes programs"),
        ("phone", "+44 20 7946 0000"),
    ];
    let seen = ada.follow("/app/profile", &form).await;
    seen.says(200, &["Profile updated", "Writes programs"]);
    seen.holds("firstname", "Augusta Ada").holds("lastname", "King");
    ada.get("/app").await.says(200, &["Hello, Augusta"]);
    let seen = ada.post("/app/profile", &[("firstname", ""), ("phone", "call me")]).await;
    seen.says(422, &["Please fix the fields below"]).refuses("firstname", "Is required.");
    seen.holds("phone", "call me");
    let seen = ada.post("/app/profile", &[("firstname", "A"), ("lastname", "")]).await;
    seen.says(422, &[]).refuses("lastname", "Must result in a full name of 2 to 100 characters.");
}

#[db_test]
async fn a_password_is_changed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let path = "/app/profile/password";
    ada.post(path, &[])
        .await
        .refuses("password", "Is required.")
        .refuses("newPassword", "Is required.");
    let wrong = ada
        .post(path, &[("password", "Wrong-1843"), ("newPassword", "Difference-Engine-1822")])
        .await;
    assert!(wrong.status >= 400 && !wrong.page.contains("Wrong-1843"), "{}", wrong.text);
    let weak = ada.post(path, &[("password", PASSWORD), ("newPassword", "short")]).await;
    assert!(weak.says(422, &[]).page.contains("id=\"newPassword-wrong\""));
    let good = [("password", PASSWORD), ("newPassword", "Difference-Engine-1822")];
    ada.follow(path, &good).await.says(200, &["Password changed"]);
    let form = [("username", ADA), ("password", PASSWORD)];
    fixture.browser().post("/app/sign-in", &form).await.says(401, &[]);
}

#[db_test]
async fn a_sign_in_elsewhere_is_ended(fixture: WebFixture) {
    let (mut here, mut there) = (fixture.ada().await, fixture.ada().await);
    let seen = here.get("/app/profile").await;
    seen.says(200, &["this device"]);
    let ends: Vec<_> = seen.page.split("action=\"/app/profile/sessions/").skip(1).collect();
    assert_eq!(ends.len(), 2);
    let rows: Vec<_> = seen.page.split("<tr>").collect();
    let other =
        rows.iter().find(|it| it.contains("/sessions/") && !it.contains("this device")).unwrap();
    let own = rows.iter().find(|it| it.contains("this device")).unwrap();
    assert!(own.contains("Active now") && !other.contains("Active now"), "{}", seen.text);
    let id = other.split("/sessions/").nth(1).unwrap().split('/').next().unwrap();
    here.follow(&format!("/app/profile/sessions/{id}/end"), &[])
        .await
        .says(200, &["Session signed out"]);
    assert_eq!(there.get("/app/profile").await.status, 303);
    let mut mary = fixture.stranger().await;
    mary.post(&format!("/app/profile/sessions/{id}/end"), &[]).await.says(404, &[]);
}

#[db_test]
async fn an_organization_tells_of_itself(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.get("/app/organization").await.says(200, &["Babbage Talent", "Agency", "Free"]);
    ada.get("/app/organization/edit").await.holds("name", "Babbage Talent");
    let mut colleague = fixture.colleague("Organization_User").await;
    colleague.get("/app/organization").await.says(200, &[]).hides("/app/organization/edit");
    colleague.get("/app/organization/edit").await.says(403, &[]);
    let form = [
        ("name", "Babbage & Co"),
        ("basicInfo.website", "https://babbage.example"),
        ("basicInfo.foundedYear", "1822"),
        ("address.country", "GB"),
        ("contact.email", "office@babbage.example"),
        ("taxInfo.vatNumber", "GB 1"),
    ];
    let seen = ada.follow("/app/organization/edit", &form).await;
    seen.says(
        200,
        &["Babbage & Co", "https://babbage.example", "1822", "United Kingdom", "office@babbage"],
    );
    let form =
        [("name", "B"), ("basicInfo.foundedYear", "long ago"), ("address.country", "Utopia")];
    let seen = ada.post("/app/organization/edit", &form).await;
    seen.says(422, &[]).refuses("basicInfo.foundedYear", "Must be a year from 1000 to 9999.");
    seen.holds("basicInfo.foundedYear", "long ago");
    seen.refuses("address.country", "Must be an ISO 3166-1 alpha-2 code such as US.");
}
