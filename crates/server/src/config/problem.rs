//! Problems of a configuration, all reported at once.

use std::fmt;

use super::settings::{Secrecy, Setting};
use super::source::ValueSource;

/// One problem: the name as it was written, where it was written, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem(String);

impl Problem {
    /// A problem at a place, which is a kind of source or a file.
    pub(crate) fn at(name: &str, place: &str, what: impl fmt::Display) -> Self {
        Self(format!("{name} ({place}): {what}"))
    }

    /// A problem of a setting's value, with the name as the operator wrote it.
    pub(crate) fn of(setting: &Setting, source: &ValueSource, what: impl fmt::Display) -> Self {
        match source {
            ValueSource::Flag(flag) => Self::at(&format!("--{flag}"), "flag", what),
            ValueSource::Environment(name) => Self::at(name, "environment", what),
            ValueSource::File(path) => {
                Self::at(setting.key, &format!("file {}", path.display()), what)
            }
            ValueSource::Default => Self::at(setting.key, "default", what),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All problems, so that an operator can fix them at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// Returns an error if there is any problem.
    pub(crate) fn check(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    /// Writes one line for each problem.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let break_before = if index == 0 { "" } else { "\n" };
            write!(f, "{break_before}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Why a value is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// It is not of the expected form, for example "an address such as 127.0.0.1:8080".
    Not(&'static str),
    /// A complete reason.
    Because(String),
}

impl Malformed {
    /// The message, which does not repeat values that may be secret.
    pub(crate) fn sentence(&self, setting: &Setting, text: &str) -> String {
        match self {
            Self::Because(reason) => reason.clone(),
            // Any URL may contain a user name and password by mistake.
            Self::Not(expected)
                if setting.secrecy == Secrecy::Public
                    && !(text.contains("://") && text.contains('@')) =>
            {
                format!("{text:?} is not {expected}")
            }
            Self::Not(expected) => {
                format!("the value (hidden because it may be secret) is not {expected}")
            }
        }
    }
}
