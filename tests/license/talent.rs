//! Talents: the roster, names, and what a license shows of them.

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{Member, World, refusal, text};

#[db_test]
async fn a_roster_is_kept_and_searched(world: World) {
    let agency = &world.agency;
    let send = |method, path: &'static str, body| agency.console(&world.app, method, path, body);
    world.app.clock.advance(std::time::Duration::from_secs(1));
    let body = json!({
        "fullname": "Katherine Johnson", "email": "kj@example.com", "phone": "+1 555 0100",
        "bio": "Orbits", "socialMedia": { "Mastodon": "@kj@example.social" },
    });
    let made = send(Method::POST, "/org/talent", Some(body)).await.json()["data"].clone();
    let expected = json!({
        "talentId": made["talentId"], "fullname": "Katherine Johnson", "aliases": [],
        "email": "kj@example.com", "phone": "+1 555 0100", "bio": "Orbits",
        "socialMedia": { "Mastodon": "@kj@example.social" }, "status": "active",
        "verified": false, "licenseCount": 0, "teamId": null, "createdAt": "2026-01-01T00:00:01.000000Z",
        "updatedAt": "2026-01-01T00:00:01.000000Z",
    });
    assert_eq!(made, expected);
    let roster = send(Method::GET, "/org/talent/roster?limit=1", None).await.json();
    assert_eq!(roster["data"]["talents"], json!([expected]));
    assert_eq!(roster["data"]["pagination"]["total"], 2);
    for (path, total) in [
        ("/org/talent/name/search?search=GRACE", 1),
        ("/org/talent/name/search?search=amaz", 1),
        ("/org/talent/name/search?search=hop%20gra", 1),
        ("/org/talent/name/search?search=race", 0),
        ("/org/talent/name/search?search=%25", 0),
        ("/org/talent/name/search?search=_", 0),
        ("/org/talent/name/search?search=%F0%9F%91%8D", 0),
        ("/org/talent/name/search?search=%22-!*%22", 0),
    ] {
        let found = send(Method::GET, path, None).await.json();
        assert_eq!(found["data"]["pagination"]["total"], total, "{path}");
    }
    let none = send(Method::GET, "/org/talent/name/search", None).await;
    assert_eq!(refusal(&none), (400, "MISSING_REQUIRED_FIELD".to_owned()));
    let wrong = json!({ "fullname": "x", "email": "nonsense", "aliases": [""] });
    let wrong = send(Method::POST, "/org/talent", Some(wrong)).await.json();
    assert_eq!(wrong["error"]["details"].as_object().unwrap().len(), 3);
}

#[db_test]
async fn a_new_name_shows_on_every_license_at_once(world: World) {
    let id = world.license(json!({})).await;
    let path = format!("/talent/{}", world.talent);
    let body = json!({ "fullname": "Grace M. Hopper", "aliases": [], "email": null });
    let changed = world.agency.console(&world.app, Method::PATCH, &path, Some(body)).await;
    assert_eq!(changed.json()["data"]["licenseCount"], 1);
    let list = world.get("/licenses").await.json();
    let one = world.get(&format!("/licenses/{id}")).await.json();
    assert_eq!(list["data"][0], one);
    assert_eq!((&one["talent"]["name"], &one["version"]), (&json!("Grace M. Hopper"), &json!(2)));
}

#[db_test]
async fn who_manages_themself_has_one_record(world: World) {
    let person = Member::join(&world.app, "cleo@example.com", None).await;
    let own = person.console(&world.app, Method::GET, "/talent", None).await.json();
    assert_eq!(own["data"]["talents"][0]["fullname"], "Ada Lovelace");
    assert_eq!(own["data"]["talents"][0]["verified"], true);
    let body = Some(json!({ "fullname": "Another Self" }));
    let second = person.console(&world.app, Method::POST, "/org/talent", body).await;
    assert_eq!(refusal(&second), (409, "RESOURCE_EXISTS".to_owned()));
    let foreign = format!("/talent/{}", world.talent);
    let foreign = person.console(&world.app, Method::GET, &foreign, None).await;
    assert_eq!(refusal(&foreign), (404, "NOT_FOUND".to_owned()));
    let brand = world.brand.console(&world.app, Method::GET, "/org/talent/roster", None).await;
    assert_eq!(refusal(&brand), (403, "FORBIDDEN".to_owned()));
}

#[db_test]
async fn a_name_that_the_person_gave_themself_stays_theirs(world: World) {
    let person = Member::join(&world.app, "cleo@example.com", None).await;
    let own = person.console(&world.app, Method::GET, "/talent", None).await.json();
    let path = format!("/talent/{}", text(&own["data"]["talents"][0]["talentId"]));
    let body = Some(json!({ "fullname": "Cleo de Nile" }));
    let changed = person.console(&world.app, Method::PATCH, &path, body).await.json();
    assert_eq!(changed["data"]["fullname"], "Cleo de Nile");
    assert_eq!(changed["data"]["verified"], true);
}

#[db_test]
async fn null_clears_what_can_be_empty_and_nothing_else(world: World) {
    let path = format!("/talent/{}", world.talent);
    let patch = |body| world.agency.console(&world.app, Method::PATCH, &path, Some(body));
    let full = json!({
        "email": "g@example.com", "phone": "+1 555 0100", "bio": "Bugs", "socialMedia": { "X": "@g" },
    });
    assert_eq!(patch(full).await.status, 200);
    let nulls =
        json!({ "email": null, "phone": null, "bio": null, "socialMedia": null, "aliases": null });
    let cleared = patch(nulls.clone()).await.json()["data"].clone();
    for name in ["email", "phone", "bio"] {
        assert_eq!(cleared[name], json!(null), "{name}");
    }
    assert_eq!((&cleared["socialMedia"], &cleared["aliases"]), (&json!({}), &json!([])));
    let refused = patch(json!({ "fullname": null, "status": null })).await;
    let details = json!({ "fullname": "must not be null", "status": "must not be null" });
    assert_eq!((refused.status.as_u16(), &refused.json()["error"]["details"]), (400, &details));
}

#[db_test]
async fn members_a_talent_has_not_are_named(world: World) {
    let body = json!({ "fullname": "Mary Jackson", "verified": true, "a b": 1 });
    let made = world.agency.console(&world.app, Method::POST, "/org/talent", Some(body)).await;
    assert_eq!(
        (made.status.as_u16(), made.header("x-ignored-fields")),
        (201, Some("a%20b, verified"))
    );
    let path = format!("/talent/{}", text(&made.json()["data"]["talentId"]));
    let body = json!({ "bio": "Wind tunnels", "socialMedia": {}, "licenseCount": 3 });
    let changed = world.agency.console(&world.app, Method::PATCH, &path, Some(body)).await;
    assert_eq!(
        (changed.status.as_u16(), changed.header("x-ignored-fields")),
        (200, Some("licenseCount"))
    );
    let plain = world.agency.console(&world.app, Method::PATCH, &path, Some(json!({}))).await;
    assert_eq!((plain.status.as_u16(), plain.header("x-ignored-fields")), (200, None));
}
