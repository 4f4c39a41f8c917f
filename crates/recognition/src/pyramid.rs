//! The scale space of a picture: octaves of half the size each, and in each octave the picture in
//! several strengths of blur and the differences of neighboring ones.

use crate::blur::blur;
use crate::number::real;
use crate::plane::Plane;

/// Scales per octave at which features are found.
pub(crate) const STEPS: usize = 3;
/// The blur of the first level of each octave, in its pixels.
pub(crate) const FIRST_BLUR: f32 = 1.3;
/// The blur that a picture is assumed to have.
const GIVEN_BLUR: f32 = 0.5;
/// The smallest side of an octave.
const LEAST_SIDE: usize = 20;
/// The most octaves.
const OCTAVES: usize = 5;

/// The picture at one size.
pub(crate) struct Octave {
    /// The picture with growing blur.
    pub(crate) levels: Vec<Plane>,
    /// The differences of neighboring levels.
    pub(crate) differences: Vec<Plane>,
    /// The size of a pixel in those of the picture.
    pub(crate) pixel: f32,
}

/// The blur of a level, in pixels of its octave.
pub(crate) fn blur_of(level: f32) -> f32 {
    FIRST_BLUR * (level / real(STEPS)).exp2()
}

/// Builds the octaves of a picture, from the largest. A small picture may have none.
pub(crate) fn octaves(picture: &Plane) -> Vec<Octave> {
    let mut octaves: Vec<Octave> = Vec::new();
    let mut first = blur(picture, (FIRST_BLUR.powi(2) - GIVEN_BLUR.powi(2)).sqrt());
    let mut pixel = 1.0;
    while octaves.len() < OCTAVES && first.width.min(first.height) >= LEAST_SIDE {
        let mut levels = vec![first];
        for level in 1..STEPS + 3 {
            let (from, to) = (blur_of(real(level - 1)), blur_of(real(level)));
            levels.push(blur(&levels[level - 1], (to * to - from * from).sqrt()));
        }
        first = levels[STEPS].half();
        let differences = levels.windows(2).map(|pair| difference(&pair[0], &pair[1])).collect();
        octaves.push(Octave { levels, differences, pixel });
        pixel *= 2.0;
    }
    octaves
}

fn difference(from: &Plane, to: &Plane) -> Plane {
    let values = from.values.iter().zip(&to.values).map(|(from, to)| to - from).collect();
    Plane { values, width: from.width, height: from.height }
}
