//! Checks whether a picture shows a reference: whether enough of their features look alike and lie in
//! the same arrangement.

use std::f32::consts::{PI, TAU};

use crate::feature::Feature;
use crate::geometry::{Map, Pair, affine, similarity};
use crate::number::real;
use crate::query::Query;
use crate::reference::Reference;

/// The most differing bits of the descriptions of one feature.
const MOST_DIFFERENT: u32 = 80;
/// The most pairs whose turn and scale are tried.
const MOST_TRIED: usize = 80;
/// The range of scales of copies.
const SCALES: std::ops::RangeInclusive<f32> = 0.08..=8.0;
/// How far a place may be from where it should be, in pixels of a copy of the same size: at first,
/// when the map is fitted, and in the end.
const TOLERANCES: [f32; 3] = [14.0, 9.0, 6.0];
const TOLERANCE: f32 = 5.0;
/// By how many doublings and radians the size and direction of one place may differ from the map.
const SIZE_TOLERANCE: f32 = 0.7;
const TURN_TOLERANCE: f32 = 0.45;
/// Places of the picture closer than this count once.
const APART: f32 = 1.5;
/// A score at which no better arrangement is searched for.
const ENOUGH: f32 = 30.0;
/// The most differing bits in the first half of a description; more are not worth comparing.
const MOST_IN_HALF: u32 = 52;
/// Fewer pairs are no arrangement.
const LEAST_PAIRS: usize = 3;

/// What a picture and a reference have in common.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Agreement {
    /// The sum of the weights of the pairs that agree: at most 1 each, less if they look less alike.
    pub(crate) score: f32,
    /// Where the pairs are in the picture.
    pub(crate) places: Vec<[f32; 2]>,
    /// From the reference to the picture.
    pub(crate) map: Map,
}

/// Finds the arrangement in which most features agree.
pub(crate) fn agreement(query: &Query, mirrored: bool, reference: &Reference) -> Option<Agreement> {
    let pairs = pairs(query.view(mirrored), &reference.features);
    let (map, around) = hypothesis(&pairs)?;
    let mut best = tally(&pairs, map, around, TOLERANCES[0], reference.len());
    for (round, tolerance) in TOLERANCES.into_iter().enumerate() {
        let inside: Vec<Pair> = agreeing(&pairs, best.map, around, tolerance).copied().collect();
        let fitted = if round == 0 { None } else { affine(&inside) };
        let Some(map) = fitted.or_else(|| similarity(&inside)) else { break };
        let next = TOLERANCES.get(round + 1).map_or(TOLERANCE, |_| tolerance);
        best = tally(&pairs, map, around, next, reference.len());
    }
    (best.places.len() >= LEAST_PAIRS).then_some(best)
}

/// The pair around which most pairs agree, with the map that turns and scales as it does.
fn hypothesis(pairs: &[Pair]) -> Option<(Map, &Pair)> {
    let mut best = (0.0, None);
    for pair in pairs.iter().filter(|it| SCALES.contains(&it.scale)).take(MOST_TRIED) {
        let map = Map::of(pair);
        let agreeing = agreeing(pairs, map, pair, TOLERANCES[0]);
        let score: f32 = agreeing.map(|it| weight(it.distance)).sum();
        if score > best.0 {
            best = (score, Some((map, pair)));
        }
        // Most agree, so no other can be much better.
        if score > ENOUGH && score * 2.0 > real(pairs.len()) {
            break;
        }
    }
    best.1
}

/// The most similar feature of the reference for each of the picture, most similar first.
fn pairs(picture: &[Feature], reference: &[Feature]) -> Vec<Pair> {
    let halves: Vec<[u64; 2]> = reference.iter().map(|it| [it.bits.0[0], it.bits.0[1]]).collect();
    let mut distances = vec![0_u32; halves.len()];
    let mut pairs = Vec::new();
    for one in picture {
        let [first, second, ..] = one.bits.0;
        // Separate from what follows, so that several are computed at once.
        for (distance, half) in distances.iter_mut().zip(&halves) {
            *distance = (half[0] ^ first).count_ones() + (half[1] ^ second).count_ones();
        }
        let (mut least, mut nearest) = (MOST_DIFFERENT + 1, None);
        for (number, half) in distances.iter().enumerate() {
            if *half < least.min(MOST_IN_HALF + 1) {
                let distance = one.bits.distance(&reference[number].bits);
                if distance < least {
                    (least, nearest) = (distance, Some(number));
                }
            }
        }
        let pair = |number: usize| pair(one, &reference[number], number, least);
        pairs.extend(nearest.map(pair));
    }
    pairs.sort_by_key(|it| it.distance);
    pairs
}

fn pair(one: &Feature, other: &Feature, feature: usize, distance: u32) -> Pair {
    let (to, from) = (one.place, other.place);
    Pair {
        from: [from.x, from.y],
        to: [to.x, to.y],
        feature,
        distance,
        scale: to.size / from.size,
        turn: to.turn - from.turn,
    }
}

/// The pairs that lie where a map says, and are scaled and turned like a certain pair.
fn agreeing<'a>(
    pairs: &'a [Pair],
    map: Map,
    around: &'a Pair,
    tolerance: f32,
) -> impl Iterator<Item = &'a Pair> {
    let most = (tolerance * around.scale.clamp(0.4, 2.0)).powi(2);
    let (larger, smaller) = (SIZE_TOLERANCE.exp2(), (-SIZE_TOLERANCE).exp2());
    let scales = around.scale * smaller..around.scale * larger;
    pairs.iter().filter(move |pair| {
        map.error(pair) <= most
            && scales.contains(&pair.scale)
            && between(pair.turn, around.turn) < TURN_TOLERANCE
    })
}

/// The angle between two directions.
fn between(one: f32, other: f32) -> f32 {
    let turn = (one - other).rem_euclid(TAU);
    turn.min(TAU - turn).min(PI)
}

/// Counts the pairs that agree, each place only once.
fn tally(pairs: &[Pair], map: Map, around: &Pair, tolerance: f32, features: usize) -> Agreement {
    let mut used = vec![false; features];
    let mut places: Vec<[f32; 2]> = Vec::new();
    let mut score = 0.0;
    for pair in agreeing(pairs, map, around, tolerance) {
        let close = |it: &[f32; 2]| {
            (it[0] - pair.to[0]).abs() < APART && (it[1] - pair.to[1]).abs() < APART
        };
        if used[pair.feature] || places.iter().any(close) {
            continue;
        }
        used[pair.feature] = true;
        places.push(pair.to);
        score += weight(pair.distance);
    }
    Agreement { score, places, map }
}

/// Features that look less alike count less.
fn weight(distance: u32) -> f32 {
    let left = usize::try_from((MOST_DIFFERENT + 8).saturating_sub(distance)).unwrap_or(0);
    (real(left) / 40.0).min(1.0)
}
