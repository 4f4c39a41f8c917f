//! Whether an address or a key is known cannot be told from the time an answer takes.
//!
//! Known and unknown are asked in turn, whichever first by chance, and each pair gives a difference.
//! If the two take as long, half of the differences lie below zero, whatever the noise: the sign test.
//! The number of pairs and the significance are fixed beforehand, and there is one decision: it fails
//! when the interval that holds the median but for four standard deviations lies beyond a fiftieth of
//! the time that an answer takes. By chance alone that happens less than once in 16,000 measurements.
//!
//! Without the fiftieth, a quiet machine sees differences of up to a hundredth in a debug build. They
//! are there, but are not what these tests look for. The controls show what is still seen when somebody
//! signs in: ten cheap hashes, and one read of its own. Less than that may pass.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use grantor_domain::limit::Limits;
use grantor_domain::password::Password;
use grantor_storage::user;
use grantor_testkit::app::{TestApp, TestConfig};
use grantor_testkit::{Engine, Fixture as _, repeats, seed};
use serde_json::json;

use super::Dice;
use super::enumeration::{ASKS, Ask, Street};
use crate::external::Office;
use crate::license::World;

const ADDRESS: &str = "203.0.113.7";
/// How far the signs may be from even: further than that is met once in 16,000 times by chance.
const DEVIATIONS: usize = 4;
/// A difference counts from this fraction of the time that an answer takes.
const FRACTION: i64 = 50;

/// Where the median of the differences lies, in nanoseconds.
#[derive(Debug)]
#[expect(dead_code, reason = "the median is for people")]
struct Interval {
    low: i64,
    median: i64,
    high: i64,
    /// The smallest difference that counts.
    least: i64,
}

impl Interval {
    /// By the sign test: of n fair signs, a deviation is half the root of n.
    fn of(mut differences: Vec<i64>, mut times: Vec<i64>) -> Self {
        times.sort_unstable();
        let least = times[times.len() / 2] / FRACTION;
        differences.sort_unstable();
        let count = differences.len();
        let away = DEVIATIONS * count.isqrt().div_ceil(2) + 1;
        let (low, high) = (count / 2 - away, (count / 2 + away).min(count - 1));
        let median = differences[count / 2];
        Self { low: differences[low], median, high: differences[high], least }
    }

    /// Whether the known takes longer, or the unknown does.
    fn tells(&self) -> bool {
        self.low > self.least || self.is_longer_for_strangers()
    }

    fn is_longer_for_strangers(&self) -> bool {
        self.high < -self.least
    }
}

async fn street() -> Street {
    let config = TestConfig { limits: Limits::off(), ..TestConfig::default() };
    Street::of(Office::with_config(Engine::Sqlite, config).await).await
}

#[expect(clippy::disallowed_methods, reason = "what is measured is real time")]
async fn timed(work: impl Future) -> Duration {
    let begun = Instant::now();
    work.await;
    begun.elapsed()
}

fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap()
}

/// Measures so many pairs; `ready` is called with the number of each before it.
async fn measure(
    pairs: u32,
    ready: impl AsyncFn(u32),
    known: impl AsyncFn(),
    stranger: impl AsyncFn(),
) -> Interval {
    let (mut dice, mut differences, mut times) = (Dice::new(1), Vec::new(), Vec::new());
    for pair in 0..pairs {
        ready(pair).await;
        let (known, stranger) = if dice.below(2) == 0 {
            let known = timed(known()).await;
            (known, timed(stranger()).await)
        } else {
            let stranger = timed(stranger()).await;
            (timed(known()).await, stranger)
        };
        let (known, stranger) = (nanos(known), nanos(stranger));
        differences.push(known - stranger);
        times.extend([known, stranger]);
    }
    Interval::of(differences, times)
}

/// Measures a question of a stranger's; `more` is done on top for the unknown, nothing but in the
/// control.
async fn measure_ask(street: &Street, ask: Ask, pairs: u32, more: impl AsyncFn()) -> Interval {
    // A code has five tries; all else only fills the queue of mails.
    let between = if ask(&street.known).0 == "/magic-link/verify" { 4 } else { 100 };
    let ready = async |pair: u32| {
        if pair.is_multiple_of(between) {
            again(&street.app).await;
        }
    };
    let known = async || drop(street.ask(ask, &street.known, ADDRESS).await);
    let stranger = async || {
        more().await;
        street.ask(ask, &street.stranger, ADDRESS).await;
    };
    measure(pairs, ready, known, stranger).await
}

/// Codes have as many tries as at first, and no queue of mails grows.
async fn again(app: &TestApp) {
    let script = "UPDATE challenges SET wrong = 0; DELETE FROM mails;";
    seed::run(&app.database.options, script.to_owned()).await;
}

/// Fails when the measurement tells the known from the unknown.
async fn assert_equal_time(name: &str) {
    let street = street().await;
    let (_, ask) = ASKS.into_iter().find(|(it, _)| *it == name).unwrap();
    let link = ASKS[1].1;
    for whom in [&street.known, &street.stranger] {
        street.ask(link, whom, ADDRESS).await;
    }
    measure_ask(&street, ask, 20, async || ()).await;
    let interval = measure_ask(&street, ask, repeats(1_000, 20_000), async || ()).await;
    decide(name, &interval);
}

/// The one decision.
fn decide(name: &str, interval: &Interval) {
    report(name, interval);
    assert!(!interval.tells(), "{name}: {interval:?}");
}

/// A line for whoever runs with `--no-capture`.
#[expect(clippy::print_stderr, reason = "figures for people")]
fn report(name: &str, interval: &Interval) {
    eprintln!("{name}: {interval:?}");
}

macro_rules! equal_time {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $test() {
            assert_equal_time($name).await;
        })*
    };
}

equal_time! {
    registering_takes_as_long: "register",
    asking_for_a_link_takes_as_long: "magic link",
    entering_a_code_takes_as_long: "code",
    signing_in_takes_as_long: "login",
    forgetting_a_password_takes_as_long: "forgot",
    exchanging_a_pair_takes_as_long: "token",
    exchanging_a_pair_by_basic_takes_as_long: "legacy token",
}

/// Each pair is a license of its own, shared with an address that has an account and with one that
/// has none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sharing_with_an_address_takes_as_long() {
    let world = World::on(Engine::Sqlite).await;
    let license = Mutex::new(String::new());
    let ready = async |pair: u32| {
        if pair.is_multiple_of(100) {
            again(&world.app).await;
        }
        let made = world.license(json!({})).await;
        *license.lock().unwrap() = made;
    };
    let share = async |email: &str| {
        let id = license.lock().unwrap().clone();
        let shared = world.grant_to(&id, json!({ "userEmail": email }), "viewer").await;
        assert_eq!(shared.status, 201, "{}", shared.json());
    };
    let (known, unknown) =
        (async || share("bea@example.com").await, async || share("bob@example.com").await);
    measure(20, &ready, &known, &unknown).await;
    let interval = measure(repeats(1_000, 4_000), &ready, &known, &unknown).await;
    decide("share", &interval);
}

/// Whether the same decision, in so many pairs, sees what is done on top for an unknown address that
/// tries to sign in.
async fn is_seen(name: &str, pairs: u32, more: impl AsyncFn(&TestApp)) -> bool {
    let street = street().await;
    let interval = measure_ask(&street, ASKS[3].1, pairs, async || more(&street.app).await).await;
    report(name, &interval);
    interval.is_longer_for_strangers()
}

/// The control: ten hashes more on one side, of the cheapest there are and together far cheaper
/// than one of a real server, are seen in a fifth of the pairs.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hash_more_would_be_seen() {
    let hashes = async |app: &TestApp| {
        for _ in 0..10 {
            drop(app.app.hasher.verify(Password::present("x"), None, None).await);
        }
    };
    assert!(is_seen("a hash more", 200, hashes).await);
}

/// The control: one read more on one side, as a unit of work of its own, is seen.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_more_would_be_seen() {
    let statement = async |app: &TestApp| {
        let found = app.app.store.read(|tx| user::find_by_email(tx, "nobody@example.com")).await;
        assert_eq!(found.map(|it| it.is_some()).ok(), Some(false));
    };
    assert!(is_seen("a statement more", 1_000, statement).await);
}
