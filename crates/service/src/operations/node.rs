//! The nodes of an installation. Each says every second that it lives; whoever notices that another
//! no longer does frees what that one held: deliveries, mails, scans and other claimed work, and
//! idempotency keys.
//!
//! A node is dead when it has not beaten while another one has beaten three times. No clock is
//! compared, so a clock that jumps kills nobody, and neither does a database that is away
//! for a while, because then nobody beats.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grantor_domain::Result;
use grantor_domain::id::NodeId;
use grantor_storage::node::{self, Node};
use grantor_storage::{Changes, Tx, migrate};

use crate::App;

/// How often a node says that it lives.
pub const BEAT_INTERVAL: Duration = Duration::from_secs(1);
/// A node that is silent for so many beats of another is dead.
const SILENT_ROUNDS: u32 = 3;

/// This node, and what it knows of the others.
#[derive(Debug)]
pub struct Nodes {
    id: NodeId,
    seen: Mutex<BTreeMap<NodeId, Seen>>,
    alive: AtomicUsize,
    /// Whether a migration waits for older nodes.
    contracts: AtomicBool,
}

/// What was last seen of another node.
#[derive(Clone, Copy, Debug)]
struct Seen {
    beats: i64,
    silent: u32,
}

impl Nodes {
    /// A node that has not joined the others yet.
    #[must_use]
    pub fn new(id: NodeId) -> Self {
        let (seen, contracts) = (Mutex::default(), AtomicBool::new(false));
        Self { id, seen, alive: AtomicUsize::new(1), contracts }
    }

    /// This node's id.
    #[must_use]
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// How many nodes lived when this one last looked, with itself: at least one.
    #[must_use]
    pub fn alive(&self) -> usize {
        self.alive.load(Ordering::Relaxed)
    }

    /// Compares the nodes with what was seen of them before, and returns the dead ones.
    fn observe(&self, nodes: &[Node]) -> Vec<(NodeId, i64)> {
        let mut seen = self.seen();
        let before = std::mem::take(&mut *seen);
        let mut dead = Vec::new();
        for node in nodes.iter().filter(|it| it.id != self.id) {
            let silent = match before.get(&node.id) {
                Some(last) if last.beats == node.beats => last.silent + 1,
                _ => 0,
            };
            if silent >= SILENT_ROUNDS {
                dead.push((node.id, node.beats));
            }
            seen.insert(node.id, Seen { beats: node.beats, silent });
        }
        let alive = seen.values().filter(|it| it.silent < SILENT_ROUNDS).count() + 1;
        self.alive.store(alive, Ordering::Relaxed);
        dead
    }

    fn seen(&self) -> MutexGuard<'_, BTreeMap<NodeId, Seen>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Joins the others: from now on this node holds what it claims. On a database that no other node
/// can use, what an earlier process held is free at once.
pub async fn join(app: &App) -> Result<()> {
    let (own, shared, now) = (row(app), app.store.is_shared(), app.clock.now());
    let joined: Result<()> = app
        .store
        .write(move |tx| {
            if !shared {
                for dead in node::list(tx)? {
                    node::remove(tx, dead.id, dead.beats, now)?;
                }
            }
            Ok(node::beat(tx, &own)?)
        })
        .await;
    joined?;
    app.store.join_as(app.nodes.id);
    let plan = migrate::plan(&app.store).await?;
    app.nodes.contracts.store(plan.waits(), Ordering::Relaxed);
    Ok(())
}

/// Says that this node lives, and frees what dead nodes held. A database that no other node can use
/// needs none of this.
pub async fn beat(app: &App) -> Result<()> {
    if !app.store.is_shared() {
        return Ok(());
    }
    let own = row(app);
    let work = move |tx: &mut Tx<'_>| {
        node::beat(tx, &own)?;
        node::list(tx)
    };
    let nodes = app.store.write_heartbeat(work).await?;
    for (id, beats) in app.nodes.observe(&nodes) {
        if remove(app, id, beats).await? {
            tracing::warn!(node = %id, "a node died: what it held is free");
            metrics::counter!("grantor_nodes_lost_total").increment(1);
        }
    }
    let alive = u32::try_from(app.nodes.alive()).unwrap_or(u32::MAX);
    metrics::gauge!("grantor_nodes").set(f64::from(alive));
    Ok(())
}

/// Leaves the others before the process ends. What it still holds is free at once.
pub async fn leave(app: &App) -> Result<()> {
    let own = app.nodes.id;
    let nodes = app.store.read(node::list).await?;
    if let Some(own) = nodes.iter().find(|it| it.id == own) {
        remove(app, own.id, own.beats).await?;
    }
    Ok(())
}

async fn remove(app: &App, id: NodeId, beats: i64) -> Result<bool> {
    let now = app.clock.now();
    let work = move |tx: &mut Tx<'_>| node::remove(tx, id, beats, now);
    let removed = app.store.write_heartbeat(work).await?;
    if removed {
        // Wakes the workers, which need not wait for their next look.
        app.after_commit(&Changes::all());
    }
    Ok(removed)
}

/// Contracts the schema once no older node is left. Heartbeats must not wait for this: it may wait
/// for locks.
pub async fn contract(app: &App) -> Result<()> {
    if !app.nodes.contracts.load(Ordering::Relaxed) || has_older(app).await? {
        return Ok(());
    }
    for name in migrate::run(&app.store, app.clock.now()).await? {
        tracing::info!(migration = name, "applied migration: no older node is left");
    }
    let plan = migrate::plan(&app.store).await?;
    app.nodes.contracts.store(plan.waits(), Ordering::Relaxed);
    Ok(())
}

/// Whether a node of an older version lives. Nodes until migration 60 do not register.
pub(crate) async fn has_older(app: &App) -> Result<bool> {
    let nodes = app.store.lookup(node::list).await?;
    Ok(nodes.iter().any(Node::is_older))
}

fn row(app: &App) -> Node {
    Node {
        id: app.nodes.id,
        beats: 0,
        schema_version: migrate::latest(),
        key_ring: app.keys.version(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        started_at: app.started,
    }
}
