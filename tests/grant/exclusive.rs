//! Exclusive means exclusive, also in a race.

use futures_util::future::{join, join_all};
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use super::terms;
use crate::license::World;

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
    let message = "Another grant of this talent is in the way; ask the licensor";
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
