//! PNG: keeps only the chunks of the image and its colors. The compressed pixels are read to their
//! end, and data after it is cut off.

use std::io::Cursor;

use ::png::{ColorType, Decoder, Limits, Reader, Transformations};
use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::draft::{Draft, on_white};
use super::limit::Size;
use super::{InvalidImage, Mode, Still};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Bytes decompressed at a time.
const BUFFER: usize = 64 * 1024;

/// Enough for a few rows of the widest image and the decompressor.
const DECODER_MEMORY: usize = 16 * 1024 * 1024;

/// Copies the chunks of the image, up to its end.
pub(super) fn strip(bytes: &[u8], mode: Mode) -> Result<Still, InvalidImage> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or(InvalidImage::Damaged)?;
    let (mut kept, mut pixels, mut kinds) = (SIGNATURE.to_vec(), Vec::new(), Vec::new());
    let mut header = None;
    loop {
        let chunk = Chunk::first(rest).ok_or(InvalidImage::Damaged)?;
        rest = &rest[chunk.whole.len()..];
        match (&header, chunk.kind) {
            (None, b"IHDR") => {
                header = Some(Header::read(chunk.data)?);
                kept.extend_from_slice(chunk.whole);
            }
            (None, _) | (Some(_), b"IHDR") => return Err(InvalidImage::Damaged),
            (_, b"acTL" | b"fcTL" | b"fdAT") => return Err(InvalidImage::Animated),
            (_, b"IEND") => break,
            (_, b"IDAT") => pixels.extend_from_slice(chunk.data),
            (Some(header), kind) => {
                // Color chunks come before the pixels, each at most once.
                if chunk.belongs_to_picture(header)? && pixels.is_empty() && !kinds.contains(kind) {
                    kinds.push(*kind);
                    kept.extend_from_slice(chunk.whole);
                }
            }
        }
    }
    let header = header.ok_or(InvalidImage::Damaged)?;
    if mode == Mode::Store {
        pixels.truncate(compressed_length(&pixels, header.scanlines())?);
    }
    put_chunk(&mut kept, *b"IDAT", &pixels)?;
    put_chunk(&mut kept, *b"IEND", &[])?;
    Ok(Still { bytes: kept, size: header.size, working: header.working() })
}

fn put_chunk(kept: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) -> Result<(), InvalidImage> {
    let length = u32::try_from(data.len()).map_err(|_| InvalidImage::TooLarge)?;
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    kept.extend_from_slice(&length.to_be_bytes());
    kept.extend_from_slice(&kind);
    kept.extend_from_slice(data);
    kept.extend_from_slice(&sum.sum().to_be_bytes());
    Ok(())
}

/// The length of the compressed pixels. They must decompress to exactly the expected length.
fn compressed_length(data: &[u8], expected: u64) -> Result<usize, InvalidImage> {
    let (mut inflate, mut buffer) = (Decompress::new(true), vec![0; BUFFER]);
    loop {
        let before = (inflate.total_in(), inflate.total_out());
        let rest = usize::try_from(before.0).ok().and_then(|at| data.get(at..));
        let rest = rest.ok_or(InvalidImage::Damaged)?;
        let status = inflate.decompress(rest, &mut buffer, FlushDecompress::None);
        let status = status.map_err(|_| InvalidImage::Damaged)?;
        let after = (inflate.total_in(), inflate.total_out());
        if after.1 > expected {
            return Err(InvalidImage::Surplus);
        }
        if status == Status::StreamEnd {
            let length = usize::try_from(after.0).map_err(|_| InvalidImage::Damaged)?;
            return if after.1 == expected { Ok(length) } else { Err(InvalidImage::Damaged) };
        }
        if after == before {
            return Err(InvalidImage::Damaged);
        }
    }
}

/// Decodes row by row, so that a decompression bomb ends at the last row.
pub(super) fn draft(still: &Still, least: u16) -> Result<Draft, InvalidImage> {
    let limits = Limits { bytes: DECODER_MEMORY };
    let mut decoder = Decoder::new_with_limits(Cursor::new(&still.bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| InvalidImage::Damaged)?;
    let channels = match reader.output_color_type().0 {
        ColorType::Grayscale | ColorType::Indexed => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        ColorType::Rgba => 4,
    };
    let mut draft = Draft::new(still.size, least);
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

/// Decodes an interlaced image at once: its rows are complete only after the last pass.
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

    /// Whether the chunk is kept. Color chunks are kept only at their exact length, so that nothing
    /// can be hidden in them.
    fn belongs_to_picture(&self, header: &Header) -> Result<bool, InvalidImage> {
        let length = self.data.len();
        match (self.kind, header.color) {
            (b"PLTE", INDEXED) => Ok(length <= 3 << header.depth),
            // A suggested palette for displays with few colors.
            (b"PLTE", _) => Ok(false),
            (b"tRNS", INDEXED) => Ok(length <= 1 << header.depth),
            (b"tRNS", RGB) => Ok(length == 6),
            (b"tRNS", _) => Ok(length == 2),
            (b"sRGB", _) => Ok(length == 1),
            (b"gAMA" | b"cICP", _) => Ok(length == 4),
            // Chunks that start with a lowercase letter are optional.
            ([first, ..], _) if first.is_ascii_lowercase() => Ok(false),
            _ => Err(InvalidImage::Damaged),
        }
    }
}

const RGB: u8 = 2;
const INDEXED: u8 = 3;

/// The first pixel and step of each pass of an interlaced image: across, down.
const PASSES: [[(u32, u32); 2]; 7] = [
    [(0, 8), (0, 8)],
    [(4, 8), (0, 8)],
    [(0, 4), (4, 8)],
    [(2, 4), (0, 4)],
    [(0, 2), (2, 4)],
    [(1, 2), (0, 2)],
    [(0, 1), (1, 2)],
];

struct Header {
    size: Size,
    depth: u8,
    color: u8,
    interlaced: bool,
}

impl Header {
    fn read(data: &[u8]) -> Result<Self, InvalidImage> {
        let [w0, w1, w2, w3, h0, h1, h2, h3, depth, color, _, _, interlace] = *data else {
            return Err(InvalidImage::Damaged);
        };
        let width = u32::from_be_bytes([w0, w1, w2, w3]);
        let height = u32::from_be_bytes([h0, h1, h2, h3]);
        if !matches!(depth, 1 | 2 | 4 | 8 | 16) || (color == INDEXED && depth > 8) {
            return Err(InvalidImage::Damaged);
        }
        Ok(Self { size: Size::new(width, height)?, depth, color, interlaced: interlace != 0 })
    }

    /// The length of the decompressed pixels, with one byte per row for its filter.
    fn scanlines(&self) -> u64 {
        let channels = match self.color {
            2 => 3,
            4 => 2,
            6 => 4,
            _ => 1,
        };
        let bits = channels * u64::from(self.depth);
        let lines = |width: u32, height: u32| match width {
            0 => 0,
            _ => u64::from(height) * (1 + (u64::from(width) * bits).div_ceil(8)),
        };
        let Size { width, height } = self.size;
        if !self.interlaced {
            return lines(width, height);
        }
        let pass = |[across, down]: [(u32, u32); 2]| {
            let count =
                |side: u32, (first, step): (u32, u32)| side.saturating_sub(first).div_ceil(step);
            lines(count(width, across), count(height, down))
        };
        PASSES.map(pass).iter().sum()
    }

    /// At most four channels of 8 bits; only a few rows at a time unless interlaced.
    fn working(&self) -> u64 {
        let rows = if self.interlaced { u64::from(self.size.height) } else { 16 };
        u64::from(self.size.width) * 4 * rows
    }
}
