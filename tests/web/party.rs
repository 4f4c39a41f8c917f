//! Choosing a party by name: the setting, the suggestions, and sharing without IDs.

use grantor_testkit::db_test;

use super::kit::{Browser, WebFixture};
use super::license::license;

impl WebFixture {
    /// Mary's browser; her organization has a verified domain and can be found by name.
    pub(super) async fn findable_stranger(&self) -> Browser<'_> {
        let mut mary = self.stranger().await;
        let script =
            "INSERT INTO platforms (platform_id, tenant_id, name, domain, status, created_at)
             SELECT tenant_id, tenant_id, 'Site', 'somerville.example', 'verified', 1
             FROM tenants WHERE name = 'Somerville & Co'";
        self.run(script.to_owned()).await;
        let seen = mary.follow("/app/organization/findable", &[("findable", "true")]).await;
        let texts = ["Your organization can be found by name", "somerville.example", "Turn off"];
        seen.says(200, &texts);
        mary
    }
}

#[db_test]
async fn an_organization_decides_whether_it_is_found(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/organization").await;
    seen.says(200, &["Can be found by name", "Only parties that share a license", "Turn on"]);
    let path = "/app/organization/findable";
    let seen = ada.follow(path, &[("findable", "true")]).await;
    seen.says(200, &["can't find your organization until you verify a domain", "Turn off"]);
    let seen = ada.follow(path, &[("findable", "false")]).await;
    seen.says(200, &["can no longer be found by name", "Turn on"]);
    let seen = ada.get("/app/logs?action=organization.set_findable").await;
    seen.says(200, &["made findable by name", "no longer findable by name", "Ada Lovelace"]);
    let mut colleague = fixture.colleague("Organization_User").await;
    colleague.get("/app/organization").await.says(200, &["Can be found by name"]).hides("Turn on");
    colleague.post(path, &[("findable", "true")]).await.says(403, &["You don't have access"]);
}

#[db_test]
async fn names_are_suggested_without_ids(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut mary = fixture.findable_stranger().await;
    let seen = ada.get("/app/parties?type=organization&search=SOM").await;
    let option = "<option value=\"Somerville &amp; Co\">\
        Somerville &amp; Co · Agency · somerville.example</option>";
    assert_eq!((seen.status, seen.page.as_str()), (200, option));
    ada.get("/app/parties?search=so").await.says(400, &[]).hides("Somerville");
    assert_eq!(mary.get("/app/parties?search=babbage").await.says(200, &[]).page, "");
    mary.post("/app/organization/findable", &[("findable", "false")]).await.made();
    assert_eq!(ada.get("/app/parties?search=somerville").await.says(200, &[]).page, "");
    let guest = fixture.browser().get("/app/parties?search=somerville").await;
    assert_eq!(guest.status, 303, "{}", guest.text);
}

#[db_test]
async fn a_license_is_shared_by_name(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let (page, path) = (format!("/app/licenses/{id}"), format!("/app/licenses/{id}/permissions"));
    ada.get(&page).await.says(200, &["Share with"]).hides("Organization ID");
    let form = |name| [("grantee", name), ("role", "viewer")];
    let missing = "Must be the name of an organization that you can find, or an email address.";
    let seen = ada.post(&path, &form("Somerville & Co")).await;
    seen.says(422, &["Winter"]).refuses("grantee", missing).begins_at("grantee");
    let mut mary = fixture.findable_stranger().await;
    let seen = ada.post(&path, &form("somer")).await;
    let unclear = "Must be the full name of one organization; choose one below.";
    seen.says(422, &["Choose one", "Somerville & Co Agency · somerville.example"]);
    seen.refuses("grantee", unclear).holds("grantee", "somer");
    let choice = seen.between("name=\"grantee.choice\" value=\"", "\"").expect("a choice");
    let chosen = |name| [("grantee", name), ("grantee.choice", &*choice), ("role", "viewer")];
    let seen = ada.post(&path, &chosen("another name")).await;
    seen.says(422, &[]).refuses("grantee", missing);
    let seen = ada.follow(&path, &chosen("somer")).await;
    seen.says(200, &["License shared with Somerville & Co", "Organization · shared"]);
    mary.get(&page).await.says(200, &["Winter", "You can view this license"]);
    let seen = ada.post(&path, &form("SOMERVILLE & co")).await;
    let twice = "The grantee already has a permission on this license; revoke it first.";
    seen.says(409, &[]).refuses("grantee", twice);
    let seen = ada.post(&path, &form("so")).await;
    seen.says(422, &[]).refuses("grantee", "Must have at least 3 letters.");
}
