//! The list of grants.

use std::time::Duration;

use grantor_domain::day::{Day, DayRange};
use grantor_domain::error::Fields;
use grantor_domain::grant::{Coverage, GrantStatus, Party};
use grantor_domain::id::{LicenseId, TalentId};
use grantor_domain::license::LicenseType;
use grantor_domain::page::{Order, Page};
use grantor_domain::role::Right;
use grantor_domain::saved_view::ViewList;
use grantor_domain::search::NameFilter;
use grantor_domain::{Result, Timestamp};
use grantor_messages::text;
use grantor_service::licensing::grant::{self, GrantFilter, GrantSearch, GrantView};
use grantor_service::operations::record_index::{RecordOrder, RecordSort};
use maud::{Markup, html};

use super::{LIST, caller, path};
use crate::frame::{Outcome, Params, Person};
use crate::license::types;
use crate::request::{place_names, use_names};
use crate::thumbnail::{self, Thumbnails};
use crate::view::component::with_query;
use crate::view::filter::{hidden_param, pick};
use crate::view::filter_value as value;
use crate::view::label::grant_status;
use crate::view::list_filter::ListFilters;
use crate::view::rich::rich;
use crate::view::sort::{SortKey, Sorting};
use crate::view::territory::territory_options;
use crate::view::time::utc_day;
use crate::view::{NavItem, Table, badge, day, empty, head, lesson, notice, pager, tabs};
use crate::{export, name, saved_view};

/// How many talents can be chosen from a list. With more, a talent's link in the table chooses it.
const TALENTS: u32 = 200;
/// The parameter of the day on which grants are in force.
pub(super) const ON: &str = "on";
const DAY: Duration = Duration::from_hours(24);
/// Why the grants of a day cannot be searched or sorted.
const NOT_COMBINED: &str =
    "can't be combined with a search, a name, a use, other dates or another order";

/// The views of a tenant's grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrantsView {
    List,
    Calendar,
    Map,
}

impl GrantsView {
    const ALL: [Self; 3] = [Self::List, Self::Calendar, Self::Map];

    pub(super) const fn path(self) -> &'static str {
        match self {
            Self::List => LIST,
            Self::Calendar => "/app/grants/calendar",
            Self::Map => "/app/grants/map",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::List => text!("grant-view-list"),
            Self::Calendar => text!("grant-view-calendar"),
            Self::Map => text!("grant-view-map"),
        }
    }

    /// The parameters that a link to the view keeps.
    const fn params(self) -> &'static [&'static str] {
        match self {
            Self::List | Self::Calendar => &["role", "status", "talent"],
            Self::Map => &["role", "talent"],
        }
    }
}

/// The heading of a view, with links to the other views.
pub(super) fn view_head(view: GrantsView, lead: &str, params: &Params) -> Markup {
    // Only the list knows talents by words of their names.
    let known = |name: &str, value: &str| name != "talent" || value.parse::<TalentId>().is_ok();
    let link = |to: GrantsView| {
        to.params().iter().fold(to.path().to_owned(), |url, name| {
            let value = params.get(name).filter(|it| known(name, it));
            with_query(&url, name, value.unwrap_or_default())
        })
    };
    let links = html! {
        nav.row aria-label=(text!("grant-views")) {
            @for it in GrantsView::ALL {
                a.button.small.plain href=(link(it)) aria-current=[(it == view).then_some("page")] {
                    (it.label())
                }
            }
        }
    };
    head(text!("grant-list"), lead, links)
}

/// The ways to sort grants.
const SORTS: [SortKey; 2] = [
    SortKey::by_time("number", "grant-number", ["grant-sort-newest", "grant-sort-oldest"]),
    SortKey {
        name: "end",
        head: "grant-period-head",
        first: Order::Asc,
        labels: ["grant-sort-ends-first", "grant-sort-ends-last"],
    },
];

/// What the address asks for.
pub(crate) struct Wanted {
    pub(crate) search: GrantSearch,
    /// The moment at which the grants are in force.
    in_force_at: Option<Timestamp>,
    sorting: Sorting,
    page: Page,
}

impl Wanted {
    /// The filter of grants in force on a day, which the index does not know.
    pub(crate) fn in_force(&self) -> Option<GrantFilter> {
        self.in_force_at.and_then(|at| plain(&self.search, Some(at)))
    }
}

/// Lists grants, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let views = saved_view::bar(&person, ViewList::Grants).await?;
    if let Some(redirect) = views.redirect() {
        return Ok(redirect);
    }
    let Wanted { search, in_force_at, sorting, page } = read(&person, &params)?;
    let role = search.role;
    let found = match plain(&search, in_force_at) {
        Some(filter) => grant::list(person.app(), caller(&person), filter, page).await?,
        None => grant::search(person.app(), caller(&person), search, page).await?,
    };
    let found = params.in_range(found)?;
    let licenses = found.items.iter().map(|it| it.record.grant.license);
    let thumbnails = thumbnail::of_licenses(&person, licenses).await?;
    let heads = [
        text!("grant-number"),
        text!("grant-talent"),
        text!("grant-with"),
        text!("grant-uses"),
        text!("grant-territories"),
        text!("grant-period-head"),
        text!("word-status"),
    ];
    let table = Table::new(text!("grant-list"), &heads)
        .sorted(sorting, &person.here)
        .rows(&found.items, |it| row(&person, it, &thumbnails));
    let filters = filters(&person.here, &params, &sorting, found.items.first());
    let filters = filters.cleared_by(views.all_url());
    let body = html! {
        (view_head(GrantsView::List, text!("grant-list-lead"), &params))
        (export::links(&person, "grants"))
        (sides(&person, role))
        (views.show())
        (filters.show())
        @if found.total_is_estimate && in_force_at.is_some() {
            (notice("", html! { p { (text!("grant-list-more")) } }))
        }
        @if found.items.is_empty() { (no_grants(&person, &filters)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("grant-list"), NavItem::Grants, body))
}

/// The moment that a day stands for: now for the current day, else the start of the day.
pub(super) fn moment_of(person: &Person, day: Timestamp) -> Timestamp {
    let now = person.now();
    if utc_day(day) == utc_day(now) { now } else { day }
}

pub(crate) fn read(person: &Person, params: &Params) -> Result<Wanted> {
    let mut fields = Fields::default();
    let page = fields.take_all(params.page());
    let sorting = fields.take_all(Sorting::read(&SORTS, params));
    let mut ends = value::days(params, ("ends_from", "ends_to"), &mut fields);
    // Links have the day after the last one.
    let before = params.get("ends_before");
    if let Some(day) = before.and_then(|it| fields.take("ends_before", Day::parse(it))) {
        ends.until = Some(ends.until.map_or(day.previous(), |it| it.min(day.previous())));
    }
    let search = GrantSearch {
        find: value::find(params, "search", &mut fields),
        role: value::value::<Party>(params, "role", &mut fields),
        status: value::value::<GrantStatus>(params, "status", &mut fields),
        license: value::value(params, "license", &mut fields),
        talent: value::talent(params, &mut fields),
        party: value::find(params, "party", &mut fields),
        usage: value::value::<LicenseType>(params, "use", &mut fields),
        territory: value::country(params, "territory", &mut fields),
        starts: value::days(params, ("starts_from", "starts_to"), &mut fields),
        ends,
        order: sorting.map(order_of).unwrap_or_default(),
        ..GrantSearch::default()
    };
    let on = params.get(ON).and_then(|it| fields.take(ON, Day::parse(it)));
    let in_force_at = on.map(|it| moment_of(person, it.start()));
    if in_force_at.is_some() && plain(&search, in_force_at).is_none() {
        fields.add(ON, NOT_COMBINED);
    }
    let (page, sorting) = value::finish(fields, page, sorting)?;
    Ok(Wanted { search, in_force_at, sorting, page })
}

fn order_of(sorting: Sorting) -> RecordOrder {
    let sort = if sorting.name() == "end" { RecordSort::Ends } else { RecordSort::Created };
    RecordOrder { sort, order: sorting.order }
}

/// The filter that the list itself has, if that is all that is asked for.
fn plain(search: &GrantSearch, in_force_at: Option<Timestamp>) -> Option<GrantFilter> {
    let talent = match search.talent {
        Some(NameFilter::Id(id)) => Some(id),
        _ => None,
    };
    let GrantSearch { role, status, license, territory, .. } = *search;
    // Only the index finds grants by their end, unless those of one day are listed.
    let until = search.ends.until.filter(|_| in_force_at.is_some());
    let same = GrantSearch {
        role,
        status,
        license,
        talent: talent.map(NameFilter::Id),
        territory,
        ends: DayRange { from: None, until },
        ..GrantSearch::default()
    };
    let ends_before = until.map(|it| it.start().plus(DAY));
    let filter = GrantFilter { role, status, license, talent, territory, ends_before, in_force_at };
    (same == *search).then_some(filter)
}

fn filters<'a>(
    here: &'a str,
    params: &'a Params,
    sorting: &Sorting,
    first: Option<&GrantView>,
) -> ListFilters<'a> {
    let record = first.map(|it| &it.record);
    let talent = value::chosen_talent(params, record.map(|it| it.talent_name.as_str()));
    let license = record.map(|it| it.license_title.as_str());
    let license = license.unwrap_or(text!("grant-selected-license"));
    let statuses = GrantStatus::ALL.map(|it| (it.name(), grant_status(it)));
    let before = params.get("ends_before").unwrap_or_default();
    ListFilters::new(LIST, here, params)
        .keep("role")
        .search(text!("grant-search"))
        .pick("status", text!("word-status"), text!("grant-any-status"), statuses)
        .name("talent", text!("grant-talent"), &name::source(ViewList::Grants, "talent"), talent)
        .name("party", text!("grant-with"), &name::source(ViewList::Grants, "party"), None)
        .pick("use", text!("grant-use"), text!("grant-any-use"), types())
        .pick("territory", text!("grant-country"), text!("grant-any-country"), territory_options())
        .day("starts_from", text!("grant-starts-from"))
        .day("starts_to", text!("grant-starts-to"))
        .day("ends_from", text!("grant-ends-from"))
        .day("ends_to", text!("grant-ends-to"))
        .day(ON, text!("grant-in-force-on"))
        .linked("ends_before", text!("grant-ends-before"), before)
        .linked("license", text!("grant-license"), license)
        .sorted(sorting)
}

/// The tabs by direction.
pub(super) fn sides(person: &Person, role: Option<Party>) -> Markup {
    let tab = |side: Option<Party>, label| {
        let url = with_query(&person.here, "role", side.map(Party::name).unwrap_or_default());
        (url, label, side == role)
    };
    let all = [
        tab(None, text!("word-all")),
        tab(Some(Party::Asker), text!("grant-held")),
        tab(Some(Party::Owner), text!("grant-given")),
    ];
    tabs(text!("grant-sides"), &all)
}

/// A talent that can be chosen.
pub(super) type TalentOption = (TalentId, String);

/// The talents that the tenant has grants for, one more than can be chosen from.
pub(super) async fn talents(person: &Person, role: Option<Party>) -> Result<Vec<TalentOption>> {
    grant::list_talents(person.app(), caller(person), role, TALENTS + 1).await
}

/// The filter by talent.
pub(super) fn talent_picker(talents: &[TalentOption], params: &Params) -> Markup {
    let options = talents.iter().map(|(id, name)| (id.to_string(), name));
    html! {
        @if (1..=TALENTS as usize).contains(&talents.len()) {
            (pick("talent", text!("grant-talent"), text!("grant-any-talent"), options, params))
        } @else { (hidden_param("talent", params)) }
    }
}

/// The filter by status.
pub(super) fn status_picker(params: &Params) -> Markup {
    let statuses = GrantStatus::ALL.map(|it| (it.name(), grant_status(it)));
    pick("status", text!("word-status"), text!("grant-any-status"), statuses, params)
}

fn row(person: &Person, view: &GrantView, thumbnails: &Thumbnails<LicenseId>) -> Vec<Markup> {
    let (record, grant) = (&view.record, &view.record.grant);
    let (coverage, here) = (&grant.terms.coverage, &person.here);
    vec![
        html! { a href=(path(grant.id)) { (grant.number) } },
        thumbnails.beside(grant.license, &record.talent_name, html! {
            a href=(with_query(here, "talent", &grant.talent.to_string())) { (record.talent_name) }
            p.quiet { (record.license_title) }
        }),
        match view.party {
            Party::Owner => html! { (record.licensee.name) p.quiet { (text!("grant-licensee")) } },
            Party::Asker => html! { (record.licensor.name) p.quiet { (text!("grant-licensor")) } },
        },
        html! { (use_names(coverage.uses.as_slice())) },
        html! { (place_names(coverage.territories.as_slice())) },
        period(coverage),
        badge(view.status.name()),
    ]
}

/// The dates of a period.
pub(super) fn period(coverage: &Coverage) -> Markup {
    let start = day(coverage.starts_at);
    match coverage.ends_at {
        Some(end) => rich!("grant-period", start = start, end = day(end)),
        None => rich!("grant-period-open", start = start),
    }
}

fn no_grants(person: &Person, filters: &ListFilters<'_>) -> Markup {
    if filters.is_set() {
        let why = text!("grant-none-found-why");
        return empty(text!("grant-none-found"), why, filters.clear_link());
    }
    let next = html! {
        div.row {
            a.button href="/app/requests" { (text!("grant-view-requests")) }
            @if person.may(Right::RequestLicenses) {
                a.button.plain href="/app/catalog" { (text!("grant-browse-catalog")) }
            }
        }
    };
    lesson(
        text!("grant-none"),
        text!("grant-none-why"),
        &[text!("grant-step-1"), text!("grant-step-2"), text!("grant-step-3")],
        next,
    )
}
