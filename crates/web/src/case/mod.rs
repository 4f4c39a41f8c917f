//! `/app/cases` and `/app/mentions/{mention}/case`: what is done about mentions.

pub(crate) mod evidence;
mod letter;
mod section;
mod show;
pub(crate) mod template;

use grantor_domain::Result;
use grantor_domain::case::{CaseFilter, CaseQuery, CaseStatus, LetterKind};
use grantor_domain::error::Fields;
use grantor_domain::id::{TalentId, UserId};
use grantor_domain::page::{Order, Page};
use grantor_domain::saved_view::ViewList;
use grantor_messages::text;
use grantor_service::identity::access::TenantCaller;
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use grantor_service::watching::case::{self, CaseSearch, ListedCase};
use grantor_service::watching::mention::MentionView;
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person};
use crate::mention::reason_in_words;
use crate::thumbnail::{self, Thumbnails};
use crate::view::component::with_query;
use crate::view::filter_value as value;
use crate::view::list_filter::ListFilters;
use crate::view::sort::{SortKey, Sorting};
use crate::view::{NavItem, Table, ago, badge, empty, head, lesson, pager, tabs};
use crate::{export, name, saved_view};

pub(crate) use self::letter::{send as send_letter, show_form as letter_form};
pub(crate) use self::section::{CaseSection, section};
pub(crate) use self::show::{change, comment, open, show};

/// The tabs of the list: the value of the filter and the label.
fn list_tabs() -> [(&'static str, &'static str); 8] {
    [
        ("waiting", text!("case-status-waiting")),
        ("open", text!("case-status-open")),
        ("sent", text!("case-status-sent")),
        ("answered", text!("case-status-answered")),
        ("disputed", text!("case-status-disputed")),
        ("removed", text!("case-status-removed")),
        ("closed", text!("case-status-closed")),
        ("all", text!("case-status-all")),
    ]
}

fn tenant_caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// The words for a status.
fn status_label(status: CaseStatus) -> &'static str {
    let found = list_tabs().into_iter().find(|(name, _)| *name == status.name());
    found.map_or(status.name(), |(_, label)| label)
}

/// The badge of a status, with the word of its label.
fn status_badge(status: CaseStatus) -> Markup {
    badge(if status == CaseStatus::Sent { "letter_sent" } else { status.name() })
}

/// The name of a kind of letter.
fn letter_label(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Takedown => text!("case-letter-takedown"),
        LetterKind::LicenseOffer => text!("case-letter-license-offer"),
    }
}

/// Says that the use is licensed by now, if it is.
fn warning(mention: &MentionView) -> Option<String> {
    case::warning(mention)?;
    let reason = reason_in_words(&mention.reason);
    Some(text!("case-licensed-by-now", reason = reason.trim_end_matches('.')))
}

/// The ways to sort cases.
const SORTS: [SortKey; 1] =
    [SortKey::by_time("changed", "case-changed", ["case-sort-newest", "case-sort-oldest"])];

/// The order of the list itself.
const LAST_CHANGED_FIRST: RecordOrder =
    RecordOrder { sort: RecordSort::Changed, order: Order::Desc };

/// Lists cases, last changed first. Without a filter, those that wait for somebody.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Cases).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let current = params.get("status").unwrap_or("waiting");
    let (search, sorting, page) = read(&params)?;
    let (filter, caller) = (search.filter, tenant_caller(&person));
    let plain = CaseSearch { filter, order: LAST_CHANGED_FIRST, ..CaseSearch::default() };
    let found = if search == plain {
        case::list(person.app(), caller, CaseQuery { page, filter }).await?
    } else {
        case::search(person.app(), caller, search, page).await?
    };
    let found = params.in_range(found)?;
    let talents = found.items.iter().map(|it| it.talent);
    let thumbnails = thumbnail::of_talents(&person, talents).await?;
    let assignees = case::list_assignees(person.app(), caller).await?;
    let filters = filters(&person.here, &params, &sorting, &assignees, found.items.first());
    let filters = filters.cleared_by(with_query(
        &views.all_url(),
        "status",
        params.get("status").unwrap_or_default(),
    ));
    let heads = [
        text!("case-mention"),
        text!("case-talent"),
        text!("case-status"),
        text!("case-assignee"),
        text!("case-last-look"),
        text!("case-changed"),
    ];
    let table = Table::new(text!("case-list-title"), &heads)
        .sorted(sorting, &person.here)
        .rows(&found.items, |it| row(&person, it, &thumbnails));
    let body = html! {
        (head(text!("case-list-title"), text!("case-list-lead"), html! {
            a.button.plain href="/app/mentions?status=confirmed" { (text!("case-confirmed-mentions")) }
            (export::links(&person, "cases"))
        }))
        (status_tabs(&person, current))
        (views.show())
        (filters.show())
        @if found.items.is_empty() && filters.is_set() {
            (empty(text!("case-none-found"), text!("case-none-match"), filters.clear_link()))
        } @else if found.items.is_empty() { (no_cases(filter)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("case-list-title"), NavItem::Cases, body))
}

pub(crate) fn read(params: &Params) -> Result<(CaseSearch, Sorting, Page)> {
    let mut fields = Fields::default();
    let page = fields.take_all(params.page());
    let sorting = fields.take_all(Sorting::read(&SORTS, params));
    let filter = match params.get("status").unwrap_or("waiting") {
        "waiting" => CaseFilter::Live,
        "all" => CaseFilter::All,
        other => {
            let status = fields.take("status", other.parse::<CaseStatus>());
            status.map_or(CaseFilter::Live, CaseFilter::Status)
        }
    };
    let order = sorting.map_or(Order::Desc, |it| it.order);
    let search = CaseSearch {
        find: value::find(params, "search", &mut fields),
        filter,
        talent: value::talent(params, &mut fields),
        assignee: value::value(params, "assignee", &mut fields),
        opened: value::days(params, ("opened_from", "opened_to"), &mut fields),
        order: RecordOrder { order, ..LAST_CHANGED_FIRST },
    };
    let (page, sorting) = value::finish(fields, page, sorting)?;
    Ok((search, sorting, page))
}

fn filters<'a>(
    here: &'a str,
    params: &'a Params,
    sorting: &Sorting,
    assignees: &[(UserId, String)],
    first: Option<&ListedCase>,
) -> ListFilters<'a> {
    let talent = value::chosen_talent(params, first.map(|it| it.talent_name.as_str()));
    let people = assignees.iter().map(|(id, name)| (id.to_string(), name.as_str()));
    ListFilters::new("/app/cases", here, params)
        .keep("status")
        .search(text!("case-search"))
        .name("talent", text!("case-talent"), &name::source(ViewList::Cases, "talent"), talent)
        .pick("assignee", text!("case-assignee"), text!("case-anybody"), people)
        .day("opened_from", text!("case-opened-from"))
        .day("opened_to", text!("case-opened-to"))
        .sorted(sorting)
}

fn status_tabs(person: &Person, current: &str) -> Markup {
    let tab = |(name, label): (&str, &'static str)| {
        (with_query(&person.here, "status", name), label, name == current)
    };
    tabs(text!("case-tabs"), &list_tabs().map(tab))
}

fn no_cases(filter: CaseFilter) -> Markup {
    let next = html! {
        a.button.plain href="/app/mentions?status=confirmed" { (text!("case-view-confirmed")) }
    };
    match filter {
        CaseFilter::Live => lesson(
            text!("case-none-waiting"),
            text!("case-none-waiting-why"),
            &[text!("case-lesson-confirm"), text!("case-lesson-letter"), text!("case-lesson-look")],
            next,
        ),
        _ => empty(text!("case-none-found"), text!("case-none-of-status"), next),
    }
}

fn never() -> Markup {
    html! { span.quiet { (text!("case-never")) } }
}

fn row(person: &Person, it: &ListedCase, thumbnails: &Thumbnails<TalentId>) -> Vec<Markup> {
    let title = if it.title.trim().is_empty() { &it.url } else { &it.title };
    let now = person.now();
    vec![
        thumbnails.beside(
            it.talent,
            &it.talent_name,
            html! { a href={ "/app/mentions/" (it.mention) "/case" } { (title) } },
        ),
        html! { (it.talent_name) },
        status_badge(it.status),
        html! { (it.assignee.as_ref().map_or("", |(_, name)| name.as_str())) },
        it.last_look_at.map_or_else(never, |at| ago(now, at)),
        ago(now, it.updated_at),
    ]
}
