//! PNG: a row of chunks, of which those stay that make the picture and its colors.

use std::io::Cursor;

use ::png::{ColorType, Decoder, Limits, Reader, Transformations};

use super::draft::{Draft, on_white};
use super::limit::Size;
use super::{InvalidImage, Still};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Enough for a few rows of the widest picture and the decompressor.
const DECODER: usize = 16 * 1024 * 1024;

/// Copies the chunks of the picture, up to its end and no further.
pub(super) fn strip(bytes: &[u8]) -> Result<Still, InvalidImage> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or(InvalidImage::Damaged)?;
    let mut kept = SIGNATURE.to_vec();
    let mut header = None;
    loop {
        let chunk = Chunk::first(rest).ok_or(InvalidImage::Damaged)?;
        rest = &rest[chunk.whole.len()..];
        match (&header, chunk.kind) {
            (None, b"IHDR") => header = Some(Header::read(chunk.data)?),
            (None, _) | (Some(_), b"IHDR") => return Err(InvalidImage::Damaged),
            (_, b"acTL" | b"fcTL" | b"fdAT") => return Err(InvalidImage::Animated),
            _ => {}
        }
        if chunk.belongs_to_picture()? {
            kept.extend_from_slice(chunk.whole);
        }
        if chunk.kind == b"IEND" {
            break;
        }
    }
    let header = header.ok_or(InvalidImage::Damaged)?;
    Ok(Still { bytes: kept, size: header.size, working: header.working() })
}

/// Decodes row by row; a bomb that inflates without end ends at the last row.
pub(super) fn draft(still: &Still) -> Result<Draft, InvalidImage> {
    let limits = Limits { bytes: DECODER };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&still.bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| InvalidImage::Damaged)?;
    let channels = match reader.output_color_type().0 {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    let mut draft = Draft::new(still.size);
    if reader.info().interlaced {
        let pixels = whole(&mut reader)?;
        let row = still.size.width as usize * channels;
        pixels.chunks_exact(row).for_each(|row| draft.row(on_white(row, channels)));
    } else {
        while let Some(row) = reader.next_row().map_err(|_| InvalidImage::Damaged)? {
            draft.row(on_white(row.data(), channels));
        }
    }
    reader.finish().map_err(|_| InvalidImage::Damaged)?;
    Ok(draft)
}

/// An interlaced picture is complete in no row before its last pass.
fn whole(reader: &mut Reader<Cursor<&Vec<u8>>>) -> Result<Vec<u8>, InvalidImage> {
    let length = reader.output_buffer_size().ok_or(InvalidImage::Damaged)?;
    let mut pixels = vec![0; length];
    reader.next_frame(&mut pixels).map_err(|_| InvalidImage::Damaged)?;
    Ok(pixels)
}

struct Chunk<'a> {
    kind: &'a [u8; 4],
    data: &'a [u8],
    whole: &'a [u8],
}

impl<'a> Chunk<'a> {
    fn first(bytes: &'a [u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (kind, rest) = rest.split_first_chunk::<4>()?;
        // Length and kind before the data, a checksum after it.
        let whole = bytes.get(..length.checked_add(12)?)?;
        Some(Self { kind, data: rest.get(..length)?, whole })
    }

    /// A chunk of color stays only at its own length, where no words fit in.
    fn belongs_to_picture(&self) -> Result<bool, InvalidImage> {
        match self.kind {
            b"IHDR" | b"PLTE" | b"IDAT" => Ok(true),
            b"IEND" if self.data.is_empty() => Ok(true),
            b"tRNS" => Ok(self.data.len() <= 256),
            b"sRGB" => Ok(self.data.len() == 1),
            b"gAMA" | b"cICP" => Ok(self.data.len() == 4),
            b"cHRM" => Ok(self.data.len() == 32),
            // What is written with a small letter can be left out.
            [first, ..] if first.is_ascii_lowercase() => Ok(false),
            _ => Err(InvalidImage::Damaged),
        }
    }
}

struct Header {
    size: Size,
    interlaced: bool,
}

impl Header {
    fn read(data: &[u8]) -> Result<Self, InvalidImage> {
        let [w0, w1, w2, w3, h0, h1, h2, h3, _, _, _, _, interlace] = *data else {
            return Err(InvalidImage::Damaged);
        };
        let width = u32::from_be_bytes([w0, w1, w2, w3]);
        let height = u32::from_be_bytes([h0, h1, h2, h3]);
        Ok(Self { size: Size::new(width, height)?, interlaced: interlace != 0 })
    }

    /// Four channels of 8 bits at most; a row at a time where that is possible.
    fn working(&self) -> u64 {
        let rows = if self.interlaced { u64::from(self.size.height) } else { 16 };
        u64::from(self.size.width) * 4 * rows
    }
}
