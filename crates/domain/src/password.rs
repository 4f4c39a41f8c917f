//! Passwords: the console document's rule, and by a stricter policy also the refusal of those that
//! everybody chooses or that repeat what is known of the person.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;
use zxcvbn::{Score, zxcvbn};

/// Which new passwords are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasswordPolicy {
    /// The console document's rule and no other.
    #[default]
    Standard,
    /// That rule, and none that is guessed within a million tries.
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

/// A password in the clear. It cannot be printed or compared; what is stored is an Argon2id hash.
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes a new password. `about` is what others know of the person, such as address, name and
    /// organization: under the strict policy, a password made of that is as bad as a common one.
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

    /// Takes a password presented to be checked: anything that could have been chosen under this
    /// rule or an earlier one, so bounded only. Nothing when no account can have it.
    #[must_use]
    pub fn present(text: &str) -> Option<Self> {
        let fits = text.len() <= MAX_BYTES && !text.contains('\0');
        fits.then(|| Self::of(text))
    }

    /// One form of each letter: keyboards differ in how they write an é.
    fn of(text: &str) -> Self {
        let mut one = Zeroizing::new(String::with_capacity(4 * text.len()));
        one.extend(text.nfkc());
        Self(one)
    }

    /// The text itself, for hashing.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// The most bytes of a password.
pub const MAX_BYTES: usize = 128;
/// The fewest characters of a password.
pub const MIN_CHARACTERS: usize = 8;

/// Why a password is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasswordError {
    /// Longer than hashing should have to bear.
    TooLong,
    /// It holds a NUL, which some programs would cut it at.
    Nul,
    /// What the rule wants and it does not have.
    Lacks(Vec<&'static str>),
    /// Guessed within a million tries.
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
                "is too easy to guess: avoid common passwords, your name and your address",
            ),
        }
    }
}

impl std::error::Error for PasswordError {}

/// The estimator's work grows steeply with look-alike characters: a hundred of them cost it a
/// second, twenty some 30 ms. Whoever is hard to guess so far does not become easier after.
const JUDGED_CHARACTERS: usize = 20;

fn lacks(text: &str) -> Vec<&'static str> {
    let has = |test: fn(char) -> bool| text.chars().any(test);
    [
        (text.chars().count() >= MIN_CHARACTERS, "at least 8 characters"),
        (has(char::is_uppercase), "an upper-case letter"),
        (has(char::is_lowercase), "a lower-case letter"),
        (has(|it| it.is_ascii_digit()), "a digit"),
        (has(|it| !it.is_alphanumeric()), "a special character"),
    ]
    .into_iter()
    .filter_map(|(met, part)| (!met).then_some(part))
    .collect()
}

/// A score below two means about a million guesses at most. The estimator knows tens of thousands
/// of common passwords and words, and sees through case, look-alike characters, keyboard rows and
/// years. (For the last it asks the machine which year it is; no verdict on a common password
/// hangs on that.)
fn is_guessable(text: &str, about: &[&str]) -> bool {
    let start: Zeroizing<String> = Zeroizing::new(text.chars().take(JUDGED_CHARACTERS).collect());
    // It compares whole words only, so an address or a name is given to it in parts too.
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
            ("password123!".to_owned(), "must have an upper-case letter"),
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
                "must have at least 8 characters, an upper-case letter, a lower-case letter, a digit and a special character",
            ),
            ("kX9#mQ2", "must have at least 8 characters"),
            ("kx9#mq2!", "must have an upper-case letter"),
            ("KX9#MQ2!", "must have a lower-case letter"),
            ("kXy#mQz!", "must have a digit"),
            ("kX9bmQ2a", "must have a special character"),
            ("kXybmQza", "must have a digit and a special character"),
            ("kx9#mq2", "must have at least 8 characters and an upper-case letter"),
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
        // The control: for somebody else that word says nothing.
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
