//! E-mail addresses: those that mail servers everywhere take, kept as their owner writes them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An address as it was written. Two that differ only in case are equal: no provider tells
/// them apart, and a second account by another spelling would be a trap.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Email(String);

impl Email {
    /// The most characters.
    pub const MOST: usize = 254;

    /// Takes a dot-atom of RFC 5322 and a domain name with a dot, in ASCII. Nothing is trimmed.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if !text.is_ascii() {
            return Err("must be an e-mail address of ASCII characters only");
        }
        if text.len() > Self::MOST {
            return Err("must be an e-mail address of at most 254 characters");
        }
        let fits = text
            .split_once('@')
            .is_some_and(|(local, domain)| is_local(local) && is_domain(domain));
        if fits { Ok(Self(text.to_owned())) } else { Err(NOT_AN_ADDRESS) }
    }

    /// The address as it was written, for mail and display.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is looked up and kept unique: the address in lower case.
    #[must_use]
    pub fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl PartialEq for Email {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for Email {}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Email {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::parse(&text)
    }
}

impl From<Email> for String {
    fn from(email: Email) -> Self {
        email.0
    }
}

const NOT_AN_ADDRESS: &str = "must be an e-mail address such as name@example.com";

/// Words of atom characters with single dots between them.
fn is_local(text: &str) -> bool {
    let atom = |it: u8| it.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&it);
    let fits = |word: &str| !word.is_empty() && word.bytes().all(atom);
    text.len() <= 64 && text.split('.').all(fits)
}

/// Labels with a dot in between, the last with a letter: mail goes to names, not to addresses of
/// machines.
fn is_domain(text: &str) -> bool {
    let last = text.rsplit_once('.').map(|(_, last)| last);
    text.len() <= 253
        && text.split('.').all(is_label)
        && last.is_some_and(|it| it.bytes().any(|it| it.is_ascii_alphabetic()))
}

fn is_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && !text.starts_with('-')
        && !text.ends_with('-')
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> Option<&'static str> {
        Email::parse(text).err()
    }

    #[test]
    fn addresses_that_are_taken() {
        let label = "d".repeat(63);
        let longest = format!("{}@{label}.{label}.{}", "l".repeat(64), "d".repeat(61));
        assert_eq!(longest.len(), 254);
        for good in [
            "ada@example.com",
            "A@b.co",
            "ada.king+news@mail.example.co.uk",
            "o'brien@example.com",
            "!#$%&'*+-/=?^_`{|}~@example.com",
            "1@2.x3",
            "ada@xn--bcher-kva.example",
            "ada@a-b.example",
            &longest,
        ] {
            assert_eq!(error(good), None, "{good}");
        }
    }

    #[test]
    fn addresses_that_are_not() {
        for bad in [
            "",
            "@",
            "ada",
            "ada@",
            "@example.com",
            "ada@example",
            "ada@localhost",
            "a@b@example.com",
            " ada@example.com",
            "ada@example.com ",
            "ada@example.com\n",
            "ada@example.com\r\nBcc: eve@example.com",
            "ada king@example.com",
            "\"ada king\"@example.com",
            ".ada@example.com",
            "ada.@example.com",
            "ada..king@example.com",
            "ada@.example.com",
            "ada@example.com.",
            "ada@example..com",
            "ada@-example.com",
            "ada@example-.com",
            "ada@exa_mple.com",
            "ada@127.0.0.1",
            "ada@[127.0.0.1]",
            "Ada <ada@example.com>",
            "ada@example.com\0",
            &format!("{}@example.com", "l".repeat(65)),
            &format!("ada@{}.com", "d".repeat(64)),
        ] {
            assert_eq!(error(bad), Some(NOT_AN_ADDRESS), "{bad:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let ascii = Some("must be an e-mail address of ASCII characters only");
        assert_eq!([error("adä@example.com"), error("ada@exämple.com")], [ascii, ascii]);
        let long = format!("ada@{}com", "d.".repeat(124));
        assert_eq!(long.len(), 255);
        assert_eq!(error(&long), Some("must be an e-mail address of at most 254 characters"));
    }

    #[test]
    fn case_is_kept_and_does_not_count() {
        let email = Email::parse("Ada.King@Example.COM").unwrap();
        assert_eq!(
            (email.as_str(), email.key().as_str()),
            ("Ada.King@Example.COM", "ada.king@example.com")
        );
        assert_eq!(email, Email::parse("ada.king@example.com").unwrap());
        assert_ne!(email, Email::parse("ada.kin@example.com").unwrap());
    }

    #[test]
    fn json_is_a_checked_string() {
        let email: Email = serde_json::from_str("\"Ada@example.com\"").unwrap();
        assert_eq!(serde_json::to_string(&email).unwrap(), "\"Ada@example.com\"");
        let error = serde_json::from_str::<Email>("\"ada\"").unwrap_err().to_string();
        assert_eq!(error, NOT_AN_ADDRESS);
    }
}
