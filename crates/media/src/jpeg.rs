//! JPEG: keeps only the segments that the pixels need. Tables are kept if a scan uses them, and of
//! a scan only the coded pixels.

use ::image::metadata::Orientation;
use jpeg_decoder::{Decoder, PixelFormat};

use super::draft::{Draft, on_white};
use super::limit::Size;
use super::scan::{self, Component, Huffman, Scan};
use super::{InvalidImage, Mode, Still, orientation};

/// A progressive image has about ten. Each scan costs a pass over all pixels, however short it is.
const MAX_SCANS: u32 = 64;

const EXIF: &[u8] = b"Exif\0\0";

/// Copies the segments of the image, up to its end, and applies its orientation.
pub(super) fn strip(bytes: &[u8], mode: Mode) -> Result<Still, InvalidImage> {
    let mut stripped = Stripped { verbatim: mode == Mode::Analyze, ..Stripped::default() };
    let mut rest = bytes.strip_prefix(b"\xff\xd8").ok_or(InvalidImage::Damaged)?;
    stripped.kept.extend_from_slice(b"\xff\xd8");
    while let Some(after) = stripped.segment(rest)? {
        rest = after;
    }
    let frame = stripped.frame.filter(|_| stripped.scans > 0).ok_or(InvalidImage::Damaged)?;
    let still = Still { bytes: stripped.kept, size: frame.size, working: frame.working() };
    match stripped.orientation {
        None | Some(Orientation::NoTransforms) => Ok(still),
        Some(orientation) => orientation::apply(&still, orientation),
    }
}

/// Decodes at down to an eighth of the size, so that the full size is never in memory, except the
/// coefficients of progressive images, which are complete only at the end.
pub(super) fn draft(still: &Still, least: u16) -> Result<Draft, InvalidImage> {
    let damaged = |_| InvalidImage::Damaged;
    let mut decoder = Decoder::new(still.bytes.as_slice());
    decoder.scale(least, least).map_err(damaged)?;
    let pixels = decoder.decode().map_err(damaged)?;
    let info = decoder.info().ok_or(InvalidImage::Damaged)?;
    let size = Size::new(info.width.into(), info.height.into())?;
    let channels = info.pixel_format.pixel_bytes();
    let mut draft = Draft::new(size, least);
    for row in pixels.chunks_exact(size.width as usize * channels) {
        match info.pixel_format {
            PixelFormat::L8 | PixelFormat::RGB24 => draft.row(on_white(row, channels)),
            PixelFormat::CMYK32 => draft.row(of_ink(row)),
            PixelFormat::L16 => return Err(InvalidImage::UncommonJpeg),
        }
    }
    Ok(draft)
}

/// Converts CMYK as decoded, where 0 means no ink. In files 255 does, with and without an Adobe
/// header, as browsers assume too; the decoder has already inverted that.
fn of_ink(row: &[u8]) -> impl Iterator<Item = [u8; 3]> {
    row.as_chunks::<4>().0.iter().map(|[cyan, magenta, yellow, black]| {
        let left = |ink: &u8| u16::from(u8::MAX - *ink);
        let light = |ink: &u8| (left(ink) * left(black) + 127) / 255;
        [cyan, magenta, yellow].map(|ink| u8::try_from(light(ink)).unwrap_or(u8::MAX))
    })
}

#[derive(Default)]
struct Stripped {
    kept: Vec<u8>,
    /// Whether tables and scans are copied unchanged.
    verbatim: bool,
    frame: Option<Frame>,
    orientation: Option<Orientation>,
    scans: u32,
    /// Whether the JFIF and Adobe headers are already copied.
    headers: [bool; 2],
    quantization: [Table<()>; 4],
    /// For the first coefficient of a block (DC), and for the others (AC).
    huffman: [[Table<Huffman>; 4]; 2],
    restart: u32,
}

/// A table, and its segment to be copied once a scan uses it.
struct Table<T> {
    read: Option<T>,
    segment: Vec<u8>,
    kept: bool,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { read: None, segment: Vec::new(), kept: false }
    }
}

impl Stripped {
    /// Processes the next segment and returns the rest; `None` at the end of the image.
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
            0xc4 | 0xdb | 0xdd if self.verbatim => self.keep(marker, &rest[..length]),
            0xc4 => self.huffman(data).ok_or(InvalidImage::Damaged)?,
            0xdb => self.quantization(data).ok_or(InvalidImage::Damaged)?,
            0xdd => {
                let [high, low] = *data else { return Err(InvalidImage::Damaged) };
                self.restart = u16::from_be_bytes([high, low]).into();
                self.keep(marker, &rest[..length]);
            }
            0xda => {
                self.scans += 1;
                if self.scans > MAX_SCANS {
                    return Err(InvalidImage::UncommonJpeg);
                }
                let coded = if self.verbatim {
                    let coded = scan_length(after)?;
                    self.keep(marker, &rest[..length + coded]);
                    coded
                } else {
                    self.scan(&rest[..length], after)?
                };
                after = &after[coded..];
            }
            0xe0..=0xef | 0xfe => self.application(marker, data),
            // Lossless, hierarchical and arithmetic coding, and a height defined later.
            0xc3 | 0xc5..=0xcf | 0xdc | 0xde | 0xdf => return Err(InvalidImage::UncommonJpeg),
            _ => return Err(InvalidImage::Damaged),
        }
        Ok(Some(after))
    }

    /// Application segments. Only the color information and the orientation matter.
    fn application(&mut self, marker: u8, data: &[u8]) {
        match (marker, data) {
            // Version and density; an embedded thumbnail is not kept.
            (0xe0, [b'J', b'F', b'I', b'F', 0, about @ ..])
                if about.len() >= 9 && !self.headers[0] =>
            {
                self.headers[0] = true;
                let header = [b"\0\x10JFIF\0", &about[..7], b"\0\0"].concat();
                self.keep(marker, &header);
            }
            (0xee, [b'A', b'd', b'o', b'b', b'e', about @ ..])
                if about.len() >= 7 && !self.headers[1] =>
            {
                self.headers[1] = true;
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

    fn quantization(&mut self, mut data: &[u8]) -> Option<()> {
        while let Some((about, rest)) = data.split_first() {
            let length = match about >> 4 {
                0 => 64,
                1 => 128,
                _ => return None,
            };
            let table = self.quantization.get_mut(usize::from(about & 15))?;
            let segment = [&[*about], rest.get(..length)?].concat();
            *table = Table { read: Some(()), segment, kept: false };
            data = &rest[length..];
        }
        Some(())
    }

    fn huffman(&mut self, mut data: &[u8]) -> Option<()> {
        while let Some((about, rest)) = data.split_first() {
            let (counts, rest) = rest.split_first_chunk::<16>()?;
            let count = counts.iter().map(|it| usize::from(*it)).sum();
            let symbols = rest.get(..count).filter(|_| count <= 256)?;
            let tables = self.huffman.get_mut(usize::from(about >> 4))?;
            let table = tables.get_mut(usize::from(about & 15))?;
            let segment = [&[*about], counts.as_slice(), symbols].concat();
            *table = Table { read: Some(Huffman::read(counts, symbols)?), segment, kept: false };
            data = &rest[count..];
        }
        Some(())
    }

    /// Copies a scan after the tables it uses, and returns the length of its coded pixels.
    fn scan(&mut self, header: &[u8], coded: &[u8]) -> Result<usize, InvalidImage> {
        let mut frame = self.frame.take().ok_or(InvalidImage::Damaged)?;
        let parsed = ScanHeader::read(&header[2..], &frame).ok_or(InvalidImage::Damaged)?;
        for it in &frame.components {
            let table = self.quantization.get_mut(usize::from(it.quantization));
            keep_table(&mut self.kept, 0xdb, table)?;
        }
        for (_, dc, ac) in &parsed.components {
            for (class, number) in [(0, dc), (1, ac)] {
                if let Some(number) = number {
                    let table = self.huffman[class].get_mut(usize::from(*number));
                    keep_table(&mut self.kept, 0xc4, table)?;
                }
            }
        }
        let [dc_tables, ac_tables] = &self.huffman;
        let of = |tables: &'_ [Table<Huffman>; 4], number: Option<u8>| {
            number.and_then(|it| tables[usize::from(it)].read.clone())
        };
        let tables: Vec<_> = parsed
            .components
            .iter()
            .map(|(_, dc, ac)| (of(dc_tables, *dc), of(ac_tables, *ac)))
            .collect();
        let components = parsed.components.iter().zip(&tables);
        let components =
            components.map(|((index, ..), (dc, ac))| (*index, dc.as_ref(), ac.as_ref())).collect();
        let scan = Scan {
            components,
            first: parsed.first,
            last: parsed.last,
            high: parsed.high,
            progressive: frame.progressive,
            restart: self.restart,
            units: frame.units,
        };
        self.keep(0xda, header);
        let length = scan::copy(&scan, &mut frame.components, coded, &mut self.kept)?;
        self.frame = Some(frame);
        Ok(length)
    }

    /// `rest` is the segment from its length on.
    fn keep(&mut self, marker: u8, rest: &[u8]) {
        self.kept.extend_from_slice(&[0xff, marker]);
        self.kept.extend_from_slice(rest);
    }
}

/// The next marker, which any number of fill bytes may precede, and the rest.
fn marker(bytes: &[u8]) -> Result<(u8, &[u8]), InvalidImage> {
    let fill = bytes.iter().take_while(|byte| **byte == 0xff).count();
    match (fill, bytes.get(fill)) {
        (1.., Some(marker)) => Ok((*marker, &bytes[fill + 1..])),
        _ => Err(InvalidImage::Damaged),
    }
}

/// The distance to the next marker that is neither a stuffed byte nor a restart.
fn scan_length(bytes: &[u8]) -> Result<usize, InvalidImage> {
    let ends = |pair: &[u8]| matches!(pair, [0xff, 0x01..=0xcf | 0xd8..=0xfe]);
    bytes.windows(2).position(ends).ok_or(InvalidImage::Damaged)
}

/// Copies a used table, unless it is already copied.
fn keep_table<T>(
    kept: &mut Vec<u8>,
    marker: u8,
    table: Option<&mut Table<T>>,
) -> Result<(), InvalidImage> {
    let table = table.filter(|it| it.read.is_some()).ok_or(InvalidImage::Damaged)?;
    if !table.kept {
        table.kept = true;
        let length = u16::try_from(table.segment.len() + 2).map_err(|_| InvalidImage::Damaged)?;
        kept.extend_from_slice(&[0xff, marker]);
        kept.extend_from_slice(&length.to_be_bytes());
        kept.extend_from_slice(&table.segment);
    }
    Ok(())
}

/// The header of a scan: its components, their tables, and the range of coefficients.
struct ScanHeader {
    components: Vec<(usize, Option<u8>, Option<u8>)>,
    first: u8,
    last: u8,
    high: u8,
}

impl ScanHeader {
    /// `None` if it does not match the frame.
    fn read(data: &[u8], frame: &Frame) -> Option<Self> {
        let (count, rest) = data.split_first()?;
        let (named, [first, last, high]) = rest.split_last_chunk::<3>()?;
        let (named, surplus) = named.as_chunks::<2>();
        if named.len() != usize::from(*count) || !surplus.is_empty() || named.is_empty() {
            return None;
        }
        let (first, last, high) =
            if frame.progressive { (*first, *last, high >> 4) } else { (0, 63, 0) };
        if first > last || last > 63 || (first == 0 && last > 0 && frame.progressive) {
            return None;
        }
        let dc = !frame.progressive || (first == 0 && high == 0);
        let ac = !frame.progressive || first > 0;
        if first > 0 && named.len() > 1 {
            return None;
        }
        let component = |[id, tables]: &[u8; 2]| {
            let index = frame.components.iter().position(|it| it.id == *id)?;
            Some((index, dc.then_some(tables >> 4), ac.then_some(tables & 15)))
        };
        let components = named.iter().map(component).collect::<Option<Vec<_>>>()?;
        Some(Self { components, first, last, high })
    }
}

struct Frame {
    size: Size,
    progressive: bool,
    components: Vec<Component>,
    /// Units of all components, across and down.
    units: (u32, u32),
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
        let (units, components) =
            sampled(size, components, progressive).ok_or(InvalidImage::Damaged)?;
        let blocks = |it: &Component| {
            u64::from(units.0) * u64::from(units.1) * u64::from(it.horizontal * it.vertical)
        };
        let coefficients = components.iter().map(blocks).sum::<u64>() * 64;
        Ok(Self { size, progressive, components, units, coefficients })
    }

    /// Two bytes per coefficient, and as much again while they are converted to pixels.
    fn working(&self) -> u64 {
        if self.progressive { 4 * self.coefficients } else { 0 }
    }
}

/// The number of units, and the blocks of each component. `None` if a sampling factor is invalid.
fn sampled(
    size: Size,
    components: &[[u8; 3]],
    progressive: bool,
) -> Option<((u32, u32), Vec<Component>)> {
    let factors = || components.iter().map(|[_, it, _]| (u32::from(it >> 4), u32::from(it & 15)));
    if factors().any(|(h, v)| !(1..=4).contains(&h) || !(1..=4).contains(&v)) {
        return None;
    }
    let widest = factors().map(|(h, _)| h).max()?;
    let tallest = factors().map(|(_, v)| v).max()?;
    let units = (size.width.div_ceil(8 * widest), size.height.div_ceil(8 * tallest));
    let component = |([id, _, quantization], (horizontal, vertical)): (&[u8; 3], (u32, u32))| {
        let padded = units.0 * horizontal;
        let count = if progressive { padded as usize * (units.1 * vertical) as usize } else { 0 };
        Component {
            id: *id,
            horizontal,
            vertical,
            quantization: *quantization,
            blocks: (
                (size.width * horizontal).div_ceil(widest).div_ceil(8),
                (size.height * vertical).div_ceil(tallest).div_ceil(8),
            ),
            padded,
            nonzero: vec![0; count],
        }
    };
    Some((units, components.iter().zip(factors()).map(component).collect()))
}
