//! The agency's team: its lead and a member, beside who made it.

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

use super::people::{Account, new_password};
use super::unfit;
use crate::act::{Act, Desk, Done};
use crate::registration::{self, Entered, NewAccount};
use crate::team::{self, Team};
use crate::{App, Context};

/// A team of the sample.
pub struct SampleTeam {
    /// Its id.
    pub id: TeamId,
    /// What it is called.
    pub name: String,
    /// Those in it beside who made it.
    pub members: Vec<Mate>,
}

/// Somebody in the team, with what they sign in with.
pub struct Mate {
    /// The account.
    pub user: UserId,
    /// The address they sign in with.
    pub email: String,
    /// Their password, shown this once.
    pub password: Password,
    /// What they may do.
    pub role: Role,
}

const NAME: &str = "Screen and Stage";
const MATES: [(&str, &str, Role); 2] = [
    ("Ruben Okonjo-Vale", "ruben@quillfeather.example", Role::TeamLead),
    ("Petra Lindholt", "petra@quillfeather.example", Role::TeamMember),
];

/// Makes the team and puts both into it.
pub(super) async fn make(app: &App, operator: &Context, agency: &Account) -> Result<SampleTeam> {
    let name = TeamName::parse(NAME).map_err(unfit)?;
    let caller = Arc::clone(&agency.caller);
    let team = team::create(app, &agency.context(app), caller, name).await?;
    let mut members = Vec::with_capacity(MATES.len());
    for (fullname, email, role) in MATES {
        let (password, chosen) = new_password(&*app.entropy)?;
        let account = NewAccount {
            fullname: FullName::parse(fullname).map_err(unfit)?,
            email: Email::parse(email).map_err(unfit)?,
            password: chosen,
            organization: None,
        };
        let entered = Entered::hashed(app, account, None).await?;
        let (tenant, team) = (agency.tenant, team.clone());
        let user = app.act(operator, Join { entered, tenant, team, role }).await?;
        members.push(Mate { user: user.id, email: user.email, password, role });
    }
    Ok(SampleTeam { id: team.id, name: team.name, members })
}

/// Puts somebody into the team without a mailed invitation: the sample's addresses receive nothing.
struct Join {
    entered: Entered,
    tenant: TenantId,
    team: Team,
    role: Role,
}

impl Act for Join {
    type Grant = ();
    type Output = User;
    const ACTION: &'static str = "demo.member";

    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<User>> {
        let user = registration::create_in(desk, self.tenant, self.role, &self.entered)?;
        teams::add(desk.tx, self.team.id, user.id, desk.now)?;
        let resource = team::resource(&self.team);
        let mut done = Done::new(user, resource, "A member of the sample's team was added");
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}
