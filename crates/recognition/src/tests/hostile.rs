//! Any picture is read in bounded time, and none is a fault.

use super::{Picture, Random};
use crate::{Described, MOST_ENTRIES, MOST_FEATURES, Query, compare};

#[test]
fn a_size_that_does_not_fit_has_no_features() {
    for (pixels, width, height) in
        [(&[][..], 0, 0), (&[1, 2, 3], 2, 2), (&[1], usize::MAX, 2), (&[1, 2], 0, 2)]
    {
        assert!(Described::of(pixels, width, height).reference.is_empty());
        assert!(Query::of(pixels, width, height).is_empty());
    }
}

#[test]
fn a_picture_with_little_in_it_is_plain() {
    for picture in [
        Picture::new(1, 1, |_, _| 7),
        Picture::new(1, 4_000, |_, y| u8::try_from(y % 251).unwrap()),
        Picture::new(4_000, 1, |x, _| u8::try_from(x % 251).unwrap()),
        Picture::new(300, 200, |_, _| 255),
        Picture::new(300, 200, |x, y| u8::try_from(x / 2 + y / 2).unwrap()),
        Picture::new(300, 200, |x, _| if x < 150 { 0 } else { 255 }),
    ] {
        let described = picture.described();
        assert!(described.reference.is_plain(), "{}", described.reference.len());
        let found = compare(&picture.query(), false, &described.reference);
        let score = found.map_or(0.0, |it| it.score);
        assert!(score < crate::WEAK_SCORE, "{score}");
    }
}

#[test]
fn a_picture_full_of_detail_has_a_bounded_number_of_features() {
    let mut random = Random(5);
    let noise: Vec<u8> = (0..600 * 500).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
    let noise = Picture { pixels: noise, width: 600, height: 500 };
    let squares = Picture::new(640, 640, |x, y| if (x / 9 + y / 9) % 2 == 0 { 0 } else { 255 });
    for picture in [noise, squares] {
        let (described, query) = (picture.described(), picture.query());
        assert!(
            described.reference.len() <= MOST_FEATURES && described.entries.len() <= MOST_ENTRIES
        );
        assert!(query.len() <= crate::query::MOST_FEATURES);
        assert!(described.reference.to_bytes().len() <= 16_000);
        let found = compare(&query, false, &described.reference);
        assert!(found.is_none_or(|it| it.score.is_finite() && it.outline.len() <= 8));
    }
}
