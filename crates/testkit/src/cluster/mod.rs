//! What a test of several nodes needs: links that can be cut, PostgreSQL with a standby, clocks
//! that can be set, and a checker of histories.

pub mod linearizability;
mod link;
mod postgres_pair;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::time::interval;

pub use link::{Link, LinkState};
pub use postgres_pair::PostgresPair;

/// The library that sets the clock of a single program, found by `cargo xtask servers`.
const CLOCK_LIBRARY: &str = "GRANTOR_TEST_FAKETIME";

/// The path of the library that sets the clock of a single program.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "tests get their tools from the environment")]
pub fn clock_library() -> PathBuf {
    let path = std::env::var_os(CLOCK_LIBRARY);
    let path = path.unwrap_or_else(|| {
        panic!("{CLOCK_LIBRARY} is not set: run `make test`, or `cargo xtask servers -- <command>`")
    });
    path.into()
}

/// A number that whoever runs a test may choose, such as the seed of a run that is to be repeated.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "whoever runs a test chooses it in the environment")]
pub fn chosen(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

/// The current time, for tests that measure real programs.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "real programs have no mock clock")]
pub fn now() -> Instant {
    Instant::now()
}

/// Waits, for tests in which real time has to pass.
pub async fn pause(duration: Duration) {
    let mut ticks = interval(duration.max(Duration::from_millis(1)));
    ticks.tick().await;
    ticks.tick().await;
}

/// Reproducible randomness of a test.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Starts with a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number (`SplitMix64`).
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below this one, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a number of 64 bits");
        usize::try_from(self.roll() % bound).expect("less than a usize")
    }

    /// A duration between two numbers of milliseconds.
    pub fn millis(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.roll() % (to - from).max(1))
    }

    /// Puts things into random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}
