//! Teams: names, member status and the last admin (contract section 5).

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;
use crate::error::{Error, Result};
use crate::organization::name_key;
use crate::role::Role;
use crate::text::TextRule;

enum_names!(MemberStatus);

/// The maximum number of members per team, including pending ones, so that they can be listed on
/// one page.
pub const MAX_MEMBERS: usize = 500;

/// The name of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamName(String);

impl TeamName {
    /// 2 to 50 characters on one line.
    pub const RULE: TextRule = TextRule::line(2, 50);

    /// Parses and validates the text; surrounding whitespace is trimmed.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as entered.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The uniqueness key within an organization.
    #[must_use]
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// The status of a member. Invited people are not members until they accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum MemberStatus {
    /// The member can sign in.
    Active,
    /// Temporarily disabled: sessions are ended and API clients do not work.
    Inactive,
}

/// Checks that an active member may leave, be deactivated or be given another role. The last active
/// `Organization_Admin` may not, or nobody could invite members. The count includes this member.
pub fn may_lose(role: Role, active_admins: u64) -> Result<()> {
    if role == Role::OrganizationAdmin && active_admins <= 1 {
        let message = "The last active Organization_Admin cannot be removed, demoted or made \
                       inactive";
        return Err(Error::conflict(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;

    #[test]
    fn names_have_2_to_50_characters() {
        let name = |text: &str| TeamName::parse(text).map(|it| it.as_str().to_owned());
        assert_eq!(name("  Voices & Faces\n"), Ok("Voices & Faces".to_owned()));
        assert!(name(&"é".repeat(50)).is_ok());
        for bad in ["", "x", " x ", "x\u{200D}", &"é".repeat(51)] {
            assert_eq!(name(bad), Err("must be 2 to 50 characters".to_owned()), "{bad:?}");
        }
        for bad in ["a\0b", "a\nb", "a\u{202E}b"] {
            assert_eq!(name(bad), Err("must not contain control characters".to_owned()), "{bad:?}");
        }
        let key = |text: &str| TeamName::parse(text).unwrap().key();
        assert_eq!(key("Voices  ABROAD"), key("voices abroad"));
        assert_ne!(key("Voices"), key("Voice"));
    }

    #[test]
    fn one_admin_stays() {
        for role in Role::ALL {
            for count in 0..4 {
                let stays = role != Role::OrganizationAdmin || count >= 2;
                assert_eq!(may_lose(role, count).is_ok(), stays, "{role} {count}");
            }
        }
        let error = may_lose(Role::OrganizationAdmin, 1).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Conflict);
    }

    #[test]
    fn statuses_have_one_name() {
        for status in MemberStatus::ALL {
            assert_eq!(status.name().parse(), Ok(status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
        let error = "pending".parse::<MemberStatus>().unwrap_err();
        assert_eq!(error, "must be one of active, inactive");
    }
}
