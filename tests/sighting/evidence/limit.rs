//! The storage of a plan, when several units of work write evidence at the same time.

use futures_util::future::join_all;
use grantor_testkit::{db_test, seed};
use serde_json::json;

use super::super::item;
use super::super::picture::Gallery;

/// The storage of the Free plan: 1 GiB.
const LIMIT: i64 = 1_073_741_824;
const AT_ONCE: usize = 12;

#[db_test]
async fn sightings_at_the_same_time_do_not_exceed_the_plan(gallery: Gallery) {
    gallery.push("/copy.jpg", "Look!").await;
    let bytes = "SELECT CAST(bytes AS text) FROM evidence";
    let size: i64 = gallery.rows(bytes).await[0][0].parse().unwrap();
    // There is room for the copies of three more.
    let nearly_full = format!("UPDATE tenant_usage SET image_bytes = {}", LIMIT - 3 * size);
    seed::run(&gallery.watch.world.app.database.options, nearly_full).await;
    let pushes = (0..AT_ONCE).map(|number| {
        let mut pushed = item(&format!("https://wire.example/race/{number}"), "Look!");
        pushed["imageUrl"] = json!(gallery.site.url("/copy.jpg"));
        gallery.watch.push(json!([pushed]))
    });
    for answer in join_all(pushes).await {
        assert_eq!(answer.status, 201, "{}", answer.json());
    }
    let kept = "SELECT coalesce(picture_missing, 'kept'), CAST(count(*) AS text),
           CAST(sum(bytes) AS text)
         FROM evidence WHERE content_url LIKE '%/race/%' GROUP BY 1 ORDER BY 1";
    let expected = [
        ["kept".to_owned(), "3".to_owned(), (3 * size).to_string()],
        ["plan_limit".to_owned(), (AT_ONCE - 3).to_string(), "0".to_owned()],
    ];
    assert_eq!(gallery.rows(kept).await, expected);
    assert_eq!(gallery.stored_bytes().await, LIMIT);
    let folder = gallery.watch.world.app.object_folder().join("evidence");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 4, "the other copies are deleted");
}
