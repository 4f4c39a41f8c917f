//! The verdict on a mention: whether the use is covered, as far as can be determined automatically
//! (contract section 7).

use super::Verdict;

/// The facts a verdict is based on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictInput {
    /// Whether the platform's organization has a permission on a watched license of the talent.
    pub has_permission: bool,
    /// Whether one of these licenses is in force.
    pub in_force: bool,
    /// Whether the match is strong.
    pub strong: bool,
}

impl VerdictInput {
    /// Returns the verdict and its reason.
    #[must_use]
    pub const fn judge(self) -> (Verdict, &'static str) {
        match self {
            Self { has_permission: true, in_force: true, .. } => {
                (Verdict::Licensed, "The platform's organization has an active permission")
            }
            Self { has_permission: true, in_force: false, .. } => (
                Verdict::NeedsReview,
                "The platform's organization has a permission that is not active",
            ),
            Self { has_permission: false, strong: true, .. } => (
                Verdict::Unlicensed,
                "Strong match, and the platform's organization has no permission",
            ),
            Self { has_permission: false, strong: false, .. } => (
                Verdict::NeedsReview,
                "Weak match, and the platform's organization has no permission",
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
        let verdict = |has_permission, in_force, strong| {
            VerdictInput { has_permission, in_force, strong }.judge().0
        };
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
