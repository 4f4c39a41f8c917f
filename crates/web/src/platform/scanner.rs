//! The scanner of a platform: whether there is one, what it did last, and asking for one.

use grantor_domain::id::PlatformId;
use grantor_domain::platform::Platform;
use grantor_domain::pod::Blocker;
use grantor_domain::{ErrorKind, Timestamp};
use grantor_messages::text;
use grantor_service::watching::platform::{self, ScannerState};
use grantor_service::watching::pod::ListedPod;
use maud::{Markup, html};

use super::never;
use crate::frame::{Outcome, Person, Segment};
use crate::view::live::live;
use crate::view::rich::rich;
use crate::view::run::{ShownRun, run_summary};
use crate::view::{ago, badge, card, facts, notice, post_button};

/// Asks staff for a scanner.
pub(crate) async fn ask_scanner(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    let asked = platform::ask_scanner(person.app(), person.context(), person.caller(), id).await;
    let message = match asked {
        Ok(true) => text!("platform-scanner-requested").to_owned(),
        Ok(false) => text!("platform-scanner-already-requested").to_owned(),
        // The page shows why: there is a scanner by now, or the domain is no longer verified.
        Err(error) if *error.kind() == ErrorKind::Conflict => {
            grantor_messages::error(error.message()).into_owned()
        }
        Err(error) => return Err(error.into()),
    };
    Ok(person.redirect(format!("/app/platforms/{id}"), &message))
}

/// The state of the scanner. Where scripts run, the card refreshes every few seconds.
pub(super) fn scanner_card(
    person: &Person,
    it: &Platform,
    state: &ScannerState,
    manages: bool,
) -> Markup {
    let body = match &state.pod {
        Some(listed) => existing(person, it, listed, state),
        None => missing(person, it, state, manages),
    };
    live(person, "scanner", card(text!("platform-scanner"), body))
}

fn existing(person: &Person, it: &Platform, listed: &ListedPod, state: &ScannerState) -> Markup {
    let (now, pod) = (person.now(), &listed.pod);
    let blockers = pod.blockers(listed.verified, listed.crawling_enabled);
    let mut blockers: Vec<_> = blockers.into_iter().map(blocker_label).collect();
    if it.feed_urls.as_slice().is_empty() {
        blockers.push(text!("platform-scanner-no-feeds"));
    }
    let last = state.last_run.as_ref().map(|it| run_summary(now, ShownRun::from(it)));
    let next = next_scan(it, listed, state).filter(|_| blockers.is_empty());
    let next = next.map(|at| {
        if at > now {
            ago(now, at)
        } else {
            html! { (text!("platform-scan-in-seconds")) }
        }
    });
    let none = || html! {};
    html! {
        @if !blockers.is_empty() {
            (notice("warn", html! {
                p { (text!("platform-scanner-blocked")) }
                ul { @for it in &blockers { li { (it) } } }
            }))
        }
        (facts(&[
            (text!("platform-status"), badge(pod.status.name())),
            (text!("platform-last-scan"), last.unwrap_or_else(never)),
            (text!("platform-next-scan"), next.unwrap_or_else(none)),
        ]))
    }
}

/// When the scanner scans next, by the platform's frequency. While it scans, it is due only in case
/// the scan never ends.
fn next_scan(it: &Platform, listed: &ListedPod, state: &ScannerState) -> Option<Timestamp> {
    let due_at = listed.pod.due_at?;
    let running = state.last_run.as_ref().filter(|run| run.ended_at.is_none());
    let period = it.settings.detection_frequency.period();
    Some(running.map_or(due_at, |run| run.started_at.plus(period)))
}

fn blocker_label(blocker: Blocker) -> &'static str {
    match blocker {
        Blocker::NotRunning => text!("platform-blocked-not-running"),
        Blocker::NoCrawlScope => text!("platform-blocked-no-scope"),
        Blocker::NotVerified => text!("platform-blocked-not-verified"),
        Blocker::CrawlingDisabled => text!("platform-blocked-crawling-off"),
    }
}

fn missing(person: &Person, it: &Platform, state: &ScannerState, manages: bool) -> Markup {
    html! {
        p { (text!("platform-no-scanner")) }
        @if it.proved.is_some() && it.feed_urls.as_slice().is_empty() { p { (text!("platform-scanner-no-feeds")) } }
        @if let Some(at) = state.requested_at {
            p { (rich!("platform-scanner-asked", time = ago(person.now(), at))) }
        } @else if it.proved.is_none() {
            p.quiet { (text!("platform-verify-first")) }
        } @else if manages {
            (post_button(&format!("/app/platforms/{}/scanner", it.id), text!("platform-ask-scanner"), &[]))
        }
    }
}
