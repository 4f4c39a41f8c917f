//! Passwords: the rule of the console document, and an optional strict policy that also refuses
//! common passwords and those derived from personal details.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;
use zxcvbn::{Score, zxcvbn};

/// The policy for new passwords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasswordPolicy {
    /// Only the rule of the console document.
    #[default]
    Standard,
    /// Also refuses passwords that can be guessed within a million attempts.
    Strict,
}

impl FromStr for PasswordPolicy {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "standard" => Ok(Self::Standard),
            "strict" => Ok(Self::Strict),
            _ => Err("must be standard or strict"),
        }
    }
}

/// A password in plain text. It cannot be printed or compared; only an Argon2id hash is stored.
pub struct Password(Zeroizing<String>);

impl Password {
    /// Parses a new password. `about` lists personal details such as email address, name and
    /// organization; under the strict policy a password derived from them is refused.
    pub fn choose(
        text: &str,
        about: &[&str],
        policy: PasswordPolicy,
    ) -> Result<Self, PasswordError> {
        if text.len() > MAX_BYTES {
            return Err(PasswordError::TooLong);
        }
        if text.contains('\0') {
            return Err(PasswordError::Nul);
        }
        let lacks = lacks(text);
        if !lacks.is_empty() {
            return Err(PasswordError::Lacks(lacks));
        }
        if policy == PasswordPolicy::Strict && is_guessable(text, about) {
            return Err(PasswordError::Guessable);
        }
        Ok(Self::of(text))
    }

    /// Parses a password presented for verification. Accepts anything that may have been allowed by
    /// this or an earlier rule; returns `None` if no account can have it.
    #[must_use]
    pub fn present(text: &str) -> Option<Self> {
        let fits = text.len() <= MAX_BYTES && !text.contains('\0');
        fits.then(|| Self::of(text))
    }

    /// Normalizes to NFKC, because keyboards differ in how they encode letters such as é.
    fn of(text: &str) -> Self {
        let mut one = Zeroizing::new(String::with_capacity(4 * text.len()));
        one.extend(text.nfkc());
        Self(one)
    }

    /// The password, for hashing.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The maximum length, in bytes.
pub const MAX_BYTES: usize = 128;
/// The minimum length, in characters.
pub const MIN_CHARACTERS: usize = 8;

/// Why a password is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasswordError {
    /// Too long.
    TooLong,
    /// Contains a NUL character, at which some programs would truncate it.
    Nul,
    /// The requirements that are not met.
    Lacks(Vec<&'static str>),
    /// Guessable within a million attempts.
    Guessable,
}

impl fmt::Display for PasswordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "must be at most {MAX_BYTES} bytes"),
            Self::Nul => f.write_str("must not contain a NUL character"),
            Self::Lacks(parts) => match parts.split_last() {
                Some((last, [])) => write!(f, "must have {last}"),
                Some((last, rest)) => write!(f, "must have {} and {last}", rest.join(", ")),
                None => Ok(()),
            },
            Self::Guessable => f.write_str(
                "is too easy to guess: avoid common passwords, your name and your email address",
            ),
        }
    }
}

impl std::error::Error for PasswordError {}

/// The cost of the estimator grows steeply with look-alike characters: a hundred take a second,
/// twenty about 30 ms. A password that is hard to guess up to here does not become easier after it.
const JUDGED_CHARACTERS: usize = 20;

fn lacks(text: &str) -> Vec<&'static str> {
    let has = |test: fn(char) -> bool| text.chars().any(test);
    [
        (text.chars().count() >= MIN_CHARACTERS, "at least 8 characters"),
        (has(char::is_uppercase), "an uppercase letter"),
        (has(char::is_lowercase), "a lowercase letter"),
        (has(|it| it.is_ascii_digit()), "a digit"),
        (has(|it| !it.is_alphanumeric()), "a special character"),
    ]
    .into_iter()
    .filter_map(|(met, part)| (!met).then_some(part))
    .collect()
}

/// A score below two means at most about a million guesses. The estimator knows common passwords
/// and words, and recognizes changes of case, look-alike characters, keyboard rows and years. (For
/// years it reads the system clock; the result for common passwords does not depend on it.)
fn is_guessable(text: &str, about: &[&str]) -> bool {
    let start: Zeroizing<String> = Zeroizing::new(text.chars().take(JUDGED_CHARACTERS).collect());
    // The estimator only compares whole words, so addresses and names are also passed in parts.
    let parts = about.iter().flat_map(|it| it.split(|it: char| !it.is_alphanumeric()));
    let known: Vec<_> = about.iter().copied().chain(parts).filter(|it| it.len() > 1).collect();
    zxcvbn(&start, &known).score() < Score::Two
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::otp::tests::assert_silent!(Password);

    const ABOUT: [&str; 3] = ["ada.montague@example.com", "Ada Montague", "Quillfeather Agency"];

    fn error(text: &str) -> Option<String> {
        Password::choose(text, &ABOUT, PasswordPolicy::Strict).err().map(|it| it.to_string())
    }

    #[test]
    fn by_default_the_documents_rule_is_the_only_one() {
        let standard = PasswordPolicy::default();
        for common in ["Password123!", "P@ssw0rd", "Montague1!", "Aaaaaaa1!"] {
            assert!(Password::choose(common, &ABOUT, standard).is_ok(), "{common}");
        }
        for (lacking, why) in [
            ("Pass123!x".repeat(15), "must be at most 128 bytes"),
            ("password123!".to_owned(), "must have an uppercase letter"),
        ] {
            let error = Password::choose(&lacking, &ABOUT, standard).err().map(|it| it.to_string());
            assert_eq!(error.as_deref(), Some(why), "{lacking}");
        }
        assert_eq!("strict".parse(), Ok(PasswordPolicy::Strict));
        assert_eq!("Strict".parse::<PasswordPolicy>(), Err("must be standard or strict"));
    }

    #[test]
    fn what_is_missing_is_named() {
        for (text, expected) in [
            (
                "",
                "must have at least 8 characters, an uppercase letter, a lowercase letter, a digit and a special character",
            ),
            ("kX9#mQ2", "must have at least 8 characters"),
            ("kx9#mq2!", "must have an uppercase letter"),
            ("KX9#MQ2!", "must have a lowercase letter"),
            ("kXy#mQz!", "must have a digit"),
            ("kX9bmQ2a", "must have a special character"),
            ("kXybmQza", "must have a digit and a special character"),
            ("kx9#mq2", "must have at least 8 characters and an uppercase letter"),
            ("kX9#mQ2!\0", "must not contain a NUL character"),
            (&format!("kX9#{}", "é".repeat(63)), "must be at most 128 bytes"),
        ] {
            assert_eq!(error(text).as_deref(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn good_passwords_are_taken() {
        let longest = format!("kX9#mQ2!{}", "é".repeat(60));
        assert_eq!(longest.len(), 128);
        for good in ["kX9#mQ2!", "Violet.Kettle7", "a Tall ship 4 2", "Çà#9ñÖlß", &longest] {
            assert_eq!(error(good), None, "{good}");
        }
    }

    #[test]
    fn common_passwords_are_refused_in_every_disguise() {
        let guessable = PasswordError::Guessable.to_string();
        for bad in [
            "P@ssw0rd",
            "P@$$w0rd",
            "Passw0rd!",
            "Password1!",
            "Password123!",
            "Password1!Password1!",
            "Qwerty123!",
            "Welcome1!",
            "Letmein1!",
            "Iloveyou1!",
            "Abcd1234!",
            "Admin123!",
            "1qaz!QAZ",
            "1qaz@WSX",
            "Aaaaaaa1!",
            "Monkey1!",
            "Montague1!",
            "Quillfeather1!",
        ] {
            assert_eq!(error(bad).as_ref(), Some(&guessable), "{bad}");
        }
        // Control: the same word is fine for another user.
        assert!(Password::choose("Quillfeather1!", &[], PasswordPolicy::Strict).is_ok());
    }

    #[test]
    fn the_start_of_a_long_password_decides() {
        let (weak, strong) = ("Aa1!".repeat(5), "vT7?kX9#mQ2!".repeat(9));
        assert_eq!(error(&format!("{weak}{strong}")), Some(PasswordError::Guessable.to_string()));
        assert_eq!(error(&format!("{}{strong}", &weak[..16])), None);
    }

    #[test]
    fn what_is_presented_is_bounded_only() {
        assert!(Password::present("old").is_some_and(|it| it.expose() == "old"));
        assert!(Password::present(&"a".repeat(128)).is_some());
        assert!(Password::present(&"a".repeat(129)).is_none());
        assert!(Password::present("a\0").is_none());
    }

    #[test]
    fn both_ways_to_write_a_letter_are_one() {
        let of = |text| Password::present(text).unwrap().expose().to_owned();
        assert_eq!(of("Caf\u{e9}-1"), of("Cafe\u{301}-1"));
    }
}
