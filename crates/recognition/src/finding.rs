//! What a picture shows of a reference, and how sure that is.

use crate::geometry::Map;
use crate::number::{real, whole};
use crate::query::Query;
use crate::reference::Reference;
use crate::shade::alike;
use crate::verify::agreement;

/// The least score of a strong match.
pub const STRICT_SCORE: f32 = 8.0;
/// The least score of a weak match, which is left for a person to review.
pub const WEAK_SCORE: f32 = 6.0;

/// The least share of what is seen of the reference over which the features of a strong match are
/// spread. If they are in a smaller part, the pictures may only have a logo or a word in common.
pub const STRICT_SPREAD: f32 = 0.08;
/// The same for a weak match.
pub const WEAK_SPREAD: f32 = 0.05;

/// The least share of what is seen of the reference that a strong match shows with the same
/// brightness, from each score on. Lattices and logos have details in the same arrangement, but the
/// rest differs. The more details agree, the more of a copy may be covered.
pub const STRICT_ALIKE: [(f32, f32); 3] = [(0.0, 0.65), (20.0, 0.48), (SURE_SCORE, 0.28)];
/// The same for a weak match, if it is less.
pub const WEAK_ALIKE: f32 = 0.5;
/// From this score on, a picture that is plain from afar may be a strong match.
pub const SURE_SCORE: f32 = 40.0;

/// The strength of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Wrong less often than the weak rate.
    Weak,
    /// Wrong less often than the strict rate.
    Strong,
}

/// The most that a match is sure of: even high scores were wrong now and then.
const MOST_SURE: f64 = 0.99;

/// The probability that two pictures with this score show the same, in thousandths: a logistic
/// curve, fitted to labelled pairs whatever their brightness. Matches agree in that, too, and are
/// right more often.
#[must_use]
pub fn confidence(score: f32) -> f64 {
    let sure = 1.0 / (1.0 + (8.57 - 1.376 * f64::from(score)).exp());
    (sure.min(MOST_SURE) * 1_000.0).round() / 1_000.0
}

/// A reference that a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How much agrees.
    pub score: f32,
    /// The number of features that agree.
    pub features: usize,
    /// Over which share of what is seen of the reference they are spread, from 0 to 1.
    pub spread: f32,
    /// Which share of what is seen of the reference has the same brightness in the picture, from 0
    /// to 1. `None` if the score and spread are those of no match, too little is seen, or all of it
    /// is plain from afar.
    pub alike: Option<f32>,
    /// Whether the picture shows a mirror image of the reference.
    pub mirrored: bool,
    /// The size of the reference in the picture. At 1, the longer side of the reference is as long as
    /// the longer side of the picture.
    pub scale: f32,
    /// By how many degrees the reference is turned clockwise, from -180 to 180.
    pub rotation: f32,
    /// The corners of the part of the picture that shows the reference, in order, in thousandths of
    /// the width and height of the picture.
    pub outline: Vec<[u16; 2]>,
}

impl Finding {
    /// The strength of the match; `None` if it is none.
    #[must_use]
    pub fn strength(&self) -> Option<Strength> {
        if self.score >= STRICT_SCORE && self.is_whole() {
            Some(Strength::Strong)
        } else if is_arranged(self.score, self.spread)
            && self.alike.is_none_or(|it| it >= self.least_alike().min(WEAK_ALIKE))
        {
            Some(Strength::Weak)
        } else {
            None
        }
    }

    /// The probability that the match is right. Pictures that agree only in a part may have just a
    /// logo in common, however well it agrees: they are no surer than the weakest match.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        confidence(if self.is_whole() { self.score } else { WEAK_SCORE })
    }

    /// Whether the pictures agree in more than a part.
    fn is_whole(&self) -> bool {
        let alike = match self.alike {
            Some(alike) => alike >= self.least_alike(),
            None => self.score >= SURE_SCORE,
        };
        alike && self.spread >= STRICT_SPREAD
    }

    /// The least share that must look alike in a strong match with this score.
    fn least_alike(&self) -> f32 {
        let reached = STRICT_ALIKE.iter().rev().find(|(score, _)| self.score >= *score);
        reached.map_or(1.0, |(_, share)| *share)
    }
}

/// Whether features agree so much, over such a share, that it may be a match.
fn is_arranged(score: f32, spread: f32) -> bool {
    score >= WEAK_SCORE && spread >= WEAK_SPREAD
}

/// Checks whether a picture, or the mirrored picture, shows a reference. `None` if they have no
/// arrangement of features in common; see [`Finding::strength`] for whether it is a match.
#[must_use]
pub fn compare(query: &Query, mirrored: bool, reference: &Reference) -> Option<Finding> {
    let found = agreement(query, mirrored, reference)?;
    let turn = found.map.turn().to_degrees();
    let seen = seen(query, reference, found.map);
    let spread = (extent(&found.places) / area(&seen).max(1.0)).min(1.0);
    // Others are no match, however much looks alike.
    let may_match = is_arranged(found.score, spread);
    let alike = may_match.then(|| alike(query, mirrored, reference, found.map)).flatten();
    Some(Finding {
        score: found.score,
        features: found.places.len(),
        spread,
        alike,
        mirrored,
        scale: found.map.scale(),
        // The map leads to the mirrored picture, where everything turns the other way.
        rotation: if mirrored { -turn } else { turn },
        outline: outline(query, mirrored, &seen),
    })
}

/// The part of the picture, or of the mirrored picture, that a reference is mapped to, in pixels.
fn seen(query: &Query, reference: &Reference, map: Map) -> Vec<[f32; 2]> {
    let [right, bottom] = [reference.width, reference.height].map(f32::from);
    let corners = [[0.0, 0.0], [right, 0.0], [right, bottom], [0.0, bottom]];
    let mut seen = corners.map(|it| map.apply(it)).to_vec();
    for (axis, most) in [query.width, query.height].map(f32::from).into_iter().enumerate() {
        seen = cut(&seen, |it| it[axis]);
        seen = cut(&seen, |it| most - it[axis]);
    }
    seen
}

/// The same in thousandths of the picture.
fn outline(query: &Query, mirrored: bool, seen: &[[f32; 2]]) -> Vec<[u16; 2]> {
    let [width, height] = [query.width, query.height].map(f32::from);
    let share = |it: f32| u16::try_from(whole(it * 1_000.0)).unwrap_or(u16::MAX).min(1_000);
    let place = |[x, y]: &[f32; 2]| {
        let x = if mirrored { width - x } else { *x };
        [share(x / width), share(y / height)]
    };
    seen.iter().map(place).collect()
}

/// The area of a shape.
fn area(shape: &[[f32; 2]]) -> f32 {
    let next = shape.iter().cycle().skip(1);
    let twice: f32 =
        shape.iter().zip(next).map(|(one, two)| one[0] * two[1] - two[0] * one[1]).sum();
    twice.abs() / 2.0
}

/// The area over which places are spread: that of a rectangle in which places spread evenly would
/// vary as much. A single place far away changes it little.
fn extent(places: &[[f32; 2]]) -> f32 {
    let share = 1.0 / real(places.len().max(1));
    let mean = [0, 1].map(|axis| places.iter().map(|it| it[axis]).sum::<f32>() * share);
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for [x, y] in places {
        let (x, y) = (x - mean[0], y - mean[1]);
        xx += x * x * share;
        xy += x * y * share;
        yy += y * y * share;
    }
    12.0 * (xx * yy - xy * xy).max(0.0).sqrt()
}

/// The part of a shape where a value is not negative.
fn cut(shape: &[[f32; 2]], value: impl Fn(&[f32; 2]) -> f32) -> Vec<[f32; 2]> {
    let mut kept = Vec::new();
    for (at, here) in shape.iter().enumerate() {
        let next = &shape[(at + 1) % shape.len()];
        let (own, other) = (value(here), value(next));
        if own >= 0.0 {
            kept.push(*here);
        }
        if (own >= 0.0) != (other >= 0.0) {
            let part = own / (own - other);
            kept.push([0, 1].map(|axis| here[axis] + (next[axis] - here[axis]) * part));
        }
    }
    kept
}
