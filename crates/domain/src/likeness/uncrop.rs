//! Guesses at what was cut off a picture. A cropped copy differs in nearly all waves from the whole;
//! but where the cut is guessed right and what is missing is filled with its mirror image, most of
//! them come back. So a picture that is met is also looked up as if it were the rest of a larger one:
//! this costs look-ups, and no room for hashes of parts that nobody ever cuts.

use super::{ImageHash, Luma, orientations};

/// Guesses are made on a small copy: there are many of them.
const SIDE: usize = 384;

/// What was cut off in all, in thousandths of the whole, if as much was at both ends.
const EVEN: [usize; 4] = [50, 100, 150, 200];

/// The same, if nothing was at one of the ends.
const UNEVEN: [usize; 2] = [50, 100];

/// Thousandths of the whole that were cut off: left, right, above, below.
type Cut = [usize; 4];

/// The hashes of what may have been before, each as it is and mirrored.
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

/// Means of squares, so that no side is longer than it need be.
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

/// Which pixels make the whole line of which this is the rest, mirrored at the ends.
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
        // Large squares of many shades.
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
