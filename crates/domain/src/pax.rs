//! PAX, platform access extensions: named, scoped grants of access to one platform (contract
//! sections 1 and 5).

use std::fmt;
use std::str::FromStr;

use crate::Timestamp;
use crate::id::{PaxId, PlatformId, TenantId};
use crate::named::named;
use crate::organization::OrganizationName;
use crate::text::TextRule;

named!(PaxStatus, PaxScope);

/// What access to a platform is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaxScope {
    /// See what was found.
    Read,
    /// Push content to be checked.
    Write,
    /// Scan.
    Crawl,
}

impl PaxScope {
    /// All of them, in the contract's order.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Crawl];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Crawl => "crawl",
        }
    }
}

/// How long a scope may be that means nothing here.
pub const LONGEST_OTHER: usize = 64;

/// One scope or more. Those that mean something come first, in the contract's order; others are kept as
/// they were given and open nothing. The text is the names with a space between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaxScopes {
    known: Vec<PaxScope>,
    others: Vec<String>,
}

impl PaxScopes {
    /// How many names can be given.
    pub const MOST: usize = 20;

    /// Reads a list of names; a name given twice counts once.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, String> {
        if names.len() > Self::MOST {
            return Err(format!("must hold at most {} names", Self::MOST));
        }
        let (mut given, mut others) = (Vec::new(), Vec::<String>::new());
        for name in names.iter().map(AsRef::as_ref) {
            match name.parse::<PaxScope>() {
                Ok(scope) => given.push(scope),
                Err(_) if !is_token(name) => {
                    return Err(format!(
                        "must hold names of 1 to {LONGEST_OTHER} characters out of a-z, 0-9, dot, \
                         underscore, colon and hyphen"
                    ));
                }
                Err(_) if others.iter().any(|it| it == name) => {}
                Err(_) => others.push(name.to_owned()),
            }
        }
        if given.is_empty() && others.is_empty() {
            return Err("must hold at least one name, such as read, write or crawl".to_owned());
        }
        let known = PaxScope::ALL.into_iter().filter(|it| given.contains(it)).collect();
        Ok(Self { known, others })
    }

    /// Whether this scope is among them.
    #[must_use]
    pub fn contains(&self, scope: PaxScope) -> bool {
        self.known.contains(&scope)
    }

    /// Their names.
    #[must_use]
    pub fn names(&self) -> Vec<&str> {
        let known = self.known.iter().map(|it| it.name());
        known.chain(self.others.iter().map(String::as_str)).collect()
    }
}

fn is_token(name: &str) -> bool {
    let fits = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'_' | b':' | b'-');
    (1..=LONGEST_OTHER).contains(&name.len()) && name.bytes().all(fits)
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

/// Whether a PAX may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaxStatus {
    /// It may.
    Active,
    /// Never again.
    Revoked,
}

impl PaxStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Active, Self::Revoked];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Revoked => "revoked",
        }
    }
}

/// What a PAX is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaxName(String);

impl PaxName {
    /// As organizations are named.
    pub const RULE: TextRule = OrganizationName::RULE;

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A grant of access to one platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pax {
    /// Its id.
    pub id: PaxId,
    /// Whose it is.
    pub tenant: TenantId,
    /// To what it gives access.
    pub platform: PlatformId,
    /// What it is called.
    pub name: PaxName,
    /// What it is good for.
    pub scopes: PaxScopes,
    /// Whether it may be used.
    pub status: PaxStatus,
    /// How often it was used.
    pub request_count: u32,
    /// When it was used last.
    pub last_accessed_at: Option<Timestamp>,
    /// When it was made.
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
        assert_eq!(none, "must hold at least one name, such as read, write or crawl");
    }

    #[test]
    fn other_scopes_are_kept_and_mean_nothing() {
        let scopes = PaxScopes::parse(&["acme:export", "crawl", "x", "acme:export"]).unwrap();
        assert_eq!(scopes.names(), ["crawl", "acme:export", "x"]);
        assert_eq!(scopes.to_string().parse(), Ok(scopes.clone()));
        assert!(!scopes.contains(PaxScope::Read) && !scopes.contains(PaxScope::Write));
        assert!(PaxScopes::parse(&["y".repeat(LONGEST_OTHER)]).is_ok());
        for bad in ["", "Write", "a b", "ä", "a\n", &"y".repeat(LONGEST_OTHER + 1)] {
            assert!(PaxScopes::parse(&["read", bad]).is_err(), "{bad:?}");
        }
        let many = |count: usize| (0..count).map(|it| format!("s{it}")).collect::<Vec<_>>();
        assert!(PaxScopes::parse(&many(PaxScopes::MOST)).is_ok());
        assert!(PaxScopes::parse(&many(PaxScopes::MOST + 1)).is_err());
    }

    #[test]
    fn statuses_have_one_name() {
        for status in PaxStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
        }
        assert!(PaxName::parse("x").is_err() && PaxName::parse("Partner feed").is_ok());
    }
}
