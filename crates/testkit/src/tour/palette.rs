//! Smaller screenshots: a screen has few colors that matter, and a palette of them needs a third of
//! the bytes.

use std::collections::HashMap;
use std::io::Cursor;
use std::path::Path;

use color_quant::NeuQuant;
use png::{BitDepth, ColorType, Compression, Decoder, Encoder, Filter};

type Color = [u8; 3];

/// Colors kept exactly: surfaces and letters. The rest of the palette is for pictures.
const EXACT: usize = 128;
const PALETTE: usize = 256;

/// Rewrites a PNG file with a palette.
pub(crate) fn shrink(file: &Path) {
    let bytes = std::fs::read(file).expect("a picture");
    let (width, height, pixels) = decode(&bytes);
    let (palette, indices) = index(&pixels);
    let mut small = Vec::new();
    let mut encoder = Encoder::new(&mut small, width, height);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_palette(palette.concat());
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter);
    let mut writer = encoder.write_header().expect("a head");
    writer.write_image_data(&indices).expect("a body");
    writer.finish().expect("an end");
    // Keeps the original unless the result is smaller.
    if small.len() < bytes.len() {
        std::fs::write(file, small).expect("a smaller picture");
    }
}

fn decode(bytes: &[u8]) -> (u32, u32, Vec<Color>) {
    let mut reader = Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG file");
    let mut buffer = vec![0; reader.output_buffer_size().expect("a size that fits")];
    let frame = reader.next_frame(&mut buffer).expect("a whole picture");
    let samples = frame.color_type.samples();
    assert!(samples >= 3 && frame.bit_depth == BitDepth::Eight, "the browser writes RGB");
    let pixels = buffer.chunks_exact(samples).map(|it| [it[0], it[1], it[2]]).collect();
    (frame.width, frame.height, pixels)
}

/// A palette and each pixel's index in it.
fn index(pixels: &[Color]) -> (Vec<Color>, Vec<u8>) {
    let mut counts: HashMap<Color, usize> = HashMap::new();
    for pixel in pixels {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut colors: Vec<(Color, usize)> = counts.into_iter().collect();
    // By frequency, then by value, so that the same page gives the same file.
    colors.sort_unstable_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    let colors: Vec<Color> = colors.into_iter().map(|(color, _)| color).collect();
    let (palette, places) = if colors.len() <= PALETTE {
        (colors.clone(), colors.into_iter().zip(0..=u8::MAX).collect())
    } else {
        approximate(&colors)
    };
    let places: HashMap<Color, u8> = places;
    let indices = pixels.iter().map(|pixel| places[pixel]).collect();
    (palette, indices)
}

fn approximate(colors: &[Color]) -> (Vec<Color>, HashMap<Color, u8>) {
    let (exact, rest) = colors.split_at(EXACT);
    let opaque = |it: &Color| [it[0], it[1], it[2], u8::MAX];
    let samples: Vec<u8> = rest.iter().flat_map(opaque).collect();
    let learned = NeuQuant::new(1, PALETTE - EXACT, &samples);
    let mut palette = exact.to_vec();
    palette.extend(learned.color_map_rgb().chunks_exact(3).map(|it| [it[0], it[1], it[2]]));
    let near = |it: &Color| u8::try_from(EXACT + learned.index_of(&opaque(it)));
    let mut places: HashMap<Color, u8> = exact.iter().copied().zip(0..).collect();
    places.extend(rest.iter().map(|it| (*it, near(it).expect("a place in the palette"))));
    (palette, places)
}
