//! Details about a tenant in four sections of short texts (contract section 5, `/org/information`).
//! All rules are in one table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::email::Email;
use crate::error::{Fields, Result};
use crate::license::is_country;
use crate::organization::{OrganizationDescription, OrganizationName};
use crate::patch::Patch;
use crate::person::Phone;
use crate::text::TextRule;

/// Validates and normalizes the value of a member.
type Rule = fn(&Value) -> Result<Value, String>;

/// Each section with its members and their rules.
const SECTIONS: [(&str, &[(&str, Rule)]); 4] = [
    (BASIC, &[("website", website), ("industry", line::<100>), ("foundedYear", year)]),
    (
        "address",
        &[
            ("street", line::<200>),
            ("city", line::<100>),
            ("region", line::<100>),
            ("postalCode", line::<20>),
            ("country", country),
        ],
    ),
    ("contact", &[("email", email), ("phone", phone), ("person", line::<100>)]),
    ("taxInfo", &[("taxId", line::<50>), ("vatNumber", line::<50>), ("legalName", line::<200>)]),
];
const BASIC: &str = "basicInfo";
/// Part of the first section in the API, but stored with the tenant itself.
const DESCRIPTION: &str = "description";

/// The stored sections. Only members that have a value are present.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Information(BTreeMap<String, BTreeMap<String, Value>>);

impl Information {
    /// Returns a text member.
    #[must_use]
    pub fn text(&self, section: &str, member: &str) -> Option<String> {
        self.find(section, member)?.as_str().map(str::to_owned)
    }

    /// Returns a number member.
    #[must_use]
    pub fn number(&self, section: &str, member: &str) -> Option<u32> {
        self.find(section, member)?.as_u64()?.try_into().ok()
    }

    fn find(&self, section: &str, member: &str) -> Option<&Value> {
        self.0.get(section)?.get(member)
    }

    /// Every member that differs between two states: its dotted name, and its values in this state and
    /// in the other one.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<(String, Option<Value>, Option<Value>)> {
        let names = SECTIONS
            .iter()
            .flat_map(|(section, rules)| rules.iter().map(move |(member, _)| (*section, *member)));
        let values = names.map(|(section, member)| {
            let (old, new) = (self.find(section, member), other.find(section, member));
            (format!("{section}.{member}"), old.cloned(), new.cloned())
        });
        values.filter(|(_, old, new)| old != new).collect()
    }
}

/// A change to a tenant's details. Members that are not given stay unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InformationChange {
    /// The new name.
    pub name: Option<OrganizationName>,
    /// The new description, or none.
    pub description: Patch<OrganizationDescription>,
    /// The dotted names of unknown and read-only members.
    pub ignored: Vec<String>,
    /// Each known member that was given, with its change.
    members: Vec<(&'static str, &'static str, Patch<Value>)>,
}

impl InformationChange {
    /// Parses the members of a request body; the error names every invalid one.
    pub fn parse(members: &Map<String, Value>) -> Result<Self> {
        let mut fields = Fields::default();
        let mut change = Self::default();
        for (name, value) in members {
            if name == "name" {
                let parsed = text(value).and_then(OrganizationName::parse);
                change.name = fields.take("name", parsed);
            } else if let Some((section, rules)) = SECTIONS.iter().find(|(it, _)| it == name) {
                change.read_section(section, rules, value, &mut fields);
            } else {
                change.ignored.push(name.clone());
            }
        }
        fields.finish()?;
        Ok(change)
    }

    /// Applies the change to the current sections.
    #[must_use]
    pub fn over(&self, mut current: Information) -> Information {
        for (section, member, patch) in &self.members {
            let kept = current.0.entry((*section).to_owned()).or_default();
            match patch {
                Patch::Keep => {}
                Patch::Clear => drop(kept.remove(*member)),
                Patch::Set(value) => drop(kept.insert((*member).to_owned(), value.clone())),
            }
        }
        current.0.retain(|_, members| !members.is_empty());
        current
    }

    /// The dotted names of the given members, for the log.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let name = self.name.iter().map(|_| "name".to_owned());
        let description = self.description.is_given().then(|| format!("{BASIC}.{DESCRIPTION}"));
        let members = self.members.iter().map(|(section, name, _)| format!("{section}.{name}"));
        name.chain(description).chain(members).collect()
    }

    fn read_section(
        &mut self,
        section: &'static str,
        rules: &'static [(&str, Rule)],
        value: &Value,
        fields: &mut Fields,
    ) {
        match value {
            Value::Null => {
                let all = rules.iter().map(|(name, _)| (section, *name, Patch::Clear));
                self.members.extend(all);
                if section == BASIC {
                    self.description = Patch::Clear;
                }
            }
            Value::Object(given) => {
                for (name, value) in given {
                    self.read_member(section, rules, name, value, fields);
                }
            }
            _ => fields.add(section, "must be an object"),
        }
    }

    fn read_member(
        &mut self,
        section: &'static str,
        rules: &'static [(&str, Rule)],
        name: &str,
        value: &Value,
        fields: &mut Fields,
    ) {
        let dotted = format!("{section}.{name}");
        if section == BASIC && name == DESCRIPTION {
            let given = if value.is_null() { Patch::Clear } else { Patch::Set(value) };
            self.description = given.parse(|it| {
                let parsed = text(it).and_then(OrganizationDescription::parse);
                fields.take(&dotted, parsed)
            });
        } else if let Some((name, rule)) = rules.iter().find(|(it, _)| *it == name) {
            let given = if value.is_null() { Patch::Clear } else { Patch::Set(value) };
            let patch = given.parse(|it| fields.take(&dotted, rule(it)));
            self.members.push((section, name, patch));
        } else {
            self.ignored.push(dotted);
        }
    }
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "must be a string".to_owned())
}

fn line<const MAX: usize>(value: &Value) -> Result<Value, String> {
    TextRule::line(1, MAX).parse(text(value)?).map(Value::from)
}

fn website(value: &Value) -> Result<Value, String> {
    const WRONG: &str = "must be a URL such as https://example.com with at most 200 characters";
    let given = text(value)?.trim();
    let rest = given.strip_prefix("https://").or_else(|| given.strip_prefix("http://"));
    let host = rest.and_then(|it| it.split(['/', '?', '#']).next()).unwrap_or_default();
    let host_fits = host.contains('.')
        && host.split('.').all(|label| !label.is_empty())
        && !host.contains(['@', '\\', '<', '>', '"']);
    let written = given.chars().all(|it| !it.is_control() && !it.is_whitespace());
    if host_fits && written && given.chars().count() <= 200 {
        TextRule::line(1, 200).parse(given).map(Value::from)
    } else {
        Err(WRONG.to_owned())
    }
}

fn year(value: &Value) -> Result<Value, String> {
    // JSON does not distinguish 1990 from 1990.0.
    let whole = value.as_f64().filter(|it| it.fract() == 0.0).map(|it| format!("{it:.0}"));
    let year = whole.and_then(|it| it.parse::<u64>().ok());
    let fits = year.filter(|it| (1_000..=9_999).contains(it));
    fits.map(Value::from).ok_or_else(|| "must be a year from 1000 to 9999".to_owned())
}

fn country(value: &Value) -> Result<Value, String> {
    let code = text(value)?;
    let known = is_country(code).then(|| Value::from(code));
    known.ok_or_else(|| "must be an ISO 3166-1 alpha-2 code such as US".to_owned())
}

fn email(value: &Value) -> Result<Value, String> {
    Ok(Email::parse(text(value)?)?.as_str().into())
}

fn phone(value: &Value) -> Result<Value, String> {
    let phone = Phone::parse(text(value)?)?;
    let given = Some(phone.as_str()).filter(|it| !it.is_empty());
    given.map(Value::from).ok_or_else(|| "must not be empty; send null to clear it".to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(body: &Value) -> Result<InformationChange> {
        InformationChange::parse(body.as_object().unwrap())
    }

    #[test]
    fn every_wrong_member_is_named_at_once() {
        let line = |max| format!("must be 1 to {max} characters");
        let web = "must be a URL such as https://example.com with at most 200 characters";
        let object = "must be an object".to_owned();
        for (body, field, message) in [
            (json!({ "name": "A" }), "name", "must be 2 to 100 characters".to_owned()),
            (json!({ "name": null }), "name", "must be a string".to_owned()),
            (json!({ "address": [] }), "address", object),
            (json!({ "address": { "street": "" } }), "address.street", line(200)),
            (json!({ "address": { "city": 7 } }), "address.city", "must be a string".to_owned()),
            (
                json!({ "address": { "postalCode": "1".repeat(21) } }),
                "address.postalCode",
                line(20),
            ),
            (json!({ "taxInfo": { "taxId": " " } }), "taxInfo.taxId", line(50)),
            (json!({ "basicInfo": { "website": "example.com" } }), "basicInfo.website", web.into()),
            (
                json!({ "basicInfo": { "website": "https://a b.c" } }),
                "basicInfo.website",
                web.into(),
            ),
            (
                json!({ "basicInfo": { "website": "javascript:x" } }),
                "basicInfo.website",
                web.into(),
            ),
            (
                json!({ "basicInfo": { "website": "https://u@e.com" } }),
                "basicInfo.website",
                web.into(),
            ),
        ] {
            let error = parse(&body).unwrap_err();
            let expected = [(field.to_owned(), message)].into_iter().collect();
            assert_eq!(error.fields(), &expected, "{body}");
        }
        let many = json!({
            "name": 1, "basicInfo": { "foundedYear": 99, "description": "d".repeat(501) },
            "address": { "country": "us" }, "contact": { "email": "x", "phone": "1" },
        });
        assert_eq!(parse(&many).unwrap_err().fields().len(), 6);
    }

    #[test]
    fn null_clears_and_what_is_left_out_stays() {
        let first = json!({
            "address": { "street": " Main 1 ", "country": "DE" }, "contact": { "person": "Ada" },
            "basicInfo": { "foundedYear": 1843, "website": "https://example.com/a" },
        });
        let kept = parse(&first).unwrap().over(Information::default());
        assert_eq!(kept.text("address", "street").as_deref(), Some("Main 1"));
        assert_eq!(kept.number("basicInfo", "foundedYear"), Some(1_843));
        let second = json!({ "address": { "country": null }, "basicInfo": null });
        let kept = parse(&second).unwrap().over(kept);
        let expected = json!({ "address": { "street": "Main 1" }, "contact": { "person": "Ada" } });
        assert_eq!(serde_json::to_value(&kept).unwrap(), expected);
        assert_eq!(serde_json::from_value::<Information>(expected).unwrap(), kept);
    }

    #[test]
    fn unknown_members_are_ignored_by_name() {
        let body = json!({ "plan": "Pro", "address": { "planet": "Mars" }, "contact": {} });
        let change = parse(&body).unwrap();
        assert_eq!(change.ignored, ["plan", "address.planet"]);
        assert_eq!(change.names(), [""; 0]);
    }
}
