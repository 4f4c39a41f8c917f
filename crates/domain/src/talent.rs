//! Talents: the people whose likeness is licensed (contract sections 1 and 5). Name, address,
//! telephone number and bio follow the rules of `person` and `email`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::email::Email;
use crate::id::{TalentId, TeamId, TenantId};
use crate::named::named;
use crate::person::{Bio, FullName, Phone};
use crate::text::{TextRule, fold_words, parse_distinct};

named!(TalentStatus);

/// Whether a talent is on the roster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TalentStatus {
    /// They are.
    #[default]
    Active,
    /// Not for now.
    Inactive,
}

impl TalentStatus {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Active, Self::Inactive];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }
}

/// Other names a talent is known by, in their own order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Aliases(Vec<String>);

impl Aliases {
    /// What each must be.
    pub const RULE: TextRule = TextRule::line(1, 100);
    /// How many there can be.
    pub const MOST: usize = 20;

    /// Takes up to 20 names of 1 to 100 characters; those that differ only in case are one.
    pub fn parse<T: AsRef<str>>(names: &[T]) -> Result<Self, String> {
        parse_distinct(names, Self::MOST, Self::RULE).map(Self)
    }

    /// Each of them.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// Where a talent is to be found: a handle or an address for each platform, by the platform's
/// name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SocialMedia(BTreeMap<String, String>);

impl SocialMedia {
    /// What the name of each platform must be.
    pub const PLATFORM: TextRule = TextRule::line(1, 50);
    /// What stands for each must be.
    pub const HANDLE: TextRule = TextRule::line(1, 200);
    /// How many there can be.
    pub const MOST: usize = 20;

    /// Takes up to 20 platforms of 1 to 50 characters, each with 1 to 200; a platform stands once,
    /// however it is written.
    pub fn parse<K: AsRef<str>, V: AsRef<str>>(
        entries: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, String> {
        let mut kept: BTreeMap<String, String> = BTreeMap::new();
        for (platform, handle) in entries {
            let platform = Self::PLATFORM
                .parse(platform.as_ref())
                .map_err(|error| format!("the name of each platform {error}"))?;
            let handle = Self::HANDLE
                .parse(handle.as_ref())
                .map_err(|error| format!("what stands for {platform} {error}"))?;
            if kept.keys().any(|it| fold_words(it) == fold_words(&platform)) {
                return Err(format!("must name {platform} once"));
            }
            if kept.len() == Self::MOST {
                return Err(format!("must hold at most {} platforms", Self::MOST));
            }
            kept.insert(platform, handle);
        }
        Ok(Self(kept))
    }

    /// Each platform with what stands for it.
    #[must_use]
    pub fn as_map(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

/// A talent as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Talent {
    /// Its id.
    pub id: TalentId,
    /// The agency, or the personal tenant of somebody who manages themself.
    pub tenant: TenantId,
    /// The team that looks after them; nobody in particular where there is none.
    pub team: Option<TeamId>,
    /// The name that is licensed.
    pub fullname: FullName,
    /// Other names.
    pub aliases: Aliases,
    /// Where to write to, where that is known.
    pub email: Option<Email>,
    /// Where to call, where that is known.
    pub phone: Option<Phone>,
    /// A few lines about them, where there are any.
    pub bio: Option<Bio>,
    /// Where they are to be found.
    pub social_media: SocialMedia,
    /// Whether they are on the roster.
    pub status: TalentStatus,
    /// Whether they themself vouch for the name: they took up the record under it, or gave it.
    pub verified: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Talent {
    /// Whether this is the talent's name, in any case.
    #[must_use]
    pub fn is_called(&self, fullname: &FullName) -> bool {
        fold_words(self.fullname.as_str()) == fold_words(fullname.as_str())
    }

    /// Gives the talent another name. One that somebody else gave them is theirs only when they
    /// take up the record anew. True when they vouch for it no longer.
    pub fn rename(&mut self, fullname: FullName, by_themself: bool) -> bool {
        let falls = self.verified && !by_themself && self.fullname != fullname;
        self.fullname = fullname;
        self.verified &= !falls;
        falls
    }

    /// Every name a sighting may bear, the licensed one first.
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
        assert_eq!(Aliases::parse(&many).unwrap_err(), "must hold at most 20");
    }

    #[test]
    fn each_platform_stands_once() {
        let parse = |entries: &[(&str, &str)]| SocialMedia::parse(entries.iter().copied());
        let found = parse(&[("Instagram", " @ada "), ("X", "https://x.com/ada")]).unwrap();
        let form = serde_json::json!({ "Instagram": "@ada", "X": "https://x.com/ada" });
        assert_eq!(serde_json::to_value(found).unwrap(), form);
        assert_eq!(parse(&[("X", "a"), ("x", "b")]).unwrap_err(), "must name x once");
        let error = parse(&[("X", "")]).unwrap_err();
        assert_eq!(error, "what stands for X must be 1 to 200 characters");
        let error = parse(&[("", "a")]).unwrap_err();
        assert_eq!(error, "the name of each platform must be 1 to 50 characters");
        let many = |count: u32| SocialMedia::parse((0..count).map(|it| (it.to_string(), "a")));
        assert!(many(20).is_ok());
        assert_eq!(many(21).unwrap_err(), "must hold at most 20 platforms");
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
