//! The map: in which territories grants are in effect on a day.

use std::collections::HashMap;

use grantor_domain::error::Fields;
use grantor_domain::grant::Party;
use grantor_domain::id::TalentId;
use grantor_domain::license::Territory;
use grantor_domain::{Result, Timestamp};
use grantor_messages::text;
use grantor_service::licensing::grant::{self, TerritoryCount};
use maud::{Markup, html};

use super::atlas::{REGIONS, cells};
use super::list::{GrantsView, ON, moment_of, sides, talent_picker, talents, view_head};
use super::{LIST, caller};
use crate::frame::{Outcome, Params, Person};
use crate::view::chart::grouped;
use crate::view::component::with_query;
use crate::view::filter::{self, filters, hidden_param};
use crate::view::territory::{continent_name, country_options, territory_name};
use crate::view::time::{utc_date, utc_day};
use crate::view::{NavItem, Table, card, day, empty};

/// The color steps: the number from which each begins, and the key of its label.
const STEPS: [(u64, &str); 4] = [
    (1, "grant-map-step-1"),
    (2, "grant-map-step-2"),
    (5, "grant-map-step-5"),
    (10, "grant-map-step-10"),
];

/// What is shown.
struct Shown {
    role: Option<Party>,
    talent: Option<TalentId>,
    at: Timestamp,
}

impl Shown {
    /// The day, as date fields and links have it.
    fn day(&self) -> String {
        utc_day(self.at)
    }
}

/// The grants in one territory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    grants: u64,
    exclusive: u64,
    /// Whether there may be more.
    more: bool,
    /// The latest end of the exclusive grants.
    until: Option<End>,
}

/// An end of grants. No end is later than any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    At(Timestamp),
    Never,
}

impl From<&TerritoryCount> for Tally {
    fn from(count: &TerritoryCount) -> Self {
        let until = count.until.map_or(End::Never, End::At);
        Self {
            grants: count.grants,
            exclusive: if count.exclusive { count.grants } else { 0 },
            more: count.more,
            until: count.exclusive.then_some(until),
        }
    }
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        Self {
            grants: self.grants + other.grants,
            exclusive: self.exclusive + other.exclusive,
            more: self.more || other.more,
            until: self.until.max(other.until),
        }
    }

    /// The number of grants as text, such as `3 grants, 1 exclusive`.
    fn text(self) -> String {
        let grants = if self.more {
            text!("grant-count-more", count = self.grants)
        } else {
            text!("grant-count", count = self.grants)
        };
        match self.exclusive {
            0 => grants,
            exclusive => text!("grant-count-exclusive", grants = grants, exclusive = exclusive),
        }
    }

    /// The color step, from 1; 0 without grants.
    fn step(self) -> usize {
        STEPS.iter().take_while(|(from, _)| self.grants >= *from).count()
    }
}

/// The grants by territory. Worldwide ones count for every country.
struct Tallies(HashMap<Territory, Tally>);

impl Tallies {
    fn of(counts: &[TerritoryCount]) -> Self {
        let mut tallies = HashMap::<_, Tally>::new();
        for count in counts {
            let tally = tallies.entry(count.territory).or_default();
            *tally = tally.plus(Tally::from(count));
        }
        Self(tallies)
    }

    fn worldwide(&self) -> Tally {
        self.0.get(&Territory::WORLD).copied().unwrap_or_default()
    }

    fn of_country(&self, code: &str) -> Tally {
        self.own(code).unwrap_or_default().plus(self.worldwide())
    }

    /// The grants that name the country.
    fn own(&self, code: &str) -> Option<Tally> {
        Territory::parse(code).ok().and_then(|it| self.0.get(&it).copied())
    }
}

/// Shows the grants of a day by territory.
pub(crate) async fn map(person: Person, params: Params) -> Outcome {
    let shown = read(&person, &params)?;
    let Shown { role, talent, at } = shown;
    let counts = grant::count_by_territory(person.app(), caller(&person), role, talent, at).await?;
    let (tallies, talents) = (Tallies::of(&counts), talents(&person, role).await?);
    let (lead, day) = (text!("grant-map-lead", date = utc_date(at)), shown.day());
    let body = html! {
        (view_head(GrantsView::Map, &lead, &params))
        (sides(&person, shown.role))
        (filters(GrantsView::Map.path(), &params, html! {
            (hidden_param("role", &params))
            (talent_picker(&talents, &params))
            (filter::day_or(ON, text!("grant-map-on"), Some(&day), &params))
        }))
        @if counts.is_empty() { (no_grants()) }
        @else {
            (card(text!("grant-map"), world(&shown, &tallies)))
            (table(&shown, &tallies))
        }
    };
    Ok(person.page(text!("grant-map-title"), NavItem::Grants, body))
}

fn read(person: &Person, params: &Params) -> Result<Shown> {
    let mut fields = Fields::default();
    let role = params.get("role").and_then(|it| fields.take("role", it.parse::<Party>()));
    let talent = params.get("talent").and_then(|it| fields.take("talent", it.parse()));
    let on = params.get(ON).and_then(|it| fields.take(ON, Timestamp::parse_day(it)));
    fields.finish()?;
    let at = on.map_or_else(|| person.now(), |it| moment_of(person, it));
    Ok(Shown { role, talent, at })
}

fn no_grants() -> Markup {
    let next = html! { a.button.plain href=(LIST) { (text!("grant-view-all")) } };
    empty(text!("grant-map-empty"), text!("grant-map-empty-why"), next)
}

/// The list of the grants in a territory on the day.
fn list_url(shown: &Shown, code: &str) -> String {
    let url = with_query(LIST, "role", shown.role.map(Party::name).unwrap_or_default());
    let talent = shown.talent.map(|it| it.to_string()).unwrap_or_default();
    let url = with_query(&with_query(&url, "talent", &talent), "territory", code);
    with_query(&url, ON, &shown.day())
}

/// The tiles of all countries: placed as on a map on wide screens, with the names on demand, else
/// listed by region with their names.
fn world(shown: &Shown, tallies: &Tallies) -> Markup {
    let (cells, countries, worldwide) = (cells(), country_options(), tallies.worldwide());
    html! {
        @if worldwide.grants > 0 {
            p { a href=(list_url(shown, Territory::WORLD.as_str())) { (text!("grant-worldwide")) } ": " (worldwide.text()) }
        }
        (legend())
        div.atlas { @for it in REGIONS { (region(shown, tallies, it, &countries, &cells)) } }
    }
}

fn region(
    shown: &Shown,
    tallies: &Tallies,
    (name, codes): (&'static str, &str),
    countries: &[(&str, &str)],
    cells: &HashMap<&str, (usize, usize)>,
) -> Markup {
    let countries = countries.iter().copied();
    let countries: Vec<_> = countries.filter(|(code, _)| codes.contains(code)).collect();
    let granted = countries.iter().filter(|(code, _)| tallies.of_country(code).grants > 0).count();
    let (granted, all) = (granted.to_string(), countries.len().to_string());
    let cell = |code: &str| cells.get(code).copied().unwrap_or_default();
    html! {
        section {
            h3 {
                (continent_name(name))
                span.quiet { " " (text!("grant-map-granted", granted = granted, all = all)) }
            }
            ul {
                @for (code, country) in countries {
                    (tile(shown, (code, country), cell(code), tallies.of_country(code)))
                }
            }
        }
    }
}

fn tile(
    shown: &Shown,
    (code, name): (&str, &str),
    (column, row): (usize, usize),
    tally: Tally,
) -> Markup {
    let exclusive = if tally.exclusive > 0 { " exclusive" } else { "" };
    let more = if tally.more { "+" } else { "" };
    html! {
        @if tally.grants == 0 {
            li class={ "ungranted x" (column) " y" (row) } aria-hidden="true" {
                span title=(name) { span.country { (name) } }
            }
        } @else {
            li class={ "x" (column) " y" (row) } {
                a class={ "s" (tally.step()) (exclusive) } href=(list_url(shown, code)) {
                    span.hidden { (name) ": " (tally.text()) }
                    span.country aria-hidden="true" { (name) }
                    span aria-hidden="true" { (grouped(tally.grants)) (more) }
                }
            }
        }
    }
}

fn legend() -> Markup {
    html! {
        ul.legend {
            @for (index, (_, label)) in STEPS.into_iter().enumerate() {
                li { span class={ "key key-s" (index + 1) } aria-hidden="true" {} (text(label)) }
            }
            li { span.key.key-exclusive aria-hidden="true" {} (text!("grant-map-exclusive")) }
        }
    }
}

/// The territories that grants name, with the worldwide ones included in the numbers.
fn table(shown: &Shown, tallies: &Tallies) -> Markup {
    let worldwide = (territory_name(Territory::WORLD), "WORLD", tallies.worldwide());
    let countries = country_options().into_iter();
    let countries = countries.filter(|(code, _)| tallies.own(code).is_some());
    let countries = countries.map(|(code, name)| (name, code, tallies.of_country(code)));
    let rows = std::iter::once(worldwide).filter(|it| it.2.grants > 0).chain(countries);
    let heads = [
        text!("grant-territory"),
        text!("grant-list"),
        text!("grant-exclusive"),
        text!("grant-exclusive-until"),
    ];
    let table = Table::new(text!("grant-map-caption"), &heads).rows(rows, |(name, code, tally)| {
        let more = if tally.more { "+" } else { "" };
        vec![
            html! { a href=(list_url(shown, code)) { (name) } },
            html! { (grouped(tally.grants)) (more) },
            html! { (grouped(tally.exclusive)) },
            match tally.until {
                None => html! {},
                Some(End::Never) => html! { (text!("grant-no-end-date")) },
                Some(End::At(end)) => day(end),
            },
        ]
    });
    html! {
        @if tallies.worldwide().grants > 0 {
            p.quiet { (text!("grant-map-worldwide-included")) }
        }
        (table.show())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(code: &str, exclusive: bool, grants: u64, until: Option<i64>) -> TerritoryCount {
        let territory = Territory::parse(code).unwrap();
        let until = until.map(Timestamp::from_secs);
        TerritoryCount { territory, exclusive, grants, more: false, until }
    }

    #[test]
    fn worldwide_grants_count_for_every_country() {
        let tallies = Tallies::of(&[
            count("DE", false, 3, None),
            count("DE", true, 1, Some(9)),
            count("WORLD", true, 1, None),
        ]);
        assert_eq!(tallies.of_country("DE").text(), "5 grants, 2 exclusive");
        assert_eq!(tallies.of_country("DE").until, Some(End::Never));
        assert_eq!(tallies.of_country("FR").text(), "1 grant, 1 exclusive");
        assert_eq!((tallies.own("FR"), tallies.own("DE").map(Tally::step)), (None, Some(2)));
    }

    #[test]
    fn colors_follow_the_number_of_grants() {
        let step = |grants| Tally { grants, ..Tally::default() }.step();
        assert_eq!([0, 1, 2, 4, 5, 9, 10, 500].map(step), [0, 1, 2, 2, 3, 3, 4, 4]);
        let many = Tally { grants: 1_500, more: true, ..Tally::default() };
        assert_eq!(many.text(), "1,500+ grants");
    }
}
