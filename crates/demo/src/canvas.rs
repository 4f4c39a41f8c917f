//! A small canvas that paints antialiased shapes, in units of the image's width.

use std::ops::Range;

use ::image::RgbImage;
use grantor_domain::{Error, Result};

/// A color.
pub(super) type Color = [u8; 3];
/// A point, or the two radii of a shape: x and y, where the image is 1 wide.
pub(super) type Pair = (f32, f32);

/// A shape to paint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    form: Form,
    center: Pair,
    radii: Pair,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Ellipse,
    /// The part of an ellipse outside another one.
    Crescent(Pair, Pair),
    /// The outline of an ellipse, with its width.
    Ring(f32),
    /// A box with fully rounded corners.
    Bar,
}

/// An ellipse around a point.
pub(super) const fn ellipse(center: Pair, radii: Pair) -> Shape {
    Shape { form: Form::Ellipse, center, radii }
}

/// A box with rounded corners around a point; the radii are half its sides.
pub(super) const fn bar(center: Pair, radii: Pair) -> Shape {
    Shape { form: Form::Bar, center, radii }
}

impl Shape {
    /// This ellipse without the part that another one covers.
    pub(super) const fn without(self, center: Pair, radii: Pair) -> Self {
        Self { form: Form::Crescent(center, radii), ..self }
    }

    /// The outline of this ellipse.
    pub(super) const fn outline(self, width: f32) -> Self {
        Self { form: Form::Ring(width), ..self }
    }

    /// The approximate distance of a point from the shape; negative inside.
    fn distance(&self, point: Pair) -> f32 {
        let own = from_ellipse(point, self.center, self.radii);
        match self.form {
            Form::Ellipse => own,
            Form::Crescent(center, radii) => own.max(-from_ellipse(point, center, radii)),
            Form::Ring(width) => own.abs() - width / 2.0,
            Form::Bar => from_bar(point, self.center, self.radii),
        }
    }
}

fn from_ellipse(point: Pair, center: Pair, radii: Pair) -> f32 {
    let (x, y) = ((point.0 - center.0) / radii.0, (point.1 - center.1) / radii.1);
    (x.hypot(y) - 1.0) * radii.0.min(radii.1)
}

fn from_bar(point: Pair, center: Pair, radii: Pair) -> f32 {
    let round = radii.0.min(radii.1);
    let x = (point.0 - center.0).abs() - radii.0 + round;
    let y = (point.1 - center.1).abs() - radii.1 + round;
    x.max(0.0).hypot(y.max(0.0)) - round
}

/// An image being painted.
pub(super) struct Canvas {
    /// Row by row, from the top.
    pixels: Vec<Color>,
    width: u16,
    height: u16,
    /// Pixels per unit.
    scale: f32,
    /// The coordinates of the top left corner.
    corner: Pair,
}

impl Canvas {
    /// Creates a canvas of this size in pixels that shows `shown` units of width from `corner` on.
    pub(super) fn new((width, height): (u16, u16), shown: f32, corner: Pair) -> Self {
        let pixels = vec![[0; 3]; usize::from(width) * usize::from(height)];
        Self { pixels, width, height, scale: f32::from(width) / shown, corner }
    }

    /// Fills the canvas with a vertical gradient.
    pub(super) fn shade(&mut self, above: Color, below: Color) {
        let rows = self.pixels.chunks_exact_mut(usize::from(self.width));
        for (y, row) in (0_u16..).zip(rows) {
            row.fill(mix(above, below, f32::from(y) / f32::from(self.height)));
        }
    }

    /// Paints a shape with an opacity from 0 to 1.
    pub(super) fn paint(&mut self, shape: &Shape, color: Color, weight: f32) {
        let (reach_x, reach_y) = (shape.radii.0 + 0.02, shape.radii.1 + 0.02);
        let across = self.span(shape.center.0, reach_x, self.corner.0, self.width);
        let down = self.span(shape.center.1, reach_y, self.corner.1, self.height);
        for y in down {
            let start = usize::from(y) * usize::from(self.width);
            let below = self.corner.1 + (f32::from(y) + 0.5) / self.scale;
            for x in across.clone() {
                let point = (self.corner.0 + (f32::from(x) + 0.5) / self.scale, below);
                // Edges are antialiased over one pixel.
                let cover = (0.5 - shape.distance(point) * self.scale).clamp(0.0, 1.0) * weight;
                let pixel = &mut self.pixels[start + usize::from(x)];
                if cover >= 1.0 {
                    *pixel = color;
                } else if cover > 0.0 {
                    *pixel = mix(*pixel, color, cover);
                }
            }
        }
    }

    /// Returns the image.
    pub(super) fn finish(self) -> Result<RgbImage> {
        let (width, height) = (self.width.into(), self.height.into());
        RgbImage::from_raw(width, height, self.pixels.into_flattened())
            .ok_or_else(|| Error::internal("the canvas has the wrong number of pixels"))
    }

    fn span(&self, center: f32, reach: f32, corner: f32, most: u16) -> Range<u16> {
        let pixel = |unit: f32| whole((unit - corner) * self.scale).min(most);
        pixel(center - reach)..pixel(center + reach).saturating_add(1).min(most)
    }
}

/// Interpolates between two colors.
pub(super) fn mix(from: Color, to: Color, weight: f32) -> Color {
    std::array::from_fn(|at| {
        let (from, to) = (f32::from(from[at]), f32::from(to[at]));
        u8::try_from(whole((to - from).mul_add(weight, from) + 0.5)).unwrap_or(u8::MAX)
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "float casts saturate, as intended"
)]
fn whole(value: f32) -> u16 {
    value as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Color = [0; 3];
    const WHITE: Color = [255; 3];

    fn at(shape: &Shape, x: u32, y: u32) -> u8 {
        let mut canvas = Canvas::new((100, 100), 1.0, (0.0, 0.0));
        canvas.paint(shape, WHITE, 1.0);
        canvas.finish().unwrap().get_pixel(x, y).0[0]
    }

    #[test]
    fn shapes_cover_what_they_should() {
        let disc = ellipse((0.5, 0.5), (0.3, 0.2));
        assert_eq!([at(&disc, 50, 50), at(&disc, 78, 50), at(&disc, 50, 75)], [255, 255, 0]);
        let moon = disc.without((0.5, 0.6), (0.3, 0.2));
        assert_eq!([at(&moon, 50, 33), at(&moon, 50, 50)], [255, 0]);
        let ring = disc.outline(0.04);
        assert_eq!([at(&ring, 50, 50), at(&ring, 79, 50)], [0, 255]);
        let line = bar((0.5, 0.5), (0.3, 0.05));
        assert_eq!([at(&line, 75, 50), at(&line, 50, 57), at(&line, 20, 45)], [255, 0, 0]);
    }

    #[test]
    fn a_shape_may_lie_beyond_the_edge() {
        assert_eq!(at(&ellipse((1.2, -0.3), (0.5, 0.5)), 99, 0), 255);
        assert_eq!(at(&ellipse((3.0, 3.0), (0.5, 0.5)), 99, 99), 0);
    }

    #[test]
    fn colors_mix() {
        assert_eq!(mix(BLACK, WHITE, 0.5), [128; 3]);
        assert_eq!((mix(BLACK, WHITE, 0.0), mix(BLACK, WHITE, 1.0)), (BLACK, WHITE));
    }
}
