//! Organizations: what one is called and is, whether it may act, and its plan (contract sections
//! 3 and 5, console document "Resources").

use serde::{Deserialize, Serialize};

use unicode_normalization::UnicodeNormalization as _;

use crate::error::Fields;
use crate::limit::LimitName;
use crate::named::named;
use crate::role::TenantType;
use crate::text::{TextRule, fold_words};

named!(OrganizationType, OrganizationStatus, Plan);

/// What an organization is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizationName(String);

impl OrganizationName {
    /// 2 to 100 characters on one line.
    pub const RULE: TextRule = TextRule::line(2, 100);

    /// Takes what fits; white space around it is not part of the name.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What must be unique: names that differ only in case, in white space or in what cannot be
    /// seen are the same name to a reader.
    #[must_use]
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// What an organization says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrganizationDescription(String);

impl OrganizationDescription {
    /// Up to 500 characters; lines may break.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// Its text, which may be empty.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What kind of organization can be registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OrganizationType {
    /// Hosts content.
    Platform,
    /// Manages talents.
    Agency,
    /// Clears rights.
    Brand,
}

impl OrganizationType {
    /// All of them, in the document's order.
    pub const ALL: [Self; 3] = [Self::Platform, Self::Agency, Self::Brand];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.tenant_type().name()
    }

    /// The kind of tenant it becomes.
    #[must_use]
    pub const fn tenant_type(self) -> TenantType {
        match self {
            Self::Platform => TenantType::Platform,
            Self::Agency => TenantType::Agency,
            Self::Brand => TenantType::Brand,
        }
    }
}

/// An organization as a registration describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrganization {
    /// What it is called.
    pub name: OrganizationName,
    /// What it is.
    pub kind: OrganizationType,
    /// What it says of itself, where it says anything.
    pub description: Option<OrganizationDescription>,
}

impl NewOrganization {
    /// Reads the members of the body's `organization`. What is wrong is noted beside the errors
    /// of the person who registers, so that they hear of all of it at once.
    pub fn parse(
        name: Option<&str>,
        kind: Option<&str>,
        description: Option<&str>,
        fields: &mut Fields,
    ) -> Option<Self> {
        let name = name.ok_or_else(|| "is required".to_owned());
        let name = name.and_then(OrganizationName::parse);
        let name = fields.take("organization.name", name);
        let kind = kind.ok_or_else(|| "is required".to_owned()).and_then(str::parse);
        let kind = fields.take("organization.type", kind);
        let description = OrganizationDescription::parse(description.unwrap_or_default());
        let description = fields.take("organization.description", description)?;
        let description = Some(description).filter(|it| !it.0.is_empty());
        Some(Self { name: name?, kind: kind?, description })
    }
}

/// Whether an organization may act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrganizationStatus {
    /// It may.
    Active,
    /// Staff stopped it, with every token of it; staff can let it act again.
    Suspended,
}

impl OrganizationStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Active, Self::Suspended];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
        }
    }
}

/// What a tenant pays for, and so how much it may ask of the external API.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Plan {
    /// What every tenant begins with.
    #[default]
    Free,
    /// The smallest that costs.
    Starter,
    /// The largest one can subscribe to.
    Pro,
    /// By arrangement.
    Enterprise,
}

impl Plan {
    /// All of them, the smallest first.
    pub const ALL: [Self; 4] = [Self::Free, Self::Starter, Self::Pro, Self::Enterprise];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "Free",
            Self::Starter => "Starter",
            Self::Pro => "Pro",
            Self::Enterprise => "Enterprise",
        }
    }

    /// The limit that holds for each of the tenant's clients.
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

/// By which names of organizations and teams are compared.
#[must_use]
pub fn name_key(name: &str) -> String {
    // One form of each letter: what looks the same is the same.
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
        // Nobody can register as an individual with an organization.
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
