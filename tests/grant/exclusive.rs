//! Exclusive means exclusive, also in a race.

use futures_util::future::{join, join_all};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::terms;
use crate::license::{World, text};

fn exclusive() -> Value {
    let mut terms = terms();
    terms["exclusive"] = json!(true);
    terms
}

#[db_test]
async fn an_exclusive_grant_is_in_the_way_of_overlapping_offers(world: World) {
    let first = world.public().await;
    world.granted(&first, exclusive()).await;
    let other = world.request_license(&world.public().await).await;
    let path = format!("/requests/{other}/offer");
    let offer = |terms: Value| {
        let (world, path) = (&world, &path);
        async move { world.as_agency(Method::POST, path, Some(json!({ "terms": terms }))).await }
    };
    let refused = offer(terms()).await;
    let details = json!({ "grant_number": "GR-2026-000001" });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (409, &details));
    let mut world_wide = terms();
    world_wide["territories"] = json!(["WORLD"]);
    assert_eq!(offer(world_wide).await.status, 409, "the world overlaps all");
    let mut elsewhere = terms();
    elsewhere["territories"] = json!(["DE"]);
    assert_eq!(offer(elsewhere).await.status, 200);
    let mut later = terms();
    later["starts_at"] = later["ends_at"].clone();
    later["ends_at"] = json!(null);
    assert_eq!(offer(later).await.status, 200);
}

/// More territories than one statement looks up; the last one is Romania.
const MANY: &str = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO";

#[db_test]
async fn the_world_and_a_country_exclude_each_other_both_ways(world: World) {
    let places = |mut terms: Value, codes: &str| {
        terms["territories"] = json!(codes.split(' ').collect::<Vec<_>>());
        terms
    };
    for (granted, offered) in [
        (places(exclusive(), "WORLD"), places(terms(), "DE")),
        (places(exclusive(), "DE"), places(terms(), "WORLD")),
        (places(terms(), "WORLD"), places(exclusive(), "DE")),
        (places(terms(), "DE"), places(exclusive(), "WORLD")),
        (places(terms(), "RO"), places(exclusive(), MANY)),
    ] {
        let grant = world.granted(&world.public().await, granted.clone()).await;
        let request = world.request_license(&world.public().await).await;
        let path = format!("/requests/{request}/offer");
        let body = json!({ "terms": offered });
        let refused = world.as_agency(Method::POST, &path, Some(body.clone())).await;
        let details = json!({ "grant_number": grant["number"] });
        let told = (refused.status.as_u16(), &refused.json()["error"]["details"]);
        assert_eq!(told, (409, &details), "{granted} {offered}");
        let revoke = format!("/grants/{}/revoke", text(&grant["id"]));
        let reason = json!({ "reason": "Another campaign" });
        assert_eq!(world.as_agency(Method::POST, &revoke, Some(reason)).await.status, 200);
        let made = world.as_agency(Method::POST, &path, Some(body)).await;
        assert_eq!(made.status, 200, "{}", made.json());
    }
}

#[db_test]
async fn grants_of_other_uses_places_and_times_are_not_in_the_way(world: World) {
    let mut granted = exclusive();
    granted["territories"] = json!(["WORLD"]);
    world.granted(&world.public().await, granted).await;
    let wide = json!({ "status": "public", "uses": ["advertising", "voice"] });
    let request = world.request_license(&world.license(wide).await).await;
    let path = format!("/requests/{request}/offer");
    for (member, value, status) in [
        ("uses", json!(["advertising"]), 409),
        ("uses", json!(["voice"]), 200),
        ("ends_at", json!("2026-03-01T00:00:00Z"), 409),
        ("starts_at", json!("2026-08-01T00:00:00Z"), 200),
    ] {
        let mut offered = exclusive();
        offered["ends_at"] = Value::Null;
        offered[member] = value;
        for territory in ["WORLD", "DE"] {
            offered["territories"] = json!([territory]);
            let body = json!({ "terms": offered });
            let answer = world.as_agency(Method::POST, &path, Some(body)).await;
            assert_eq!(answer.status, status, "{offered}");
        }
    }
}

#[db_test]
async fn of_two_exclusive_acceptances_one_succeeds(world: World) {
    let mut offers = Vec::new();
    for _ in 0..2 {
        let request = world.request_license(&world.public().await).await;
        let hash = world.offer(&request, exclusive()).await;
        offers.push((request, hash));
    }
    let [one, two] = [&offers[0], &offers[1]];
    let both = join(world.accept_offer(&one.0, &one.1), world.accept_offer(&two.0, &two.1)).await;
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let lost = if both.0.status == 409 { both.0 } else { both.1 };
    let message = "This offer overlaps with another grant of the talent; ask the licensor";
    let error = &lost.json()["error"];
    assert_eq!((&error["message"], error.get("details")), (&json!(message), None));
    let query =
        "SELECT message FROM log_entries WHERE action = 'request.accept' AND level = 'WARN'";
    let told = "An offer could not be accepted because of another grant of the talent";
    assert_eq!(seed::rows(&world.app.database.options, query).await, [[told]]);
}

/// Whoever is first: either one exclusive grant, or all the others.
#[db_test]
async fn an_exclusive_grant_is_alone_after_every_race(world: World) {
    for territory in ["US", "DE", "FR"] {
        let mut offers = Vec::new();
        for is_exclusive in [true, false, true, false, true, false] {
            let mut terms = if is_exclusive { exclusive() } else { terms() };
            terms["territories"] = json!([territory]);
            let request = world.request_license(&world.public().await).await;
            offers.push((request.clone(), world.offer(&request, terms).await));
        }
        let accept = offers.iter().map(|(request, hash)| world.accept_offer(request, hash));
        let statuses: Vec<_> = join_all(accept).await.iter().map(|it| it.status.as_u16()).collect();
        assert!(statuses.iter().all(|it| [200, 409].contains(it)), "{statuses:?}");
        let won: Vec<_> = (0..offers.len()).filter(|it| statuses[*it] == 200).collect();
        let alone = won.len() == 1 && won[0].is_multiple_of(2);
        assert!(alone || won == [1, 3, 5], "{territory}: {statuses:?}");
    }
    let query = "SELECT CAST(last_serial - (SELECT count(*) FROM grants) AS text)
        FROM grant_numbers";
    assert_eq!(seed::rows(&world.app.database.options, query).await, [["0"]], "without a gap");
}
