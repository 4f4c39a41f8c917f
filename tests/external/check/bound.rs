//! How many matches a check returns: what the caller cannot see takes no place of what they can.

use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::{by_image, by_name, check, found, no_grant, photo, pictured, png, upload};
use crate::license::World;
use crate::picture::{middle, scene};

/// More than a check returns.
const MANY: u32 = 501;
/// More than are compared by local features.
const CROWD: u32 = 30;
/// In 2026.
const NOW: i64 = 1_767_225_601_000_000;

#[db_test]
async fn names_that_the_caller_cannot_see_take_no_place(world: World) {
    let license = world.license(json!({ "status": "public" })).await;
    let options = &world.app.database.options;
    let tenant = seed::id(options, &world.agency.organization);
    let name = |number: u32| format!("Talent Number{number}");
    let row = |number: u32| {
        let id = seed::id(options, &format!("00000000-0000-0000-0000-{number:012x}"));
        let (name, key) = (name(number), name(number).to_lowercase());
        format!("({id}, {tenant}, '{name}', '[]', '{key}', '{{}}', 'active', 0, {NOW}, {NOW})")
    };
    let rows: Vec<String> = (1..=MANY).map(row).collect();
    let script = format!(
        "INSERT INTO talents (talent_id, tenant_id, fullname, aliases, names_key, social_media,
           status, license_count, created_at, updated_at) VALUES {};
         INSERT INTO name_stale (talent_id, mark) SELECT talent_id, 1 FROM talents
         WHERE fullname LIKE 'Talent Number%'",
        rows.join(", ")
    );
    seed::run(options, script).await;
    // All of them are surer than the alias, which is written in another way.
    let names: Vec<String> = (1..=MANY).map(name).collect();
    let text = format!("{}, amazing grace", names.join(", "));
    let mut expected = by_name(&world, &license, &no_grant(&license));
    (expected["term"], expected["confidence"]) = (json!("Amazing Grace"), json!(0.9));
    let seen = check(&world, &world.brand, json!({ "text": text })).await;
    assert_eq!(seen.whole(), found(&[expected]));
}

#[db_test]
async fn pictures_that_the_caller_cannot_see_take_no_place(world: World) {
    let license = pictured(&world, "public", &photo(1)).await;
    crowd(&world, MANY).await;
    let seen = upload(&world, &world.brand, &[], &[&png(&photo(1))]).await;
    assert_eq!(seen.whole(), found(&[by_image(&world, &license, &no_grant(&license))]));
}

#[db_test]
async fn parts_of_pictures_that_the_caller_cannot_see_take_no_place(world: World) {
    let license = pictured(&world, "public", &scene(1)).await;
    crowd(&world, CROWD).await;
    let copies = "INSERT INTO image_entries
                    SELECT i.image_id, e.version, e.feature_count, e.entries, e.described_at
                    FROM images i, image_entries e WHERE i.sha256 = 'sample';
                  INSERT INTO image_features SELECT i.image_id, f.features
                    FROM images i, image_features f WHERE i.sha256 = 'sample'";
    seed::run(&world.app.database.options, copies.to_owned()).await;
    let seen = upload(&world, &world.brand, &[], &[&png(&middle(&scene(1)))]).await.json();
    let matches = seen["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 1, "{seen}");
    assert_eq!(matches[0]["license_id"], license, "{seen}");
    assert_eq!(matches[0]["method"], "local_features", "{seen}");
}

/// Gives so many private licenses the one picture there is, by its hash, sorted before.
async fn crowd(world: &World, licenses: u32) {
    let options = &world.app.database.options;
    seed::public_licenses(options, licenses).await;
    let image = |number: u32| {
        let id = seed::id(options, &format!("00000000-0000-0000-0000-{number:012x}"));
        format!(
            "INSERT INTO images SELECT {id}, license_id, 'image/png', 1, 1, 9, 'sample', 1,
               tenant_id FROM licenses WHERE title = 'License {number}';"
        )
    };
    let mut script: String = (1..=licenses).map(image).collect();
    script += "INSERT INTO image_hashes
               SELECT i.image_id, h.hash, h.quality, h.hashed_at FROM images i, image_hashes h
               WHERE i.sha256 = 'sample';
               UPDATE licenses SET status = 'private' WHERE title LIKE 'License %';";
    seed::run(options, script).await;
}
