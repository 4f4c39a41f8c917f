//! The replica: how far it is behind, and where its units go if it cannot run them.

use std::sync::Arc;
use std::time::Duration;

use metrics::{counter, gauge};

use super::connector::Connector;
use super::session::Session;
use crate::driver::freshness::{Freshness, LogPlace, MAX_LAG, Positions, ReplicaLag};
use crate::driver::job::Job;
use crate::driver::queue::{Receiver, Sender};
use crate::driver::wait::now;
use crate::error::{Error, Result};

/// How often replica and primary are compared.
const INTERVAL: Duration = Duration::from_millis(250);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(1);
/// The end of a primary's log: its timeline and its position. The name of a file of the log begins
/// with the timeline.
const WRITTEN: &str = "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))\
                       ::bit(32)::bigint, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint";
/// How much of it a replica has, or nothing if it is a primary itself. Only roles with the
/// privileges of `pg_read_all_stats` see what is received. The other timeline follows with the next
/// restart point after a failover: until then the replica is not read.
const REPLAYED: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN GREATEST(\
                        (SELECT received_tli FROM pg_stat_wal_receiver), \
                        (SELECT min_recovery_end_timeline FROM pg_control_recovery())) END, \
                        COALESCE(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::bigint";

/// Sends units of the replica to the primary.
#[derive(Clone, Debug)]
pub(super) struct Fallback {
    pub(super) freshness: Arc<Freshness>,
    pub(super) primary: Sender<Job>,
}

impl Fallback {
    pub(super) fn is_replica_fresh(&self) -> bool {
        self.freshness.is_fresh()
    }

    /// Hands a unit over to the primary.
    pub(super) fn take(&self, job: Job) {
        counter!("grantor_replica_fallbacks_total").increment(1);
        if let Err(refused) = self.primary.try_send(job) {
            let why = "the replica cannot be read, and too many units of work are waiting";
            refused.finish(Err(Error::Unavailable(why.to_owned())));
        }
    }
}

/// Compares the replica with the primary until the queue closes. Positions in the primary's log are
/// noted with their time: when the replica has reached one, it has everything that was stored until
/// then. Unlike the times that the servers report, this needs neither equal clocks nor writes.
pub(super) fn watch(
    primary: &Connector,
    replica: &Connector,
    freshness: &Freshness,
    stop: &Receiver<Job>,
) {
    let lag = gauge!("grantor_replica_lag_seconds");
    let mut positions = Positions::default();
    let (mut of_primary, mut of_replica) = (None, None);
    // Since when the replica is this one, and until when it has everything.
    let (mut since, mut caught_up) = (now(), now());
    let mut was_fresh = None;
    loop {
        let asked = now();
        if let Ok(Some(place)) = ask(primary, &mut of_primary, WRITTEN) {
            positions.note(asked, place);
        }
        let place = place_of(replica, &mut of_replica);
        let reached = place.ok().flatten().and_then(|it| positions.reached(it));
        if let Some(at) = reached {
            caught_up = at;
            freshness.confirm(at);
        }
        lag.set(caught_up.elapsed().as_secs_f64());
        let is_fresh = freshness.is_fresh();
        if was_fresh.replace(is_fresh) != Some(is_fresh) {
            tell(is_fresh);
        }
        let server = of_replica.as_ref().map(Session::server);
        if let Some(server) = server
            && replica.has_several_servers()
            && !is_fresh
            && since.elapsed() > MAX_LAG * 2
        {
            replica.leave(server);
            (of_replica, since) = (None, now());
        }
        if stop.closes_within(INTERVAL) {
            return;
        }
    }
}

fn tell(is_fresh: bool) {
    if is_fresh {
        tracing::info!("the replica is read");
    } else {
        tracing::warn!("the replica is away or behind: the primary is read instead");
    }
}

/// Measures how long the replica takes to reach the end of the primary's log.
pub(super) fn measure(primary: &Connector, replica: &Connector) -> Result<ReplicaLag> {
    let (mut of_primary, mut of_replica) = (None, None);
    // Connecting is not counted.
    place_of(replica, &mut of_replica)?;
    ask(primary, &mut of_primary, WRITTEN)?;
    let asked = now();
    let end = ask(primary, &mut of_primary, WRITTEN)?;
    let end = end.ok_or_else(|| Error::Fault("the primary has no log".to_owned()))?;
    loop {
        let place = place_of(replica, &mut of_replica)?;
        let Some(place) = place.filter(|it| it.timeline == end.timeline) else {
            return Ok(ReplicaLag::OtherTimeline);
        };
        let lag = asked.elapsed();
        if place.position >= end.position {
            return Ok(ReplicaLag::Time(lag));
        }
        if lag > MAX_LAG {
            return Ok(ReplicaLag::Bytes(end.position - place.position));
        }
        std::thread::sleep(INTERVAL);
    }
}

/// How far a replica has come. It may be the primary itself.
fn place_of(replica: &Connector, kept: &mut Option<Session>) -> Result<Option<LogPlace>> {
    match ask(replica, kept, REPLAYED) {
        Ok(None) => ask(replica, kept, WRITTEN),
        answer => answer,
    }
}

fn ask(connector: &Connector, kept: &mut Option<Session>, text: &str) -> Result<Option<LogPlace>> {
    let mut session = match kept.take() {
        Some(session) if !session.is_closed() && connector.is_current(&session) => session,
        _ => connector.connect()?,
    };
    let answer = session.numbers(text, ANSWER)?;
    *kept = Some(session);
    Ok(answer.map(|[timeline, position]| LogPlace { timeline, position }))
}
