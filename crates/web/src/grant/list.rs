//! The list of grants.

use grantor_domain::error::Fields;
use grantor_domain::grant::{Coverage, GrantStatus, Party};
use grantor_domain::id::TalentId;
use grantor_domain::license::Territory;
use grantor_domain::role::Right;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::grant::{self, GrantFilter, GrantView};
use maud::{Markup, html};

use super::{LIST, caller, path};
use crate::frame::{Outcome, Params, Person};
use crate::request::{place_names, use_names};
use crate::view::component::with_query;
use crate::view::filter::{self, filters, hidden_param, pick};
use crate::view::territory::territory_options;
use crate::view::time::date;
use crate::view::{NavItem, Table, badge, day, empty, head, notice, pager, sentence_case, tabs};

/// How many talents can be chosen from a list. With more, a talent's link in the table chooses it.
const TALENTS: u32 = 200;
/// The parameter of the day on which grants are in force.
pub(super) const ON: &str = "on";

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

    const fn label(self) -> &'static str {
        match self {
            Self::List => "List",
            Self::Calendar => "Calendar",
            Self::Map => "Map",
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
    let link = |to: GrantsView| {
        to.params().iter().fold(to.path().to_owned(), |url, name| {
            with_query(&url, name, params.get(name).unwrap_or_default())
        })
    };
    let links = html! {
        nav.row aria-label="Views of grants" {
            @for it in GrantsView::ALL {
                a.button.small.plain href=(link(it)) aria-current=[(it == view).then_some("page")] {
                    (it.label())
                }
            }
        }
    };
    head("Grants", lead, links)
}

/// Lists grants, newest first.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let filter = read(&person, &params)?;
    let found = grant::list(person.app(), caller(&person), filter, params.page()?).await?;
    let found = params.in_range(found)?;
    let talents = talents(&person, filter.role).await?;
    let heads = ["Number", "Talent", "With", "Uses", "Territories", "Period", "Status"];
    let table = Table::new("Grants", &heads).rows(&found.items, |it| row(&person, it));
    let lead = "Accepted offers: who may use which likeness, where and until when.";
    let body = html! {
        (view_head(GrantsView::List, lead, &params))
        (sides(&person, filter.role))
        (filters(LIST, &params, html! {
            (hidden_param("role", &params)) (hidden_param("license", &params))
            (talent_picker(&talents, &params))
            (status_picker(&params))
            (pick("territory", "Territory", "Any territory", territory_options(), &params))
            (filter::day("ends_before", "Ends before", &params))
            (filter::day(ON, "In force on", &params))
        }))
        (narrowed(&person, filter, &talents, found.items.first()))
        @if found.total_is_estimate && filter.in_force_at.is_some() {
            (notice("", html! { p { "There may be more. Of the grants in force on this day, those that end first are listed." } }))
        }
        @if found.items.is_empty() { (no_grants(&person, &params)) }
        @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Grants", NavItem::Grants, body))
}

/// The moment that a day stands for: now for the current day, else the start of the day.
pub(super) fn moment_of(person: &Person, day: Timestamp) -> Timestamp {
    let now = person.now();
    if date(day) == date(now) { now } else { day }
}

fn read(person: &Person, params: &Params) -> Result<GrantFilter> {
    let mut fields = Fields::default();
    let role = params.get("role").and_then(|it| fields.take("role", it.parse::<Party>()));
    let status = params.get("status");
    let status = status.and_then(|it| fields.take("status", it.parse::<GrantStatus>()));
    let license = params.get("license").and_then(|it| fields.take("license", it.parse()));
    let talent = params.get("talent").and_then(|it| fields.take("talent", it.parse()));
    let territory = params.get("territory").and_then(|it| {
        let parsed = Territory::parse(it).map_err(|_| "must be one of the listed territories");
        fields.take("territory", parsed)
    });
    let ends_before = params.get("ends_before");
    let ends_before =
        ends_before.and_then(|it| fields.take("ends_before", Timestamp::parse_day(it)));
    let on = params.get(ON).and_then(|it| fields.take(ON, Timestamp::parse_day(it)));
    fields.finish()?;
    let in_force_at = on.map(|it| moment_of(person, it));
    Ok(GrantFilter { role, status, license, talent, territory, ends_before, in_force_at })
}

/// The tabs by direction.
pub(super) fn sides(person: &Person, role: Option<Party>) -> Markup {
    let tab = |side: Option<Party>, label| {
        let url = with_query(&person.here, "role", side.map(Party::name).unwrap_or_default());
        (url, label, side == role)
    };
    let all = [tab(None, "All"), tab(Some(Party::Asker), "Held"), tab(Some(Party::Owner), "Given")];
    tabs("Grants by direction", &all)
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
            (pick("talent", "Talent", "Any talent", options, params))
        } @else { (hidden_param("talent", params)) }
    }
}

/// The filter by status.
pub(super) fn status_picker(params: &Params) -> Markup {
    let statuses = GrantStatus::ALL.map(|it| (it.name(), sentence_case(it.name())));
    pick("status", "Status", "Any status", statuses, params)
}

fn row(person: &Person, view: &GrantView) -> Vec<Markup> {
    let (record, grant) = (&view.record, &view.record.grant);
    let (coverage, here) = (&grant.terms.coverage, &person.here);
    vec![
        html! { a href=(path(grant.id)) { (grant.number) } },
        html! {
            a href=(with_query(here, "talent", &grant.talent.to_string())) { (record.talent_name) }
            p.quiet { (record.license_title) }
        },
        match view.party {
            Party::Owner => html! { (record.licensee.name) p.quiet { "Licensee" } },
            Party::Asker => html! { (record.licensor.name) p.quiet { "Licensor" } },
        },
        html! { (use_names(coverage.uses.as_slice())) },
        html! { (place_names(coverage.territories.as_slice())) },
        period(coverage),
        badge(view.status.name()),
    ]
}

/// The dates of a period.
pub(super) fn period(coverage: &Coverage) -> Markup {
    html! {
        (day(coverage.starts_at))
        @match coverage.ends_at {
            Some(end) => { " to " (day(end)) }
            None => ", no end date",
        }
    }
}

/// Names the talent or license that the list is limited to by a link.
fn narrowed(
    person: &Person,
    filter: GrantFilter,
    talents: &[TalentOption],
    first: Option<&GrantView>,
) -> Markup {
    let record = first.map(|it| &it.record);
    let line = |limited: bool, name: Option<&str>, param: &str| {
        html! {
            @if limited {
                (notice("", html! {
                    p {
                        "Only grants for " (name.unwrap_or("the selected record")) ". "
                        a href=(with_query(&person.here, param, "")) { "Show all" }
                    }
                }))
            }
        }
    };
    let known = talents.iter().find(|(id, _)| Some(*id) == filter.talent);
    let talent = known.map(|it| it.1.as_str()).or(record.map(|it| it.talent_name.as_str()));
    let license = record.map(|it| it.license_title.as_str());
    html! {
        (line(filter.talent.is_some(), talent, "talent"))
        (line(filter.license.is_some(), license, "license"))
    }
}

fn no_grants(person: &Person, params: &Params) -> Markup {
    let names = ["status", "license", "talent", "territory", "ends_before", ON];
    if names.iter().any(|it| params.get(it).is_some()) {
        let clear = html! { a.button.plain href=(LIST) { "Clear filters" } };
        return empty("No grants found", "No grants match your filters.", clear);
    }
    let next = html! {
        div.row {
            a.button href="/app/requests" { "View requests" }
            @if person.may(Right::RequestLicenses) {
                a.button.plain href="/app/catalog" { "Browse catalog" }
            }
        }
    };
    empty("No grants yet", "A grant is made when an offer is accepted.", next)
}
