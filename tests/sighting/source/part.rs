//! Pictures in feeds that show a part of a reference image.

use std::time::Duration;

use grantor_service::watching::likeness::{DescribeCursor, describe_stored};
use grantor_testkit::listener::Script;
use grantor_testkit::{db_test, seed};
use image::ImageFormat;
use serde_json::{Value, json};

use super::{Watching, rss};
use crate::picture::{add, saved, scene};
use crate::sighting::part::altered;

impl Watching {
    /// Adds a reference image to the watched license.
    async fn add_scene(&self, number: u32) -> Value {
        let (app, token) = (&self.world().app, &self.world().agency.console);
        let file = saved(&scene(number), ImageFormat::Png);
        add(app, token, &self.license, &[&file]).await["images"][0]["imageId"].clone()
    }

    fn put_altered(&self, path: &str) {
        let picture = altered(path).unwrap();
        self.put(path, Script::ok(&saved(&picture, ImageFormat::Png)));
    }
}

#[db_test]
async fn a_part_is_known_in_what_is_scanned(site: Watching) {
    let image = site.add_scene(1).await;
    let paths = ["/crop.png", "/mirror.png", "/inset.png", "/collage.png", "/other.png"];
    let items: Vec<_> =
        paths.iter().map(|it| (it.trim_end_matches(".png"), "Nobody.", Some(*it))).collect();
    for it in &paths {
        site.put_altered(it);
    }
    site.put_text("/feed", &rss(&items));
    site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    let mut found = site.mentions().await;
    found.sort_by_key(|it| it["url"].to_string());
    let urls: Vec<_> = found.iter().map(|it| it["url"].clone()).collect();
    let expected = ["/collage", "/crop", "/inset", "/mirror"].map(|it| json!(site.site.url(it)));
    assert_eq!(urls, expected, "and not in the other picture");
    for mention in &found {
        let by = &mention["match"];
        assert_eq!((&by["method"], &by["term"]), (&json!("local_features"), &image), "{mention}");
        assert_eq!(by["placement"]["mirrored"], mention["url"] == site.site.url("/mirror"));
        assert!(by.get("distance").is_none(), "{mention}");
    }
    let kept = "SELECT CAST(count(*) AS text) FROM evidence
                WHERE match_method = 'local_features' AND placement IS NOT NULL
                  AND copy_sha256 IS NOT NULL";
    assert_eq!(site.rows(kept).await, [["4"]]);
}

/// The picture itself is not stored. It is fetched again for newer reference images, a few times a
/// day at most.
#[db_test]
async fn a_newer_reference_image_is_found_in_known_pictures(site: Watching) {
    let mentions = "SELECT CAST(count(*) AS text) FROM mentions";
    site.add_scene(5).await;
    site.put_text("/feed", &rss(&[("/1", "Nobody.", Some("/crop.png"))]));
    site.put_altered("/crop.png");
    let id = site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    site.advance(Duration::from_mins(2));
    site.add_scene(1).await;
    site.scan_now(&id).await;
    site.scan().await;
    assert_eq!((site.asked("/crop.png"), site.rows(mentions).await), (1, vec![vec!["0".into()]]));
    for _ in 0..2 {
        site.advance(Duration::from_hours(26));
        site.scan().await;
        let seen = (site.asked("/crop.png"), site.rows(mentions).await);
        assert_eq!(seen, (2, vec![vec!["1".into()]]), "once for both images");
    }
}

/// Images wait after an upgrade, for example. A picture that was fetched meanwhile is fetched once
/// more for all of them.
#[db_test]
async fn a_picture_is_searched_again_for_images_that_waited(site: Watching) {
    let mentions = "SELECT CAST(count(*) AS text) FROM mentions";
    site.add_scene(1).await;
    let wait = "DELETE FROM image_features;
                UPDATE image_entries SET version = 0, entries = NULL, described_at = NULL";
    seed::run(&site.world().app.database.options, wait.to_owned()).await;
    site.put_text("/feed", &rss(&[("/1", "Nobody.", Some("/crop.png"))]));
    site.put_altered("/crop.png");
    site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    assert_eq!((site.asked("/crop.png"), site.rows(mentions).await), (1, vec![vec!["0".into()]]));
    assert_eq!(describe_stored(site.app(), &mut DescribeCursor::default()).await, Ok(1));
    for _ in 0..2 {
        site.advance(Duration::from_hours(26));
        site.scan().await;
        let seen = (site.asked("/crop.png"), site.rows(mentions).await);
        assert_eq!(seen, (2, vec![vec!["1".into()]]));
    }
}

#[db_test]
async fn a_known_picture_that_is_not_available_is_tried_again(site: Watching) {
    site.add_scene(5).await;
    site.put_text("/feed", &rss(&[("/1", "Nobody.", Some("/crop.png"))]));
    site.put_altered("/crop.png");
    site.source(&site.site.url("/feed"), json!({})).await;
    site.scan().await;
    site.advance(Duration::from_mins(2));
    site.add_scene(1).await;
    site.put("/crop.png", Script::answer(500, b""));
    site.advance(Duration::from_hours(26));
    site.scan().await;
    site.put_altered("/crop.png");
    site.advance(Duration::from_hours(26));
    site.scan().await;
    let mentions = "SELECT CAST(count(*) AS text) FROM mentions";
    assert_eq!(site.rows(mentions).await, [["1"]]);
}
