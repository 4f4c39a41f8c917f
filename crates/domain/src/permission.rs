//! Permissions on a license (contract section 1). Any permission allows viewing the license,
//! including drafts; one table defines the rest.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::Timestamp;
use crate::email::Email;
use crate::enum_names::enum_names;
use crate::error::{Error, ErrorKind, Fields, Result};
use crate::id::{LicenseId, PermissionId, TenantId, UserId};

enum_names!(PermissionRole);

/// The role of a user or tenant on a license, weakest first. If there are several, the strongest
/// counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "lowercase")]
pub enum PermissionRole {
    /// May view the license.
    Viewer,
    /// Acts for the talent.
    Trustee,
    /// Owns and edits the license.
    Licensor,
}

impl PermissionRole {
    /// Whether the role allows an action.
    #[must_use]
    pub fn may(self, act: LicenseAct) -> bool {
        let row = TABLE.iter().find(|(it, ..)| *it == act);
        row.is_some_and(|(_, _, roles)| roles[self as usize])
    }

    /// Like [`Self::may`], but returns an error for the caller.
    pub fn check(self, act: LicenseAct) -> Result<()> {
        if self.may(act) {
            return Ok(());
        }
        let words = TABLE.iter().find(|(it, ..)| *it == act).map_or("do this", |(_, it, _)| it);
        let message =
            format!("The {self} permission on this license does not allow you to {words}");
        Err(Error::new(ErrorKind::AccessDenied, message))
    }
}

/// Actions on a license other than viewing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LicenseAct {
    /// Confirm or dismiss mentions.
    ReviewMentions,
    /// Change the license, its images and its permissions.
    Edit,
}

/// Each action with its wording in messages and the roles that allow it, in the order of
/// `PermissionRole::ALL`.
const TABLE: [(LicenseAct, &str, [bool; 3]); 2] = [
    (LicenseAct::ReviewMentions, "review mentions", [false, true, true]),
    (LicenseAct::Edit, "edit it", [false, false, true]),
];

/// The holder of a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Grantee {
    /// A user, in any tenant.
    User(UserId),
    /// All members of an organization, within the limits of their roles.
    Organization(TenantId),
}

/// The holder of a new permission, as named by the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GranteeName {
    /// A user, by email address.
    User(Email),
    /// An organization, by ID.
    Organization(TenantId),
}

impl GranteeName {
    /// Parses the members of `grantee` in the request body, exactly one of which must be given.
    pub fn parse(
        user_email: Option<&str>,
        organization_id: Option<&str>,
        fields: &mut Fields,
    ) -> Option<Self> {
        match (user_email, organization_id) {
            (Some(email), None) => {
                fields.take("grantee.userEmail", Email::parse(email)).map(Self::User)
            }
            (None, Some(id)) => {
                fields.take("grantee.organizationId", id.parse()).map(Self::Organization)
            }
            _ => {
                fields.add("grantee", "must have either userEmail or organizationId");
                None
            }
        }
    }

    /// The name of the member it was given in.
    #[must_use]
    pub const fn member(&self) -> &'static str {
        match self {
            Self::User(_) => "grantee.userEmail",
            Self::Organization(_) => "grantee.organizationId",
        }
    }
}

/// A stored permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// The unique ID.
    pub id: PermissionId,
    /// The license.
    pub license: LicenseId,
    /// The holder.
    pub grantee: Grantee,
    /// The role.
    pub role: PermissionRole,
    /// When it was granted.
    pub created_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_may_exactly_this() {
        let found = TABLE.map(|(act, ..)| {
            let cell = |role: PermissionRole| {
                assert_eq!(role.check(act).is_ok(), role.may(act));
                if role.may(act) { 'x' } else { '-' }
            };
            format!("{act:?} {}", String::from_iter(PermissionRole::ALL.map(cell)))
        });
        assert_eq!(found, ["ReviewMentions -xx", "Edit --x"]);
        assert_eq!(TABLE.len(), LicenseAct::Edit as usize + 1);
        let error = PermissionRole::Viewer.check(LicenseAct::Edit).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::AccessDenied);
        assert_eq!(
            error.message(),
            "The viewer permission on this license does not allow you to edit it"
        );
    }

    #[test]
    fn roles_are_ordered_and_named() {
        assert!(PermissionRole::ALL.is_sorted());
        for role in PermissionRole::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
        }
        let error = "owner".parse::<PermissionRole>().unwrap_err();
        assert_eq!(error, "must be one of viewer, trustee, licensor");
    }

    #[test]
    fn a_grantee_is_a_person_or_an_organization() {
        let parse = |email, id| {
            let mut fields = Fields::default();
            let name = GranteeName::parse(email, id, &mut fields);
            (name, fields.finish().err().and_then(|it| it.fields().keys().next().cloned()))
        };
        let id = "0190a5e4-7b3c-7def-8123-456789abcdef";
        let email = Email::parse("ada@example.com").unwrap();
        assert_eq!(parse(Some("ada@example.com"), None), (Some(GranteeName::User(email)), None));
        let organization = GranteeName::Organization(id.parse().unwrap());
        assert_eq!(parse(None, Some(id)), (Some(organization), None));
        for (email, id, field) in [
            (None, None, "grantee"),
            (Some("ada@example.com"), Some(id), "grantee"),
            (Some("ada"), None, "grantee.userEmail"),
            (None, Some("1"), "grantee.organizationId"),
        ] {
            assert_eq!(parse(email, id), (None, Some(field.to_owned())));
        }
    }
}
