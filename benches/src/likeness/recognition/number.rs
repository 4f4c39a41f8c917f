//! Conversions between whole numbers and floats, and the interval of a share.

#[expect(clippy::cast_precision_loss, reason = "sides and counts are far below 2^24")]
pub(crate) fn real(value: u32) -> f32 {
    value as f32
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
pub(crate) fn count(value: usize) -> f64 {
    value as f64
}

/// The 95 % interval of a share, after Wilson. It takes all of them for independent.
pub(crate) fn interval(found: usize, all: usize) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (all, share) = (count(all.max(1)), count(found) / count(all.max(1)));
    let spread = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
    let middle = share + Z * Z / (2.0 * all);
    let scale = 1.0 + Z * Z / all;
    ((middle - spread).max(0.0) / scale, (middle + spread) / scale)
}

/// The whole part; 0 if negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
pub(crate) fn whole(value: f32) -> u32 {
    value as u32
}

/// The nearest byte.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
pub(crate) fn byte(value: f32) -> u8 {
    value.round() as u8
}
