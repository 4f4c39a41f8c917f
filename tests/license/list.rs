//! `GET /licenses`: every parameter of the document.

use std::time::Duration;

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{World, page, text};

fn titles(names: &[&str]) -> Vec<String> {
    names.iter().map(|it| (*it).to_owned()).collect()
}

async fn shelf(world: &World) {
    for (name, kind, status) in [
        ("Delta", "voice", "draft"),
        ("Alpha", "advertising", "private"),
        ("Charlie", "voice", "public"),
        ("Bravo", "advertising", "public"),
    ] {
        world.license(json!({ "name": name, "type": kind, "status": status })).await;
    }
}

#[db_test]
async fn a_list_is_sorted_and_cut_as_asked(world: World) {
    shelf(&world).await;
    for (query, names, total) in [
        ("", ["Bravo", "Charlie", "Alpha", "Delta"].as_slice(), 4),
        ("?order=asc", &["Delta", "Alpha", "Charlie", "Bravo"], 4),
        ("?sort=title&order=asc", &["Alpha", "Bravo", "Charlie", "Delta"], 4),
        ("?sort=title", &["Delta", "Charlie", "Bravo", "Alpha"], 4),
        ("?sort=updated_at&order=asc", &["Delta", "Alpha", "Charlie", "Bravo"], 4),
        ("?per_page=2&page=2", &["Alpha", "Delta"], 4),
        ("?per_page=3&page=2&sort=title&order=asc", &["Delta"], 4),
        ("?page=9", &[], 4),
        ("?status=draft", &["Delta"], 1),
        ("?status=public", &["Bravo", "Charlie"], 2),
        ("?status=public&sort=title&order=desc", &["Charlie", "Bravo"], 2),
        ("?status=expired", &[], 0),
        ("?license_type=voice", &["Charlie", "Delta"], 2),
        ("?license_type=voice&status=public", &["Charlie"], 1),
        ("?search=bravo", &["Bravo"], 1),
        ("?search=bravo&status=draft", &[], 0),
        ("?include_image_urls=true&status=draft", &["Delta"], 1),
    ] {
        let answer = world.get(&format!("/licenses{query}")).await;
        assert_eq!(page(&answer), (titles(names), total), "{query}");
    }
    let second = world.get("/licenses?per_page=1&page=2&status=public").await;
    let pagination = json!({
        "page": 2, "per_page": 1, "total": 2, "total_pages": 2, "has_next": false, "has_prev": true,
    });
    assert_eq!(second.json()["pagination"], pagination);
    assert_eq!(
        second.header("link"),
        Some(
            "</licenses?status=public&page=1&per_page=1>; rel=\"first\", \
             </licenses?status=public&page=1&per_page=1>; rel=\"prev\", \
             </licenses?status=public&page=2&per_page=1>; rel=\"last\""
        )
    );
}

#[db_test]
async fn every_wrong_parameter_is_named(world: World) {
    let query = "page=0&per_page=101&status=gone&license_type=poster&sort=fee&order=up\
                 &include_image_urls=yes";
    let answer = world.get(&format!("/licenses?{query}")).await;
    assert_eq!(answer.status, 400);
    let details = answer.json()["error"]["details"].clone();
    let names: Vec<_> = details.as_object().unwrap().keys().cloned().collect();
    let expected =
        ["include_image_urls", "license_type", "order", "page", "per_page", "sort", "status"];
    assert_eq!(names, expected);
    assert_eq!(details["status"], "must be one of draft, private, public, expired");
}

#[db_test]
async fn a_change_moves_a_license_in_every_order(world: World) {
    shelf(&world).await;
    let first = world.get("/licenses?search=delta").await.json()["data"][0]["id"].clone();
    world.app.clock.advance(Duration::from_secs(1));
    let body = json!({ "title": "Zulu", "status": "private" });
    assert_eq!(world.patch(&text(&first), body).await.status, 200);
    for (query, names) in [
        ("?sort=updated_at&per_page=1", ["Zulu"].as_slice()),
        ("?sort=title&per_page=1", &["Zulu"]),
        ("?per_page=1&page=4", &["Zulu"]),
        ("?status=private", &["Alpha", "Zulu"]),
        ("?search=zulu", &["Zulu"]),
        ("?search=delta", &[]),
        ("?status=draft", &[]),
    ] {
        assert_eq!(
            page(&world.get(&format!("/licenses{query}")).await).0,
            titles(names),
            "{query}"
        );
    }
    assert_eq!(page(&world.get("/licenses").await).1, 4);
}

#[db_test]
async fn a_license_held_twice_is_listed_once_with_the_greater_role(world: World) {
    shelf(&world).await;
    let ids = world.get("/licenses").await.json()["data"].clone();
    let id = |at: usize| text(&ids[at]["id"]);
    let person = json!({ "userEmail": world.brand.email });
    assert_eq!(world.grant(&id(0), "viewer").await.status, 201);
    assert_eq!(world.grant(&id(2), "viewer").await.status, 201);
    assert_eq!(world.grant_to(&id(0), person.clone(), "trustee").await.status, 201);
    assert_eq!(world.grant_to(&id(1), person.clone(), "viewer").await.status, 201);
    assert_eq!(world.grant_to(&id(3), person, "viewer").await.status, 201, "a draft");
    let list = |path: &'static str| world.brand.external(&world.app, Method::GET, path, None);
    let all = list("/licenses").await;
    assert_eq!(page(&all), (titles(&["Bravo", "Charlie", "Alpha", "Delta"]), 4));
    let roles: Vec<Value> =
        all.json()["data"].as_array().unwrap().iter().map(|it| it["permission"].clone()).collect();
    assert_eq!(roles, ["trustee", "viewer", "viewer", "viewer"]);
    for (query, names, total) in [
        ("order=asc", ["Delta", "Alpha", "Charlie", "Bravo"].as_slice(), 4),
        ("sort=title&order=asc&per_page=2", &["Alpha", "Bravo"], 4),
        ("sort=title&per_page=2&page=2", &["Bravo", "Alpha"], 4),
        ("sort=updated_at&order=asc&per_page=1&page=2", &["Alpha"], 4),
        ("status=draft", &["Delta"], 1),
        ("status=public&per_page=1&page=2", &["Charlie"], 2),
        ("license_type=advertising", &["Bravo", "Alpha"], 2),
        ("search=alpha", &["Alpha"], 1),
    ] {
        let path = format!("/licenses?{query}");
        let answer = world.brand.external(&world.app, Method::GET, &path, None).await;
        assert_eq!(page(&answer), (titles(names), total), "{query}");
    }
}

#[db_test]
async fn a_late_page_moves_with_what_joins_and_leaves(world: World) {
    for number in 0..125 {
        world.license(json!({ "name": format!("L{number:03}") })).await;
    }
    let late = async |order: &str| {
        let path = format!("/licenses?per_page=20&page=7&order={order}");
        page(&world.get(&path).await)
    };
    let five = |numbers: [u32; 5]| numbers.map(|it| format!("L{it:03}")).to_vec();
    // Each twice: by walking there, and from where it is known to begin.
    for _ in 0..2 {
        assert_eq!(late("asc").await, (five([120, 121, 122, 123, 124]), 125));
        assert_eq!(late("desc").await, (five([4, 3, 2, 1, 0]), 125));
    }
    let first = world.get("/licenses?order=asc&per_page=1").await.json()["data"][0]["id"].clone();
    let path = format!("/org/license/{}", text(&first));
    assert_eq!(world.agency.console(&world.app, Method::DELETE, &path, None).await.status, 204);
    assert_eq!(late("asc").await.0.len(), 4);
    world.license(json!({ "name": "L125" })).await;
    assert_eq!(late("asc").await, (five([121, 122, 123, 124, 125]), 125));
    assert_eq!(late("desc").await, (five([5, 4, 3, 2, 1]), 125));
    let next = page(&world.get("/licenses?per_page=20&page=8&order=asc").await);
    assert_eq!(next, (vec![], 125));
}

#[db_test]
async fn words_prefixes_and_phrases_are_found(world: World) {
    for (name, description) in [
        ("Café at Night", "Grand hôtel in Paris, 2026"),
        ("Cafes by day", "grand finale"),
        ("O'Brien & Søns", "the grand hotel"),
    ] {
        world.license(json!({ "name": name, "description": description })).await;
    }
    for (search, names) in [
        ("cafe", ["Café at Night"].as_slice()),
        ("CAF%C3%89*", &["Cafes by day", "Café at Night"]),
        ("grand%20hotel", &["O'Brien & Søns", "Café at Night"]),
        ("%22grand%20hotel%22", &["O'Brien & Søns", "Café at Night"]),
        ("%22hotel%20grand%22", &[]),
        ("%22night%20grand%22", &[]),
        ("o%27brien", &["O'Brien & Søns"]),
        ("2026", &["Café at Night"]),
        ("grand%20fin*%20day", &["Cafes by day"]),
        ("%22unclosed%20gr", &[]),
        ("AND", &[]),
        ("*", &[]),
        ("%22%22%20%27%3B--", &[]),
        ("grand%20NOT%20hotel", &[]),
        ("the%20%7C%20cafe", &[]),
        ("a%3Ab%3A*%20(%20)", &[]),
    ] {
        let answer = world.get(&format!("/licenses?search={search}")).await;
        assert_eq!(page(&answer), (titles(names), names.len() as u64), "{search}");
    }
    let long = world.get(&format!("/licenses?search={}", "x".repeat(201))).await;
    assert_eq!(long.json()["error"]["details"]["search"], "must be at most 200 characters");
}

#[db_test]
async fn a_search_without_a_word_finds_nothing_on_either_surface(world: World) {
    shelf(&world).await;
    for mute in ["%25", "_", "%F0%9F%91%8D", "%22-!*%22"] {
        assert_eq!(page(&world.get(&format!("/licenses?search={mute}")).await), (vec![], 0));
        assert_eq!(page(&world.app.get(&format!("/metadata?search={mute}")).await), (vec![], 0));
        let path = format!("/org/licenses?search={mute}");
        let console = world.agency.console(&world.app, Method::GET, &path, None).await.json();
        assert_eq!(console["data"]["licenses"], json!([]), "{mute}");
        assert_eq!(console["data"]["pagination"]["total"], 0, "{mute}");
    }
}
