//! Taking bulk actions back: all that they changed, unless somebody changed it since, for a minute.

use std::time::Duration;

use grantor_service::operations::chore;
use grantor_service::undo::forget_expired;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::bulk::{bar, do_to};
use super::import::talents_of;
use super::kit::{Browser, Seen, WebFixture};
use super::license::license;
use crate::sighting::Watch;

/// Where the button Undo of a page leads.
#[track_caller]
fn button(seen: &Seen) -> String {
    let found = seen.between("action=\"/app/batches/", "/undo\"");
    let id = found.unwrap_or_else(|| panic!("no undo in: {}", seen.text));
    format!("/app/batches/{id}/undo")
}

/// The page of a batch that can be stopped.
fn running(seen: &Seen) -> String {
    let id = seen.between("action=\"/app/batches/", "/stop\"").expect("a running batch");
    format!("/app/batches/{id}")
}

/// Presses the button, and returns the page with it again.
async fn undo(browser: &mut Browser<'_>, offered: &Seen, back: &str) -> Seen {
    browser.follow(&button(offered), &[("back", back)]).await
}

#[db_test]
async fn licenses_get_the_status_from_before(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let summer = license(&mut ada, &[("name", "Summer"), ("status", "private")]).await;
    let autumn = license(&mut ada, &[("name", "Autumn"), ("status", "public")]).await;
    let form = bar("licenses", "publish", &[&winter, &summer, &autumn]);
    ada.post("/app/bulk", &form).await.says(200, &["You can undo this for a minute."]);
    let done = do_to(&mut ada, &form, &[]).await;
    done.says(200, &["Published: 2 licenses. Already so before: 1 View Undo"]);
    let back = undo(&mut ada, &done, "/app/licenses?limit=50").await;
    back.says(200, &["Undone: 2 licenses"]).hides(">Undo<");
    for (id, status) in [(winter, "draft"), (summer, "private"), (autumn, "public")] {
        ada.get(&format!("/app/licenses/{id}")).await.says(200, &[status]);
    }
    let log = ada.get("/app/logs?action=change.undo").await;
    assert_eq!(log.text.matches("Undid: License updated").count(), 2, "{}", log.text);
    ada.post(&button(&done), &[]).await.says(409, &["it was undone already"]);
}

#[db_test]
async fn what_was_shared_or_tagged_no_longer_is(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let mut mary = fixture.findable_stranger().await;
    let share = [("grantee", "Somerville & Co"), ("role", "viewer")];
    let done = do_to(&mut ada, &bar("licenses", "share", &[&winter]), &share).await;
    mary.get("/app/licenses?of=seen").await.says(200, &["Winter"]);
    undo(&mut ada, &done, "/app/licenses").await.says(200, &["Undone: 1 license"]);
    mary.get("/app/licenses?of=seen").await.says(200, &[]).hides("Winter");

    do_to(&mut ada, &bar("licenses", "tag", &[&winter]), &[("tags", "Old")]).await;
    let tagged =
        do_to(&mut ada, &bar("licenses", "tag", &[&winter]), &[("tags", "Old, New")]).await;
    undo(&mut ada, &tagged, "/app/licenses").await.says(200, &["Undone: 1 license"]);
    ada.get("/app/licenses?tag=new").await.says(200, &[]).hides("Winter");
    let untagged = do_to(&mut ada, &bar("licenses", "untag", &[&winter]), &[("tags", "OLD")]).await;
    ada.get("/app/licenses?tag=old").await.says(200, &[]).hides("Winter");
    undo(&mut ada, &untagged, "/app/licenses").await.says(200, &["Undone: 1 license"]);
    let page = format!("/app/licenses/{winter}");
    ada.get(&page).await.says(200, &["Old"]).hides("OLD");
    // Somebody took it back already.
    let again = do_to(&mut ada, &bar("licenses", "tag", &[&winter]), &[("tags", "New")]).await;
    do_to(&mut ada, &bar("licenses", "untag", &[&winter]), &[("tags", "New")]).await;
    let seen = undo(&mut ada, &again, "/app/licenses").await;
    seen.says(200, &["Undone 0", "somebody has changed it since"]);
}

#[db_test]
async fn mentions_are_undecided_again(watch: Watch) {
    watch.license(json!({ "status": "private" })).await;
    let found = watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    let id = found[0]["mentionId"].as_str().unwrap().to_owned();
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let done = do_to(&mut ada, &bar("mentions", "not-allowed", &[&id]), &[]).await;
    let page = format!("/app/mentions/{id}");
    ada.get(&page).await.says(200, &["It is them, and the use is not allowed."]);
    undo(&mut ada, &done, &page).await.says(200, &["Undone: 1 mention", "Nobody has decided yet."]);
}

#[db_test]
async fn what_somebody_changed_since_stays(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let summer = license(&mut ada, &[("name", "Summer")]).await;
    let done = do_to(&mut ada, &bar("licenses", "publish", &[&winter, &summer]), &[]).await;
    let status = format!("/app/licenses/{summer}/status");
    ada.post(&status, &[("status", "private"), ("version", "2-public")]).await.made();
    let seen = undo(&mut ada, &done, "/app/licenses").await;
    let reason = "This can't be undone, because somebody has changed it since";
    seen.says(200, &["Undo: Publish 2 licenses", "Undone 1", "Left as they are", "Summer", reason]);
    ada.get(&format!("/app/licenses/{winter}")).await.says(200, &["draft"]);
    ada.get(&format!("/app/licenses/{summer}")).await.says(200, &["private"]);
    ada.get(&seen.link("/app/batches/0")).await.says(200, &["View undo", "Publish 2 licenses"]);
}

#[db_test]
async fn after_a_minute_it_stays(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let winter = license(&mut ada, &[("name", "Winter")]).await;
    let done = do_to(&mut ada, &bar("licenses", "publish", &[&winter]), &[]).await;
    let mut mary = fixture.stranger().await;
    mary.post(&button(&done), &[]).await.says(404, &[]);
    fixture.app.clock.advance(Duration::from_mins(1));
    ada.post(&button(&done), &[]).await.says(409, &["a minute has passed"]);
    ada.get(button(&done).trim_end_matches("/undo")).await.says(200, &["Done"]).hides(">Undo<");
    assert_eq!(forget_expired(&fixture.app.app).await, Ok(0), "another node may be about to do it");
    fixture.app.clock.advance(Duration::from_secs(31));
    assert_eq!(forget_expired(&fixture.app.app).await, Ok(1));
    let rows = "SELECT CAST(count(*) AS text) FROM batch_undos";
    assert_eq!(seed::rows(&fixture.app.database.options, rows).await, [["0"]]);
    ada.get(&format!("/app/licenses/{winter}")).await.says(200, &["public"]);
}

#[db_test]
async fn many_rows_are_taken_back_by_a_worker(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    talents_of(&fixture, &mut ada, 60).await;
    let form = [("list", "talents"), ("act", "tag"), ("scope", "all"), ("here", "/app/talents")];
    let started = do_to(&mut ada, &form, &[("tags", "VIP")]).await;
    let page = running(&started);
    ada.post(&format!("{page}/undo"), &[]).await.says(409, &["or stop it first"]);
    fixture.app.clock.advance(Duration::from_mins(5));
    assert_eq!(chore::work(&fixture.app.app).await, Ok(2));
    let ended = ada.get(&page).await;
    ended.says(200, &["Tagged 60", "Undo"]);
    let seen = undo(&mut ada, &ended, &page).await;
    seen.says(200, &["Undo started", "Undo: Add tags to 60 talents: VIP", "View what was undone"]);
    assert_eq!(chore::work(&fixture.app.app).await, Ok(2));
    ada.get("/app/talents?tag=vip").await.says(200, &["No talents found"]);
    ada.get("/app/batches").await.says(200, &["Undo: Add tags to 60 talents: VIP", "Done", "60"]);
}

#[db_test]
async fn what_changed_nothing_has_no_undo(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let public = license(&mut ada, &[("name", "Winter"), ("status", "public")]).await;
    let seen = do_to(&mut ada, &bar("licenses", "publish", &[&public]), &[]).await;
    seen.says(200, &["Published: 0 licenses. Already so before: 1 View"]).hides(">Undo<");
    talents_of(&fixture, &mut ada, 60).await;
    let form = [("list", "talents"), ("act", "tag"), ("scope", "all"), ("here", "/app/talents")];
    let started = do_to(&mut ada, &form, &[("tags", "VIP")]).await;
    let page = running(&started);
    let stopped = ada.follow(&format!("{page}/stop"), &[]).await;
    stopped.says(200, &["You stopped it"]).hides(">Undo<");
    ada.post(&format!("{page}/undo"), &[]).await.says(409, &["This can't be undone anymore"]);
}

#[db_test]
async fn declined_requests_stay_declined(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let seen = ada.post("/app/bulk", &bar("requests", "decline", &[&id])).await;
    seen.says(200, &["This cannot be undone."]).hides("You can undo this");
}
