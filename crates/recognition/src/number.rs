//! Conversions between whole numbers and floats, in one place because each loses something.

/// A count or coordinate as a float. Exact for sides of images and counts of features.
#[expect(clippy::cast_precision_loss, reason = "sides and counts are far below 2^24")]
pub(crate) fn real(value: usize) -> f32 {
    value as f32
}

/// The largest whole number that is not above the value.
#[expect(clippy::cast_possible_truncation, reason = "a cast from a float saturates, as intended")]
pub(crate) fn floor(value: f32) -> isize {
    value.floor() as isize
}

/// The whole part; 0 if the value is negative or not a number. Faster than [`floor`].
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
pub(crate) fn part(value: f32) -> usize {
    value as usize
}

/// The nearest whole number; 0 if the value is negative or not a number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
pub(crate) fn whole(value: f32) -> usize {
    (value + 0.5) as usize
}

/// The nearest byte.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast from a float saturates, as intended"
)]
pub(crate) fn byte(value: f32) -> u8 {
    (value + 0.5) as u8
}
