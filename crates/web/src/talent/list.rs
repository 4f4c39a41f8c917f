//! The list of talents.

use grantor_domain::Result;
use grantor_domain::batch::BatchList;
use grantor_domain::error::Fields;
use grantor_domain::id::TalentId;
use grantor_domain::license::parse_flag;
use grantor_domain::page::Page;
use grantor_domain::saved_view::ViewList;
use grantor_domain::tag::{Tag, TaggedKind};
use grantor_domain::talent::TalentStatus;
use grantor_messages::text;
use grantor_service::licensing::tag;
use grantor_service::licensing::talent::{self, ListedTalent, TalentSearch};
use grantor_service::operations::batch::Filter;
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use maud::{Markup, html};

use super::{actions, statuses};
use crate::frame::{Outcome, Params, Person};
use crate::thumbnail::{self, Thumbnails};
use crate::view::filter_value as read;
use crate::view::list_filter::ListFilters;
use crate::view::selection::{self, Selection};
use crate::view::sort::{SortKey, Sorting};
use crate::view::tag::{SOURCE, tag_links};
use crate::view::{NavItem, Table, ago, badge, empty, head, lesson, pager};
use crate::{bulk, export, saved_view};

const LIST: &str = "/app/talents";

/// The ways to sort talents.
const SORTS: [SortKey; 3] = [
    SortKey::by_time("added", "", ["talent-sort-newest", "talent-sort-oldest"]),
    SortKey::by_name("name", "word-name"),
    SortKey::by_time(
        "updated",
        "word-updated",
        ["talent-sort-updated", "talent-sort-least-updated"],
    ),
];

/// Lists talents.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Talents).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let (search, sorting, page) = query(&params)?;
    let found = talent::search(person.app(), &person.caller, search, page).await?;
    let found = params.in_range(found)?;
    let talents = found.items.iter().map(|it| it.talent.id);
    let thumbnails = thumbnail::of_talents(&person, talents).await?;
    let ids = found.items.iter().map(|it| it.talent.id.as_uuid()).collect();
    let tags = tag::list_of(person.app(), &person.caller, TaggedKind::Talent, ids).await?;
    let kind = BatchList::Talents;
    let key = |it: &ListedTalent| it.talent.id;
    let acts = bulk::actions(&person, kind, true);
    let selection = Selection::new(kind, &person.here, &found, key, acts);
    let marked = |it: &ListedTalent, cells: Vec<Markup>| {
        let tags = tags.get(&it.talent.id.as_uuid()).map_or(&[][..], Vec::as_slice);
        let name = it.talent.fullname.as_str();
        selection::mark((it.talent.id, name), cells, tag_links(LIST, tags))
    };
    let verified = [("true", text!("talent-verified")), ("false", text!("talent-not-verified"))];
    let filters = ListFilters::new(LIST, &person.here, &params)
        .cleared_by(views.all_url())
        .search(text!("talent-list-search"))
        .pick("status", text!("word-status"), text!("talent-any-status"), statuses())
        .pick("verified", text!("talent-name-verified"), text!("talent-any-verified"), verified)
        .name("tag", text!("talent-tag"), SOURCE, None)
        .day("added_from", text!("talent-added-from"))
        .day("added_to", text!("talent-added-to"))
        .sorted(&sorting);
    let heads = [
        text!("word-name"),
        text!("talent-aliases"),
        text!("talent-licenses"),
        text!("word-status"),
        text!("word-updated"),
    ];
    let table = Table::new(text!("talent-list"), &heads)
        .sorted(sorting, &person.here)
        .rows(&found.items, |it| marked(it, row(&person, it, &thumbnails)));
    let body = html! {
        (head(text!("talent-list"), text!("talent-list-lead"), html! {
            (actions(&person))
            (export::links(&person, "talents"))
        }))
        (views.show())
        (filters.show())
        @if found.items.is_empty() { (no_talents(&person, &filters)) }
        @else { (selection.bar()) (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("talent-list"), NavItem::Talents, body))
}

/// The talents that match the filters of the list.
pub(crate) fn matching(params: &Params) -> Result<Filter> {
    query(params).map(|(search, ..)| Filter::Talents(search))
}

pub(crate) fn query(params: &Params) -> Result<(TalentSearch, Sorting, Page)> {
    let mut fields = Fields::default();
    let (page, sorting) =
        (fields.take_all(params.page()), fields.take_all(Sorting::read(&SORTS, params)));
    let search = TalentSearch {
        find: read::find(params, "search", &mut fields),
        status: read::value::<TalentStatus>(params, "status", &mut fields),
        verified: params.get("verified").and_then(|it| fields.take("verified", parse_flag(it))),
        tag: params.get("tag").and_then(|it| fields.take("tag", Tag::parse(it))).map(|it| it.key()),
        added: read::days(params, ("added_from", "added_to"), &mut fields),
        order: RecordOrder::default(),
    };
    let (page, sorting) = read::finish(fields, page, sorting)?;
    let sort = match sorting.name() {
        "name" => RecordSort::Name,
        "updated" => RecordSort::Changed,
        _ => RecordSort::Created,
    };
    let order = RecordOrder { sort, order: sorting.order };
    Ok((TalentSearch { order, ..search }, sorting, page))
}

fn row(
    person: &Person,
    ListedTalent { talent, license_count }: &ListedTalent,
    thumbnails: &Thumbnails<TalentId>,
) -> Vec<Markup> {
    let name = html! {
        a href={ "/app/talents/" (talent.id) } { (talent.fullname.as_str()) }
        @if talent.verified { " " (badge("verified")) }
    };
    vec![
        thumbnails.beside(talent.id, talent.fullname.as_str(), name),
        html! { (talent.aliases.as_slice().join(", ")) },
        html! { (license_count) },
        badge(talent.status.name()),
        ago(person.now(), talent.updated_at),
    ]
}

fn no_talents(person: &Person, filters: &ListFilters<'_>) -> Markup {
    if filters.is_set() {
        let why = text!("talent-list-not-found-why");
        return empty(text!("talent-list-not-found"), why, filters.clear_link());
    }
    lesson(
        text!("talent-list-none"),
        text!("talent-list-none-why"),
        &[
            text!("talent-lesson-name"),
            text!("talent-lesson-license"),
            text!("talent-lesson-invite"),
        ],
        actions(person),
    )
}
