//! What clients do meanwhile: they create licenses, and read and change a few of them at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use grantor_testkit::cluster::linearizability::{Call, Model};
use grantor_testkit::cluster::{Dice, pause};
use grantor_testkit::server::Reply;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::client::{As, Ask, Client, Ended};
use crate::license::text;

/// Licenses that are changed, and clients that change them.
pub(super) const LICENSES: usize = 5;
const CLIENTS: u64 = 6;

/// An operation on a license, with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Edit {
    /// Found this version with this value.
    Read { version: u64, value: u64 },
    /// Set the value, in this version if it is known.
    Write { value: u64, version: Option<u64> },
    /// The same, only if the version was the expected one.
    WriteIf { expected: u64, value: u64, version: Option<u64> },
    /// Refused because the version was not this one.
    Refused { expected: u64 },
}

/// The versions of a license: each change makes the next one.
pub(super) struct Versions;

impl Model for Versions {
    type State = (u64, u64);
    type Operation = Edit;

    fn step(state: &(u64, u64), edit: &Edit) -> Option<(u64, u64)> {
        let (current, _) = *state;
        let written = |value: u64, version: Option<u64>| {
            let next = current + 1;
            version.is_none_or(|it| it == next).then_some((next, value))
        };
        match *edit {
            Edit::Read { version, value } => (*state == (version, value)).then_some(*state),
            Edit::Write { value, version } => written(value, version),
            Edit::WriteIf { expected, value, version } => {
                written(value, version).filter(|_| current == expected)
            }
            Edit::Refused { expected } => (current != expected).then_some(*state),
        }
    }
}

/// The version and value that each license started with, and the operations on it.
pub(super) type Histories = HashMap<String, ((u64, u64), Vec<Call<Edit>>)>;

/// What was done and acknowledged.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// The operations on licenses.
    pub(super) histories: Histories,
    /// Titles of licenses that somebody tried to create.
    pub(super) tried: Vec<String>,
    /// Titles of those that were acknowledged, with the id unless its answer was lost.
    pub(super) created: Vec<(String, Option<String>)>,
}

/// The clients' work.
#[derive(Clone)]
pub(super) struct Work {
    client: Client,
    talent: String,
    licenses: Arc<Vec<String>>,
    ledger: Arc<Mutex<Ledger>>,
    /// Orders calls and returns, and makes values and keys unique.
    ticks: Arc<AtomicU64>,
    seed: u64,
}

impl Work {
    /// Creates the licenses that are changed.
    pub(super) async fn begin(client: Client, sample: &Value, seed: u64) -> Self {
        let (ticks, mut dice) = (Arc::new(AtomicU64::new(1)), Dice::new(seed));
        let talent = text(&sample["talents"][0]["talentId"]);
        let (licenses, ledger) = (Arc::default(), Arc::default());
        let mut work = Self { client, talent, licenses, ledger, ticks, seed };
        let mut ids = Vec::new();
        for _ in 0..LICENSES {
            let id = work.create(&mut dice).await.expect("a license");
            let (read, _) = work.read(&id, &mut dice).await.expect("the license");
            let Edit::Read { version, value } = read else { panic!("{read:?}") };
            let begin = ((version, value), vec![]);
            work.ledger.lock().unwrap().histories.insert(id.clone(), begin);
            ids.push(id);
        }
        work.licenses = Arc::new(ids);
        work
    }

    /// Starts all clients. Each ends with the request that it is at when it is told to.
    pub(super) fn start(&self, stop: &CancellationToken) -> Vec<tokio::task::JoinHandle<()>> {
        let start = |number: u64| {
            let (work, stop) = (self.clone(), stop.clone());
            let mut dice = Dice::new(self.seed ^ (number << 32));
            tokio::spawn(async move {
                let mut tag = HashMap::new();
                while !stop.is_cancelled() {
                    work.act(&mut tag, &mut dice).await;
                    pause(dice.millis(1, 60)).await;
                }
            })
        };
        (1..=CLIENTS).map(start).collect()
    }

    pub(super) fn ledger(&self) -> Arc<Mutex<Ledger>> {
        Arc::clone(&self.ledger)
    }

    /// Reads every license once more, which every change that was acknowledged comes before.
    pub(super) async fn read_all(&self) {
        let mut dice = Dice::new(self.seed);
        for id in &*self.licenses {
            self.look(id, &mut HashMap::new(), &mut dice).await;
        }
    }

    fn tick(&self) -> u64 {
        self.ticks.fetch_add(1, Ordering::SeqCst)
    }

    /// Does something, with the tags that this client read last.
    async fn act(&self, tags: &mut HashMap<String, (u64, String)>, dice: &mut Dice) {
        let id = &self.licenses[dice.below(self.licenses.len())];
        match dice.below(100) {
            0..15 => drop(self.create(dice).await),
            15..45 => self.look(id, tags, dice).await,
            45..75 => self.write(id, None, dice).await,
            _ => match tags.get(id).cloned() {
                Some(tag) => self.write(id, Some(tag), dice).await,
                None => self.look(id, tags, dice).await,
            },
        }
    }

    async fn look(&self, id: &str, tags: &mut HashMap<String, (u64, String)>, dice: &mut Dice) {
        let called = self.tick();
        let Some((read, tag)) = self.read(id, dice).await else { return };
        if let Edit::Read { version, .. } = read {
            tags.insert(id.to_owned(), (version, tag));
        }
        self.note(id, called, Some(self.tick()), read);
    }

    /// Reads a license and its tag.
    async fn read(&self, id: &str, dice: &mut Dice) -> Option<(Edit, String)> {
        let ask = Ask::new(As::External, format!("GET /licenses/{id}"));
        let Ended::Answered(reply) = self.client.persist(&ask, dice).await else { return None };
        if reply.status != 200 {
            self.client.wonder(format!("{}: {} {}", ask.what, reply.status, reply.body));
            return None;
        }
        let license = reply.json();
        let value = license["description"].as_str().and_then(|it| it.strip_prefix("Value "));
        let value = value.and_then(|it| it.parse().ok()).unwrap_or(0);
        let version = license["version"].as_u64().expect("a version");
        Some((Edit::Read { version, value }, reply.header("etag").unwrap_or("*").to_owned()))
    }

    async fn write(&self, id: &str, tag: Option<(u64, String)>, dice: &mut Dice) {
        let (called, value) = (self.tick(), self.tick());
        let expected = tag.as_ref().map(|(version, _)| *version);
        let mut ask = Ask::new(As::External, format!("PATCH /licenses/{id}"))
            .header(format!("idempotency-key: edit-{}-{value}", self.seed))
            .json(json!({ "description": format!("Value {value}") }));
        if let Some((_, tag)) = tag {
            ask = ask.header(format!("if-match: {tag}"));
        }
        let edit = |version| match expected {
            Some(expected) => Edit::WriteIf { expected, value, version },
            None => Edit::Write { value, version },
        };
        match (self.client.persist(&ask, dice).await, expected) {
            (Ended::Answered(reply), _) if reply.status == 200 => {
                let version = reply.json()["version"].as_u64();
                self.note(id, called, Some(self.tick()), edit(version));
            }
            (Ended::Answered(reply), Some(expected)) if reply.status == 412 => {
                self.note(id, called, Some(self.tick()), Edit::Refused { expected });
            }
            (Ended::Answered(reply), _) => self.wonder(&ask, &reply),
            (Ended::Done, _) => self.note(id, called, Some(self.tick()), edit(None)),
            (Ended::Unknown, _) => self.note(id, called, None, edit(None)),
        }
    }

    /// Creates a license. Returns its id if it is known.
    async fn create(&self, dice: &mut Dice) -> Option<String> {
        let title = format!("Storm {} {}", self.seed, self.tick());
        self.ledger.lock().unwrap().tried.push(title.clone());
        let body = json!({
            "name": title, "type": "advertising", "status": "private", "description": "Value 0",
        });
        let what = format!("POST /v1.0.1/org/talent/license/{}", self.talent);
        let key = format!("idempotency-key: {}", title.replace(' ', "-"));
        let ask = Ask::new(As::Console, what).header(key).json(body);
        let id = match self.client.persist(&ask, dice).await {
            Ended::Answered(reply) if reply.status == 201 => {
                Some(text(&reply.json()["data"]["licenseId"]))
            }
            Ended::Answered(reply) => {
                self.wonder(&ask, &reply);
                return None;
            }
            Ended::Done => None,
            Ended::Unknown => return None,
        };
        self.ledger.lock().unwrap().created.push((title, id.clone()));
        id
    }

    fn wonder(&self, ask: &Ask, reply: &Reply) {
        self.client.wonder(format!("{}: {} {}", ask.what, reply.status, reply.body));
    }

    fn note(&self, id: &str, called: u64, returned: Option<u64>, operation: Edit) {
        let mut ledger = self.ledger.lock().unwrap();
        let (_, history) = ledger.histories.get_mut(id).expect("a known license");
        history.push(Call { called, returned, operation });
    }
}
