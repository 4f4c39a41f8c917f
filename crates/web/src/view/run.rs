//! Scans, of a platform's scanner or of a source.

use grantor_domain::Timestamp;
use grantor_domain::scan::{PodRun, RunCounts, RunOutcome};
use grantor_domain::source::FeedRun;
use maud::{Markup, html};

use super::chart::grouped;
use super::time::duration;
use super::{Table, ago, badge, pluralize};

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
    let counts = run.counts;
    html! {
        @match run.outcome {
            None => "Scanning now.",
            Some(RunOutcome::Ok | RunOutcome::Partial) => {
                (ago(now, run.ended_at.unwrap_or(run.started_at))) ": "
                (pluralize(counts.items.into(), "item")) " read, "
                (grouped(counts.new_items.into())) " new or changed, "
                (pluralize(counts.mentions.into(), "new mention")) "."
                @if run.skipped > 0 { " " (grouped(run.skipped as u64)) " skipped." }
                @if run.outcome == Some(RunOutcome::Partial) {
                    " Some of it could not be read"
                    @if let Some(reason) = reason_words(run.reason) { ": " (reason) }
                    "."
                }
            }
            Some(outcome) => {
                (ago(now, run.started_at)) ": " (failure_words(outcome))
                @if let Some(reason) = reason_words(run.reason) { ": " (reason) }
            }
        }
    }
}

/// What became of a scan that read nothing.
fn failure_words(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Failed => "the scan failed",
        RunOutcome::Interrupted => "the scan was interrupted",
        RunOutcome::Blocked => "nothing was scanned",
        RunOutcome::Ok | RunOutcome::Partial => "the scan finished",
    }
}

/// The reason of an outcome in words. What keeps a scanner from scanning is stored as codes.
fn reason_words(reason: Option<&str>) -> Option<String> {
    let reason = reason?;
    let words: Option<Vec<&str>> = reason.split(", ").map(code_words).collect();
    Some(words.map_or_else(|| reason.to_owned(), |it| it.join(", and ")))
}

fn code_words(code: &str) -> Option<&'static str> {
    Some(match code {
        "pod_not_running" => "the scanner is paused or stopped",
        "scope_crawl_missing" => "the scanner is not allowed to crawl",
        "platform_not_verified" => "the domain is not verified",
        "crawling_disabled" => "crawling is turned off",
        "organization_suspended" => "the organization is suspended",
        "no_feeds" => "the platform has no feeds",
        _ => return None,
    })
}

/// The table of recent scans.
pub(crate) fn run_table<'a>(
    now: Timestamp,
    runs: impl IntoIterator<Item = ShownRun<'a>>,
) -> Markup {
    let runs: Vec<_> = runs.into_iter().collect();
    if runs.is_empty() {
        return html! { p.quiet { "No scans yet." } };
    }
    let heads = [
        "Started", "Duration", "Outcome", "Requests", "Failed", "Items", "New", "Mentions",
        "Reason",
    ];
    Table::new("Recent scans", &heads).rows(runs, |it| run_row(now, it)).show()
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
