//! The list of licenses, and the filters that the catalog shares with it.

use std::collections::HashMap;

use grantor_domain::batch::BatchList;
use grantor_domain::error::Fields;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{
    Currency, FieldNames, LicenseFilter, LicenseParams, LicenseQuery, LicenseStatus, LicenseType,
    PriceRange,
};
use grantor_domain::role::Right;
use grantor_domain::saved_view::ViewList;
use grantor_domain::tag::{Tag, TaggedKind};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::license::{self, LicenseView, Reader};
use grantor_service::licensing::tag;
use grantor_service::operations::batch::Filter;
use maud::{Markup, html};

use super::{brief, editable, status_label, thumbnails, type_label, types};
use crate::frame::{Outcome, Params, Person};
use crate::view::component::with_query;
use crate::view::filter_value as read;
use crate::view::list_filter::ListFilters;
use crate::view::money::currency_choices;
use crate::view::saved_view::{ViewBar, path_of};
use crate::view::selection::{self, Selection};
use crate::view::sort::{SortKey, Sorting};
use crate::view::tag::{SOURCE, tag_links};
use crate::view::territory::territory_options;
use crate::view::thumbnail::with_thumbnail;
use crate::view::{NavItem, Table, empty, head, lesson, pager, tabs};
use crate::{bulk, export, image_url, name, saved_view};

/// The value of `of` that lists every visible license instead of only the tenant's own.
const VISIBLE: &str = "seen";

/// How many currencies can be chosen from, the most common ones.
const CURRENCIES: usize = 12;

/// The ways to sort licenses.
const SORTS: [SortKey; 3] = [
    SortKey::by_time("created_at", "", ["license-sort-newest", "license-sort-oldest"]),
    SortKey::by_time(
        "updated_at",
        "word-updated",
        ["license-sort-updated", "license-sort-least-updated"],
    ),
    SortKey::by_name("title", "word-name"),
];

/// Lists licenses.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Licenses).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let owner = person.may(Right::ReadLicenses);
    let all = lists_all(&person, &params);
    let (reader, query) = (reader(&person, &params), own_query(&person, &params)?);
    let found = params.in_range(license::list_full(person.app(), reader, query).await?)?;
    let ids = found.items.iter().map(|it| it.shown.license.id.as_uuid()).collect();
    let tags = tag::list_of(person.app(), &person.caller, TaggedKind::License, ids).await?;
    let list = BatchList::Licenses;
    let key = |it: &LicenseView| it.shown.license.id;
    let changeable = owner || found.items.iter().any(|it| editable(&person, it));
    let acts = bulk::actions(&person, list, changeable);
    let selection = Selection::new(list, &person.here, &found, key, acts);
    let marked = |it: &LicenseView, cells: Vec<Markup>| {
        let license = &it.shown.license;
        let tags = tags.get(&license.id.as_uuid()).map_or(&[][..], Vec::as_slice);
        let links = tag_links(path_of(ViewList::Licenses), tags);
        selection::mark((license.id, license.title.as_str()), cells, links)
    };
    let thumbnails = thumbnails(person.app(), &found.items).await?;
    // The owner column is redundant in the list of one's own licenses.
    let heads = [
        text!("word-name"),
        text!("license-talent"),
        text!("word-type"),
        text!("word-status"),
        text!("word-updated"),
        text!("license-owner"),
    ];
    let heads = if all { &heads[..] } else { &heads[..5] };
    let table = Table::new(text!("license-list"), heads)
        .sorted(Sorting::read(&SORTS, &params)?, &person.here)
        .rows(&found.items, |it| marked(it, row(&person, it, &thumbnails)));
    let talent = found.items.first().map(|it| it.shown.talent_name.as_str());
    let filters = filters(&views, ViewList::Licenses, &person.here, &params, talent)?.keep("of");
    let body = html! {
        (head(text!("license-list"), text!("license-list-lead"), html! {
            (actions(&person))
            (export::links(&person, "licenses"))
        }))
        @if owner { (tabs(text!("license-list-owner"), &[
            (with_query(&person.here, "of", ""), text!("license-list-own"), !all),
            (with_query(&person.here, "of", VISIBLE), text!("license-list-all"), all),
        ])) }
        (views.show())
        (filters.show())
        @if found.items.is_empty() { (nothing(&person, &filters, all)) }
        @else { (selection.bar()) (table.show()) (pager(&found, &person.here)) }
    };
    let page = person.page(text!("license-list"), NavItem::Licenses, body);
    Ok(image_url::allow(page, thumbnails.values()))
}

fn row(
    person: &Person,
    seen: &LicenseView,
    thumbnails: &HashMap<LicenseId, String>,
) -> Vec<Markup> {
    let license = &seen.shown.license;
    let [name, status, changed] = brief(person, seen);
    vec![
        with_thumbnail(
            thumbnails.get(&license.id).map(String::as_str),
            &seen.shown.talent_name,
            html! {
                (name)
                @if let Some(id) = &license.external_id { p.quiet { code { (id.as_str()) } } }
            },
        ),
        html! { (seen.shown.talent_name) },
        html! { (type_label(license.license_type)) },
        status,
        changed,
        html! { (seen.shown.owner_name) },
    ]
}

fn actions(person: &Person) -> Markup {
    html! {
        @if person.acts(Right::ManageLicenses) {
            a.button href="/app/licenses/new" { (text!("license-new")) }
            a.button.plain href="/app/licenses/import" { (text!("action-import")) }
        }
    }
}

fn nothing(person: &Person, filters: &ListFilters<'_>, all: bool) -> Markup {
    if filters.is_set() {
        let why = text!("license-list-not-found-why");
        return empty(text!("license-list-not-found"), why, filters.clear_link());
    }
    if all && !person.may(Right::ReadLicenses) {
        return empty(
            text!("license-list-none-shared"),
            text!("license-list-none-shared-why"),
            html! {
                a.button href="/app/catalog" { (text!("license-list-open-catalog")) }
            },
        );
    }
    lesson(
        text!("license-list-none"),
        text!("license-list-none-why"),
        &[
            text!("license-lesson-choose"),
            text!("license-lesson-upload"),
            text!("license-lesson-publish"),
        ],
        actions(person),
    )
}

/// Whether the list has every license that the person sees, instead of only their organization's own.
fn lists_all(person: &Person, params: &Params) -> bool {
    !person.may(Right::ReadLicenses) || params.get("of") == Some(VISIBLE)
}

fn reader(person: &Person, params: &Params) -> Reader {
    let own = Reader::Owner(person.caller.tenant);
    if lists_all(person, params) { person.caller.reader() } else { own }
}

/// The licenses that match the filters of the list.
pub(crate) fn matching(person: &Person, params: &Params) -> Result<Filter> {
    Ok(Filter::Licenses(reader(person, params), Box::new(own_query(person, params)?)))
}

/// Parses the query parameters of the person's list, which also has the tags of their organization.
fn own_query(person: &Person, params: &Params) -> Result<LicenseQuery> {
    let mut query = query(params)?;
    if let Some(text) = params.get("tag") {
        let tag = Tag::parse(text).map_err(|error| Error::field("tag", error))?;
        query.filter.tag = Some((person.caller.tenant, tag.key()));
    }
    Ok(query)
}

/// Parses the query parameters of a license list.
pub(crate) fn query(params: &Params) -> Result<LicenseQuery> {
    let mut fields = Fields::default();
    let sorting = fields.take_all(Sorting::read(&SORTS, params));
    let plain = LicenseParams {
        page: params.get("page"),
        size: params.get("limit"),
        status: params.get("status"),
        license_type: params.get("type"),
        ..LicenseParams::default()
    };
    let plain = LicenseQuery::parse(&plain, FieldNames::CONSOLE, Params::rules());
    let plain = fields.take_all(plain);
    let filter = filter(params, &mut fields);
    fields.finish()?;
    let (Some(query), Some(sorting)) = (plain, sorting) else {
        return Err(Error::validation("The query is not valid"));
    };
    let sort = sorting.name().parse().unwrap_or_default();
    Ok(LicenseQuery { filter, sort, order: sorting.order, ..query })
}

fn filter(params: &Params, fields: &mut Fields) -> LicenseFilter {
    let currency = params.get("currency");
    let currency = currency.and_then(|it| fields.take("currency", Currency::parse(it)));
    let from = read::amount(params, "price_from", currency, fields);
    let to = read::amount(params, "price_to", currency, fields);
    // An amount may name its currency.
    let named = from.and_then(|it| it.currency).or(to.and_then(|it| it.currency));
    let price = PriceRange {
        from: from.map(|it| it.amount),
        to: to.map(|it| it.amount),
        currency: currency.or(named),
    };
    if price.is_reversed() {
        fields.add("price_to", "must not be less than the lowest price");
    }
    LicenseFilter {
        find: read::find(params, "search", fields),
        usage: read::value::<LicenseType>(params, "use", fields),
        territory: read::country(params, "country", fields),
        talent: read::talent(params, fields),
        owner: read::find(params, "owner", fields),
        tag: None,
        price,
        created: read::days(params, ("created_from", "created_to"), fields),
        expires: read::days(params, ("expires_from", "expires_to"), fields),
    }
}

/// The filters of a license list. `talent` is the name of the first listed talent. The catalog has
/// no status, since all its licenses are public.
pub(crate) fn filters<'a>(
    views: &ViewBar,
    list: ViewList,
    here: &'a str,
    params: &'a Params,
    talent: Option<&str>,
) -> Result<ListFilters<'a>> {
    let sorting = Sorting::read(&SORTS, params)?;
    let statuses = LicenseStatus::ALL.map(|it| (it.name(), status_label(it)));
    let kind = params.get("type").and_then(|it| it.parse::<LicenseType>().ok());
    let currencies = currency_choices().into_iter().skip(1).take(CURRENCIES);
    let chosen = read::chosen_talent(params, talent);
    let mut filters = ListFilters::new(path_of(list), here, params).cleared_by(views.all_url());
    filters = match list {
        ViewList::Licenses => filters
            .search(text!("license-list-search"))
            .pick("status", text!("word-status"), text!("license-any-status"), statuses)
            .name("tag", text!("license-tag"), SOURCE, None),
        _ => filters.search(text!("license-catalog-search")),
    };
    Ok(filters
        .pick("use", text!("license-use"), text!("license-any-use"), types())
        .pick(
            "country",
            text!("license-country"),
            text!("license-any-country"),
            territory_options(),
        )
        .name("talent", text!("license-talent"), &name::source(list, "talent"), chosen)
        .name("owner", text!("license-owner"), &name::source(list, "party"), None)
        .amount("price_from", text!("license-price-from"))
        .amount("price_to", text!("license-price-to"))
        .pick("currency", text!("license-currency"), text!("license-any-currency"), currencies)
        .day("created_from", text!("license-created-from"))
        .day("created_to", text!("license-created-to"))
        .day("expires_from", text!("license-expires-from"))
        .day("expires_to", text!("license-expires-to"))
        .linked("type", text!("word-type"), kind.map(type_label).unwrap_or_default())
        .sorted(&sorting))
}
