//! Draws portraits of people who do not exist: sample data needs images, and must not show a real
//! person's face.

use std::io::Cursor;

use ::image::ImageFormat;
use grantor_domain::{Error, Result};

use super::canvas::{Canvas, Color, bar, ellipse, mix};

/// The appearance of a person.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The background gradient: top and bottom.
    pub(super) wall: [Color; 2],
    pub(super) skin: Color,
    pub(super) hair: Color,
    pub(super) clothes: Color,
    pub(super) cut: Cut,
    pub(super) beard: bool,
    pub(super) glasses: bool,
}

/// A hairstyle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    Short,
    Bob,
    Long,
    Round,
    Bun,
    Bald,
}

/// The framing of a portrait, with its file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// Head and shoulders, as a PNG.
    Bust,
    /// The face, as a JPEG.
    Face,
    /// A wide shot, as a WebP.
    Wide,
}

impl Framing {
    /// All framings, in the order of a license's images.
    pub(super) const ALL: [Self; 3] = [Self::Bust, Self::Face, Self::Wide];

    fn canvas(self) -> (Canvas, ImageFormat) {
        match self {
            Self::Bust => (Canvas::new((360, 450), 1.0, (0.0, 0.0)), ImageFormat::Png),
            Self::Face => (Canvas::new((360, 360), 0.68, (0.16, 0.22)), ImageFormat::Jpeg),
            Self::Wide => (Canvas::new((540, 360), 1.9, (-0.75, -0.02)), ImageFormat::WebP),
        }
    }
}

/// Draws a portrait as an image file.
pub(super) fn draw(look: &Look, framing: Framing) -> Result<Vec<u8>> {
    let (mut canvas, format) = framing.canvas();
    canvas.shade(look.wall[0], look.wall[1]);
    canvas.paint(&ellipse((0.5, 0.56), (0.41, 0.41)), WHITE, 0.22);
    canvas.paint(&ellipse((0.5, 0.56), (0.34, 0.34)), WHITE, 0.18);
    back_hair(&mut canvas, look);
    body(&mut canvas, look);
    head(&mut canvas, look);
    face(&mut canvas, look);
    front_hair(&mut canvas, look);
    if look.glasses {
        glasses(&mut canvas);
    }
    let mut file = Cursor::new(Vec::new());
    let written = canvas.finish()?.write_to(&mut file, format);
    written.map_err(|error| Error::internal(format!("cannot encode a portrait: {error}")))?;
    Ok(file.into_inner())
}

const WHITE: Color = [255; 3];
const INK: Color = [38, 30, 34];
const LIPS: Color = [168, 70, 72];

fn darker(color: Color) -> Color {
    mix(color, INK, 0.18)
}

/// The hair behind head and shoulders.
fn back_hair(canvas: &mut Canvas, look: &Look) {
    let shade = darker(look.hair);
    match look.cut {
        Cut::Long => {
            canvas.paint(&ellipse((0.5, 0.56), (0.225, 0.25)), shade, 1.0);
            canvas.paint(&bar((0.5, 0.80), (0.225, 0.28)), shade, 1.0);
        }
        Cut::Bob => canvas.paint(&bar((0.5, 0.575), (0.222, 0.265)), shade, 1.0),
        Cut::Round => canvas.paint(&ellipse((0.5, 0.47), (0.29, 0.27)), look.hair, 1.0),
        Cut::Bun => {
            canvas.paint(&ellipse((0.5, 0.29), (0.088, 0.08)), shade, 1.0);
            canvas.paint(&ellipse((0.5, 0.53), (0.186, 0.22)), shade, 1.0);
        }
        Cut::Short | Cut::Bald => {}
    }
}

fn body(canvas: &mut Canvas, look: &Look) {
    let (clothes, skin) = (look.clothes, look.skin);
    canvas.paint(&ellipse((0.5, 1.30), (0.40, 0.42)), clothes, 1.0);
    canvas.paint(&bar((0.5, 1.40), (0.40, 0.30)), clothes, 1.0);
    canvas.paint(&ellipse((0.5, 0.92), (0.135, 0.10)), darker(clothes), 1.0);
    canvas.paint(&ellipse((0.5, 0.905), (0.118, 0.085)), skin, 1.0);
    canvas.paint(&bar((0.5, 0.80), (0.072, 0.14)), skin, 1.0);
    // The chin's shadow on the neck.
    canvas.paint(&ellipse((0.5, 0.765), (0.072, 0.055)), darker(skin), 0.9);
}

fn head(canvas: &mut Canvas, look: &Look) {
    for side in [-1.0, 1.0] {
        let ear = ellipse((0.172_f32.mul_add(side, 0.5), 0.575), (0.026, 0.042));
        canvas.paint(&ear, darker(look.skin), 1.0);
    }
    canvas.paint(&ellipse((0.5, 0.555), (0.170, 0.215)), look.skin, 1.0);
    // Light comes from the left.
    let shadow = ellipse((0.5, 0.555), (0.170, 0.215)).without((0.44, 0.535), (0.185, 0.235));
    canvas.paint(&shadow, darker(look.skin), 0.55);
}

fn face(canvas: &mut Canvas, look: &Look) {
    if look.beard {
        let beard = ellipse((0.5, 0.60), (0.172, 0.178)).without((0.5, 0.545), (0.185, 0.135));
        canvas.paint(&beard, look.hair, 0.95);
        canvas.paint(&bar((0.5, 0.662), (0.06, 0.012)), look.hair, 0.95);
    }
    for side in [-1.0_f32, 1.0] {
        let x = 0.068_f32.mul_add(side, 0.5);
        canvas.paint(&bar((x, 0.505), (0.034, 0.0075)), mix(look.hair, INK, 0.4), 0.9);
        canvas.paint(&ellipse((x, 0.550), (0.026, 0.0155)), WHITE, 0.95);
        canvas.paint(&ellipse((x, 0.550), (0.0135, 0.0150)), INK, 1.0);
        canvas.paint(&ellipse((x - 0.004, 0.545), (0.004, 0.004)), WHITE, 0.9);
        let cheek = ellipse((0.095_f32.mul_add(side, 0.5), 0.632), (0.034, 0.022));
        canvas.paint(&cheek, LIPS, 0.16);
    }
    let nose = ellipse((0.5, 0.622), (0.026, 0.017)).without((0.5, 0.612), (0.03, 0.017));
    canvas.paint(&nose, mix(look.skin, INK, 0.35), 0.9);
    let smile = ellipse((0.5, 0.680), (0.056, 0.032)).without((0.5, 0.664), (0.066, 0.030));
    canvas.paint(&smile, LIPS, 0.95);
}

/// The hair over the forehead.
fn front_hair(canvas: &mut Canvas, look: &Look) {
    let cap = ellipse((0.5, 0.525), (0.186, 0.215));
    let (center, radii) = match look.cut {
        Cut::Bald => return,
        Cut::Short => ((0.52, 0.66), (0.175, 0.22)),
        Cut::Round => ((0.5, 0.645), (0.172, 0.205)),
        Cut::Bob => ((0.5, 0.70), (0.178, 0.235)),
        Cut::Long => ((0.44, 0.665), (0.205, 0.235)),
        Cut::Bun => ((0.5, 0.655), (0.165, 0.225)),
    };
    canvas.paint(&cap.without(center, radii), look.hair, 1.0);
    // A highlight, so that it does not look like a helmet.
    let sheen = ellipse((0.455, 0.385), (0.085, 0.030)).without((0.46, 0.402), (0.10, 0.030));
    canvas.paint(&sheen, WHITE, 0.20);
}

fn glasses(canvas: &mut Canvas) {
    for side in [-1.0_f32, 1.0] {
        let lens = ellipse((0.070_f32.mul_add(side, 0.5), 0.552), (0.050, 0.043));
        canvas.paint(&lens, WHITE, 0.12);
        canvas.paint(&lens.outline(0.008), INK, 0.95);
        canvas.paint(&bar((0.144_f32.mul_add(side, 0.5), 0.545), (0.027, 0.004)), INK, 0.95);
    }
    canvas.paint(&bar((0.5, 0.545), (0.022, 0.004)), INK, 0.95);
}

#[cfg(test)]
mod tests {
    use grantor_domain::likeness::{self, Luma};

    use super::super::people::{SELF_MANAGED, TALENTS};
    use super::*;

    #[test]
    fn no_two_portraits_are_the_same_picture() {
        let looks = TALENTS.iter().map(|it| it.look).chain([SELF_MANAGED.look]);
        let draw_all = |look: Look| Framing::ALL.map(|it| draw(&look, it).unwrap());
        let mut files: Vec<_> = looks.flat_map(draw_all).collect();
        let count = files.len();
        files.sort();
        files.dedup();
        assert_eq!((files.len(), count), (27, 27));
        assert!(files.iter().all(|it| it.len() > 2_000 && it.len() < 400_000));
    }

    #[test]
    fn there_is_enough_in_a_portrait_to_know_it_again() {
        for look in TALENTS.iter().map(|it| it.look).chain([SELF_MANAGED.look]) {
            for framing in Framing::ALL {
                let file = draw(&look, framing).unwrap();
                let picture = ::image::load_from_memory(&file).unwrap().into_rgb8();
                let light: Vec<u8> = picture.pixels().map(|it| Luma::of_rgb(it.0)).collect();
                let luma = Luma::new(&light, picture.width(), picture.height()).unwrap();
                assert!(likeness::hash(luma).quality >= likeness::MIN_QUALITY);
            }
        }
    }

    #[test]
    fn each_framing_has_a_format_of_its_own() {
        let kinds = Framing::ALL.map(|it| {
            let file = draw(&TALENTS[0].look, it).unwrap();
            ::image::guess_format(&file).unwrap()
        });
        assert_eq!(kinds, [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP]);
    }
}
