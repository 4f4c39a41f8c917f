//! The exact terms of an offer, which the grant keeps.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::coverage::{Coverage, CoverageInput};
use crate::error::Fields;
use crate::license::LicenseFee;
use crate::text::{TextRule, parse_distinct};

/// The terms of an offer or a grant. Its JSON is the form that APIs show.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrantTerms {
    /// What is covered.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// The fee.
    pub fee: Option<LicenseFee>,
    /// Whether nobody else may get an overlapping grant for the talent.
    pub exclusive: bool,
    /// Where the likeness may appear, sorted; empty if not limited.
    pub channels: Vec<String>,
    /// Further conditions; may be empty, which is null in JSON, as in the hash of the terms.
    #[serde(serialize_with = "text_or_null", deserialize_with = "read_text_or_null")]
    pub conditions: String,
    /// How the talent is credited.
    pub credit_line: Option<String>,
}

/// The members of [`GrantTerms`] as a caller writes them.
#[derive(Clone, Debug, Default)]
pub struct TermsInput<'a> {
    /// What is covered.
    pub coverage: CoverageInput<'a>,
    /// The fee, already parsed.
    pub fee: Option<LicenseFee>,
    /// Whether the grant is exclusive.
    pub exclusive: bool,
    /// Where the likeness may appear.
    pub channels: &'a [String],
    /// Further conditions.
    pub conditions: &'a str,
    /// How the talent is credited.
    pub credit_line: Option<&'a str>,
}

impl GrantTerms {
    /// The rule for one channel.
    pub const CHANNEL: TextRule = TextRule::line(1, 100);
    /// The maximum number of channels.
    pub const MAX_CHANNELS: usize = 10;
    /// The rule for conditions.
    pub const CONDITIONS: TextRule = TextRule::lines(5_000);
    /// The rule for the credit line.
    pub const CREDIT_LINE: TextRule = TextRule::line(1, 200);

    /// Whether two grants with these terms over one talent cannot both exist.
    #[must_use]
    pub fn exclude(&self, other: &Self) -> bool {
        (self.exclusive || other.exclusive) && self.coverage.overlaps(&other.coverage)
    }

    /// Parses the members and adds an error for each invalid one, under its name after `prefix`.
    pub fn parse(input: &TermsInput<'_>, prefix: &str, fields: &mut Fields) -> Option<Self> {
        let at = |name: &str| format!("{prefix}{name}");
        let coverage = Coverage::parse(&input.coverage, prefix, fields);
        let channels = fields.take(&at("channels"), parse_channels(input.channels));
        let conditions = fields.take(&at("conditions"), Self::CONDITIONS.parse(input.conditions));
        let credit_line = input.credit_line.map(|it| Self::CREDIT_LINE.parse(it)).transpose();
        let credit_line = fields.take(&at("credit_line"), credit_line);
        Some(Self {
            coverage: coverage?,
            fee: input.fee,
            exclusive: input.exclusive,
            channels: channels?,
            conditions: conditions?,
            credit_line: credit_line?,
        })
    }
}

fn text_or_null<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|it| !it.is_empty()).serialize(serializer)
}

fn read_text_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.unwrap_or_default())
}

/// Parses channels: distinct and sorted, so that equal terms have equal hashes.
pub fn parse_channels(channels: &[String]) -> Result<Vec<String>, String> {
    let (max, rule) = (GrantTerms::MAX_CHANNELS, GrantTerms::CHANNEL);
    let mut channels = parse_distinct(channels, max, rule)?;
    channels.sort();
    Ok(channels)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn list(items: &[&str]) -> Vec<String> {
        items.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn terms_are_sorted_and_shown_whole() {
        let (uses, territories) = (list(&["voice", "advertising"]), list(&["US", "DE"]));
        let channels = list(&["TV", "Instagram", "tv"]);
        let input = TermsInput {
            coverage: CoverageInput {
                uses: &uses,
                territories: &territories,
                starts_at: Some("2027-01-01T01:00:00+01:00"),
                ends_at: None,
            },
            channels: &channels,
            conditions: " No alcohol. ",
            ..TermsInput::default()
        };
        let mut fields = Fields::default();
        let terms = GrantTerms::parse(&input, "", &mut fields).unwrap();
        let expected = json!({
            "uses": ["advertising", "voice"], "territories": ["DE", "US"],
            "starts_at": "2027-01-01T00:00:00.000000Z", "ends_at": null, "fee": null, "exclusive": false,
            "channels": ["Instagram", "TV"], "conditions": "No alcohol.", "credit_line": null,
        });
        assert_eq!(serde_json::to_value(&terms).unwrap(), expected);
        let bare = GrantTerms { conditions: String::new(), ..terms };
        let mut shown = serde_json::to_value(&bare).unwrap();
        assert_eq!(shown["conditions"], json!(null), "as in the hash");
        for stored in [json!(null), json!("")] {
            shown["conditions"] = stored;
            assert_eq!(serde_json::from_value::<GrantTerms>(shown.clone()).unwrap(), bare);
        }
    }

    #[test]
    fn long_texts_are_refused_by_name() {
        let (long, many) = ("x".repeat(5_001), vec!["x".to_owned(); 11]);
        let input = TermsInput {
            conditions: &long,
            channels: &many,
            credit_line: Some(" "),
            ..TermsInput::default()
        };
        let mut fields = Fields::default();
        assert_eq!(GrantTerms::parse(&input, "terms.", &mut fields), None);
        let error = fields.finish().unwrap_err();
        let named: Vec<_> = error.fields().keys().map(String::as_str).collect();
        assert_eq!(
            named,
            [
                "terms.channels",
                "terms.conditions",
                "terms.credit_line",
                "terms.starts_at",
                "terms.territories",
                "terms.uses",
            ]
        );
    }
}
