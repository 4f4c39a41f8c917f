//! Undo: what was just done on a page is taken back, whole, by whom did it, once and for a minute.

use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use grantor_service::operations::object_sweep::{SweepCursor, sweep};
use grantor_service::undo::forget_expired;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::kit::{Browser, Seen, WebFixture};
use super::license::{license, talent};
use crate::picture::png;
use crate::sighting::Watch;

/// The token that a page offers.
#[track_caller]
fn token(seen: &Seen) -> String {
    let found = seen.between("name=\"token\" value=\"", "\"");
    found.unwrap_or_else(|| panic!("no undo in: {}", seen.text))
}

/// Presses the button, and returns the page with it again.
pub(super) async fn undo(browser: &mut Browser<'_>, offered: &Seen, back: &str) -> Seen {
    let token = token(offered);
    browser.follow("/app/undo", &[("token", &token), ("back", back)]).await
}

/// The ids of the reference images on a license's page.
fn images(seen: &Seen) -> Vec<String> {
    let parts = seen.page.split("/objects/thumbnails/").skip(1);
    let mut ids: Vec<_> = parts.filter_map(|it| it.split('?').next()).map(str::to_owned).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// The stored objects of pictures.
fn files(fixture: &WebFixture) -> Vec<PathBuf> {
    let kinds = ["images", "thumbnails", "catalog_pictures", "catalog_thumbnails"];
    let folders = kinds.map(|it| fixture.app.object_folder().join(it));
    let entries = folders.into_iter().filter_map(|it| std::fs::read_dir(it).ok()).flatten();
    entries.map(|it| it.unwrap().path()).collect()
}

/// Says that the objects were written long before the mock clock's time.
fn age(fixture: &WebFixture) {
    for path in files(fixture) {
        let file = File::options().write(true).open(path).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_secs(1)).unwrap();
    }
}

#[db_test]
async fn a_deleted_license_comes_back_with_all_it_had(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut mary = fixture.stranger().await;
    let more = [("name", "Winter"), ("externalId", "W-1"), ("status", "public")];
    let id = license(&mut ada, &more).await;
    let page = format!("/app/licenses/{id}");
    ada.upload(&format!("{page}/images"), &[], &[&png(4, 4), &png(5, 5)]).await.made();
    let share = [("grantee", "mary@example.com"), ("role", "viewer")];
    ada.post(&format!("{page}/permissions"), &share).await.made();
    let before = images(&ada.get(&page).await);
    assert_eq!(before.len(), 2);

    let gone = ada.follow(&format!("{page}/delete"), &[]).await;
    gone.says(200, &["License deleted", "Undo", "No licenses yet"]);
    ada.get(&page).await.says(404, &[]);
    mary.get(&page).await.says(404, &[]);
    let back = undo(&mut ada, &gone, "/app/licenses").await;
    back.says(200, &["A license was restored", "Winter", "W-1"]).hides("name=\"token\"");
    assert_eq!(images(&ada.get(&page).await), before);
    mary.get(&page).await.says(200, &["Winter"]);
    ada.get(&format!("/app/catalog/{id}")).await.says(200, &["Winter"]);
    let history = ada.get(&format!("{page}/history")).await;
    history.says(200, &["License restored", "License deleted"]);
    let log = ada.get("/app/logs").await;
    log.says(200, &["A license was restored", "Change undone", "Undid: License deleted"]);

    let again = [("token", &*token(&gone)), ("back", "/app/licenses")];
    let refused = ada.post("/app/undo", &again).await;
    refused.says(409, &["This can't be undone anymore"]);
}

#[db_test]
async fn pictures_are_kept_for_the_minute_and_no_longer(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let page = format!("/app/licenses/{id}");
    ada.upload(&format!("{page}/images"), &[], &[&png(4, 4), &png(5, 5)]).await.made();
    let first = images(&ada.get(&page).await).remove(0);
    let removed = ada.follow(&format!("{page}/images/{first}/remove"), &[]).await;
    assert_eq!((images(&removed).len(), files(&fixture).len()), (1, 4));
    assert_eq!(images(&undo(&mut ada, &removed, &page).await).len(), 2);
    let gone = ada.follow(&format!("{page}/delete"), &[]).await;
    let app = &fixture.app.app;
    // Neither the job nor the sweep of orphans takes them while they are needed.
    age(&fixture);
    fixture.app.clock.advance(Duration::from_secs(59));
    forget_expired(app).await.unwrap();
    sweep(app, &mut SweepCursor::default()).await.unwrap();
    assert_eq!(files(&fixture).len(), 4);
    fixture.app.clock.advance(Duration::from_secs(1));
    let late = [("token", &*token(&gone)), ("back", "/app/licenses")];
    ada.post("/app/undo", &late).await.says(409, &["a minute has passed"]);
    fixture.app.clock.advance(Duration::from_secs(31));
    assert!(forget_expired(app).await.unwrap() > 0);
    assert_eq!(files(&fixture).len(), 0);
    let rows = "SELECT CAST(count(*) AS text) FROM undos";
    assert_eq!(seed::rows(&fixture.app.database.options, rows).await, [["0"]]);
}

#[db_test]
async fn a_change_is_taken_back_unless_somebody_changed_it_since(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let (page, status) = (format!("/app/licenses/{id}"), format!("/app/licenses/{id}/status"));
    let publish = [("status", "public"), ("version", "1-draft")];
    let published = ada.follow(&status, &publish).await;
    published.says(200, &["License is now public", "Undo"]);
    undo(&mut ada, &published, &page)
        .await
        .says(200, &["A change of a license was undone", "draft"])
        .hides("Undone");
    let edit = |version, name| {
        [("version", version), ("name", name), ("type", "advertising"), ("status", "draft")]
    };
    let spring = ada.follow(&format!("{page}/edit"), &edit("3-draft", "Spring")).await;
    ada.follow(&format!("{page}/edit"), &edit("4-draft", "Summer")).await;
    let form = [("token", &*token(&spring)), ("back", &*page)];
    ada.post("/app/undo", &form).await.says(409, &["somebody has changed it since"]);
    ada.get(&page).await.says(200, &["Summer"]);
}

#[db_test]
async fn a_permission_is_given_again_with_its_id(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let mut mary = fixture.stranger().await;
    let id = license(&mut ada, &[("name", "Winter"), ("status", "private")]).await;
    let page = format!("/app/licenses/{id}");
    let share = [("grantee", "mary@example.com"), ("role", "viewer")];
    let shared = ada.follow(&format!("{page}/permissions"), &share).await;
    let permission = shared.between("/permissions/", "/revoke").unwrap();
    mary.get(&page).await.says(200, &["Winter"]);
    let revoke = format!("{page}/permissions/{permission}/revoke");
    let revoked = ada.follow(&revoke, &[]).await;
    mary.get(&page).await.says(404, &[]);
    let back = undo(&mut ada, &revoked, &page).await;
    back.says(200, &["A revoked permission was given back", "mary@example.com"]);
    assert_eq!(back.between("/permissions/", "/revoke").as_deref(), Some(&*permission));
    mary.get(&page).await.says(200, &["Winter"]);
    // It can be revoked once more, and granting one can be taken back, too.
    ada.follow(&revoke, &[]).await;
    let shared = ada.follow(&format!("{page}/permissions"), &share).await;
    undo(&mut ada, &shared, &page).await.says(200, &["A permission was taken back"]);
    mary.get(&page).await.says(404, &[]);
}

#[db_test]
async fn only_the_session_that_acted_can_undo(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let gone = ada.follow(&format!("/app/licenses/{id}/delete"), &[]).await;
    let token = token(&gone);
    let form = [("token", &*token), ("back", "/app/licenses")];
    for mut other in [fixture.ada().await, fixture.stranger().await] {
        other.post("/app/undo", &form).await.says(409, &["This can't be undone anymore"]);
    }
    let stranger = fixture.browser().post("/app/undo", &form).await;
    assert_eq!(stranger.location.as_deref(), Some("/app/sign-in"));
    for wrong in ["", "gun_x", "nothing"] {
        let form = [("token", wrong), ("back", "/app/licenses")];
        ada.post("/app/undo", &form).await.says(409, &["This can't be undone anymore"]);
    }
    ada.follow("/app/undo", &form).await.says(200, &["Winter"]);
}

#[db_test]
async fn a_decision_about_a_mention_is_taken_back(watch: Watch) {
    watch.license(json!({ "status": "private" })).await;
    let found = watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    let address = format!("/app/mentions/{}", found[0]["mentionId"].as_str().unwrap());
    let mut ada = Browser::signed_in(&watch.world.app, "ada@example.com").await;
    let form = [("status", "dismissed"), ("note", "Not her"), ("back", "/app/mentions")];
    let dismissed = ada.follow(&format!("{address}/decide"), &form).await;
    dismissed.says(200, &["No new mentions", "Undo"]);
    let back = undo(&mut ada, &dismissed, "/app/mentions").await;
    back.says(200, &["A decision about a mention was undone", "Grâce Hopper was here"]);
    ada.get(&address).await.says(200, &["Nobody has decided yet."]).hides("Not her");
    let log = ada.get("/app/logs?action=change.undo").await;
    log.says(200, &["Status: Dismissed → New"]);
}

#[db_test]
async fn webhooks_clients_talents_and_bookmarks_come_back(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let receiver = Listener::start(|_| Script::answer(200, b"")).await.unwrap();
    let url = receiver.url("/hook");
    let form = [("url", &*url), ("description", "Orders"), ("events", "license.created")];
    let webhook = ada.post("/app/webhooks/new", &form).await.link("/app/webhooks/");
    let off = ada.follow(&format!("{webhook}/status"), &[("status", "disabled")]).await;
    undo(&mut ada, &off, &webhook).await.says(200, &["A change of a webhook was undone", "active"]);
    let gone = ada.follow(&format!("{webhook}/delete"), &[]).await;
    gone.says(200, &["No webhooks yet"]);
    undo(&mut ada, &gone, &webhook).await.says(200, &["A deleted webhook was restored", "Orders"]);

    let form =
        [("name", "Importer"), ("environment", "production"), ("permissions", "license:read")];
    let seen = ada.post("/app/clients/new", &form).await;
    let secret = seen.between("API secret\"><code>", "<").expect("a secret");
    let client = seen.link("/app/clients/");
    let key = ada.get(&client).await.between("<dd><code>", "<");
    let credentials = json!({ "api_key": key, "api_secret": secret });
    let gone = ada.follow(&format!("{client}/delete"), &[]).await;
    assert_eq!(fixture.app.post("/auth/token", &credentials).await.status, 401);
    undo(&mut ada, &gone, &client).await.says(200, &["A deleted API client was restored"]);
    assert_eq!(fixture.app.post("/auth/token", &credentials).await.status, 200);
    let revoked = ada.follow(&format!("{client}/revoke"), &[]).await;
    revoked.says(200, &["API client revoked"]).hides("name=\"token\"");

    let id = talent(&mut ada, "Grace Hopper").await;
    let page = format!("/app/talents/{id}");
    let form =
        [("fullname", "Grace M. Hopper"), ("status", "inactive"), ("aliases", "Amazing Grace")];
    let changed = ada.follow(&format!("{page}/edit"), &form).await;
    let back = undo(&mut ada, &changed, &page).await;
    back.says(200, &["Grace Hopper", "active"]).hides("Amazing Grace");
    let history = ada.get(&back.link("/app/logs/records/")).await;
    history.says(200, &["Name: Grace Hopper → Grace M. Hopper", "Status: Inactive → Active"]);

    let license = license(&mut ada, &[("name", "Winter")]).await;
    let form = [("target_type", "license"), ("target_id", &*license)];
    let kept = ada.follow("/app/bookmarks", &form).await;
    let bookmark = kept.between("/app/bookmarks/", "/edit").unwrap();
    let gone = ada.follow(&format!("/app/bookmarks/{bookmark}/remove"), &[]).await;
    let back = undo(&mut ada, &gone, "/app/bookmarks").await;
    assert_eq!(back.between("/app/bookmarks/", "/edit"), Some(bookmark));
}

#[db_test]
async fn a_removed_member_is_back_in_the_team(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let team = ada.post("/app/teams/new", &[("name", "Field")]).await.made();
    let mut colleague = fixture.colleague("Team_Member").await;
    fixture.leads("Field").await;
    let page = format!("/app/teams/{team}");
    let seen = ada.get(&page).await;
    let members = format!("action=\"{page}/members/");
    let ids: Vec<_> =
        seen.page.split(&members).skip(1).filter_map(|it| it.split('/').next()).collect();
    let mut removed = None;
    for id in ids {
        let answer = ada.post(&format!("{page}/members/{id}/remove"), &[]).await;
        if answer.status == 303 {
            removed = Some(ada.get(&answer.location.unwrap()).await);
        }
    }
    let removed = removed.expect("the colleague is removed, and Ada is not");
    removed.says(200, &["Removed from the team"]).hides("colleague@example.com");
    let back = undo(&mut ada, &removed, &page).await;
    back.says(200, &["A removed member was put back into a team", "colleague@example.com"]);
    // The session stays ended.
    let signed_out = colleague.get("/app").await;
    assert_eq!(signed_out.status, 303, "{}", signed_out.text);
    fixture.signed_in("colleague@example.com").await.get("/app").await.says(200, &[]);
}

/// The address that the link with this name leads to.
fn path_of(seen: &Seen, name: &str) -> String {
    let before = seen.page.split(&format!("\">{name}</a>")).next().unwrap_or_default();
    before.rsplit("href=\"").next().unwrap_or_default().to_owned()
}

/// Two addresses with one URL would get every message twice.
#[db_test]
async fn a_chat_does_not_come_back_if_its_url_was_added_again(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (list, new) = ("/app/organization/chat", "/app/organization/chat/new");
    let (old, other) = ("https://127.0.0.1/hooks/old", "https://127.0.0.1/hooks/other");
    let form = |name, url| [("name", name), ("url", url), ("kinds", "request")];
    let taken = "The chat address Rights again already has this URL";
    let added = ada.follow(new, &form("Rights team", old)).await;
    let team = path_of(&added, "Rights team");
    let moved = ada.follow(&team, &form("Rights team", other)).await;
    let added = ada.follow(new, &form("Rights again", old)).await;
    let refused = ada.post("/app/undo", &[("token", &token(&moved)), ("back", list)]).await;
    refused.says(409, &[taken]);
    // A deleted one comes back, unless its URL was added again.
    let gone = ada.follow(&format!("{team}/delete"), &[]).await;
    let back = undo(&mut ada, &gone, list).await;
    back.says(200, &["A deleted chat address was restored", "Rights team"]);
    let again = path_of(&added, "Rights again");
    let gone = ada.follow(&format!("{again}/delete"), &[]).await;
    ada.follow(new, &form("Rights again", old)).await;
    let refused = ada.post("/app/undo", &[("token", &token(&gone)), ("back", list)]).await;
    refused.says(409, &[taken]);
}

#[db_test]
async fn who_lost_the_right_cannot_undo(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let id = license(&mut ada, &[("name", "Winter")]).await;
    let gone = ada.follow(&format!("/app/licenses/{id}/delete"), &[]).await;
    let role = "UPDATE memberships SET role = 'Team_Member' WHERE user_id =
        (SELECT user_id FROM users WHERE email = 'ada@example.com')";
    fixture.run(role.to_owned()).await;
    // Later than cached sessions.
    fixture.app.clock.advance(Duration::from_secs(2));
    let form = [("token", &*token(&gone)), ("back", "/app/licenses")];
    ada.post("/app/undo", &form).await.says(403, &["You don't have access"]);
}
