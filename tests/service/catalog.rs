//! One license as everybody sees it.

use std::time::Duration;

use grantor_domain::Error;
use grantor_domain::id::LicenseId;
use grantor_service::licensing::catalog;
use grantor_testkit::db_test;
use serde_json::json;

use super::UNKNOWN;
use crate::license::World;

#[db_test]
async fn only_what_is_public_is_shown(world: World) {
    let public = world.license(json!({ "status": "public", "name": "Open" })).await;
    let get = async |id: &str| {
        let id: LicenseId = id.parse().unwrap();
        catalog::get(&world.app.app, id).await.map(|it| it.license.title.as_str().to_owned())
    };
    assert_eq!(get(&public).await, Ok("Open".to_owned()));
    let ends = json!({ "status": "public", "expiresAt": "2026-01-01T00:01:00Z" });
    let ending = world.license(ends).await;
    assert!(get(&ending).await.is_ok());
    world.app.clock.advance(Duration::from_mins(2));
    let private = world.license(json!({ "status": "private" })).await;
    let draft = world.license(json!({ "status": "draft" })).await;
    for id in [&*ending, &*private, &*draft, UNKNOWN] {
        assert_eq!(get(id).await, Err(Error::not_found("License")), "{id}");
    }
}
