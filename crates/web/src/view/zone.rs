//! The field to choose a time zone by its city.

use grantor_domain::notice::Zone;
use maud::{Markup, html};

use super::annotations::Annotations;
use crate::frame::FormData;

/// A region with its time zones: the name of each, and its city.
type Region = (&'static str, Vec<(&'static str, String)>);

/// A select of all time zones by region. The script adds a search field.
pub(crate) fn time_zone(name: &str, label: &str, hint: Option<&str>, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, hint, entered);
    let chosen = entered.raw(name);
    notes.wrap(
        false,
        html! {
            input type="search" data-narrows=(name) aria-label="Search time zones"
                placeholder="Search by city" autocomplete="off" hidden;
            select id=(name) name=(name) autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()] {
                @for (region, zones) in regions() {
                    optgroup label=(region) {
                        @for (zone, city) in zones {
                            option value=(zone) selected[zone == chosen] { (city) }
                        }
                    }
                }
            }
        },
    )
}

/// The regions in the order of their names.
fn regions() -> Vec<Region> {
    let mut regions: Vec<Region> = vec![];
    for zone in Zone::names() {
        let (region, city) = zone.split_once('/').unwrap_or((zone, zone));
        let city = city.replace('_', " ").replace('/', ", ");
        match regions.last_mut() {
            Some((last, zones)) if *last == region => zones.push((zone, city)),
            _ => regions.push((region, vec![(zone, city)])),
        }
    }
    regions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_zone_is_in_its_region_once() {
        let regions = regions();
        let names: Vec<_> = regions.iter().map(|(name, _)| *name).collect();
        let mut sorted = names.clone();
        sorted.dedup();
        assert_eq!(names, sorted);
        let count: usize = regions.iter().map(|(_, zones)| zones.len()).sum();
        assert_eq!(count, Zone::names().count());
        let entered = FormData::default().with("timeZone", "Europe/Berlin");
        let drawn = time_zone("timeZone", "Time zone", None, &entered).into_string();
        assert!(drawn.contains("<option value=\"Europe/Berlin\" selected>Berlin</option>"));
        assert!(drawn.contains("Argentina, Buenos Aires"), "{drawn}");
    }
}
