//! Scans, of a platform's scanner or of a source.

use grantor_domain::Timestamp;
use grantor_domain::scan::{PodRun, RunCounts, RunOutcome};
use grantor_domain::source::FeedRun;
use grantor_messages::{named, text};
use maud::{Markup, html};

use super::chart::grouped;
use super::rich::{Part, render, rich};
use super::time::duration;
use super::{Table, ago, badge};

/// A scan as pages show it.
#[derive(Clone, Copy)]
pub(crate) struct ShownRun<'a> {
    started_at: Timestamp,
    ended_at: Option<Timestamp>,
    outcome: Option<RunOutcome>,
    reason: Option<&'a str>,
    counts: RunCounts,
    skipped: usize,
}

impl<'a> From<&'a PodRun> for ShownRun<'a> {
    fn from(run: &'a PodRun) -> Self {
        let PodRun { started_at, ended_at, outcome, reason, counts, .. } = run;
        let (started_at, ended_at, outcome) = (*started_at, *ended_at, *outcome);
        let (reason, counts) = (reason.as_deref(), *counts);
        Self { started_at, ended_at, outcome, reason, counts, skipped: 0 }
    }
}

impl<'a> From<&'a FeedRun> for ShownRun<'a> {
    fn from(run: &'a FeedRun) -> Self {
        let FeedRun { started_at, ended_at, outcome, reason, counts, skipped, .. } = run;
        let (started_at, ended_at, outcome) = (*started_at, *ended_at, *outcome);
        let (reason, counts) = (reason.as_deref(), *counts);
        Self { started_at, ended_at, outcome, reason, counts, skipped: skipped.len() }
    }
}

/// What the last scan did, in a sentence.
pub(crate) fn run_summary(now: Timestamp, run: ShownRun<'_>) -> Markup {
    match run.outcome {
        None => html! { (text!("view-run-now")) },
        Some(RunOutcome::Ok | RunOutcome::Partial) => reading(now, run),
        Some(RunOutcome::Failed) => {
            failure(now, run, ("view-run-failed", "view-run-failed-because"))
        }
        Some(RunOutcome::Interrupted) => {
            failure(now, run, ("view-run-interrupted", "view-run-interrupted-because"))
        }
        Some(RunOutcome::Blocked) => {
            failure(now, run, ("view-run-blocked", "view-run-blocked-because"))
        }
    }
}

/// What a scan read.
fn reading(now: Timestamp, run: ShownRun<'_>) -> Markup {
    let RunCounts { items, new_items, mentions, .. } = run.counts;
    let time = ago(now, run.ended_at.unwrap_or(run.started_at));
    html! {
        (rich!("view-run-read", time = time, items = items, new = new_items, mentions = mentions))
        @if run.skipped > 0 { " " (text!("view-run-skipped", count = run.skipped)) }
        @if run.outcome == Some(RunOutcome::Partial) {
            " "
            @match reason_words(run.reason) {
                Some(reason) => (text!("view-run-partial-because", reason = reason)),
                None => (text!("view-run-partial")),
            }
        }
    }
}

/// What became of a scan that read nothing. The keys are of texts without and with the reason.
fn failure(now: Timestamp, run: ShownRun<'_>, (plain, because): (&str, &str)) -> Markup {
    let time = ("time", Part::from(ago(now, run.started_at)));
    match reason_words(run.reason) {
        Some(reason) => render(because, vec![time, ("reason", reason.into())]),
        None => render(plain, vec![time]),
    }
}

/// The reason of an outcome in words. What keeps a scanner from scanning is stored as codes.
fn reason_words(reason: Option<&str>) -> Option<String> {
    let reason = reason?;
    let words: Option<Vec<&str>> = reason.split(", ").map(code_words).collect();
    let Some(words) = words else {
        return Some(grantor_messages::error(reason).into_owned());
    };
    let all = words.into_iter().map(str::to_owned);
    all.reduce(|first, next| text!("view-run-reasons", first = first, next = next))
}

fn code_words(code: &str) -> Option<&'static str> {
    named("view-run-reason", code)
}

/// The table of recent scans.
pub(crate) fn run_table<'a>(
    now: Timestamp,
    runs: impl IntoIterator<Item = ShownRun<'a>>,
) -> Markup {
    let runs: Vec<_> = runs.into_iter().collect();
    if runs.is_empty() {
        return html! { p.quiet { (text!("view-run-none")) } };
    }
    let heads = [
        text!("view-run-started"),
        text!("view-run-duration"),
        text!("view-run-outcome"),
        text!("view-run-requests"),
        text!("view-run-errors"),
        text!("view-run-items"),
        text!("view-run-new"),
        text!("view-run-mentions"),
        text!("view-run-reason"),
    ];
    Table::new(text!("view-run-recent"), &heads).rows(runs, |it| run_row(now, it)).show()
}

fn run_row(now: Timestamp, run: ShownRun<'_>) -> Vec<Markup> {
    let counts = run.counts;
    let number = |it: u32| html! { (grouped(it.into())) };
    vec![
        ago(now, run.started_at),
        html! { (duration(run.ended_at.unwrap_or(now).since(run.started_at))) },
        badge(run.outcome.map_or("running", RunOutcome::name)),
        number(counts.requests),
        number(counts.errors),
        number(counts.items),
        number(counts.new_items),
        number(counts.mentions),
        html! { (reason_words(run.reason).unwrap_or_default()) },
    ]
}

#[cfg(test)]
mod tests {
    use grantor_domain::pod::Blocker;

    use super::*;

    #[test]
    fn every_code_has_words() {
        for blocker in Blocker::ALL {
            assert!(code_words(blocker.name()).is_some(), "{}", blocker.name());
        }
        let both = reason_words(Some("crawling_disabled, no_feeds")).unwrap();
        assert_eq!(both, "crawling is turned off, and the platform has no feeds");
        let own = "a.example/feed: the server returned status 500, or so";
        assert_eq!(reason_words(Some(own)).as_deref(), Some(own));
        assert_eq!(reason_words(None), None);
    }
}
