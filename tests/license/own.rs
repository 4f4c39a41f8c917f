//! The console lists what an organization owns, whatever others granted it.

use std::time::Duration;

use grantor_testkit::app::Answer;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{Member, World, page, text};

async fn listed(world: &World, member: &Member, query: &str) -> (Vec<String>, u64) {
    let path = format!("/org/licenses{query}");
    names(&member.console(&world.app, Method::GET, &path, None).await)
}

fn names(answer: &Answer) -> (Vec<String>, u64) {
    let data = answer.json()["data"].clone();
    let names = data["licenses"].as_array().unwrap().iter().map(|it| text(&it["name"])).collect();
    (names, data["pagination"]["total"].as_u64().unwrap())
}

fn some(names: &[&str], total: u64) -> (Vec<String>, u64) {
    (names.iter().map(ToString::to_string).collect(), total)
}

/// Another agency with a license of its own, which sees three of the first agency's.
async fn other_agency(world: &World) -> Member {
    let other = Member::join(&world.app, "cy@example.com", Some("Agency")).await;
    for (name, status) in [("Granted", "private"), ("Open", "public"), ("Draft", "draft")] {
        let id = world.license(json!({ "name": name, "status": status })).await;
        let grantee = json!({ "organizationId": other.organization });
        assert_eq!(world.grant_to(&id, grantee, "trustee").await.status, 201);
        let person = json!({ "userEmail": other.email });
        assert_eq!(world.grant_to(&id, person, "viewer").await.status, 201);
    }
    let body = Some(json!({ "fullname": "Cy Twombly" }));
    let made = other.console(&world.app, Method::POST, "/org/talent", body).await;
    let talent = text(&made.json()["data"]["talentId"]);
    for (name, status) in [("Own", "private"), ("Sketch", "draft")] {
        world.app.clock.advance(Duration::from_secs(1));
        let body = json!({ "name": name, "type": "voice", "status": status,
            "expiresAt": "2026-01-01T01:00:00Z" });
        let path = format!("/org/talent/license/{talent}");
        assert_eq!(other.console(&world.app, Method::POST, &path, Some(body)).await.status, 201);
    }
    other
}

#[db_test]
async fn what_others_granted_is_not_listed_among_the_own(world: World) {
    let other = other_agency(&world).await;
    for (query, expected) in [
        ("", some(&["Sketch", "Own"], 2)),
        ("?limit=1&page=2", some(&["Own"], 2)),
        ("?status=private", some(&["Own"], 1)),
        ("?status=draft", some(&["Sketch"], 1)),
        ("?status=public", some(&[], 0)),
        ("?type=advertising", some(&[], 0)),
        ("?search=granted", some(&[], 0)),
        ("?search=own", some(&["Own"], 1)),
        ("?sort=title&order=asc", some(&["Own", "Sketch"], 2)),
    ] {
        assert_eq!(listed(&world, &other, query).await, expected, "{query}");
    }
    // The control: all five are seen by the same organization's client.
    assert_eq!(page(&other.external(&world.app, Method::GET, "/licenses", None).await).1, 5);
    assert_eq!(listed(&world, &world.agency, "").await.1, 3);
}

#[db_test]
async fn own_totals_follow_ends_by_time_changes_and_deletions(world: World) {
    let id = world.license(json!({ "expiresAt": "2026-01-01T00:10:00Z" })).await;
    world.license(json!({ "name": "Summer" })).await;
    world.app.clock.advance(Duration::from_mins(10));
    assert_eq!(listed(&world, &world.agency, "?status=expired").await, some(&["Winter"], 1));
    assert_eq!(listed(&world, &world.agency, "?status=private").await, some(&["Summer"], 1));
    let path = format!("/org/license/{id}");
    assert_eq!(world.agency.console(&world.app, Method::DELETE, &path, None).await.status, 204);
    assert_eq!(listed(&world, &world.agency, "?status=expired").await, some(&[], 0));
    assert_eq!(listed(&world, &world.agency, "").await, some(&["Summer"], 1));
}

#[db_test]
async fn few_own_among_many_granted_are_one_page(world: World) {
    let other = other_agency(&world).await;
    seed::public_licenses(&world.app.database.options, 2_000).await;
    seed::show_licenses(&world.app.database.options, &other.organization, 2_000).await;
    assert_eq!(listed(&world, &other, "").await, some(&["Sketch", "Own"], 2));
    let seen = other.external(&world.app, Method::GET, "/licenses", None).await;
    assert!(seen.json()["pagination"]["total"].as_u64() >= Some(2_000));
}
