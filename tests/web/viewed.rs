//! What pages offer to a person, and leave out for staff who view the pages as that person.

use grantor_domain::admin::AdminRole::{self, Admin, SuperAdmin};
use grantor_domain::organization::Plan;
use grantor_testkit::db_test;
use grantor_testkit::listener::{Listener, Script};

use super::admin::staff;
use super::kit::{Browser, WebFixture};
use super::license::{license, talent};
use super::request::{Parties, WISH};

/// The browser of a member of staff who views as the only person of an organization.
pub(super) async fn viewing<'a>(
    fixture: &'a WebFixture,
    role: AdminRole,
    organization: &str,
) -> Browser<'a> {
    let mut browser = staff(fixture, role).await;
    let list = browser.get(&format!("/app/admin/organizations?search={organization}")).await;
    let page = list.link("/app/admin/organizations/");
    let form = browser.get(&page).await.link(&format!("{page}/people/"));
    let reason = [("reason", "They asked why a license is missing")];
    browser.follow(&form, &reason).await.says(200, &["Stop viewing"]);
    browser
}

/// Where the forms of a page that change something are sent.
fn posts(page: &str) -> Vec<&str> {
    let tags = page.split("<form").skip(1).filter_map(|it| it.split_once('>'));
    let posts = tags.map(|(tag, _)| tag).filter(|it| it.contains("method=\"post\""));
    posts.filter_map(|it| Some(it.split_once("action=\"")?.1.split_once('"')?.0)).collect()
}

/// Asserts that a page has all of these parts for its person, and none of them for staff, whose only
/// form ends the view.
pub(super) async fn compare(
    own: &mut Browser<'_>,
    viewer: &mut Browser<'_>,
    path: &str,
    parts: &[&str],
) {
    let (shown, viewed) = (own.get(path).await, viewer.get(path).await);
    assert_eq!((shown.status, viewed.status), (200, 200), "{path}: {}", viewed.text);
    for part in parts {
        assert!(shown.page.contains(part), "the control: no {part} at {path}: {}", shown.text);
        assert!(!viewed.page.contains(part), "{part} at {path}: {}", viewed.text);
    }
    assert_eq!(posts(&viewed.page), ["/app/admin/view/stop"], "{path}");
}

#[db_test]
async fn a_license_is_neither_bookmarked_nor_shared(fixture: WebFixture) {
    fixture.stranger().await;
    let mut ada = fixture.ada().await;
    let license = license(&mut ada, &[("name", "Winter"), ("status", "private")]).await;
    let page = format!("/app/licenses/{license}");
    let share = format!("{page}/permissions");
    ada.follow(&share, &[("grantee", "mary@example.com"), ("role", "viewer")]).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let share = format!("action=\"{share}\"");
    compare(&mut ada, &mut grace, &page, &["action=\"/app/bookmarks\"", &share, "/revoke\""]).await;
    grace.get(&page).await.says(200, &["Shared with", "mary@example.com", "History"]);
}

#[db_test]
async fn bookmarks_stay(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let license = license(&mut ada, &[("name", "Winter")]).await;
    let form = [("target_type", "license"), ("target_id", license.as_str())];
    ada.follow("/app/bookmarks", &form).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    compare(&mut ada, &mut grace, "/app/bookmarks", &["/edit\"", "/remove\""]).await;
    let page = format!("/app/licenses/{license}");
    compare(&mut ada, &mut grace, &page, &["action=\"/app/bookmarks/"]).await;
}

#[db_test]
async fn saved_views_stay(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("list", "licenses"), ("name", "Private"), ("query", "status=private")];
    ada.follow("/app/views", &form).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    compare(&mut ada, &mut grace, "/app/views", &["/edit\"", "/delete\""]).await;
    compare(&mut ada, &mut grace, "/app/licenses?status=draft", &["Save view"]).await;
}

#[db_test]
async fn license_templates_are_not_used(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let license = license(&mut ada, &[("name", "Winter")]).await;
    let form = [("templateName", "Winter")];
    ada.follow(&format!("/app/licenses/{license}/template"), &form).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["href=\"/app/licenses/new\"", "?template=", "/rename\"", "/delete\""];
    compare(&mut ada, &mut grace, "/app/licenses/templates", &parts).await;
}

#[db_test]
async fn a_request_is_not_answered_by_either_side(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let request = parties.ask(&WISH).await;
    parties.offer(&request, "1500").await;
    let page = format!("/app/requests/{request}");
    let Parties { mut ada, mut mary, .. } = parties;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["Review and accept", "/messages\"", "/decline\"", "/withdraw\""];
    compare(&mut ada, &mut grace, &page, &parts).await;
    grace.get(&page).await.says(200, &["View terms"]);
    let accept = format!("{page}/accept");
    compare(&mut ada, &mut grace, &accept, &["name=\"terms_hash\"", "Accept offer"]).await;
    let mut grace = viewing(&fixture, SuperAdmin, "somerville").await;
    compare(&mut mary, &mut grace, &page, &["/offer\"", "/messages\"", "/withdraw\""]).await;
}

#[db_test]
async fn a_grant_is_neither_shared_nor_revoked(fixture: WebFixture) {
    let mut parties = Parties::of(&fixture).await;
    let page = format!("/app/grants/{}", parties.grant().await);
    let Parties { mut ada, mut mary, .. } = parties;
    ada.follow(&format!("{page}/links"), &[("disclosed", "license")]).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/links\"", "/withdraw\"", "/certificate.pdf\""];
    compare(&mut ada, &mut grace, &page, &parts).await;
    let mut grace = viewing(&fixture, SuperAdmin, "somerville").await;
    compare(&mut mary, &mut grace, &page, &["/revoke\""]).await;
    grace.get(&page).await.says(200, &["Download receipt", "Download certificate"]);
}

#[db_test]
async fn an_api_client_keeps_its_secret(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let form = [("name", "Shop"), ("environment", "production"), ("permissions", "license:read")];
    let page = ada.post("/app/clients/new", &form).await.link("/app/clients/");
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/revoke\"", "/delete\"", "/secret\"", "name=\"permissions\""];
    compare(&mut ada, &mut grace, &page, &parts).await;
    grace.get(&page).await.says(200, &["Shop", "Scopes license:read"]);
}

#[db_test]
async fn a_webhook_sends_nothing(fixture: WebFixture) {
    let receiver = Listener::start(|_| Script::ok(b"")).await.unwrap();
    let (mut ada, url) = (fixture.ada().await, receiver.url("/hook"));
    let form = [("url", url.as_str()), ("events", "license.created")];
    let page = ada.post("/app/webhooks/new", &form).await.link("/app/webhooks/");
    ada.post(&format!("{page}/test"), &[]).await;
    let delivery = ada.get(&page).await.link(&format!("{page}/deliveries/"));
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/test\"", "/status\"", "/edit\"", "/secret\"", "/delete\"", "/replay\""];
    compare(&mut ada, &mut grace, &page, &parts).await;
    for path in [&page, &delivery] {
        compare(&mut ada, &mut grace, path, &["Send now"]).await;
    }
}

#[db_test]
async fn a_chat_address_is_shown_without_its_form(fixture: WebFixture) {
    let list = "/app/organization/chat";
    let chat = Listener::start(|_| Script::ok(b"")).await.unwrap();
    let (mut ada, url) = (fixture.ada().await, chat.url("/services/abcdefghijklmnop"));
    let form = [("name", "Rights team"), ("url", url.as_str()), ("kinds", "request")];
    let seen = ada.follow(&format!("{list}/new"), &form).await;
    let id = seen.between(&format!("action=\"{list}/"), "/").unwrap();
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/new\"", "/test\"", "/status\"", "/delete\""];
    compare(&mut ada, &mut grace, list, &parts).await;
    let page = format!("{list}/{id}");
    compare(&mut ada, &mut grace, &page, &["name=\"kinds\"", "name=\"url\""]).await;
    grace.get(&page).await.says(200, &["Rights team", "…mnop", "active"]).hides("abcdefgh");
}

#[db_test]
async fn a_talent_keeps_its_tags(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let page = format!("/app/talents/{}", talent(&mut ada, "Zoë").await);
    ada.follow(&format!("{page}/tags"), &[("tags", "VIP")]).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/tags\"", "/edit\"", "/app/licenses/new?talent="];
    compare(&mut ada, &mut grace, &page, &parts).await;
    grace.get(&page).await.says(200, &["Zoë", "VIP"]);
}

#[db_test]
async fn a_platform_and_its_key_stay(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let form = [
        ("name", "The Wire"),
        ("domain", "wire.example"),
        ("type", "News Media"),
        ("teamId", team.as_str()),
        ("settings.detectionFrequency", "daily"),
    ];
    let platform = ada.post("/app/platforms/new", &form).await.made();
    let form = [("platformId", platform.as_str()), ("name", "Press"), ("scopes", "write")];
    let key = ada.post("/app/pax/new", &form).await.made();
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let page = format!("/app/platforms/{platform}");
    let verify = format!("{page}/verify\"");
    compare(&mut ada, &mut grace, &page, &["/edit\"", "/delete\"", &verify]).await;
    grace.get(&page).await.says(200, &["The Wire", "Team Field"]);
    compare(&mut ada, &mut grace, &format!("/app/pax/{key}"), &["/revoke\""]).await;
}

#[db_test]
async fn an_organization_and_its_letters_stay(fixture: WebFixture) {
    let (page, mut ada) = ("/app/organization", fixture.ada().await);
    let letter = format!("{page}/letters/takedown");
    ada.follow(&letter, &[("subject", "Hello {talent}"), ("text", "{evidence_link}")]).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/app/organization/edit\"", "/app/organization/findable\""];
    compare(&mut ada, &mut grace, page, &parts).await;
    let security = "action=\"/app/organization/security\"";
    compare(&mut ada, &mut grace, "/app/organization/security", &[security]).await;
    let form = format!("action=\"{letter}\"");
    compare(&mut ada, &mut grace, &letter, &[&form, "/restore\""]).await;
    grace.get(&letter).await.says(200, &["Hello {talent}"]);
}

#[db_test]
async fn a_plan_and_its_card_stay(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.follow("/app/billing/cards", &[("token", "tok_visa")]).await;
    let card = seen.between("action=\"/app/billing/cards/", "/").unwrap();
    let plan = Plan::Starter.id().to_string();
    let form = [("subscriptionId", plan.as_str()), ("cardId", card.as_str())];
    ada.follow("/app/billing/subscribe", &form).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let parts = ["/billing/cancel\"", "/billing/subscribe\"", "/billing/cards\"", "/remove\""];
    compare(&mut ada, &mut grace, "/app/billing", &parts).await;
    grace.get("/app/billing").await.says(200, &["Starter current", "Visa ending in 4242"]);
}

#[db_test]
async fn an_import_is_neither_started_nor_undone(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let file = "Name,External ID\nZoë,T-1\n";
    let page = ada.upload("/app/talents/import", &[], &[file.as_bytes()]).await.location.unwrap();
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    // The banner of the view has a button that stops it, too.
    let stop = format!("{page}/stop\"");
    compare(&mut ada, &mut grace, &page, &["/start\"", &stop]).await;
    ada.follow(&format!("{page}/start"), &[]).await;
    compare(&mut ada, &mut grace, &page, &["/undo\""]).await;
}

#[db_test]
async fn pages_of_the_person_offer_nothing(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    for (path, part) in [
        ("/app/notices", "action=\"/app/notices/read\""),
        ("/app", "action=\"/app/onboarding/hide\""),
        ("/app", "href=\"/app/talents/new\""),
        ("/app/help", "action=\"/app/help\""),
        ("/app/logs", "href=\"/app/logs/export"),
        ("/app/search", "href=\"/app/licenses/new\""),
        ("/app/search", "href=\"/app/organization/edit\""),
    ] {
        compare(&mut ada, &mut grace, path, &[part]).await;
    }
}

#[db_test]
async fn open_pages_have_no_forms(fixture: WebFixture) {
    let Parties { mut ada, license, .. } = Parties::of(&fixture).await;
    let mut grace = viewing(&fixture, Admin, "babbage").await;
    let (offer, ask) = (format!("/app/catalog/{license}"), "/app/requests/new?license=");
    for (path, part) in [
        ("/app/check", "action=\"/app/check\""),
        ("/app/catalog/check", "action=\"/app/catalog/check\""),
        ("/verify", "action=\"/verify\""),
        ("/app/catalog", ask),
        (&*offer, ask),
    ] {
        compare(&mut ada, &mut grace, path, &[part]).await;
    }
}
