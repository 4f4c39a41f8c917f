//! Maps from a reference to a picture.

/// A pair of places that look alike, in a reference and in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) from: [f32; 2],
    pub(crate) to: [f32; 2],
    /// The number of the feature of the reference.
    pub(crate) feature: usize,
    /// The bits in which the descriptions differ.
    pub(crate) distance: u32,
    /// By how much the place is larger, and turned.
    pub(crate) scale: f32,
    pub(crate) turn: f32,
}

/// A linear map with a shift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Map {
    pub(crate) columns: [[f32; 2]; 2],
    pub(crate) shift: [f32; 2],
}

/// The least sine of the angle between the images of the two axes, and the most that one may be
/// stretched more than the other.
const LEAST_SINE: f32 = 0.6;
const MOST_STRETCH: f32 = 2.2;
/// Pairs along a line say nothing about the direction across it.
const LEAST_SPREAD: f32 = 0.005;

impl Map {
    /// The turn and scale around a pair.
    pub(crate) fn of(pair: &Pair) -> Self {
        let (sine, cosine) = pair.turn.sin_cos();
        let (along, across) = (pair.scale * cosine, pair.scale * sine);
        Self::through([[along, across], [-across, along]], pair.from, pair.to)
    }

    fn through(columns: [[f32; 2]; 2], from: [f32; 2], to: [f32; 2]) -> Self {
        let map = Self { columns, shift: [0.0; 2] };
        let reached = map.apply(from);
        Self { shift: [to[0] - reached[0], to[1] - reached[1]], ..map }
    }

    pub(crate) fn apply(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [first, second] = self.columns;
        [first[0] * x + second[0] * y + self.shift[0], first[1] * x + second[1] * y + self.shift[1]]
    }

    /// The square of the distance from where a pair should be to where it is.
    pub(crate) fn error(&self, pair: &Pair) -> f32 {
        let [x, y] = self.apply(pair.from);
        (x - pair.to[0]).powi(2) + (y - pair.to[1]).powi(2)
    }

    /// By how much lengths grow on average.
    pub(crate) fn scale(&self) -> f32 {
        let [[a, b], [c, d]] = self.columns;
        (a * d - b * c).abs().sqrt()
    }

    /// The direction of the first axis in radians.
    pub(crate) fn turn(&self) -> f32 {
        self.columns[0][1].atan2(self.columns[0][0])
    }
}

/// The sums over pairs that both fits need, around the mean.
struct Sums {
    from: [f32; 2],
    to: [f32; 2],
    xx: f32,
    xy: f32,
    yy: f32,
    xu: f32,
    xv: f32,
    yu: f32,
    yv: f32,
}

impl Sums {
    fn of(pairs: &[Pair]) -> Self {
        let share = 1.0 / crate::number::real(pairs.len().max(1));
        let mean = |of: fn(&Pair) -> [f32; 2]| {
            let sum =
                pairs.iter().map(of).fold([0.0; 2], |sum, it| [sum[0] + it[0], sum[1] + it[1]]);
            sum.map(|it| it * share)
        };
        let (from, to) = (mean(|it| it.from), mean(|it| it.to));
        let [mut xx, mut xy, mut yy, mut xu, mut xv, mut yu, mut yv] = [0.0; 7];
        for pair in pairs {
            let (x, y) = (pair.from[0] - from[0], pair.from[1] - from[1]);
            let (u, v) = (pair.to[0] - to[0], pair.to[1] - to[1]);
            xx += x * x;
            xy += x * y;
            yy += y * y;
            xu += x * u;
            xv += x * v;
            yu += y * u;
            yv += y * v;
        }
        Self { from, to, xx, xy, yy, xu, xv, yu, yv }
    }
}

/// The turn and scale that fit pairs best.
pub(crate) fn similarity(pairs: &[Pair]) -> Option<Map> {
    let sums = Sums::of(pairs);
    let spread = sums.xx + sums.yy;
    if pairs.len() < 2 || spread < 1.0 {
        return None;
    }
    let (along, across) = ((sums.xu + sums.yv) / spread, (sums.xv - sums.yu) / spread);
    Some(Map::through([[along, across], [-across, along]], sums.from, sums.to))
}

/// The linear map that fits pairs best; `None` if they are too few, on a line, or stretched as no
/// copy is.
pub(crate) fn affine(pairs: &[Pair]) -> Option<Map> {
    let sums = Sums::of(pairs);
    let spread = sums.xx * sums.yy - sums.xy * sums.xy;
    if pairs.len() < 6 || spread < LEAST_SPREAD * (sums.xx + sums.yy).powi(2) || spread < 1.0 {
        return None;
    }
    let solve = |x: f32, y: f32| {
        ((x * sums.yy - y * sums.xy) / spread, (y * sums.xx - x * sums.xy) / spread)
    };
    let ((a, c), (b, d)) = (solve(sums.xu, sums.yu), solve(sums.xv, sums.yv));
    let (first, second) = (a.hypot(b), c.hypot(d));
    let sine = (a * d - b * c) / (first * second);
    let stretch = (first / second).max(second / first);
    // Also false if one of them is not a number.
    let sane = sine >= LEAST_SINE && stretch <= MOST_STRETCH;
    sane.then(|| Map::through([[a, b], [c, d]], sums.from, sums.to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(map: Map) -> Vec<Pair> {
        let place = |at: u8| [f32::from(at) * 17.0 % 101.0, f32::from(at) * 29.0 % 83.0];
        let pair = |at: u8| Pair {
            from: place(at),
            to: map.apply(place(at)),
            feature: usize::from(at),
            distance: 0,
            scale: map.scale(),
            turn: map.turn(),
        };
        (0..12).map(pair).collect()
    }

    fn near(one: Map, other: Map) -> bool {
        let places = [[0.0, 0.0], [100.0, 0.0], [0.0, 100.0]];
        places.iter().all(|it| {
            let ([x, y], [u, v]) = (one.apply(*it), other.apply(*it));
            (x - u).hypot(y - v) < 0.01
        })
    }

    #[test]
    fn a_map_is_found_from_pairs() {
        let turned = Map { columns: [[0.3, 0.4], [-0.4, 0.3]], shift: [5.0, -7.0] };
        let stretched = Map { columns: [[0.5, 0.1], [-0.2, 0.8]], shift: [1.0, 2.0] };
        assert!((turned.scale() - 0.5).abs() < 1e-6);
        assert!((turned.turn().to_degrees() - 53.13).abs() < 0.01);
        let [of_turned, of_stretched] = [turned, stretched].map(pairs);
        assert!(near(Map::of(&of_turned[3]), turned));
        assert!(similarity(&of_turned).is_some_and(|it| near(it, turned)));
        assert!(affine(&of_turned).is_some_and(|it| near(it, turned)));
        assert!(affine(&of_stretched).is_some_and(|it| near(it, stretched)));
    }

    #[test]
    fn pairs_that_say_too_little_give_no_map() {
        let all = pairs(Map { columns: [[1.0, 0.0], [0.0, 1.0]], shift: [0.0, 0.0] });
        let line: Vec<Pair> = (0_u8..9)
            .map(|it| Pair { from: [it.into(), 0.0], to: [it.into(), 0.0], ..all[0] })
            .collect();
        let thin = pairs(Map { columns: [[1.0, 0.0], [0.0, 0.2]], shift: [0.0, 0.0] });
        let mirrored = pairs(Map { columns: [[-1.0, 0.0], [0.0, 1.0]], shift: [0.0, 0.0] });
        for few in [&all[..5], &line, &thin, &mirrored] {
            assert_eq!(affine(few), None);
        }
        assert_eq!([similarity(&[]), similarity(&[all[0]; 3])], [None, None]);
    }
}
