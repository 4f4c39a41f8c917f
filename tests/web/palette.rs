//! The search for everything: pages, actions and records, by right and by name. The palette and the
//! page that works without scripts show the same.

use grantor_domain::admin::AdminRole::{SuperAdmin, SupportAdmin};
use grantor_service::licensing::license;
use grantor_service::operations::record_index;
use grantor_testkit::db_test;

use super::admin::staff;
use super::kit::{Browser, Seen, WebFixture};
use crate::grant::terms;
use crate::license::{Member, World};
use crate::sighting::Watch;

const RESULTS: &str = "/app/search/results?search=";

/// The titles of the groups in the palette.
fn groups(seen: &Seen) -> Vec<&str> {
    assert_eq!(seen.status, 200, "{}", seen.page);
    let parts = seen.page.split("palette-group").skip(1);
    parts.filter_map(|it| it.split_once('>')?.1.split('<').next()).collect()
}

/// Puts all changes into the indexes.
async fn settle(world: &World) {
    license::index_changed(&world.app.app).await.unwrap();
    record_index::index_changed(&world.app.app).await.unwrap();
}

#[db_test]
async fn pages_and_actions_are_found_by_their_names(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app/search").await;
    seen.says(200, &["Actions", "New license", "Watch an address", "Calendar of grants"]);
    let seen = ada.get("/app/search?search=new+lic").await;
    seen.says(200, &["1 result", "New license"]).hides("Watch an address");
    assert_eq!(seen.link("/app/licenses/new"), "/app/licenses/new");
    ada.get("/app/search?search=nowhere").await.says(200, &["Nothing found", "View all pages"]);
    let seen = ada.get(&format!("{RESULTS}webhook")).await;
    assert_eq!(groups(&seen), ["Actions", "Pages"]);
    let option = "<a role=\"option\" id=\"palette-0-0\" aria-selected=\"false\" tabindex=\"-1\" \
        href=\"/app/webhooks/new\"><span>New webhook</span></a>";
    assert!(seen.page.contains(option), "{}", seen.page);
    assert_eq!(seen.kind.as_deref(), Some("text/html; charset=utf-8"));
    let long = "x".repeat(201);
    ada.get(&format!("/app/search?search={long}")).await.says(400, &["at most 200 characters"]);
    let guest = fixture.browser().get("/app/search").await;
    assert_eq!(guest.location.as_deref(), Some("/app/sign-in?next=%2Fapp%2Fsearch"));
}

#[db_test]
async fn nobody_is_led_where_they_may_not_go(fixture: WebFixture) {
    let mut colleague = fixture.colleague("Team_Member").await;
    let seen = colleague.get("/app/search").await;
    seen.says(200, &["Check a picture", "Licenses", "Your profile"]);
    for hidden in ["New license", "Invite a colleague", "/app/webhooks", "Billing"] {
        seen.hides(hidden);
    }
    let page = colleague.get("/app").await;
    page.says(200, &["Keyboard shortcuts"]);
    assert!(page.page.contains("<a class=\"find\" href=\"/app/search\""), "{}", page.page);
    let mut mary = fixture.stranger().await;
    mary.get("/app/search?search=webhook").await.says(200, &["New webhook", "Webhooks"]);
}

#[db_test]
async fn records_are_found_by_names_and_numbers(world: World) {
    let license = world.public().await;
    world.granted(&license, terms()).await;
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let mut bea = Browser::signed_in(&world.app, world.brand.email).await;
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    let mut eve = Browser::signed_in(&world.app, eve.email).await;
    for settled in [false, true] {
        let seen = ada.get(&format!("{RESULTS}grac")).await;
        assert_eq!(groups(&seen), ["Licenses", "Talents", "Grants", "Requests"], "{settled}");
        seen.says(200, &["Winter", "Grâce Hopper", "GR-2026-000001", "Brand of bea@example.com"]);
        let seen = bea.get(&format!("{RESULTS}gr-2026-0")).await;
        assert_eq!(groups(&seen), ["Grants"], "{settled}");
        seen.says(200, &["GR-2026-000001", "Grâce Hopper · Agency of ada@example.com"]);
        let seen = eve.get(&format!("{RESULTS}grac")).await;
        assert_eq!(seen.page, "<div data-found=\"Nothing found\"></div>", "{settled}");
        settle(&world).await;
    }
}

#[db_test]
async fn mentions_and_sources_are_found_too(watch: Watch) {
    watch.license(serde_json::json!({ "status": "private" })).await;
    watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let seen = ada.get(&format!("{RESULTS}wire")).await;
    assert_eq!(groups(&seen), ["Mentions"]);
    seen.says(200, &["News", "Grâce Hopper on The Wire"]);
    let seen = ada.get("/app/search?search=news+hopper").await;
    seen.says(200, &["1 result", "Mentions", "Grâce Hopper on The Wire"]);
}

#[db_test]
async fn a_few_of_each_kind_are_shown(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    for number in 1..=6 {
        let name = format!("Zoë Number{number}");
        ada.post("/app/talents/new", &[("fullname", &*name)]).await.made();
    }
    let seen = ada.get(&format!("{RESULTS}zoe")).await;
    assert_eq!(groups(&seen), ["Talents"]);
    assert_eq!(seen.page.matches("Zoë Number").count(), 5, "{}", seen.page);
    seen.says(200, &["href=\"/app/talents?search=zoe\"", "All results in Talents"]);
    ada.get("/app/talents?search=zoe").await.says(200, &["Zoë Number1", "Zoë Number6"]);
}

#[db_test]
async fn staff_find_organizations(fixture: WebFixture) {
    fixture.stranger().await;
    let mut grace = staff(&fixture, SuperAdmin).await;
    let seen = grace.get("/app/admin/search?search=somer").await;
    seen.says(200, &["Organizations", "Somerville & Co"]).hides("Babbage");
    seen.link("/app/admin/organizations/");
    let seen = grace.get("/app/admin/search/results?search=style").await;
    assert_eq!(groups(&seen), ["Pages"]);
    grace.get("/app/admin/style-guide").await.says(200, &["Style guide", "component::card"]);
    let mut support = staff(&fixture, SupportAdmin).await;
    let seen = support.get("/app/admin/search").await;
    seen.says(200, &["Scanners"]).hides("Invite a staff member");
    let ada = fixture.ada().await.get("/app/admin/search").await;
    assert_eq!(ada.status, 303);
}

#[db_test]
async fn the_keys_are_listed_for_everybody(fixture: WebFixture) {
    let seen = fixture.browser().get("/app/shortcuts").await;
    seen.says(200, &["Search, or jump to a page", "It is not them", "Next and previous picture"]);
    seen.says(200, &["Sign in to use them."]);
    assert_eq!(seen.link("/app/sign-in?next="), "/app/sign-in?next=%2Fapp%2Fshortcuts");
    let seen = fixture.ada().await.get("/app/shortcuts").await;
    seen.says(200, &["Ctrl K or ⌘ K"]).hides("Sign in to use them.");
}
