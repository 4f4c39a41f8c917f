//! Finds the references of a segment that have several features in common with a picture, turned and
//! scaled by about the same.

use crate::entry::{TURNS, change, distance};
use crate::query::{Probe, Query};
use crate::segment::{Segment, number};
use crate::shelf::ShelfError;
use crate::vocabulary::PROBES;

/// The most differing bits of two signatures of the same feature.
const MOST_DIFFERENT: u32 = 10;
/// A reference with fewer votes, or less weight of them, is no candidate.
const LEAST_VOTES: u32 = 3;
const LEAST_WEIGHT: f32 = 24.0;
/// A word that more than one in this many references have says little, and is not looked up, unless
/// the references are few.
const RARE: usize = 32;
const LEAST_OF_WORD: usize = 1_024;
/// The postings of one segment that are read at most, to bound the time for any picture.
const MOST_READ: usize = 4_000_000;
/// Steps of the change of size that are told apart: each a half of a doubling.
const SIZES: usize = 32;

/// A reference of a segment that a picture may show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vote {
    /// The number of the reference in its segment.
    pub(crate) number: u16,
    /// Whether the mirrored picture shows it.
    pub(crate) mirrored: bool,
    /// How much they have in common.
    pub(crate) weight: f32,
    /// The votes.
    pub(crate) votes: u32,
}

/// A feature of the picture that resembles one of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Ballot {
    number: u16,
    mirrored: bool,
    feature: u16,
    distance: u8,
    turn: u8,
    size: i8,
}

/// Finds the references that may be shown by a picture, in no order.
pub(crate) fn votes(segment: &Segment, query: &Query) -> Result<Vec<Vote>, ShelfError> {
    let mut ballots = ballots(segment, query)?;
    let mut counts = vec![0_u32; segment.references() * 2];
    for ballot in &ballots {
        counts[ballot.slot()] += 1;
    }
    ballots.retain(|it| counts[it.slot()] >= LEAST_VOTES);
    ballots.sort_unstable();
    let same = |one: &Ballot, other: &Ballot| one.slot() == other.slot();
    Ok(ballots.chunk_by(same).filter_map(counted).collect())
}

impl Ballot {
    fn slot(self) -> usize {
        usize::from(self.number) * 2 + usize::from(self.mirrored)
    }
}

/// Reads the postings of all words, the most likely words first.
fn ballots(segment: &Segment, query: &Query) -> Result<Vec<Ballot>, ShelfError> {
    let mut ballots = Vec::new();
    let mut buffer = Vec::new();
    let mut read = 0;
    let most = (segment.references() / RARE).max(LEAST_OF_WORD);
    for rank in 0..PROBES {
        for (mirrored, probes) in [false, true].into_iter().zip(&query.probes) {
            for (feature, probes) in (0..).zip(probes) {
                let Probe { word, rest } = probes[rank];
                let postings = segment.postings(word.number(), most, &mut buffer)?;
                read += postings.len();
                if read > MOST_READ {
                    return Ok(ballots);
                }
                similar(postings, rest, |posting, distance| {
                    let (turn, size) = change(rest, posting);
                    let number = number(posting);
                    ballots.push(Ballot { number, mirrored, feature, distance, turn, size });
                });
            }
        }
    }
    Ok(ballots)
}

/// Calls `found` for the postings that resemble an entry.
#[inline]
fn similar(postings: &[u64], rest: u64, mut found: impl FnMut(u64, u8)) {
    let mut check = |posting: u64, distance: u32| {
        if distance <= MOST_DIFFERENT {
            found(posting, u8::try_from(distance).unwrap_or(u8::MAX));
        }
    };
    let (chunks, last) = postings.as_chunks::<8>();
    for chunk in chunks {
        // All at once, which is faster; most chunks have none.
        let distances = chunk.map(|posting| distance(posting, rest));
        if distances.iter().copied().fold(u32::MAX, u32::min) <= MOST_DIFFERENT {
            chunk.iter().zip(distances).for_each(|(posting, it)| check(*posting, it));
        }
    }
    for posting in last {
        check(*posting, distance(*posting, rest));
    }
}

/// Counts the ballots of one reference that agree on the change of direction and size. Each feature
/// of the picture has one vote.
fn counted(ballots: &[Ballot]) -> Option<Vote> {
    let mut cells = vec![(0.0_f32, 0_u32); usize::from(TURNS) * SIZES];
    let mut used = Vec::new();
    for own in ballots.chunk_by(|one, other| one.feature == other.feature) {
        // Sorted by their distance: the first is the most similar.
        let Some(ballot) = own.first() else { continue };
        let cell = ballot.cell();
        let weight = f32::from(u8::try_from(MOST_DIFFERENT).unwrap_or(0) + 2 - ballot.distance);
        if cells[cell].1 == 0 {
            used.push(cell);
        }
        cells[cell] = (cells[cell].0 + weight, cells[cell].1 + 1);
    }
    let around = used.iter().map(|cell| {
        let near = neighbors(*cell).map(|it| cells[it]);
        near.fold((0.0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1))
    });
    let (weight, votes) = around.max_by(|one, other| one.0.total_cmp(&other.0))?;
    let first = ballots.first()?;
    (votes >= LEAST_VOTES && weight >= LEAST_WEIGHT).then_some(Vote {
        number: first.number,
        mirrored: first.mirrored,
        weight,
        votes,
    })
}

impl Ballot {
    fn cell(self) -> usize {
        let size = usize::try_from((i16::from(self.size) + 32) >> 1).unwrap_or(0);
        usize::from(self.turn) * SIZES + size.min(SIZES - 1)
    }
}

/// The cells with nearly the same direction and size.
fn neighbors(cell: usize) -> impl Iterator<Item = usize> {
    let turns = usize::from(TURNS);
    let (turn, size) = (cell / SIZES, cell % SIZES);
    let near = [turns - 1, 0, 1].map(|by| (turn + by) % turns);
    let sizes = size.saturating_sub(1)..(size + 2).min(SIZES);
    near.into_iter().flat_map(move |turn| sizes.clone().map(move |size| turn * SIZES + size))
}
