//! Features: described places of a picture.

use crate::bits::{Bits, Projected, Projections};
use crate::describe::{Grid, Histogram, describe, mirrored};
use crate::detect::{Spot, spots};
use crate::number::whole;
use crate::orient::directions;
use crate::plane::{Plane, scaled};
use crate::pyramid::{STEPS, octaves};
use crate::select::select;
use crate::vocabulary::Vocabulary;

/// A place in a picture, in pixels of its working size.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// The blur at which it stands out most.
    pub(crate) size: f32,
    /// The direction in radians.
    pub(crate) turn: f32,
}

/// A described place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Feature {
    pub(crate) place: Place,
    pub(crate) bits: Bits,
}

/// What was found in a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Found {
    /// The working size.
    pub(crate) width: u16,
    pub(crate) height: u16,
    /// The brightness in this size.
    pub(crate) picture: Plane,
    /// The places with what surrounds them, best first.
    pub(crate) places: Vec<(Place, Histogram)>,
}

/// Finds up to `most` features. A picture whose size does not fit has none.
pub(crate) fn find(pixels: &[u8], width: usize, height: usize, most: usize) -> Found {
    if pixels.is_empty() || width.checked_mul(height) != Some(pixels.len()) {
        return Found::default();
    }
    let picture = scaled(pixels, width, height);
    let octaves = octaves(&picture);
    let chosen = select(spots(&octaves), &octaves, most);
    let grid = Grid::new();
    let mut places = Vec::with_capacity(most);
    for spot in chosen {
        if places.len() >= most {
            break;
        }
        let octave = &octaves[spot.octave];
        let level = &octave.levels[whole(spot.level).min(STEPS + 2)];
        for turn in directions(level, &spot) {
            places.push((place(&spot, octave.pixel, turn), describe(level, &spot, turn, &grid)));
        }
    }
    places.truncate(most);
    let side = |it: usize| u16::try_from(it).unwrap_or(u16::MAX);
    Found { width: side(picture.width), height: side(picture.height), picture, places }
}

impl Found {
    /// The features of the picture as it is, with their first projections.
    pub(crate) fn features(&self) -> Vec<(Feature, Projected)> {
        let feature = |(place, histogram): &(Place, Histogram)| Feature::of(*place, histogram);
        self.places.iter().map(feature).collect()
    }

    /// The features of the mirrored picture, in the same order.
    pub(crate) fn mirrored(&self) -> Vec<(Feature, Projected)> {
        let feature = |(place, histogram): &(Place, Histogram)| {
            Feature::of(place.mirrored(self.width), &mirrored(histogram))
        };
        self.places.iter().map(feature).collect()
    }
}

impl Feature {
    fn of(place: Place, histogram: &Histogram) -> (Self, Projected) {
        let projections = Projections::of(histogram);
        let bits = projections.bits(&Vocabulary::trained().mean);
        (Self { place, bits }, projections.first())
    }
}

impl Place {
    fn mirrored(self, width: u16) -> Self {
        let turn = std::f32::consts::PI - self.turn;
        Self { x: f32::from(width) - 1.0 - self.x, turn, ..self }
    }
}

fn place(spot: &Spot, pixel: f32, turn: f32) -> Place {
    Place { x: spot.x * pixel, y: spot.y * pixel, size: spot.blur() * pixel, turn }
}

/// The descriptions of a picture's features, to train a vocabulary with.
#[must_use]
pub fn descriptions(pixels: &[u8], width: usize, height: usize) -> Vec<Histogram> {
    let found = find(pixels, width, height, crate::reference::MOST_FEATURES);
    found.places.into_iter().map(|(_, histogram)| histogram).collect()
}
