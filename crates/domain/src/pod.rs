//! Pods: the worker bound to one platform that scans it; staff moves it (contract sections 1, 5, 7).

use std::time::Duration;

use crate::Timestamp;
use crate::error::{Error, Result};
use crate::id::{PlatformId, PodId};
use crate::named::named;
use crate::pax::{PaxScope, PaxScopes};

/// How many pods there can be: every list of them is whole.
pub const MOST_PODS: u64 = 1_000;

named!(PodStatus);

/// What a pod does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PodStatus {
    /// It scans when it is due.
    Running,
    /// It rests.
    Paused,
    /// It does nothing.
    Stopped,
}

impl PodStatus {
    /// All of them, in the document's order.
    pub const ALL: [Self; 3] = [Self::Running, Self::Paused, Self::Stopped];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
        }
    }

    /// The status after a move, or a conflict. The same again where it stands in the table changes
    /// nothing.
    pub fn after(self, moved: PodMove) -> Result<Self> {
        let row = MOVES.into_iter().find(|(by, from, _)| (*by, *from) == (moved, self));
        row.map(|(.., to)| to).ok_or_else(|| {
            Error::conflict(format!("A pod that is {} cannot be {}", self.name(), moved.done()))
        })
    }
}

/// What staff can do with a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PodMove {
    /// Let it scan.
    Start,
    /// Let it rest.
    Pause,
    /// Let it do nothing.
    Stop,
}

/// What leads where (contract section 5): only what runs can be paused; starting what runs and
/// stopping what is stopped is done already.
const MOVES: [(PodMove, PodStatus, PodStatus); 7] = [
    (PodMove::Start, PodStatus::Stopped, PodStatus::Running),
    (PodMove::Start, PodStatus::Paused, PodStatus::Running),
    (PodMove::Start, PodStatus::Running, PodStatus::Running),
    (PodMove::Pause, PodStatus::Running, PodStatus::Paused),
    (PodMove::Stop, PodStatus::Running, PodStatus::Stopped),
    (PodMove::Stop, PodStatus::Paused, PodStatus::Stopped),
    (PodMove::Stop, PodStatus::Stopped, PodStatus::Stopped),
];

impl PodMove {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Start, Self::Pause, Self::Stop];

    const fn done(self) -> &'static str {
        match self {
            Self::Start => "started",
            Self::Pause => "paused",
            Self::Stop => "stopped",
        }
    }

    /// What it leads to, and from where it is a change: whoever moves all pods moves these.
    #[must_use]
    pub fn changes(self) -> (PodStatus, Vec<PodStatus>) {
        let to = match self {
            Self::Start => PodStatus::Running,
            Self::Pause => PodStatus::Paused,
            Self::Stop => PodStatus::Stopped,
        };
        let from = MOVES.into_iter().filter(|(by, from, to)| *by == self && from != to);
        (to, from.map(|(_, from, _)| from).collect())
    }
}

/// Why a pod does not scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocker {
    /// It is paused or stopped.
    NotRunning,
    /// It lacks the scope crawl.
    NoCrawlScope,
    /// The domain is not proved.
    NotVerified,
    /// The platform does not want it.
    CrawlingDisabled,
}

impl Blocker {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::NotRunning, Self::NoCrawlScope, Self::NotVerified, Self::CrawlingDisabled];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotRunning => "pod_not_running",
            Self::NoCrawlScope => "scope_crawl_missing",
            Self::NotVerified => "platform_not_verified",
            Self::CrawlingDisabled => "crawling_disabled",
        }
    }
}

/// A pod.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pod {
    /// Its id.
    pub id: PodId,
    /// What it scans.
    pub platform: PlatformId,
    /// What it is good for.
    pub scopes: PaxScopes,
    /// What it does.
    pub status: PodStatus,
    /// When it scans next, while it runs.
    pub due_at: Option<Timestamp>,
    /// When it was started last.
    pub last_started_at: Option<Timestamp>,
    /// How long it ran before it was started last.
    pub uptime: Duration,
    /// How many requests it sent.
    pub request_count: u32,
    /// How many of them failed.
    pub error_count: u32,
    /// When it was made.
    pub created_at: Timestamp,
}

impl Pod {
    /// Moves it. Gives whether that changed anything.
    pub fn make(&mut self, moved: PodMove, now: Timestamp) -> Result<bool> {
        let next = self.status.after(moved)?;
        if next == self.status {
            return Ok(false);
        }
        self.uptime = self.uptime_at(now);
        self.status = next;
        self.due_at = None;
        if next == PodStatus::Running {
            // At once when started (contract section 7).
            (self.last_started_at, self.due_at) = (Some(now), Some(now));
        }
        Ok(true)
    }

    /// How long it ran, all runs together.
    #[must_use]
    pub fn uptime_at(&self, now: Timestamp) -> Duration {
        let since = self.last_started_at.filter(|_| self.status == PodStatus::Running);
        let micros = since.map_or(0, |it| now.as_micros().saturating_sub(it.as_micros()));
        self.uptime + Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// Which part of its requests failed, from 0 to 1.
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        match self.request_count {
            0 => 0.0,
            all => f64::from(self.error_count) / f64::from(all),
        }
    }

    /// Everything that keeps it from scanning.
    #[must_use]
    pub fn blockers(&self, verified: bool, crawling_enabled: bool) -> Vec<Blocker> {
        let reasons = [
            (self.status != PodStatus::Running, Blocker::NotRunning),
            (!self.scopes.contains(PaxScope::Crawl), Blocker::NoCrawlScope),
            (!verified, Blocker::NotVerified),
            (!crawling_enabled, Blocker::CrawlingDisabled),
        ];
        reasons.into_iter().filter(|(holds, _)| *holds).map(|(_, it)| it).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn pod() -> Pod {
        Pod {
            id: Uuid::nil().into(),
            platform: Uuid::nil().into(),
            scopes: "read crawl".parse().unwrap(),
            status: PodStatus::Stopped,
            due_at: None,
            last_started_at: None,
            uptime: Duration::ZERO,
            request_count: 0,
            error_count: 0,
            created_at: Timestamp::from_secs(0),
        }
    }

    /// For each move, where it leads from running, paused and stopped; `-` where it does not.
    #[test]
    fn every_move_leads_from_every_status_exactly_there() {
        let letter = |from: PodStatus, moved| from.after(moved).map_or("-", PodStatus::name);
        let found = PodMove::ALL.map(|moved| PodStatus::ALL.map(|from| letter(from, moved)));
        assert_eq!(found[0], ["running", "running", "running"]);
        assert_eq!(found[1], ["paused", "-", "-"]);
        assert_eq!(found[2], ["stopped", "stopped", "stopped"]);
        let error = PodStatus::Stopped.after(PodMove::Pause).unwrap_err();
        assert_eq!(error.message(), "A pod that is stopped cannot be paused");
    }

    #[test]
    fn moving_all_moves_what_can_be_moved() {
        use PodStatus::{Paused, Running, Stopped};
        assert_eq!(PodMove::Start.changes(), (Running, vec![Stopped, Paused]));
        assert_eq!(PodMove::Pause.changes(), (Paused, vec![Running]));
        assert_eq!(PodMove::Stop.changes(), (Stopped, vec![Running, Paused]));
    }

    #[test]
    fn uptime_is_the_sum_of_all_runs() {
        let (mut pod, at) = (pod(), Timestamp::from_secs);
        assert_eq!(pod.make(PodMove::Start, at(100)), Ok(true));
        assert_eq!((pod.last_started_at, pod.due_at), (Some(at(100)), Some(at(100))));
        assert_eq!(pod.make(PodMove::Start, at(105)), Ok(false), "it runs on");
        assert_eq!(pod.uptime_at(at(110)).as_secs(), 10);
        assert_eq!(pod.make(PodMove::Pause, at(120)), Ok(true));
        assert_eq!((pod.uptime_at(at(999)).as_secs(), pod.due_at), (20, None));
        assert_eq!(pod.make(PodMove::Start, at(200)), Ok(true));
        assert_eq!(pod.uptime_at(at(201)).as_secs(), 21);
        assert_eq!(pod.uptime_at(at(150)).as_secs(), 20, "a clock that was set back");
    }

    #[test]
    fn it_says_what_keeps_it_from_scanning() {
        let mut pod = pod();
        let names = |pod: &Pod, verified, enabled| {
            pod.blockers(verified, enabled).into_iter().map(Blocker::name).collect::<Vec<_>>()
        };
        assert_eq!(names(&pod, true, true), ["pod_not_running"]);
        pod.status = PodStatus::Running;
        assert!(names(&pod, true, true).is_empty());
        pod.scopes = "read".parse().unwrap();
        let all = ["scope_crawl_missing", "platform_not_verified", "crawling_disabled"];
        assert_eq!(names(&pod, false, false), all);
    }

    #[test]
    fn the_error_rate_is_a_part_of_one() {
        let rate = |request_count, error_count| {
            format!("{:.2}", Pod { request_count, error_count, ..pod() }.error_rate())
        };
        assert_eq!([rate(0, 0), rate(4, 1), rate(2, 2)], ["0.00", "0.25", "1.00"]);
    }
}
