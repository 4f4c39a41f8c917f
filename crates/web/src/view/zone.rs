//! The field to choose a time zone by its city.

use grantor_domain::notice::Zone;
use grantor_domain::search::plain_words;
use grantor_messages::{named, text};
use maud::{Markup, html};

use super::annotations::Annotations;
use crate::frame::FormData;

/// A region with its time zones: the name of each, and its city.
type Region = (&'static str, Vec<(&'static str, String)>);

/// A select of time zones by region. The script adds a search field.
pub(crate) fn time_zone(name: &str, label: &str, hint: Option<&str>, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    let chosen = entered.raw(name);
    notes.wrap(
        false,
        html! {
            input type="search" data-narrows=(name) aria-label=(text!("view-zone-search"))
                placeholder=(text!("view-zone-example")) autocomplete="off" hidden;
            select id=(name) name=(name) autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()] {
                @for (region, zones) in regions(chosen) {
                    optgroup label=(region_name(region)) {
                        @for (zone, city) in zones {
                            option value=(zone) selected[zone == chosen] { (city) }
                        }
                    }
                }
            }
        },
    )
}

fn region_name(region: &'static str) -> &'static str {
    named("view-zone-region", &region.to_ascii_lowercase()).unwrap_or(region)
}

/// The city of a time zone. Most are called the same everywhere.
fn city_name(zone: &str, city: &str) -> String {
    let known = named("view-zone-city", &zone.to_ascii_lowercase());
    known.map_or_else(|| city.replace('_', " ").replace('/', ", "), str::to_owned)
}

/// The regions with their cities, sorted by name. Old names are left out, unless one is chosen.
fn regions(chosen: &str) -> Vec<Region> {
    let mut regions: Vec<Region> = vec![];
    for zone in Zone::choices(chosen) {
        let (region, city) = zone.split_once('/').unwrap_or((zone, zone));
        let city = city_name(zone, city);
        match regions.last_mut() {
            Some((last, zones)) if *last == region => zones.push((zone, city)),
            _ => regions.push((region, vec![(zone, city)])),
        }
    }
    for (_, zones) in &mut regions {
        zones.sort_by_cached_key(|(_, city)| plain_words(city));
    }
    regions
}

#[cfg(test)]
mod tests {
    use grantor_messages::Language;

    use super::*;

    #[test]
    fn every_zone_is_in_its_region_once() {
        let regions = regions("");
        let names: Vec<_> = regions.iter().map(|(name, _)| *name).collect();
        let mut sorted = names.clone();
        sorted.dedup();
        assert_eq!(names, sorted);
        let count: usize = regions.iter().map(|(_, zones)| zones.len()).sum();
        assert_eq!(count, Zone::choices("").count());
        let entered = FormData::default().with("timeZone", "Europe/Berlin");
        let drawn = time_zone("timeZone", "Time zone", None, &entered).into_string();
        assert!(drawn.contains("<option value=\"Europe/Berlin\" selected>Berlin</option>"));
        assert!(drawn.contains("Argentina, Buenos Aires"), "{drawn}");
        assert!(!drawn.contains("Asia/Calcutta"), "{drawn}");
        let entered = FormData::default().with("timeZone", "Asia/Calcutta");
        let drawn = time_zone("timeZone", "Time zone", None, &entered).into_string();
        assert!(drawn.contains("<option value=\"Asia/Calcutta\" selected>Calcutta</option>"));
    }

    #[tokio::test]
    async fn cities_are_in_the_language_of_the_page() {
        let english = regions("");
        let german = Language::find("de").unwrap().scope(async { regions("") }).await;
        let city = |regions: &[Region], zone| {
            let mut all = regions.iter().flat_map(|(_, zones)| zones);
            all.find(|(it, _)| *it == zone).map(|(_, city)| city.clone()).unwrap()
        };
        for (zone, one, other) in [
            ("Europe/Vienna", "Vienna", "Wien"),
            ("Europe/Berlin", "Berlin", "Berlin"),
            ("UTC", "UTC", "UTC"),
        ] {
            assert_eq!((city(&english, zone), city(&german, zone)), (one.into(), other.into()));
        }
    }
}
