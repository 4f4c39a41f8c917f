//! The scanner of a platform: whether there is one, what it did last, and asking for one.

use grantor_domain::ErrorKind;
use grantor_domain::id::PlatformId;
use grantor_domain::platform::Platform;
use grantor_domain::pod::Blocker;
use grantor_service::watching::platform::{self, ScannerState};
use grantor_service::watching::pod::ListedPod;
use maud::{Markup, html};

use crate::frame::{Outcome, Person, Segment};
use crate::view::run::{ShownRun, run_summary};
use crate::view::{ago, badge, card, facts, notice, post_button};

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
        Some(listed) => existing(person, listed, state),
        None => missing(person, it, state, manages),
    };
    html! { div data-live="scanner" { (card("Scanner", body)) } }
}

fn existing(person: &Person, listed: &ListedPod, state: &ScannerState) -> Markup {
    let (now, pod) = (person.now(), &listed.pod);
    let blockers = pod.blockers(listed.verified, listed.crawling_enabled);
    let last = state.last_run.as_ref().map(|it| run_summary(now, ShownRun::from(it)));
    let next = pod.due_at.filter(|_| blockers.is_empty()).map(|it| ago(now, it));
    let none = || html! { span.quiet { "–" } };
    html! {
        @if !blockers.is_empty() {
            (notice("warn", html! {
                p { "The scanner doesn't scan this platform:" }
                ul { @for it in &blockers { li { (blocker_label(*it)) } } }
            }))
        }
        (facts(&[
            ("Status", badge(pod.status.name())),
            ("Last scan", last.unwrap_or_else(|| html! { span.quiet { "never" } })),
            ("Next scan", next.unwrap_or_else(none)),
        ]))
    }
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
        @if let Some(at) = state.requested_at {
            p { "You asked the operator for a scanner " (ago(person.now(), at)) "." }
        } @else if it.proved.is_none() {
            p.quiet { "Verify the domain first. Then you can ask for a scanner." }
        } @else if manages {
            (post_button(&format!("/app/platforms/{}/scanner", it.id), "Ask for a scanner", &[]))
        }
    }
}
