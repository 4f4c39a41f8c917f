//! The phase of a migration: what it does to a schema that nodes of two releases use.

use super::{Migration, RELEASED};

/// What a migration does to nodes of the last release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It adds to the schema, and they do not notice.
    Expand,
    /// It changes rows in a way that suits them, too.
    Migrate,
    /// It takes away what they use, so it waits until none of them is alive.
    Contract,
}

impl Phase {
    /// The phase's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Expand => "expand",
            Self::Migrate => "migrate",
            Self::Contract => "contract",
        }
    }
}

impl Migration {
    /// The phase that the first line names: `-- phase: contract`. Without such a line it expands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        let first = self.text.lines().next().unwrap_or_default();
        match first.strip_prefix("-- phase: ").map(str::trim_end) {
            Some("contract") => Phase::Contract,
            Some("migrate") => Phase::Migrate,
            _ => Phase::Expand,
        }
    }

    /// The last migration that a program must know to serve once this one is applied.
    pub(super) fn needs(&self) -> i64 {
        match self.phase() {
            Phase::Contract => self.version,
            Phase::Expand | Phase::Migrate => self.version.min(RELEASED),
        }
    }
}
