//! Senders that are killed in the middle of their work, and a receiver that fails in every way: no
//! event is lost, none is invented, hardly any comes twice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grantor_domain::Timestamp;
use grantor_domain::event::{Event, EventType, NewEvent};
use grantor_domain::id::{EventId, IdGenerator, TenantId};
use grantor_storage::{Engine, Error, Store, delivery, event};
use grantor_testkit::clock::MockClock;
use grantor_testkit::entropy::SeededEntropy;
use grantor_testkit::listener::{Call, Listener, Script};
use grantor_testkit::server::{GrantorProcess, Installation, exchange, request};
use grantor_testkit::{db_test, repeats};
use serde_json::{Value, json};
use tokio::time::{interval, timeout};
use uuid::Uuid;

use crate::license::text;

/// Long enough for the leases of those who were killed last.
const PATIENCE: Duration = Duration::from_mins(10);
/// Events that one change writes.
const TOGETHER: u32 = 20;
/// Every so many changes one is undone after its events were written.
const UNDONE: u32 = 10;

/// How often each event was answered well.
type Seen = Arc<Mutex<HashMap<String, u32>>>;

/// What is wrong with what came: events that never did, that came though they were undone, and how
/// often one came again.
fn judge(told: &HashSet<String>, seen: &HashMap<String, u32>) -> (usize, usize, u32) {
    let lost = told.iter().filter(|id| !seen.contains_key(*id)).count();
    let invented = seen.keys().filter(|id| !told.contains(*id)).count();
    (lost, invented, seen.values().map(|times| times - 1).sum())
}

#[test]
fn the_judge_notices() {
    let set = |ids: &[&str]| ids.iter().map(|it| (*it).to_owned()).collect::<HashSet<_>>();
    let seen =
        |of: &[(&str, u32)]| of.iter().map(|(id, times)| ((*id).to_owned(), *times)).collect();
    assert_eq!(judge(&set(&["a", "b"]), &seen(&[("a", 1), ("b", 1)])), (0, 0, 0));
    assert_eq!(judge(&set(&["a", "b"]), &seen(&[("a", 3), ("c", 1)])), (1, 1, 2));
}

#[db_test]
async fn killed_senders_lose_nothing(installation: Installation) {
    let (events, kills) = (repeats(6_000, 100_000), repeats(6, 200) as usize);
    let installation = installation
        .with("GRANTOR_LIMITS", "off")
        .with("GRANTOR_OUTBOUND_ALLOW", "127.0.0.0/8")
        .with("GRANTOR_WEBHOOK_SCHEDULE", "0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1");
    let sample: Value = serde_json::from_str(&installation.run("demo --json").await.ok()).unwrap();
    let seen = Seen::default();
    let receiver = receiver(Arc::clone(&seen)).await;
    subscribe(&installation, &sample, &receiver.url("/hook")).await;
    let store = Store::open(&installation.options()).await.unwrap();
    let tenant: TenantId = text(&sample["accounts"][0]["tenantId"]).parse().unwrap();
    // Several share PostgreSQL; SQLite is one program's own.
    let several = if store.engine() == Engine::Postgres { 2 } else { 1 };
    let mut senders = vec![];
    for _ in 0..several {
        senders.push(start(&installation).await);
    }
    let writing = tokio::spawn(write(store, tenant, events));
    let count = || seen.lock().unwrap().len();
    for kill in 0..kills {
        // The last leases run out while the rest is sent.
        let goal = (kill + 1) * events as usize * 2 / (kills * 3);
        until(|| count() >= goal).await;
        let sender = &mut senders[kill % several];
        sender.signal("KILL");
        *sender = start(&installation).await;
    }
    let told = writing.await.unwrap();
    // Only counted: whoever judges holds up those who note what came.
    until(|| count() >= told.len()).await;
    for mut sender in senders {
        sender.stop().await;
    }
    let (lost, invented, doubled) = judge(&told, &seen.lock().unwrap());
    assert_eq!((lost, invented), (0, 0));
    assert!(doubled < events / 100, "{doubled} of {events} came again");
    grantor_testkit::print_figure(&format!(
        "{events} events, {kills} kills: none lost, none invented, {doubled} came again"
    ));
}

/// Answers one in twenty with 500 and one in fifty not at all, at first.
async fn receiver(seen: Seen) -> Listener {
    let tries = Mutex::new(HashSet::<String>::new());
    let answer = move |call: &Call| {
        let id = call.header("webhook-id").unwrap_or_default().to_owned();
        let first = tries.lock().unwrap().insert(id.clone());
        let number = u32::from_str_radix(&id[id.len() - 6..], 16).unwrap_or(0);
        match number {
            it if first && it % 20 == 7 => Script::answer(500, b""),
            it if first && it % 50 == 9 => Script::Close,
            _ => {
                *seen.lock().unwrap().entry(id).or_default() += 1;
                Script::ok(b"")
            }
        }
    };
    Listener::start(answer).await.expect("a receiver").forgetting()
}

async fn start(installation: &Installation) -> GrantorProcess {
    GrantorProcess::start_worker(installation.command("worker")).await
}

/// Makes the webhook, as its owner would.
async fn subscribe(installation: &Installation, sample: &Value, url: &str) {
    let mut server = GrantorProcess::start(installation.command("serve --no-workers")).await;
    let ask = async |what: &str, token: &str, body: Value| {
        let body = body.to_string();
        let length = format!("content-length: {}", body.len());
        let bearer = format!("authorization: Bearer {token}");
        let head = request(what, &["content-type: application/json", &length, &bearer]);
        exchange(server.connect().await, (head + &body).as_bytes()).await.expect("an answer")
    };
    let pair = json!({ "api_key": sample["api"]["key"], "api_secret": sample["api"]["secret"] });
    let token = text(&ask("POST /auth/token", "", pair).await.json()["data"]["access_token"]);
    let made = ask("POST /webhooks", &token, json!({ "url": url })).await;
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop().await;
}

/// Writes events as changes do, some at a time; gives those that were not undone.
pub(super) async fn write(store: Store, tenant: TenantId, events: u32) -> HashSet<String> {
    let ids = IdGenerator::new(Arc::new(MockClock::default()), Arc::new(SeededEntropy::new(3)));
    let mut told = HashSet::new();
    let mut change = 0;
    while told.len() < events as usize {
        change += 1;
        let numbers = change * TOGETHER..(change + 1) * TOGETHER;
        let id = |number| EventId::from(Uuid::from_u128(0x7000_0000 + u128::from(number)));
        let written: Vec<EventId> = numbers.map(id).collect();
        let (new, ids, fails) = (written.clone(), ids.clone(), change % UNDONE == 0);
        let outcome: Result<(), Error> = store
            .write(move |tx| {
                for id in &new {
                    let at = Timestamp::from_secs(1_700_000_000);
                    let event = Event { id: *id, at, content: news(tenant) };
                    for place in event::insert(tx, &event)? {
                        delivery::enqueue(tx, &ids, &event, place, event.at)?;
                    }
                }
                if fails { Err(Error::Fault("asked for".into())) } else { Ok(()) }
            })
            .await;
        assert_eq!(outcome.is_err(), fails, "{outcome:?}");
        if !fails {
            told.extend(written.iter().map(ToString::to_string));
        }
    }
    told
}

fn news(tenant: TenantId) -> NewEvent {
    NewEvent {
        kind: EventType::WebhookTest,
        owner: tenant,
        license: None,
        resource_version: 1,
        data: json!({}),
        recipients: vec![tenant],
        receiver: None,
    }
}

async fn until(holds: impl Fn() -> bool) {
    let looking = async {
        let mut pace = interval(Duration::from_millis(20));
        while !holds() {
            pace.tick().await;
        }
    };
    timeout(PATIENCE, looking).await.expect("it never came");
}
