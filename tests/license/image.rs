//! Reference images seen through a right that somebody was granted.

use grantor_testkit::db_test;
use http::Method;
use serde_json::{Value, json};

use super::{World, refusal, text};
use crate::picture::{self, fetch, png};

#[db_test]
async fn a_right_shows_the_images_while_it_lasts(world: World) {
    let id = world.license(json!({})).await;
    let added = picture::add(&world.app, &world.agency.console, &id, &[&png(4, 4)]).await;
    let image = &added["images"][0];
    let one = format!("/licenses/{id}?include_images=true&include_image_urls=true");
    let list = "/licenses?include_image_urls=true";
    let read = async |path: &str| world.brand.external(&world.app, Method::GET, path, None).await;
    for role in ["viewer", "trustee", "licensor"] {
        let granted = world.grant(&id, role).await.json();
        let shown = read(&one).await.json();
        let seen = &shown["reference_images"][0];
        let expected = json!({
            "id": image["imageId"], "content_type": "image/png", "width": 4, "height": 4,
            "bytes": image["bytes"], "sha256": image["sha256"], "created_at": image["createdAt"],
            "url": image["url"], "url_expires_at": image["urlExpiresAt"],
        });
        assert_eq!(*seen, expected, "{role}");
        let fetched = fetch(&world.app, seen["url"].as_str().unwrap()).await;
        assert_eq!(picture::sha256(&fetched.body), text(&image["sha256"]));
        let listed = read(list).await.json();
        assert_eq!(listed["data"][0]["image_urls"][0]["url"], image["url"]);

        let right = text(&granted["data"]["permissionId"]);
        let path = format!("/org/license/{id}/permissions/{right}");
        world.agency.console(&world.app, Method::DELETE, &path, None).await;
        assert_eq!(refusal(&read(&one).await), (403, "ACCESS_DENIED".to_owned()), "{role}");
        assert_eq!(read(list).await.json()["data"], Value::Array(vec![]), "{role}");
    }
}

#[db_test]
async fn the_images_of_a_draft_are_seen_by_whoever_it_is_shared_with(world: World) {
    let id = world.license(json!({ "status": "draft" })).await;
    let added = picture::add(&world.app, &world.agency.console, &id, &[&png(4, 4)]).await;
    let path = format!("/licenses/{id}?include_images=true&include_image_urls=true");
    let look = || world.brand.external(&world.app, Method::GET, &path, None);
    assert_eq!(refusal(&look().await), (403, "ACCESS_DENIED".to_owned()), "not shared yet");
    world.grant(&id, "viewer").await;
    let shown = look().await.json();
    assert_eq!(shown["reference_images"][0]["id"], added["images"][0]["imageId"]);
    let fetched = fetch(&world.app, shown["reference_images"][0]["url"].as_str().unwrap()).await;
    assert_eq!(picture::sha256(&fetched.body), text(&added["images"][0]["sha256"]));
}
