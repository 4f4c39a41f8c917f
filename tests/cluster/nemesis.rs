//! What goes wrong: one thing at a time, in random order, healed after a while.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use grantor_testkit::cluster::{Dice, LinkState, now, pause};
use grantor_testkit::print_figure;

use super::fleet::{CLOCKED, CRAMPED, Fleet, NODES};

/// The number of kinds of faults.
const KINDS: usize = 10;

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A node is killed.
    Kill(usize),
    /// A node stands still, for longer than others wait before they take over its work.
    Stop(usize),
    /// Clients do not reach a node.
    CutClients(usize),
    /// A node does not reach PostgreSQL: connections break.
    CutDatabase(usize),
    /// A node does not reach PostgreSQL: nothing is heard.
    SilenceDatabase(usize),
    /// A node does not reach Redis.
    CutRedis(usize),
    /// Redis is lost with all counts.
    LoseRedis,
    /// PostgreSQL's primary crashes and the standby takes over.
    FailOver,
    /// A node's disk is full.
    FillDisk,
    /// A node's clock jumps by seconds.
    StepClock(i64),
}

impl Fault {
    /// One of each, about random nodes, in random order.
    fn all(dice: &mut Dice) -> Vec<Self> {
        let mut node = || dice.below(NODES);
        let mut all = vec![
            Self::Kill(node()),
            Self::Stop(node()),
            Self::CutClients(node()),
            Self::CutDatabase(node()),
            Self::SilenceDatabase(node()),
            Self::CutRedis(node()),
            Self::LoseRedis,
            Self::FailOver,
            Self::FillDisk,
        ];
        all.push(Self::StepClock(if dice.roll().is_multiple_of(2) { 40 } else { -40 }));
        dice.shuffle(&mut all);
        all
    }

    /// How long it lasts. In a long storm some last longer.
    fn hold(self, dice: &mut Dice, long: bool) -> Duration {
        let stretch = if long { 4 } else { 1 };
        match self {
            Self::Stop(_) => dice.millis(3_300, 3_300 + 700 * stretch),
            Self::SilenceDatabase(_) => dice.millis(800, 800 + 1_200 * stretch),
            _ => dice.millis(100, 100 + 700 * stretch),
        }
    }

    async fn begin(self, fleet: &mut Fleet) {
        match self {
            Self::Kill(node) => fleet.kill(node).await,
            Self::Stop(node) => fleet.nodes[node].signal("STOP"),
            Self::CutClients(node) => fleet.nodes[node].front.set(LinkState::Cut),
            Self::CutDatabase(node) => fleet.nodes[node].set_database(LinkState::Cut),
            Self::SilenceDatabase(node) => fleet.nodes[node].set_database(LinkState::Silent),
            Self::CutRedis(node) => fleet.nodes[node].redis.set(LinkState::Cut),
            Self::LoseRedis => fleet.redis.kill(),
            Self::FailOver => fleet.pair.fail_over().await,
            Self::FillDisk if fleet.nodes[CRAMPED].has_small_disk => fill(fleet),
            Self::FillDisk => print_figure("skipped: no node may mount a disk of its own here"),
            Self::StepClock(seconds) => fleet.nodes[CLOCKED].set_clock(seconds),
        }
    }

    async fn end(self, fleet: &mut Fleet) {
        match self {
            Self::Kill(node) => fleet.launch(node).await,
            Self::Stop(node) => fleet.nodes[node].signal("CONT"),
            Self::CutClients(node) => fleet.nodes[node].front.set(LinkState::Open),
            Self::CutDatabase(node) | Self::SilenceDatabase(node) => {
                fleet.nodes[node].set_database(LinkState::Open);
            }
            Self::CutRedis(node) => fleet.nodes[node].redis.set(LinkState::Open),
            Self::LoseRedis => fleet.redis.resume().await.unwrap(),
            Self::FailOver => fleet.replace_standby().await,
            Self::FillDisk if fleet.nodes[CRAMPED].has_small_disk => {
                std::fs::remove_file(fleet.nodes[CRAMPED].filler()).unwrap();
            }
            Self::FillDisk => {}
            Self::StepClock(_) => fleet.nodes[CLOCKED].set_clock(0),
        }
    }
}

/// Writes a file until the disk is full.
fn fill(fleet: &Fleet) {
    let mut file = std::fs::File::create(fleet.nodes[CRAMPED].filler()).unwrap();
    let mut size = 1 << 20;
    while size > 0 {
        if file.write_all(&vec![b'x'; size]).is_err() {
            size /= 2;
        }
    }
}

/// Whether something is wrong: odd while a fault lasts.
#[derive(Debug, Default)]
pub(super) struct Weather(AtomicU64);

impl Weather {
    /// The number of changes so far, if nothing is wrong.
    pub(super) fn calm(&self) -> Option<u64> {
        Some(self.0.load(Ordering::SeqCst)).filter(|it| it % 2 == 0)
    }

    fn turn(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Lets things go wrong until this time, each at least once. Returns how many did.
pub(super) async fn rage(
    fleet: &mut Fleet,
    weather: &Weather,
    mut dice: Dice,
    until: Instant,
) -> usize {
    let mut count = 0;
    loop {
        let faults = Fault::all(&mut dice);
        assert_eq!(faults.len(), KINDS);
        for fault in faults {
            if count >= KINDS && now() >= until {
                return count;
            }
            let begun = now();
            weather.turn();
            fault.begin(fleet).await;
            pause(fault.hold(&mut dice, count >= KINDS)).await;
            fault.end(fleet).await;
            weather.turn();
            print_figure(&format!("{fault:?} for {} ms", begun.elapsed().as_millis()));
            count += 1;
            pause(dice.millis(100, 600)).await;
        }
        if now() >= until {
            return count;
        }
    }
}
