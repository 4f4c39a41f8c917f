//! The direction of a gradient, without the slow and platform-dependent functions of the C library.

use std::f32::consts::{FRAC_PI_2, PI};

/// The angle of a vector from -π to π, to about 0.0002.
pub(crate) fn angle(x: f32, y: f32) -> f32 {
    let (wide, high) = (x.abs(), y.abs());
    let longer = wide.max(high);
    if longer <= 0.0 {
        return 0.0;
    }
    let ratio = wide.min(high) / longer;
    let square = ratio * ratio;
    let small =
        ((-0.046_496_475 * square + 0.159_314_22) * square - 0.327_622_76) * square * ratio + ratio;
    let first = if high > wide { FRAC_PI_2 - small } else { small };
    let upper = if x < 0.0 { PI - first } else { first };
    if y < 0.0 { -upper } else { upper }
}
