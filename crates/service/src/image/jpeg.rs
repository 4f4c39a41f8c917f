//! JPEG: a row of segments, of which those stay that the pixels need.

use ::image::metadata::Orientation;
use jpeg_decoder::{Decoder, PixelFormat};

use super::draft::{DRAFT, Draft, on_white};
use super::limit::Size;
use super::{InvalidImage, Still, upright};

/// A progressive picture has about ten. Each one costs a pass over all pixels, however short it is.
const MAX_SCANS: u32 = 64;

const EXIF: &[u8] = b"Exif\0\0";

/// Copies the segments of the picture, up to its end and no further, and turns it upright.
pub(super) fn strip(bytes: &[u8]) -> Result<Still, InvalidImage> {
    let mut stripped = Stripped::default();
    let mut rest = bytes.strip_prefix(b"\xff\xd8").ok_or(InvalidImage::Damaged)?;
    stripped.kept.extend_from_slice(b"\xff\xd8");
    while let Some(after) = stripped.segment(rest)? {
        rest = after;
    }
    let frame = stripped.frame.filter(|_| stripped.scans > 0).ok_or(InvalidImage::Damaged)?;
    let still = Still { bytes: stripped.kept, size: frame.size, working: frame.working() };
    match stripped.orientation {
        None | Some(Orientation::NoTransforms) => Ok(still),
        Some(orientation) => upright::turn(&still, orientation),
    }
}

/// Decodes at an eighth of the size where that is enough: nothing of full size is in memory, save
/// for progressive pictures, whose coefficients are complete only at the end.
pub(super) fn draft(still: &Still) -> Result<Draft, InvalidImage> {
    let damaged = |_| InvalidImage::Damaged;
    let mut decoder = Decoder::new(still.bytes.as_slice());
    decoder.scale(DRAFT, DRAFT).map_err(damaged)?;
    let pixels = decoder.decode().map_err(damaged)?;
    let info = decoder.info().ok_or(InvalidImage::Damaged)?;
    let size = Size::new(info.width.into(), info.height.into())?;
    let channels = info.pixel_format.pixel_bytes();
    let mut draft = Draft::new(size);
    for row in pixels.chunks_exact(size.width as usize * channels) {
        match info.pixel_format {
            PixelFormat::L8 | PixelFormat::RGB24 => draft.row(on_white(row, channels)),
            PixelFormat::CMYK32 => draft.row(of_ink(row)),
            PixelFormat::L16 => return Err(InvalidImage::UncommonJpeg),
        }
    }
    Ok(draft)
}

/// Ink as it is written in JPEG files: 255 is none of it.
fn of_ink(row: &[u8]) -> impl Iterator<Item = [u8; 3]> {
    row.as_chunks::<4>().0.iter().map(|[cyan, magenta, yellow, black]| {
        let light = |ink: &u8| u16::from(*ink) * u16::from(*black) / 255;
        [cyan, magenta, yellow].map(|ink| u8::try_from(light(ink)).unwrap_or(u8::MAX))
    })
}

#[derive(Default)]
struct Stripped {
    kept: Vec<u8>,
    frame: Option<Frame>,
    orientation: Option<Orientation>,
    scans: u32,
}

impl Stripped {
    /// Takes the next segment and gives what follows it; nothing after the end of the picture.
    fn segment<'a>(&mut self, bytes: &'a [u8]) -> Result<Option<&'a [u8]>, InvalidImage> {
        let (marker, rest) = marker(bytes)?;
        if marker == 0xd9 {
            self.kept.extend_from_slice(b"\xff\xd9");
            return Ok(None);
        }
        let (length, _) = rest.split_first_chunk::<2>().ok_or(InvalidImage::Damaged)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let data = rest.get(2..length).ok_or(InvalidImage::Damaged)?;
        let mut after = &rest[length..];
        match marker {
            0xc0..=0xc2 if self.frame.is_none() => {
                self.frame = Some(Frame::read(data, marker == 0xc2)?);
                self.keep(marker, &rest[..length]);
            }
            // Huffman tables, quantization, restart interval.
            0xc4 | 0xdb | 0xdd => self.keep(marker, &rest[..length]),
            0xda => {
                self.scans += 1;
                if self.scans > MAX_SCANS {
                    return Err(InvalidImage::UncommonJpeg);
                }
                let coded = scan_length(after)?;
                self.keep(marker, &rest[..length + coded]);
                after = &after[coded..];
            }
            0xe0..=0xef | 0xfe => self.application(marker, data),
            // Lossless, hierarchical and arithmetic coding, and a height told afterward.
            0xc3 | 0xc5..=0xcf | 0xdc | 0xde | 0xdf => return Err(InvalidImage::UncommonJpeg),
            _ => return Err(InvalidImage::Damaged),
        }
        Ok(Some(after))
    }

    /// What programs wrote for each other. Only how to read the colors and which side is up matter.
    fn application(&mut self, marker: u8, data: &[u8]) {
        match (marker, data) {
            // Version and density; a thumbnail that may follow is not kept.
            (0xe0, [b'J', b'F', b'I', b'F', 0, about @ ..]) if about.len() >= 9 => {
                let header = [b"\0\x10JFIF\0", &about[..7], b"\0\0"].concat();
                self.keep(marker, &header);
            }
            (0xee, [b'A', b'd', b'o', b'b', b'e', about @ ..]) if about.len() >= 7 => {
                let header = [b"\0\x0eAdobe", &about[..7]].concat();
                self.keep(marker, &header);
            }
            (0xe1, _) if self.orientation.is_none() => {
                let exif = data.strip_prefix(EXIF);
                self.orientation = exif.and_then(Orientation::from_exif_chunk);
            }
            _ => {}
        }
    }

    /// `rest` is the segment from its length on.
    fn keep(&mut self, marker: u8, rest: &[u8]) {
        self.kept.extend_from_slice(&[0xff, marker]);
        self.kept.extend_from_slice(rest);
    }
}

/// The marker at the front, which any number of fill bytes may precede, and what follows it.
fn marker(bytes: &[u8]) -> Result<(u8, &[u8]), InvalidImage> {
    let fill = bytes.iter().take_while(|byte| **byte == 0xff).count();
    match (fill, bytes.get(fill)) {
        (1.., Some(marker)) => Ok((*marker, &bytes[fill + 1..])),
        _ => Err(InvalidImage::Damaged),
    }
}

/// How long the coded pixels are: up to a marker that is neither a stuffed byte nor a restart.
fn scan_length(bytes: &[u8]) -> Result<usize, InvalidImage> {
    let ends = |pair: &[u8]| matches!(pair, [0xff, 0x01..=0xcf | 0xd8..=0xfe]);
    bytes.windows(2).position(ends).ok_or(InvalidImage::Damaged)
}

struct Frame {
    size: Size,
    progressive: bool,
    /// Coefficients of all components, at their own resolution.
    coefficients: u64,
}

impl Frame {
    fn read(data: &[u8], progressive: bool) -> Result<Self, InvalidImage> {
        let [precision, h0, h1, w0, w1, count, components @ ..] = data else {
            return Err(InvalidImage::Damaged);
        };
        let (components, surplus) = components.as_chunks::<3>();
        if components.len() != usize::from(*count) || !surplus.is_empty() {
            return Err(InvalidImage::Damaged);
        }
        if *precision != 8 || !matches!(count, 1 | 3 | 4) {
            return Err(InvalidImage::UncommonJpeg);
        }
        let width = u32::from(u16::from_be_bytes([*w0, *w1]));
        let height = u32::from(u16::from_be_bytes([*h0, *h1]));
        let size = Size::new(width, height)?;
        let coefficients = coefficients(size, components).ok_or(InvalidImage::Damaged)?;
        Ok(Self { size, progressive, coefficients })
    }

    /// Two bytes for each coefficient, and as much again on the way to the pixels.
    fn working(&self) -> u64 {
        if self.progressive { 4 * self.coefficients } else { 0 }
    }
}

/// Nothing when a component is sampled in no way there is.
fn coefficients(size: Size, components: &[[u8; 3]]) -> Option<u64> {
    let factors = || components.iter().map(|[_, factors, _]| (factors >> 4, factors & 15));
    if factors().any(|(h, v)| !(1..=4).contains(&h) || !(1..=4).contains(&v)) {
        return None;
    }
    let widest = u64::from(factors().map(|(h, _)| h).max()?);
    let tallest = u64::from(factors().map(|(_, v)| v).max()?);
    let units =
        u64::from(size.width).div_ceil(8 * widest) * u64::from(size.height).div_ceil(8 * tallest);
    let blocks: u64 = factors().map(|(h, v)| u64::from(h) * u64::from(v)).sum();
    Some(units * blocks * 64)
}
