//! The brightness values of an image or a part of it.

use std::ops::Range;

/// How much a border pixel may deviate from the border color because of compression.
const BORDER_NOISE: u8 = 16;

/// At most one in this many pixels of a border line may have another color.
const BORDER_STRAYS: usize = 50;

/// Brightness values in rows from the top, from 0 for black to 255 for white.
#[derive(Clone, Copy, Debug)]
pub struct Luma<'a> {
    /// From the first to the last pixel of the part.
    pixels: &'a [u8],
    /// The distance between the starts of two rows.
    stride: usize,
    width: usize,
    height: usize,
}

impl<'a> Luma<'a> {
    /// Creates an image; returns `None` if it is empty or the size does not match.
    #[must_use]
    pub fn new(pixels: &'a [u8], width: u32, height: u32) -> Option<Self> {
        let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
        let fits = !pixels.is_empty() && width.checked_mul(height) == Some(pixels.len());
        fits.then_some(Self { pixels, stride: width, width, height })
    }

    /// The brightness of a color, with the weights of Rec. 601.
    #[must_use]
    pub fn of_rgb([red, green, blue]: [u8; 3]) -> u8 {
        let sum = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
        u8::try_from((sum + 500) / 1_000).unwrap_or(u8::MAX)
    }

    /// The width in pixels.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The height in pixels.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// A rectangular part; `None` if it is empty or not inside the image.
    #[must_use]
    pub fn part(&self, columns: Range<usize>, rows: Range<usize>) -> Option<Self> {
        let inside = columns.end <= self.width && rows.end <= self.height;
        if !inside || columns.is_empty() || rows.is_empty() {
            return None;
        }
        let pixels = &self.pixels[rows.start * self.stride + columns.start..];
        Some(Self { pixels, width: columns.len(), height: rows.len(), ..*self })
    }

    /// The columns and rows inside a single-color border; `None` if there is no border or little
    /// inside.
    #[must_use]
    pub fn inside_border(&self) -> Option<(Range<usize>, Range<usize>)> {
        let (rows, columns) = (0..self.height, 0..self.width);
        let top = border(rows.clone().map(|it| self.row(it)));
        let bottom = border(rows.rev().map(|it| self.row(it)));
        let left = border(columns.clone().map(|it| self.column(it)));
        let right = border(columns.rev().map(|it| self.column(it)));
        let inside = left..self.width.saturating_sub(right);
        let between = top..self.height.saturating_sub(bottom);
        let much = inside.len() * 4 >= self.width && between.len() * 4 >= self.height;
        let any = top + bottom + left + right > 0;
        (any && much).then_some((inside, between))
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let width = self.width;
        self.pixels.chunks(self.stride).take(self.height).map(move |row| &row[..width])
    }

    fn row(&self, at: usize) -> impl Iterator<Item = u8> + Clone + use<'a> {
        self.pixels[at * self.stride..][..self.width].iter().copied()
    }

    fn column(&self, at: usize) -> impl Iterator<Item = u8> + Clone + use<'a> {
        self.pixels[at..].iter().copied().step_by(self.stride).take(self.height)
    }
}

/// The number of lines from an edge that have the color of the edge.
fn border<L: Iterator<Item = u8> + Clone>(lines: impl Iterator<Item = L>) -> usize {
    let mut color = None;
    let mut count = 0;
    for line in lines {
        let length = line.clone().count();
        let middle = *color.get_or_insert_with(|| middle(line.clone()));
        let strays = line.filter(|it| it.abs_diff(middle) > BORDER_NOISE).count();
        if strays * BORDER_STRAYS > length {
            break;
        }
        count += 1;
    }
    count
}

/// The median of a line.
fn middle(line: impl Iterator<Item = u8>) -> u8 {
    let mut values: Vec<u8> = line.collect();
    let half = values.len() / 2;
    *values.select_nth_unstable(half).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_fill_the_size() {
        assert!(Luma::new(&[0; 6], 3, 2).is_some());
        for (pixels, width, height) in
            [(&[0; 6][..], 3, 3), (&[], 0, 0), (&[0; 6], u32::MAX, u32::MAX)]
        {
            assert!(Luma::new(pixels, width, height).is_none());
        }
    }

    #[test]
    fn a_part_is_inside_the_whole() {
        let pixels = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        let whole = Luma::new(&pixels, 3, 3).unwrap();
        let rows = |it: Luma<'_>| it.rows().map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(whole.part(1..3, 0..2).map(rows), Some(vec![vec![2, 3], vec![5, 6]]));
        let inner = whole.part(1..3, 1..3).unwrap();
        assert_eq!(inner.part(1..2, 1..2).map(rows), Some(vec![vec![9]]));
        for (columns, lines) in [(0..4, 0..1), (0..1, 2..4), (1..1, 0..1)] {
            assert!(whole.part(columns, lines).is_none());
        }
    }

    #[test]
    fn a_border_is_taken_off() {
        let mut pixels = [250; 100];
        for (at, pixel) in pixels.iter_mut().enumerate() {
            if (2..7).contains(&(at / 10)) && (3..8).contains(&(at % 10)) {
                *pixel = u8::try_from(at).unwrap();
            }
        }
        let whole = Luma::new(&pixels, 10, 10).unwrap();
        let (columns, rows) = whole.inside_border().unwrap();
        assert_eq!((&columns, &rows), (&(3..8), &(2..7)));
        let inside = whole.part(columns, rows).unwrap();
        assert_eq!(inside.rows().next().unwrap(), [23, 24, 25, 26, 27]);
        assert!(inside.inside_border().is_none());
        assert!(Luma::new(&[7; 100], 10, 10).unwrap().inside_border().is_none());
    }

    #[test]
    fn brightness_is_that_of_the_colors_together() {
        let found = [[0; 3], [255; 3], [255, 0, 0], [0, 255, 0], [0, 0, 255]].map(Luma::of_rgb);
        assert_eq!(found, [0, 255, 76, 150, 29]);
    }
}
