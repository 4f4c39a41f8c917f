//! Pictures that wait to be looked up, in little memory.

use crate::number::byte;
use crate::plane::scaled;
use crate::query::Query;

/// The brightness values of a picture in the size in which features are searched: at most 256 KiB.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brightness {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
}

impl Brightness {
    /// Scales brightness values, in rows from the top. A picture whose size does not fit is empty.
    #[must_use]
    pub fn of(pixels: &[u8], width: usize, height: usize) -> Self {
        if pixels.is_empty() || width.checked_mul(height) != Some(pixels.len()) {
            return Self::default();
        }
        let plane = scaled(pixels, width, height);
        let pixels = plane.values.iter().map(|it| byte(*it)).collect();
        Self { pixels, width: plane.width, height: plane.height }
    }

    /// Describes the picture, to look it up.
    #[must_use]
    pub fn query(&self) -> Query {
        Query::of(&self.pixels, self.width, self.height)
    }
}
