//! The sample agency's team: a lead and a member, in addition to its creator.

use std::sync::Arc;

use grantor_domain::Result;
use grantor_domain::email::Email;
use grantor_domain::id::{TeamId, TenantId, UserId};
use grantor_domain::password::Password;
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::team::TeamName;
use grantor_storage::team as teams;
use grantor_storage::user::User;

use super::invalid;
use super::people::{Account, new_password};
use grantor_service::act::{Act, Done, UnitOfWork};
use grantor_service::identity::registration::{self, AccountDetails, NewAccount};
use grantor_service::organizations::team::{self, Team};
use grantor_service::{App, Context};

/// A sample team.
pub struct SampleTeam {
    /// Its id.
    pub id: TeamId,
    /// Its name.
    pub name: String,
    /// Its members, without its creator.
    pub members: Vec<SampleMember>,
}

/// A member of the sample team.
pub struct SampleMember {
    /// The account.
    pub user: UserId,
    /// The email address to sign in with.
    pub email: String,
    /// The password, shown only once.
    pub password: Password,
    /// The role.
    pub role: Role,
}

const NAME: &str = "Screen and Stage";
const MEMBERS: [(&str, &str, Role); 2] = [
    ("Ruben Okonjo-Vale", "ruben@quillfeather.example", Role::TeamLead),
    ("Petra Lindholt", "petra@quillfeather.example", Role::TeamMember),
];

/// Creates the team with its members.
pub(super) async fn make(app: &App, operator: &Context, agency: &Account) -> Result<SampleTeam> {
    let name = TeamName::parse(NAME).map_err(invalid)?;
    let caller = Arc::clone(&agency.caller);
    let team = team::create(app, &agency.context(app), caller, name).await?;
    let mut members = Vec::with_capacity(MEMBERS.len());
    for (fullname, email, role) in MEMBERS {
        let (password, chosen) = new_password(&*app.entropy)?;
        let account = NewAccount {
            fullname: FullName::parse(fullname).map_err(invalid)?,
            email: Email::parse(email).map_err(invalid)?,
            password: chosen,
            organization: None,
        };
        let entered = AccountDetails::hashed(app, account, None).await?;
        let (tenant, team) = (agency.tenant, team.clone());
        let user = app.act(operator, AddMember { entered, tenant, team, role }).await?;
        members.push(SampleMember { user: user.id, email: user.email, password, role });
    }
    Ok(SampleTeam { id: team.id, name: team.name, members })
}

/// Adds a member without a mailed invitation, because sample addresses receive no mail.
struct AddMember {
    entered: AccountDetails,
    tenant: TenantId,
    team: Team,
    role: Role,
}

impl Act for AddMember {
    type Permit = ();
    type Output = User;
    const ACTION: &'static str = "demo.member";

    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<User>> {
        let user = registration::create_in(unit, self.tenant, self.role, &self.entered)?;
        teams::add(unit.tx, self.team.id, user.id, unit.now)?;
        let resource = team::resource(&self.team);
        let mut done = Done::new(user, resource, "A sample team member was created");
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}
