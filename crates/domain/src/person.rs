//! What a person says of themself: name, bio, location and phone. The rules are light, because
//! names are: they keep out what would break a line, a mail or a page, and little else.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Fields;
use crate::text::{TextRule, white_space};

/// Declares texts that exist only when they fit, and travel as strings.
macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The text, without white space around it.
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
    /// A person's whole name as they write it. First and last name are read from it, never kept
    /// beside it: the first word, and the rest.
    FullName;
    /// A few lines about a person; empty when they say nothing.
    Bio;
    /// Where a person is, in their own words; empty when they do not say.
    Location;
    /// A telephone number as its owner writes it; empty when they give none.
    Phone;
}

impl FullName {
    /// 2 to 100 characters on one line.
    pub const RULE: TextRule = TextRule::name(2, 100);
    /// What a first and a last name must be.
    pub const PART: TextRule = TextRule::line(1, 49);

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// Takes a first and a last name of 1 to 49 characters each; each that does not fit is named.
    pub fn parse_parts(first: &str, last: &str, fields: &mut Fields) -> Option<Self> {
        let mut part = |name, text| fields.take(name, Self::PART.parse(text));
        let (first, last) = (part("firstname", first), part("lastname", last));
        let whole = format!("{} {}", first?, last?);
        fields.take("lastname", Self::parse(&whole))
    }

    /// What is looked up: lower case, one space between words.
    #[must_use]
    pub fn key(&self) -> String {
        let words: Vec<_> = self.0.split_whitespace().map(str::to_lowercase).collect();
        words.join(" ")
    }

    /// The first word.
    #[must_use]
    pub fn first(&self) -> &str {
        self.split().0
    }

    /// All after the first word; empty for a name of one word.
    #[must_use]
    pub fn last(&self) -> &str {
        self.split().1
    }

    fn split(&self) -> (&str, &str) {
        let (first, last) = self.0.split_once(char::is_whitespace).unwrap_or((&self.0, ""));
        (first, last.trim_start())
    }
}

impl Bio {
    /// Up to 500 characters; lines may break.
    pub const RULE: TextRule = TextRule::lines(500);

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

impl Location {
    /// Up to 100 characters on one line.
    pub const RULE: TextRule = TextRule::name(0, 100);

    /// Takes what fits.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }
}

/// Digits and the marks between them, as a regular expression.
const NUMBER: &str = r"\+?(?:[ ().\/-]*[0-9]){5,15}[ ().\/-]*";

impl Phone {
    /// The most characters.
    pub const MOST: usize = 32;

    /// The rule of [`Self::parse`] as a regular expression, for the API's documents.
    #[must_use]
    pub fn pattern() -> String {
        format!("^[{0}]*(?:{NUMBER})?[{0}]*$", white_space())
    }

    /// The same where there must be a number.
    #[must_use]
    pub fn number_pattern() -> String {
        format!("^[{0}]*{NUMBER}[{0}]*$", white_space())
    }

    /// Takes 5 to 15 digits (E.164 has no more) with the marks that people set between them.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let fits = text.chars().count() <= Self::MOST;
        let text = text.trim();
        let number = text.strip_prefix('+').unwrap_or(text);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let marks = number.bytes().all(|it| it.is_ascii_digit() || b" ()-./".contains(&it));
        if fits && (text.is_empty() || (marks && (5..=15).contains(&digits))) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be a telephone number of 5 to 15 digits such as +1 202 555 0143")
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
            let name = name(whole);
            assert_eq!((name.first(), name.last()), (first, last), "{whole}");
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
            let error = "must be a telephone number of 5 to 15 digits such as +1 202 555 0143";
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
