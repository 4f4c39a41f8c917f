//! Three nodes in a storm: nodes are killed, stopped and cut off, PostgreSQL fails over, Redis is
//! lost, a disk fills and a clock jumps, while clients go on with keys and retries. In the end,
//! every promise must have been kept.
//!
//! `GRANTOR_CLUSTER_SECONDS` says how long the storm lasts, and `GRANTOR_CLUSTER_SEED` repeats the
//! faults of an earlier one.

mod client;
mod edits;
mod fleet;
mod nemesis;
mod probes;
mod verdict;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_testkit::cluster::{Dice, chosen, now, pause};
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::{print_figure, repeats};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use self::client::{As, Ask, Client};
use self::edits::Work;
use self::fleet::Fleet;
use self::nemesis::{Weather, rage};
use self::probes::{Probes, Seen};
use self::verdict::{Findings, Promises};

/// How long the events of the last changes may take.
const DELIVERY: Duration = Duration::from_mins(2);

/// What a webhook's receiver got.
#[derive(Debug, Default)]
struct Received {
    /// The versions of licenses that events are about.
    versions: HashSet<(String, u64)>,
    /// The numbers of all events in the feed.
    sequences: BTreeSet<u64>,
    /// How often each event came.
    times: HashMap<String, u32>,
}

/// Refuses one in ten at first.
async fn receiver(received: Arc<Mutex<Received>>) -> Listener {
    let answer = move |call: &Call| {
        let id = call.header("webhook-id").unwrap_or_default().to_owned();
        let event: Value = serde_json::from_slice(&call.body).unwrap_or_default();
        let mut received = received.lock().unwrap();
        let times = received.times.entry(id).or_default();
        *times += 1;
        let Some(sequence) = event["sequence"].as_u64() else { return Script::ok(b"") };
        if *times == 1 && sequence % 10 == 3 {
            return Script::answer(503, b"");
        }
        received.sequences.insert(sequence);
        if let (Some(id), Some(version)) =
            (event["data"]["license_id"].as_str(), event["resource_version"].as_u64())
        {
            received.versions.insert((id.to_owned(), version));
        }
        Script::ok(b"")
    };
    Listener::start(answer).await.unwrap().forgetting()
}

async fn subscribe(client: &Client, url: &str, dice: &mut Dice) {
    let ask = Ask::new(As::External, "POST /webhooks").json(json!({ "url": url }));
    let made = client.send(dice.below(client.nodes()), &ask).await.unwrap();
    assert_eq!(made.status, 201, "{}", made.body);
}

fn seed() -> u64 {
    chosen("GRANTOR_CLUSTER_SEED").unwrap_or_else(|| RandomState::new().hash_one(0) >> 32)
}

fn duration() -> Duration {
    let usual = u64::from(repeats(0, 600));
    Duration::from_secs(chosen("GRANTOR_CLUSTER_SECONDS").unwrap_or(usual))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_storm_breaks_no_promise() {
    let (seed, duration) = (seed(), duration());
    print_figure(&format!("GRANTOR_CLUSTER_SEED={seed}"));
    let mut dice = Dice::new(seed);
    let mut fleet = Fleet::start().await;
    let fronts = fleet.nodes.iter().map(|it| it.front.address()).collect();
    let client = Client::start(fronts, &fleet.sample, &mut dice).await;
    let received = Arc::new(Mutex::new(Received::default()));
    let receiver = receiver(Arc::clone(&received)).await;
    subscribe(&client, &receiver.url("/hook"), &mut dice).await;
    let work = Work::begin(client.clone(), &fleet.sample, seed).await;
    let (weather, seen) = (Arc::new(Weather::default()), Arc::new(Mutex::new(Seen::default())));
    let stop = CancellationToken::new();
    let mut tasks = work.start(&stop);
    let metrics = Arc::clone(&fleet.metrics);
    let probes = Probes { client: client.clone(), weather: Arc::clone(&weather), metrics, seen };
    tasks.push(tokio::spawn(probes.clone().try_limits(stop.clone())));
    let own = Dice::new(dice.roll());
    tasks.push(tokio::spawn(probes.clone().try_revocations(stop.clone(), own)));
    let faults = rage(&mut fleet, &weather, dice, now() + duration).await;
    stop.cancel();
    for task in tasks {
        task.await.unwrap();
    }
    probes.try_limits_in_calm().await;
    work.read_all().await;
    let ledger = work.ledger();
    let promises = Promises::of(&ledger.lock().unwrap());
    // What is missing after this time is among the findings.
    let ended = now();
    while promises.undelivered(&received.lock().unwrap()) > 0 && ended.elapsed() < DELIVERY {
        pause(Duration::from_millis(200)).await;
    }
    let stored = verdict::stored_titles(&fleet.pair).await;
    let seen = probes.seen.lock().unwrap().clone();
    let findings = Findings::new(&promises, &stored, &received.lock().unwrap(), &seen, &client);
    print_figure(&findings.summary(faults));
    assert_eq!(findings.broken(), Vec::<String>::new(), "GRANTOR_CLUSTER_SEED={seed}");
}
