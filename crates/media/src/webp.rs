//! WebP: keeps only the chunks of the image in the RIFF file.

use std::io::Cursor;

use ::image::ImageDecoder as _;
use ::image::codecs::webp::WebPDecoder;

use super::draft::{Draft, on_white};
use super::limit::Size;
use super::{InvalidImage, Mode, Still, lossless, tail};

/// The transparency flag, the only one that is kept.
const ALPHA: u8 = 0x10;
const ANIMATION: u8 = 0x02;
/// A signature byte, 28 bits of width and height, and four more bits.
const LOSSLESS_HEADER: usize = 5;

/// Copies the chunks of the image, up to its end.
pub(super) fn strip(bytes: &[u8]) -> Result<Still, InvalidImage> {
    let mut stripped = Stripped::default();
    let mut rest = body(bytes).ok_or(InvalidImage::Damaged)?;
    while !rest.is_empty() {
        let (chunk, after) = Chunk::first(rest).ok_or(InvalidImage::Damaged)?;
        stripped.take(&chunk)?;
        rest = after;
    }
    stripped.finish()
}

pub(super) fn draft(still: &Still, mode: Mode, least: u16) -> Result<Draft, InvalidImage> {
    let mut pixels = Vec::new();
    let channels = decode(&still.bytes, still.size, &mut pixels)?;
    let mut draft = Draft::new(still.size, least);
    let row = still.size.width as usize * channels;
    pixels.chunks_exact(row).for_each(|row| draft.row(on_white(row, channels)));
    if mode == Mode::Store {
        for cut in tail::shortened(&still.bytes) {
            // If the image decodes without the end of a partition, extra data was there.
            if decode(&cut, still.size, &mut pixels).is_ok() {
                return Err(InvalidImage::Surplus);
            }
        }
    }
    Ok(draft)
}

/// Decodes into a buffer, which grows as needed, and returns the number of channels.
fn decode(bytes: &[u8], size: Size, pixels: &mut Vec<u8>) -> Result<usize, InvalidImage> {
    let damaged = |_| InvalidImage::Damaged;
    let decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    if decoder.dimensions() != (size.width, size.height) {
        return Err(InvalidImage::Damaged);
    }
    let channels = usize::from(decoder.color_type().channel_count());
    let length = usize::try_from(decoder.total_bytes()).map_err(|_| InvalidImage::Damaged)?;
    pixels.resize(length, 0);
    decoder.read_image(pixels).map_err(damaged)?;
    Ok(channels)
}

/// The chunks, of the length that the header declares.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.strip_prefix(b"RIFF")?.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    rest.get(..length)?.strip_prefix(b"WEBP")
}

struct Chunk<'a> {
    kind: &'a [u8; 4],
    data: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The first chunk and the rest.
    fn first(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (kind, rest) = bytes.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let data = rest.get(..length)?;
        // Chunks are padded to an even length; some encoders omit that at the end of the file.
        let after = rest.get(length + length % 2..).unwrap_or_default();
        Some((Self { kind, data }, after))
    }
}

#[derive(Default)]
struct Stripped {
    /// The chunks kept so far.
    kept: Vec<u8>,
    canvas: Option<Size>,
    transparent: bool,
    /// Memory for the prefix codes of lossless data.
    codes: u64,
    picture: Option<Picture>,
}

struct Picture {
    size: Size,
    lossless: bool,
}

impl Stripped {
    fn take(&mut self, chunk: &Chunk<'_>) -> Result<(), InvalidImage> {
        let fresh = self.picture.is_none();
        match chunk.kind {
            b"ANIM" | b"ANMF" => return Err(InvalidImage::Animated),
            b"VP8X" if self.kept.is_empty() => self.extended(chunk.data)?,
            b"ALPH" if fresh && self.transparent => self.alpha(chunk.data)?,
            b"VP8 " | b"VP8L" if fresh => {
                let lossless = chunk.kind == b"VP8L";
                let size =
                    if lossless { lossless_size(chunk.data) } else { lossy_size(chunk.data) };
                let (width, height) = size.ok_or(InvalidImage::Damaged)?;
                let size = Size::new(width, height)?;
                if lossless {
                    self.count_codes(chunk.data.get(LOSSLESS_HEADER..), size)?;
                }
                self.picture = Some(Picture { size, lossless });
                self.keep(*chunk.kind, chunk.data);
            }
            b"VP8X" | b"ALPH" | b"VP8 " | b"VP8L" => return Err(InvalidImage::Damaged),
            _ => {}
        }
        Ok(())
    }

    /// The header of an extended file. Only the size and the transparency flag are kept.
    fn extended(&mut self, data: &[u8]) -> Result<(), InvalidImage> {
        let [flags, _, _, _, w0, w1, w2, h0, h1, h2] = *data else {
            return Err(InvalidImage::Damaged);
        };
        if flags & ANIMATION != 0 {
            return Err(InvalidImage::Animated);
        }
        let width = u32::from_le_bytes([w0, w1, w2, 0]) + 1;
        let height = u32::from_le_bytes([h0, h1, h2, 0]) + 1;
        self.canvas = Some(Size::new(width, height)?);
        self.transparent = flags & ALPHA != 0;
        let kept = [flags & ALPHA, 0, 0, 0, w0, w1, w2, h0, h1, h2];
        self.keep(*b"VP8X", &kept);
        Ok(())
    }

    /// The alpha channel, uncompressed or as a lossless image without a header.
    fn alpha(&mut self, data: &[u8]) -> Result<(), InvalidImage> {
        if let (Some(size), [flags, codes @ ..]) = (self.canvas, data)
            && flags & 3 == 1
        {
            self.count_codes(Some(codes), size)?;
        }
        let data = match (self.canvas, data) {
            // Uncompressed: one byte per pixel after the flags.
            (Some(size), [flags, ..]) if flags & 3 != 1 => {
                let length = usize::try_from(size.pixels() + 1).ok();
                length.and_then(|it| data.get(..it)).ok_or(InvalidImage::Damaged)?
            }
            _ => data,
        };
        self.keep(*b"ALPH", data);
        Ok(())
    }

    fn count_codes(&mut self, data: Option<&[u8]>, size: Size) -> Result<(), InvalidImage> {
        let codes = data.and_then(|data| lossless::codes(data, size));
        self.codes += codes.ok_or(InvalidImage::Damaged)?;
        Ok(())
    }

    fn keep(&mut self, kind: [u8; 4], data: &[u8]) {
        let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
        self.kept.extend_from_slice(&kind);
        self.kept.extend_from_slice(&length.to_le_bytes());
        self.kept.extend_from_slice(data);
        self.kept.resize(self.kept.len().next_multiple_of(2), 0);
    }

    fn finish(self) -> Result<Still, InvalidImage> {
        let picture = self.picture.ok_or(InvalidImage::Damaged)?;
        if self.canvas.is_some_and(|canvas| canvas != picture.size) {
            return Err(InvalidImage::Damaged);
        }
        let length = u32::try_from(self.kept.len() + 4).map_err(|_| InvalidImage::TooLarge)?;
        let header = [b"RIFF".as_slice(), &length.to_le_bytes(), b"WEBP"].concat();
        // A shortened copy is decoded too: see `tail`.
        let copy = u64::from(length);
        Ok(Still {
            bytes: [header, self.kept].concat(),
            size: picture.size,
            working: self.codes
                + copy
                + picture.size.pixels() * half_bytes(picture.lossless, self.transparent) / 2,
        })
    }
}

/// The decoder's memory in half bytes per pixel, including its output.
fn half_bytes(lossless: bool, transparent: bool) -> u64 {
    match (lossless, transparent) {
        // Four bytes, three of them again, and three small transform images.
        (true, _) => 16,
        // Luma and a quarter of two chroma planes, then three bytes.
        (false, false) => 9,
        // The same, then four bytes, plus a lossless image and one more byte for alpha.
        (false, true) => 23,
    }
}

fn lossy_size(data: &[u8]) -> Option<(u32, u32)> {
    let [first, _, _, 0x9d, 0x01, 0x2a, w0, w1, h0, h1, ..] = *data else { return None };
    // The lowest bit marks a frame that depends on another.
    let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
    (first & 1 == 0).then(|| (side(w0, w1), side(h0, h1)))
}

fn lossless_size(data: &[u8]) -> Option<(u32, u32)> {
    let [0x2f, rest @ ..] = data else { return None };
    let bits = u32::from_le_bytes(*rest.first_chunk::<4>()?);
    Some(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
}
