//! Talents: the people whose likeness is licensed (contract sections 1 and 5). Name, email address,
//! phone number and bio follow the rules in `person` and `email`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::email::Email;
use crate::enum_names::enum_names;
use crate::id::{TalentId, TeamId, TenantId};
use crate::person::{Bio, FullName, Phone};
use crate::text::{TextRule, fold_words, parse_distinct};

enum_names!(TalentStatus);

/// Whether a talent is on the roster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum TalentStatus {
    /// On the roster.
    #[default]
    Active,
    /// Currently not on the roster.
    Inactive,
}

/// Other names of a talent, in the given order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Aliases(Vec<String>);

impl Aliases {
    /// The rule for each item.
    pub const RULE: TextRule = TextRule::line(1, 100);
    /// The maximum number of items.
    pub const MAX: usize = 20;

    /// Parses up to 20 names of 1 to 100 characters; names that differ only in case are merged.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, String> {
        parse_distinct(names, Self::MAX, Self::RULE).map(Self)
    }

    /// The names.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// Social media profiles of a talent: a handle or URL by platform name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SocialMedia(BTreeMap<String, String>);

impl SocialMedia {
    /// The rule for platform names.
    pub const PLATFORM: TextRule = TextRule::line(1, 50);
    /// The rule for handles.
    pub const HANDLE: TextRule = TextRule::line(1, 200);
    /// The maximum number of items.
    pub const MAX: usize = 20;

    /// Parses up to 20 platforms of 1 to 50 characters with handles of 1 to 200; a platform may
    /// occur only once, regardless of case and spacing.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, String> {
        let mut kept: BTreeMap<String, String> = BTreeMap::new();
        for (platform, handle) in entries {
            let platform = Self::PLATFORM
                .parse(platform.as_ref())
                .map_err(|error| format!("each platform name {error}"))?;
            let handle = Self::HANDLE
                .parse(handle.as_ref())
                .map_err(|error| format!("the handle for {platform} {error}"))?;
            if kept.keys().any(|it| fold_words(it) == fold_words(&platform)) {
                return Err(format!("must contain {platform} only once"));
            }
            if kept.len() == Self::MAX {
                return Err(format!("must contain at most {} platforms", Self::MAX));
            }
            kept.insert(platform, handle);
        }
        Ok(Self(kept))
    }

    /// The handles by platform.
    #[must_use]
    pub fn as_map(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

/// A stored talent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Talent {
    /// The unique ID.
    pub id: TalentId,
    /// The agency, or the tenant of an individual who manages themselves.
    pub tenant: TenantId,
    /// The team in charge, if any.
    pub team: Option<TeamId>,
    /// The licensed name.
    pub fullname: FullName,
    /// Other names.
    pub aliases: Aliases,
    /// The email address, if known.
    pub email: Option<Email>,
    /// The phone number, if known.
    pub phone: Option<Phone>,
    /// The bio, if any.
    pub bio: Option<Bio>,
    /// Social media profiles.
    pub social_media: SocialMedia,
    /// Whether they are on the roster.
    pub status: TalentStatus,
    /// Whether the talent has confirmed the name, by accepting the record or by setting it.
    pub verified: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Talent {
    /// Whether this is the talent's name, ignoring case and spacing.
    #[must_use]
    pub fn is_called(&self, fullname: &FullName) -> bool {
        fold_words(self.fullname.as_str()) == fold_words(fullname.as_str())
    }

    /// Renames the talent. A name set by someone else is unverified until the talent accepts the
    /// record again. Returns true if the name is no longer verified.
    pub fn rename(&mut self, fullname: FullName, by_themself: bool) -> bool {
        let falls = self.verified && !by_themself && self.fullname != fullname;
        self.fullname = fullname;
        self.verified &= !falls;
        falls
    }

    /// All names to look for, the licensed one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let aliases = self.aliases.as_slice().iter().map(String::as_str);
        std::iter::once(self.fullname.as_str()).chain(aliases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_few_and_distinct() {
        let aliases = Aliases::parse(&[" The  Voice", "the voice", "Ada"]).unwrap();
        assert_eq!(aliases.as_slice(), ["The  Voice", "Ada"]);
        assert_eq!(Aliases::parse::<&str>(&[]), Ok(Aliases::default()));
        for bad in ["", "a\nb", &"x".repeat(101)] {
            assert!(Aliases::parse(&[bad]).is_err(), "{bad:?}");
        }
        let many: Vec<_> = (0..21).map(|it| it.to_string()).collect();
        assert!(Aliases::parse(&many[1..]).is_ok());
        assert_eq!(Aliases::parse(&many).unwrap_err(), "must contain at most 20 items");
    }

    #[test]
    fn each_platform_stands_once() {
        let parse = |entries: &[(&str, &str)]| SocialMedia::parse(entries.iter().copied());
        let found = parse(&[("Instagram", " @ada "), ("X", "https://x.com/ada")]).unwrap();
        let form = serde_json::json!({ "Instagram": "@ada", "X": "https://x.com/ada" });
        assert_eq!(serde_json::to_value(found).unwrap(), form);
        assert_eq!(parse(&[("X", "a"), ("x", "b")]).unwrap_err(), "must contain x only once");
        let error = parse(&[("X", "")]).unwrap_err();
        assert_eq!(error, "the handle for X must be 1 to 200 characters");
        let error = parse(&[("", "a")]).unwrap_err();
        assert_eq!(error, "each platform name must be 1 to 50 characters");
        let many = |count: u32| SocialMedia::parse((0..count).map(|it| (it.to_string(), "a")));
        assert!(many(20).is_ok());
        assert_eq!(many(21).unwrap_err(), "must contain at most 20 platforms");
    }

    #[test]
    fn statuses_have_one_name() {
        for status in TalentStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        assert_eq!(TalentStatus::default(), TalentStatus::Active);
    }
}
