//! Guesses the originals of cropped images. Nearly all frequencies of a cropped copy differ from
//! the original, but if the crop is guessed right and the missing part is filled with its mirror
//! image, most match again. So every image is also searched as a possible crop of a larger one.
//! That costs lookups, but no storage for hashes of parts.

use super::{ImageHash, Luma, orientations};

/// Guesses are computed on a scaled copy, because there are many of them.
const SIDE: usize = 384;

/// The share cut off in total, in thousandths of the original, if both ends were cut equally.
const EVEN: [usize; 4] = [50, 100, 150, 200];

/// The same if only one of the ends was cut.
const UNEVEN: [usize; 2] = [50, 100];

/// The share cut off in thousandths of the original: left, right, top, bottom.
type Cut = [usize; 4];

/// The hashes of the possible originals, each as is and mirrored.
pub(super) fn guesses(luma: Luma<'_>) -> Vec<ImageHash> {
    let (pixels, width, height) = reduced(luma);
    let small = Plane { pixels: &pixels, width, height };
    cuts().filter_map(|cut| small.whole(cut)).flatten().collect()
}

fn cuts() -> impl Iterator<Item = Cut> {
    let even = EVEN.into_iter().map(|it| [it / 2; 4]);
    let uneven = UNEVEN.into_iter().flat_map(|it| {
        let ends = move |at: usize| [at * it / 2, it - at * it / 2];
        let both = (0..9).filter(|at| *at != 4).map(move |at| [ends(at % 3), ends(at / 3)]);
        both.map(|[[left, right], [above, below]]| [left, right, above, below])
    });
    even.chain(uneven)
}

/// Scales down by averaging squares, so that no side exceeds the maximum.
fn reduced(luma: Luma<'_>) -> (Vec<u8>, usize, usize) {
    let factor = luma.width().max(luma.height()).div_ceil(SIDE);
    let rows: Vec<&[u8]> = luma.rows().collect();
    let mut pixels = Vec::new();
    for band in rows.chunks(factor) {
        for left in (0..luma.width()).step_by(factor) {
            let square = band.iter().flat_map(|row| row[left..].iter().take(factor));
            let (sum, count) =
                square.fold((0_usize, 0), |(sum, count), it| (sum + usize::from(*it), count + 1));
            pixels.push(u8::try_from((sum + count / 2) / count).unwrap_or(u8::MAX));
        }
    }
    (pixels, luma.width().div_ceil(factor), luma.height().div_ceil(factor))
}

struct Plane<'a> {
    pixels: &'a [u8],
    width: usize,
    height: usize,
}

impl Plane<'_> {
    fn whole(&self, [left, right, above, below]: Cut) -> Option<[ImageHash; 2]> {
        let columns = line(self.width, left, right);
        let rows = line(self.height, above, below);
        let row = |y: &usize| &self.pixels[y * self.width..][..self.width];
        let pixels: Vec<u8> =
            rows.iter().map(row).flat_map(|row| columns.iter().map(|x| row[*x])).collect();
        let (width, height) = (u32::try_from(columns.len()), u32::try_from(rows.len()));
        let hashes = orientations(Luma::new(&pixels, width.ok()?, height.ok()?)?).hashes;
        hashes.first_chunk().copied()
    }
}

/// The pixel positions of the original line, mirrored at the ends of the remaining part.
fn line(rest: usize, before: usize, after: usize) -> Vec<usize> {
    let whole = rest * 1_000 / (1_000 - before - after);
    let cut = whole * before / 1_000;
    let mirrored = |at: usize| match at.checked_sub(cut) {
        None => cut - at - 1,
        Some(at) if at < rest => at,
        Some(at) => 2 * rest - 1 - at,
    };
    (0..whole).map(mirrored).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likeness::{WEAK_DISTANCE, hash};

    #[test]
    fn a_line_is_filled_with_its_mirror_image() {
        assert_eq!(line(10, 0, 0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(line(8, 100, 100), [0, 0, 1, 2, 3, 4, 5, 6, 7, 7]);
        assert_eq!(line(8, 200, 0), [1, 0, 0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(line(1, 100, 100), [0]);
    }

    #[test]
    fn every_guess_is_another() {
        let mut all: Vec<Cut> = cuts().collect();
        assert_eq!(all.len(), 20);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 20);
        assert!(all.contains(&[0, 100, 50, 50]) && all.contains(&[100; 4]));
    }

    #[test]
    fn a_small_copy_has_the_means() {
        let pixels: Vec<u8> =
            (0..1_000).flat_map(|x| [if x % 2 == 0 { 10 } else { 30 }; 2]).collect();
        let (small, width, height) = reduced(Luma::new(&pixels, 2, 1_000).unwrap());
        assert_eq!((width, height, small.len()), (1, 334, 334));
        assert_eq!([small[0], small[1], small[333]], [17, 23, 30]);
    }

    #[test]
    fn a_crop_is_known_as_the_whole() {
        // Large squares in many shades.
        let shade = |x: u32, y: u32| ((x / 75 * 37) ^ (y / 57 * 91)).to_le_bytes()[0];
        let pixels: Vec<u8> = (0..400 * 600).map(|at| shade(at % 600, at / 600)).collect();
        let whole = Luma::new(&pixels, 600, 400).unwrap();
        let known = hash(whole).hash;
        let nearest = |part: Luma<'_>| guesses(part).iter().map(|it| it.distance(known)).min();
        for (columns, rows) in [(15..585, 10..390), (0..570, 10..390), (0..570, 20..400)] {
            let part = whole.part(columns, rows).unwrap();
            let (guessed, plain) = (nearest(part).unwrap(), hash(part).hash.distance(known));
            assert!(guessed <= WEAK_DISTANCE && guessed < plain, "{guessed} {plain}");
        }
    }
}
