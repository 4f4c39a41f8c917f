//! What a grant covers: uses, territories and a period.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::error::Fields;
use crate::license::{License, LicenseType, Territories, Territory, Uses};

/// The uses, territories and period of a grant, or of a request for one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// The uses, sorted; never empty.
    pub uses: Uses,
    /// The territories, sorted; never empty.
    pub territories: Territories,
    /// When it starts.
    pub starts_at: Timestamp,
    /// When it ends (exclusive); `None` if it is open-ended.
    pub ends_at: Option<Timestamp>,
}

/// The members of a [`Coverage`] as a caller writes them.
#[derive(Clone, Debug, Default)]
pub struct CoverageInput<'a> {
    /// Keys of uses.
    pub uses: &'a [String],
    /// Codes of territories.
    pub territories: &'a [String],
    /// A time.
    pub starts_at: Option<&'a str>,
    /// A time.
    pub ends_at: Option<&'a str>,
}

/// The parts of a coverage that a license does not include.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Beyond {
    /// Uses that the license does not allow.
    pub uses: Vec<LicenseType>,
    /// Territories that the license does not include.
    pub territories: Vec<Territory>,
    /// The dates outside the license: `starts_at`, `ends_at` or both.
    pub dates: Vec<&'static str>,
}

impl Beyond {
    /// Whether the license includes everything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.uses.is_empty() && self.territories.is_empty() && self.dates.is_empty()
    }

    /// The names of the members that are wider than the license.
    #[must_use]
    pub fn members(&self) -> Vec<&'static str> {
        let lists = [("uses", self.uses.is_empty()), ("territories", self.territories.is_empty())];
        let wide = lists.into_iter().filter(|(_, fits)| !fits).map(|(name, _)| name);
        wide.chain(self.dates.iter().copied()).collect()
    }
}

impl Coverage {
    /// Parses the members and adds an error for each invalid one, under its name after `prefix`.
    pub fn parse(input: &CoverageInput<'_>, prefix: &str, fields: &mut Fields) -> Option<Self> {
        let at = |name: &str| format!("{prefix}{name}");
        let uses = fields.take(&at("uses"), given(input.uses).and_then(Uses::parse));
        let territories = given(input.territories)
            .and_then(|codes| Territories::parse(codes).map_err(str::to_owned));
        let territories = fields.take(&at("territories"), territories);
        let starts_at = fields.require(&at("starts_at"), input.starts_at, whole_second);
        let ends_at = input.ends_at.map(whole_second).transpose();
        let ends_at = fields.take(&at("ends_at"), ends_at)?;
        let starts_at = starts_at?;
        if ends_at.is_some_and(|end| end <= starts_at) {
            fields.add(at("ends_at"), "must be after starts_at");
            return None;
        }
        let (uses, territories) = (uses?.sorted(), territories?.sorted());
        Some(Self { uses, territories, starts_at, ends_at })
    }

    /// The parts that a license does not include. An empty list of the license bounds nothing.
    #[must_use]
    pub fn beyond(&self, license: &License) -> Beyond {
        let uses = self.uses.as_slice().iter().copied();
        let territories = self.territories.as_slice().iter().copied();
        let early = license.valid_from.is_some_and(|from| self.starts_at < from);
        let late = license.expires_at.is_some_and(|end| self.ends_at.is_none_or(|it| it > end));
        let dates = [("starts_at", early), ("ends_at", late)];
        Beyond {
            uses: uses.filter(|it| !license.uses.allow(*it)).collect(),
            territories: territories.filter(|it| !license.territories.allow(*it)).collect(),
            dates: dates.into_iter().filter(|(_, wide)| *wide).map(|(name, _)| name).collect(),
        }
    }

    /// Whether two coverages share a use, a territory and a moment.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        let before = |one: &Self, two: &Self| one.ends_at.is_some_and(|end| end <= two.starts_at);
        let uses = other.uses.as_slice();
        let territories = other.territories.as_slice();
        self.uses.as_slice().iter().any(|it| uses.contains(it))
            && self.territories.as_slice().iter().any(|it| {
                territories.iter().any(|other| it == other || it.is_world() || other.is_world())
            })
            && !before(self, other)
            && !before(other, self)
    }

    /// Whether a moment is within the period.
    #[must_use]
    pub fn includes(&self, at: Timestamp) -> bool {
        self.starts_at <= at && self.ends_at.is_none_or(|end| at < end)
    }
}

/// A list that must not be empty.
fn given(list: &[String]) -> Result<&[String], String> {
    if list.is_empty() { Err("must contain at least one item".to_owned()) } else { Ok(list) }
}

/// Parses a time without a fraction of a second: receipts and hashes contain whole seconds.
pub(super) fn whole_second(text: &str) -> Result<Timestamp, String> {
    let time = Timestamp::parse(text).map_err(|error| error.to_string())?;
    if Timestamp::from_secs(time.as_secs()) == time {
        return Ok(time);
    }
    Err("must be a whole second".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::license::{FieldNames, NewLicense};

    const DAY: i64 = 86_400;
    const FIRST: i64 = 1_800_000_000;

    fn day(number: i64) -> Timestamp {
        Timestamp::from_secs(FIRST + number * DAY)
    }

    fn coverage(uses: &[&str], territories: &[&str], days: (i64, Option<i64>)) -> Coverage {
        Coverage {
            uses: Uses::parse(uses).unwrap().sorted(),
            territories: Territories::parse(territories).unwrap().sorted(),
            starts_at: day(days.0),
            ends_at: days.1.map(day),
        }
    }

    fn license(body: &serde_json::Value) -> License {
        let mut members = json!({ "title": "T", "license_type": "voice" });
        members.as_object_mut().unwrap().extend(body.as_object().cloned().unwrap());
        let members = members.as_object().unwrap();
        let new = NewLicense::parse(members, FieldNames::EXTERNAL, day(0)).unwrap();
        let id = uuid::Uuid::nil();
        new.into_license(id.into(), id.into(), id.into(), day(0))
    }

    #[test]
    fn every_invalid_member_is_named() {
        let parse = |input: &CoverageInput<'_>| {
            let mut fields = Fields::default();
            let parsed = Coverage::parse(input, "terms.", &mut fields);
            (parsed, fields.finish().map_err(|it| it.fields().clone()))
        };
        let (parsed, errors) = parse(&CoverageInput::default());
        let errors = errors.unwrap_err();
        assert_eq!(parsed, None);
        assert_eq!(errors["terms.uses"], "must contain at least one item");
        assert_eq!(errors["terms.territories"], "must contain at least one item");
        assert_eq!(errors["terms.starts_at"], "is required");
        let list = |item: &str| vec![item.to_owned()];
        let (uses, territories) = (list("voice"), list("US"));
        let input = |starts_at, ends_at| CoverageInput {
            uses: &uses,
            territories: &territories,
            starts_at: Some(starts_at),
            ends_at,
        };
        let (parsed, _) = parse(&input("2027-01-15T08:00:00Z", Some("2027-01-16T08:00:00.000Z")));
        assert_eq!(parsed, Some(coverage(&["voice"], &["US"], (0, Some(1)))));
        for (ends_at, error) in [
            ("2027-01-15T08:00:00Z", "must be after starts_at"),
            ("2027-01-16T08:00:00.5Z", "must be a whole second"),
        ] {
            let (_, errors) = parse(&input("2027-01-15T08:00:00Z", Some(ends_at)));
            assert_eq!(errors.unwrap_err()["terms.ends_at"], error);
        }
    }

    #[test]
    fn a_coverage_is_never_wider_than_the_license() {
        let bounded = license(&json!({
            "uses": ["voice", "advertising"], "territories": ["US", "DE"],
            "valid_from": day(0).to_string(), "expires_at": day(10).to_string(),
        }));
        let members = |uses: &[&str], territories: &[&str], days| {
            coverage(uses, territories, days).beyond(&bounded).members()
        };
        assert!(members(&["voice"], &["US", "DE"], (0, Some(10))).is_empty());
        assert_eq!(members(&["merchandise"], &["US"], (0, Some(10))), ["uses"]);
        assert_eq!(members(&["voice"], &["WORLD"], (0, Some(10))), ["territories"]);
        assert_eq!(members(&["voice"], &["US"], (-1, Some(11))), ["starts_at", "ends_at"]);
        assert_eq!(members(&["voice"], &["US"], (0, None)), ["ends_at"]);
        let open = license(&json!({}));
        assert!(coverage(&["merchandise"], &["WORLD"], (-9, None)).beyond(&open).is_empty());
        let world = license(&json!({ "territories": ["WORLD"] }));
        assert!(coverage(&["voice"], &["FR", "WORLD"], (0, None)).beyond(&world).is_empty());
    }

    #[test]
    fn coverages_overlap_in_use_territory_and_time() {
        let one = coverage(&["voice"], &["US", "DE"], (0, Some(10)));
        for (other, expected) in [
            (coverage(&["voice"], &["DE"], (9, None)), true),
            (coverage(&["voice"], &["WORLD"], (-5, Some(1))), true),
            (coverage(&["voice"], &["DE"], (10, None)), false),
            (coverage(&["voice"], &["DE"], (-5, Some(0))), false),
            (coverage(&["voice"], &["FR"], (0, None)), false),
            (coverage(&["merchandise"], &["US"], (0, None)), false),
        ] {
            assert_eq!((one.overlaps(&other), other.overlaps(&one)), (expected, expected));
        }
    }

    proptest! {
        /// Two coverages overlap if and only if one use, territory and day is in both.
        #[test]
        fn an_overlap_is_a_shared_point(
            starts in prop::array::uniform2(0_i64..6),
            lengths in prop::array::uniform2(prop::option::of(1_i64..4)),
            uses in prop::array::uniform2(1_usize..8),
            places in prop::array::uniform2(1_usize..8),
        ) {
            let pick = |mask: usize, of: [&'static str; 3]| -> Vec<&'static str> {
                (0..3).filter(|it| mask & (1 << it) != 0).map(|it| of[it]).collect()
            };
            let [one, two] = [0, 1].map(|it| coverage(
                &pick(uses[it], ["voice", "advertising", "merchandise"]),
                &pick(places[it], ["US", "DE", "WORLD"]),
                (starts[it], lengths[it].map(|length| starts[it] + length)),
            ));
            let shared = Uses::known().any(|usage| {
                crate::license::countries().any(|code| {
                    let place = Territory::parse(code).unwrap();
                    (0..12).any(|it| [&one, &two].iter().all(|coverage| {
                        coverage.uses.allow(usage)
                            && coverage.territories.allow(place)
                            && coverage.includes(day(it))
                    }))
                })
            });
            prop_assert_eq!(one.overlaps(&two), shared);
        }
    }
}
