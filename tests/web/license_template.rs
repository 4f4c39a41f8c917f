//! Templates of licenses, and copies of licenses.

use grantor_testkit::db_test;

use super::kit::WebFixture;
use super::license::{license, talent};
use crate::picture::png;

const LIST: &str = "/app/licenses/templates";

#[db_test]
async fn a_built_in_template_fills_the_form(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = talent(&mut ada, "Grace Hopper").await;
    let seen = ada.get(LIST).await;
    seen.says(200, &["Social media, 1 year, DACH", "Social media · DACH · 1 year", "Built in"]);
    let link = seen.link("/app/licenses/new?template=social-media");
    let seen = ada.get(&format!("{link}&talent={id}")).await;
    seen.says(200, &["3 countries"]).holds("talent.choice", &id);
    seen.holds("name", "Social media, 1 year, DACH").holds("expiresAt", "2027-01-01T00:00");
    for chosen in [
        "value=\"social_media\" selected",
        "name=\"uses\" value=\"social_media\" checked",
        "value=\"region:dach\" checked",
    ] {
        assert!(seen.page.contains(chosen), "{chosen}: {}", seen.page);
    }
    for unknown in ["moon", "01900000-0000-7000-8000-000000000001"] {
        ada.get(&format!("/app/licenses/new?template={unknown}")).await.says(404, &[]);
    }
}

#[db_test]
async fn a_template_keeps_what_was_entered_and_it_does_not_say(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = talent(&mut ada, "Grace Hopper").await;
    let form = |name, template| {
        [
            ("talent", id.as_str()),
            ("name", name),
            ("type", "voice"),
            ("conditions", "No alcohol."),
            ("appearanceFee", "7"),
            ("act", "use"),
            ("template", template),
        ]
    };
    let seen = ada.post("/app/licenses/new", &form("Winter", "social-media")).await;
    seen.says(200, &["3 countries", "No alcohol."]).holds("talent.choice", &id);
    seen.holds("name", "Winter").holds("appearanceFee", "7");
    seen.holds("expiresAt", "2027-01-01T00:00");
    assert!(seen.page.contains("value=\"social_media\" selected"), "{}", seen.page);
    // A name that is a template's own gives way to that of the next one.
    for name in ["", "Social media, 1 year, DACH"] {
        let seen = ada.post("/app/licenses/new", &form(name, "social-media")).await;
        seen.says(200, &[]).holds("name", "Social media, 1 year, DACH");
    }
    ada.post("/app/licenses/new", &form("Winter", "moon")).await.says(404, &[]);
}

#[db_test]
async fn a_template_is_saved_from_the_form_and_from_a_license(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let person = talent(&mut ada, "Grace Hopper").await;
    let form = [
        ("talent", person.as_str()),
        ("name", "Winter"),
        ("type", "voice"),
        ("territories", "region:nordics"),
        ("appearanceFee", "1500"),
        ("currency", "EUR"),
        ("feePer", "month"),
        ("expiresAt", "2026-07-01T00:00"),
        ("conditions", "No alcohol."),
        ("canCrawl", "true"),
        ("act", "template"),
    ];
    let seen = ada.post("/app/licenses/new", &form).await;
    seen.says(422, &[]).refuses("templateName", "Is required.");
    let mut named = form.to_vec();
    named.push(("templateName", "Voices"));
    let seen = ada.post("/app/licenses/new", &named).await;
    seen.says(200, &["Template saved: Voices", "isn't saved yet"]).holds("name", "Winter");
    ada.get("/app/licenses").await.says(200, &["No licenses yet"]);
    let seen = ada.get(LIST).await;
    seen.says(200, &["Voices", "Voice · Nordics · 6 months · €1,500 per month"]);
    let seen = ada.get(&seen.link("/app/licenses/new?template=0")).await;
    seen.says(200, &["5 countries", "No alcohol."]).holds("appearanceFee", "1,500.00");
    seen.holds("name", "Voices");
    let id = license(&mut ada, &[("name", "Summer"), ("territories", "WORLD")]).await;
    let (page, path) = (format!("/app/licenses/{id}"), format!("/app/licenses/{id}/template"));
    let seen = ada.post(&path, &[("templateName", "voices")]).await;
    let taken = "Another template already has this name.";
    seen.says(409, &["Summer"]).refuses("templateName", taken).holds("templateName", "voices");
    let seen = ada.follow(&path, &[("templateName", "Everywhere")]).await;
    seen.says(200, &["Template saved: Everywhere"]);
    ada.get(LIST).await.says(200, &["Everywhere Advertising · Worldwide"]);
    assert!(ada.get(&page).await.page.contains("Save as template"));
    let seen = ada.get("/app/logs?action=license_template.create").await;
    seen.says(200, &["Ada Lovelace", "Everywhere"]);
}

#[db_test]
async fn a_template_is_renamed_and_deleted_by_its_organization_only(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    for name in ["First", "Second"] {
        let path = format!("/app/licenses/{id}/template");
        ada.follow(&path, &[("templateName", name)]).await.says(200, &["Template saved"]);
    }
    let seen = ada.get(LIST).await;
    let template = seen.between(&format!("action=\"{LIST}/"), "/").unwrap();
    let path = format!("{LIST}/{template}");
    let seen = ada.post(&format!("{path}/rename"), &[("templateName", "second")]).await;
    seen.says(409, &["Another template already has this name"]).holds("templateName", "second");
    let seen = ada.post(&format!("{path}/rename"), &[("templateName", "")]).await;
    seen.says(422, &["Template name is required"]);
    let seen = ada.follow(&format!("{path}/rename"), &[("templateName", "Third")]).await;
    seen.says(200, &["Template renamed", "Second", "Third"]).hides("First");
    let mut mary = fixture.stranger().await;
    mary.get(LIST).await.says(200, &["Built in"]).hides("Third");
    for act in ["rename", "delete"] {
        let seen = mary.post(&format!("{path}/{act}"), &[("templateName", "Mine")]).await;
        seen.says(404, &["Page not found"]);
    }
    mary.get(&format!("/app/licenses/new?template={template}")).await.says(404, &[]);
    let seen = ada.follow(&format!("{path}/delete"), &[]).await;
    seen.says(200, &["Template deleted", "Second"]).hides("Third");
    assert_eq!(ada.post(&format!("{path}/delete"), &[]).await.status, 404);
    let mut reader = fixture.colleague("Team_Member").await;
    assert_eq!(reader.get(LIST).await.status, 403);
}

#[db_test]
async fn a_copy_is_a_draft_with_its_own_pictures(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let person = talent(&mut ada, "Grace Hopper").await;
    let form = [
        ("talent", person.as_str()),
        ("name", "Winter"),
        ("type", "voice"),
        ("status", "private"),
        ("externalId", "W-1"),
        ("conditions", "No alcohol."),
    ];
    let files: [&[u8]; 2] = [&png(40, 30), &png(50, 30)];
    let id = ada.upload("/app/licenses/new", &form, &files).await.made();
    let page = format!("/app/licenses/{id}");
    let share = [("grantee", "mary@example.com"), ("role", "viewer")];
    ada.follow(&format!("{page}/permissions"), &share).await.says(200, &["pending"]);
    let edited = ada.post(&format!("{page}/duplicate"), &[("images", "true")]).await;
    let copy = edited.location.clone().unwrap().replace("/edit", "");
    let seen = ada.get(&copy).await;
    let texts = ["Winter (copy)", "draft", "No alcohol.", "Only your organization has access."];
    seen.says(200, &texts).says(200, &["License duplicated."]);
    seen.hides("W-1").hides("mary@example.com");
    assert!(seen.page.contains("40 × 30") && seen.page.contains("50 × 30"), "{}", seen.page);
    // The copies stay when the originals go.
    ada.follow(&format!("{page}/delete"), &[]).await.says(200, &["License deleted"]);
    let image = ada.get(&copy).await.link("/objects/image").replace("&amp;", "&");
    assert_eq!(fixture.app.get(&image).await.status, 200);
    let without = ada.post(&format!("{copy}/duplicate"), &[]).await;
    let seen = ada.get(&without.location.unwrap().replace("/edit", "")).await;
    seen.says(200, &["Winter (copy) (copy)", "No images yet."]);
}
