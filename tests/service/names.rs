//! Names that texts are searched for: found as soon as they are stored, whether their keys are
//! written or not, and with as much memory as there is.

use grantor_service::watching::talent_names::{TalentNames, mark_outdated, settle};
use grantor_storage::name_key;
use grantor_testkit::{db_test, seed};
use http::Method;
use serde_json::{Value, json};

use crate::license::text;
use crate::sighting::Watch;

/// What is in the index: names with keys, and talents without.
async fn rows(watch: &Watch) -> [String; 2] {
    let counts = "SELECT CAST((SELECT count(*) FROM name_keys) AS text),
                    CAST((SELECT count(*) FROM name_stale) AS text)";
    let rows = seed::rows(&watch.world.app.database.options, counts).await;
    [rows[0][0].clone(), rows[0][1].clone()]
}

/// Whose name a text has, by the terms of its mentions.
async fn named(watch: &Watch, said: &str) -> Vec<String> {
    let place: u32 = said.bytes().map(u32::from).sum();
    let mentions = watch.say(&format!("https://wire.example/{place}"), said).await;
    mentions.iter().map(|it| text(&it["match"]["term"])).collect()
}

async fn rename(watch: &Watch, body: Value) {
    let (world, path) = (&watch.world, format!("/talent/{}", watch.world.talent));
    let changed = world.agency.console(&world.app, Method::PATCH, &path, Some(body)).await;
    assert_eq!(changed.status, 200, "{}", changed.json());
}

#[db_test]
async fn a_name_is_found_before_and_after_its_keys_are_written(watch: Watch) {
    watch.license(json!({})).await;
    let app = &watch.world.app.app;
    assert_eq!(rows(&watch).await, ["0", "1"]);
    assert_eq!(named(&watch, "On stage: GRACE hopper.").await, ["Grâce Hopper"]);
    assert_eq!(settle(app).await, Ok(1));
    assert_eq!(rows(&watch).await, ["2", "0"], "the name and the alias");
    assert_eq!(named(&watch, "On stage: Grace Hopper.").await, ["Grâce Hopper"]);
    assert_eq!(named(&watch, "She is amazing. Grace Hopping!").await, [""; 0]);
    assert_eq!(settle(app).await, Ok(0), "nothing is left");
}

#[db_test]
async fn a_changed_name_is_found_and_the_old_one_is_not(watch: Watch) {
    watch.license(json!({})).await;
    let app = &watch.world.app.app;
    settle(app).await.unwrap();
    for settled in [false, true] {
        let name = format!("Ada Love{settled}");
        rename(&watch, json!({ "fullname": name, "aliases": [] })).await;
        if settled {
            settle(app).await.unwrap();
        }
        assert_eq!(named(&watch, &format!("{name}, not Grace Hopper")).await, [name]);
    }
    assert_eq!(rows(&watch).await, ["1", "0"], "the keys of earlier names are gone");
}

/// Every node finds the names, whoever wrote the keys: its filter follows, and while it does not,
/// every word is looked up.
#[db_test]
async fn another_node_needs_no_names_in_memory(watch: Watch) {
    watch.license(json!({})).await;
    let app = &watch.world.app.app;
    settle(app).await.unwrap();
    let (one, other) = (TalentNames::new(0), TalentNames::new(1 << 20));
    assert_eq!(one.catch_up(&app.store, 0).await, Ok(false));
    assert_eq!((one.memory(), other.memory()), (0, 0));
    assert_eq!(other.catch_up(&app.store, 1).await, Ok(true));
    assert_eq!(other.memory(), 64 << 10, "the smallest filter");
    rename(&watch, json!({ "fullname": "Ada Lovelace" })).await;
    settle(app).await.unwrap();
    assert_eq!(named(&watch, "Ada Lovelace").await, ["Ada Lovelace"]);
}

/// A node of an earlier version does not mark what it changes. The next start of this one does.
#[db_test]
async fn what_an_earlier_version_wrote_is_found_after_a_start(watch: Watch) {
    watch.license(json!({})).await;
    let app = &watch.world.app.app;
    mark_outdated(app).await.unwrap();
    settle(app).await.unwrap();
    let options = &watch.world.app.database.options;
    let old = "UPDATE talents SET fullname = 'Ada Lovelace' WHERE fullname = 'Grâce Hopper'";
    seed::run(options, old.to_owned()).await;
    assert_eq!(named(&watch, "Ada Lovelace").await, [""; 0], "nobody was told");
    mark_outdated(app).await.unwrap();
    assert_eq!(named(&watch, "Ada Lovelace").await, ["Ada Lovelace"]);
    settle(app).await.unwrap();
    assert_eq!(named(&watch, "Ada Lovelace").await, ["Ada Lovelace"]);
    let stale = app.store.read(name_key::has_stale).await;
    assert!(!stale.unwrap());
}

/// More talents than are read at once, whose ids come before all others.
async fn crowd(watch: &Watch, count: u32) {
    let options = &watch.world.app.database.options;
    let tenant = seed::id(options, &watch.world.agency.organization);
    let row = |number: u32| {
        let id = seed::id(options, &format!("00000000-0000-0000-0000-{number:012x}"));
        format!("({id}, {tenant}, 'Talent Number{number}', '[]', '', '{{}}', 'active', 0, 1, 1)")
    };
    let rows: Vec<String> = (1..=count).map(row).collect();
    let script = format!(
        "INSERT INTO talents (talent_id, tenant_id, fullname, aliases, names_key, social_media,
           status, license_count, created_at, updated_at) VALUES {};
         INSERT INTO name_stale (talent_id, mark) SELECT talent_id, 1 FROM talents
         WHERE fullname LIKE 'Talent Number%'",
        rows.join(", ")
    );
    seed::run(options, script).await;
}

#[db_test]
async fn names_without_keys_are_read_page_by_page(watch: Watch) {
    watch.license(json!({})).await;
    crowd(&watch, 2_001).await;
    assert_eq!(named(&watch, "Grace Hopper and Talent Number7").await, ["Grâce Hopper"]);
}

/// An asynchronous failover loses what was written last, of which a node knows.
#[db_test]
async fn what_is_written_instead_of_lost_keys_is_found(watch: Watch) {
    watch.license(json!({})).await;
    let app = &watch.world.app.app;
    settle(app).await.unwrap();
    let lost = "DELETE FROM name_keys; DELETE FROM name_starts;
                DELETE FROM meta WHERE name = 'name_batch'";
    seed::run(&watch.world.app.database.options, lost.to_owned()).await;
    for name in ["Ada Lovelace", "Mary Somerville", "Hedy Lamarr", "Emmy Noether"] {
        watch.world.app.clock.advance(std::time::Duration::from_secs(1));
        rename(&watch, json!({ "fullname": name })).await;
        settle(app).await.unwrap();
        assert_eq!(named(&watch, name).await, [name]);
    }
}

#[db_test]
async fn two_nodes_write_every_key_once(watch: Watch) {
    watch.license(json!({})).await;
    crowd(&watch, 450).await;
    let (app, other) = (&watch.world.app.app, watch.world.app.another_node(9).await);
    let (one, two) = tokio::join!(settle(app), settle(&other));
    assert!(one.unwrap() + two.unwrap() >= 5, "100 at a time");
    assert_eq!(rows(&watch).await, ["452", "0"]);
    let batches = "SELECT DISTINCT CAST(batch AS text) FROM name_keys ORDER BY 1";
    let batches = seed::rows(&watch.world.app.database.options, batches).await;
    assert_eq!(batches.len(), 5, "each with a number of its own");
    for node in [app, &other] {
        assert_eq!(node.names.catch_up(&node.store, 1).await, Ok(true));
    }
    assert_eq!(named(&watch, "Grace Hopper and Talent Number7").await, ["Grâce Hopper"]);
}
