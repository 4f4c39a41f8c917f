//! What a person says of themself: name, bio, location and phone. The rules are light, because
//! names are: they keep out what would break a line, a mail or a page, and little else.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::error::Fields;
use crate::text::parse_one_line;

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
            type Error = &'static str;

            fn try_from(text: String) -> Result<Self, &'static str> {
                Self::parse(&text)
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
    /// Takes 2 to 100 characters on one line, not counting white space around them.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if !(2..=100).contains(&text.chars().count()) {
            Err("must be 2 to 100 characters")
        } else if text.contains(is_control) {
            Err("must not contain control characters")
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// Takes a first and a last name of 1 to 49 characters each; each that does not fit is named.
    pub fn parse_parts(first: &str, last: &str, fields: &mut Fields) -> Option<Self> {
        let mut part = |name, text| fields.take(name, parse_one_line(text, 49));
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
    /// Takes up to 500 characters; lines may break.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let breaks = |it: char| matches!(it, '\n' | '\r' | '\t');
        if text.chars().count() > 500 {
            Err("must be at most 500 characters")
        } else if text.contains(|it| is_control(it) && !breaks(it)) {
            Err("must not contain control characters other than line breaks and tabs")
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

impl Location {
    /// Takes up to 100 characters on one line.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.chars().count() > 100 {
            Err("must be at most 100 characters")
        } else if text.contains(is_control) {
            Err("must not contain control characters")
        } else {
            Ok(Self(text.to_owned()))
        }
    }
}

impl Phone {
    /// Takes 5 to 15 digits (E.164 has no more) with the marks that people set between them.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let number = text.strip_prefix('+').unwrap_or(text);
        let digits = number.bytes().filter(u8::is_ascii_digit).count();
        let marks = number.bytes().all(|it| it.is_ascii_digit() || b" ()-./".contains(&it));
        if text.is_empty() || (marks && text.len() <= 32 && (5..=15).contains(&digits)) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be a telephone number of 5 to 15 digits such as +1 202 555 0143")
        }
    }
}

/// Control characters, line separators, and what turns the direction of the text after it around:
/// a name must not be able to rewrite the line it stands in. Joiners stay, some scripts need them.
fn is_control(it: char) -> bool {
    it.is_control() || matches!(it, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
        for good in ["Bo", "李明", "Ada King", "O’Brien-Šmíd, Jr.", "نیم‌فاصله", &long]
        {
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
            assert_eq!(FullName::parse(bad).err(), error, "{bad:?}");
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
        let bio = |text: &str| Bio::parse(text).err();
        assert_eq!([bio(""), bio(&"é".repeat(500)), bio("One.\r\n\tTwo.")], [None; 3]);
        assert_eq!(bio(&"é".repeat(501)), Some("must be at most 500 characters"));
        let controls = "must not contain control characters other than line breaks and tabs";
        assert_eq!([bio("a\0b"), bio("a\u{1b}[31mb")], [Some(controls); 2]);
        let location = |text: &str| Location::parse(text).err();
        assert_eq!(
            [location(""), location("São Paulo, BR"), location(&"é".repeat(100))],
            [None; 3]
        );
        assert_eq!(location(&"é".repeat(101)), Some("must be at most 100 characters"));
        assert_eq!(location("São\nPaulo"), CONTROL);
    }

    #[test]
    fn phones_are_digits_and_marks() {
        for good in ["", "+1 202 555 0143", "(030) 1234-567", "030/12345", "12.345", " 12345 "] {
            assert_eq!(Phone::parse(good).unwrap().as_str(), good.trim());
        }
        let long = format!("12345{}", "-".repeat(28));
        for bad in ["1234", "1234567890123456", "++12345", "1+2345", "call me", "12345x6", &long] {
            let error = "must be a telephone number of 5 to 15 digits such as +1 202 555 0143";
            assert_eq!(Phone::parse(bad).err(), Some(error), "{bad}");
        }
    }

    #[test]
    fn json_is_a_checked_string() {
        let name: FullName = serde_json::from_str("\" Ada King\"").unwrap();
        assert_eq!(serde_json::to_string(&name).unwrap(), "\"Ada King\"");
        assert!(serde_json::from_str::<FullName>("\"A\"").is_err());
    }
}
