//! Rate limits: exact under any concurrency, on one node and on three, with and without Redis.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grantor_domain::limit::{ClockReading, LimitName, LimitState, Limits, Outcome, Window};
use grantor_domain::{Clock, ErrorKind, Timestamp};
use grantor_service::operations::limit::{Limiter, Subject};
use grantor_storage::counter::{CounterKey, Counters, Memory, Redis};
use grantor_testkit::clock::MockClock;
use grantor_testkit::redis::RedisServer;
use grantor_testkit::repeats;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestError, TestRunner};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Barrier, watch};
use tokio::task::JoinSet;

/// Long enough that only a broken store runs into it, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_hours(1);
const REQUESTS: usize = 1_000;

fn key(text: &str) -> CounterKey {
    CounterKey { limit: LimitName::Login, subject: Subject::text(text) }
}

fn window(limit: u32, seconds: u64) -> Window {
    Window { limit, length: Duration::from_secs(seconds) }
}

fn passes(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Passed(_))
}

fn memory() -> (Arc<MockClock>, Counters) {
    let clock = Arc::new(MockClock::default());
    (Arc::clone(&clock), Memory::new(clock).into())
}

fn node(server: &RedisServer, clock: &Arc<MockClock>) -> Counters {
    let redis = Redis::new(&server.url(), Arc::clone(clock) as Arc<dyn Clock>).unwrap();
    redis.with_timeout(PATIENCE).into()
}

/// Lets all requests start at the same time, and compares how many passed with the limit.
async fn exactly<F>(limit: u32, mut request: impl FnMut(usize) -> F) -> Result<(), String>
where
    F: Future<Output = bool> + Send + 'static,
{
    let start = Arc::new(Barrier::new(REQUESTS));
    let mut tasks = JoinSet::new();
    for index in 0..REQUESTS {
        let (start, request) = (Arc::clone(&start), request(index));
        tasks.spawn(async move {
            start.wait().await;
            request.await
        });
    }
    let passed = tasks.join_all().await.into_iter().filter(|passed| *passed).count();
    let expected = usize::try_from(limit).unwrap();
    if passed == expected { Ok(()) } else { Err(format!("{passed} passed, not {expected}")) }
}

/// What `exactly` must catch: reading and writing as two steps.
async fn racy(nodes: &[Arc<Counters>], limit: u32) -> Result<(), String> {
    let read = Arc::new(Barrier::new(REQUESTS));
    exactly(limit, |index| {
        let (node, read) = (Arc::clone(&nodes[index % nodes.len()]), Arc::clone(&read));
        async move {
            let (key, windows) = (key("racy"), [window(limit, 3_600)]);
            let passed = passes(node.peek(&key, &windows).await);
            read.wait().await;
            node.hit(&key, &windows).await;
            passed
        }
    })
    .await
}

async fn rounds(nodes: &[Arc<Counters>], rounds: u32) {
    for round in 0..rounds {
        let limit = 1 + round * 37 % 500;
        let outcome = exactly(limit, |index| {
            let node = Arc::clone(&nodes[index % nodes.len()]);
            let windows = [window(limit + 7, 1_800), window(limit, 3_600), window(1_000, 7_200)];
            async move { passes(node.hit(&key(&round.to_string()), &windows).await) }
        });
        assert_eq!(outcome.await, Ok(()), "round {round}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_the_limit_passes_on_one_node() {
    let nodes = [Arc::new(memory().1)];
    rounds(&nodes, 200).await;
    assert_eq!(racy(&nodes, 10).await, Err("1000 passed, not 10".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn exactly_the_limit_passes_on_three_nodes() {
    let server = RedisServer::start().await.unwrap();
    let clock = Arc::new(MockClock::default());
    let nodes = [0; 3].map(|_| Arc::new(node(&server, &clock)));
    let count = repeats(20, 200);
    rounds(&nodes, count).await;
    assert_eq!(racy(&nodes, 10).await, Err("1000 passed, not 10".to_owned()));
    assert_eq!(nodes.map(|node| node.fallbacks()), [0; 3]);
    assert_eq!(server.command("DBSIZE").await.unwrap(), format!(":{}", count + 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_without_redis_are_caught_passing_three_times_the_limit() {
    let nodes = [0; 3].map(|_| Arc::new(memory().1));
    let outcome = exactly(10, |index| {
        let node = Arc::clone(&nodes[index % 3]);
        async move { passes(node.hit(&key("a"), &[window(10, 3_600)]).await) }
    });
    assert_eq!(outcome.await, Err("30 passed, not 10".to_owned()));
}

async fn shared_by(nodes: [&Counters; 2], subject: &str) -> [bool; 4] {
    let (key, windows) = (key(subject), [window(3, 3_600)]);
    let mut passed = [false; 4];
    for (index, passed) in passed.iter_mut().enumerate() {
        *passed = passes(nodes[index % 2].hit(&key, &windows).await);
    }
    passed
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_each_node_counts_alone_until_it_is_back() {
    let mut server = RedisServer::start().await.unwrap();
    let clock = Arc::new(MockClock::default());
    let (a, b) = (node(&server, &clock), node(&server, &clock));
    assert_eq!(shared_by([&a, &b], "before").await, [true, true, true, false]);
    assert_eq!(a.fallbacks() + b.fallbacks(), 0);

    server.kill();
    assert_eq!(shared_by([&a, &a], "during").await, [true, true, true, false]);
    assert_eq!(shared_by([&b, &b], "during").await, [true, true, true, false]);
    clock.advance(Duration::from_secs(3));
    assert!(
        !passes(a.hit(&key("during"), &[window(3, 3_600)]).await),
        "it asked, and counts alone"
    );
    assert_eq!((a.fallbacks(), b.fallbacks()), (5, 4));

    server.resume().await.unwrap();
    clock.advance(Duration::from_secs(3));
    assert_eq!(shared_by([&a, &b], "after").await, [true, true, true, false]);
    assert_eq!((a.fallbacks(), b.fallbacks()), (5, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_starts_without_redis() {
    let mut server = RedisServer::start().await.unwrap();
    server.kill();
    let clock = Arc::new(MockClock::default());
    let node = node(&server, &clock);
    assert_eq!(shared_by([&node, &node], "before").await, [true, true, true, false]);
    server.resume().await.unwrap();
    assert_eq!(shared_by([&node, &node], "paused").await, [true, true, true, false]);
    assert_eq!(node.fallbacks(), 8, "within the pause nobody asks");
    clock.advance(Duration::from_secs(3));
    assert_eq!(shared_by([&node, &node], "before").await, [true, true, true, false]);
    assert_eq!(node.fallbacks(), 8);
    assert!(Redis::new("http://localhost", clock).is_err());
}

/// Stands before Redis and carries what is said, until it is shut: then every connection stays up
/// without a word for good, as after a failure of the network, and new ones too until it opens.
async fn gate(server: &RedisServer) -> (String, watch::Sender<bool>, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("redis://{}/", listener.local_addr().unwrap());
    let target = server.url().trim_matches(|it| "redis:/".contains(it)).to_owned();
    let ((open, is_open), accepted) = (watch::channel(true), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&accepted);
    tokio::spawn(async move {
        while let Ok((mut near, _)) = listener.accept().await {
            count.fetch_add(1, Ordering::SeqCst);
            let (mut is_open, target) = (is_open.clone(), target.clone());
            tokio::spawn(async move {
                let mut far = TcpStream::connect(&target).await.unwrap();
                let shut = async { drop(is_open.wait_for(|open| !open).await) };
                tokio::select! {
                    biased;
                    () = shut => std::future::pending().await,
                    _ = tokio::io::copy_bidirectional(&mut near, &mut far) => {}
                }
            });
        }
    });
    (url, open, accepted)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_silent_link_is_given_up_and_replaced() {
    let server = RedisServer::start().await.unwrap();
    let (url, open, accepted) = gate(&server).await;
    let clock = Arc::new(MockClock::default());
    let node: Counters = Redis::new(&url, Arc::clone(&clock) as Arc<dyn Clock>).unwrap().into();
    node.hit(&key("before"), &[window(1, 3_600)]).await;

    open.send(false).unwrap();
    clock.advance(Duration::from_secs(3));
    let before = node.fallbacks();
    assert_eq!(shared_by([&node, &node], "silent").await, [true, true, true, false]);
    assert_eq!(node.fallbacks() - before, 4);
    let silent = accepted.load(Ordering::SeqCst);

    open.send(true).unwrap();
    let healed = async {
        loop {
            let before = node.fallbacks();
            clock.advance(Duration::from_secs(3));
            node.hit(&key("healed"), &[window(1, 3_600)]).await;
            if node.fallbacks() == before {
                break;
            }
        }
    };
    tokio::time::timeout(PATIENCE, healed).await.expect("a new connection answers");
    assert!(accepted.load(Ordering::SeqCst) > silent);
    assert_eq!(server.command(&format!("EXISTS {}", key("healed"))).await.unwrap(), ":1");
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_windows_open_close_and_expire_by_its_own_clock() {
    let server = RedisServer::start().await.unwrap();
    let node = node(&server, &Arc::new(MockClock::default()));
    let (key, windows) = (key("a"), [window(1, 3_600)]);
    let command = async |words: String| server.command(&words).await.unwrap();
    let moved = async |micros: i64| {
        command(format!("HINCRBY {key} 3600000000:opened {micros}")).await;
    };

    assert!(passes(node.hit(&key, &windows).await));
    let expires: u64 = command(format!("PTTL {key}")).await.trim_matches(':').parse().unwrap();
    assert!((3_500_000..=3_600_000).contains(&expires), "{expires}");
    let Outcome::Refused(standing) = node.hit(&key, &windows).await else { panic!("full") };
    assert!(standing.resets_in <= HOUR && standing.resets_in > HOUR / 2, "{standing:?}");

    // Redis's clock goes back two hours: nobody waits longer than the window.
    moved(7_200_000_000).await;
    let Outcome::Refused(standing) = node.hit(&key, &windows).await else { panic!("full") };
    assert_eq!(standing.resets_in, HOUR);
    moved(-3_599_000_000).await;
    assert!(!passes(node.peek(&key, &windows).await));
    moved(-1_000_000).await;
    assert!(passes(node.peek(&key, &windows).await), "closed at its length");
    assert!(passes(node.hit(&key, &windows).await));
    node.give_back(&key, &windows).await;
    assert_eq!(command(format!("EXISTS {key}")).await, ":0");
    node.give_back(&key, &windows).await;
    assert!(passes(node.hit(&key, &windows).await));
    assert!(!passes(node.hit(&key, &windows).await), "giving back stops at zero");
    assert_eq!(node.fallbacks(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_counters_are_forgotten_and_open_ones_bounded() {
    let clock = Arc::new(MockClock::default());
    let dynamic = || Arc::clone(&clock) as Arc<dyn Clock>;
    for (memory, open) in [
        (Memory::new(dynamic()), 100_000..=100_000),
        (Memory::with_capacity(dynamic(), 6_400), 3_200..=6_400),
    ] {
        let counters = Counters::from(memory);
        let kept = || if let Counters::Memory(memory) = &counters { memory.len() } else { 0 };
        for subject in 0..100_000 {
            counters.hit(&key(&subject.to_string()), &[window(1, 60)]).await;
        }
        assert!(open.contains(&kept()), "{}", kept());
        clock.advance(Duration::from_mins(1));
        for subject in 0..2_000 {
            counters.peek(&key(&subject.to_string()), &[window(1, 60)]).await;
        }
        assert_eq!(kept(), 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_jump_of_the_wall_clock_moves_the_reset_and_not_the_window() {
    let (clock, counters) = memory();
    let (key, windows) = (key("a"), [window(1, 60)]);
    counters.hit(&key, &windows).await;
    for jump in [3_600, -3_600] {
        let wall = MockClock::START.as_secs() + jump;
        clock.set_wall(Timestamp::from_secs(wall));
        let Outcome::Refused(standing) = counters.hit(&key, &windows).await else { panic!("full") };
        assert_eq!((standing.resets_at.as_secs(), standing.resets_in.as_secs()), (wall + 60, 60));
    }
    clock.advance(Duration::from_mins(1));
    assert!(passes(counters.hit(&key, &windows).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_limiter_holds_what_the_setting_says() {
    let clock = Arc::new(MockClock::default());
    let limits = Limits::parse("login=off,magic_link=1/1h").unwrap();
    let limiter = Limiter::new(limits, Memory::new(Arc::clone(&clock) as Arc<dyn Clock>));
    let subject = Subject::text("a@example.com");
    assert_eq!(limiter.hit(LimitName::Login, &subject).await, Ok(None));

    let standing = |remaining| {
        let resets_at = MockClock::START.plus(HOUR);
        LimitState { limit: 1, remaining, resets_at, resets_in: HOUR }
    };
    let name = LimitName::MagicLink;
    assert_eq!(limiter.peek(name, &subject).await, Ok(Some(standing(1))));
    assert_eq!(limiter.hit(name, &subject).await, Ok(Some(standing(0))));
    for refused in [limiter.hit(name, &subject).await, limiter.peek(name, &subject).await] {
        assert_eq!(*refused.unwrap_err().kind(), ErrorKind::RateLimited(standing(0)));
    }
    limiter.refund(name, &subject).await;
    assert_eq!(limiter.clone().hit(name, &subject).await, Ok(Some(standing(0))));
}

/// The rules told another way: from the instants of all requests that passed, and nothing else.
fn naive(
    windows: &[Window],
    passed: &mut Vec<Duration>,
    now: ClockReading,
    late: Duration,
) -> Outcome {
    let count = |window: &Window, passed: &[Duration]| {
        let (mut opened, mut used) = (now.monotonic, 0);
        for instant in passed.iter().copied().chain([now.monotonic]) {
            if used == 0 || instant >= opened + window.length + late {
                (opened, used) = (instant, 0);
            }
            used += 1;
        }
        // The request itself stands at the end of the list, and is not one of those before it.
        (opened, used - 1)
    };
    let room = windows.iter().all(|window| count(window, passed).1 < window.limit);
    let standings = windows.iter().map(|window| {
        let (opened, used) = count(window, passed);
        let resets_in = (opened + window.length).saturating_sub(now.monotonic);
        let remaining = window.limit - used - u32::from(room);
        let (limit, resets_at) = (window.limit, now.wall.plus(resets_in));
        LimitState { limit, remaining, resets_at, resets_in }
    });
    let mut standings: Vec<_> = standings.collect();
    standings.sort_by(|a, b| (a.remaining, b.resets_in).cmp(&(b.remaining, a.resets_in)));
    if room {
        passed.push(now.monotonic);
        Outcome::Passed(standings[0])
    } else {
        Outcome::Refused(standings[0])
    }
}

/// Windows (limit, seconds) and the seconds before each request.
type Case = (Vec<(u32, u64)>, Vec<u64>);

/// Random windows, pauses and requests; the model may be told to close its windows too late.
fn agrees_with_the_model(late: Duration) -> Result<(), TestError<Case>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let windows = prop::collection::vec((1..=4u32, 1..=6u64), 1..=3);
    let pauses = prop::collection::vec(prop_oneof![3 => Just(0u64), 2 => 1..=7u64], 1..=40);
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    runner.run(&(windows, pauses), |(windows, pauses)| {
        let windows: Vec<_> = windows.into_iter().map(|(limit, s)| window(limit, s)).collect();
        let ((clock, counters), mut passed) = (memory(), Vec::new());
        for pause in pauses {
            clock.advance(Duration::from_secs(pause));
            let now = ClockReading { monotonic: clock.monotonic(), wall: clock.now() };
            let expected = naive(&windows, &mut passed, now, late);
            let outcome = runtime.block_on(counters.hit(&key("a"), &windows));
            prop_assert_eq!(outcome, expected);
        }
        Ok(())
    })
}

#[test]
fn memory_counts_as_the_naive_model_does() {
    assert_eq!(agrees_with_the_model(Duration::ZERO), Ok(()));
    let late = agrees_with_the_model(Duration::from_nanos(1));
    assert!(matches!(late, Err(TestError::Fail(..))), "a model that is off by a hair must differ");
}
