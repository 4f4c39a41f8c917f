//! The first steps in the console, which the dashboard lists until they are done or hidden.

use strum::VariantArray;

use crate::enum_names::enum_variants;
use crate::role::{Right, Role, TenantType, may};

enum_variants!(Step);

/// A first step. They are shown in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Step {
    /// Add a talent.
    AddTalent,
    /// Create a license with a reference image.
    CreateLicense,
    /// Watch an address.
    Watch,
    /// Find a license.
    FindLicense,
    /// Request a license.
    AskForLicense,
    /// Verify a receipt.
    VerifyReceipt,
    /// Add a platform.
    AddPlatform,
    /// Verify the domain of a platform.
    VerifyPlatform,
    /// Ask for a scanner.
    AskForScanner,
    /// Choose what to get by email.
    ChooseEmails,
    /// Invite a colleague.
    InviteColleague,
}

impl Step {
    /// The kinds of tenants that begin with the step, and the right that it takes.
    const fn row(self) -> (&'static [TenantType], Right) {
        const AGENCY: &[TenantType] = &[TenantType::Agency];
        const ROSTER: &[TenantType] = &[TenantType::Agency, TenantType::Individual];
        const BRAND: &[TenantType] = &[TenantType::Brand];
        const PLATFORM: &[TenantType] = &[TenantType::Platform];
        const ALL: &[TenantType] = &TenantType::ALL;
        match self {
            // An individual is their own talent from the start.
            Self::AddTalent => (AGENCY, Right::ManageTalents),
            Self::CreateLicense => (ROSTER, Right::ManageLicenses),
            Self::Watch => (ROSTER, Right::ManageSources),
            Self::FindLicense | Self::VerifyReceipt => (BRAND, Right::Read),
            Self::AskForLicense => (BRAND, Right::RequestLicenses),
            Self::AddPlatform | Self::VerifyPlatform | Self::AskForScanner => {
                (PLATFORM, Right::ManagePlatforms)
            }
            Self::ChooseEmails => (ALL, Right::Read),
            Self::InviteColleague => (ALL, Right::ManageTeams),
        }
    }

    /// The steps of a person with this role in this kind of tenant.
    pub fn of(role: Role, tenant: TenantType) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |it| {
            let (tenants, right) = it.row();
            tenants.contains(&tenant) && may(role, tenant, right).is_ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(role: Role, tenant: TenantType) -> Vec<Step> {
        Step::of(role, tenant).collect()
    }

    #[test]
    fn everybody_begins_with_what_they_may_do() {
        use Step::{
            AddPlatform, AddTalent, AskForLicense, AskForScanner, ChooseEmails, CreateLicense,
            FindLicense, InviteColleague, VerifyPlatform, VerifyReceipt, Watch,
        };
        let admin = Role::OrganizationAdmin;
        assert_eq!(
            steps(admin, TenantType::Agency),
            [AddTalent, CreateLicense, Watch, ChooseEmails, InviteColleague]
        );
        assert_eq!(
            steps(admin, TenantType::Brand),
            [FindLicense, AskForLicense, VerifyReceipt, ChooseEmails, InviteColleague]
        );
        assert_eq!(
            steps(admin, TenantType::Platform),
            [AddPlatform, VerifyPlatform, AskForScanner, ChooseEmails, InviteColleague]
        );
        assert_eq!(
            steps(Role::Individual, TenantType::Individual),
            [CreateLicense, Watch, ChooseEmails]
        );
        assert_eq!(steps(Role::TeamMember, TenantType::Agency), [ChooseEmails]);
        assert_eq!(
            steps(Role::TeamMember, TenantType::Brand),
            [FindLicense, VerifyReceipt, ChooseEmails]
        );
    }
}
