//! Bulk actions: selected rows, all that match, what could not be done, and work in the background.

use std::time::Duration;

use grantor_domain::Clock as _;
use grantor_service::operations::chore;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::import::talents_of;
use super::kit::{ADA, Browser, Seen, WebFixture};
use super::license::license;
use crate::sighting::Watch;

/// The form of the bar above a list.
pub(super) fn bar<'a>(list: &'a str, act: &'a str, ids: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    let mut form = vec![("list", list), ("act", act), ("scope", "rows")];
    form.extend(ids.iter().map(|id| ("item", *id)));
    form
}

/// Selects rows, confirms, and follows.
pub(super) async fn do_to(
    browser: &mut Browser<'_>,
    form: &[(&str, &str)],
    more: &[(&str, &str)],
) -> Seen {
    browser.post("/app/bulk", form).await.says(200, &["Cancel"]);
    let confirmed: Vec<_> = form.iter().chain(more).copied().collect();
    browser.follow("/app/bulk/start", &confirmed).await
}

#[db_test]
async fn selected_licenses_are_published(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let summer = license(&mut ada, &[("name", "Summer")]).await;
    license(&mut ada, &[("name", "Autumn")]).await;
    ada.get("/app/licenses").await.says(200, &["Selected rows", "All 3 on this page", "Publish"]);
    let form = bar("licenses", "publish", &[&winter, &summer]);
    let seen = ada.post("/app/bulk", &form).await;
    seen.says(200, &["Publish: 2 licenses", "Winter", "Summer", "You can undo this for a minute."]);
    seen.hides("Autumn");
    let seen = do_to(&mut ada, &form, &[]).await;
    seen.says(200, &["Published: 2 licenses View"]);
    assert!(
        seen.page.contains("<a href=\"/app/licenses?status=public\">View</a>"),
        "{}",
        seen.page
    );
    ada.get("/app/licenses?status=public").await.says(200, &["Winter", "Summer"]).hides("Autumn");
    // The same entries as one at a time, by the person.
    let log = ada.get("/app/logs?action=license.update").await;
    assert_eq!(log.text.matches("A license was updated").count(), 2, "{}", log.text);
    log.says(200, &["Ada Lovelace"]);
    let seen = do_to(&mut ada, &form, &[]).await;
    seen.says(200, &["Published: 0 licenses. Already so before: 2"]);
}

#[db_test]
async fn all_that_match_have_the_filters_of_the_list(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    license(&mut ada, &[("name", "Winter coats")]).await;
    license(&mut ada, &[("name", "Winter shoes")]).await;
    license(&mut ada, &[("name", "Summer")]).await;
    let here = "/app/licenses?search=winter&limit=1";
    ada.get(here).await.says(200, &["All 1 on this page", "All 2 that match"]);
    let form = [("list", "licenses"), ("act", "publish"), ("scope", "all"), ("here", here)];
    let seen = do_to(&mut ada, &form, &[]).await;
    seen.says(200, &["Published: 2 licenses", "Winter"]);
    ada.get("/app/licenses?status=draft").await.says(200, &["Summer"]).hides("Winter coats");
}

#[db_test]
async fn what_cannot_be_done_is_said_by_name(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let draft = license(&mut ada, &[("name", "Winter")]).await;
    let public = license(&mut ada, &[("name", "Summer"), ("status", "public")]).await;
    let mut mary = fixture.stranger().await;
    let foreign = license(&mut mary, &[("name", "Secret")]).await;
    let form = bar("licenses", "expire", &[&draft, &public, &foreign]);
    let seen = do_to(&mut ada, &form, &[]).await;
    let reason = "A license cannot change from draft to expired";
    seen.says(200, &["Expire 3 licenses", "3 of 3", "Winter", reason, "License not found"]);
    seen.says(
        200,
        &["Done, except for 2 licenses. The reasons are below.", "Partly done", "Ended 1"],
    );
    seen.hides("Secret").hides("Summer").hides("succeeded").hides("Bulk action started");
    ada.get("/app/licenses?status=expired").await.says(200, &["Summer"]);
    let file = ada.get(&seen.link("/app/batches/0")).await;
    let lines = format!("\u{FEFF}Row,Why\nWinter,{reason}\n,License not found\n");
    assert_eq!((file.status, file.page), (200, lines));
    mary.get(&format!("/app/licenses/{foreign}")).await.says(200, &["Secret", "draft"]);
}

#[db_test]
async fn licenses_are_shared_with_an_organization(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let mut mary = fixture.findable_stranger().await;
    let form = bar("licenses", "share", &[&winter]);
    let mut confirmed = form.clone();
    confirmed.extend([("grantee", "mary@example.com"), ("role", "viewer")]);
    let seen = ada.post("/app/bulk/start", &confirmed).await;
    let wrong = "Must be an organization; share licenses with a person one at a time.";
    seen.says(422, &["Share: 1 license"]).refuses("grantee", wrong);
    let seen = do_to(&mut ada, &form, &[("grantee", "Somerville & Co"), ("role", "viewer")]).await;
    seen.says(200, &["Shared: 1 license"]);
    mary.get("/app/licenses?of=seen").await.says(200, &["Winter"]);
}

#[db_test]
async fn mentions_are_decided_about_after_a_question(watch: Watch) {
    watch.license(json!({ "status": "private" })).await;
    let mut ids = Vec::new();
    for number in 1..=2 {
        let url = format!("https://wire.example/{number}");
        let found = watch.say(&url, "Grâce Hopper was here").await;
        ids.push(found[0]["mentionId"].as_str().unwrap().to_owned());
    }
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    ada.get("/app/mentions").await.says(200, &["All 2 on this page", "Mark as not allowed"]);
    let form = bar("mentions", "not-allowed", &[&ids[0], &ids[1]]);
    do_to(&mut ada, &form, &[])
        .await
        .says(200, &["Marked as not allowed: 2 mentions", "No new mentions"]);
    let page = format!("/app/mentions/{}", ids[0]);
    ada.get(&page).await.says(200, &["It is them, and the use is not allowed."]);
    do_to(&mut ada, &bar("mentions", "dismiss", &[&ids[0]]), &[]).await;
    ada.get(&page).await.says(200, &["It is not them."]);
    let form = bar("mentions", "confirm", &[&ids[0]]);
    let seen = ada.post("/app/bulk", &form).await;
    let question = "All of these mentions get the same decision";
    seen.says(200, &["Mark as them: 1 mention", question, "Cancel"]);
    ada.get(&page).await.says(200, &["It is not them."]);
    do_to(&mut ada, &form, &[]).await.says(200, &["Marked as them: 1 mention"]);
}

#[db_test]
async fn many_rows_are_left_to_a_worker_and_survive_a_restart(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talents_of(&fixture, &mut ada, 60).await;
    let form = [
        ("list", "talents"),
        ("act", "tag"),
        ("scope", "all"),
        ("here", "/app/talents?search=talent"),
    ];
    let seen = do_to(&mut ada, &form, &[("tags", "VIP, Spring")]).await;
    let title = "Add tags to 60 talents: VIP, Spring";
    seen.says(200, &["Bulk action started", title, "0 of 60", "In progress", "Stop"]);
    // A node took it, and is gone.
    let now = fixture.app.clock.now().plus(Duration::from_mins(2)).as_micros();
    fixture.run(format!("UPDATE chores SET due_at = {now}")).await;
    assert_eq!(chore::work(&fixture.app.app).await, Ok(0));
    fixture.app.clock.advance(Duration::from_secs(121));
    let other = fixture.app.another_node(9).await;
    assert_eq!(chore::work(&other).await, Ok(2), "two parts");
    assert_eq!(chore::work(&fixture.app.app).await, Ok(0), "nothing is left");
    ada.get("/app/batches").await.says(200, &[title, "Done", "60"]);
    ada.get("/app/talents?tag=vip").await.says(200, &["Page 1 of 3", "60 total"]);
    let log = "SELECT CAST(count(*) AS text) FROM log_entries WHERE action = 'tag.change'";
    let counted = seed::rows(&fixture.app.database.options, log).await;
    assert_eq!(counted, [["60"]], "each was changed once");
}

#[db_test]
async fn a_stopped_batch_stays_where_it_is(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talents_of(&fixture, &mut ada, 60).await;
    let form = [("list", "talents"), ("act", "tag"), ("scope", "all"), ("here", "/app/talents")];
    let mut confirmed = form.to_vec();
    confirmed.push(("tags", "VIP"));
    let path = ada.post("/app/bulk/start", &confirmed).await.location.unwrap();
    ada.follow(&format!("{path}/stop"), &[]).await.says(200, &["Stopped", "You stopped it"]);
    assert_eq!(chore::work(&fixture.app.app).await, Ok(0));
    ada.get("/app/talents?tag=vip").await.says(200, &["No talents found"]);
    ada.post(&format!("{path}/stop"), &[]).await.says(409, &["has already ended"]);
}

#[db_test]
async fn a_batch_ends_with_the_rights_of_its_person(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talents_of(&fixture, &mut ada, 60).await;
    let mut colleague = fixture.colleague("Organization_User").await;
    let form = [
        ("list", "talents"),
        ("act", "tag"),
        ("scope", "all"),
        ("here", "/app/talents"),
        ("tags", "VIP"),
    ];
    let path = colleague.post("/app/bulk/start", &form).await.location.unwrap();
    ada.get(&path).await.says(404, &[]);
    fixture
        .run(
            "UPDATE memberships SET role = 'Team_Member' WHERE user_id IN
               (SELECT user_id FROM users WHERE email = 'colleague@example.com')"
                .to_owned(),
        )
        .await;
    assert_eq!(chore::work(&fixture.app.app).await, Ok(2));
    let reason = "The role Team_Member does not allow you to manage talents";
    colleague.get(&path).await.says(200, &["60 of 60", "Talent ", reason]);
    ada.get("/app/talents?tag=vip").await.says(200, &["No talents found"]);
}

#[db_test]
async fn those_who_only_read_see_only_the_export(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let mut member = fixture.colleague("Team_Member").await;
    member.get("/app/licenses").await.says(200, &["Export rows"]).hides("value=\"publish\"");
    let form = bar("licenses", "publish", &[&winter]);
    member.post("/app/bulk/start", &form).await.says(403, &[]);
    ada.get(&format!("/app/licenses/{winter}")).await.says(200, &["draft"]);
}

#[db_test]
async fn those_who_may_change_no_row_see_only_the_export(fixture: WebFixture) {
    let mut mary = fixture.stranger().await;
    let viewed = license(&mut mary, &[("name", "Viewed"), ("status", "private")]).await;
    let edited = license(&mut mary, &[("name", "Edited"), ("status", "private")]).await;
    fixture.becomes("Brand").await;
    let mut ada = fixture.ada().await;
    for (id, role, may_publish) in [(viewed, "viewer", false), (edited, "licensor", true)] {
        let form = [("grantee", ADA), ("role", role)];
        mary.post(&format!("/app/licenses/{id}/permissions"), &form).await.made();
        let seen = ada.get("/app/licenses").await;
        seen.says(200, &["Export rows"]);
        assert_eq!(seen.page.contains("value=\"publish\""), may_publish, "{role}");
    }
}

#[db_test]
async fn a_selection_that_makes_no_sense_is_refused(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let seen = ada.follow("/app/bulk", &bar("licenses", "publish", &[])).await;
    seen.says(200, &["Select at least one row"]);
    ada.post("/app/bulk", &bar("talents", "publish", &["x"])).await.says(422, &["Act must be"]);
    ada.post("/app/bulk", &bar("secrets", "export", &[])).await.says(422, &["List must be"]);
    let export = bar("licenses", "export", &[&winter]);
    ada.post("/app/bulk/start", &export).await.says(422, &["must be one of the buttons"]);
    let form = [("list", "licenses"), ("act", "tag"), ("scope", "page"), ("shown", "x")];
    let seen = ada.post("/app/bulk", &form).await;
    assert_eq!(seen.location.as_deref(), Some("/app/licenses"), "{}", seen.text);
}
