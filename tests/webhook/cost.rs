//! What those who do their worst cost the others: time until an event arrives, and memory. Figures
//! are printed; that they keep within their bounds is asserted at full size (`make soak`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grantor_service::delivery::Sender;
use grantor_testkit::listener::{Listener, Script};
use grantor_testkit::server::eventually;
use grantor_testkit::{Engine, Fixture as _, repeats};
use serde_json::json;

use super::Room;
use super::hostile::worst;

const MIB: u64 = 1024 * 1024;

/// When the event of each number arrived first.
type Arrivals = Arc<Mutex<HashMap<u64, Instant>>>;

#[derive(Debug)]
struct Cost {
    median: Duration,
    p99: Duration,
    /// The most memory held above what was held before.
    memory: u64,
}

#[expect(clippy::disallowed_methods, reason = "what is measured is real time")]
fn now() -> Instant {
    Instant::now()
}

/// Memory of this process that is in use.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|it| it.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

async fn good(arrivals: &Arrivals) -> Listener {
    let arrivals = Arc::clone(arrivals);
    let noted = move |call: &grantor_testkit::listener::Call| {
        let told: serde_json::Value = serde_json::from_slice(&call.body).unwrap();
        let number = told["sequence"].as_u64().unwrap();
        arrivals.lock().unwrap().entry(number).or_insert_with(now);
        Script::ok(b"")
    };
    Listener::start(noted).await.unwrap().forgetting()
}

/// Sends as the worker does, until it is dropped.
async fn sending(room: &Room) {
    let app = room.world.app.app.clone();
    let mut sender = Sender::new(app.clone());
    loop {
        let changed = app.changed.notified();
        tokio::pin!(changed);
        changed.as_mut().enable();
        sender.work().await.unwrap();
        tokio::select! {
            () = changed => {}
            () = sender.attempt_ended() => {}
        }
    }
}

/// So many events, one after the other, to a good receiver beside these.
async fn cost(scripts: Vec<(&'static str, Script)>, events: u64) -> Cost {
    let room = Room::on(Engine::Sqlite).await;
    let (arrivals, mut receivers) = (Arrivals::default(), vec![]);
    receivers.push(good(&arrivals).await);
    let body = json!({ "url": receivers[0].url("/"), "events": ["license.created"] });
    assert_eq!(room.ask("POST /webhooks", body).await.status, 201);
    for (scheme, script) in scripts {
        receivers.push(room.receiver(scheme, script).await.forgetting());
    }
    let before = resident();
    let mut most = before;
    let mut written = HashMap::new();
    let writing = async {
        for number in 1..=events {
            written.insert(number, now());
            assert_eq!(room.world.create(json!({})).await.status, 201);
            // So that rests end and retries come due.
            room.world.app.clock.advance(Duration::from_millis(10));
            most = most.max(resident());
        }
        let all = async || (arrivals.lock().unwrap().len() as u64 == events).then_some(());
        eventually("every event", all).await;
    };
    tokio::select! {
        () = writing => {}
        () = sending(&room) => {}
    }
    let arrivals = arrivals.lock().unwrap();
    let mut taken: Vec<_> =
        written.iter().map(|(number, at)| arrivals[number].duration_since(*at)).collect();
    taken.sort_unstable();
    let at = |percent: usize| taken[(taken.len() - 1) * percent / 100];
    Cost { median: at(50), p99: at(99), memory: most - before }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::print_stderr, reason = "figures for people")]
async fn the_worst_costs_the_others_little() {
    let events = u64::from(repeats(100, 3_000));
    let like_the_rest = || vec![("http", Script::ok(b"")); worst().len()];
    // The first house of a process is slower than those after it.
    cost(like_the_rest(), 20).await;
    let alone = cost(like_the_rest(), events).await;
    let beside = cost(worst(), events).await;
    for (beside_whom, cost) in [("good ones", &alone), ("the worst", &beside)] {
        let Cost { median, p99, memory } = cost;
        eprintln!("{events} events beside {beside_whom}: {median:?} {p99:?} {memory} bytes");
    }
    if repeats(0, 1) == 1 {
        assert!(beside.p99 <= alone.p99 * 2, "{beside:?} {alone:?}");
        assert!(beside.memory <= alone.memory + 16 * MIB, "{beside:?} {alone:?}");
    }
}
