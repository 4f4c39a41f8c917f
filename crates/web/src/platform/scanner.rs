//! The scanner of a platform: whether there is one, what it did last, and asking for one.

use grantor_domain::id::PlatformId;
use grantor_domain::platform::Platform;
use grantor_domain::pod::Blocker;
use grantor_domain::{ErrorKind, Timestamp};
use grantor_service::watching::platform::{self, ScannerState};
use grantor_service::watching::pod::ListedPod;
use maud::{Markup, html};

use crate::frame::{Outcome, Person, Segment};
use crate::view::run::{ShownRun, run_summary};
use crate::view::{ago, badge, card, facts, notice, post_button};

const NO_FEEDS: &str = "The platform has no feeds, so there is nothing to scan. Edit the platform to \
                        add a feed or a sitemap.";

/// Asks staff for a scanner.
pub(crate) async fn ask_scanner(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    let asked = platform::ask_scanner(person.app(), person.context(), person.caller(), id).await;
    let message = match asked {
        Ok(true) => "Scanner requested. The operator has been notified.".to_owned(),
        Ok(false) => "A scanner had already been requested".to_owned(),
        // The page shows why: there is a scanner by now, or the domain is no longer verified.
        Err(error) if *error.kind() == ErrorKind::Conflict => error.message().to_owned(),
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
    html! { div data-live="scanner" { (card("Scanner", body)) } }
}

fn existing(person: &Person, it: &Platform, listed: &ListedPod, state: &ScannerState) -> Markup {
    let (now, pod) = (person.now(), &listed.pod);
    let blockers = pod.blockers(listed.verified, listed.crawling_enabled);
    let mut blockers: Vec<_> = blockers.into_iter().map(blocker_label).collect();
    if it.feed_urls.as_slice().is_empty() {
        blockers.push(NO_FEEDS);
    }
    let last = state.last_run.as_ref().map(|it| run_summary(now, ShownRun::from(it)));
    let next = next_scan(it, listed, state).filter(|_| blockers.is_empty());
    let next = next.map(|at| {
        if at > now {
            ago(now, at)
        } else {
            html! { "within seconds" }
        }
    });
    let none = || html! { span.quiet { "–" } };
    html! {
        @if !blockers.is_empty() {
            (notice("warn", html! {
                p { "The scanner doesn't scan this platform:" }
                ul { @for it in &blockers { li { (it) } } }
            }))
        }
        (facts(&[
            ("Status", badge(pod.status.name())),
            ("Last scan", last.unwrap_or_else(|| html! { span.quiet { "never" } })),
            ("Next scan", next.unwrap_or_else(none)),
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
        Blocker::NotRunning => "The operator has paused or stopped the scanner.",
        Blocker::NoCrawlScope => "The operator hasn't allowed the scanner to crawl.",
        Blocker::NotVerified => "The domain isn't verified. Verify it below.",
        Blocker::CrawlingDisabled => "Crawling is turned off. Edit the platform to turn it on.",
    }
}

fn missing(person: &Person, it: &Platform, state: &ScannerState, manages: bool) -> Markup {
    html! {
        p { "This platform has no scanner yet, so its content is only checked when you push it with an ingest key." }
        @if it.proved.is_some() && it.feed_urls.as_slice().is_empty() { p { (NO_FEEDS) } }
        @if let Some(at) = state.requested_at {
            p { "You asked the operator for a scanner " (ago(person.now(), at)) "." }
        } @else if it.proved.is_none() {
            p.quiet { "Verify the domain first. Then you can ask for a scanner." }
        } @else if manages {
            (post_button(&format!("/app/platforms/{}/scanner", it.id), "Ask for a scanner", &[]))
        }
    }
}
