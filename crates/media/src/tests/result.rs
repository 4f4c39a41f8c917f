//! The prepared image, and the messages of refusals.

use grantor_domain::ErrorKind;

use super::*;

#[tokio::test]
async fn a_picture_comes_back_with_what_is_to_be_known_of_it() {
    let images = Images::new(2);
    for (kind, bytes) in each() {
        let prepared = images.prepare(bytes, &Waiter::default()).await.unwrap();
        assert_eq!((prepared.content_type, prepared.width, prepared.height), (kind, 60, 40));
        let sha256 = hex::encode(digest(&SHA256, &prepared.bytes).as_ref());
        assert_eq!(prepared.sha256, sha256);
        assert_eq!(sha256.len(), 64);
    }
}

#[test]
fn what_is_kept_needs_no_further_work() {
    for (kind, bytes) in each() {
        let once = prepare(bytes).unwrap();
        assert_eq!(prepare(once.bytes.clone()).unwrap(), once, "{kind:?}");
    }
}

#[test]
fn a_thumbnail_is_small_and_shows_the_same() {
    for (size, small) in [
        ((60, 40), (60, 40)),
        ((1500, 1000), (320, 213)),
        ((400, 1600), (80, 320)),
        ((2000, 1), (320, 1)),
    ] {
        for bytes in [jpeg(size.0, size.1), png(size.0, size.1), webp(size.0, size.1)] {
            let prepared = prepare(bytes).unwrap();
            assert_eq!((prepared.width, prepared.height), size);
            let thumbnail = pixels(&prepared.thumbnail);
            assert_eq!(thumbnail.dimensions(), small);
            if small.1 > 1 {
                let middle = thumbnail.get_pixel(small.0 * 3 / 4, small.1 * 3 / 4).0;
                assert!(middle[0].abs_diff(191) < 16 && middle[1].abs_diff(191) < 16, "{middle:?}");
                assert!(middle[2] < 16, "{middle:?}");
            }
        }
    }
}

#[test]
fn a_downscaled_copy_is_no_larger_than_asked_for() {
    for (size, copy, small) in [
        ((60, 40), (60, 40), (60, 40)),
        ((1024, 700), (1024, 700), (480, 328)),
        ((3000, 2000), (1024, 683), (480, 320)),
        ((700, 2100), (341, 1024), (160, 480)),
    ] {
        for bytes in [jpeg(size.0, size.1), png(size.0, size.1)] {
            let made = downscale(bytes, 1024, 480).unwrap();
            assert_eq!((made.width, made.height), copy, "{size:?}");
            assert_eq!(pixels(&made.bytes).dimensions(), copy, "{size:?}");
            assert_eq!(pixels(&made.thumbnail).dimensions(), small, "{size:?}");
            assert_eq!(made.sha256, hex::encode(digest(&SHA256, &made.bytes).as_ref()));
            let middle = pixels(&made.bytes).get_pixel(copy.0 * 3 / 4, copy.1 * 3 / 4).0;
            assert!(middle[0].abs_diff(191) < 16 && middle[1].abs_diff(191) < 16, "{middle:?}");
        }
    }
}

#[test]
fn a_downscaled_copy_of_what_takes_much_memory_is_smaller() {
    let made = downscale(webp(3000, 2000), 1024, 480).unwrap();
    let longer = made.width.max(made.height);
    assert!((640..1024).contains(&longer), "{longer}");
    assert_eq!(pixels(&made.bytes).dimensions(), (made.width, made.height));
    assert_eq!(pixels(&made.thumbnail).dimensions(), (480, 320));
}

#[test]
fn a_downscaled_copy_has_no_metadata() {
    let note = [b"Exif\0\0".as_slice(), &exif(6, "Ockham Park")].concat();
    let made = downscale(with_segments(&jpeg(1500, 1000), &[segment(0xe1, &note)]), 1024, 480);
    let made = made.unwrap();
    assert_eq!((made.width, made.height), (683, 1024), "the orientation is applied");
    assert!(!contains(&made.bytes, "Ockham") && !contains(&made.thumbnail, "Ockham"));
    assert!(downscale(b"<svg/>".to_vec(), 1024, 480).is_err());
}

#[test]
fn gray_deep_indexed_and_transparent_pictures_are_taken() {
    let gray = ::image::DynamicImage::from(gradient(60, 40));
    let mut clear = RgbaImage::new(60, 40);
    clear.put_pixel(0, 0, ::image::Rgba([255, 0, 0, 255]));
    for (image, formats) in [
        (::image::DynamicImage::from(gray.to_luma8()), &["jpeg", "png"][..]),
        (gray.to_luma_alpha8().into(), &["png"]),
        (gray.to_rgb16().into(), &["png"]),
        (gray.to_rgba16().into(), &["png"]),
        (clear.into(), &["png", "webp"]),
    ] {
        for format in formats {
            let mut bytes = std::io::Cursor::new(Vec::new());
            let format = ImageFormat::from_extension(format).unwrap();
            image.write_to(&mut bytes, format).unwrap();
            let prepared = prepare(bytes.into_inner()).unwrap();
            assert_eq!(pixels(&prepared.thumbnail).dimensions(), (60, 40));
        }
    }
    let indexed = prepare(indexed_png()).unwrap();
    let [red, .., alpha] = pixels(&indexed.thumbnail).get_pixel(20, 20).0;
    assert!(red > 240 && alpha == 255);
}

#[test]
fn what_one_sees_through_is_white_in_the_thumbnail() {
    let mut bytes = std::io::Cursor::new(Vec::new());
    RgbaImage::new(60, 40).write_to(&mut bytes, ImageFormat::Png).unwrap();
    let prepared = prepare(bytes.into_inner()).unwrap();
    assert!(pixels(&prepared.thumbnail).pixels().all(|pixel| pixel.0 == [255; 4]));
}

/// Red in a palette of two colors, one bit per pixel, interlaced.
fn indexed_png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, 64, 64);
    encoder.set_color(::png::ColorType::Indexed);
    encoder.set_depth(::png::BitDepth::One);
    encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[0; 64 * 8]).unwrap();
    writer.finish().unwrap();
    bytes
}

#[test]
fn a_refusal_names_the_field_and_what_is_wrong() {
    let mut wide = jpeg(60, 40);
    let frame = wide.windows(2).position(|it| it == [0xff, 0xc0]).unwrap();
    wide[frame + 5..frame + 9].copy_from_slice(&[0x27, 0x10, 0x27, 0x10]);
    let mut cut = png(60, 40);
    cut.truncate(cut.len() / 2);
    for (bytes, message) in [
        (vec![0; 10 * 1024 * 1024 + 1], "must be at most 10 MiB"),
        (b"<svg/>".to_vec(), "must be a JPEG, PNG or WebP image"),
        (cut, "is incomplete or damaged"),
        (wide, "is 10000 × 10000 pixels; the maximum is 50 megapixels and 20000 pixels per side"),
        (animated_png(), "is animated; only still images are accepted"),
    ] {
        let error = Error::from(prepare(bytes).unwrap_err());
        assert_eq!(error.kind(), &ErrorKind::Validation);
        assert_eq!(
            error.fields().iter().collect::<Vec<_>>(),
            [(&"images".to_owned(), &message.to_owned())]
        );
    }
}

pub(super) fn animated_png() -> Vec<u8> {
    with_chunks(&png(60, 40), &[png_chunk("acTL", &[0, 0, 0, 2, 0, 0, 0, 0])])
}

#[tokio::test]
async fn a_picture_whose_sender_left_before_its_turn_is_not_opened() {
    let (images, waiter) = (Images::new(1), Waiter::default());
    let broken = || b"no picture".to_vec();
    let opened = images.prepare(broken(), &waiter).await.unwrap_err();
    assert!(!matches!(opened.kind(), ErrorKind::Unavailable { .. }));
    assert!(waiter.leave());
    let left = images.prepare(broken(), &waiter).await.unwrap_err();
    assert!(matches!(left.kind(), ErrorKind::Unavailable { .. }));
}

/// The first ones in line are served when a slot is free; there is no place for more.
#[tokio::test]
async fn whoever_finds_the_line_full_is_told_at_once() {
    let images = Images::new(1);
    let slot = Arc::clone(&images.slots).acquire_owned().await.unwrap();
    let check = |wait: Duration| {
        let images = images.clone();
        tokio::spawn(async move { images.see_within(png(60, 40), wait).await })
    };
    let waiting: Vec<_> = (0..IN_LINE).map(|_| check(Duration::from_mins(1))).collect();
    while images.line.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    let refused = check(Duration::from_mins(1)).await.unwrap().unwrap_err();
    assert_eq!(refused.kind(), &ErrorKind::Unavailable { retry_after: RETRY_AFTER });
    drop(slot);
    for it in waiting {
        assert!(it.await.unwrap().is_ok());
    }
    assert_eq!(images.line.available_permits(), IN_LINE, "the line is empty again");
}

#[tokio::test]
async fn what_cannot_start_in_time_is_not_opened() {
    let images = Images::new(1);
    let slot = Arc::clone(&images.slots).acquire_owned().await.unwrap();
    let late = images.see_within(b"no picture".to_vec(), Duration::ZERO).await;
    assert!(matches!(late.unwrap_err().kind(), ErrorKind::Unavailable { .. }));
    assert_eq!(images.line.available_permits(), IN_LINE);
    drop(slot);
    let opened = images.see_within(b"no picture".to_vec(), Duration::from_mins(1)).await;
    assert_eq!(opened.unwrap_err().kind(), &ErrorKind::Validation);
}
