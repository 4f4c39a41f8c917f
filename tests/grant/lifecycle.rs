//! What a grant means while it lasts, and how it ends.

use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{days, terms};
use crate::license::{Member, PASSWORD, World, text};

#[db_test]
async fn the_licensee_sees_the_license_while_the_grant_is_active(mut world: World) {
    let license = world.public().await;
    let grant = world.granted(&license, terms()).await;
    assert_eq!(world.patch(&license, json!({ "status": "private" })).await.status, 200);
    let path = format!("/licenses/{license}");
    assert_eq!(world.as_brand(Method::GET, &path, None).await.status, 403, "not yet");
    world.pass(days(31)).await;
    let seen = world.as_brand(Method::GET, &path, None).await;
    assert_eq!((seen.status.as_u16(), &seen.json()["permission"]), (200, &json!("viewer")));
    let listed = world.as_brand(Method::GET, "/grants?status=active", None).await;
    assert_eq!(listed.json()["data"][0]["id"], grant["id"]);
    world.pass(days(181)).await;
    assert_eq!(world.as_brand(Method::GET, &path, None).await.status, 403, "no longer");
    let shown = world.as_brand(Method::GET, &format!("/grants/{}", text(&grant["id"])), None).await;
    assert_eq!(shown.json()["status"], "ended");
    assert_eq!(world.events(&world.brand).await.last().unwrap(), "grant.ended");
}

#[db_test]
async fn a_revoked_grant_is_over_at_once_and_for_good(mut world: World) {
    let license = world.public().await;
    let grant = world.granted(&license, terms()).await;
    world.patch(&license, json!({ "status": "private" })).await;
    world.pass(days(31)).await;
    let path = format!("/grants/{}/revoke", text(&grant["id"]));
    let body = json!({ "reason": "The campaign broke the conditions" });
    let refused = world.as_brand(Method::POST, &path, Some(body.clone())).await;
    assert_eq!(refused.status, 403);
    let revoked = world.as_agency(Method::POST, &path, Some(body.clone())).await.json().clone();
    assert_eq!(revoked["status"], "revoked");
    assert_eq!(revoked["revoke_reason"], body["reason"]);
    assert_eq!(revoked["revoked_by"], "Feed");
    let grant = format!("/grants/{}", text(&grant["id"]));
    let held = world.as_brand(Method::GET, &grant, None).await.json().clone();
    assert_eq!(held["revoked_by"], "Agency of ada@example.com", "the licensor, not its people");
    let license = format!("/licenses/{license}");
    assert_eq!(world.as_brand(Method::GET, &license, None).await.status, 403);
    let again = world.as_agency(Method::POST, &path, Some(body)).await;
    assert_eq!(again.json()["error"]["message"], "The grant is already revoked");
    assert_eq!(world.events(&world.brand).await.last().unwrap(), "grant.revoked");
}

#[db_test]
async fn a_grant_of_others_is_not_there_to_revoke(world: World) {
    let grant = world.granted(&world.public().await, terms()).await;
    let path = format!("/grants/{}/revoke", text(&grant["id"]));
    for (email, kind) in [("eve@example.com", "Brand"), ("zoe@example.com", "Agency")] {
        let eve = Member::join(&world.app, email, Some(kind)).await;
        let body = Some(json!({ "reason": "Mine" }));
        let refused = eve.external(&world.app, Method::POST, &path, body).await;
        assert_eq!(refused.status, 404, "{kind}");
    }
}

#[db_test]
async fn a_grant_outlives_the_deletion_of_its_license(mut world: World) {
    let license = world.public().await;
    let grant = world.granted(&license, terms()).await;
    let path = format!("/org/license/{license}");
    let deleted = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert!(deleted.status.is_success());
    world.pass(days(31)).await;
    let path = format!("/grants/{}", text(&grant["id"]));
    let shown = world.as_brand(Method::GET, &path, None).await.json().clone();
    assert_eq!((&shown["status"], &shown["license"]["name"]), (&json!("active"), &json!("Winter")));
}

#[db_test]
async fn grants_are_listed_by_side_license_talent_and_end(world: World) {
    let one = world.public().await;
    let first = world.granted(&one, terms()).await;
    let other = world.public().await;
    let mut open = terms();
    open["ends_at"] = json!(null);
    let second = world.granted(&other, open).await;
    let list = |query: String| {
        let world = &world;
        async move {
            let path = format!("/grants?{query}");
            let found = world.as_brand(Method::GET, &path, None).await.json().clone();
            let rows = found["data"].as_array().unwrap().clone();
            let ids: Vec<_> = rows.iter().map(|it| it["id"].clone()).collect();
            assert_eq!(found["pagination"]["total"], ids.len());
            ids
        }
    };
    let (first, second) = (first["id"].clone(), second["id"].clone());
    assert_eq!(list(String::new()).await, [second.clone(), first.clone()]);
    assert_eq!(list("role=asker".into()).await, [second.clone(), first.clone()]);
    assert!(list("role=owner".into()).await.is_empty());
    assert_eq!(list(format!("license_id={one}")).await, std::slice::from_ref(&first));
    assert_eq!(list(format!("talent_id={}", world.talent)).await.len(), 2);
    assert_eq!(list("ends_before=2026-09-01T00:00:00Z".into()).await, [first]);
    assert_eq!(list("status=active".into()).await.len(), 0);
    let refused = world.as_brand(Method::GET, "/grants?status=over&role=me", None).await;
    let details = refused.json()["error"]["details"].as_object().unwrap().len();
    assert_eq!((refused.status.as_u16(), details), (400, 2));
}

#[db_test]
async fn a_permission_by_a_grant_ends_only_with_the_grant(mut world: World) {
    let license = world.public().await;
    let grant = world.granted(&license, terms()).await;
    world.pass(days(31)).await;
    world.agency.console =
        text(&world.app.sign_in(world.agency.email, PASSWORD).await["accessToken"]);
    let path = format!("/org/license/{license}/permissions");
    let list = world.agency.console(&world.app, Method::GET, &path, None).await.json().clone();
    let listed = &list["data"]["permissions"][0];
    assert_eq!((&listed["source"], &listed["role"]), (&json!("grant"), &json!("viewer")));
    assert_eq!(listed["permissionId"], grant["id"]);
    let path = format!("{path}/{}", text(&grant["id"]));
    let refused = world.agency.console(&world.app, Method::DELETE, &path, None).await;
    let message = "Grant GR-2026-000001 gives this permission; revoke the grant";
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["error"]["message"]),
        (409, &json!(message))
    );
}

#[db_test]
async fn the_parties_are_told_30_days_7_days_and_1_day_before_the_end(mut world: World) {
    let license = world.public().await;
    world.granted(&license, terms()).await;
    let ends = world.patch(&license, json!({ "expires_at": "2026-02-10T00:00:00Z" })).await;
    assert_eq!(ends.status, 200, "{}", ends.json());
    for _ in 0..250 {
        world.pass(days(1)).await;
    }
    let told = world.events(&world.brand).await;
    assert_eq!(told.iter().filter(|it| *it == "grant.expiring").count(), 3);
    assert_eq!(told.iter().filter(|it| *it == "license.expiring").count(), 0);
    let told = world.events(&world.agency).await;
    assert_eq!(told.iter().filter(|it| *it == "grant.expiring").count(), 3);
    assert_eq!(told.iter().filter(|it| *it == "license.expiring").count(), 3);
}
