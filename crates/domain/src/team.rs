//! Teams: what one is called, and who must stay in an organization (contract section 5).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::named::named;
use crate::organization::name_key;
use crate::role::Role;
use crate::text::TextRule;

named!(MemberStatus);

/// How many members a team can have, pending ones included: the list of them is answered whole.
pub const MOST_MEMBERS: usize = 500;

/// What a team is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamName(String);

impl TeamName {
    /// 2 to 50 characters on one line.
    pub const RULE: TextRule = TextRule::line(2, 50);

    /// Takes what fits; white space around it is not part of the name.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::RULE.parse(text).map(Self)
    }

    /// The name as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What must be unique in an organization, as organizations' own names are.
    #[must_use]
    pub fn key(&self) -> String {
        name_key(&self.0)
    }
}

/// Whether the account of a member may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberStatus {
    /// It may.
    Active,
    /// Not for now: its sessions ended, its API clients rest.
    Inactive,
}

impl MemberStatus {
    /// Both; who was invited and has not accepted is no member yet.
    pub const ALL: [Self; 2] = [Self::Active, Self::Inactive];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }
}

/// Whether an active account may leave, be made inactive or be given another role: with the last
/// `Organization_Admin` the right to invite would be gone. The count is of active ones, this one
/// included.
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
