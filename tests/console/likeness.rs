//! Reference images by what they look like: hashed when they come and gone when they go, and found
//! again in copies.

use std::path::PathBuf;
use std::time::Duration;

use ::image::imageops::{self, FilterType};
use ::image::{ImageFormat, Rgb, RgbImage};
use grantor_domain::ErrorKind;
use grantor_domain::id::LicenseId;
use grantor_domain::likeness::STRICT_DISTANCE;
use grantor_service::watching::likeness::{
    self, BackfillCursor, Likeness, LikenessMemory, hash_stored, see,
};
use grantor_testkit::db_test;
use uuid::Uuid;

use super::image::Studio;
use super::*;
use crate::picture::{photo, saved};

const HASHES: &str = "SELECT CASE WHEN hash IS NULL THEN 'none' ELSE 'some' END,
                        CAST(quality AS text) FROM image_hashes ORDER BY quality";

impl Studio {
    async fn hashes(&self) -> Vec<Vec<String>> {
        self.rows(HASHES).await
    }

    /// Adds a picture; gives its id.
    pub(super) async fn shelve(&self, picture: &RgbImage) -> Uuid {
        let added = self.add(&[&saved(picture, ImageFormat::Png)]).await;
        added["images"][0]["imageId"].as_str().unwrap().parse().unwrap()
    }

    pub(super) async fn take_off(&self, image: Uuid) {
        let path = format!("/v1.0.1/org/talent/license/{}/image/{image}", self.license);
        assert_eq!(self.home.send(Method::DELETE, &path, None).await.status, 204);
    }

    /// As if everything had been stored by a program that did not hash.
    /// As if the images had been stored before there were hashes and local features.
    async fn forget_hashes(&self) {
        for table in ["image_hashes", "image_features", "image_entries"] {
            seed::run(&self.app().database.options, format!("DELETE FROM {table}")).await;
        }
    }

    pub(super) fn object(&self, image: Uuid) -> PathBuf {
        self.app().object_folder().join("images").join(image.to_string())
    }

    pub(super) async fn find(&self, file: Vec<u8>) -> Vec<Likeness> {
        let seen = see(&self.app().app, file).await.unwrap().unwrap();
        likeness::find(&self.app().app, &seen).await.unwrap()
    }

    /// In the order of their ids.
    pub(super) async fn found(&self, picture: &RgbImage) -> Vec<Uuid> {
        let found = self.find(saved(picture, ImageFormat::Jpeg)).await;
        let mut found: Vec<Uuid> = found.iter().map(|it| it.image.as_uuid()).collect();
        found.sort_unstable();
        found
    }
}

#[db_test]
async fn a_hash_comes_and_goes_with_its_image(studio: Studio) {
    let first = studio.shelve(&photo(1)).await;
    studio.add(&[&saved(&photo(2), ImageFormat::WebP), &saved(&photo(3), ImageFormat::Jpeg)]).await;
    assert_eq!(studio.hashes().await, [["some", "100"]; 3]);
    studio.take_off(first).await;
    assert_eq!(studio.hashes().await.len(), 2);
    let path = format!("/v1.0.1/org/license/{}", studio.license);
    assert_eq!(studio.home.send(Method::DELETE, &path, None).await.status, 204);
    assert_eq!(studio.hashes().await.len(), 0);
}

#[db_test]
async fn images_stored_before_are_hashed_once(studio: Studio) {
    for number in 1..=3 {
        studio.shelve(&photo(number)).await;
    }
    studio.forget_hashes().await;
    let (app, mut place) = (&studio.app().app, BackfillCursor::default());
    assert_eq!(hash_stored(app, &mut place).await, Ok(3));
    assert_eq!(studio.hashes().await, [["some", "100"]; 3]);
    assert_eq!(studio.find(saved(&photo(2), ImageFormat::Png)).await[0].distance, Some(0));
    assert_eq!(hash_stored(app, &mut place).await, Ok(0));
    assert_eq!(
        hash_stored(app, &mut BackfillCursor::default()).await,
        Ok(0),
        "another node, or later"
    );
}

#[db_test]
async fn an_image_that_cannot_be_read_is_tried_once_and_stops_nobody(studio: Studio) {
    let (broken, lost) = (studio.shelve(&photo(1)).await, studio.shelve(&photo(2)).await);
    let whole = studio.shelve(&photo(3)).await;
    studio.forget_hashes().await;
    std::fs::write(studio.object(broken), "no picture").unwrap();
    std::fs::remove_file(studio.object(lost)).unwrap();
    let app = &studio.app().app;
    assert_eq!(hash_stored(app, &mut BackfillCursor::default()).await, Ok(3));
    assert_eq!(studio.hashes().await, [["none", "0"], ["none", "0"], ["some", "100"]]);
    assert_eq!(hash_stored(app, &mut BackfillCursor::default()).await, Ok(0));
    assert!(studio.found(&photo(1)).await.is_empty());
    assert_eq!(studio.found(&photo(3)).await, [whole]);
}

#[db_test]
async fn an_image_that_cannot_be_reached_is_tried_again(studio: Studio) {
    let image = studio.shelve(&photo(1)).await;
    studio.forget_hashes().await;
    let (object, aside) = (studio.object(image), studio.object(Uuid::nil()));
    std::fs::rename(&object, &aside).unwrap();
    std::fs::create_dir(&object).unwrap();
    let (app, mut place) = (&studio.app().app, BackfillCursor::default());
    let refused = hash_stored(app, &mut place).await.unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::Unavailable { .. }), "{refused}");
    assert_eq!(studio.hashes().await.len(), 0);
    std::fs::remove_dir(&object).unwrap();
    std::fs::rename(&aside, &object).unwrap();
    assert_eq!(hash_stored(app, &mut place).await, Ok(1));
    assert_eq!(studio.hashes().await, [["some", "100"]]);
}

#[db_test]
async fn a_copy_is_found_whatever_was_done_to_it(studio: Studio) {
    let (image, photo) = (studio.shelve(&photo(1)).await, photo(1));
    let (width, height) = photo.dimensions();
    let mut framed = RgbImage::from_pixel(width + 60, height + 60, Rgb([250, 250, 250]));
    imageops::replace(&mut framed, &photo, 30, 30);
    let license: Uuid = studio.license.parse().unwrap();
    let (jpeg, png, webp) = (ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP);
    for (name, copy, format) in [
        ("turned", imageops::rotate90(&photo), jpeg),
        ("on its head", imageops::rotate180(&photo), png),
        ("mirrored", imageops::flip_horizontal(&photo), webp),
        ("small", imageops::resize(&photo, width / 2, height / 2, FilterType::Triangle), jpeg),
        ("wide", imageops::resize(&photo, width * 2, height, FilterType::Triangle), jpeg),
        ("framed", framed, jpeg),
        ("cropped", imageops::crop_imm(&photo, 9, 6, width - 18, height - 12).to_image(), jpeg),
    ] {
        let found = studio.find(saved(&copy, format)).await;
        let near = found.iter().map(|it| (it.image.as_uuid(), it.license));
        assert_eq!(near.collect::<Vec<_>>(), [(image, LicenseId::from(license))], "{name}");
        let distance = found[0].distance.unwrap();
        assert!(distance <= STRICT_DISTANCE && found[0].strong, "{name}: {distance}");
    }
}

#[db_test]
async fn another_picture_is_not_found(studio: Studio) {
    studio.shelve(&photo(1)).await;
    for number in 2..7 {
        assert!(studio.found(&photo(number)).await.is_empty(), "{number}");
    }
}

#[db_test]
async fn what_changed_is_seen_at_the_next_look(studio: Studio) {
    assert!(studio.found(&photo(1)).await.is_empty());
    let (first, second) = (studio.shelve(&photo(1)).await, studio.shelve(&photo(1)).await);
    assert_eq!(studio.found(&photo(1)).await, [first.min(second), first.max(second)]);
    studio.take_off(first).await;
    assert_eq!(studio.found(&photo(1)).await, [second]);
}

/// The newest are read for each look: those with older timestamps may not be there yet.
#[db_test]
async fn what_is_not_new_is_kept_in_memory(studio: Studio) {
    let (first, second) = (studio.shelve(&photo(1)).await, studio.shelve(&photo(1)).await);
    let known = &studio.app().app.likenesses;
    assert_eq!((studio.found(&photo(1)).await.len(), known.len()), (2, 0));
    studio.app().clock.advance(Duration::from_mins(6));
    let third = studio.shelve(&photo(1)).await;
    assert_eq!((studio.found(&photo(1)).await.len(), known.len()), (3, 2));
    studio.take_off(first).await;
    studio.take_off(third).await;
    assert_eq!((studio.found(&photo(1)).await, known.len()), (vec![second], 1));
}

/// Room for two images: the third is read from the database.
struct Cramped(Studio);

impl Fixture for Cramped {
    async fn on(engine: Engine) -> Self {
        let memory = LikenessMemory { hashes: 2 * 48 + 47, ..LikenessMemory::default() };
        let config = TestConfig { likeness_memory: memory, ..TestConfig::default() };
        Self(Studio::of(Home::with_config(engine, config).await).await)
    }
}

#[db_test]
async fn what_has_no_room_in_memory_is_found_all_the_same(cramped: Cramped) {
    let studio = cramped.0;
    let mut images = Vec::new();
    for number in 1..=5 {
        images.push(studio.shelve(&photo(number)).await);
        studio.app().clock.advance(Duration::from_secs(1));
    }
    studio.app().clock.advance(Duration::from_mins(6));
    for (number, image) in (1..).zip(&images) {
        assert_eq!(studio.found(&photo(number)).await, [*image], "{number}");
        assert_eq!(studio.app().app.likenesses.len(), 2, "no more than there is room for");
    }
    studio.take_off(images[0]).await;
    assert!(studio.found(&photo(1)).await.is_empty());
    assert_eq!(studio.found(&photo(3)).await, [images[2]]);
}

#[db_test]
async fn what_nobody_looks_for_is_forgotten_in_time(studio: Studio) {
    let gone = studio.shelve(&photo(1)).await;
    studio.shelve(&photo(2)).await;
    let known = &studio.app().app.likenesses;
    assert!(known.is_empty());
    for (minutes, images) in [(6, 2), (300, 2), (61, 1)] {
        studio.app().clock.advance(Duration::from_mins(minutes));
        likeness::refresh(&studio.app().app).await.unwrap();
        assert_eq!(known.len(), images, "{minutes} minutes on");
        if minutes == 6 {
            studio.take_off(gone).await;
        }
    }
}

#[db_test]
async fn a_picture_with_nothing_in_it_is_like_no_other(studio: Studio) {
    let plain = RgbImage::from_pixel(300, 200, Rgb([90, 120, 150]));
    studio.shelve(&plain).await;
    let app = &studio.app().app;
    assert_eq!(see(app, saved(&plain, ImageFormat::Png)).await, Ok(None));
    studio.app().clock.advance(Duration::from_mins(6));
    likeness::refresh(app).await.unwrap();
    assert_eq!(
        (studio.hashes().await, app.likenesses.len()),
        (vec![vec!["some".into(), "0".into()]], 0)
    );
    let refused = see(app, b"<html>".to_vec()).await.unwrap_err();
    assert_eq!(refused.kind(), &ErrorKind::Validation);
}
