//! What became of a license, and what there is over a talent.

use std::time::Duration;

use grantor_domain::Error;
use grantor_domain::permission::PermissionRole;
use grantor_service::licensing::license;
use grantor_testkit::db_test;
use http::Method;
use serde_json::json;

use super::{UNKNOWN, caller, page};
use crate::license::{Member, World, text};

/// Actions in a license's history, and how many there are.
async fn actions(
    world: &World,
    who: &Member,
    id: &str,
) -> grantor_domain::Result<(Vec<String>, u64)> {
    let caller = caller(&world.app, who).await;
    let found = license::history(&world.app.app, &caller, id.parse().unwrap(), page(1, 3)).await?;
    Ok((found.items.into_iter().map(|it| it.action).collect(), found.total))
}

#[db_test]
async fn a_history_tells_of_changes_and_rights_newest_first(world: World) {
    let (id, other) = (world.license(json!({})).await, world.license(json!({})).await);
    let tick = || world.app.clock.advance(Duration::from_secs(1));
    tick();
    world.patch(&id, json!({ "status": "public" })).await;
    tick();
    let held = text(&world.grant(&id, "licensor").await.json()["data"]["permissionId"]);
    tick();
    // Somebody else's change is in the owner's log.
    let path = format!("/licenses/{id}");
    let body = Some(json!({ "title": "Autumn" }));
    assert_eq!(world.brand.external(&world.app, Method::PATCH, &path, body).await.status, 200);
    tick();
    let path = format!("/org/license/{id}/permissions/{held}");
    world.agency.console(&world.app, Method::DELETE, &path, None).await;
    let newest = ["permission.revoke", "license.update", "permission.grant"].map(str::to_owned);
    assert_eq!(actions(&world, &world.agency, &id).await, Ok((newest.to_vec(), 5)));
    let made = vec!["license.create".to_owned()];
    assert_eq!(actions(&world, &world.agency, &other).await, Ok((made, 1)));
}

#[db_test]
async fn who_does_not_see_a_license_does_not_see_its_history(world: World) {
    let id = world.license(json!({})).await;
    let unknown = Err(Error::not_found("License"));
    assert_eq!(actions(&world, &world.brand, &id).await, unknown);
    assert_eq!(actions(&world, &world.agency, UNKNOWN).await, unknown);
    world.grant(&id, "viewer").await;
    // The owner's log stays the owner's.
    assert_eq!(actions(&world, &world.brand, &id).await, Ok((vec![], 0)));
    let path = format!("/org/license/{id}");
    world.agency.console(&world.app, Method::DELETE, &path, None).await;
    assert_eq!(actions(&world, &world.agency, &id).await, unknown);
}

#[db_test]
async fn the_licenses_of_a_talent_are_listed_newest_first(world: World) {
    let mut ids = vec![];
    for _ in 0..3 {
        ids.push(world.license(json!({ "status": "draft" })).await);
    }
    let path = format!("/org/license/{}", ids[1]);
    world.agency.console(&world.app, Method::DELETE, &path, None).await;
    let (talent, app) = (world.talent.parse().unwrap(), &world.app.app);
    let agency = caller(&world.app, &world.agency).await;
    for (number, expected) in [(1, &ids[2]), (2, &ids[0])] {
        let found = license::of_talent(app, &agency, talent, page(number, 1)).await.unwrap();
        let [seen] = &found.items[..] else { panic!("{found:?}") };
        assert_eq!((&seen.shown.license.id.to_string(), found.total), (expected, 2));
        assert_eq!(seen.role, PermissionRole::Licensor);
    }
    let brand = caller(&world.app, &world.brand).await;
    let foreign = license::of_talent(app, &brand, talent, page(1, 1)).await;
    assert_eq!(foreign, Err(Error::not_found("Talent")));
}
