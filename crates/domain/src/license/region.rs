//! Groups of countries that people name together, such as the European Union. Licenses store their
//! countries; the regions are only for choosing and showing them.

use std::sync::LazyLock;

use super::Territory;

/// A group of countries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The key in forms.
    pub key: &'static str,
    /// The name that people read.
    pub name: &'static str,
    codes: &'static str,
}

impl Region {
    /// All regions, in the order in which forms list them.
    pub const ALL: [Self; 12] = [
        Self {
            key: "eu",
            name: "European Union",
            codes: "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK",
        },
        Self {
            key: "eea",
            name: "European Economic Area",
            codes: "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO \
                    SE SI SK",
        },
        Self { key: "dach", name: "DACH", codes: "AT CH DE" },
        Self { key: "nordics", name: "Nordics", codes: "DK FI IS NO SE" },
        Self { key: "benelux", name: "Benelux", codes: "BE LU NL" },
        Self { key: "baltics", name: "Baltics", codes: "EE LT LV" },
        Self { key: "uk-ireland", name: "UK and Ireland", codes: "GB IE" },
        Self { key: "us-canada", name: "US and Canada", codes: "CA US" },
        Self {
            key: "latin-america",
            name: "Latin America",
            codes: "AR BO BR CL CO CR CU DO EC GT HN MX NI PA PE PY SV UY VE",
        },
        Self { key: "gulf", name: "Gulf states", codes: "AE BH KW OM QA SA" },
        Self { key: "asean", name: "Southeast Asia", codes: "BN ID KH LA MM MY PH SG TH TL VN" },
        Self { key: "anz", name: "Australia and New Zealand", codes: "AU NZ" },
    ];

    /// Returns the region with this key.
    #[must_use]
    pub fn find(key: &str) -> Option<&'static Self> {
        REGIONS.iter().map(|(region, _)| region).find(|it| it.key == key)
    }

    /// The countries, by code.
    #[must_use]
    pub fn countries(&self) -> &'static [Territory] {
        let found = REGIONS.iter().find(|(region, _)| region == self);
        found.map_or(&[][..], |(_, countries)| countries.as_slice())
    }
}

/// The regions with their countries, parsed once.
static REGIONS: LazyLock<Vec<(Region, Vec<Territory>)>> = LazyLock::new(|| {
    let countries = |region: &Region| {
        let codes = region.codes.split_whitespace();
        codes.filter_map(|it| Territory::parse(it).ok()).collect::<Vec<_>>()
    };
    Region::ALL.iter().map(|it| (*it, countries(it))).collect()
});

/// A part of a choice of territories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// All countries of a region.
    Region(&'static Region),
    /// A country, or the world.
    Territory(Territory),
}

impl Place {
    /// The name that people read.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Region(region) => region.name,
            Self::Territory(territory) => territory.label(),
        }
    }
}

/// Describes territories with as few names as possible: regions that are chosen as a whole, and the
/// other territories, in the order in which they were chosen. No country is in two of the regions.
#[must_use]
pub fn places(territories: &[Territory]) -> Vec<Place> {
    let regions = whole_regions(territories);
    let mut places = Vec::new();
    for territory in territories {
        let region = regions.iter().copied().find(|it| it.countries().contains(territory));
        let place = region.map_or(Place::Territory(*territory), Place::Region);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// The largest regions that are chosen as a whole and have no country in common.
fn whole_regions(territories: &[Territory]) -> Vec<&'static Region> {
    let chosen = |(_, countries): &&(Region, Vec<Territory>)| {
        countries.len() <= territories.len() && countries.iter().all(|it| territories.contains(it))
    };
    let mut whole: Vec<_> = REGIONS.iter().filter(chosen).collect();
    whole.sort_by_key(|(_, countries)| std::cmp::Reverse(countries.len()));
    let mut kept: Vec<&'static (Region, Vec<Territory>)> = Vec::new();
    for region in whole {
        let free = |it: &Territory| kept.iter().all(|(_, known)| !known.contains(it));
        if region.1.iter().all(free) {
            kept.push(region);
        }
    }
    kept.into_iter().map(|(region, _)| region).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn territories(codes: &str) -> Vec<Territory> {
        codes.split_whitespace().map(|it| Territory::parse(it).unwrap()).collect()
    }

    fn named(codes: &str) -> Vec<&'static str> {
        places(&territories(codes)).into_iter().map(Place::label).collect()
    }

    #[test]
    fn every_region_has_known_countries_once() {
        for region in &Region::ALL {
            let codes: Vec<_> = region.codes.split_whitespace().collect();
            assert!(codes.is_sorted_by(|one, next| one < next), "{}", region.name);
            assert_eq!(region.countries(), territories(region.codes), "{}", region.name);
            assert_eq!(Region::find(region.key), Some(region));
        }
        let sizes = ["eu", "eea", "dach"].map(|it| Region::find(it).unwrap().countries().len());
        assert_eq!(sizes, [27, 30, 3]);
        assert_eq!(Region::find("moon"), None);
    }

    #[test]
    fn whole_regions_are_named_instead_of_their_countries() {
        let eu = Region::find("eu").unwrap().codes;
        assert_eq!(named("JP DE CH AT"), ["Japan", "DACH"]);
        assert_eq!(named(eu), ["European Union"]);
        assert_eq!(named(&format!("{eu} CH")), ["European Union", "Switzerland"]);
        assert_eq!(
            named(&format!("NO {eu} IS LI US")),
            ["European Economic Area", "United States"]
        );
        assert_eq!(named("DE US"), ["Germany", "United States"]);
        assert_eq!(named("WORLD"), ["Worldwide"]);
        assert_eq!(named(""), [""; 0]);
    }
}
