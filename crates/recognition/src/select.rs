//! Chooses the places to describe: strong ones, from all parts of the picture and all scales, so that
//! cropped and downscaled copies keep some.

use crate::detect::Spot;
use crate::number::{real, whole};
use crate::pyramid::Octave;

/// The picture is divided into this many parts per side.
const PARTS: usize = 6;
/// The shares of the finest octave, the second, and all others, in percent.
const SHARES: [usize; 3] = [50, 28, 22];

/// Orders places so that each prefix is a good choice, and keeps up to `most`.
pub(crate) fn select(spots: Vec<Spot>, octaves: &[Octave], most: usize) -> Vec<Spot> {
    let Some(first) = octaves.first() else { return Vec::new() };
    let (width, height) = (real(first.levels[0].width), real(first.levels[0].height));
    let part = |at: f32, side: f32| whole(at / side * real(PARTS) - 0.5).min(PARTS - 1);
    let mut spots = spots;
    spots.sort_by(|one, other| other.contrast.total_cmp(&one.contrast));
    let mut counts = [[0_usize; PARTS * PARTS]; SHARES.len()];
    let mut ranked: [Vec<(usize, Spot)>; SHARES.len()] = Default::default();
    for spot in spots {
        let pixel = octaves[spot.octave].pixel;
        let group = spot.octave.min(SHARES.len() - 1);
        let part = part(spot.y * pixel, height) * PARTS + part(spot.x * pixel, width);
        ranked[group].push((counts[group][part], spot));
        counts[group][part] += 1;
    }
    for group in &mut ranked {
        // Stable, so equal ranks stay in the order of their contrast.
        group.sort_by_key(|(rank, _)| *rank);
    }
    merge(ranked.map(|group| group.into_iter().map(|(_, spot)| spot).collect()), most)
}

/// Merges the groups in the ratio of their shares. If one has too few, the others get more.
fn merge(groups: [Vec<Spot>; SHARES.len()], most: usize) -> Vec<Spot> {
    let mut keyed: Vec<(usize, Spot)> = Vec::new();
    for (group, share) in groups.into_iter().zip(SHARES) {
        keyed.extend((1..).zip(group).map(|(at, spot)| (at * 1_000 / share, spot)));
    }
    keyed.sort_by_key(|(key, _)| *key);
    keyed.truncate(most);
    keyed.into_iter().map(|(_, spot)| spot).collect()
}
