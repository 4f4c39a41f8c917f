//! Views of staff: a member of staff looks at an organization as one of its people sees it. A view
//! changes nothing, and the organization is told.

use std::time::Duration;

use crate::text::TextRule;

/// How long a view lasts at most.
pub const LIFE: Duration = Duration::from_mins(30);

/// The rule for the reason, which the organization is told.
pub const REASON: TextRule = TextRule::line(10, 500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_is_short_and_has_a_reason() {
        assert_eq!(LIFE.as_secs(), 1_800);
        for wrong in ["", "support", "two\nlines of a reason"] {
            assert!(REASON.parse(wrong).is_err(), "{wrong}");
        }
        assert!(REASON.parse("They asked why a license is missing").is_ok());
    }
}
