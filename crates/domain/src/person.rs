//! Personal details of a user: name, bio, location and phone. The rules only keep out text that
//! would break a line, a mail or a page.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Fields;
use crate::text::{TextRule, white_space};
use crate::{Error, Result};

/// Declares validated text types that are serialized as strings.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text, without surrounding whitespace.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                Self::parse(&text).map_err(|error| error.to_string())
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0
            }
        }
    )*};
}

texts! {
    /// A full name. First and last name are parts of it: see [`FullName::parts`].
    FullName;
    /// A first or last name; may be empty.
    NamePart;
    /// A short text about a user; may be empty.
    Bio;
    /// The location of a user in free text; may be empty.
    Location;
    /// A phone number as the user wrote it; may be empty.
    Phone;
}

impl FullName {
    /// 2 to 100 characters on one line.
    pub const RULE: TextRule = TextRule::name(2, 100);
    /// The rule for a first or last name.
    pub const PART: TextRule = TextRule::line(1, 49);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// Parses a first and last name of 1 to 49 characters each; adds an error for each invalid one.
    pub fn parse_parts(first: &str, last: &str, fields: &mut Fields) -> Option<Self> {
        let mut part = |name, text| fields.take(name, Self::PART.parse(text));
        let (first, last) = (part("firstname", first), part("lastname", last));
        let whole = format!("{} {}", first?, last?);
        fields.take("lastname", Self::parse(&whole))
    }

    /// The lookup key: lower case, with single spaces.
    #[must_use]
    pub fn key(&self) -> String {
        let words: Vec<_> = self.0.split_whitespace().map(str::to_lowercase).collect();
        words.join(" ")
    }

    /// Splits the name into first and last name. If the user has specified the first name, it is
    /// used; otherwise the first word is.
    #[must_use]
    pub fn parts(&self, first: Option<&str>) -> (&str, &str) {
        let said = first.filter(|it| !it.is_empty()).and_then(|first| {
            let rest = self.0.strip_prefix(first)?;
            let whole = rest.is_empty() || rest.starts_with(char::is_whitespace);
            whole.then(|| (&self.0[..first.len()], rest.trim_start()))
        });
        said.unwrap_or_else(|| {
            let (first, last) = self.0.split_once(char::is_whitespace).unwrap_or((&self.0, ""));
            (first, last.trim_start())
        })
    }
}

impl NamePart {
    /// A first name: 1 to 98 characters on one line.
    pub const FIRST: TextRule = TextRule::name(1, 98);
    /// A last name, which is optional: up to 98 characters on one line.
    pub const LAST: TextRule = TextRule::name(0, 98);

    /// Parses a first name.
    pub fn parse_first(text: &str) -> Result<Self, String> {
        Self::FIRST.parse(text).map(Self)
    }

    /// Parses a last name.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::LAST.parse(text).map(Self)
    }
}

/// A change of a user's name; parts that are not given stay.
#[derive(Clone, Debug, Default)]
pub struct NameChange {
    /// The full name.
    pub fullname: Option<FullName>,
    /// The first name.
    pub first: Option<NamePart>,
    /// The last name.
    pub last: Option<NamePart>,
}

impl NameChange {
    /// Applies the change to a name with the given first name. Returns the full name and the
    /// specified first name. Parts given unchanged are ignored, so that a whole profile can be sent
    /// back with one member changed.
    pub fn over(&self, name: &FullName, first: Option<&str>) -> Result<(FullName, Option<String>)> {
        let (old_first, old_last) = name.parts(first);
        let new_first = self.first.as_ref().map_or(old_first, NamePart::as_str);
        let new_last = self.last.as_ref().map_or(old_last, NamePart::as_str);
        let by_parts = (new_first, new_last) != (old_first, old_last);
        match self.fullname.as_ref().filter(|it| *it != name) {
            Some(whole) if !by_parts => Ok((whole.clone(), None)),
            None if !by_parts => Ok((name.clone(), first.map(str::to_owned))),
            whole => {
                let joined = format!("{new_first} {new_last}");
                let joined = FullName::parse(&joined).map_err(|_| {
                    Error::field("lastname", "must result in a full name of 2 to 100 characters")
                })?;
                if whole.is_some_and(|it| it.key() != joined.key()) {
                    let message = "must match firstname and lastname, or be omitted";
                    return Err(Error::field("fullname", message));
                }
                Ok((joined, Some(new_first.to_owned())))
            }
        }
    }
}

impl Bio {
    /// Up to 500 characters; line breaks are allowed.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

impl Location {
    /// Up to 100 characters on one line.
    pub const RULE: TextRule = TextRule::name(0, 100);

    /// Parses and validates the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// The digits and separators of a phone number, as a regular expression.
const NUMBER: &str = r"\+?(?:[ ().\/-]*[0-9]){5,15}[ ().\/-]*";

impl Phone {
    /// The maximum length.
    pub const MAX_LENGTH: usize = 32;

    /// The rule of [`Self::parse`] as a regular expression, for the API documentation.
    #[must_use]
    pub fn pattern() -> String {
        format!("^[{0}]*(?:{NUMBER})?[{0}]*$", white_space())
    }

    /// Like [`Self::pattern`], but requires a number.
    #[must_use]
    pub fn number_pattern() -> String {
        format!("^[{0}]*{NUMBER}[{0}]*$", white_space())
    }

    /// Parses 5 to 15 digits (the E.164 maximum) with common separators.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let fits = text.chars().count() <= Self::MAX_LENGTH;
        let text = text.trim();
        let number = text.strip_prefix('+').unwrap_or(text);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let marks = number.bytes().all(|it| it.is_ascii_digit() || b" ()-./".contains(&it));
        if fits && (text.is_empty() || (marks && (5..=15).contains(&digits))) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be a phone number of 5 to 15 digits such as +1 202 555 0143")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: Option<&str> = Some("must be 2 to 100 characters");
    const CONTROL: Option<&str> = Some("must not contain control characters");

    fn name(text: &str) -> FullName {
        FullName::parse(text).unwrap()
    }

    #[test]
    fn names_are_2_to_100_characters_without_controls() {
        let long = "é".repeat(100);
        assert_eq!(name(&long).as_str(), long);
        for good in ["Bo", "李明", "Ada King", "O’Brien-Šmíd, Jr.", "نیم‌فاصله"] {
            assert_eq!(name(&format!(" \t{good}\n")).as_str(), good);
        }
        for (bad, error) in [
            ("", LENGTH),
            ("  ", LENGTH),
            ("A", LENGTH),
            (" A ", LENGTH),
            (&format!("{long}é"), LENGTH),
            ("Ada\nKing", CONTROL),
            ("Ada\tKing", CONTROL),
            ("Ada\0King", CONTROL),
            ("Ada\u{7f}", CONTROL),
            ("Ada\u{202e}gniK", CONTROL),
            ("Ada\u{2028}King", CONTROL),
            ("Ada\u{2066}King", CONTROL),
        ] {
            assert_eq!(FullName::parse(bad).err().as_deref(), error, "{bad:?}");
        }
    }

    #[test]
    fn look_ups_see_neither_case_nor_spacing() {
        assert_eq!(name("Ada  KING\u{a0}Élan").key(), "ada king élan");
        assert_eq!(name(" ada king élan ").key(), "ada king élan");
        assert_ne!(name("AdaKing").key(), name("Ada King").key());
    }

    #[test]
    fn a_name_splits_after_its_first_word() {
        for (whole, first, last) in [
            ("Ada King", "Ada", "King"),
            ("Ada  King Noel", "Ada", "King Noel"),
            ("Ada\u{a0}King", "Ada", "King"),
            ("Plato", "Plato", ""),
        ] {
            assert_eq!(name(whole).parts(None), (first, last), "{whole}");
        }
        let mary = name("Mary Jane Watson");
        assert_eq!(mary.parts(Some("Mary Jane")), ("Mary Jane", "Watson"), "as she said");
        assert_eq!(mary.parts(Some("Mary Jane Watson")), ("Mary Jane Watson", ""));
        for gone in ["Peter", "Mary Ja", ""] {
            assert_eq!(mary.parts(Some(gone)), ("Mary", "Jane Watson"), "{gone:?}");
        }
    }

    #[test]
    fn a_name_is_changed_whole_or_in_parts() {
        let part = |text: &str| NamePart::parse(text).ok();
        let change = |fullname: Option<&str>, first, last| {
            let change = NameChange { fullname: fullname.map(name), first, last };
            change.over(&name("Ada Byron"), None)
        };
        let parts = |whole: &str, first: Option<&str>| Ok((name(whole), first.map(str::to_owned)));
        assert_eq!(change(None, None, None), parts("Ada Byron", None));
        assert_eq!(change(Some("Ada King"), None, None), parts("Ada King", None));
        assert_eq!(change(None, None, part("King")), parts("Ada King", Some("Ada")));
        let both = change(None, part("Augusta Ada"), part("King"));
        assert_eq!(both, parts("Augusta Ada King", Some("Augusta Ada")));
        assert_eq!(change(None, None, part("")), parts("Ada", Some("Ada")), "none");
        let sent_back = change(Some("Ada Byron"), part("Ada"), part("King"));
        assert_eq!(sent_back, parts("Ada King", Some("Ada")), "one member changed");
        let whole = change(Some("Ada King"), part("Ada"), part("Byron"));
        assert_eq!(whole, parts("Ada King", None), "the other one");
        let agreed = change(Some("Ada King"), None, part("King"));
        assert_eq!(agreed, parts("Ada King", Some("Ada")));
        for (fullname, first, last, field) in [
            (Some("Eve"), part("Ada"), part("King"), "fullname"),
            (None, None, part(&"x".repeat(98)), "lastname"),
            (None, part("A"), part(""), "lastname"),
        ] {
            let error = change(fullname, first, last).unwrap_err();
            assert_eq!(error.fields().keys().collect::<Vec<_>>(), [field]);
        }
    }

    #[test]
    fn bios_and_locations_are_bounded() {
        let bio = |text: &str| Bio::parse(text).err().unwrap_or_default();
        assert_eq!([bio(""), bio(&"é".repeat(500)), bio("One.\r\n\tTwo.")], [""; 3]);
        assert_eq!(bio(&"é".repeat(501)), "must be at most 500 characters");
        let controls = "must not contain control characters other than line breaks and tabs";
        assert_eq!([bio("a\0b"), bio("a\u{1b}[31mb")], [controls; 2]);
        let location = |text: &str| Location::parse(text).err().unwrap_or_default();
        assert_eq!([location(""), location("São Paulo, BR"), location(&"é".repeat(100))], [""; 3]);
        assert_eq!(location(&"é".repeat(101)), "must be at most 100 characters");
        assert_eq!(Some(&*location("São\nPaulo")), CONTROL);
    }

    #[test]
    fn phones_are_digits_and_marks() {
        for good in ["", "+1 202 555 0143", "(030) 1234-567", "030/12345", "12.345", " 12345 "] {
            assert_eq!(Phone::parse(good).unwrap().as_str(), good.trim());
            assert!(regex::Regex::new(&Phone::pattern()).unwrap().is_match(good), "{good}");
        }
        let pattern = regex::Regex::new(&Phone::pattern()).unwrap();
        let long = format!("12345{}", "-".repeat(28));
        for bad in ["1234", "1234567890123456", "++12345", "1+2345", "call me", "12345x6", &long] {
            let error = "must be a phone number of 5 to 15 digits such as +1 202 555 0143";
            assert_eq!(Phone::parse(bad).err(), Some(error), "{bad}");
            assert!(bad == long || !pattern.is_match(bad), "{bad}");
        }
    }

    #[test]
    fn json_is_a_checked_string() {
        let name: FullName = serde_json::from_str("\" Ada King\"").unwrap();
        assert_eq!(serde_json::to_string(&name).unwrap(), "\"Ada King\"");
        assert!(serde_json::from_str::<FullName>("\"A\"").is_err());
    }
}
