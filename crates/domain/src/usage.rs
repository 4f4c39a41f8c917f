//! Resources limited by a tenant's plan (contract-2 section 27).

use strum::VariantArray;

use crate::enum_names::enum_variants;
use crate::{Error, ErrorKind, plan};

enum_variants!(LimitedResource);

/// A resource limited by the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum LimitedResource {
    /// Bytes of images.
    ImageBytes,
    /// Talents.
    Talents,
    /// Licenses.
    Licenses,
    /// Webhooks.
    Webhooks,
    /// Sources.
    Sources,
}

impl LimitedResource {
    /// The amount in words, for messages.
    fn phrase(self, count: u64) -> String {
        let (one, many) = match self {
            Self::ImageBytes => return format!("{} of images", plan::storage(count)),
            Self::Talents => ("talent", "talents"),
            Self::Licenses => ("license", "licenses"),
            Self::Webhooks => ("webhook", "webhooks"),
            Self::Sources => ("source", "sources"),
        };
        format!("{} {}", plan::grouped(count), if count == 1 { one } else { many })
    }

    /// Checks that adding to the resource stays within the limit; `used` does not include `added`.
    /// A tenant that is already over the limit, such as after a downgrade, keeps what it has.
    pub fn admit(self, limit: Option<u64>, used: u64, added: u64) -> Result<(), Error> {
        match limit {
            Some(limit) if used.saturating_add(added) > limit => {
                let kind = ErrorKind::PlanLimitReached { limit, used };
                let phrase = self.phrase(limit);
                Err(Error::new(kind, format!("Your plan allows {phrase}; upgrade for more")))
            }
            _ => Ok(()),
        }
    }
}

/// A tenant's usage of each resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceUsage {
    /// Bytes of images.
    pub image_bytes: u64,
    /// Talents.
    pub talents: u64,
    /// Licenses.
    pub licenses: u64,
    /// Webhooks.
    pub webhooks: u64,
    /// Sources.
    pub sources: u64,
}

impl ResourceUsage {
    /// The usage of one resource.
    #[must_use]
    pub const fn of(&self, what: LimitedResource) -> u64 {
        match what {
            LimitedResource::ImageBytes => self.image_bytes,
            LimitedResource::Talents => self.talents,
            LimitedResource::Licenses => self.licenses,
            LimitedResource::Webhooks => self.webhooks,
            LimitedResource::Sources => self.sources,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_reached_and_never_passed() {
        let talents = LimitedResource::Talents;
        assert_eq!(talents.admit(Some(3), 2, 1), Ok(()));
        assert_eq!(talents.admit(None, u64::MAX, 1), Ok(()));
        for (used, added) in [(3, 1), (9, 1), (2, 2), (1, u64::MAX)] {
            let error = talents.admit(Some(3), used, added).unwrap_err();
            assert_eq!(*error.kind(), ErrorKind::PlanLimitReached { limit: 3, used });
            assert_eq!(error.message(), "Your plan allows 3 talents; upgrade for more");
        }
    }

    #[test]
    fn a_bound_is_told_in_plain_words() {
        for (what, limit, said) in [
            (LimitedResource::Webhooks, 1, "1 webhook"),
            (LimitedResource::Sources, 5, "5 sources"),
            (LimitedResource::Licenses, 10_000, "10,000 licenses"),
            (LimitedResource::ImageBytes, 40_960, "40 KiB of images"),
        ] {
            let error = what.admit(Some(limit), limit, 1).unwrap_err();
            assert_eq!(error.message(), format!("Your plan allows {said}; upgrade for more"));
        }
    }
}
