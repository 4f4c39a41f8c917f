//! What is wrong with a configuration: one sentence for each fault, all of them at once.

use std::fmt;

use super::settings::{Secrecy, Setting};
use super::source::Source;

/// One fault: the name as it was written, where it was written, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem(String);

impl Problem {
    /// A fault at a named place, which is a kind of source or a file.
    pub(crate) fn at(name: &str, place: &str, what: impl fmt::Display) -> Self {
        Self(format!("{name} ({place}): {what}"))
    }

    /// A fault of a setting's value, named as the operator wrote it.
    pub(crate) fn of(setting: &Setting, source: &Source, what: impl fmt::Display) -> Self {
        match source {
            Source::Flag(flag) => Self::at(&format!("--{flag}"), "flag", what),
            Source::Environment(name) => Self::at(name, "environment", what),
            Source::File(path) => Self::at(setting.key, &format!("file {}", path.display()), what),
            Source::Default => Self::at(setting.key, "default", what),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything that is wrong, so that an operator mends it in one go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problems(Vec<Problem>);

impl Problems {
    /// An error when there is any fault at all.
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
    /// One line for each.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            let break_before = if index == 0 { "" } else { "\n" };
            write!(f, "{break_before}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Why a text is not a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// It is not what this names, for example "an address such as 127.0.0.1:8080".
    Not(&'static str),
    /// The words of the rule that refused it.
    Because(String),
}

impl Malformed {
    /// The fault as a sentence; what may be secret is not repeated in it.
    pub(crate) fn sentence(&self, setting: &Setting, text: &str) -> String {
        match self {
            Self::Because(reason) => reason.clone(),
            // A user name and password may have strayed into any URL.
            Self::Not(expected)
                if setting.secrecy == Secrecy::Public
                    && !(text.contains("://") && text.contains('@')) =>
            {
                format!("{text:?} is not {expected}")
            }
            Self::Not(expected) => {
                format!("the value, which is not shown since it may be secret, is not {expected}")
            }
        }
    }
}
