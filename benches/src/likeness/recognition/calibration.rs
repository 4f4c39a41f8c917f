//! The probability that a match is right, by its score: a logistic curve through labelled pairs.

use grantor_recognition::WEAK_SPREAD;

use super::number::count;
use super::{Row, SUITE};
use crate::measure::report;

/// Rounds of Newton's method.
const ROUNDS: usize = 25;
/// Scores above this are certain; a few of them would bend the curve.
const MOST: f64 = 16.0;
/// The bounds of the reported ranges of scores.
const BOUNDS: [f64; 10] = [0.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, MOST];
/// Keeps the curve finite if the labels can be separated without an error.
const RIDGE: f64 = 1e-3;

/// Fits and reports the curve. Each lookup has a right pair and the best wrong one. Pairs that agree
/// only in a small part are no match at any score, and left out.
pub(crate) fn report_curve(rows: &[Row]) {
    let lookups = || rows.iter().flat_map(|it| &it.lookups);
    let right = lookups().filter_map(|it| it.own).filter(|it| it.spread >= WEAK_SPREAD);
    let right = right.map(|it| (f64::from(it.score), 1.0));
    let wrong = lookups().filter_map(|it| it.best(None, WEAK_SPREAD));
    let wrong = wrong.map(|(it, _)| (f64::from(it.score), 0.0));
    let pairs: Vec<(f64, f64)> = right.chain(wrong).filter(|it| it.0 < MOST).collect();
    let (start, slope) = fit(&pairs);
    let sure = |score: f64| 1.0 / (1.0 + (-(start + slope * score)).exp());
    let text = format!(
        "confidence = 1 / (1 + exp(-({start:.2} + {slope:.3} × score))), from {} pairs",
        pairs.len()
    );
    report(SUITE, &text);
    for (low, high) in BOUNDS.into_iter().zip(BOUNDS.into_iter().skip(1)) {
        let inside: Vec<_> = pairs.iter().filter(|it| (low..high).contains(&it.0)).collect();
        let all = count(inside.len().max(1));
        let actual = inside.iter().map(|it| it.1).sum::<f64>() / all;
        let said = inside.iter().map(|it| sure(it.0)).sum::<f64>() / all;
        let text = format!("| {low} to {high} | {} | {said:.3} | {actual:.3} |", inside.len());
        report(SUITE, &text);
    }
}

/// The two parameters under which the labels are likeliest.
fn fit(pairs: &[(f64, f64)]) -> (f64, f64) {
    let (mut start, mut slope) = (-6.0, 1.0);
    for _ in 0..ROUNDS {
        let [mut a, mut b] = [-RIDGE * start, -RIDGE * slope];
        let [mut aa, mut ab, mut bb] = [RIDGE, 0.0, RIDGE];
        for (score, label) in pairs {
            let sure = 1.0 / (1.0 + (-(start + slope * score)).exp());
            let (error, weight) = (label - sure, sure * (1.0 - sure));
            a += error;
            b += error * score;
            aa += weight;
            ab += weight * score;
            bb += weight * score * score;
        }
        let all = aa * bb - ab * ab;
        start += (a * bb - b * ab) / all;
        slope += (b * aa - a * ab) / all;
    }
    (start, slope)
}
