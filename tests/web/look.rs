//! What people see: thumbnails, the charts of the dashboard, and what ends in the calendar.

use std::time::Duration;

use grantor_service::licensing::license as licenses;
use grantor_service::operations::record_index;
use grantor_testkit::app::TestApp;
use grantor_testkit::db_test;

use super::catalog::upload;
use super::kit::{Browser, Seen, WebFixture};
use super::license::license;
use super::request::WISH;
use crate::grant::{days, terms};
use crate::license::World;
use crate::picture::png;
use crate::sighting::Watch;

const THUMBNAIL: &str = "<img class=\"thumb\" src=\"/objects/thumbnail";

/// Puts all changes into the indexes.
async fn settle(app: &TestApp) {
    licenses::index_changed(&app.app).await.unwrap();
    record_index::index_changed(&app.app).await.unwrap();
}

fn thumbnails(seen: &Seen) -> usize {
    assert_eq!(seen.status, 200, "{}", seen.text);
    seen.page.matches(THUMBNAIL).count()
}

/// Creates a talent with a license that has a picture, and returns both ids.
async fn pictured(ada: &mut Browser<'_>) -> (String, String) {
    let talent = ada.post("/app/talents/new", &[("fullname", "Grace Hopper")]).await.made();
    let form = [("talent", talent.as_str()), ("name", "Winter"), ("type", "voice")];
    let license = ada.upload("/app/licenses/new", &form, &[&png(40, 30)]).await.made();
    (talent, license)
}

#[db_test]
async fn names_have_pictures_in_lists(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    ada.post("/app/talents/new", &[("fullname", "Mary Nobody")]).await.made();
    assert_eq!(thumbnails(&ada.get("/app/talents").await), 0);
    let (talent, license) = pictured(&mut ada).await;
    let bookmark = [("target_type", "license"), ("target_id", &*license)];
    ada.post("/app/bookmarks", &bookmark).await.made();
    for path in ["/app/talents", "/app/licenses", "/app/bookmarks"] {
        assert_eq!(thumbnails(&ada.get(path).await), 1, "{path}");
    }
    let page = ada.get(&format!("/app/talents/{talent}")).await;
    assert_eq!(thumbnails(&page), 1);
    let page = ada.get(&format!("/app/licenses/{license}")).await;
    assert!(page.page.contains("<a class=\"enlarge\" href=\"/objects/image"), "{}", page.page);
    assert!(page.page.contains("<dialog class=\"lightbox\""), "{}", page.page);
}

#[db_test]
async fn a_thumbnail_keeps_its_address_for_a_while(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    pictured(&mut ada).await;
    let address = |seen: &Seen| {
        let rest = seen.between("class=\"thumb\" src=\"", "\"").expect("a thumbnail");
        rest.replace("&amp;", "&")
    };
    let first = address(&ada.get("/app/talents").await);
    fixture.app.clock.advance(Duration::from_mins(5));
    assert_eq!(address(&ada.get("/app/talents").await), first);
    assert_eq!(ada.get(&first).await.status, 200);
    fixture.app.clock.advance(Duration::from_mins(30));
    let next = address(&ada.get("/app/talents").await);
    assert_ne!(next, first);
    assert_eq!(ada.get(&first).await.status, 200, "the old address is still valid");
}

#[db_test]
async fn pictures_are_shown_only_to_those_who_may_see_them(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let (_, license) = pictured(&mut ada).await;
    ada.post(
        &format!("/app/licenses/{license}/status"),
        &[("status", "public"), ("version", "1-draft")],
    )
    .await
    .made();
    let mut mary = fixture.stranger().await;
    fixture.run("UPDATE tenants SET type = 'Brand' WHERE name = 'Somerville & Co'".into()).await;
    let mut wish: Vec<(&str, &str)> = WISH.to_vec();
    wish.push(("license", &license));
    mary.post("/app/requests/new", &wish).await.made();
    let seen = mary.get("/app/requests").await;
    assert_eq!(thumbnails(&seen), 0, "a public license shows no images");
    assert!(seen.page.contains("data-initials=\"GH\""), "{}", seen.page);
    upload(&mut ada, &license, &png(60, 40)).await;
    let seen = mary.get("/app/requests").await;
    assert_eq!(thumbnails(&seen), 0, "only the picture of the catalog is for everybody");
    let picture = seen.between("<img class=\"thumb\" src=\"", "\"").expect("a picture");
    assert!(picture.starts_with("/app/catalog/pictures/"), "{picture}");
    assert_eq!(mary.get(&picture).await.status, 200);
    fixture.run("UPDATE licenses SET status = 'private'".into()).await;
    mary.get("/app/requests").await.says(200, &["Winter"]).hides("/app/catalog/pictures/");
    assert_eq!(thumbnails(&ada.get("/app/requests").await), 1);
}

#[db_test]
async fn mentions_are_drawn_by_platform(watch: Watch) {
    let license = watch.license(serde_json::json!({ "status": "private" })).await;
    watch.say("https://wire.example/1", "Grâce Hopper was here").await;
    watch.say("https://wire.example/2", "Grâce Hopper was here again").await;
    let app = &watch.world.app;
    let mut bea = Browser::signed_in(app, "bea@example.com").await;
    bea.get("/app").await.says(200, &["by platform", "No mentions in this time."]);
    assert_eq!(watch.world.grant(&license, "viewer").await.status, 201);
    let mut ada = Browser::signed_in(app, "ada@example.com").await;
    for settled in [false, true] {
        for browser in [&mut ada, &mut bea] {
            for span in ["7", "30", "90"] {
                let seen = browser.get(&format!("/app?days={span}")).await;
                let title = format!("Mentions in the last {span} days, by platform");
                seen.says(200, &[&*title, "The Wire 2"]);
                let drawn = format!("Mentions in the last {span} days, by verdict: 2 total");
                assert!(seen.page.contains(&drawn), "{settled}: {}", seen.page);
            }
        }
        settle(app).await;
    }
    app.clock.advance(days(20));
    let mut ada = Browser::signed_in(app, "ada@example.com").await;
    ada.get("/app?days=7").await.says(200, &["No mentions in this time."]).hides("The Wire");
    let seen = ada.get("/app?days=90").await;
    seen.says(200, &["The Wire 2"]);
    assert!(seen.page.contains("<th scope=\"col\">Week from</th>"), "{}", seen.page);
    ada.get("/app?days=31").await.says(400, &["must be one of 7, 30, 90"]);
}

#[db_test]
async fn licensees_see_by_platform_what_they_see_by_verdict(mut watch: Watch) {
    watch.granted().await;
    watch.world.pass(days(31)).await;
    watch.publish("https://wire.example/1", None).await;
    let app = &watch.world.app;
    let mut bea = Browser::signed_in(app, "bea@example.com").await;
    for settled in [false, true] {
        let seen = bea.get("/app").await;
        seen.says(200, &["The Wire 1"]).hides("No mentions in this time.");
        let drawn = "Mentions in the last 30 days, by verdict: 1 total";
        assert!(seen.page.contains(drawn), "{settled}: {}", seen.page);
        let seen = bea.get("/app/mentions?status=all&search=hopper").await;
        seen.says(200, &["All 1 on this page", "Export rows"]).hides("Mark as not allowed");
        settle(app).await;
    }
}

#[db_test]
async fn what_ends_is_counted_by_month(world: World) {
    world.granted(&world.public().await, terms()).await;
    for settled in [false, true] {
        for (member, row) in [
            (&world.agency, "<td>Aug 2026</td><td>1</td><td>0</td><td>0</td>"),
            (&world.brand, "<td>Aug 2026</td><td>0</td><td>1</td><td>0</td>"),
        ] {
            let mut browser = Browser::signed_in(&world.app, member.email).await;
            let seen = browser.get("/app").await;
            seen.says(200, &["Grants and licenses that end, by month", "Open calendar"]);
            assert!(seen.page.contains(row), "{settled}: {}", seen.page);
            let seen = browser.get("/app/grants/calendar").await;
            seen.says(200, &["What ends when", "Aug 2026 1 grant"]);
            let link = "/app/grants?ends_from=2026-08-01&amp;ends_to=2026-08-31";
            assert_eq!(seen.link("/app/grants?ends_from"), link);
        }
        settle(&world.app).await;
    }
}

#[db_test]
async fn licenses_that_expire_are_in_the_calendar(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let soon = [("name", "Winter"), ("status", "private"), ("expiresAt", "2026-05-06T00:00")];
    license(&mut ada, &soon).await;
    license(&mut ada, &[("name", "Endless"), ("status", "private")]).await;
    for settled in [false, true] {
        let seen = ada.get("/app").await;
        let row = "<td>May 2026</td><td>0</td><td>0</td><td>1</td>";
        assert!(seen.page.contains(row), "{settled}: {}", seen.page);
        let seen = ada.get("/app/grants/calendar").await;
        let texts = ["May 2026 1 license", "Licenses that expire", "Winter", "Until May 6, 2026"];
        seen.says(200, &texts).says(200, &["No grants in these months"]).hides("Endless");
        let link = "/app/licenses?expires_from=2026-05-01&amp;expires_to=2026-05-31";
        assert_eq!(seen.link("/app/licenses?expires_from"), link);
        ada.get("/app/grants/calendar?from=2026-06").await.says(200, &[]).hides("Winter");
        ada.get("/app/grants/calendar?status=active").await.says(200, &[]).hides("Winter");
        settle(&fixture.app).await;
    }
    let mut mary = fixture.stranger().await;
    mary.get("/app/grants/calendar").await.says(200, &[]).hides("Winter");
}

#[db_test]
async fn pages_can_be_printed(fixture: WebFixture) {
    let mut ada = fixture.ada().await;
    let seen = ada.get("/app").await;
    let tag = seen.between("print.css\"", ">").expect("a style sheet for paper");
    assert_eq!(tag, " media=\"print\"");
    let (before, after) = ("<link rel=\"stylesheet\" href=\"", "\" media=\"print\"");
    let last = seen.page.split(after).next().and_then(|it| it.rsplit(before).next());
    let sheet = ada.get(last.expect("its address")).await;
    assert_eq!(sheet.status, 200);
    assert!(sheet.page.contains("break-inside: avoid"), "{}", sheet.page);
}
