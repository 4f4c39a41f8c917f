//! What those who do their worst cost the others: time until an event arrives, and memory. The real
//! program sends to a receiver that is measured, beside others that are good and then beside others
//! that are not, in turns. Figures are printed; that they keep within their bounds is asserted at
//! full size (`make soak`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, eventually, exchange, request};
use grantor_testkit::{db_test, repeats};
use serde_json::{Value, json};
use tokio::time::interval;

use super::hostile::worst;
use super::payload;
use crate::license::text;

const KIB: u64 = 1024;
/// How often a change is made.
const PACE: Duration = Duration::from_millis(10);
/// How often each company is met.
const TURNS: usize = 2;

/// When the change of each number was answered, and when its event arrived.
type Moments = Arc<Mutex<HashMap<String, Vec<Instant>>>>;

/// The program, a receiver that is measured, and the webhooks of those beside it.
struct CostFixture {
    server: GrantorProcess,
    token: String,
    license: String,
    arrivals: Moments,
    company: [Vec<String>; 2],
    receivers: Vec<Listener>,
}

/// What was seen in the turns beside one company.
#[derive(Debug, Default)]
struct Cost {
    taken: Vec<Duration>,
    /// The most memory held, in KiB.
    memory: u64,
}

impl Cost {
    fn at(&self, percent: usize) -> Duration {
        let mut taken = self.taken.clone();
        taken.sort_unstable();
        taken[(taken.len() - 1) * percent / 100]
    }
}

#[expect(clippy::disallowed_methods, reason = "what is measured is real time")]
fn now() -> Instant {
    Instant::now()
}

/// A receiver that notes when each change is told.
async fn measured(arrivals: &Moments) -> Listener {
    let arrivals = Arc::clone(arrivals);
    let noted = move |call: &Call| {
        let title = text(&payload(call)["data"]["license"]["title"]);
        arrivals.lock().unwrap().entry(title).or_default().push(now());
        Script::ok(b"")
    };
    Listener::start(noted).await.unwrap().forgetting()
}

impl CostFixture {
    async fn open(place: Installation) -> Self {
        let place = place.with("GRANTOR_LIMITS", "off");
        let place = place.with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8");
        let sample: Value = serde_json::from_str(&place.run("demo --json").await.ok()).unwrap();
        let server = place.serve().await;
        let arrivals = Moments::default();
        let mut fixture = Self {
            server,
            token: String::new(),
            license: text(&sample["licenses"][0]["licenseId"]),
            company: [vec![], vec![]],
            receivers: vec![measured(&arrivals).await],
            arrivals,
        };
        let api = &sample["api"];
        let pair = json!({ "api_key": api["key"], "api_secret": api["secret"] });
        let entered = fixture.ask("POST /auth/token", pair).await;
        fixture.token = text(&entered["data"]["access_token"]);
        fixture.webhook(&fixture.receivers[0].url("/")).await;
        let good = vec![("http", Script::ok(b"")); worst().len()];
        for (of, scripts) in [good, worst()].into_iter().enumerate() {
            for (scheme, script) in scripts {
                let receiver = Listener::start(move |_| script.clone()).await.unwrap();
                let url = receiver.url("/").replace("http:", &format!("{scheme}:"));
                let id = fixture.webhook(&url).await;
                fixture.company[of].push(id);
                fixture.receivers.push(receiver.forgetting());
            }
        }
        fixture
    }

    async fn ask(&self, what: &str, body: Value) -> Value {
        let body = body.to_string();
        let length = format!("content-length: {}", body.len());
        let bearer = format!("authorization: Bearer {}", self.token);
        let head = request(what, &["content-type: application/json", &length, &bearer]);
        let text = head + &body;
        let reply =
            exchange(self.server.connect().await, text.as_bytes()).await.expect("an answer");
        assert!(reply.status < 300, "{what}: {} {}", reply.status, reply.body);
        reply.json()
    }

    async fn webhook(&self, url: &str) -> String {
        let made = self.ask("POST /webhooks", json!({ "url": url, "events": ["license.updated"] }));
        text(&made.await["id"])
    }

    /// What the program holds for itself, without the pages of files that it maps.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.server.id())).unwrap();
        let line = status.lines().find(|it| it.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Makes changes at an even pace beside one company, and waits until all are told.
    async fn turn(&self, turn: usize, of: usize, changes: usize, cost: &mut Cost) {
        for (other, ids) in self.company.iter().enumerate() {
            let status = if other == of { "active" } else { "disabled" };
            for id in ids {
                self.ask(&format!("PATCH /webhooks/{id}"), json!({ "status": status })).await;
            }
        }
        let (mut answered, mut ticks) = (HashMap::new(), interval(PACE));
        for number in 0..changes {
            ticks.tick().await;
            let title = format!("{turn} {of} {number}");
            let change = json!({ "title": title });
            self.ask(&format!("PATCH /licenses/{}", self.license), change).await;
            answered.insert(title, now());
            cost.memory = cost.memory.max(self.memory());
        }
        let arrived = |title: &String| self.arrivals.lock().unwrap().contains_key(title);
        eventually("every event", async || answered.keys().all(arrived).then_some(())).await;
        cost.memory = cost.memory.max(self.memory());
        let arrivals = self.arrivals.lock().unwrap();
        let taken = |(title, at): (&String, &Instant)| {
            assert_eq!(arrivals[title].len(), 1, "{title}: each once");
            arrivals[title][0].saturating_duration_since(*at)
        };
        cost.taken.extend(answered.iter().map(taken));
    }
}

#[db_test]
async fn the_worst_costs_the_others_little(place: Installation) {
    let changes = repeats(40, 1_000) as usize;
    let fixture = CostFixture::open(place).await;
    let mut costs = [Cost::default(), Cost::default()];
    // What is held for the first time is nobody's fault.
    fixture.turn(0, 0, 20, &mut Cost::default()).await;
    for turn in 1..=TURNS {
        for (of, cost) in costs.iter_mut().enumerate() {
            fixture.turn(turn, of, changes, cost).await;
        }
    }
    let [good, worst] = costs;
    for (whom, cost) in [("good ones", &good), ("the worst", &worst)] {
        let (count, median, p99) = (cost.taken.len(), cost.at(50), cost.at(99));
        grantor_testkit::print_figure(&format!(
            "{count} beside {whom}: {median:?}, p99 {p99:?}, at most {} KiB",
            cost.memory
        ));
    }
    assert_eq!((good.taken.len(), worst.taken.len()), (TURNS * changes, TURNS * changes));
    if repeats(0, 1) == 1 {
        assert!(worst.at(99) <= good.at(99) * 2, "{:?} {:?}", worst.at(99), good.at(99));
        assert!(worst.memory <= good.memory + 16 * KIB, "{} {}", worst.memory, good.memory);
    }
}
