//! What a tenant may have only so much of (contract-2 section 27).

use crate::{Error, ErrorKind, plan};

/// Something that a tenant's plan bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounded {
    /// Bytes of pictures.
    ImageBytes,
    /// Talents.
    Talents,
    /// Licenses.
    Licenses,
    /// Webhooks.
    Webhooks,
}

impl Bounded {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::ImageBytes, Self::Talents, Self::Licenses, Self::Webhooks];

    /// So much of it, as messages say it.
    fn phrase(self, count: u64) -> String {
        let (one, many) = match self {
            Self::ImageBytes => return format!("{} of images", plan::storage(count)),
            Self::Talents => ("talent", "talents"),
            Self::Licenses => ("license", "licenses"),
            Self::Webhooks => ("webhook", "webhooks"),
        };
        format!("{} {}", plan::grouped(count), if count == 1 { one } else { many })
    }

    /// Refuses what would lead beyond the bound; `used` counts without what is being added. Whoever
    /// is beyond it already, as after a change to a smaller plan, keeps what there is.
    pub fn admit(self, limit: Option<u64>, used: u64, added: u64) -> Result<(), Error> {
        match limit {
            Some(limit) if used.saturating_add(added) > limit => {
                let kind = ErrorKind::BoundReached { limit, used };
                Err(Error::new(kind, format!("Your plan allows {}", self.phrase(limit))))
            }
            _ => Ok(()),
        }
    }
}

/// How much of each a tenant has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Bytes of pictures.
    pub image_bytes: u64,
    /// Talents.
    pub talents: u64,
    /// Licenses.
    pub licenses: u64,
    /// Webhooks.
    pub webhooks: u64,
}

impl Used {
    /// How much of one.
    #[must_use]
    pub const fn of(&self, what: Bounded) -> u64 {
        match what {
            Bounded::ImageBytes => self.image_bytes,
            Bounded::Talents => self.talents,
            Bounded::Licenses => self.licenses,
            Bounded::Webhooks => self.webhooks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_reached_and_never_passed() {
        let talents = Bounded::Talents;
        assert_eq!(talents.admit(Some(3), 2, 1), Ok(()));
        assert_eq!(talents.admit(None, u64::MAX, 1), Ok(()));
        for (used, added) in [(3, 1), (9, 1), (2, 2), (1, u64::MAX)] {
            let error = talents.admit(Some(3), used, added).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::BoundReached { limit: 3, used });
            assert_eq!(error.message(), "Your plan allows 3 talents");
        }
    }

    #[test]
    fn a_bound_is_told_in_plain_words() {
        for (what, limit, said) in [
            (Bounded::Webhooks, 1, "Your plan allows 1 webhook"),
            (Bounded::Licenses, 10_000, "Your plan allows 10,000 licenses"),
            (Bounded::ImageBytes, 40_960, "Your plan allows 40 KiB of images"),
        ] {
            let error = what.admit(Some(limit), limit, 1).unwrap_err();
            assert_eq!(error.message(), said);
        }
    }
}
