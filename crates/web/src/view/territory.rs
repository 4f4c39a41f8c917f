//! Territories by name, and the field to choose them.
//!
//! Without a script the field is a group of checkboxes: the chosen ones first, then regions, then
//! countries by continent. A script adds a search field and moves boxes to and from the chosen ones.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use grantor_domain::license::{Place, Region, Territories, Territory, country_names, places};
use grantor_domain::search::plain_words;
use grantor_messages::{named, text};
use maud::{Markup, html};

use super::annotations::Annotations;
use super::marked::Mark;
use crate::asset;
use crate::frame::FormData;
use crate::grant::atlas::{REGIONS as CONTINENTS, ROWS};

const WORLD: &str = "WORLD";

/// What the value of a region starts with. No territory has such a code.
const REGION: &str = "region:";

/// Up to this many countries are listed without continents.
const FEW: usize = 12;

/// The name of a country, or that of the world.
pub(crate) fn territory_name(territory: Territory) -> &'static str {
    country_name(territory.as_str(), territory.label())
}

fn country_name(code: &str, english: &'static str) -> &'static str {
    if code == WORLD {
        return text!("territory-world");
    }
    named("country", &code.to_ascii_lowercase()).unwrap_or(english)
}

fn region_name(region: &Region) -> &'static str {
    named("region", region.key).unwrap_or(region.name)
}

/// The name of a continent of the atlas.
pub(crate) fn continent_name(continent: &'static str) -> &'static str {
    named("continent", &continent.to_ascii_lowercase()).unwrap_or(continent)
}

/// The code and name of every country, sorted by name.
pub(crate) fn country_options() -> Vec<(&'static str, &'static str)> {
    let all = country_names().map(|(code, english)| (code, country_name(code, english)));
    let mut all: Vec<_> = all.collect();
    all.sort_by_cached_key(|(_, name)| plain_words(name));
    all
}

/// The names of territories, or `None` if there are none.
pub(crate) fn territory_names(territories: &[Territory]) -> Option<String> {
    let names: Vec<_> = territories.iter().map(|it| territory_name(*it)).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Like [`territory_names`], with the names of regions for all of their countries.
pub(crate) fn region_names(territories: &[Territory]) -> Option<String> {
    let name = |it: Place| match it {
        Place::Region(region) => region_name(region),
        Place::Territory(territory) => territory_name(territory),
    };
    let names: Vec<_> = places(territories).into_iter().map(name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The code and name of every territory, the world first.
pub(crate) fn territory_options() -> impl Iterator<Item = (&'static str, &'static str)> {
    std::iter::once((WORLD, text!("territory-world"))).chain(country_options())
}

/// The values of the field for these territories.
pub(crate) fn territory_values(territories: &[Territory]) -> Vec<String> {
    let value = |it: Place| match it {
        Place::Region(region) => format!("{REGION}{}", region.key),
        Place::Territory(territory) => territory.to_string(),
    };
    places(territories).into_iter().map(value).collect()
}

/// The codes that a field chooses: those of regions in place of the regions, each once.
pub(crate) fn chosen_territories(entered: &FormData, name: &str) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let mut add = |code: &str| {
        if !codes.iter().any(|it| it == code) {
            codes.push(code.to_owned());
        }
    };
    for value in entered.all(name) {
        match value.strip_prefix(REGION).and_then(Region::find) {
            Some(region) => region.countries().iter().for_each(|it| add(it.as_str())),
            None => add(value),
        }
    }
    codes
}

/// A box of the field.
struct Choice {
    value: String,
    name: &'static str,
    /// The continent under which it is listed.
    group: &'static str,
    /// The countries of a region, for the script.
    codes: Option<String>,
}

impl Choice {
    fn draw(&self, field: &str, chosen: bool, focused: bool) -> Markup {
        // The script needs to know where a chosen one belongs, and what else people search for.
        let home = chosen.then_some(self.group);
        let words = named("territory-words", &self.value.to_ascii_lowercase());
        html! {
            label data-home=[home] data-words=[words] {
                input type="checkbox" name=(field) value=(self.value) checked[chosen]
                    autofocus[focused] data-codes=[self.codes.as_deref()];
                " " (self.name)
            }
        }
    }
}

/// The world, the regions and the countries that can be chosen: those of a license, or all if it does
/// not limit them.
fn available(within: &Territories) -> Vec<Choice> {
    let allowed = |code: &str| Territory::parse(code).is_ok_and(|it| within.allow(it));
    let mut countries = country_options();
    countries.retain(|(code, _)| allowed(code));
    let few = countries.len() <= FEW;
    let group = |code: &str| {
        let found = CONTINENTS.iter().find(|(_, codes)| !few && codes.contains(code));
        found.map_or("", |(name, _)| *name)
    };
    let world = allowed(WORLD).then(|| Choice {
        value: WORLD.to_owned(),
        name: text!("territory-world"),
        group: "",
        codes: None,
    });
    let whole = |it: &&Region| it.countries().iter().all(|it| within.allow(*it));
    let regions = Region::ALL.iter().filter(whole).map(|it| Choice {
        value: format!("{REGION}{}", it.key),
        name: region_name(it),
        group: "",
        codes: Some(it.countries().iter().map(Territory::as_str).collect::<Vec<_>>().join(" ")),
    });
    let countries = countries.into_iter().map(|(code, name)| Choice {
        value: code.to_owned(),
        name,
        group: group(code),
        codes: None,
    });
    world.into_iter().chain(regions).chain(countries).collect()
}

/// A field for territories: those of a license, or all if it does not limit them.
pub(crate) fn territory_choices(
    mark: Mark,
    name: &str,
    label: &str,
    hint: Option<&str>,
    within: &Territories,
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    let choices = available(within);
    let values = chosen_values(&choices, name, entered);
    let (chosen, others): (Vec<_>, Vec<_>) =
        choices.iter().partition(|it| values.contains(it.value.as_str()));
    let first = chosen.first().or(others.first()).map(|it| it.value.as_str());
    let tick = |it: &Choice, ticked: bool| {
        let focused = notes.is_first_error() && first == Some(it.value.as_str());
        it.draw(name, ticked, focused)
    };
    let in_group = |group: &str| {
        let found: Vec<_> = others.iter().copied().filter(|it| it.group == group).collect();
        html! { @for it in found { (tick(it, false)) } }
    };
    let continents = CONTINENTS.iter().map(|(name, _)| *name);
    let continents = continents.filter(|name| choices.iter().any(|it| it.group == *name));
    html! {
        fieldset.field.places id=(name) aria-describedby=[notes.described_by()] data-places="" {
            (notes.legend(mark))
            (map(&codes_of(&chosen)))
            div.places-chosen role="group" aria-label=(text!("territory-chosen"))
                data-places-chosen="" {
                @for it in chosen.iter().copied() { (tick(it, true)) }
            }
            input type="search" data-places-find="" aria-label=(text!("territory-search"))
                placeholder=(text!("territory-search")) autocomplete="off" hidden;
            p.quiet role="status" data-places-none=(text!("territory-not-found")) {}
            div.ticks data-places-group="" { (in_group("")) }
            @for continent in continents {
                details.more {
                    summary { (continent_name(continent)) }
                    div.ticks data-places-group=(continent) { (in_group(continent)) }
                }
            }
            (notes.messages())
            script src=(asset::url("territory.js")) defer {}
        }
    }
}

/// The chosen values, with the countries of a region in place of one that is not among the choices.
fn chosen_values<'a>(choices: &[Choice], name: &'a str, entered: &'a FormData) -> HashSet<&'a str> {
    let mut values = HashSet::new();
    for value in entered.all(name) {
        let missing = !choices.iter().any(|it| it.value == value);
        match value.strip_prefix(REGION).and_then(Region::find).filter(|_| missing) {
            Some(region) => values.extend(region.countries().iter().map(Territory::as_str)),
            None => {
                values.insert(value);
            }
        }
    }
    values
}

/// The codes of what is chosen.
fn codes_of<'a>(chosen: &[&'a Choice]) -> HashSet<&'a str> {
    let chosen = chosen.iter().copied();
    chosen.flat_map(|it| it.codes.as_deref().unwrap_or(it.value.as_str()).split(' ')).collect()
}

/// A small map of the chosen countries, and their number.
fn map(codes: &HashSet<&str>) -> Markup {
    let world = codes.contains(WORLD);
    let is_chosen = |code: &str| world || codes.contains(code);
    let count = country_names().filter(|(code, _)| is_chosen(code)).count();
    html! {
        svg.places-map viewBox="0 0 29 21" aria-hidden="true" data-atlas=(ROWS.join("/")) {
            path.land d=(squares(|_| true)) {}
            path.taken d=(squares(is_chosen)) {}
            path.grid d=(GRID.as_str()) {}
        }
        (counter(count, world))
    }
}

/// The number of chosen countries, with the words by which the script changes it.
fn counter(count: usize, world: bool) -> Markup {
    let none = text!("territory-none");
    html! {
        p.quiet.places-count role="status" data-none=(none)
            data-one=(text!("territory-count", count = 1))
            data-many=(text!("territory-count", count = "{count}")) {
            @match count {
                0 => (none),
                _ if world => (text!("territory-world")),
                count => (text!("territory-count", count = count)),
            }
        }
    }
}

/// The lines between the squares of the map.
static GRID: LazyLock<String> = LazyLock::new(|| {
    let mut lines = String::new();
    for column in 1..29 {
        let _ = write!(lines, "M{column} 0v21");
    }
    for row in 1..21 {
        let _ = write!(lines, "M0 {row}h29");
    }
    lines
});

/// The squares of these countries as a path. Neighbors in a row are one rectangle.
fn squares(wanted: impl Fn(&str) -> bool) -> String {
    let mut path = String::new();
    for (row, line) in ROWS.iter().enumerate() {
        let mut length = 0;
        // One more cell ends the last rectangle.
        for (column, code) in line.split(' ').chain([".."]).enumerate() {
            if code != ".." && wanted(code) {
                length += 1;
            } else if length > 0 {
                let _ = write!(path, "M{} {row}h{length}v1h-{length}z", column - length);
                length = 0;
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use grantor_messages::Language;

    use super::*;

    fn drawn(codes: &[&str], entered: &FormData) -> String {
        let within = Territories::parse(codes).unwrap();
        territory_choices(Mark::Optional, "t", "T", None, &within, entered).into_string()
    }

    #[test]
    fn only_territories_of_the_license_can_be_chosen() {
        let two = drawn(&["DE", "FR"], &FormData::default());
        assert!(two.contains("Germany") && two.contains("France") && !two.contains("Japan"));
        assert!(!two.contains("Worldwide") && !two.contains("European Union"));
        assert!(!two.contains("Europe<"), "a short list has no continents");
        for all in [drawn(&[], &FormData::default()), drawn(&["WORLD"], &FormData::default())] {
            for name in ["Worldwide", "Japan", "European Union", "Africa"] {
                assert!(all.contains(name), "{name}");
            }
        }
        assert!(drawn(&["DE", "AT", "CH"], &FormData::default()).contains("DACH"));
        // Of a region that goes beyond the license, its countries are left.
        let beyond = drawn(&["DE", "FR"], &FormData::default().with("t", "region:dach"));
        assert!(beyond.contains("value=\"DE\" checked") && beyond.contains(">1 country<"));
    }

    #[test]
    fn chosen_ones_come_first_and_once() {
        let entered = FormData::default().with_all("t", ["region:dach", "JP", "XX"]);
        let all = drawn(&[], &entered);
        let (chosen, others) = all.split_once("data-places-find").unwrap();
        assert!(chosen.contains("value=\"region:dach\" checked"), "{chosen}");
        assert!(chosen.contains("data-home=\"Asia\"") && chosen.contains("value=\"JP\" checked"));
        assert!(!others.contains("value=\"JP\"") && !others.contains("checked"));
        assert!(all.contains(">4 countries<"), "{chosen}");
        assert_eq!(chosen_territories(&entered, "t"), ["AT", "CH", "DE", "JP", "XX"]);
        let twice = FormData::default().with_all("t", ["DE", "region:dach", "region:moon"]);
        assert_eq!(chosen_territories(&twice, "t"), ["DE", "AT", "CH", "region:moon"]);
    }

    #[test]
    fn a_stored_choice_is_shown_by_region() {
        let territories = Territories::parse(&["JP", "DE", "CH", "AT"]).unwrap();
        assert_eq!(territory_values(territories.as_slice()), ["JP", "region:dach"]);
        assert_eq!(region_names(territories.as_slice()).as_deref(), Some("Japan, DACH"));
        assert_eq!((region_names(&[]), territory_names(&[])), (None, None));
    }

    #[test]
    fn the_map_has_one_square_for_each_country() {
        let drawn = squares(|_| true);
        let count = drawn.split('M').skip(1).map(|it| {
            let width = it.split_once('h').unwrap().1.split_once('v').unwrap().0;
            width.parse::<usize>().unwrap()
        });
        assert_eq!(count.sum::<usize>(), country_names().count());
        assert_eq!(squares(|it| it == "GL"), "M6 0h1v1h-1z");
        assert!(map(&HashSet::from(["WORLD"])).into_string().contains(">Worldwide<"));
        assert!(map(&HashSet::new()).into_string().contains(">None chosen<"));
    }

    #[test]
    fn every_territory_has_a_text() {
        for (code, english) in country_names() {
            assert_eq!(named("country", &code.to_ascii_lowercase()), Some(english), "{code}");
        }
        for region in Region::ALL {
            assert_eq!(named("region", region.key), Some(region.name));
        }
        for (continent, _) in CONTINENTS {
            assert_eq!(named("continent", &continent.to_ascii_lowercase()), Some(continent));
        }
        assert_eq!(country_options(), country_names().collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn countries_are_sorted_by_their_names_in_the_language_of_the_page() {
        let german = Language::find("de").unwrap();
        let names = german.scope(async { country_options() }).await;
        let names: Vec<_> = names.into_iter().take(3).collect();
        assert_eq!(names, [("AF", "Afghanistan"), ("EG", "Ägypten"), ("AX", "Ålandinseln")]);
    }
}
