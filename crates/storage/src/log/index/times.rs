//! The times of indexed entries, so that a time range becomes a set of numbers.
//!
//! Numbers are in time order, except for entries that were committed late. Each span of 128 numbers
//! stores the earliest and the latest time of its entries: nearly all spans are inside or outside
//! of a range, and only the entries of the few spans at its ends are read.

use std::collections::BTreeMap;
use std::ops::Range;

use grantor_domain::Timestamp;

use crate::bitmap::{BLOCK, NumberSet};
use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Tx, only_column};

/// Numbers in a span.
const SPAN: i64 = 128;
/// Bytes of a stored span: its earliest and latest time.
const BYTES: usize = 16;

/// The earliest and the latest time of some entries, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    earliest: i64,
    latest: i64,
}

/// The spans of a block.
#[derive(Debug, Default, PartialEq, Eq)]
struct Spans(Vec<Span>);

impl Span {
    const EMPTY: Self = Self { earliest: i64::MAX, latest: i64::MIN };

    fn widen(&mut self, other: Self) {
        self.earliest = self.earliest.min(other.earliest);
        self.latest = self.latest.max(other.latest);
    }

    fn is_within(self, range: &Range<i64>) -> bool {
        range.start <= self.earliest && self.latest < range.end
    }

    fn touches(self, range: &Range<i64>) -> bool {
        range.start <= self.latest && self.earliest < range.end
    }
}

impl Spans {
    fn note(&mut self, number: i64, at: i64) {
        let place = usize::try_from(number % BLOCK / SPAN).unwrap_or_default();
        if self.0.len() <= place {
            self.0.resize(place + 1, Span::EMPTY);
        }
        self.0[place].widen(Span { earliest: at, latest: at });
    }

    fn whole(&self) -> Span {
        self.0.iter().fold(Span::EMPTY, |mut whole, it| {
            whole.widen(*it);
            whole
        })
    }

    fn to_bytes(&self) -> Vec<u8> {
        let bytes = |it: &Span| [it.earliest.to_le_bytes(), it.latest.to_le_bytes()].concat();
        self.0.iter().flat_map(bytes).collect()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let spans = bytes.chunks_exact(BYTES);
        if !spans.remainder().is_empty() {
            return Err(Error::Fault("invalid time spans in a block of the log index".into()));
        }
        let read = |it: &[u8]| i64::from_le_bytes(it.try_into().unwrap_or_default());
        let span = |it: &[u8]| Span { earliest: read(&it[..8]), latest: read(&it[8..]) };
        Ok(Self(spans.map(span).collect()))
    }
}

/// Records the times of these numbers.
pub(super) fn add(tx: &mut Tx<'_>, numbers: impl Iterator<Item = (i64, Timestamp)>) -> Result<()> {
    let mut blocks = BTreeMap::<i64, Vec<_>>::new();
    for (number, at) in numbers {
        blocks.entry(NumberSet::block_of(number)).or_default().push((number, at));
    }
    for (block, numbers) in blocks {
        let stored: Option<Vec<u8>> =
            tx.find(sql!("SELECT spans FROM log_times WHERE block = $1"), params![block], |row| {
                only_column(row)
            })?;
        let mut spans = Spans::from_bytes(&stored.unwrap_or_default())?;
        for (number, at) in numbers {
            spans.note(number, at.as_micros());
        }
        let Span { earliest, latest } = spans.whole();
        tx.execute(
            sql!(
                "INSERT INTO log_times (block, earliest, latest, spans) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (block) DO UPDATE SET earliest = $2, latest = $3, spans = $4"
            ),
            params![block, earliest, latest, spans.to_bytes()],
        )?;
    }
    Ok(())
}

/// The numbers of all entries in a time range. The result may contain numbers without an entry.
pub(super) fn within(tx: &mut Tx<'_>, range: &Range<Timestamp>) -> Result<NumberSet> {
    let times = range.start.as_micros()..range.end.as_micros();
    let blocks = tx.query(
        sql!(
            "SELECT block, spans FROM log_times WHERE latest >= $1 AND earliest < $2
             ORDER BY block"
        ),
        params![times.start, times.end],
        |row| Ok((row.get::<i64>("block")?, row.get::<Vec<u8>>("spans")?)),
    )?;
    let (mut inside, mut unsure) = (NumberSet::default(), Vec::<Range<i64>>::new());
    for (block, spans) in blocks {
        for (span, at) in Spans::from_bytes(&spans)?.0.into_iter().zip(0..) {
            let first = block * BLOCK + at * SPAN;
            let numbers = first..first + SPAN;
            if span.is_within(&times) {
                inside.insert_all(numbers);
            } else if span.touches(&times) {
                match unsure.last_mut().filter(|it| it.end == first) {
                    Some(last) => last.end = numbers.end,
                    None => unsure.push(numbers),
                }
            }
        }
    }
    for numbers in unsure {
        add_matching(tx, &numbers, &times, &mut inside)?;
    }
    Ok(inside)
}

/// Adds those of these numbers scope entries are in the time range.
fn add_matching(
    tx: &mut Tx<'_>,
    numbers: &Range<i64>,
    times: &Range<i64>,
    into: &mut NumberSet,
) -> Result<()> {
    let found = tx.query(
        sql!(
            "SELECT number FROM log_entries WHERE number >= $1 AND number < $2
               AND created_at >= $3 AND created_at < $4"
        ),
        params![numbers.start, numbers.end, times.start, times.end],
        only_column,
    )?;
    for number in found {
        into.insert(number);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_as_wide_as_their_times() {
        let mut spans = Spans::default();
        for (number, at) in [(BLOCK, 50), (BLOCK + 127, 20), (BLOCK + 300, -5)] {
            spans.note(number, at);
        }
        let expected = [(20, 50), (i64::MAX, i64::MIN), (-5, -5)];
        let expected = expected.map(|(earliest, latest)| Span { earliest, latest });
        assert_eq!(spans.0, expected);
        assert_eq!(spans.whole(), Span { earliest: -5, latest: 50 });
        assert_eq!(Spans::from_bytes(&spans.to_bytes()), Ok(spans));
        assert!(Spans::from_bytes(&[0; 17]).is_err());
    }

    #[test]
    fn a_span_is_inside_at_an_end_or_outside() {
        let span = Span { earliest: 10, latest: 20 };
        for (range, within, touches) in [
            (10..21, true, true),
            (10..20, false, true),
            (11..21, false, true),
            (20..30, false, true),
            (21..30, false, false),
            (0..10, false, false),
            (0..11, false, true),
        ] {
            assert_eq!((span.is_within(&range), span.touches(&range)), (within, touches));
        }
        assert!(!Span::EMPTY.touches(&(i64::MIN..i64::MAX)));
    }
}
