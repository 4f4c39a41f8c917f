//! Detects extra data after the coded pixels of a WebP.
//!
//! No header tells where the code of the last pixel ends, and finding it takes a complete decoder.
//! But a decoder refuses a partition that ends too early. So each partition is shortened a little:
//! if the image still decodes, the removed bytes were not needed.

/// How many bytes are cut off. Encoders leave up to five after the last pixel; with what a decoder
/// reads ahead, fewer than 16 extra bytes can stay undetected.
const CUT: usize = 8;

/// The header of a lossy image: frame tag, signature and size.
const LOSSY_HEADER: usize = 10;

/// Returns the file once per partition that is long enough, with that partition shortened.
pub(super) fn shortened(file: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    chunks(file).flat_map(move |chunk| {
        let data = &file[chunk.from..chunk.from + chunk.length];
        let parts = match &chunk.kind {
            b"VP8 " => lossy(data),
            b"VP8L" => whole(data),
            b"ALPH" if data.first().is_some_and(|flags| flags & 3 == 1) => whole(data),
            _ => Vec::new(),
        };
        parts.into_iter().map(move |data| chunk.replaced(file, &data))
    })
}

/// A chunk of the stripped file.
#[derive(Clone, Copy)]
struct Chunk {
    kind: [u8; 4],
    from: usize,
    length: usize,
}

impl Chunk {
    fn at(file: &[u8], place: usize) -> Option<Self> {
        let (kind, rest) = file.get(place..)?.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_le_bytes(*rest.first_chunk::<4>()?)).ok()?;
        let from = place + 8;
        (from + length <= file.len()).then_some(Self { kind: *kind, from, length })
    }

    fn end(self) -> usize {
        self.from + self.length.next_multiple_of(2)
    }

    /// The file with this chunk's data replaced and its lengths adjusted.
    fn replaced(self, file: &[u8], data: &[u8]) -> Vec<u8> {
        let length = |it: usize| u32::try_from(it).unwrap_or(u32::MAX).to_le_bytes();
        let mut new = file[..self.from - 4].to_vec();
        new.extend_from_slice(&length(data.len()));
        new.extend_from_slice(data);
        new.resize(new.len().next_multiple_of(2), 0);
        new.extend_from_slice(file.get(self.end()..).unwrap_or_default());
        let whole = length(new.len() - 8);
        new[4..8].copy_from_slice(&whole);
        new
    }
}

fn chunks(file: &[u8]) -> impl Iterator<Item = Chunk> + '_ {
    let first = Chunk::at(file, 12);
    std::iter::successors(first, |it| Chunk::at(file, it.end()))
}

/// A chunk that is one partition.
fn whole(data: &[u8]) -> Vec<Vec<u8>> {
    let left = data.len().checked_sub(CUT).filter(|it| *it > CUT);
    left.map(|left| data[..left].to_vec()).into_iter().collect()
}

/// The partitions of a lossy image: the block modes, then one to eight of coefficients.
fn lossy(data: &[u8]) -> Vec<Vec<u8>> {
    let Some(parts) = Parts::read(data) else { return Vec::new() };
    (0..parts.lengths.len()).filter_map(|at| parts.without_end_of(data, at)).collect()
}

struct Parts {
    /// The length of each, starting with the block modes.
    lengths: Vec<usize>,
}

impl Parts {
    fn read(data: &[u8]) -> Option<Self> {
        let [b0, b1, b2, ..] = *data else { return None };
        let first = usize::try_from(u32::from_le_bytes([b0, b1, b2, 0]) >> 5).ok()?;
        let count = coefficient_parts(data.get(LOSSY_HEADER..LOSSY_HEADER + first)?)?;
        let sizes = data.get(LOSSY_HEADER + first..)?.get(..3 * (count - 1))?;
        let mut lengths = vec![first];
        for size in sizes.as_chunks::<3>().0 {
            lengths.push(usize::try_from(u32::from_le_bytes([size[0], size[1], size[2], 0])).ok()?);
        }
        let before = LOSSY_HEADER + sizes.len() + lengths.iter().sum::<usize>();
        lengths.push(data.len().checked_sub(before)?);
        Some(Self { lengths })
    }

    /// The image with one partition shortened, unless it is too short to matter.
    fn without_end_of(&self, data: &[u8], at: usize) -> Option<Vec<u8>> {
        let shorter = self.lengths[at].checked_sub(CUT).filter(|it| *it > CUT)?;
        let sizes = 3 * (self.lengths.len() - 2);
        let mut new = data[..LOSSY_HEADER].to_vec();
        if at == 0 {
            let tag = u32::from_le_bytes([data[0], data[1], data[2], 0]) & 0x1f;
            let tag = (u32::try_from(shorter).ok()? << 5 | tag).to_le_bytes();
            new[..3].copy_from_slice(&tag[..3]);
        }
        let mut from = LOSSY_HEADER;
        for (part, length) in self.lengths.iter().enumerate() {
            let kept = if part == at { shorter } else { *length };
            new.extend_from_slice(data.get(from..from + kept)?);
            from += length;
            if part == 0 {
                let place = new.len();
                new.extend_from_slice(data.get(from..from + sizes)?);
                from += sizes;
                if (1..self.lengths.len() - 1).contains(&at) {
                    let size = u32::try_from(shorter).ok()?.to_le_bytes();
                    new[place + 3 * (at - 1)..place + 3 * at].copy_from_slice(&size[..3]);
                }
            }
        }
        Some(new)
    }
}

/// The number of coefficient partitions, which follows segments and filters (RFC 6386, 9.3 to 9.5).
fn coefficient_parts(data: &[u8]) -> Option<usize> {
    let mut bits = BoolDecoder { data, at: 0, value: 0, range: 255, left: 0 };
    // Color space and clamping type.
    bits.literal(2)?;
    if bits.flag()? {
        let (map, levels) = (bits.flag()?, bits.flag()?);
        if levels {
            bits.flag()?;
            for length in [7, 7, 7, 7, 6, 6, 6, 6] {
                bits.optional(length + 1)?;
            }
        }
        if map {
            (0..3).try_for_each(|_| bits.optional(8))?;
        }
    }
    // Filter type, level and sharpness.
    bits.literal(1 + 6 + 3)?;
    if bits.flag()? && bits.flag()? {
        (0..8).try_for_each(|_| bits.optional(7))?;
    }
    Some(1 << bits.literal(2)?)
}

/// A decoder of booleans with even probability (RFC 6386, section 7).
struct BoolDecoder<'a> {
    data: &'a [u8],
    at: usize,
    value: u32,
    range: u32,
    /// Unread bits of the current byte.
    left: u32,
}

impl BoolDecoder<'_> {
    fn flag(&mut self) -> Option<bool> {
        if self.at == 0 {
            self.value = u32::from(*self.data.first()?);
            self.at = 1;
        }
        let split = 1 + (((self.range - 1) * 128) >> 8);
        // Eight bits are compared; further ones are read as needed.
        let yes = self.value >= split;
        if yes {
            self.value -= split;
            self.range -= split;
        } else {
            self.range = split;
        }
        while self.range < 128 {
            self.range <<= 1;
            if self.left == 0 {
                self.left = 8;
                self.at += 1;
            }
            let byte = self.data.get(self.at - 1)?;
            self.left -= 1;
            self.value = self.value << 1 | u32::from(byte >> self.left & 1);
        }
        Some(yes)
    }

    fn literal(&mut self, count: u32) -> Option<u32> {
        (0..count).try_fold(0, |value, _| Some(value << 1 | u32::from(self.flag()?)))
    }

    /// Skips an optional value.
    fn optional(&mut self, length: u32) -> Option<()> {
        if self.flag()? {
            self.literal(length)?;
        }
        Some(())
    }
}
