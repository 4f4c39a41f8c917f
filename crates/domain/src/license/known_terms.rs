//! The terms of a license that forms have fields for. They are members of the free-form [`Terms`],
//! named as in the terms of an offer, which starts with them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{VariantArray, VariantNames};

use super::Terms;
use crate::enum_names::enum_names;
use crate::grant::{GrantTerms, parse_channels};

enum_names!(Approval);

const EXCLUSIVE: &str = "exclusive";
const CHANNELS: &str = "channels";
const APPROVAL: &str = "approval";
const CREDIT_LINE: &str = "credit_line";
const CONDITIONS: &str = "conditions";

/// When the talent has to approve of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum Approval {
    /// Never.
    NotNeeded,
    /// Before the first use.
    Once,
    /// Before each use.
    EachUse,
}

impl Approval {
    /// The name that people read.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::NotNeeded => "Not needed",
            Self::Once => "Before the first use",
            Self::EachUse => "Before each use",
        }
    }

    /// The condition of an offer that says the same, if it needs one.
    #[must_use]
    pub const fn condition(self) -> Option<&'static str> {
        match self {
            Self::NotNeeded => None,
            Self::Once => Some("The talent must approve the first use before it is published."),
            Self::EachUse => Some("The talent must approve each use before it is published."),
        }
    }
}

/// Terms that forms have fields for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownTerms {
    /// Whether grants are exclusive; `None` if the terms don't say.
    pub exclusive: Option<bool>,
    /// Where the likeness may appear; empty if not limited.
    pub channels: Vec<String>,
    /// Whether the talent has to approve of uses; `None` if the terms don't say.
    pub approval: Option<Approval>,
    /// How the talent is credited.
    pub credit_line: Option<String>,
    /// Further conditions in plain language; may be empty.
    pub conditions: String,
}

impl KnownTerms {
    /// Splits terms into those with fields and all others. A member whose value does not fit its
    /// field is one of the others.
    #[must_use]
    pub fn split(terms: &Terms) -> (Self, Map<String, Value>) {
        let (mut known, mut others) = (Self::default(), Map::new());
        for (name, value) in terms.as_map() {
            if known.read(name, value).is_none() {
                others.insert(name.clone(), value.clone());
            }
        }
        (known, others)
    }

    /// The terms that have fields.
    #[must_use]
    pub fn of(terms: &Terms) -> Self {
        Self::split(terms).0
    }

    fn read(&mut self, name: &str, value: &Value) -> Option<()> {
        match name {
            EXCLUSIVE => self.exclusive = Some(value.as_bool()?),
            CHANNELS => self.channels = channels(value)?,
            APPROVAL => self.approval = Some(value.as_str()?.parse().ok()?),
            CREDIT_LINE => {
                let text = value.as_str()?;
                let same = GrantTerms::CREDIT_LINE.parse(text).is_ok_and(|it| it == text);
                self.credit_line = same.then(|| text.to_owned());
                same.then_some(())?;
            }
            CONDITIONS => {
                let text = value.as_str()?;
                let same = GrantTerms::CONDITIONS.parse(text).is_ok_and(|it| it == text);
                (same && !text.is_empty()).then_some(())?;
                text.clone_into(&mut self.conditions);
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds these terms to others, which they replace if they have the same names.
    pub fn add_to(self, others: &mut Map<String, Value>) {
        let mut put = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                others.insert(name.to_owned(), value);
            }
        };
        put(EXCLUSIVE, self.exclusive.map(Value::from));
        put(CHANNELS, (!self.channels.is_empty()).then(|| self.channels.into()));
        put(APPROVAL, self.approval.map(|it| it.name().into()));
        put(CREDIT_LINE, self.credit_line.map(Value::from));
        put(CONDITIONS, (!self.conditions.is_empty()).then(|| self.conditions.into()));
    }

    /// The conditions of an offer under these terms.
    #[must_use]
    pub fn offered_conditions(&self) -> String {
        let approval = self.approval.and_then(Approval::condition);
        let own = Some(self.conditions.as_str()).filter(|it| !it.is_empty());
        own.into_iter().chain(approval).collect::<Vec<_>>().join("\n")
    }
}

/// Channels that a field would show as they are.
fn channels(value: &Value) -> Option<Vec<String>> {
    let texts = value.as_array()?.iter().map(|it| it.as_str().map(str::to_owned));
    let texts = texts.collect::<Option<Vec<_>>>()?;
    let parsed = parse_channels(&texts).ok()?;
    let same = parsed.len() == texts.len() && texts.iter().all(|it| parsed.contains(it));
    (same && !texts.is_empty()).then_some(texts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn terms(value: &Value) -> Terms {
        Terms::parse(value.as_object().cloned().unwrap()).unwrap()
    }

    #[test]
    fn terms_are_split_and_put_together() {
        let stored = json!({
            "exclusive": false, "channels": ["TV", "Instagram"], "approval": "each_use",
            "credit_line": "Photo: Grace", "conditions": "No alcohol.\nNo tobacco.", "Copies": 5,
        });
        let (known, mut others) = KnownTerms::split(&terms(&stored));
        assert_eq!(known.exclusive, Some(false));
        assert_eq!(known.channels, ["TV", "Instagram"]);
        assert_eq!(known.approval, Some(Approval::EachUse));
        assert_eq!(known.credit_line.as_deref(), Some("Photo: Grace"));
        assert_eq!(
            known.offered_conditions(),
            "No alcohol.\nNo tobacco.\nThe talent must approve each use before it is published."
        );
        assert_eq!(json!(others), json!({ "Copies": 5 }));
        known.add_to(&mut others);
        assert_eq!(json!(others), stored);
    }

    #[test]
    fn what_does_not_fit_a_field_stays_as_it_is() {
        let odd = json!({
            "exclusive": "yes", "channels": ["TV", 1], "approval": true, "credit_line": "",
            "conditions": ["a"], "Exclusive": true,
        });
        let (known, others) = KnownTerms::split(&terms(&odd));
        assert_eq!((known, json!(others)), (KnownTerms::default(), odd));
        let (known, others) = KnownTerms::split(&terms(&json!({ "channels": ["TV", "tv"] })));
        assert!(known.channels.is_empty() && others.contains_key("channels"));
    }

    #[test]
    fn approvals_have_one_name() {
        for it in Approval::ALL {
            assert_eq!(it.name().parse(), Ok(it));
            assert_eq!(serde_json::to_value(it).unwrap(), it.name());
        }
        assert_eq!(KnownTerms::default().offered_conditions(), "");
    }
}
