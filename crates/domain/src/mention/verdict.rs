//! Whether a use is covered, as far as a machine can tell (contract section 7).

use super::Verdict;

/// What the verdict on a sighting rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Whether the platform's organization holds a permission on a license of the talent that is
    /// watched.
    pub holds: bool,
    /// Whether one of these licenses is in force.
    pub in_force: bool,
    /// Whether there is hardly a doubt that it is the licensed person.
    pub strong: bool,
}

impl Evidence {
    /// The verdict, and which rule says so.
    #[must_use]
    pub const fn judge(self) -> (Verdict, &'static str) {
        match self {
            Self { holds: true, in_force: true, .. } => (
                Verdict::Licensed,
                "The platform's organization holds a permission that is in force",
            ),
            Self { holds: true, in_force: false, .. } => (
                Verdict::NeedsReview,
                "The platform's organization holds a permission that is not in force",
            ),
            Self { holds: false, strong: true, .. } => (
                Verdict::Unlicensed,
                "Strong match, and the platform's organization holds no permission",
            ),
            Self { holds: false, strong: false, .. } => (
                Verdict::NeedsReview,
                "Weak match, and the platform's organization holds no permission",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_has_its_verdict() {
        use Verdict::{Licensed, NeedsReview, Unlicensed};
        let verdict = |holds, in_force, strong| Evidence { holds, in_force, strong }.judge().0;
        for in_force in [true, false] {
            assert_eq!(verdict(false, in_force, true), Unlicensed);
            assert_eq!(verdict(false, in_force, false), NeedsReview);
        }
        for strong in [true, false] {
            assert_eq!(verdict(true, true, strong), Licensed);
            assert_eq!(verdict(true, false, strong), NeedsReview);
        }
    }
}
