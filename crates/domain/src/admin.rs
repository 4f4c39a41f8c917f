//! The operator's staff: roles, rights and sign-in (contract section 5).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;
use crate::error::{Error, ErrorKind, Result};

enum_names!(AdminRole);

/// How long a one-time admin token can be exchanged for a session.
pub const ONE_TIME_TOKEN_LIFE: Duration = Duration::from_mins(15);

/// How long an invitation can be accepted, for staff and for members.
pub const INVITATION_LIFE: Duration = Duration::from_hours(7 * 24);

/// The role of a staff member.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, VariantNames,
)]
pub enum AdminRole {
    /// May do everything, including inviting and suspending staff.
    #[serde(rename = "Super_Admin")]
    #[strum(serialize = "Super_Admin")]
    SuperAdmin,
    /// Runs the service day to day.
    Admin,
    /// Has read-only access.
    #[serde(rename = "Support_Admin")]
    #[strum(serialize = "Support_Admin")]
    SupportAdmin,
}

impl AdminRole {
    /// The roles an invitation can grant. A `Super_Admin` is created by the operator on the command
    /// line.
    pub const INVITED: [Self; 2] = [Self::Admin, Self::SupportAdmin];

    /// Parses the role of an invitation; defaults to `Admin`.
    pub fn parse_invited(text: Option<&str>) -> Result<Self, String> {
        let Some(text) = text else { return Ok(Self::Admin) };
        let found = Self::INVITED.into_iter().find(|it| it.name() == text);
        let names = || Self::INVITED.map(Self::name).join(", ");
        found.ok_or_else(|| format!("must be one of {}", names()))
    }
}

/// The rights of staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AdminRight {
    /// See everything staff may see.
    Read,
    /// Create, start, pause and stop pods.
    ManagePods,
    /// Change mail templates.
    ManageTemplates,
    /// Change an organization's plan.
    SetPlan,
    /// Suspend and reinstate an organization.
    Suspend,
    /// Remove the second factors of a person who lost them.
    ResetFactors,
    /// Send people new invitations and password resets, and answer their requests for help.
    HelpPeople,
    /// View an organization as one of its people sees it.
    ViewAs,
    /// Invite staff, change their roles and suspend them.
    ManageMembers,
}

/// Each right with its wording in messages and the roles that have it.
const TABLE: [(AdminRight, &str, &[AdminRole]); 9] = [
    (AdminRight::Read, "read", &AdminRole::ALL),
    (AdminRight::ManagePods, "manage pods", DAILY),
    (AdminRight::ManageTemplates, "manage email templates", DAILY),
    (AdminRight::SetPlan, "set an organization's plan", DAILY),
    (AdminRight::Suspend, "suspend an organization", ONLY_SUPER),
    (AdminRight::ResetFactors, "reset a person's second factor", ONLY_SUPER),
    (AdminRight::HelpPeople, "help people of an organization", DAILY),
    (AdminRight::ViewAs, "view an organization as one of its people", DAILY),
    (AdminRight::ManageMembers, "manage staff members", ONLY_SUPER),
];
const DAILY: &[AdminRole] = &[AdminRole::SuperAdmin, AdminRole::Admin];
const ONLY_SUPER: &[AdminRole] = &[AdminRole::SuperAdmin];

impl AdminRight {
    /// All variants, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(right, ..)| *right)
    }
}

/// Checks that a role has a right.
pub fn may(role: AdminRole, right: AdminRight) -> Result<()> {
    // A right without a row is granted to no role.
    let row = TABLE.into_iter().find(|(it, ..)| *it == right);
    let (_, words, roles) = row.unwrap_or((right, "do this", &[]));
    if roles.contains(&role) {
        return Ok(());
    }
    let message = format!("The role {role} does not allow you to {words}");
    Err(Error::new(ErrorKind::InsufficientPermissions, message))
}

/// Checks that an active account may be removed, suspended or given another role. The last active
/// `Super_Admin` may not, or nobody could invite staff. The count includes this account.
pub fn may_lose(role: AdminRole, active_super_admins: u64) -> Result<()> {
    if role == AdminRole::SuperAdmin && active_super_admins <= 1 {
        let message = "The last Super_Admin cannot be removed, suspended or demoted";
        return Err(Error::conflict(message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One letter for each role in the order of `AdminRole::ALL`.
    const MATRIX: [&str; 9] = [
        "Read            xxx",
        "ManagePods      xx-",
        "ManageTemplates xx-",
        "SetPlan         xx-",
        "Suspend         x--",
        "ResetFactors    x--",
        "HelpPeople      xx-",
        "ViewAs          xx-",
        "ManageMembers   x--",
    ];

    #[test]
    fn every_role_has_exactly_these_rights() {
        let found = AdminRight::all().map(|right| {
            let cells = AdminRole::ALL.map(|role| match may(role, right) {
                Ok(()) => 'x',
                Err(error) => {
                    assert_eq!(error.kind(), &ErrorKind::InsufficientPermissions);
                    '-'
                }
            });
            format!("{:<16}{}", format!("{right:?}"), String::from_iter(cells))
        });
        assert_eq!(found.collect::<Vec<_>>(), MATRIX);
        // The last variant: when one is added, this and the length of the table must follow.
        assert_eq!(AdminRight::all().count(), AdminRight::ManageMembers as usize + 1);
    }

    #[test]
    fn a_refusal_says_what_is_missing() {
        let error = may(AdminRole::Admin, AdminRight::ManageMembers).unwrap_err();
        assert_eq!(error.message(), "The role Admin does not allow you to manage staff members");
    }

    #[test]
    fn an_invitation_makes_no_super_admin() {
        assert_eq!(AdminRole::parse_invited(None), Ok(AdminRole::Admin));
        assert_eq!(AdminRole::parse_invited(Some("Admin")), Ok(AdminRole::Admin));
        assert_eq!(AdminRole::parse_invited(Some("Support_Admin")), Ok(AdminRole::SupportAdmin));
        for bad in ["Super_Admin", "admin", ""] {
            let error = AdminRole::parse_invited(Some(bad)).unwrap_err();
            assert_eq!(error, "must be one of Admin, Support_Admin", "{bad:?}");
        }
    }

    #[test]
    fn one_super_admin_stays() {
        for count in 0..4 {
            let kept = may_lose(AdminRole::SuperAdmin, count);
            assert_eq!(kept.is_ok(), count >= 2, "{count}");
            assert_eq!(may_lose(AdminRole::Admin, count), Ok(()));
            assert_eq!(may_lose(AdminRole::SupportAdmin, count), Ok(()));
        }
        let error = may_lose(AdminRole::SuperAdmin, 1).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::Conflict);
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for role in AdminRole::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
            assert_eq!(serde_json::from_value::<AdminRole>(role.name().into()).unwrap(), role);
        }
        assert!("Organization_Admin".parse::<AdminRole>().is_err());
    }

    #[test]
    fn lives_are_those_of_the_contract() {
        assert_eq!(ONE_TIME_TOKEN_LIFE.as_secs(), 900);
        assert_eq!(INVITATION_LIFE.as_secs(), 604_800);
    }
}
