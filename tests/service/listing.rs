//! Lists of licenses, shown whole.

use grantor_domain::license::{LicenseFilter, LicenseQuery, LicenseSort};
use grantor_domain::page::Order;
use grantor_domain::permission::PermissionRole;
use grantor_service::licensing::license;
use grantor_storage::license::reader::Reader;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::{caller, page};
use crate::license::World;

/// One that is listed and cannot be shown must not lend its role to the next.
#[db_test]
async fn each_license_is_shown_with_its_own_role(world: World) {
    let (older, newer) = (world.license(json!({})).await, world.license(json!({})).await);
    world.grant(&older, "viewer").await;
    world.grant(&newer, "trustee").await;
    let brand = caller(&world.app, &world.brand).await;
    let reader = Reader::Caller { tenant: brand.tenant, user: brand.user };
    let roles = async || {
        let query = LicenseQuery {
            page: page(1, 20),
            status: None,
            search: None,
            q: None,
            license_type: None,
            sort: LicenseSort::CreatedAt,
            order: Order::Desc,
            include_image_urls: false,
            filter: LicenseFilter::default(),
        };
        let listing = license::list_full(&world.app.app, reader, query).await;
        listing.unwrap().items.iter().map(|it| it.role).collect::<Vec<_>>()
    };
    assert_eq!(roles().await, [PermissionRole::Trustee, PermissionRole::Viewer]);
    let gone = "UPDATE licenses SET deleted_at = 1
        WHERE created_at = (SELECT max(created_at) FROM licenses)";
    seed::run(&world.app.database.options, gone.to_owned()).await;
    assert_eq!(roles().await, [PermissionRole::Viewer]);
}
