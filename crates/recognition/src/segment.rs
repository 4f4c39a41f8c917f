//! A part of the index: the entries of up to 65,536 references, by word.

use crate::entry::Entry;
use crate::shelf::{Shelf, ShelfError, Stored};
use crate::vocabulary::WORDS;

/// The most references of a segment.
pub(crate) const MOST_REFERENCES: usize = 1 << 16;
/// Where the number of the reference begins in a posting. Below it is all of an entry but its word.
const NUMBER: u32 = 48;
/// The bytes of a posting.
const POSTING: usize = size_of::<u64>();

/// The entries of some references, sorted by their words. References are numbered from 0.
#[derive(Debug)]
pub(crate) struct Segment {
    /// Where the postings of each word begin, and the end of the last.
    starts: Vec<u32>,
    postings: Postings,
    references: usize,
}

#[derive(Debug)]
enum Postings {
    Memory(Vec<u64>),
    Shelf(Box<dyn Stored>),
}

impl Segment {
    /// Builds a segment of references. Those beyond the limit are left out.
    pub(crate) fn new(references: &[&[Entry]]) -> Self {
        let references = &references[..references.len().min(MOST_REFERENCES)];
        let mut starts = vec![0_u32; WORDS + 1];
        for entry in references.iter().copied().flatten() {
            starts[entry.word() + 1] += 1;
        }
        for word in 0..WORDS {
            starts[word + 1] += starts[word];
        }
        let mut next = starts.clone();
        let mut postings = vec![0; position(starts[WORDS])];
        for (number, entries) in (0_u64..).zip(references) {
            for entry in *entries {
                let place = &mut next[entry.word()];
                postings[position(*place)] = number << NUMBER | entry.0 & ((1 << Entry::REST) - 1);
                *place += 1;
            }
        }
        Self { starts, postings: Postings::Memory(postings), references: references.len() }
    }

    /// Joins two segments in memory. The references of the second are numbered after those of the
    /// first. `None` if they are too many, or not in memory.
    pub(crate) fn joined(&self, other: &Self) -> Option<Self> {
        let references = self.references + other.references;
        let (Postings::Memory(first), Postings::Memory(second)) = (&self.postings, &other.postings)
        else {
            return None;
        };
        if references > MOST_REFERENCES {
            return None;
        }
        let shift = u64::try_from(self.references).ok()? << NUMBER;
        let mut starts = Vec::with_capacity(WORDS + 1);
        let mut postings = Vec::with_capacity(first.len() + second.len());
        for word in 0..WORDS {
            starts.push(u32::try_from(postings.len()).ok()?);
            postings.extend_from_slice(&first[self.range(word)]);
            postings.extend(second[other.range(word)].iter().map(|it| it + shift));
        }
        starts.push(u32::try_from(postings.len()).ok()?);
        Some(Self { starts, postings: Postings::Memory(postings), references })
    }

    /// Moves the postings out of memory.
    pub(crate) fn store(&mut self, shelf: &dyn Shelf) -> Result<(), ShelfError> {
        if let Postings::Memory(postings) = &self.postings {
            let bytes: Vec<u8> = postings.iter().flat_map(|it| it.to_le_bytes()).collect();
            self.postings = Postings::Shelf(shelf.store(&bytes)?);
        }
        Ok(())
    }

    /// The number of references.
    pub(crate) fn references(&self) -> usize {
        self.references
    }

    /// The bytes of memory that moving the postings out of it would free.
    pub(crate) fn movable(&self) -> usize {
        match &self.postings {
            Postings::Memory(postings) => postings.capacity() * POSTING,
            Postings::Shelf(_) => 0,
        }
    }

    /// The bytes of memory that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.movable()
    }

    /// The postings of a word; none if there are more than `most`. Those on a shelf are read into
    /// `buffer`.
    pub(crate) fn postings<'a>(
        &'a self,
        word: usize,
        most: usize,
        buffer: &'a mut Vec<u64>,
    ) -> Result<&'a [u64], ShelfError> {
        let range = self.range(word);
        if range.is_empty() || range.len() > most {
            return Ok(&[]);
        }
        match &self.postings {
            Postings::Memory(postings) => Ok(&postings[range]),
            Postings::Shelf(stored) => {
                let mut bytes = vec![0; range.len() * POSTING];
                let offset = u64::try_from(range.start * POSTING).unwrap_or(u64::MAX);
                stored.read(offset, &mut bytes)?;
                buffer.clear();
                buffer.extend(bytes.as_chunks().0.iter().map(|it| u64::from_le_bytes(*it)));
                Ok(buffer)
            }
        }
    }

    fn range(&self, word: usize) -> std::ops::Range<usize> {
        position(self.starts[word])..position(self.starts[word + 1])
    }
}

/// The number of the reference of a posting.
pub(crate) fn number(posting: u64) -> u16 {
    u16::try_from(posting >> NUMBER).unwrap_or(u16::MAX)
}

fn position(at: u32) -> usize {
    usize::try_from(at).unwrap_or(usize::MAX)
}
