//! `/app/sources`: the public addresses that are watched for uses of a likeness. Where scripts run,
//! the list and the page of a source refresh every few seconds.

mod edit;
mod look;
mod show;
mod talents;

use grantor_domain::Timestamp;
use grantor_domain::role::Right;
use grantor_domain::source::{FeedKind, SourceParams, SourceQuery, SourceStatus};
use grantor_service::watching::source::{self, ListedSource};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person};
use crate::view::filter::{filters, one_of};
use crate::view::run::{ShownRun, run_summary};
use crate::view::{NavItem, Table, ago, badge, empty, head, pager};

pub(crate) use self::edit::{change, edit};
pub(crate) use self::look::{create, look, new_form};
pub(crate) use self::show::{delete, scan_now, show, switch};

const STATUSES: [(&str, &str); 3] =
    [("", "Any status"), ("running", "Running"), ("paused", "Paused")];

const FREQUENCIES: [(&str, &str); 3] =
    [("hourly", "Every hour"), ("daily", "Every day"), ("weekly", "Every week")];

/// Lists sources.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let query = SourceParams {
        page: params.get("page"),
        size: params.get("limit"),
        status: params.get("status"),
    };
    let query = SourceQuery::parse(&query, Params::rules())?;
    let tenant = person.caller.tenant;
    let found = params.in_range(source::list(person.app(), tenant, query).await?)?;
    let add = html! {
        @if person.may(Right::ManageSources) {
            a.button href="/app/sources/new" { "Watch an address" }
        }
    };
    let heads = ["Name", "What is read", "State", "Next scan", "Mentions"];
    let table = Table::new("Sources", &heads).rows(&found.items, |it| row(&person, it));
    let lead = "Public addresses that are watched for uses of your talents.";
    let body = html! {
        (head("Sources", lead, add.clone()))
        @if found.total > 0 || params.has_filters() {
            (filters("/app/sources", &params, one_of("status", "Status", STATUSES, &params)))
        }
        @if found.items.is_empty() && params.has_filters() {
            (empty("No sources found", "No sources have this status.", html! { a.button.plain href="/app/sources" { "Clear filters" } }))
        } @else if found.items.is_empty() { (none(&add)) }
        @else { div data-live="sources" { (table.show()) } (pager(&found, &person.here)) }
        p.quiet {
            "Do you publish on Mastodon, Bluesky or another service yourself? "
            a href="/app/profiles" { "Add your social profiles" }
            ", so that what you publish there counts as yours."
        }
    };
    Ok(person.page("Sources", NavItem::Sources, body))
}

/// The empty list explains what can be watched.
fn none(add: &Markup) -> Markup {
    html! {
        section.empty {
            h2 { "Watch your first address" }
            p { "Paste any public address: a news site, a blog, a podcast, a shop, or a profile on Mastodon, Bluesky or YouTube. You don't have to own it." }
            p { "Grantor reads it regularly, looks for the names and pictures of your talents, and tells you what it finds." }
            (add)
        }
    }
}

fn row(person: &Person, it: &ListedSource) -> Vec<Markup> {
    let now = person.now();
    vec![
        html! {
            a href={ "/app/sources/" (it.source.id) } { (it.source.name.as_str()) }
            p.quiet { (it.source.url) }
        },
        html! { (what_is_read(it)) },
        html! { (state_badge(it)) p.quiet { (state_words(now, it)) } },
        next_scan(now, it),
        html! { (it.mention_count) },
    ]
}

/// What is read at the address, in words.
pub(crate) fn what_is_read(it: &ListedSource) -> String {
    let kind = kind_label(it.feed.kind);
    match it.feed.service {
        Some(service) => format!("{kind} on {}", service.title()),
        None => kind.to_owned(),
    }
}

/// The label of a kind of feed.
fn kind_label(kind: FeedKind) -> &'static str {
    match kind {
        FeedKind::Feed => "Feed",
        FeedKind::Sitemap => "Sitemap",
        FeedKind::Page => "Page and its links",
    }
}

/// Whether a scan of the source is in progress.
fn is_scanning(it: &ListedSource) -> bool {
    it.last_run.as_ref().is_some_and(|run| run.ended_at.is_none())
}

/// The state of a source in a word.
pub(crate) fn state_badge(it: &ListedSource) -> Markup {
    if it.source.stopped.is_some() {
        badge("stopped")
    } else if it.source.status == SourceStatus::Paused {
        badge("paused")
    } else if is_scanning(it) {
        badge("scanning")
    } else if it.feed.failing_since.is_some() {
        badge("failing")
    } else {
        badge("running")
    }
}

/// The state of a source in a sentence: what happened last, and what keeps it from being scanned.
pub(crate) fn state_words(now: Timestamp, it: &ListedSource) -> Markup {
    let last = || {
        let summary = it.last_run.as_ref().map(|run| run_summary(now, ShownRun::from(run)));
        summary.unwrap_or_else(|| html! { "Not scanned yet." })
    };
    html! {
        @if let Some(at) = it.source.stopped {
            "Stopped by the operator " (ago(now, at)) "."
        } @else if it.source.status == SourceStatus::Paused {
            "Not scanned until you resume it."
        } @else if is_scanning(it) {
            "Scanning now."
        } @else if let Some(since) = it.feed.failing_since {
            "Failing since " (ago(now, since)) ". Last try " (last())
        } @else if it.last_run.is_none() && it.feed.push_only {
            "Waiting for the first push."
        } @else if it.last_run.is_none() {
            (first_scan(now, it))
        } @else { (last()) }
    }
}

/// When the first scan of a new source starts. An address that was just read for somebody else is
/// not read again at once.
fn first_scan(now: Timestamp, it: &ListedSource) -> &'static str {
    if it.source.starts_at_once(&it.feed, now) {
        "The first scan starts within seconds."
    } else {
        "The first scan starts within an hour."
    }
}

/// When the source is scanned next.
pub(crate) fn next_scan(now: Timestamp, it: &ListedSource) -> Markup {
    html! {
        @if !it.source.is_active() { span.quiet { "–" } }
        @else if it.feed.push_only { "When something new is published" }
        @else if it.source.starts_at_once(&it.feed, now) { "within seconds" }
        @else {
            @match it.source.next_scan_at(&it.feed, now) {
                Some(at) if at > now => (ago(now, at)),
                _ => "now",
            }
        }
    }
}
