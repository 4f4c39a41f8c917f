//! Pictures to look up.

use crate::bits::Projected;
use crate::entry::geometry;
use crate::feature::{Feature, find};
use crate::finding::Finding;
use crate::shade::Shades;
use crate::vocabulary::{PROBES, Vocabulary, Word};

/// The most features of a picture to look up. More than of a reference, because the copy may be only
/// a part of the picture.
pub(crate) const MOST_FEATURES: usize = 500;

/// The features of a picture to look up, as it is and mirrored.
#[derive(Clone, Debug, Default)]
pub struct Query {
    pub(crate) width: u16,
    pub(crate) height: u16,
    pub(crate) plain: Vec<Feature>,
    pub(crate) mirrored: Vec<Feature>,
    /// The brightness from afar.
    pub(crate) shades: Shades,
    /// What each feature may be in the index, the likeliest first, as it is and mirrored.
    pub(crate) probes: [Vec<[Probe; PROBES]>; 2],
}

/// A word of a feature with what its postings are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub(crate) word: Word,
    /// The direction, size and signature, as in an entry.
    pub(crate) rest: u64,
}

impl Query {
    /// Describes a picture by its brightness values, in rows from the top. A picture whose size does
    /// not fit has no features.
    #[must_use]
    pub fn of(pixels: &[u8], width: usize, height: usize) -> Self {
        let found = find(pixels, width, height, MOST_FEATURES);
        let (plain, reversed) = (found.features(), found.mirrored());
        let mut probes = [Vec::new(), Vec::new()];
        for ((own, other), (_, histogram)) in plain.iter().zip(&reversed).zip(&found.places) {
            let words = Vocabulary::trained().words(histogram);
            probes[0].push(Probe::all(words, own));
            probes[1].push(Probe::all(words.map(Word::mirrored), other));
        }
        let [plain, mirrored] =
            [plain, reversed].map(|it| it.into_iter().map(|(feature, _)| feature).collect());
        let shades = Shades::of_query(&found.picture);
        Self { width: found.width, height: found.height, plain, mirrored, shades, probes }
    }

    /// The number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.plain.len()
    }

    /// Whether there is no feature, so that nothing can be found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.plain.is_empty()
    }

    /// Without the features in the part of the picture that shows a reference, to find others.
    #[must_use]
    pub fn outside(&self, finding: &Finding) -> Self {
        let [width, height] = [self.width, self.height].map(|it| f32::from(it) / 1_000.0);
        let corners = finding.outline.iter();
        let outline: Vec<[f32; 2]> =
            corners.map(|[x, y]| [f32::from(*x) * width, f32::from(*y) * height]).collect();
        let places = self.plain.iter().map(|it| [it.place.x, it.place.y]);
        let kept: Vec<bool> = places.map(|it| !contains(&outline, it)).collect();
        Self {
            width: self.width,
            height: self.height,
            plain: only(&self.plain, &kept),
            mirrored: only(&self.mirrored, &kept),
            shades: self.shades.clone(),
            probes: [only(&self.probes[0], &kept), only(&self.probes[1], &kept)],
        }
    }

    /// The features as they are, or mirrored.
    pub(crate) fn view(&self, mirrored: bool) -> &[Feature] {
        if mirrored { &self.mirrored } else { &self.plain }
    }
}

/// The values that are kept.
fn only<T: Copy>(values: &[T], kept: &[bool]) -> Vec<T> {
    values.iter().zip(kept).filter(|(_, kept)| **kept).map(|(value, _)| *value).collect()
}

/// Whether a place is within a shape: whether a line from it to the right crosses the shape's edges
/// an odd number of times.
fn contains(shape: &[[f32; 2]], [x, y]: [f32; 2]) -> bool {
    let next = shape.iter().cycle().skip(1);
    let crosses = |(one, two): &(&[f32; 2], &[f32; 2])| {
        (one[1] > y) != (two[1] > y)
            && x < one[0] + (two[0] - one[0]) * (y - one[1]) / (two[1] - one[1])
    };
    shape.iter().zip(next).filter(crosses).count() % 2 == 1
}

impl Probe {
    fn all(words: [Word; PROBES], (feature, projected): &(Feature, Projected)) -> [Self; PROBES] {
        let geometry = geometry(&feature.place);
        words.map(|word| {
            let signature = Vocabulary::trained().signature(projected, word);
            Self { word, rest: geometry | signature }
        })
    }
}
