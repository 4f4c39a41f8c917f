//! The people of an organization, as staff see and help them.

use grantor_domain::admin::AdminRole::{Admin, SuperAdmin, SupportAdmin};
use grantor_testkit::db_test;

use super::staff;
use crate::console::PASSWORD;
use crate::web::kit::{ADA, Browser, WebFixture};

/// The page of Ada's organization.
async fn page(browser: &mut Browser<'_>) -> String {
    let list = browser.get("/app/admin/organizations?search=babbage").await;
    list.link("/app/admin/organizations/")
}

#[db_test]
async fn people_and_invitations_are_listed(fixture: WebFixture) {
    fixture.colleague("Team_Lead").await;
    let mut ada = fixture.ada().await;
    let form = [("fullname", "Mary Somerville"), ("email", "mary@example.com")];
    ada.follow("/app/talents/invite", &form).await.says(200, &["Invitation sent"]);
    let mut admin = staff(&fixture, Admin).await;
    let page = page(&mut admin).await;
    let seen = admin.get(&page).await;
    seen.says(200, &["People", "Ada Lovelace", ADA, "colleague@example.com", "Team lead"]);
    seen.says(200, &["Pending invitations", "Mary Somerville", "mary@example.com", "Talent"]);
    seen.hides("Reset second factor");
    admin.get(&format!("{page}?page=2")).await.says(400, &["Page must be at most 1"]);
    let mut boss = staff(&fixture, SuperAdmin).await;
    let seen = boss.get(&page).await;
    let reset = seen.says(200, &["Reset second factor"]).link("/app/admin/second-factor?email=");
    let seen = boss.get(&reset).await;
    seen.says(200, &["Reset a second factor", "Babbage Talent", "There is nothing to reset."]);
    assert_eq!(seen.link("/app/admin/organizations/"), page);
}

#[db_test]
async fn an_address_leads_to_the_organizations_of_a_person(fixture: WebFixture) {
    fixture.stranger().await;
    let mut support = staff(&fixture, SupportAdmin).await;
    for path in ["/app/admin/organizations", "/app/admin/search"] {
        let seen = support.get(&format!("{path}?search=+MARY%40example.com")).await;
        seen.says(200, &["Somerville & Co"]).hides("Babbage");
        let page = seen.link("/app/admin/organizations/");
        support.get(&page).await.says(200, &["mary@example.com"]);
        for unknown in ["nobody%40example.com", "mary%40"] {
            let seen = support.get(&format!("{path}?search={unknown}")).await;
            seen.says(200, &[]).hides("Somerville");
        }
    }
    let list = "/app/admin/organizations?search=mary%40example.com";
    support.get(&format!("{list}&type=Brand")).await.says(200, &["No organizations found"]);
    support.get(&format!("{list}&page=2")).await.says(400, &["Page must be at most 1"]);
    let file = support.get("/app/admin/export/organizations?search=mary%40example.com").await;
    assert!(file.page.contains("Somerville") && !file.page.contains("Babbage"), "{}", file.page);
}

#[db_test]
async fn an_invitation_is_sent_again_with_another_link(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let invitee = [
        ("firstname", "Mary"),
        ("lastname", "Shelley"),
        ("email", "mary@example.com"),
        ("role", "Team_Lead"),
    ];
    ada.follow(&format!("/app/teams/{team}/invite"), &invitee).await;
    let first = fixture.app.mailed_token("mary@example.com").await;
    let mut admin = staff(&fixture, Admin).await;
    let page = page(&mut admin).await;
    let seen = admin.get(&page).await;
    let resend = seen.between(&format!("action=\"{page}/invitations/"), "\"").unwrap();
    let seen = admin.follow(&format!("{page}/invitations/{resend}"), &[]).await;
    seen.says(200, &["Invitation sent again", "mary@example.com"]);
    let second = fixture.app.mailed_token("mary@example.com").await;
    assert_ne!(first, second);
    let mut mary = fixture.browser();
    assert_eq!(mary.get(&format!("/app/invitation?token={first}")).await.status, 422);
    let seen = mary.get(&format!("/app/invitation?token={second}")).await;
    seen.says(200, &["Babbage Talent has invited mary@example.com."]);
    let form = [("token", &*second), ("fullname", "Mary Shelley"), ("password", PASSWORD)];
    mary.follow("/app/invitation", &form).await;
    admin.get(&page).await.says(200, &["Mary Shelley"]).hides("Pending invitations");
    // The one that was used is gone.
    let gone = admin.post(&format!("{page}/invitations/{resend}"), &[]).await;
    assert_eq!(gone.status, 404);
}

#[db_test]
async fn a_password_reset_goes_to_the_person_alone(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let page = page(&mut admin).await;
    let seen = admin.get(&page).await;
    let person = seen.between(&format!("action=\"{page}/people/"), "/reset").unwrap();
    let reset = format!("{page}/people/{person}/reset");
    let seen = admin.follow(&reset, &[]).await;
    seen.says(200, &["Password reset sent"]);
    let token = fixture.app.mailed_token(ADA).await;
    seen.hides(&token);
    let form = [("token", &*token), ("newPassword", "Difference-Engine-22")];
    fixture.browser().follow("/app/reset", &form).await.says(200, &["Password changed"]);
    let logged = "A password reset was sent by staff";
    let mut ada = fixture.browser();
    let form = [("username", ADA), ("password", "Difference-Engine-22")];
    ada.follow("/app/sign-in", &form).await;
    ada.get("/app/logs").await.says(200, &[logged]);
}

#[db_test]
async fn support_only_reads(fixture: WebFixture) {
    let mut admin = staff(&fixture, Admin).await;
    let page = page(&mut admin).await;
    let seen = admin.get(&page).await;
    let person = seen.between(&format!("action=\"{page}/people/"), "/reset").unwrap();
    let mut support = staff(&fixture, SupportAdmin).await;
    support.get(&page).await.says(200, &[ADA]).hides("Send password reset");
    let refused = support.post(&format!("{page}/people/{person}/reset"), &[]).await;
    refused.says(403, &["The role Support admin does not allow you to help people"]);
    let elsewhere = page.replace(|it: char| it.is_ascii_digit(), "0");
    let foreign = admin.post(&format!("{elsewhere}/people/{person}/reset"), &[]).await;
    assert_eq!(foreign.status, 404, "not one of its people");
}
