//! The calendar of grants: by talent and month, for both parties and nobody else.

use std::fmt::Write as _;

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::kit::Browser;
use crate::grant::{days, terms};
use crate::license::{Member, World, text};

const CALENDAR: &str = "/app/grants/calendar";
const EMPTY: &str = "No grants in these months";

#[db_test]
async fn grants_are_drawn_in_their_months(world: World) {
    let mut exclusive = terms();
    exclusive["exclusive"] = json!(true);
    let grant = text(&world.granted(&world.public().await, exclusive).await["id"]);
    let row =
        ["Jan 2026 to Dec 2026", "Grâce Hopper", "Feb 1, 2026 to Aug 1, 2026", "United States"];
    for member in [&world.agency, &world.brand] {
        let mut browser = Browser::signed_in(&world.app, member.email).await;
        let seen = browser.get(CALENDAR).await;
        seen.says(200, &row).says(200, &["GR-2026-000001", "scheduled exclusive", "Today"]);
        let bar = "class=\"fill-accent exclusive\" x=\"60\" y=\"4\" width=\"360\"";
        assert!(seen.page.contains(bar), "{}", seen.page);
        assert_eq!(seen.link(&format!("/app/grants/{grant}")), format!("/app/grants/{grant}"));
    }
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let seen = ada.get(&format!("{CALENDAR}?from=2025-08")).await;
    seen.says(200, &["Aug 2025 to Jul 2026", "GR-2026-000001", "This month"]);
    assert!(seen.page.contains("x=\"360\" y=\"4\" width=\"360\""), "until the end of the page");
    let seen = ada.get(&format!("{CALENDAR}?from=2026-08")).await;
    seen.says(200, &["Aug 2026 to Jul 2027", EMPTY]).hides("GR-2026");
    assert_eq!(seen.link(&format!("{CALENDAR}?from=2027")), format!("{CALENDAR}?from=2027-08"));
    ada.get(&format!("{CALENDAR}?from=soon")).await.says(400, &["must be a month such as 2026-01"]);
}

#[db_test]
async fn the_calendar_is_filtered(world: World) {
    world.granted(&world.public().await, terms()).await;
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let talent = format!("talent={}", world.talent);
    for (query, shown) in [
        ("role=owner", true),
        ("role=asker", false),
        ("status=scheduled", true),
        ("status=active", false),
        (&*talent, true),
        ("talent=00000000-0000-7000-8000-000000000000", false),
    ] {
        let seen = ada.get(&format!("{CALENDAR}?{query}")).await;
        seen.says(200, &[if shown { "GR-2026-000001" } else { EMPTY }]);
        assert_eq!(seen.page.contains("GR-2026"), shown, "{query}");
    }
    let seen = ada.get("/app/grants?role=owner").await;
    let calendar = seen.link(CALENDAR);
    assert_eq!(calendar, format!("{CALENDAR}?role=owner"));
    ada.get(&calendar).await.says(200, &["GR-2026-000001", "Any talent"]);
}

#[db_test]
async fn a_revoked_grant_ends_with_its_revocation(mut world: World) {
    let grant = text(&world.granted(&world.public().await, terms()).await["id"]);
    world.pass(days(41)).await;
    let path = format!("/grants/{grant}/revoke");
    let revoked = world.as_agency(Method::POST, &path, Some(json!({ "reason": "Not paid" }))).await;
    assert_eq!(revoked.status, 200);
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    let seen = ada.get(CALENDAR).await;
    seen.says(200, &["Feb 2026 to Jan 2027", ", revoked Feb 11, 2026", "revoked"]);
    let bar = "class=\"fill-bad\" x=\"0\" y=\"4\" width=\"21\"";
    assert!(seen.page.contains(bar), "{}", seen.page);
    ada.get(&format!("{CALENDAR}?from=2026-03")).await.says(200, &[EMPTY]);
}

#[db_test]
async fn grants_of_others_are_not_in_the_calendar(world: World) {
    world.granted(&world.public().await, terms()).await;
    let eve = Member::join(&world.app, "eve@example.com", Some("Brand")).await;
    let mut eve = Browser::signed_in(&world.app, eve.email).await;
    eve.get(CALENDAR).await.says(200, &[EMPTY]).hides("Grâce");
    let seen = eve.get(&format!("{CALENDAR}?talent={}", world.talent)).await;
    seen.says(200, &[EMPTY]).hides("Grâce");
}

/// Copies the only grant, with its request.
async fn copy_grant(world: &World, times: u32) {
    let options = &world.app.database.options;
    let mut script = String::new();
    for number in 1..=times {
        let id = seed::id(options, &format!("0190a5e4-7b3c-7def-8126-{number:012}"));
        let _ = write!(
            script,
            "INSERT INTO requests (request_id, license_id, talent_id, owner_id, asker_id, status,
               begun_by, coverage, purpose, channels, unread_by_asker, unread_by_owner, lapses_at,
               version, created_by, created_at, updated_at)
             SELECT {id}, license_id, talent_id, owner_id, asker_id, status, begun_by, coverage,
               purpose, channels, 0, 0, lapses_at, version, created_by, created_at, updated_at
             FROM requests LIMIT 1;
             INSERT INTO grants (grant_id, request_id, license_id, license_version, talent_id,
               licensor_id, licensee_id, year, serial, status, terms, terms_hash, exclusive,
               starts_at, ends_at, accepted_by, accepted_by_name, status_list, status_index,
               created_at)
             SELECT {id}, {id}, license_id, license_version, talent_id, licensor_id, licensee_id,
               year, {number} + 1, status, terms, terms_hash, exclusive, starts_at, ends_at,
               accepted_by, accepted_by_name, 2, {number}, created_at
             FROM grants WHERE serial = 1;"
        );
    }
    seed::run(options, script).await;
}

#[db_test]
async fn a_calendar_is_bounded(world: World) {
    world.granted(&world.public().await, terms()).await;
    let mut ada = Browser::signed_in(&world.app, world.agency.email).await;
    ada.get(CALENDAR).await.says(200, &["GR-2026-000001"]).hides("Not all grants");
    copy_grant(&world, 200).await;
    let seen = ada.get(CALENDAR).await;
    seen.says(200, &["Not all grants of these months are shown"]);
    assert_eq!(seen.page.matches("<td data-head=\"Grant\">").count(), 200);
}
