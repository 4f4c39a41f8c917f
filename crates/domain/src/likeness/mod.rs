//! Image recognition by perceptual hashes, which differ in only a few bits if two images look alike
//! (contract section 7). Images are decoded elsewhere; this module works on brightness values.
//!
//! `luma` represents an image, `hash` computes its hashes from the frequencies that `frequency`
//! finds in it, `uncrop` guesses the hashes of uncropped originals, and `index` finds similar hashes
//! among millions. What local features find beyond that (crate `recognition`) has a `placement`.

mod frequency;
mod hash;
mod index;
mod luma;
mod placement;
mod uncrop;

use serde::Serialize;

pub use hash::{Hashed, ImageHash, Region, VariantHashes, hash, orientations, variant_hashes};
pub use index::{HashList, HashQuery, NearHash};
pub use luma::Luma;
pub use placement::Placement;

/// The maximum distance of a strong match, in bits: PDQ's recommended value.
pub const STRICT_DISTANCE: u32 = 31;

/// The maximum distance of a weak match, which is left for a person to review.
pub const WEAK_DISTANCE: u32 = 47;

/// Images with a lower quality have too little detail to be distinguished from others.
pub const MIN_QUALITY: u8 = 50;

/// The average distance of two unrelated images.
const UNRELATED: u32 = 128;

/// The strength of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Within the strict distance.
    Strong,
    /// Within the weak distance only.
    Weak,
}

impl Strength {
    /// The strength for a distance; `None` if it is no match.
    #[must_use]
    pub const fn of(distance: u32) -> Option<Self> {
        if distance <= STRICT_DISTANCE {
            Some(Self::Strong)
        } else if distance <= WEAK_DISTANCE {
            Some(Self::Weak)
        } else {
            None
        }
    }
}

/// The confidence of a match from 0 to 1: the share of equal bits in excess of what is equal by
/// chance. It is 1 for the same image, 0.76 at the strict distance and about 0 for unrelated
/// images.
#[must_use]
pub fn confidence(distance: u32) -> f64 {
    1.0 - f64::from(distance.min(UNRELATED)) / f64::from(UNRELATED)
}

/// The local features of a reference image, as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocalFeatures {
    /// All features, for comparing.
    pub features: Vec<u8>,
    /// What an index knows of them.
    pub entries: Vec<u8>,
    /// The number of features.
    pub count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_has_a_strength_and_a_confidence() {
        let found = |it| (Strength::of(it), confidence(it));
        assert_eq!(found(0), (Some(Strength::Strong), 1.0));
        assert_eq!(found(STRICT_DISTANCE), (Some(Strength::Strong), 0.757_812_5));
        assert_eq!(found(STRICT_DISTANCE + 1), (Some(Strength::Weak), 0.75));
        assert_eq!(found(WEAK_DISTANCE).0, Some(Strength::Weak));
        assert_eq!([found(WEAK_DISTANCE + 1).0, found(256).0], [None, None]);
        assert!(confidence(256).abs() < f64::EPSILON);
    }
}
