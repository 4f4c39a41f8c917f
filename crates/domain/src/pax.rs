//! PAX (platform access extension): a named ingest key with scopes for one platform (contract
//! sections 1 and 5).

use std::fmt;
use std::str::FromStr;

use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::enum_names::enum_names;
use crate::id::{PaxId, PlatformId, TenantId};
use crate::organization::OrganizationName;
use crate::text::TextRule;

enum_names!(PaxStatus, PaxScope);

/// A scope of a PAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum PaxScope {
    /// Read mentions.
    Read,
    /// Push content to be scanned.
    Write,
    /// Scan the platform.
    Crawl,
}

/// The maximum length of an unknown scope.
pub const MAX_OTHER_LENGTH: usize = 64;

/// One or more scopes. Known scopes come first, in the contract's order; unknown ones are kept but
/// grant nothing. The text form is the names separated by spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaxScopes {
    known: Vec<PaxScope>,
    others: Vec<String>,
}

impl PaxScopes {
    /// The maximum number of names.
    pub const MAX: usize = 20;

    /// Parses a list of names; duplicates are merged.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, String> {
        if names.len() > Self::MAX {
            return Err(format!("must contain at most {} names", Self::MAX));
        }
        let (mut given, mut others) = (Vec::new(), Vec::<String>::new());
        for name in names.iter().map(AsRef::as_ref) {
            match name.parse::<PaxScope>() {
                Ok(scope) => given.push(scope),
                Err(_) if !is_token(name) => {
                    return Err(format!(
                        "must contain names of 1 to {MAX_OTHER_LENGTH} characters from a-z, 0-9, \
                         dot, underscore, colon and hyphen"
                    ));
                }
                Err(_) if others.iter().any(|it| it == name) => {}
                Err(_) => others.push(name.to_owned()),
            }
        }
        if given.is_empty() && others.is_empty() {
            return Err("must contain at least one name, such as read, write or crawl".to_owned());
        }
        let known = PaxScope::ALL.into_iter().filter(|it| given.contains(it)).collect();
        Ok(Self { known, others })
    }

    /// Whether the set contains a scope.
    #[must_use]
    pub fn contains(&self, scope: PaxScope) -> bool {
        self.known.contains(&scope)
    }

    /// The names of the scopes.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let known = self.known.iter().map(|it| it.name());
        known.chain(self.others.iter().map(String::as_str)).collect()
    }
}

fn is_token(name: &str) -> bool {
    let fits = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b':' | b'-');
    (1..=MAX_OTHER_LENGTH).contains(&name.len()) && name.bytes().all(fits)
}

impl fmt::Display for PaxScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(" "))
    }
}

impl FromStr for PaxScopes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(&text.split_whitespace().collect::<Vec<_>>())
    }
}

/// The status of a PAX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum PaxStatus {
    /// The PAX may be used.
    Active,
    /// The PAX is permanently disabled.
    Revoked,
}

/// The name of a PAX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaxName(String);

impl PaxName {
    /// Same rule as for organization names.
    pub const RULE: TextRule = OrganizationName::RULE;

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as entered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A PAX: an ingest key for one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pax {
    /// The unique ID.
    pub id: PaxId,
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// The platform it belongs to.
    pub platform: PlatformId,
    /// The name.
    pub name: PaxName,
    /// The scopes.
    pub scopes: PaxScopes,
    /// The status.
    pub status: PaxStatus,
    /// How often it was used.
    pub request_count: u32,
    /// When it was last used.
    pub last_accessed_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_some_and_in_order() {
        let scopes = PaxScopes::parse(&["crawl", "read", "crawl"]).unwrap();
        assert_eq!(
            (scopes.to_string().as_str(), scopes.names()),
            ("read crawl", vec!["read", "crawl"])
        );
        assert_eq!("read crawl".parse(), Ok(scopes.clone()));
        assert!(scopes.contains(PaxScope::Crawl) && !scopes.contains(PaxScope::Write));
        let none = PaxScopes::parse::<&str>(&[]).unwrap_err();
        assert_eq!(none, "must contain at least one name, such as read, write or crawl");
    }

    #[test]
    fn other_scopes_are_kept_and_mean_nothing() {
        let scopes = PaxScopes::parse(&["acme:export", "crawl", "x", "acme:export"]).unwrap();
        assert_eq!(scopes.names(), ["crawl", "acme:export", "x"]);
        assert_eq!(scopes.to_string().parse(), Ok(scopes.clone()));
        assert!(!scopes.contains(PaxScope::Read) && !scopes.contains(PaxScope::Write));
        assert!(PaxScopes::parse(&["y".repeat(MAX_OTHER_LENGTH)]).is_ok());
        for bad in ["", "Write", "a b", "ä", "a\n", &"y".repeat(MAX_OTHER_LENGTH + 1)] {
            assert!(PaxScopes::parse(&["read", bad]).is_err(), "{bad:?}");
        }
        let many = |count: usize| (0..count).map(|it| format!("s{it}")).collect::<Vec<_>>();
        assert!(PaxScopes::parse(&many(PaxScopes::MAX)).is_ok());
        assert!(PaxScopes::parse(&many(PaxScopes::MAX + 1)).is_err());
    }

    #[test]
    fn statuses_have_one_name() {
        for status in PaxStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
        assert!(PaxName::parse("x").is_err() && PaxName::parse("Partner feed").is_ok());
    }
}
