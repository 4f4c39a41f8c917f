//! Drawn pictures and what is done to them.

mod alike;
mod find;
mod hostile;
mod index;
mod store;

use crate::{Described, Query};

/// A picture as brightness values.
#[derive(Clone)]
pub(crate) struct Picture {
    pub(crate) pixels: Vec<u8>,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Picture {
    pub(crate) fn new(width: usize, height: usize, value: impl Fn(usize, usize) -> u8) -> Self {
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = pixels.map(|(x, y)| value(x, y)).collect();
        Self { pixels, width, height }
    }

    /// Overlapping discs and boxes of many sizes, the same for each number.
    pub(crate) fn drawn(number: u64, width: usize, height: usize) -> Self {
        let mut random = Random(number * 7_919 + 3);
        let mut picture = Self::new(width, height, |x, y| u8::try_from((x + y) % 128).unwrap());
        for _ in 0..260 {
            let radius = 2 + random.below(6) * random.below(6);
            let (left, top) = (random.below(width), random.below(height));
            let (round, shade) = (random.below(2) == 0, u8::try_from(random.below(256)).unwrap());
            for y in top.saturating_sub(radius)..(top + radius).min(height) {
                for x in left.saturating_sub(radius)..(left + radius).min(width) {
                    let (across, down) = (x.abs_diff(left), y.abs_diff(top));
                    if !round || across * across + down * down < radius * radius {
                        picture.pixels[y * width + x] = shade;
                    }
                }
            }
        }
        picture
    }

    fn at(&self, x: f32, y: f32) -> u8 {
        let inside = x >= 0.0 && y >= 0.0;
        let (x, y) = (crate::number::whole(x), crate::number::whole(y));
        if inside && x < self.width && y < self.height {
            self.pixels[y * self.width + x]
        } else {
            255
        }
    }

    pub(crate) fn crop(&self, left: usize, top: usize, width: usize, height: usize) -> Self {
        Self::new(width, height, |x, y| self.pixels[(y + top) * self.width + x + left])
    }

    pub(crate) fn mirrored(&self) -> Self {
        let last = self.width - 1;
        Self::new(self.width, self.height, |x, y| self.pixels[y * self.width + last - x])
    }

    /// Turned clockwise around the center and scaled, on a canvas of the same size.
    pub(crate) fn turned(&self, degrees: f32, scale: f32) -> Self {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let real = crate::number::real;
        let (middle, center) = (real(self.width) / 2.0, real(self.height) / 2.0);
        Self::new(self.width, self.height, |x, y| {
            let (x, y) = ((real(x) - middle) / scale, (real(y) - center) / scale);
            self.at(cosine * x + sine * y + middle, cosine * y - sine * x + center)
        })
    }

    /// Smaller by a whole factor.
    pub(crate) fn shrunk(&self, factor: usize) -> Self {
        Self::new(self.width / factor, self.height / factor, |x, y| {
            let places = (0..factor).flat_map(|down| (0..factor).map(move |across| (across, down)));
            let sum: usize = places
                .map(|(across, down)| {
                    let at = (y * factor + down) * self.width + x * factor + across;
                    usize::from(self.pixels[at])
                })
                .sum();
            u8::try_from(sum / (factor * factor)).unwrap()
        })
    }

    /// With another picture over a part of it.
    pub(crate) fn with(mut self, other: &Self, left: usize, top: usize) -> Self {
        for (y, row) in other.pixels.chunks(other.width).enumerate() {
            self.pixels[(top + y) * self.width + left..][..other.width].copy_from_slice(row);
        }
        self
    }

    pub(crate) fn described(&self) -> Described {
        Described::of(&self.pixels, self.width, self.height)
    }

    pub(crate) fn query(&self) -> Query {
        Query::of(&self.pixels, self.width, self.height)
    }
}

/// Random numbers with a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}
