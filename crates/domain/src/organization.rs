//! Organizations: name, type, status and plan (contract sections 3 and 5, console document
//! "Resources").

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use unicode_normalization::UnicodeNormalization as _;

use crate::enum_names::{enum_names, enum_text, enum_variants};
use crate::error::Fields;
use crate::limit::LimitName;
use crate::role::TenantType;
use crate::text::{TextRule, fold_words};

enum_names!(OrganizationStatus, Plan);
enum_variants!(OrganizationType);
enum_text!(OrganizationType);

/// The name of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizationName(String);

impl OrganizationName {
    /// 2 to 100 characters on one line.
    pub const RULE: TextRule = TextRule::line(2, 100);

    /// Parses and validates the text; surrounding whitespace is trimmed.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as entered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The uniqueness key. Names that differ only in case, whitespace or invisible characters have
    /// the same key.
    #[must_use]
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// The description of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizationDescription(String);

impl OrganizationDescription {
    /// Up to 500 characters; line breaks are allowed.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The description; may be empty.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The type of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
pub enum OrganizationType {
    /// Hosts content.
    Platform,
    /// Manages talents.
    Agency,
    /// Clears rights.
    Brand,
}

impl OrganizationType {
    /// The name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.tenant_type().name()
    }

    /// The corresponding tenant type.
    #[must_use]
    pub const fn tenant_type(self) -> TenantType {
        match self {
            Self::Platform => TenantType::Platform,
            Self::Agency => TenantType::Agency,
            Self::Brand => TenantType::Brand,
        }
    }
}

/// The fields of an organization given at registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrganization {
    /// The name.
    pub name: OrganizationName,
    /// The type.
    pub kind: OrganizationType,
    /// The description, if any.
    pub description: Option<OrganizationDescription>,
}

impl NewOrganization {
    /// Parses the members of `organization` in the request body. Errors are added to those of the
    /// registering user, so that all are reported at once.
    pub fn parse(
        name: Option<&str>,
        kind: Option<&str>,
        description: Option<&str>,
        fields: &mut Fields,
    ) -> Option<Self> {
        let name = fields.require("organization.name", name, OrganizationName::parse);
        let kind = fields.require("organization.type", kind, str::parse);
        let description = OrganizationDescription::parse(description.unwrap_or_default());
        let description = fields.take("organization.description", description)?;
        let description = Some(description).filter(|it| !it.0.is_empty());
        Some(Self { name: name?, kind: kind?, description })
    }
}

/// The status of an organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum OrganizationStatus {
    /// Active.
    Active,
    /// Suspended by staff, together with all of its tokens. Staff can reinstate it.
    Suspended,
}

/// The plan of a tenant, which determines its limits. The smallest is first.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    VariantArray,
    VariantNames,
)]
pub enum Plan {
    /// The default plan.
    #[default]
    Free,
    /// The smallest paid plan.
    Starter,
    /// The largest plan available by subscription.
    Pro,
    /// Available by arrangement.
    Enterprise,
}

impl Plan {
    /// The rate limit for each of the tenant's API clients.
    #[must_use]
    pub const fn limit(self) -> LimitName {
        match self {
            Self::Free => LimitName::ExternalFree,
            Self::Starter => LimitName::ExternalStarter,
            Self::Pro => LimitName::ExternalPro,
            Self::Enterprise => LimitName::ExternalEnterprise,
        }
    }
}

/// The key by which names of organizations and teams are compared.
#[must_use]
pub fn name_key(name: &str) -> String {
    // NFKC gives look-alike letters one form.
    fold_words(&name.nfkc().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> String {
        OrganizationName::parse(name).unwrap().key()
    }

    #[test]
    fn names_have_2_to_100_characters() {
        let name = |text: &str| OrganizationName::parse(text).map(|it| it.as_str().to_owned());
        let refused = |reason: &str| Err(reason.to_owned());
        assert_eq!(name("  Société Générale\n"), Ok("Société Générale".to_owned()));
        assert!(name(&"é".repeat(100)).is_ok());
        for bad in ["", "x", "  x  ", "x\u{200D}", &"é".repeat(101)] {
            assert_eq!(name(bad), refused("must be 2 to 100 characters"), "{bad:?}");
        }
        for bad in ["a\0b", "a\nb", "a\u{85}b", "Acme\u{200B}", "a\u{202E}b", "a\u{2028}b"] {
            assert_eq!(name(bad), refused("must not contain control characters"), "{bad:?}");
        }
    }

    #[test]
    fn names_that_read_the_same_have_one_key() {
        for (one, other) in [
            ("Acme Talent", "ACME  talent"),
            ("Acme Talent", "acme\u{A0}\u{3000}TALENT"),
            ("Straße", "STRASSE"),
            ("Straße", "STRAẞE"),
            ("ΟΔΟΣ", "οδος"),
            ("ΟΔΟΣ", "οδοσ"),
            ("Acme", "Ac\u{200D}me"),
        ] {
            assert_eq!(key(one), key(other), "{one} and {other}");
        }
        for (one, other) in [("Acme Talent", "AcmeTalent"), ("Acme", "Acmé"), ("Acme", "Acme 2")] {
            assert_ne!(key(one), key(other), "{one} and {other}");
        }
    }

    #[test]
    fn what_is_right_is_kept() {
        for (given, kept) in
            [(Some("a\n\tb "), Some("a\n\tb")), (None, None), (Some(""), None), (Some(" "), None)]
        {
            let mut fields = Fields::default();
            let parsed = NewOrganization::parse(Some("Acme"), Some("Brand"), given, &mut fields);
            let parsed = parsed.unwrap();
            assert_eq!(fields.finish(), Ok(()));
            assert_eq!((parsed.name.as_str(), parsed.kind), ("Acme", OrganizationType::Brand));
            assert_eq!(parsed.description.as_ref().map(OrganizationDescription::as_str), kept);
        }
    }

    #[test]
    fn every_wrong_field_is_named() {
        let wrong = |name, kind, description: Option<&str>| {
            let mut fields = Fields::default();
            assert_eq!(NewOrganization::parse(name, kind, description, &mut fields), None);
            let error = fields.finish().unwrap_err();
            error.fields().iter().map(|(name, text)| format!("{name} {text}")).collect::<Vec<_>>()
        };
        assert_eq!(
            wrong(None, None, Some(&"d".repeat(501))),
            [
                "organization.description must be at most 500 characters",
                "organization.name is required",
                "organization.type is required",
            ]
        );
        assert_eq!(
            wrong(Some("A"), Some("agency"), Some("a\0b")),
            [
                "organization.description must not contain control characters other than line \
                 breaks and tabs",
                "organization.name must be 2 to 100 characters",
                "organization.type must be one of Platform, Agency, Brand",
            ]
        );
        // `Individual` is not a type of organization.
        assert_eq!(wrong(Some("Acme"), Some("Individual"), None).len(), 1);
        assert!(OrganizationDescription::parse(&"é".repeat(500)).is_ok());
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        assert_eq!(Plan::default(), Plan::Free);
        for plan in Plan::ALL {
            assert_eq!(plan.name().parse(), Ok(plan));
            assert_eq!(serde_json::to_value(plan).unwrap(), plan.name());
        }
        for status in OrganizationStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        for kind in OrganizationType::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert!(kind.tenant_type().is_organization());
        }
        assert!("free".parse::<Plan>().is_err() && "Active".parse::<OrganizationStatus>().is_err());
    }

    #[test]
    fn what_looks_the_same_is_the_same_name() {
        let key = |text| OrganizationName::parse(text).unwrap().key();
        for other in ["Ba\u{308}bbage", "BÄBBAGE", "Ｂäbbage"] {
            assert_eq!(key(other), key("Bäbbage"), "{other}");
        }
    }
}
