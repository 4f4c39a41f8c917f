//! Scopes of the external API's access tokens (contract section 4).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::enum_names::enum_variants;

enum_variants!(Scope);

/// A scope of an access token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
pub enum Scope {
    /// Read licenses, manage bookmarks.
    #[serde(rename = "license:read")]
    LicenseRead,
    /// Change licenses, review mentions, push content.
    #[serde(rename = "license:write")]
    LicenseWrite,
    /// Read mentions.
    #[serde(rename = "mention:read")]
    MentionRead,
    /// Manage webhooks, read the event feed.
    #[serde(rename = "webhook:manage")]
    WebhookManage,
}

impl Scope {
    /// The name used in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LicenseRead => "license:read",
            Self::LicenseWrite => "license:write",
            Self::MentionRead => "mention:read",
            Self::WebhookManage => "webhook:manage",
        }
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scope {
    type Err = InvalidScope;

    fn from_str(text: &str) -> Result<Self, InvalidScope> {
        Self::ALL.into_iter().find(|it| it.name() == text).ok_or(InvalidScope)
    }
}

/// The name is not a scope. It is not repeated in the message, because it is untrusted input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidScope;

impl fmt::Display for InvalidScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must contain only {}", Scope::ALL.map(Scope::name).join(", "))
    }
}

impl std::error::Error for InvalidScope {}

/// A set of scopes. The text form, used in tokens, is the names in the contract's order separated
/// by spaces, so that equal sets have equal text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scopes(u8);

impl Scopes {
    /// Every scope.
    #[must_use]
    pub fn all() -> Self {
        Scope::ALL.into_iter().collect()
    }

    /// Parses a list of names; duplicates are merged.
    pub fn parse_list<T: AsRef<str>>(
        names: impl IntoIterator<Item = T>,
    ) -> Result<Self, InvalidScope> {
        names.into_iter().map(|name| name.as_ref().parse::<Scope>()).collect()
    }

    /// Whether the set contains a scope.
    #[must_use]
    pub const fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the scopes in the contract's order.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |it| self.contains(*it))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{scope}")?;
        }
        Ok(())
    }
}

impl FromStr for Scopes {
    type Err = InvalidScope;

    /// Parses the text form used in tokens (RFC 6749 section 3.3). Tokens of users have no scopes.
    fn from_str(text: &str) -> Result<Self, InvalidScope> {
        if text.is_empty() { Ok(Self::default()) } else { Self::parse_list(text.split(' ')) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sixteen sets.
    fn every() -> impl Iterator<Item = Scopes> {
        (0..16).map(Scopes)
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for scope in Scope::ALL {
            assert_eq!(scope.name().parse(), Ok(scope));
            assert_eq!(serde_json::to_value(scope).unwrap(), scope.name());
            assert_eq!(serde_json::from_value::<Scope>(scope.name().into()).unwrap(), scope);
        }
    }

    #[test]
    fn every_set_survives_both_forms() {
        for scopes in every() {
            assert_eq!(scopes.to_string().parse(), Ok(scopes));
            assert_eq!(Scopes::parse_list(scopes.iter().map(Scope::name)), Ok(scopes));
            assert_eq!(scopes.is_empty(), scopes.iter().count() == 0);
            for scope in Scope::ALL {
                assert_eq!(scopes.contains(scope), scopes.iter().any(|it| it == scope));
            }
        }
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let scopes = Scopes::parse_list(["webhook:manage", "license:read", "webhook:manage"]);
        assert_eq!(scopes.unwrap().to_string(), "license:read webhook:manage");
        let all = "license:read license:write mention:read webhook:manage";
        assert_eq!(Scopes::all().to_string(), all);
        assert_eq!("".parse::<Scopes>(), Ok(Scopes::default()));
    }

    #[test]
    fn what_is_no_scope_is_refused_with_those_there_are() {
        for bad in [" ", "license:read ", "license:read  mention:read", "License:Read", "*"] {
            assert_eq!(bad.parse::<Scopes>(), Err(InvalidScope), "{bad:?}");
        }
        assert_eq!(
            Scopes::parse_list(["license:read", "license"]).unwrap_err().to_string(),
            "must contain only license:read, license:write, mention:read, webhook:manage"
        );
    }
}
