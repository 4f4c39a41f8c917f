//! Territories of a license: ISO 3166-1 countries, or the world.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::text::texts;

texts!(Territory);

/// The code for worldwide.
const WORLD: &str = "WORLD";

/// More entries than codes can only be duplicates.
const MAX_GIVEN: usize = 250;

/// A country, or the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Territory(Code);

/// A slice of the table. Without this alias serde would try to borrow it from its input.
type Code = &'static str;

impl Territory {
    /// Parses `WORLD` or an uppercase ISO 3166-1 alpha-2 code.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let found = if text == WORLD { Some(WORLD) } else { country(text) };
        found.map(Self).ok_or("must contain only ISO 3166-1 alpha-2 codes such as US, or WORLD")
    }
}

impl Territory {
    /// The whole world.
    pub const WORLD: Self = Self(WORLD);

    /// Whether it is the whole world.
    #[must_use]
    pub fn is_world(self) -> bool {
        self.0 == WORLD
    }

    /// All territory codes.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        std::iter::once(WORLD).chain(countries())
    }
}

/// All ISO 3166-1 alpha-2 country codes, sorted.
pub fn countries() -> impl Iterator<Item = &'static str> {
    SORTED.iter().copied()
}

/// The country with a code. Decisions parse a lot of them.
fn country(code: &str) -> Option<&'static str> {
    SORTED.binary_search(&code).ok().map(|at| SORTED[at])
}

/// Whether the text is an uppercase ISO 3166-1 alpha-2 country code.
pub(crate) fn is_country(code: &str) -> bool {
    country(code).is_some()
}

/// The territories of a license in the owner's order, without duplicates. Empty means not
/// specified, which is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Territories(Vec<Territory>);

impl Territories {
    /// The maximum number of codes in a request.
    pub const MAX: usize = MAX_GIVEN;

    /// Parses up to 250 codes; duplicates are merged.
    pub fn parse<T: AsRef<str>>(codes: &[T]) -> Result<Self, &'static str> {
        if codes.len() > MAX_GIVEN {
            return Err("must contain at most 250 codes");
        }
        let mut kept = Vec::new();
        for code in codes {
            let code = Territory::parse(code.as_ref())?;
            if !kept.contains(&code) {
                kept.push(code);
            }
        }
        Ok(Self(kept))
    }

    /// The territories sorted by code.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.0.sort_by_key(|it| it.0);
        self
    }

    /// Whether a territory is included. An empty list and the world include every territory.
    #[must_use]
    pub fn allow(&self, territory: Territory) -> bool {
        self.0.is_empty() || self.0.iter().any(|it| it.is_world() || *it == territory)
    }

    /// The territories.
    #[must_use]
    pub fn as_slice(&self) -> &[Territory] {
        &self.0
    }
}

static SORTED: LazyLock<Vec<&str>> = LazyLock::new(|| COUNTRIES.split(' ').collect());

/// The officially assigned ISO 3166-1 codes, sorted.
const COUNTRIES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR \
    BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ \
    EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW \
    GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY \
    KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV \
    MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY \
    QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG \
    TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM \
    ZW";

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_country_is_known() {
        let codes: Vec<_> = COUNTRIES.split(' ').collect();
        assert!(codes.is_sorted_by(|one, next| one < next), "each stands once");
        assert_eq!(codes.len(), MAX_GIVEN - 1);
        assert!(codes.iter().all(|it| Territory::parse(it).unwrap().as_str() == *it));
        for bad in ["us", "USA", "UK", "XX", "world", "EU", "", "US GB"] {
            let error = "must contain only ISO 3166-1 alpha-2 codes such as US, or WORLD";
            assert_eq!(Territory::parse(bad), Err(error), "{bad}");
        }
    }

    #[test]
    fn each_place_stands_once() {
        let form = |codes: &[&str]| Territories::parse(codes).map(|it| json!(it));
        assert_eq!(form(&[]), Ok(json!([])));
        assert_eq!(form(&["US", "WORLD", "US", "DE"]), Ok(json!(["US", "WORLD", "DE"])));
        assert_eq!(form(&["US"; 250]), Ok(json!(["US"])));
        assert_eq!(form(&["US"; 251]), Err("must contain at most 250 codes"));
        assert!(form(&["US", "ZZ"]).is_err());
    }
}
