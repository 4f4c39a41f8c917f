//! `GET /licenses/{id}`: contract section 4, "Lookup", and entity tags.

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{Member, World, refusal};

#[db_test]
async fn a_license_shows_all_of_it(world: World) {
    let more = json!({
        "externalId": "W-1", "description": "Snow", "appearanceFee": 1500.5, "currency": "EUR",
        "feePer": "campaign", "uses": ["advertising", "voice"], "territories": ["US", "WORLD"],
        "terms": { "credit": true }, "validFrom": "2026-01-01T00:00:00Z",
        "expiresAt": "2027-01-01T00:00:00Z", "canCrawl": true,
    });
    let id = world.license(more).await;
    let answer = world.get(&format!("/licenses/{id}")).await;
    let expected = json!({
        "id": id, "external_id": "W-1", "title": "Winter", "description": "Snow",
        "status": "private", "license_type": "advertising",
        "talent": { "id": world.talent, "name": "Grâce Hopper", "aliases": ["Amazing Grace"] },
        "owner": {
            "id": world.agency.organization, "name": "Agency of ada@example.com", "type": "Agency",
        },
        "permission": "licensor", "uses": ["advertising", "voice"],
        "territories": ["US", "WORLD"],
        "fee": { "amount": "1500.50", "currency": "EUR", "per": "campaign" },
        "can_crawl": true, "terms": { "credit": true },
        "valid_from": "2026-01-01T00:00:00.000000Z", "expires_at": "2027-01-01T00:00:00.000000Z",
        "image_count": 0, "version": 1, "created_at": "2026-01-01T00:00:01.000000Z",
        "updated_at": "2026-01-01T00:00:01.000000Z",
    });
    assert_eq!(answer.whole(), (200, expected.clone()));
    assert_eq!(world.get("/licenses").await.json()["data"], json!([expected]));
    assert_eq!(world.get("/licenses/W-1").await.json(), expected);
    let with_images = world.get("/licenses/W-1?include_images=true").await.json();
    assert_eq!(with_images["reference_images"], json!([]));
    let urls = world.get("/licenses/W-1?include_image_urls=true").await;
    let details = json!({ "include_image_urls": "requires include_images=true" });
    assert_eq!((urls.status.as_u16(), &urls.json()["error"]["details"]), (400, &details));
}

#[db_test]
async fn what_is_not_seen_is_denied_by_id_and_unknown_by_name(world: World) {
    let id = world.license(json!({ "externalId": "W-1" })).await;
    let draft = world.license(json!({ "externalId": "D-1", "status": "draft" })).await;
    let world = &world;
    let ask = |name: &str| {
        let path = format!("/licenses/{name}");
        async move { world.brand.external(&world.app, Method::GET, &path, None).await }
    };
    for (name, expected) in [
        (id.as_str(), (403, "ACCESS_DENIED")),
        ("W-1", (404, "NOT_FOUND")),
        (&draft, (403, "ACCESS_DENIED")),
        ("D-1", (404, "NOT_FOUND")),
        ("01900000-0000-7000-8000-000000000000", (404, "NOT_FOUND")),
        ("nothing%20such", (404, "NOT_FOUND")),
    ] {
        let (status, code) = refusal(&ask(name).await);
        assert_eq!((status, code.as_str()), expected, "{name}");
    }
}

#[db_test]
async fn ones_own_name_comes_first_and_two_others_are_too_many(world: World) {
    let other = Member::join(&world.app, "cleo@example.com", None).await;
    let third = Member::join(&world.app, "dora@example.com", None).await;
    let own = world.license(json!({ "externalId": "SAME", "name": "Own" })).await;
    for member in [&other, &third] {
        let found = member.console(&world.app, Method::GET, "/talent", None).await.json();
        let path = format!(
            "/org/talent/license/{}",
            found["data"]["talents"][0]["talentId"].as_str().unwrap()
        );
        let body = json!({
            "name": "Theirs", "type": "voice", "externalId": "SAME", "status": "private",
        });
        let made = member.console(&world.app, Method::POST, &path, Some(body)).await.json();
        let id = made["data"]["licenseId"].as_str().unwrap();
        for organization in [&world.agency.organization, &world.brand.organization] {
            let path = format!("/org/license/{id}/permissions");
            let body = json!({ "grantee": { "organizationId": organization }, "role": "viewer" });
            let granted = member.console(&world.app, Method::POST, &path, Some(body)).await;
            assert_eq!(granted.status, 201, "{}", granted.json());
        }
    }
    assert_eq!(world.get("/licenses/SAME").await.json()["id"], json!(own));
    let brand = world.brand.external(&world.app, Method::GET, "/licenses/SAME", None).await;
    assert_eq!(refusal(&brand), (409, "RESOURCE_CONFLICT".to_owned()));
}

#[db_test]
async fn a_tag_tells_every_difference(world: World) {
    let id = world.license(json!({})).await;
    world.grant(&id, "viewer").await;
    let path = format!("/licenses/{id}");
    let tag = |answer: &grantor_testkit::app::Answer| answer.header("etag").map(str::to_owned);
    let plain = tag(&world.get(&path).await).unwrap();
    let images = tag(&world.get(&format!("{path}?include_images=true")).await).unwrap();
    let brand = world.brand.external(&world.app, Method::GET, &path, None).await;
    let urls = world.get(&format!("{path}?include_images=true&include_image_urls=true")).await;
    assert_eq!(tag(&urls), None);
    let mut tags = vec![plain.clone(), images, tag(&brand).unwrap()];
    world.patch(&id, json!({ "title": "Other" })).await;
    tags.push(tag(&world.get(&path).await).unwrap());
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 4, "{tags:?}");
    let ask = |tag: &str| {
        let request = world.app.request(Method::GET, &path).bearer(&world.agency.external);
        request.header("if-none-match", tag).send()
    };
    assert_eq!(ask(&plain).await.status, 200, "it has changed since");
    let now = tag(&world.get(&path).await).unwrap();
    let known = ask(&now).await;
    assert_eq!((known.status.as_u16(), known.body.len()), (304, 0));
}
