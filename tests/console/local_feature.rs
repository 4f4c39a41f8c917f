//! Reference images by their local features: described when they come or later, found in parts,
//! within the memory, and told at upload.

use std::time::Duration;

use ::image::{ImageFormat, Rgb, RgbImage};
use grantor_domain::Timestamp;
use grantor_service::watching::likeness::{
    self, DescribeCursor, LikenessMemory, Progress, describe_stored, progress, see,
};
use grantor_storage::migrate;
use grantor_testkit::db_test;
use uuid::Uuid;

use super::image::Studio;
use super::*;
use crate::picture::{self, middle, saved, scene, with_insets};

const FEATURES: &str = "SELECT CASE WHEN e.entries IS NULL THEN 'none' ELSE 'some' END,
                          CASE WHEN f.features IS NULL THEN 'none' ELSE 'some' END
                        FROM image_entries e
                        LEFT JOIN image_features f ON f.image_id = e.image_id ORDER BY 1, 2";

impl Studio {
    async fn features(&self) -> Vec<Vec<String>> {
        self.rows(FEATURES).await
    }

    /// As if everything had been stored by a program without features.
    async fn forget_features(&self) {
        let script = "DELETE FROM image_features; DELETE FROM image_entries";
        seed::run(&self.app().database.options, script.to_owned()).await;
    }

    async fn describe(&self) -> u64 {
        let mut cursor = DescribeCursor::default();
        describe_stored(&self.app().app, &mut cursor).await.unwrap()
    }
}

#[db_test]
async fn features_come_and_go_with_their_image(studio: Studio) {
    let first = studio.shelve(&scene(1)).await;
    studio.shelve(&scene(2)).await;
    assert_eq!(studio.features().await, [["some", "some"]; 2]);
    studio.take_off(first).await;
    assert_eq!(studio.features().await.len(), 1);
    assert!(studio.found(&middle(&scene(1))).await.is_empty());
}

#[db_test]
async fn images_stored_before_are_described(studio: Studio) {
    let mut images = Vec::new();
    for number in 1..=3 {
        images.push(studio.shelve(&scene(number)).await);
    }
    studio.forget_features().await;
    let (app, part) = (&studio.app().app, middle(&scene(2)));
    assert!(studio.found(&part).await.is_empty());
    assert_eq!(studio.found(&scene(2)).await, [images[1]], "hashes are there");
    assert_eq!(studio.describe().await, 3);
    assert_eq!(progress(&app.store).await, Ok(Progress { described: 3, images: 3 }));
    assert_eq!(studio.found(&part).await, [images[1]]);
    assert_eq!(studio.describe().await, 0);
    let outdated = "UPDATE image_entries SET version = 0, described_at = NULL, entries = NULL";
    seed::run(&studio.app().database.options, outdated.to_owned()).await;
    assert_eq!(progress(&app.store).await, Ok(Progress { described: 0, images: 3 }));
    assert_eq!(studio.describe().await, 3);
    assert_eq!(studio.features().await, [["some", "some"]; 3]);
}

#[db_test]
async fn an_image_that_cannot_be_read_is_described_once(studio: Studio) {
    let (broken, lost) = (studio.shelve(&scene(1)).await, studio.shelve(&scene(2)).await);
    studio.forget_features().await;
    std::fs::write(studio.object(broken), "no picture").unwrap();
    std::fs::remove_file(studio.object(lost)).unwrap();
    assert_eq!(studio.describe().await, 2);
    assert_eq!(studio.features().await, [["none", "none"]; 2]);
    assert_eq!(studio.describe().await, 0);
    assert!(studio.found(&middle(&scene(1))).await.is_empty());
}

/// Once, although the newest are listed for each look.
#[db_test]
async fn parts_are_found_while_their_image_is_new_and_later(studio: Studio) {
    let image = studio.shelve(&scene(1)).await;
    let (app, part) = (&studio.app().app, middle(&scene(1)));
    for _ in 0..2 {
        assert_eq!((studio.found(&part).await, app.likenesses.indexed()), (vec![image], 1));
        studio.app().clock.advance(Duration::from_mins(6));
    }
    assert!(studio.found(&scene(7)).await.is_empty());
    studio.take_off(image).await;
    assert!(studio.found(&part).await.is_empty());
    assert_eq!(app.likenesses.indexed(), 0, "noticed by the look");
}

/// A unit of work commits some time after the timestamp that it writes, on any node.
#[db_test]
async fn an_image_that_comes_late_is_found_on_other_nodes(studio: Studio) {
    let app = studio.app().another_node(2).await;
    studio.shelve(&scene(1)).await;
    likeness::refresh(&app).await.unwrap();
    studio.app().clock.advance(Duration::from_mins(2));
    let late = studio.shelve(&scene(2)).await;
    let earlier = format!(
        "UPDATE image_entries SET described_at = described_at - 180000000 WHERE image_id = {}",
        seed::id(&studio.app().database.options, &late.to_string())
    );
    seed::run(&studio.app().database.options, earlier).await;
    let seen = see(&app, saved(&middle(&scene(2)), ImageFormat::Png)).await.unwrap().unwrap();
    let found = likeness::find(&app, &seen).await.unwrap();
    assert_eq!(found.iter().map(|it| it.image.as_uuid()).collect::<Vec<_>>(), [late]);
    assert_eq!(app.likenesses.indexed(), 2);
}

/// Room for what is read first.
struct Cramped(Studio);

impl Fixture for Cramped {
    async fn on(engine: Engine) -> Self {
        let memory = LikenessMemory { features: 1, ..LikenessMemory::default() };
        let config = TestConfig { likeness_memory: memory, ..TestConfig::default() };
        Self(Studio::of(Home::with_config(engine, config).await).await)
    }
}

#[db_test]
async fn the_index_keeps_to_its_memory(cramped: Cramped) {
    let studio = cramped.0;
    let (app, clock) = (&studio.app().app, &studio.app().clock);
    let mut images: Vec<Uuid> = Vec::new();
    for number in 1..=2 {
        images.push(studio.shelve(&scene(number)).await);
        clock.advance(Duration::from_mins(6));
        likeness::refresh(app).await.unwrap();
        assert_eq!(app.likenesses.indexed(), 1, "after {number}");
    }
    assert_eq!(studio.found(&middle(&scene(1))).await, [images[0]]);
    assert!(studio.found(&middle(&scene(2))).await.is_empty());
    assert_eq!(studio.found(&scene(2)).await, [images[1]], "by its hash");
    images.push(studio.shelve(&scene(3)).await);
    assert!(studio.found(&middle(&scene(3))).await.is_empty());
    assert_eq!(studio.found(&scene(3)).await, [images[2]], "by its hash");
}

#[db_test]
async fn an_inset_on_a_plain_ground_is_found(studio: Studio) {
    let image = studio.shelve(&scene(1)).await;
    let ground = RgbImage::from_pixel(640, 480, Rgb([240; 3]));
    let inset = with_insets(ground, &[(&scene(1), 300, 200)]);
    let found = studio.find(saved(&inset, ImageFormat::Png)).await;
    assert_eq!(found.iter().map(|it| it.image.as_uuid()).collect::<Vec<_>>(), [image]);
}

/// What an upload says of pictures that are too plain or look like others.
#[db_test]
async fn hints_are_given_at_upload(studio: Studio) {
    let plain = RgbImage::from_pixel(300, 200, Rgb([90, 120, 150]));
    let [plain, one, part] = [plain, scene(1), middle(&scene(1))];
    let files = [&plain, &one, &part].map(|it| saved(it, ImageFormat::Png));
    let added = studio.add(&[&files[0], &files[1]]).await;
    let ids = |it: &Value, at: usize| it["images"][at]["imageId"].clone();
    let expected = json!([{
        "imageId": ids(&added, 0), "tooPlain": true, "recognized": "none", "features": 0,
        "leastFeatures": 60, "resembles": [],
    }]);
    assert_eq!(added["hints"], expected);
    let again = studio.add(&[&files[1], &files[2]]).await;
    let hints = again["hints"].as_array().unwrap();
    let like = |at: usize| hints[at]["resembles"][0].clone();
    let resembled = |image: Value, identical: bool| {
        json!({
            "imageId": image, "licenseId": studio.license, "licenseTitle": "Spring campaign",
            "identical": identical,
        })
    };
    assert_eq!(like(0), resembled(ids(&added, 1), true));
    assert_eq!(like(1)["identical"], false);
    let sources = [ids(&added, 1), ids(&again, 0)];
    assert!(sources.contains(&like(1)["imageId"]), "{again}");
}

/// Flat pictures are not recognized at all, soft ones only as a whole.
#[db_test]
async fn hints_say_what_is_recognized(studio: Studio) {
    let flat = |width, height| RgbImage::from_pixel(width, height, Rgb([90, 120, 150]));
    let soft = RgbImage::from_fn(300, 200, |x, y| {
        let (across, down) = (x.abs_diff(150).pow(2) / 180, y.abs_diff(100).pow(2) / 80);
        Rgb([u8::try_from(across + down).unwrap(); 3])
    });
    let files = [flat(300, 200), flat(1, 1), flat(600, 1), soft, scene(1)];
    let files = files.map(|it| saved(&it, ImageFormat::Png));
    let added = studio.add(&files.each_ref().map(Vec::as_slice)).await;
    let hints = added["hints"].as_array().unwrap().iter();
    let told: Vec<_> = hints.map(|it| (&it["imageId"], &it["recognized"])).collect();
    let expected = [(0, "none"), (1, "none"), (2, "none"), (3, "whole")];
    let expected = expected.map(|(at, part)| (&added["images"][at]["imageId"], json!(part)));
    assert_eq!(told, expected.each_ref().map(|(id, part)| (*id, part)));
}

/// A file of one color.
fn flat(red: u8) -> Vec<u8> {
    saved(&RgbImage::from_pixel(300, 200, Rgb([red, 120, 150])), ImageFormat::Png)
}

/// Nothing of a flat picture can be compared but its bytes.
#[db_test]
async fn the_same_file_is_named_however_plain(studio: Studio) {
    let [one, other] = [90, 91].map(flat);
    let first = studio.add(&[&one]).await;
    assert_eq!(first["hints"][0]["resembles"], json!([]));
    let again = studio.add(&[&other, &one]).await;
    let like = same_file(&first, &studio.license);
    let told = |at: usize| (&again["hints"][at]["recognized"], &again["hints"][at]["resembles"]);
    assert_eq!([told(0), told(1)], [(&json!("none"), &json!([])), (&json!("none"), &like)]);
}

/// What an upload says of a file that an earlier upload added to a license.
fn same_file(earlier: &Value, license: &str) -> Value {
    json!([{
        "imageId": earlier["images"][0]["imageId"], "licenseId": license,
        "licenseTitle": "Spring campaign", "identical": true,
    }])
}

/// In all licenses of its owner, and in none of anybody else.
#[db_test]
async fn the_same_plain_file_in_another_license_is_named(studio: Studio) {
    account(studio.app(), "eve@example.com", "Another Agency").await;
    let other_token = access(&studio.app().sign_in("eve@example.com", PASSWORD).await);
    let Studio { home: Home { app, token }, talent, license } = studio;
    let other = Studio::of(Home { app, token: other_token }).await;
    let (app, flat) = (other.app(), flat(90));
    other.add(&[&flat]).await;
    let first = picture::add(app, &token, &license, &[&flat]).await;
    assert_eq!(first["hints"][0]["resembles"], json!([]), "only somebody else has it");
    let second = picture::license(app, &token, &talent).await;
    let again = picture::add(app, &token, &second, &[&flat]).await;
    assert_eq!(again["hints"][0]["resembles"], same_file(&first, &license));
}

/// A node of the last release adds images without their owner.
#[db_test]
async fn the_same_file_from_an_older_node_is_named_after_a_start(studio: Studio) {
    let first = studio.add(&[&flat(90)]).await;
    let options = &studio.app().database.options;
    seed::run(options, "UPDATE images SET tenant_id = NULL".to_owned()).await;
    let started = migrate::run(&studio.app().app.store, Timestamp::from_secs(0)).await;
    assert_eq!(started, Ok(vec![]));
    let again = studio.add(&[&flat(90)]).await;
    assert_eq!(again["hints"][0]["resembles"], same_file(&first, &studio.license));
}

/// Whatever else looks alike.
#[db_test]
async fn the_same_file_is_named_first(studio: Studio) {
    let variant = |number: u32| {
        let mut picture = scene(1);
        picture.put_pixel(number, 0, Rgb([255, 0, 0]));
        saved(&picture, ImageFormat::Png)
    };
    let mut files: Vec<Vec<u8>> = (0..6).map(variant).collect();
    files.insert(3, saved(&scene(1), ImageFormat::Png));
    let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    let same = studio.add(&files).await["images"][3]["imageId"].clone();
    let again = studio.add(&[files[3]]).await;
    let resembled = again["hints"][0]["resembles"].as_array().unwrap();
    let identical: Vec<_> = resembled.iter().map(|it| it["identical"] == true).collect();
    assert_eq!((&resembled[0]["imageId"], identical), (&same, vec![true, false, false]));
}

/// Files that are no pictures, damaged, or odd go all the way, and nothing fails but with a reason.
#[db_test]
async fn no_picture_is_a_fault(studio: Studio) {
    studio.shelve(&scene(1)).await;
    let app = &studio.app().app;
    let whole = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];
    let whole = whole.map(|format| saved(&middle(&scene(1)), format));
    let flat = |width, height| saved(&RgbImage::new(width, height), ImageFormat::Png);
    let mut files =
        vec![vec![], b"no picture".to_vec(), flat(1, 1), flat(1, 5_000), flat(9_000, 2)];
    for file in &whole {
        files.extend((1..8).map(|part| file[..file.len() * part / 8].to_vec()));
        files.extend((1..12).map(|at| {
            let mut damaged = file.clone();
            let place = file.len() * at / 12;
            damaged[place] ^= 0x55;
            damaged
        }));
    }
    for (number, file) in files.into_iter().enumerate() {
        match see(app, file).await {
            Ok(Some(seen)) => drop(likeness::find(app, &seen).await.unwrap()),
            Ok(None) => {}
            Err(error) => assert!(error.is_refusal(), "{number}: {error}"),
        }
    }
    for file in whole {
        assert_eq!(studio.find(file).await.len(), 1);
    }
}
