//! Pods: scanners of one platform each, controlled by staff (contract sections 1, 5 and 7).

use std::time::Duration;

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::{enum_names, enum_variants};
use crate::error::{Error, Result};
use crate::id::{PlatformId, PodId};
use crate::pax::{PaxScope, PaxScopes};

/// The maximum number of pods, so that they can be listed on one page.
pub const MAX_PODS: u64 = 1_000;

enum_names!(PodStatus);
enum_variants!(PodAction, Blocker);

/// The status of a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum PodStatus {
    /// Scans when due.
    Running,
    /// Temporarily not scanning.
    Paused,
    /// Not scanning.
    Stopped,
}

impl PodStatus {
    /// Returns the status after an action, or a conflict if the action is not allowed.
    pub fn after(self, action: PodAction) -> Result<Self> {
        let row = TRANSITIONS.into_iter().find(|(by, from, _)| (*by, *from) == (action, self));
        row.map(|(.., to)| to).ok_or_else(|| {
            let action = action.past_participle();
            Error::conflict(format!("A pod that is {self} cannot be {action}"))
        })
    }
}

/// An action of staff on a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum PodAction {
    /// Start scanning.
    Start,
    /// Pause scanning.
    Pause,
    /// Stop scanning.
    Stop,
}

/// The allowed transitions (contract section 5). Only a running pod can be paused. Starting a
/// running pod and stopping a stopped one are allowed and change nothing.
const TRANSITIONS: [(PodAction, PodStatus, PodStatus); 7] = [
    (PodAction::Start, PodStatus::Stopped, PodStatus::Running),
    (PodAction::Start, PodStatus::Paused, PodStatus::Running),
    (PodAction::Start, PodStatus::Running, PodStatus::Running),
    (PodAction::Pause, PodStatus::Running, PodStatus::Paused),
    (PodAction::Stop, PodStatus::Running, PodStatus::Stopped),
    (PodAction::Stop, PodStatus::Paused, PodStatus::Stopped),
    (PodAction::Stop, PodStatus::Stopped, PodStatus::Stopped),
];

impl PodAction {
    const fn past_participle(self) -> &'static str {
        match self {
            Self::Start => "started",
            Self::Pause => "paused",
            Self::Stop => "stopped",
        }
    }

    /// The resulting status, and the statuses it changes: used to apply the action to all pods.
    #[must_use]
    pub fn changes(self) -> (PodStatus, Vec<PodStatus>) {
        let to = match self {
            Self::Start => PodStatus::Running,
            Self::Pause => PodStatus::Paused,
            Self::Stop => PodStatus::Stopped,
        };
        let from = TRANSITIONS.into_iter().filter(|(by, from, to)| *by == self && from != to);
        (to, from.map(|(_, from, _)| from).collect())
    }
}

/// Why a pod does not scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Blocker {
    /// The pod is paused or stopped.
    NotRunning,
    /// The pod lacks the `crawl` scope.
    NoCrawlScope,
    /// The domain is not verified.
    NotVerified,
    /// Crawling is disabled in the platform's settings.
    CrawlingDisabled,
}

impl Blocker {
    /// The name used in the API.
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
    /// The unique ID.
    pub id: PodId,
    /// The platform it scans.
    pub platform: PlatformId,
    /// The scopes.
    pub scopes: PaxScopes,
    /// The status.
    pub status: PodStatus,
    /// When the next scan is due, while running.
    pub due_at: Option<Timestamp>,
    /// When it was last started.
    pub last_started_at: Option<Timestamp>,
    /// The accumulated running time before the last start.
    pub uptime: Duration,
    /// The number of requests sent.
    pub request_count: u32,
    /// The number of failed requests.
    pub error_count: u32,
    /// When it was created.
    pub created_at: Timestamp,
}

impl Pod {
    /// Applies an action. Returns whether it changed the status.
    pub fn apply(&mut self, action: PodAction, now: Timestamp) -> Result<bool> {
        let next = self.status.after(action)?;
        if next == self.status {
            return Ok(false);
        }
        self.uptime = self.uptime_at(now);
        self.status = next;
        self.due_at = None;
        if next == PodStatus::Running {
            // A started pod scans at once (contract section 7).
            (self.last_started_at, self.due_at) = (Some(now), Some(now));
        }
        Ok(true)
    }

    /// The accumulated running time.
    #[must_use]
    pub fn uptime_at(&self, now: Timestamp) -> Duration {
        let since = self.last_started_at.filter(|_| self.status == PodStatus::Running);
        let micros = since.map_or(0, |it| now.as_micros().saturating_sub(it.as_micros()));
        self.uptime + Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// The share of requests that failed, from 0 to 1.
    #[must_use]
    pub fn error_rate(&self) -> f64 {
        match self.request_count {
            0 => 0.0,
            all => f64::from(self.error_count) / f64::from(all),
        }
    }

    /// Everything that prevents the pod from scanning.
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

    /// For each action, the result from running, paused and stopped; `-` if not allowed.
    #[test]
    fn every_move_leads_from_every_status_exactly_there() {
        let letter = |from: PodStatus, action| from.after(action).map_or("-", PodStatus::name);
        let found = PodAction::ALL.map(|action| PodStatus::ALL.map(|from| letter(from, action)));
        assert_eq!(found[0], ["running", "running", "running"]);
        assert_eq!(found[1], ["paused", "-", "-"]);
        assert_eq!(found[2], ["stopped", "stopped", "stopped"]);
        let error = PodStatus::Stopped.after(PodAction::Pause).unwrap_err();
        assert_eq!(error.message(), "A pod that is stopped cannot be paused");
    }

    #[test]
    fn moving_all_moves_what_can_be_moved() {
        use PodStatus::{Paused, Running, Stopped};
        assert_eq!(PodAction::Start.changes(), (Running, vec![Stopped, Paused]));
        assert_eq!(PodAction::Pause.changes(), (Paused, vec![Running]));
        assert_eq!(PodAction::Stop.changes(), (Stopped, vec![Running, Paused]));
    }

    #[test]
    fn uptime_is_the_sum_of_all_runs() {
        let (mut pod, at) = (pod(), Timestamp::from_secs);
        assert_eq!(pod.apply(PodAction::Start, at(100)), Ok(true));
        assert_eq!((pod.last_started_at, pod.due_at), (Some(at(100)), Some(at(100))));
        assert_eq!(pod.apply(PodAction::Start, at(105)), Ok(false), "it runs on");
        assert_eq!(pod.uptime_at(at(110)).as_secs(), 10);
        assert_eq!(pod.apply(PodAction::Pause, at(120)), Ok(true));
        assert_eq!((pod.uptime_at(at(999)).as_secs(), pod.due_at), (20, None));
        assert_eq!(pod.apply(PodAction::Start, at(200)), Ok(true));
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
