//! Roles of users in a tenant, and the rights of each role by tenant type (contract section 5). All
//! rules are in one table.

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use crate::enum_names::enum_names;
use crate::error::{Error, ErrorKind, Result};

enum_names!(TenantType, Role);

/// The type of a tenant, organizations first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, VariantNames,
)]
pub enum TenantType {
    /// An organization that hosts content.
    Platform,
    /// An organization that manages talents.
    Agency,
    /// An organization that clears rights.
    Brand,
    /// An individual without an organization.
    Individual,
}

impl TenantType {
    /// Whether it is an organization rather than an individual.
    #[must_use]
    pub const fn is_organization(self) -> bool {
        !matches!(self, Self::Individual)
    }
}

/// The role of a user in a tenant.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, VariantNames,
)]
pub enum Role {
    /// May do everything in the organization.
    #[serde(rename = "Organization_Admin")]
    #[strum(serialize = "Organization_Admin")]
    OrganizationAdmin,
    /// Manages licenses, talents, platforms and webhooks.
    #[serde(rename = "Organization_User")]
    #[strum(serialize = "Organization_User")]
    OrganizationUser,
    /// Like `OrganizationUser`, but only within their own teams.
    #[serde(rename = "Team_Lead")]
    #[strum(serialize = "Team_Lead")]
    TeamLead,
    /// Has read-only access.
    #[serde(rename = "Team_Member")]
    #[strum(serialize = "Team_Member")]
    TeamMember,
    /// The user of an individual's tenant.
    Individual,
}

impl Role {
    /// The roles a member of an organization can have.
    pub const OF_MEMBERS: [Self; 4] =
        [Self::OrganizationAdmin, Self::OrganizationUser, Self::TeamLead, Self::TeamMember];

    /// Parses the role of a member. `Individual` cannot be assigned.
    pub fn parse_member(text: &str) -> Result<Self, String> {
        let found = Self::OF_MEMBERS.into_iter().find(|it| it.name() == text);
        let names = || Self::OF_MEMBERS.map(Self::name).join(", ");
        found.ok_or_else(|| format!("must be one of {}", names()))
    }

    /// Whether a user of such a tenant can have this role.
    #[must_use]
    pub const fn fits(self, tenant: TenantType) -> bool {
        matches!(self, Self::Individual) != tenant.is_organization()
    }
}

/// A right in a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Right {
    /// Change the tenant's own record: address, contact, tax information.
    ManageOrganization,
    /// See all teams, create and delete them, invite, change and remove members.
    ManageTeams,
    /// See and change API clients. Includes viewing, because the list reveals how the tenant is
    /// accessed.
    ManageClients,
    /// See and change cards, invoices and the subscription.
    ManageBilling,
    /// Change talents and invite them.
    ManageTalents,
    /// Change licenses, their images and their permissions.
    ManageLicenses,
    /// Change platforms and their PAX, verify them, push content.
    ManagePlatforms,
    /// Change webhooks, test them and replay deliveries. Webhooks do not belong to a team.
    ManageWebhooks,
    /// Edit licenses on which the tenant has the licensor permission. Not restricted by tenant
    /// type, because any tenant can be a licensor.
    EditLicenses,
    /// Review mentions. Not restricted by tenant type, because any tenant can be a trustee.
    ReviewMentions,
    /// Ask for grants under other tenants' licenses, and accept offers. Binds the tenant, not a team.
    RequestLicenses,
    /// Change sources and ask for a scan of one.
    ManageSources,
    /// Claim and prove profiles on hosted services. Speaks for the tenant, not for a team.
    ManageProfiles,
    /// See sources.
    ReadSources,
    /// See talents.
    ReadTalents,
    /// See the tenant's own licenses in the console.
    ReadLicenses,
    /// See platforms and PAX.
    ReadPlatforms,
    /// See the members of a team.
    ReadTeams,
    /// See and export the log, which includes billing, API clients and IP addresses.
    ReadLogs,
    /// See everything else, and manage one's own bookmarks.
    Read,
}

/// How far a right extends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a right that ends at one's own teams must be held to them"]
pub enum Reach {
    /// Only to records of the user's own teams.
    OwnTeams,
    /// To everything in the tenant.
    Tenant,
}

const ALL: Option<Reach> = Some(Reach::Tenant);
const OWN: Option<Reach> = Some(Reach::OwnTeams);
const NO: Option<Reach> = None;

const ANY: &[TenantType] = &TenantType::ALL;
const ORGANIZATIONS: &[TenantType] = &[TenantType::Platform, TenantType::Agency, TenantType::Brand];
const ROSTERS: &[TenantType] = &[TenantType::Agency, TenantType::Individual];

/// A right with its wording in messages, the tenant types it exists in, and the reach of each role
/// in the order of `Role::ALL`.
type Row = (Right, &'static str, &'static [TenantType], [Option<Reach>; 5]);

const TABLE: [Row; 20] = [
    (Right::ManageOrganization, "manage the organization", ANY, [ALL, NO, NO, NO, ALL]),
    (Right::ManageTeams, "manage teams", ORGANIZATIONS, [ALL, NO, NO, NO, ALL]),
    (Right::ManageClients, "manage API clients", ANY, [ALL, NO, NO, NO, ALL]),
    (Right::ManageBilling, "manage billing", ANY, [ALL, NO, NO, NO, ALL]),
    (Right::ManageTalents, "manage talents", ROSTERS, [ALL, ALL, OWN, NO, ALL]),
    (Right::ManageLicenses, "manage licenses", ROSTERS, [ALL, ALL, OWN, NO, ALL]),
    (Right::ManagePlatforms, "manage platforms", ORGANIZATIONS, [ALL, ALL, OWN, NO, ALL]),
    (Right::ManageWebhooks, "manage webhooks", ANY, [ALL, ALL, ALL, NO, ALL]),
    (Right::EditLicenses, "edit licenses", ANY, [ALL, ALL, OWN, NO, ALL]),
    (Right::ReviewMentions, "review mentions", ANY, [ALL, ALL, OWN, NO, ALL]),
    (Right::RequestLicenses, "request licenses", ANY, [ALL, ALL, NO, NO, ALL]),
    (Right::ManageSources, "manage sources", ROSTERS, [ALL, ALL, OWN, NO, ALL]),
    (Right::ManageProfiles, "manage profiles", ANY, [ALL, ALL, NO, NO, ALL]),
    (Right::ReadSources, "view sources", ROSTERS, [ALL, ALL, ALL, ALL, ALL]),
    (Right::ReadTalents, "view talents", ROSTERS, [ALL, ALL, ALL, ALL, ALL]),
    (Right::ReadLicenses, "view licenses", ROSTERS, [ALL, ALL, ALL, ALL, ALL]),
    (Right::ReadPlatforms, "view platforms", ORGANIZATIONS, [ALL, ALL, ALL, ALL, ALL]),
    (Right::ReadTeams, "view teams", ORGANIZATIONS, [ALL, ALL, ALL, ALL, ALL]),
    (Right::ReadLogs, "view the log", ANY, [ALL, NO, NO, NO, ALL]),
    (Right::Read, "read", ANY, [ALL, ALL, ALL, ALL, ALL]),
];

impl Right {
    /// All variants, in table order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|(right, ..)| *right)
    }
}

/// How far a right extends, or why it is denied. The tenant type is checked first: if the right
/// does not exist there, no other role would help.
pub fn reach(role: Role, tenant: TenantType, right: Right) -> Result<Reach> {
    // A right without a row is granted to no role.
    let row = TABLE.into_iter().find(|(it, ..)| *it == right);
    let (_, words, tenants, reaches) = row.unwrap_or((right, "do this", ANY, [NO; 5]));
    if !tenants.contains(&tenant) {
        let message = format!("{tenant} accounts cannot {words}");
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    match reaches[role as usize] {
        Some(reach) if role.fits(tenant) => Ok(reach),
        _ => {
            let message = format!("The role {role} does not allow you to {words}");
            Err(Error::new(ErrorKind::InsufficientPermissions, message))
        }
    }
}

/// Checks that a role has a right. Where `Reach::OwnTeams` makes a difference, use [`reach`].
pub fn may(role: Role, tenant: TenantType, right: Right) -> Result<()> {
    reach(role, tenant, right).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One letter per role in the order of `Role::ALL`: `x` yes, `t` within own teams, `-` role not
    /// sufficient, `F` wrong tenant type.
    const MATRIX: [&str; 20] = [
        //                   Platform Agency Brand Individual
        "ManageOrganization     x----  x----  x----  ----x",
        "ManageTeams            x----  x----  x----  FFFFF",
        "ManageClients          x----  x----  x----  ----x",
        "ManageBilling          x----  x----  x----  ----x",
        "ManageTalents          FFFFF  xxt--  FFFFF  ----x",
        "ManageLicenses         FFFFF  xxt--  FFFFF  ----x",
        "ManagePlatforms        xxt--  xxt--  xxt--  FFFFF",
        "ManageWebhooks         xxx--  xxx--  xxx--  ----x",
        "EditLicenses           xxt--  xxt--  xxt--  ----x",
        "ReviewMentions         xxt--  xxt--  xxt--  ----x",
        "RequestLicenses        xx---  xx---  xx---  ----x",
        "ManageSources          FFFFF  xxt--  FFFFF  ----x",
        "ManageProfiles         xx---  xx---  xx---  ----x",
        "ReadSources            FFFFF  xxxx-  FFFFF  ----x",
        "ReadTalents            FFFFF  xxxx-  FFFFF  ----x",
        "ReadLicenses           FFFFF  xxxx-  FFFFF  ----x",
        "ReadPlatforms          xxxx-  xxxx-  xxxx-  FFFFF",
        "ReadTeams              xxxx-  xxxx-  xxxx-  FFFFF",
        "ReadLogs               x----  x----  x----  ----x",
        "Read                   xxxx-  xxxx-  xxxx-  ----x",
    ];

    fn letter(role: Role, tenant: TenantType, right: Right) -> char {
        let allowed = may(role, tenant, right);
        match reach(role, tenant, right) {
            Ok(reach) => {
                assert_eq!(allowed, Ok(()));
                if reach == Reach::Tenant { 'x' } else { 't' }
            }
            Err(error) => {
                assert_eq!(allowed.as_ref(), Err(&error));
                match error.kind() {
                    ErrorKind::InsufficientPermissions => '-',
                    ErrorKind::Forbidden => 'F',
                    other => panic!("{other:?}"),
                }
            }
        }
    }

    #[test]
    fn every_role_in_every_tenant_has_exactly_these_rights() {
        let found = Right::all().map(|right| {
            let cells = TenantType::ALL
                .map(|tenant| Role::ALL.map(|role| letter(role, tenant, right)))
                .map(String::from_iter);
            format!("{:<23}{}", format!("{right:?}"), cells.join("  "))
        });
        assert_eq!(found.collect::<Vec<_>>(), MATRIX);
    }

    #[test]
    fn every_right_has_one_row() {
        // The last variant: when one is added, this and the length of the table must follow.
        assert_eq!(Right::all().count(), Right::Read as usize + 1);
        for (index, right) in Right::all().enumerate() {
            assert_eq!(right as usize, index, "{right:?} stands once and in order");
        }
    }

    #[test]
    fn a_refusal_says_what_is_missing() {
        let role = may(Role::TeamMember, TenantType::Agency, Right::ManageLicenses).unwrap_err();
        assert_eq!(role.message(), "The role Team_Member does not allow you to manage licenses");
        let kind = may(Role::TeamMember, TenantType::Brand, Right::ManageLicenses).unwrap_err();
        assert_eq!(kind.message(), "Brand accounts cannot manage licenses");
    }

    #[test]
    fn names_are_the_same_on_every_way() {
        for role in Role::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(serde_json::to_value(role).unwrap(), role.name());
            assert_eq!(serde_json::from_value::<Role>(role.name().into()).unwrap(), role);
        }
        for tenant in TenantType::ALL {
            assert_eq!(tenant.name().parse(), Ok(tenant));
            assert_eq!(serde_json::to_value(tenant).unwrap(), tenant.name());
        }
        let allowed = "must be one of Organization_Admin, Organization_User, Team_Lead, \
                       Team_Member";
        assert_eq!("admin".parse::<Role>(), Err(format!("{allowed}, Individual")));
        assert_eq!(Role::parse_member("Individual"), Err(allowed.to_owned()));
        assert_eq!(Role::parse_member("Team_Lead"), Ok(Role::TeamLead));
        assert!("agency".parse::<TenantType>().is_err());
    }
}
