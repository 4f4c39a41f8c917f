//! Permissions: what somebody may do with one license (contract section 1). Whoever holds one sees
//! the license, drafts included; the rest is one table.

use serde::{Deserialize, Serialize};

use crate::Timestamp;
use crate::email::Email;
use crate::error::{Error, ErrorKind, Fields, Result};
use crate::id::{LicenseId, PermissionId, TenantId, UserId};
use crate::named::named;

named!(PermissionRole);

/// What somebody is to a license. Whoever is several things is the greatest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PermissionRole {
    /// Reads it.
    Viewer,
    /// Acts for the talent.
    Trustee,
    /// Owns and edits.
    Licensor,
}

impl PermissionRole {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::Trustee, Self::Licensor];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Trustee => "trustee",
            Self::Licensor => "licensor",
        }
    }

    /// Whether this may do it.
    #[must_use]
    pub fn may(self, act: LicenseAct) -> bool {
        let row = TABLE.iter().find(|(it, ..)| *it == act);
        row.is_some_and(|(_, _, roles)| roles[self as usize])
    }

    /// The same, with the refusal a caller hears.
    pub fn check(self, act: LicenseAct) -> Result<()> {
        if self.may(act) {
            return Ok(());
        }
        let words = TABLE.iter().find(|(it, ..)| *it == act).map_or("do this", |(_, it, _)| it);
        let message = format!("The permission {self} on this license does not let you {words}");
        Err(Error::new(ErrorKind::AccessDenied, message))
    }
}

/// What can be done with a license beside seeing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LicenseAct {
    /// Confirm or dismiss its mentions.
    DecideMentions,
    /// Change it, its images and its permissions.
    Edit,
}

/// An act, its words, and who may, in the order of `PermissionRole::ALL`.
const TABLE: [(LicenseAct, &str, [bool; 3]); 2] = [
    (LicenseAct::DecideMentions, "decide on mentions", [false, true, true]),
    (LicenseAct::Edit, "edit it", [false, false, true]),
];

/// Who holds a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Grantee {
    /// One person, wherever they act.
    User(UserId),
    /// Everybody in an organization, as far as their role there reaches.
    Organization(TenantId),
}

/// Who shall hold a permission, as the caller names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GranteeName {
    /// A person, by their address.
    User(Email),
    /// An organization.
    Organization(TenantId),
}

impl GranteeName {
    /// Reads the members of the body's `grantee`, of which exactly one must be there.
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

    /// The member it was named in.
    #[must_use]
    pub const fn member(&self) -> &'static str {
        match self {
            Self::User(_) => "grantee.userEmail",
            Self::Organization(_) => "grantee.organizationId",
        }
    }
}

/// A permission as it is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// Its id.
    pub id: PermissionId,
    /// The license it is about.
    pub license: LicenseId,
    /// Who holds it.
    pub grantee: Grantee,
    /// What they are to it.
    pub role: PermissionRole,
    /// Since when.
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
        assert_eq!(found, ["DecideMentions -xx", "Edit --x"]);
        assert_eq!(TABLE.len(), LicenseAct::Edit as usize + 1);
        let error = PermissionRole::Viewer.check(LicenseAct::Edit).unwrap_err();
        assert_eq!(error.kind(), &ErrorKind::AccessDenied);
        assert_eq!(
            error.message(),
            "The permission viewer on this license does not let you edit it"
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
