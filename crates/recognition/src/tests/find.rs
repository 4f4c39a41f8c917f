//! Copies are found, and where they are; other pictures are not.

use super::Picture;
use crate::{Brightness, Finding, Index, Query, Strength, compare};

fn library() -> (Vec<crate::Described>, Index<usize>) {
    let described: Vec<_> = (0..12).map(|it| Picture::drawn(it, 480, 360).described()).collect();
    let mut index = Index::default();
    let entries: Vec<_> = described.iter().map(|it| it.entries.clone()).enumerate().collect();
    index.insert_all(&entries).unwrap();
    (described, index)
}

/// What is found in a picture, as a caller does it.
fn found(
    library: &(Vec<crate::Described>, Index<usize>),
    picture: &Picture,
) -> Vec<(usize, Finding)> {
    let query = picture.query();
    let candidates = library.1.search(&query, 10).unwrap().into_iter();
    let compared = candidates.filter_map(|it| {
        Some((it.key, compare(&query, it.mirrored, &library.0[it.key].reference)?))
    });
    compared.filter(|(_, it)| it.strength() == Some(Strength::Strong)).collect()
}

#[test]
fn a_changed_copy_is_known() {
    let library = library();
    let other = Picture::drawn(99, 480, 360);
    for number in 0..4 {
        let picture = Picture::drawn(number, 480, 360);
        for (change, copy) in [
            ("nothing", picture.clone()),
            ("cropped", picture.crop(100, 80, 260, 200)),
            ("turned", picture.turned(25.0, 1.0)),
            ("smaller", picture.shrunk(3)),
            ("mirrored", picture.mirrored()),
            ("inside another", other.clone().with(&picture.shrunk(2), 200, 100)),
            ("turned, smaller and mirrored", picture.turned(-50.0, 0.6).mirrored()),
        ] {
            let keys: Vec<_> = found(&library, &copy).into_iter().map(|(key, _)| key).collect();
            assert_eq!(keys, [usize::try_from(number).unwrap()], "{change}");
        }
    }
}

#[test]
fn all_pictures_of_a_collage_are_known() {
    let library = library();
    let mut collage = Picture::new(480, 360, |_, _| 200);
    for (number, (left, top)) in (3..).zip([(0, 0), (240, 0), (0, 180), (240, 180)]) {
        collage = collage.with(&Picture::drawn(number, 480, 360).shrunk(2), left, top);
    }
    let mut keys: Vec<_> = found(&library, &collage).into_iter().map(|(key, _)| key).collect();
    keys.sort_unstable();
    assert_eq!(keys, [3, 4, 5, 6]);
}

#[test]
fn another_picture_is_not_known() {
    let library = library();
    for number in 100..112 {
        assert_eq!(found(&library, &Picture::drawn(number, 480, 360)), []);
    }
}

#[test]
fn a_finding_says_where_and_how() {
    let reference = Picture::drawn(1, 480, 360).described().reference;
    let half = Picture::drawn(1, 480, 360).shrunk(2);
    let canvas = Picture::new(480, 360, |_, _| 128);
    let only =
        |picture: &Picture, mirrored| compare(&picture.query(), mirrored, &reference).unwrap();

    let inset = only(&canvas.clone().with(&half, 240, 90), false);
    near(&inset, [[500, 250], [1_000, 250], [1_000, 750], [500, 750]], 0.5, 0.0);
    let reversed = only(&canvas.with(&half.mirrored(), 240, 90), true);
    near(&reversed, [[1_000, 250], [500, 250], [500, 750], [1_000, 750]], 0.5, 0.0);
    let turned = only(&Picture::drawn(1, 480, 360).turned(30.0, 0.5), false);
    assert!(
        (turned.rotation - 30.0).abs() < 2.0 && (turned.scale - 0.5).abs() < 0.02,
        "{turned:?}"
    );
    let other = only(&Picture::drawn(1, 480, 360).turned(30.0, 0.5).mirrored(), true);
    assert!((other.rotation + 30.0).abs() < 2.0 && other.mirrored, "{other:?}");
    // Of a cropped copy, the whole picture shows the reference.
    let cropped = only(&Picture::drawn(1, 480, 360).crop(100, 80, 260, 200), false);
    near(&cropped, [[0, 0], [1_000, 0], [1_000, 1_000], [0, 1_000]], 480.0 / 260.0, 0.0);
}

/// The outline may begin at any corner.
fn near(finding: &Finding, corners: [[u16; 2]; 4], scale: f32, rotation: f32) {
    assert!((finding.scale / scale - 1.0).abs() < 0.03, "{finding:?}");
    assert!((finding.rotation - rotation).abs() < 2.0, "{finding:?}");
    let close = |one: &[u16; 2], other: &[u16; 2]| {
        one[0].abs_diff(other[0]) <= 15 && one[1].abs_diff(other[1]) <= 15
    };
    let outline = &finding.outline;
    assert!(corners.iter().all(|it| outline.iter().any(|own| close(own, it))), "{finding:?}");
    assert!(outline.iter().all(|own| corners.iter().any(|it| close(own, it))), "{finding:?}");
}

#[test]
fn what_was_found_is_left_out_of_the_next_search() {
    let (first, second) = (Picture::drawn(1, 480, 360), Picture::drawn(2, 480, 360));
    let collage = Picture::new(480, 180, |_, _| 200);
    let collage = collage.with(&first.shrunk(2), 0, 0).with(&second.shrunk(2), 240, 0);
    let query = collage.query();
    let strength = |query: &Query, of: &Picture| {
        compare(query, false, &of.described().reference).and_then(|it| it.strength())
    };
    let found = compare(&query, false, &first.described().reference).unwrap();
    let rest = query.outside(&found);
    assert!(rest.len() < query.len() && !rest.is_empty());
    assert_eq!(strength(&rest, &first), None);
    assert_eq!(strength(&rest, &second), Some(Strength::Strong));
    // A copy of all of a reference leaves nothing.
    let whole = compare(&first.query(), false, &first.described().reference).unwrap();
    assert!(first.query().outside(&whole).len() * 20 < first.query().len());
}

#[test]
fn a_picture_that_waits_is_known_as_well() {
    let picture = Picture::drawn(3, 900, 700);
    let waiting = Brightness::of(&picture.pixels, 900, 700);
    let found = compare(&waiting.query(), false, &picture.described().reference).unwrap();
    assert_eq!(found.strength(), Some(Strength::Strong));
    assert!(Brightness::of(&picture.pixels, 900, 701).query().is_empty());
}
