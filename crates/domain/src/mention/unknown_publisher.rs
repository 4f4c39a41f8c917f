//! The verdict on content whose publisher is unknown: no organization has verified the domain, or
//! proved the profile on a hosted service (contract-2 section 24).

use super::{Judgment, MatchKind, Verdict};

const IMAGE_ON_SITE: &str =
    "A reference image appears on a site whose owner is not known to have a license";
const IMAGE_ON_PROFILE: &str = "A reference image appears on a profile whose owner is unknown. \
                                People share images there, so please check who posted it";
const SIMILAR_IMAGE: &str =
    "An image resembles a reference image, but not closely enough to be sure";
const NAMED: &str = "Naming somebody is not a use of their likeness by itself. Please check \
                     what the name is used for";
const WEAKLY_NAMED: &str = "Only part of a name, or a name that other people have too. Please \
                            check whether this is about the talent";

/// Where content was found whose publisher is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownPublisher {
    /// On a site of its own.
    OwnSite,
    /// On a profile of a hosted service.
    HostedProfile,
}

impl UnknownPublisher {
    /// Judges content in which a talent was recognized. Only an image that matches within the
    /// strict distance, on a site of its own, counts as unlicensed.
    #[must_use]
    pub const fn judge(self, kind: MatchKind, strong: bool) -> Judgment {
        let (verdict, reason) = match (kind, strong, self) {
            (MatchKind::Image, true, Self::OwnSite) => (Verdict::Unlicensed, IMAGE_ON_SITE),
            (MatchKind::Image, true, Self::HostedProfile) => {
                (Verdict::NeedsReview, IMAGE_ON_PROFILE)
            }
            (MatchKind::Image, false, _) => (Verdict::NeedsReview, SIMILAR_IMAGE),
            (MatchKind::Name, true, _) => (Verdict::NeedsReview, NAMED),
            (MatchKind::Name, false, _) => (Verdict::NeedsReview, WEAKLY_NAMED),
        };
        Judgment { verdict, reason, grant: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use MatchKind::{Image, Name};
    use UnknownPublisher::{HostedProfile, OwnSite};
    use Verdict::{NeedsReview, Unlicensed};

    #[test]
    fn only_a_close_image_on_a_site_of_its_own_is_unlicensed() {
        for (place, kind, strong, verdict, reason) in [
            (OwnSite, Image, true, Unlicensed, IMAGE_ON_SITE),
            (HostedProfile, Image, true, NeedsReview, IMAGE_ON_PROFILE),
            (OwnSite, Image, false, NeedsReview, SIMILAR_IMAGE),
            (HostedProfile, Image, false, NeedsReview, SIMILAR_IMAGE),
            (OwnSite, Name, true, NeedsReview, NAMED),
            (HostedProfile, Name, true, NeedsReview, NAMED),
            (OwnSite, Name, false, NeedsReview, WEAKLY_NAMED),
            (HostedProfile, Name, false, NeedsReview, WEAKLY_NAMED),
        ] {
            let judgment = place.judge(kind, strong);
            assert_eq!(judgment, Judgment { verdict, reason, grant: None }, "{place:?} {kind}");
        }
    }

    #[test]
    fn every_reason_is_one_line_without_odd_spaces() {
        for reason in [IMAGE_ON_SITE, IMAGE_ON_PROFILE, SIMILAR_IMAGE, NAMED, WEAKLY_NAMED] {
            assert!(!reason.contains('\n') && !reason.contains("  "), "{reason}");
        }
    }
}
