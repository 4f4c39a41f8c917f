//! The inbox: requests that the tenant sent and received.

use grantor_domain::Result;
use grantor_domain::batch::BatchList;
use grantor_domain::error::Fields;
use grantor_domain::grant::Party;
use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseType;
use grantor_domain::page::{Order, Page};
use grantor_domain::request::RequestStatus;
use grantor_domain::saved_view::ViewList;
use grantor_messages::text;
use grantor_service::licensing::request::{self, RequestFilter, RequestSearch, RequestView};
use grantor_service::operations::batch::Filter;
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use maud::{Markup, html};

use super::{LIST, asker, caller, path};
use crate::frame::{Outcome, Params, Person};
use crate::license::types;
use crate::thumbnail::{self, Thumbnails};
use crate::view::component::with_query;
use crate::view::filter_value as value;
use crate::view::label::request_status;
use crate::view::list_filter::ListFilters;
use crate::view::live::live_list;
use crate::view::selection::{self, Selection};
use crate::view::sort::{SortKey, Sorting};
use crate::view::territory::territory_options;
use crate::view::{NavItem, Table, ago, badge, empty, head, lesson, notice, pager, tabs};
use crate::{bulk, export, name, saved_view};

/// The ways to sort requests.
const SORTS: [SortKey; 1] = [SortKey::by_time(
    "changed",
    "request-changed",
    ["request-sort-changed-first", "request-sort-changed-last"],
)];

/// The order of the list itself.
const LAST_CHANGED_FIRST: RecordOrder =
    RecordOrder { sort: RecordSort::Changed, order: Order::Desc };

/// Lists requests, the last changed first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Requests).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let (search, sorting, page) = read(&params)?;
    let (role, caller) = (search.role, caller(&person));
    let found = match plain(&search) {
        Some(filter) => request::list(person.app(), caller, filter, page).await?,
        None => request::search(person.app(), caller, search, page).await?,
    };
    let found = params.in_range(found)?;
    let licenses = found.items.iter().map(|it| it.record.request.license);
    let thumbnails = thumbnail::of_licenses(&person, licenses).await?;
    let (kind, key) = (BatchList::Requests, |it: &RequestView| it.record.request.id);
    let acts = bulk::actions(&person, kind, true);
    let selection = Selection::new(kind, &person.here, &found, key, acts);
    let marked = |it: &RequestView, cells: Vec<Markup>| {
        let record = &it.record;
        selection::mark((record.request.id, record.license_title.as_str()), cells, html! {})
    };
    let unread = person.unread;
    let heads = [
        text!("request-license"),
        text!("request-with"),
        text!("word-status"),
        text!("request-changed"),
        text!("request-unread"),
    ];
    let table = Table::new(text!("request-list"), &heads).sorted(sorting, &person.here).keyed_rows(
        &found.items,
        |it| it.record.request.id,
        |it| marked(it, row(&person, it, &thumbnails)),
    );
    let filters = filters(&person.here, &params, &sorting, found.items.first());
    let filters = filters.cleared_by(views.all_url());
    let list = html! {
        @if unread > 0 {
            (notice("", html! { p { (text!("request-unread-updates", count = unread)) } }))
        }
        @if found.items.is_empty() { (no_requests(role, &filters)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    let words = (text!("request-new-one"), text!("request-new-many"));
    let body = html! {
        (head(text!("request-list"), text!("request-list-lead"), html! {
            a.button.plain href="/app/catalog" { (text!("request-browse-catalog")) }
            (export::links(&person, "requests"))
        }))
        (sides(&person, role))
        (views.show())
        (filters.show())
        @if !found.items.is_empty() { (selection.bar()) }
        (live_list(&person, "requests", words, &found, list))
    };
    Ok(person.page(text!("request-list"), NavItem::Requests, body))
}

/// The requests that match the filters of the list.
pub(crate) fn matching(params: &Params) -> Result<Filter> {
    read(params).map(|(search, ..)| Filter::Requests(search))
}

pub(crate) fn read(params: &Params) -> Result<(RequestSearch, Sorting, Page)> {
    let mut fields = Fields::default();
    let page = fields.take_all(params.page());
    let sorting = fields.take_all(Sorting::read(&SORTS, params));
    let order = sorting.map_or(Order::Desc, |it| it.order);
    let search = RequestSearch {
        find: value::find(params, "search", &mut fields),
        role: value::value::<Party>(params, "role", &mut fields),
        status: value::value::<RequestStatus>(params, "status", &mut fields),
        license: value::value(params, "license", &mut fields),
        talent: value::talent(params, &mut fields),
        party: value::find(params, "party", &mut fields),
        usage: value::value::<LicenseType>(params, "use", &mut fields),
        territory: value::country(params, "country", &mut fields),
        changed: value::days(params, ("changed_from", "changed_to"), &mut fields),
        order: RecordOrder { order, ..LAST_CHANGED_FIRST },
    };
    let (page, sorting) = value::finish(fields, page, sorting)?;
    Ok((search, sorting, page))
}

/// The filter that the list itself has, if that is all that is asked for.
fn plain(search: &RequestSearch) -> Option<RequestFilter> {
    let RequestSearch { role, status, license, .. } = *search;
    let order = LAST_CHANGED_FIRST;
    let same = RequestSearch { role, status, license, order, ..RequestSearch::default() };
    (same == *search).then_some(RequestFilter { role, status, license })
}

fn filters<'a>(
    here: &'a str,
    params: &'a Params,
    sorting: &Sorting,
    first: Option<&RequestView>,
) -> ListFilters<'a> {
    let record = first.map(|it| &it.record);
    let talent = value::chosen_talent(params, record.map(|it| it.talent_name.as_str()));
    let license = record.map(|it| it.license_title.as_str());
    let license = license.unwrap_or(text!("request-selected-license"));
    let statuses = RequestStatus::ALL.map(|it| (it.name(), request_status(it)));
    ListFilters::new(LIST, here, params)
        .keep("role")
        .search(text!("request-search"))
        .pick("status", text!("word-status"), text!("request-any-status"), statuses)
        .name(
            "talent",
            text!("request-talent"),
            &name::source(ViewList::Requests, "talent"),
            talent,
        )
        .name("party", text!("request-with"), &name::source(ViewList::Requests, "party"), None)
        .pick("use", text!("request-use"), text!("request-any-use"), types())
        .pick(
            "country",
            text!("request-country"),
            text!("request-any-country"),
            territory_options(),
        )
        .day("changed_from", text!("request-changed-from"))
        .day("changed_to", text!("request-changed-to"))
        .linked("license", text!("request-license"), license)
        .sorted(sorting)
}

fn sides(person: &Person, role: Option<Party>) -> Markup {
    let tab = |side: Option<Party>, label| {
        let url = with_query(&person.here, "role", side.map(Party::name).unwrap_or_default());
        (url, label, side == role)
    };
    tabs(
        text!("request-sides"),
        &[
            tab(None, text!("word-all")),
            tab(Some(Party::Owner), text!("request-as-licensor")),
            tab(Some(Party::Asker), text!("request-as-licensee")),
        ],
    )
}

fn row(person: &Person, view: &RequestView, thumbnails: &Thumbnails<LicenseId>) -> Vec<Markup> {
    let (record, request) = (&view.record, &view.record.request);
    let unread = request.unread_by(view.party);
    vec![
        thumbnails.beside(
            request.license,
            &record.talent_name,
            html! {
                a href=(path(request.id)) { (record.license_title) }
                p.quiet { (record.talent_name) }
            },
        ),
        html! {
            @match view.party {
                Party::Owner => (asker(view)),
                Party::Asker => (record.owner.name),
            }
            p.quiet { (direction(view)) }
        },
        badge(view.status.name()),
        ago(person.now(), request.updated_at),
        html! {
            @if unread > 0 { span.badge.warn { (text!("request-unread-count", count = unread.to_string())) } }
        },
    ]
}

fn direction(view: &RequestView) -> &'static str {
    match (view.party, view.record.request.begun_by) {
        (Party::Owner, Party::Asker) => text!("request-side-received"),
        (Party::Asker, Party::Asker) => text!("request-side-sent"),
        (Party::Owner, Party::Owner) => text!("request-side-offer-sent"),
        (Party::Asker, Party::Owner) => text!("request-side-offer-received"),
    }
}

fn no_requests(role: Option<Party>, filters: &ListFilters<'_>) -> Markup {
    if filters.is_set() {
        let why = text!("request-none-found-why");
        return empty(text!("request-none-found"), why, filters.clear_link());
    }
    if role == Some(Party::Owner) {
        let next = html! { a.button href="/app/licenses" { (text!("request-view-licenses")) } };
        let steps = [
            text!("request-received-step-1"),
            text!("request-received-step-2"),
            text!("request-received-step-3"),
        ];
        let why = text!("request-none-received-why");
        return lesson(text!("request-none-received"), why, &steps, next);
    }
    lesson(
        text!("request-none"),
        text!("request-none-why"),
        &[text!("request-step-1"), text!("request-step-2"), text!("request-step-3")],
        html! { a.button href="/app/catalog" { (text!("request-browse-catalog")) } },
    )
}
