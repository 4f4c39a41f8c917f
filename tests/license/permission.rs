//! Rights on a license: given, listed, taken, each at once.

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use super::{World, page, refusal, text};

#[db_test]
async fn a_right_acts_at_once_both_ways(world: World) {
    let id = world.license(json!({})).await;
    let granted = world.grant(&id, "viewer").await;
    let permission = text(&granted.json()["data"]["permissionId"]);
    let data = json!({
        "permissionId": permission,
        "grantee": {
            "organizationId": world.brand.organization,
            "organizationName": "Brand of bea@example.com",
        },
        "role": "viewer",
        "status": "accepted",
        "source": "permission",
        "createdAt": "2026-01-01T00:00:01.000000Z",
    });
    assert_eq!((granted.status.as_u16(), granted.json()["data"].clone()), (201, data.clone()));
    let see = || world.brand.external(&world.app, Method::GET, "/licenses", None);
    assert_eq!(page(&see().await).1, 1);
    let path = format!("/org/license/{id}/permissions");
    let listed = world.agency.console(&world.app, Method::GET, &path, None).await.json();
    assert_eq!(listed["data"]["permissions"], json!([data]));
    assert_eq!(refusal(&world.grant(&id, "trustee").await), (409, "RESOURCE_EXISTS".to_owned()));
    let path = format!("{path}/{permission}");
    let revoke = || world.agency.console(&world.app, Method::DELETE, &path, None);
    assert_eq!(revoke().await.status, 204);
    assert_eq!(page(&see().await).1, 0);
    assert_eq!(refusal(&revoke().await), (404, "NOT_FOUND".to_owned()));
    let query = "SELECT type FROM events WHERE type LIKE 'permission.%' ORDER BY type";
    let told = seed::rows(&world.app.database.options, query).await.concat();
    assert_eq!(told, ["permission.granted", "permission.revoked"]);
}

#[db_test]
async fn a_draft_is_seen_by_whoever_it_is_shared_with_and_nobody_else(world: World) {
    let id = world.license(json!({ "status": "draft", "externalId": "D-1" })).await;
    let see = async |path: &str| world.brand.external(&world.app, Method::GET, path, None).await;
    let total = async |path: &str| page(&see(path).await).1;
    for role in ["viewer", "trustee", "licensor"] {
        assert_eq!((total("/licenses").await, total("/licenses?status=draft").await), (0, 0));
        assert_eq!(refusal(&see(&format!("/licenses/{id}")).await).0, 403, "{role}");
        assert_eq!(refusal(&see("/licenses/D-1").await).0, 404, "{role}");
        let right = text(&world.grant(&id, role).await.json()["data"]["permissionId"]);
        assert_eq!((total("/licenses").await, total("/licenses?status=draft").await), (1, 1));
        for name in [&id, "D-1"] {
            let shown = see(&format!("/licenses/{name}")).await.json();
            assert_eq!((&shown["status"], &shown["permission"]), (&json!("draft"), &json!(role)));
        }
        assert_eq!(see(&format!("/licenses/{id}/mentions")).await.status, 200, "{role}");
        let path = format!("/org/license/{id}/permissions/{right}");
        world.agency.console(&world.app, Method::DELETE, &path, None).await;
    }
    assert_eq!(world.app.get("/metadata").await.json()["pagination"]["total"], 0);
}

#[db_test]
async fn what_makes_no_sense_is_refused(world: World) {
    let id = world.license(json!({})).await;
    let own = json!({ "organizationId": world.agency.organization });
    let both = json!({ "organizationId": world.agency.organization, "userEmail": "a@b.example" });
    for (grantee, role, expected) in [
        (own, "viewer", (409, "RESOURCE_CONFLICT")),
        (both, "viewer", (400, "VALIDATION_ERROR")),
        (json!({}), "viewer", (400, "VALIDATION_ERROR")),
        (json!({ "userEmail": "nobody" }), "viewer", (400, "VALIDATION_ERROR")),
        (json!({ "userEmail": "bea@example.com" }), "owner", (400, "VALIDATION_ERROR")),
    ] {
        let (status, code) = refusal(&world.grant_to(&id, grantee.clone(), role).await);
        assert_eq!((status, code.as_str()), expected, "{grantee}");
    }
}

/// Oldest first: those by email address come before the one that was given last.
#[db_test]
async fn permissions_are_listed_page_by_page(world: World) {
    let id = world.license(json!({})).await;
    seed::permissions(&world.app.database.options, &id, 45).await;
    world.grant(&id, "viewer").await;
    let mut names = Vec::new();
    for (number, count) in [(1, 20), (2, 20), (3, 6), (4, 0)] {
        let path = format!("/org/license/{id}/permissions?limit=20&page={number}");
        let listed = world.agency.console(&world.app, Method::GET, &path, None).await.json();
        assert_eq!(listed["data"]["pagination"]["total"], 46, "page {number}");
        let rows = listed["data"]["permissions"].as_array().unwrap();
        assert_eq!(rows.len(), count, "page {number}");
        names.extend(rows.iter().map(|it| it["grantee"].clone()));
    }
    let expected: Vec<_> =
        (1..=45).map(|it| json!({ "userEmail": format!("p{it}@example.com") })).collect();
    assert_eq!(names[..45], expected);
    assert_eq!(names[45]["organizationId"], json!(world.brand.organization));
}
