//! Pictures that agree in their lattice or their logo, but show different things, are told apart.

use super::{Picture, Random};
use crate::{Finding, STRICT_SCORE, STRICT_SPREAD, Strength, WEAK_SCORE, compare};

fn shade(random: &mut Random) -> u8 {
    u8::try_from(random.below(256)).unwrap()
}

/// Squares of random shades, with dark lines between them.
fn mosaic(seed: u64) -> Picture {
    let mut random = Random(seed);
    let shades: Vec<u8> = (0..16 * 12).map(|_| shade(&mut random)).collect();
    Picture::new(480, 360, |x, y| match (x % 30, y % 30) {
        (..3, _) | (_, ..3) => 20,
        _ => shades[y / 30 * 16 + x / 30],
    })
}

/// Black and white squares with a mark in three corners, as in a QR code.
fn code(seed: u64) -> Picture {
    let mut random = Random(seed);
    let dark: Vec<bool> = (0..25 * 25).map(|_| random.below(2) == 0).collect();
    let ring = |x: usize, y: usize| matches!(x.abs_diff(3).max(y.abs_diff(3)), 0 | 1 | 3);
    Picture::new(33 * 14, 33 * 14, |x, y| {
        let (x, y) = ((x / 14).wrapping_sub(4), (y / 14).wrapping_sub(4));
        let is_dark = match (x, y) {
            (25.., _) | (_, 25..) => false,
            (..8, ..8) => x < 7 && y < 7 && ring(x, y),
            (17.., ..8) => x > 17 && y < 7 && ring(x - 18, y),
            (..8, 17..) => x < 7 && y > 17 && ring(x, y - 18),
            _ => dark[y * 25 + x],
        };
        if is_dark { 0 } else { 255 }
    })
}

/// A drawing with a logo over a part of it.
fn with_logo(number: u64) -> Picture {
    let logo = Picture::drawn(900, 480, 360).shrunk(2);
    Picture::drawn(number, 480, 360).with(&logo, 20, 20)
}

fn compared(picture: &Picture, reference: &Picture) -> Finding {
    compare(&picture.query(), false, &reference.described().reference).unwrap()
}

fn darker(picture: &Picture) -> Picture {
    Picture::new(picture.width, picture.height, |x, y| {
        let value = f32::from(picture.pixels[y * picture.width + x]) / 255.0;
        crate::number::byte(value.powf(1.8) * 160.0 + 20.0)
    })
}

#[test]
fn another_lattice_is_no_match() {
    let mut deceived = 0;
    for draw in [mosaic, code] {
        let reference = draw(1).described().reference;
        for seed in 2..10 {
            let Some(found) = compare(&draw(seed).query(), false, &reference) else { continue };
            assert_eq!(found.strength(), None, "{seed}: {found:?}");
            // The control: without its brightness, it would be one.
            let without = Finding { alike: Some(1.0), ..found };
            deceived += usize::from(without.strength().is_some());
        }
    }
    assert!(deceived >= 8, "{deceived}");
}

#[test]
fn a_copy_of_a_lattice_is_known() {
    for draw in [mosaic, code] {
        let picture = draw(3);
        let ground = Picture::new(picture.width * 2, picture.height * 2, |x, _| {
            u8::try_from(x % 200).unwrap()
        });
        for (change, copy) in [
            ("nothing", picture.clone()),
            ("darker", darker(&picture)),
            ("turned", picture.turned(15.0, 0.8)),
            ("smaller", picture.shrunk(2)),
            ("inside another", ground.with(&picture, 100, 60)),
        ] {
            let found = compared(&copy, &picture);
            assert_eq!(found.strength(), Some(Strength::Strong), "{change}: {found:?}");
        }
    }
}

#[test]
fn a_logo_in_common_is_no_strong_match() {
    for number in 1..5 {
        let found = compared(&with_logo(number), &with_logo(number + 10));
        assert!(found.score >= STRICT_SCORE && found.spread >= STRICT_SPREAD, "{found:?}");
        assert_ne!(found.strength(), Some(Strength::Strong), "{found:?}");
        assert!(found.confidence() <= crate::confidence(WEAK_SCORE), "{found:?}");
        // The control: the same picture without the logo, and with it.
        let copy = compared(&with_logo(number), &Picture::drawn(number, 480, 360));
        assert_eq!(copy.strength(), Some(Strength::Strong), "{copy:?}");
    }
}

#[test]
fn brightness_is_compared_in_the_mirrored_picture() {
    let picture = mosaic(7);
    let reference = picture.described().reference;
    let found = compare(&picture.mirrored().query(), true, &reference).unwrap();
    assert!(found.mirrored && found.alike.is_some_and(|it| it > 0.95), "{found:?}");
    assert_eq!(found.strength(), Some(Strength::Strong));
}

#[test]
fn a_picture_that_is_plain_from_afar_is_known_by_its_details() {
    let mut random = Random(4);
    let mut texture = Picture::new(480, 480, |_, _| 128);
    for _ in 0..800 {
        let value = if random.below(2) == 0 { 118 } else { 138 };
        let side = 3 + random.below(4);
        let dot = Picture::new(side, side, |_, _| value);
        texture = texture.with(&dot, random.below(470), random.below(470));
    }
    let found = compared(&texture, &texture);
    assert_eq!((found.alike, found.strength()), (None, Some(Strength::Strong)), "{found:?}");
}
