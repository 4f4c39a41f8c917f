//! Every version of a license is kept.

use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::json;

use crate::license::World;

#[db_test]
async fn versions_are_shown_to_the_owner_alone(world: World) {
    let license = world.shared(json!({})).await;
    let first = world.get(&format!("/licenses/{license}")).await.json().clone();
    world.patch(&license, json!({ "title": "Spring" })).await;
    let path = format!("/licenses/{license}/versions");
    let list = world.get(&path).await.json().clone();
    let titles = [&list["data"][0]["title"], &list["data"][1]["title"]];
    assert_eq!(titles, [&json!("Spring"), &json!("Winter")]);
    let who = json!({ "type": "client", "name": "Feed" });
    assert_eq!((&list["data"][0]["changed_by"], &list["pagination"]["total"]), (&who, &json!(2)));
    let old = world.get(&format!("/licenses/{license}?version=1")).await;
    assert_eq!(old.whole(), (200, first));
    assert_eq!(world.get(&format!("/licenses/{license}?version=3")).await.status, 404);
    let invalid = world.get(&format!("/licenses/{license}?version=0")).await;
    let message = "must be a whole number from 1 to 4294967295";
    assert_eq!(invalid.json()["error"]["details"]["version"], message);
    for path in [path, format!("/licenses/{license}?version=1")] {
        assert_eq!(world.as_brand(Method::GET, &path, None).await.status, 403);
    }
}

#[db_test]
async fn each_change_keeps_a_version_and_who_made_it(world: World) {
    let license = world.license(json!({})).await;
    world.patch(&license, json!({ "title": "Spring" })).await;
    world.patch(&license, json!({ "title": "Spring" })).await;
    world.patch(&license, json!({ "uses": ["voice"] })).await;
    let query = "SELECT CAST(version AS text), title, uses, actor_name FROM license_versions
        ORDER BY version";
    let rows = seed::rows(&world.app.database.options, query).await;
    let expected = [
        ["1", "Winter", "[]", "Ada Lovelace"],
        ["2", "Spring", "[]", "Feed"],
        ["3", "Spring", "[\"voice\"]", "Feed"],
    ];
    assert_eq!(rows, expected);
}
