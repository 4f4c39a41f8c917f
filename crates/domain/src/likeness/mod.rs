//! How pictures are known again: by perceptual hashes, which differ in few bits when two pictures
//! look alike (contract section 7). Decoding is not done here; what comes in is brightness.
//!
//! `luma` is the picture, `hash` makes its hashes, `uncrop` those of what it may have been cut from,
//! `index` finds what is near to one among millions.

mod hash;
mod index;
mod luma;
mod uncrop;

use serde::Serialize;

pub use hash::{Hashed, ImageHash, Seen, hash, orientations, see};
pub use index::{HashIndex, Look};
pub use luma::Luma;

/// Bits in which two pictures of the same may differ at most: PDQ's own figure.
pub const STRICT_DISTANCE: u32 = 31;

/// Bits in which two pictures may differ and still be shown to somebody who decides.
pub const WEAK_DISTANCE: u32 = 47;

/// A picture below it has too little in it to be told from others.
pub const MIN_QUALITY: u8 = 50;

/// Bits in which two pictures differ that have nothing to do with each other, on average.
const UNRELATED: u32 = 128;

/// How sure a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// Within the strict distance.
    Strong,
    /// Within the weak one only.
    Weak,
}

impl Strength {
    /// What a distance means; nothing when it means nothing.
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

/// How sure a match is, from 0 to 1: the share of bits that agree beyond what agrees by chance.
/// The same picture has 1, one at the strict distance 0.76, an unrelated one about 0.
#[must_use]
pub fn confidence(distance: u32) -> f64 {
    1.0 - f64::from(distance.min(UNRELATED)) / f64::from(UNRELATED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_has_a_strength_and_a_confidence() {
        let told = |it| (Strength::of(it), confidence(it));
        assert_eq!(told(0), (Some(Strength::Strong), 1.0));
        assert_eq!(told(STRICT_DISTANCE), (Some(Strength::Strong), 0.757_812_5));
        assert_eq!(told(STRICT_DISTANCE + 1), (Some(Strength::Weak), 0.75));
        assert_eq!(told(WEAK_DISTANCE).0, Some(Strength::Weak));
        assert_eq!([told(WEAK_DISTANCE + 1).0, told(256).0], [None, None]);
        assert!(confidence(256).abs() < f64::EPSILON);
    }
}
