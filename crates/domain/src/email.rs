//! Email addresses, kept as the user wrote them. Domains may use any script; they are compared and
//! mailed in their ASCII form, so that look-alikes cannot be confused.

use std::fmt;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// An email address as written. Addresses that differ only in case or in the spelling of the domain
/// are equal, because they belong to the same mailbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Email {
    written: String,
    /// The domain in ASCII and lower case.
    domain: String,
}

impl Email {
    /// The maximum length of an address, in its ASCII form.
    pub const MAX_LENGTH: usize = 254;

    /// Parses a dot-atom of RFC 5322, with the letters of RFC 6531, and a domain name with at least
    /// one dot. Whitespace is not trimmed.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        if text.len() > MAX_BYTES {
            return Err(TOO_LONG);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(NOT_AN_ADDRESS)?;
        // NFC gives each letter one form and maps some symbols, such as the Kelvin sign, to ASCII.
        // The same form is compared and mailed.
        let local: String = local.nfc().collect();
        let ascii = ascii_domain(domain).ok_or(NOT_AN_ADDRESS)?;
        if local.len() + 1 + ascii.len() > Self::MAX_LENGTH {
            return Err(TOO_LONG);
        }
        if !is_local(&local) || !is_domain(&ascii) {
            return Err(NOT_AN_ADDRESS);
        }
        Ok(Self { written: format!("{local}@{domain}"), domain: ascii })
    }

    /// The address as written, for display.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// The address for mail servers: the domain in ASCII.
    #[must_use]
    pub fn mailbox(&self) -> String {
        if self.written.rsplit_once('@').is_some_and(|(_, domain)| domain.is_ascii()) {
            return self.written.clone();
        }
        format!("{}@{}", self.local(), self.domain)
    }

    /// The lookup and uniqueness key: lower case, with the domain in ASCII.
    #[must_use]
    pub fn key(&self) -> String {
        let local: String = self.local().chars().map(lower).collect();
        format!("{local}@{}", self.domain)
    }

    /// The domain in ASCII and lower case.
    #[must_use]
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The address with most of it left out, by which its owner recognizes it: `a•••@example.com`.
    #[must_use]
    pub fn masked(&self) -> String {
        let first: String = self.local().chars().take(1).collect();
        let domain = self.written.rsplit_once('@').map_or("", |(_, domain)| domain);
        format!("{first}\u{2022}\u{2022}\u{2022}@{domain}")
    }

    fn local(&self) -> &str {
        self.written.rsplit_once('@').map_or("", |(local, _)| local)
    }
}

impl PartialEq for Email {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Email {}

impl fmt::Display for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
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
        email.written
    }
}

const NOT_AN_ADDRESS: &str = "must be an email address such as name@example.com";
const TOO_LONG: &str = "must be an email address of at most 254 characters";
/// The limit for the written form: each of its characters takes at least one byte in the mailed
/// form.
const MAX_BYTES: usize = 4 * Email::MAX_LENGTH;

/// Whether a text is a dot-atom: words of atom characters separated by single dots. Non-ASCII
/// letters, digits and their combining marks are allowed, but no blank, invisible or bidirectional
/// control characters.
fn is_local(text: &str) -> bool {
    let atom = |it: char| {
        if it.is_ascii() {
            it.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(it)
        } else {
            it.is_alphanumeric() || is_combining_mark(it)
        }
    };
    let fits = |word: &str| {
        !word.is_empty() && word.chars().all(atom) && !word.starts_with(is_combining_mark)
    };
    text.len() <= 64 && text.split('.').all(fits)
}

/// Lower case, one character for one. A non-ASCII letter never becomes an ASCII letter, because
/// that would be a different mailbox.
fn lower(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if one.is_ascii() == letter.is_ascii() => one,
        _ => letter,
    }
}

/// The domain in ASCII and lower case (IDNA), if it is a valid name.
fn ascii_domain(text: &str) -> Option<String> {
    if text.is_ascii() {
        return Some(text.to_ascii_lowercase());
    }
    // `Host::parse` would decode or drop these characters.
    if text.contains('%') || text.chars().any(|it| it.is_whitespace() || it.is_control()) {
        return None;
    }
    match url::Host::parse(text).ok()? {
        url::Host::Domain(name) => Some(name),
        _ => None,
    }
}

/// Whether a text is a domain name with at least one dot whose last label contains a letter, which
/// excludes IP addresses.
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
    fn a_masked_address_shows_its_first_letter_and_its_domain() {
        let masked = |text| Email::parse(text).unwrap().masked();
        assert_eq!(masked("ada@example.com"), "a•••@example.com");
        assert_eq!(masked("é@example.com"), "é•••@example.com");
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
    fn what_is_too_long_is_told() {
        let long = format!("ada@{}com", "d.".repeat(124));
        assert_eq!(long.len(), 255);
        assert_eq!(error(&long), Some(TOO_LONG));
        assert_eq!(error(&"ä".repeat(600)), Some(TOO_LONG));
        // 245 characters as written, more than 254 as mailed.
        let domain = ["ü".repeat(50), "ö".repeat(50), "ä".repeat(50), "ë".repeat(50)].join(".");
        assert_eq!(error(&format!("{}@{domain}.example", "l".repeat(34))), Some(TOO_LONG));
    }

    #[test]
    fn a_domain_of_any_script_is_compared_and_mailed_in_ascii() {
        let email = Email::parse("müller@bücher.example").unwrap();
        assert_eq!(email.as_str(), "müller@bücher.example");
        assert_eq!(email.mailbox(), "müller@xn--bcher-kva.example");
        for same in [
            "MÜLLER@BÜCHER.example",
            "müller@xn--bcher-kva.EXAMPLE",
            "mu\u{308}ller@bücher。example",
        ] {
            assert_eq!(Email::parse(same).as_ref(), Ok(&email), "{same}");
        }
        for other in ["muller@bücher.example", "müller@bucher.example"] {
            assert_ne!(Email::parse(other).unwrap(), email, "{other}");
        }
    }

    #[test]
    fn look_alikes_are_others() {
        let latin = Email::parse("ada@apple.example").unwrap();
        let cyrillic = Email::parse("ada@\u{430}pple.example").unwrap();
        assert_eq!(cyrillic.key(), "ada@xn--pple-43d.example");
        assert_ne!(latin, cyrillic);
        assert_ne!(Email::parse("\u{430}da@apple.example").unwrap(), latin);
        // A symbol that NFC maps to an ASCII letter counts as that letter in both forms.
        let kelvin = Email::parse("\u{212a}ate@example.com").unwrap();
        assert_eq!(
            (kelvin.mailbox(), kelvin.key()),
            ("Kate@example.com".into(), "kate@example.com".into())
        );
        // A dotted capital I has no single-character lower case.
        assert_eq!(Email::parse("İ@example.com").unwrap().key(), "İ@example.com");
    }

    #[test]
    fn hidden_and_turning_characters_are_no_part_of_an_address() {
        for hidden in
            ["a\u{200b}da", "a\u{202e}da", "a\u{a0}da", "\u{301}da", "a\u{ad}da", "a\u{85}da"]
        {
            assert_eq!(error(&format!("{hidden}@example.com")), Some(NOT_AN_ADDRESS), "{hidden:?}");
        }
        for domain in [
            "b%C3%BCcher.example",
            "bü cher.example",
            "bü\u{200b}",
            "ü",
            "１２７.0.0.1",
            "xn--ü.example",
        ] {
            assert_eq!(error(&format!("ada@{domain}")), Some(NOT_AN_ADDRESS), "{domain:?}");
        }
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
