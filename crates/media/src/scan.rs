//! Reads the coded pixels of a JPEG to find their end. Bytes between that and the next marker are
//! not displayed and could be anything.
//!
//! Names follow the standard (ITU-T T.81). Of the coefficients only whether they are zero is kept:
//! refinements of a progressive image depend on that.

use super::InvalidImage;

/// A Huffman table.
#[derive(Clone)]
pub(super) struct Huffman {
    /// The smallest code of each length, the index of its symbol, and the number of codes.
    lengths: [(u32, usize, u32); 17],
    symbols: Vec<u8>,
    /// The symbol and length of every code of at most eight bits, by the next eight bits.
    short: Box<[(u8, u8); 256]>,
}

impl Huffman {
    /// Builds the table from the number of codes of each length and the symbols.
    pub(super) fn read(counts: &[u8; 16], symbols: &[u8]) -> Option<Self> {
        let (mut lengths, mut short) = ([(0, 0, 0); 17], Box::new([(0, 0); 256]));
        let (mut code, mut place) = (0_u32, 0_usize);
        for (length, count) in (1_u8..).zip(counts.iter().map(|it| u32::from(*it))) {
            code <<= 1;
            lengths[usize::from(length)] = (code, place, count);
            if code + count > 1 << length {
                return None;
            }
            for at in 0..count {
                let symbol = *symbols.get(place + at as usize)?;
                if length <= 8 {
                    let free = 8 - length;
                    let first = (code + at) << free;
                    for bits in first..first + (1 << free) {
                        short[bits as usize] = (symbol, length);
                    }
                }
            }
            code += count;
            place += count as usize;
        }
        Some(Self { lengths, symbols: symbols.to_vec(), short })
    }
}

/// A component of the image: its sampling factors and blocks.
#[derive(Clone)]
pub(super) struct Component {
    pub(super) id: u8,
    pub(super) horizontal: u32,
    pub(super) vertical: u32,
    pub(super) quantization: u8,
    /// Blocks across and down, in a scan of this component only.
    pub(super) blocks: (u32, u32),
    /// Blocks across, padded to whole units of all components.
    pub(super) padded: u32,
    /// For each block of a progressive image, which coefficients are not zero.
    pub(super) nonzero: Vec<u64>,
}

/// A scan.
pub(super) struct Scan<'a> {
    /// The indexes of its components, with their tables.
    pub(super) components: Vec<(usize, Option<&'a Huffman>, Option<&'a Huffman>)>,
    pub(super) first: u8,
    pub(super) last: u8,
    pub(super) high: u8,
    pub(super) progressive: bool,
    pub(super) restart: u32,
    /// Units of all components, across and down.
    pub(super) units: (u32, u32),
}

/// Copies the coded pixels of a scan and nothing else. Returns the distance to the next marker.
pub(super) fn copy(
    scan: &Scan<'_>,
    components: &mut [Component],
    data: &[u8],
    into: &mut Vec<u8>,
) -> Result<usize, InvalidImage> {
    let mut bits = Bits { data, at: 0, held: 0, count: 0 };
    let (across, down) = match scan.components.as_slice() {
        [(only, ..)] => components[*only].blocks,
        _ => scan.units,
    };
    let total = u64::from(across) * u64::from(down);
    let (mut start, mut run) = (0, 0);
    for unit in 0..total {
        if scan.restart > 0 && unit > 0 && unit.is_multiple_of(scan.restart.into()) {
            let end = bits.end();
            into.extend_from_slice(&data[start..end]);
            let marker = next_marker(data, end).ok_or(InvalidImage::Damaged)?;
            let restart = data[marker + 1];
            if !(0xd0..=0xd7).contains(&restart) {
                return Err(InvalidImage::Damaged);
            }
            into.extend_from_slice(&[0xff, restart]);
            start = marker + 2;
            bits = Bits { data, at: start, held: 0, count: 0 };
            run = 0;
        }
        scan.unit(unit, across, components, &mut bits, &mut run).ok_or(InvalidImage::Damaged)?;
    }
    let end = bits.end();
    into.extend_from_slice(&data[start..end]);
    next_marker(data, end).ok_or(InvalidImage::Damaged)
}

/// The position of the next marker: 0xff, not followed by a stuffed zero or a fill byte.
fn next_marker(data: &[u8], from: usize) -> Option<usize> {
    let found =
        data.get(from..)?.windows(2).position(|it| it[0] == 0xff && !matches!(it[1], 0 | 0xff));
    found.map(|at| from + at)
}

impl Scan<'_> {
    /// Skips the blocks of one unit.
    fn unit(
        &self,
        unit: u64,
        across: u32,
        components: &mut [Component],
        bits: &mut Bits<'_>,
        run: &mut u32,
    ) -> Option<()> {
        let (x, y) = (
            u32::try_from(unit % u64::from(across)).ok()?,
            u32::try_from(unit / u64::from(across)).ok()?,
        );
        let alone = self.components.len() == 1;
        for (place, dc, ac) in &self.components {
            let it = &mut components[*place];
            let (wide, tall) = if alone { (1, 1) } else { (it.horizontal, it.vertical) };
            for v in 0..tall {
                for h in 0..wide {
                    let block =
                        (y * tall + v) as usize * it.padded as usize + (x * wide + h) as usize;
                    let none = &mut 0;
                    let nonzero = it.nonzero.get_mut(block).unwrap_or(none);
                    self.block(bits, (*dc, *ac), nonzero, run)?;
                }
            }
        }
        Some(())
    }

    fn block(
        &self,
        bits: &mut Bits<'_>,
        (dc, ac): (Option<&Huffman>, Option<&Huffman>),
        nonzero: &mut u64,
        run: &mut u32,
    ) -> Option<()> {
        if !self.progressive {
            let size = bits.symbol(dc?)?;
            bits.skip(size)?;
            return baseline(bits, ac?);
        }
        match (self.first, self.high) {
            (0, 0) => {
                let size = bits.symbol(dc?)?;
                bits.skip(size)
            }
            (0, _) => bits.skip(1),
            (_, 0) => self.first_pass(bits, ac?, nonzero, run),
            _ => self.refine(bits, ac?, nonzero, run),
        }
    }

    /// The first scan of a band of coefficients.
    fn first_pass(
        &self,
        bits: &mut Bits<'_>,
        ac: &Huffman,
        nonzero: &mut u64,
        run: &mut u32,
    ) -> Option<()> {
        if *run > 0 {
            *run -= 1;
            return Some(());
        }
        let mut at = self.first;
        while at <= self.last {
            let symbol = bits.symbol(ac)?;
            let (zeros, size) = (symbol >> 4, symbol & 15);
            if size > 0 {
                at += zeros;
                bits.skip(size)?;
                *nonzero |= 1_u64.checked_shl(at.into())?;
                at += 1;
            } else if zeros == 15 {
                at += 16;
            } else {
                *run = (1 << zeros) - 1 + bits.take(zeros)?;
                break;
            }
        }
        Some(())
    }

    /// One more bit for nonzero coefficients, and new coefficients between them.
    fn refine(
        &self,
        bits: &mut Bits<'_>,
        ac: &Huffman,
        nonzero: &mut u64,
        run: &mut u32,
    ) -> Option<()> {
        let there = |nonzero: u64, at: u8| nonzero >> at & 1 == 1;
        let mut at = self.first;
        if *run == 0 {
            while at <= self.last {
                let symbol = bits.symbol(ac)?;
                let (mut zeros, size) = (symbol >> 4, symbol & 15);
                if size > 0 {
                    bits.skip(1)?;
                } else if zeros < 15 {
                    *run = (1 << zeros) + bits.take(zeros)?;
                    break;
                }
                while at <= self.last {
                    if there(*nonzero, at) {
                        bits.skip(1)?;
                    } else if zeros == 0 {
                        break;
                    } else {
                        zeros -= 1;
                    }
                    at += 1;
                }
                if size > 0 && at <= self.last {
                    *nonzero |= 1 << at;
                }
                at += 1;
            }
        }
        if *run > 0 {
            for it in at..=self.last {
                if there(*nonzero, it) {
                    bits.skip(1)?;
                }
            }
            *run -= 1;
        }
        Some(())
    }
}

/// The coefficients of a block after the first.
fn baseline(bits: &mut Bits<'_>, ac: &Huffman) -> Option<()> {
    let mut at = 1;
    while at < 64 {
        let symbol = bits.symbol(ac)?;
        match (symbol >> 4, symbol & 15) {
            (15, 0) => at += 16,
            (_, 0) => break,
            (zeros, size) => {
                at += zeros + 1;
                bits.skip(size)?;
            }
        }
    }
    Some(())
}

/// Reads bits, starting with the highest of each byte. 0xff is followed by a stuffed zero byte.
struct Bits<'a> {
    data: &'a [u8],
    /// The position of the next byte.
    at: usize,
    held: u64,
    count: u32,
}

impl Bits<'_> {
    /// Buffers one more byte, unless a marker follows.
    fn hold(&mut self) -> bool {
        let step = match self.data.get(self.at..) {
            Some([0xff, 0, ..]) => 2,
            None | Some([] | [0xff, ..]) => return false,
            Some(_) => 1,
        };
        self.held = self.held << 8 | u64::from(self.data[self.at]);
        self.count += 8;
        self.at += step;
        true
    }

    /// Reads up to 16 bits.
    fn take(&mut self, length: u8) -> Option<u32> {
        let length = Some(u32::from(length)).filter(|it| *it <= 16)?;
        while self.count < length {
            self.hold().then_some(())?;
        }
        self.count -= length;
        let value = self.held >> self.count & ((1 << length) - 1);
        u32::try_from(value).ok()
    }

    fn skip(&mut self, length: u8) -> Option<()> {
        self.take(length).map(drop)
    }

    fn symbol(&mut self, table: &Huffman) -> Option<u8> {
        while self.count < 8 && self.hold() {}
        if self.count >= 8 {
            let bits = self.held >> (self.count - 8) & 0xff;
            let (symbol, length) = table.short[usize::try_from(bits).ok()?];
            if length > 0 {
                self.count -= u32::from(length);
                return Some(symbol);
            }
        }
        let mut code = 0;
        for length in 1..=16 {
            code = code << 1 | self.take(1)?;
            let (first, place, count) = table.lengths[length];
            if code < first + count {
                return table.symbols.get(place + (code.checked_sub(first)?) as usize).copied();
            }
        }
        None
    }

    /// The position after the last byte that bits were taken from.
    fn end(&self) -> usize {
        let mut at = self.at;
        for _ in 0..self.count / 8 {
            let stuffed = at >= 2 && self.data[at - 2..at] == [0xff, 0];
            at -= if stuffed { 2 } else { 1 };
        }
        at
    }
}
