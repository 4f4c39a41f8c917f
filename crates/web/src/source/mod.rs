//! `/app/sources`: the public addresses that are watched for uses of a likeness. Where scripts run,
//! the list and the page of a source refresh every few seconds.

mod edit;
mod look;
mod show;
mod talents;

use grantor_domain::error::Fields;
use grantor_domain::page::Page;
use grantor_domain::role::Right;
use grantor_domain::saved_view::ViewList;
use grantor_domain::source::{FeedKind, SourceQuery, SourceStatus};
use grantor_domain::{Result, Timestamp};
use grantor_messages::text;
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use grantor_service::watching::source::{self, ListedSource, SourceSearch};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person};
use crate::view::filter_value as value;
use crate::view::list_filter::ListFilters;
use crate::view::live::live_list;
use crate::view::rich::rich;
use crate::view::run::{ShownRun, run_summary};
use crate::view::sort::{SortKey, Sorting};
use crate::view::{NavItem, Table, absent, ago, badge, empty, head, pager};
use crate::{export, saved_view};

pub(crate) use self::edit::{change, edit};
pub(crate) use self::look::{create, look, new_form};
pub(crate) use self::show::{delete, scan_now, show, switch};

/// The ways to sort sources.
const SORTS: [SortKey; 2] = [
    SortKey::by_time("added", "", ["source-sort-newest", "source-sort-oldest"]),
    SortKey::by_name("name", "source-name"),
];

/// How often a source can be read.
fn frequencies() -> [(&'static str, &'static str); 3] {
    [
        ("hourly", text!("source-frequency-hourly")),
        ("daily", text!("source-frequency-daily")),
        ("weekly", text!("source-frequency-weekly")),
    ]
}

/// Lists sources.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Sources).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let (search, sorting, page) = read(&params)?;
    let tenant = person.caller.tenant;
    let found = match plain(&search, page) {
        Some(query) => source::list(person.app(), tenant, query).await?,
        None => source::search(person.app(), tenant, search, page).await?,
    };
    let found = params.in_range(found)?;
    let add = html! {
        @if person.acts(Right::ManageSources) {
            a.button href="/app/sources/new" { (text!("source-watch")) }
        }
    };
    let filters = filters(&person, &params, &sorting).cleared_by(views.all_url());
    let heads = [
        text!("source-name"),
        text!("source-what-is-read"),
        text!("source-state"),
        text!("source-next-scan"),
        text!("source-mentions"),
    ];
    let table = Table::new(text!("source-list-title"), &heads)
        .sorted(sorting, &person.here)
        .keyed_rows(&found.items, |it| it.source.id, |it| row(&person, it));
    let words = (text!("source-new-one"), text!("source-new-many"));
    let body = html! {
        (head(text!("source-list-title"), text!("source-list-lead"), html! {
            (add) (export::links(&person, "sources"))
        }))
        (views.show())
        @if found.total > 0 || params.has_filters() { (filters.show()) }
        @if found.items.is_empty() && filters.is_set() {
            (empty(text!("source-none-found"), text!("source-none-match"), filters.clear_link()))
        } @else if found.items.is_empty() { (none(&add)) }
        @else {
            (live_list(&person, "sources", words, &found, table.show()))
            (pager(&found, &person.here))
        }
        p.quiet {
            (rich!(
                "source-own-profiles",
                link = html! { a href="/app/profiles" { (text!("source-own-profiles-link")) } },
            ))
        }
    };
    Ok(person.page(text!("source-list-title"), NavItem::Sources, body))
}

fn filters<'a>(person: &'a Person, params: &'a Params, sorting: &Sorting) -> ListFilters<'a> {
    let statuses =
        [("running", text!("source-status-running")), ("paused", text!("source-status-paused"))];
    let kinds = FeedKind::ALL.map(|it| (it.name(), kind_label(it)));
    ListFilters::new("/app/sources", &person.here, params)
        .search(text!("source-search"))
        .pick("status", text!("source-status"), text!("source-any-status"), statuses)
        .pick("kind", text!("source-what-is-read"), text!("source-any-kind"), kinds)
        .sorted(sorting)
}

pub(crate) fn read(params: &Params) -> Result<(SourceSearch, Sorting, Page)> {
    let mut fields = Fields::default();
    let page = fields.take_all(params.page());
    let sorting = fields.take_all(Sorting::read(&SORTS, params));
    let search = SourceSearch {
        find: value::find(params, "search", &mut fields),
        status: value::value::<SourceStatus>(params, "status", &mut fields),
        kind: value::value::<FeedKind>(params, "kind", &mut fields),
        order: RecordOrder::default(),
    };
    let (page, sorting) = value::finish(fields, page, sorting)?;
    let sort = if sorting.name() == "name" { RecordSort::Name } else { RecordSort::Created };
    let order = RecordOrder { sort, order: sorting.order };
    Ok((SourceSearch { order, ..search }, sorting, page))
}

/// The query that the list itself has, if that is all that is asked for.
fn plain(search: &SourceSearch, page: Page) -> Option<SourceQuery> {
    let status = search.status;
    let same = SourceSearch { status, ..SourceSearch::default() };
    (same == *search).then_some(SourceQuery { page, status })
}

/// The empty list explains what can be watched.
fn none(add: &Markup) -> Markup {
    html! {
        section.empty {
            h2 { (text!("source-watch-first")) }
            p { (text!("source-watch-first-paste")) }
            p { (text!("source-watch-first-read")) }
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
        Some(service) => text!("source-kind-on-service", kind = kind, service = service.title()),
        None => kind.to_owned(),
    }
}

/// The label of a kind of feed.
fn kind_label(kind: FeedKind) -> &'static str {
    match kind {
        FeedKind::Feed => text!("source-kind-feed"),
        FeedKind::Sitemap => text!("source-kind-sitemap"),
        FeedKind::Page => text!("source-kind-page"),
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
        summary.unwrap_or_else(|| html! { (text!("source-not-scanned")) })
    };
    html! {
        @if let Some(at) = it.source.stopped {
            (rich!("source-stopped-at", time = ago(now, at)))
        } @else if it.source.status == SourceStatus::Paused {
            (text!("source-is-paused"))
        } @else if is_scanning(it) {
            (text!("source-is-scanning"))
        } @else if let Some(since) = it.feed.failing_since {
            (rich!("source-failing-since", time = ago(now, since), last = last()))
        } @else if it.last_run.is_none() && it.feed.push_only {
            (text!("source-waits-for-push"))
        } @else if it.last_run.is_none() {
            (first_scan(now, it))
        } @else { (last()) }
    }
}

/// When the first scan of a new source starts. An address that was just read for somebody else is
/// not read again at once.
fn first_scan(now: Timestamp, it: &ListedSource) -> &'static str {
    if it.source.starts_at_once(&it.feed, now) {
        text!("source-first-scan-now")
    } else {
        text!("source-first-scan-soon")
    }
}

/// When the source is scanned next.
pub(crate) fn next_scan(now: Timestamp, it: &ListedSource) -> Markup {
    html! {
        @if !it.source.is_active() { (absent()) }
        @else if it.feed.push_only { (text!("source-scan-when-pushed")) }
        @else if it.source.starts_at_once(&it.feed, now) { (text!("source-scan-in-seconds")) }
        @else {
            @match it.source.next_scan_at(&it.feed, now) {
                Some(at) if at > now => (ago(now, at)),
                _ => (text!("source-scan-now")),
            }
        }
    }
}
