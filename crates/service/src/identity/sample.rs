//! Entering as an account of the sample data, without a password. Only a server that was started
//! with sample data on loopback has the page for it, and only for clients on the same machine.

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, UserId};
use grantor_domain::secret::Secret;
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, Result};
use grantor_storage::admin::{self, Admin};
use grantor_storage::meta;
use grantor_storage::user::{self, User};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::second_factor::{self, SecondFactor, Settled};
use crate::identity::session::{self, Entered, Issued, Progress, Tokens, begin_admin, guard};
use crate::organizations::membership::{self, TenantMembership};
use crate::{App, Context};

/// An account of the sample data that can be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleAccount {
    /// A user.
    Person(UserId),
    /// A member of staff.
    Staff(AdminId),
}

/// A way into the sample data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrance {
    /// What one enters as: `agency`, `brand`, `platform` or `staff`. Its name in addresses, too.
    pub name: &'static str,
    /// The name of the organization.
    pub organization: String,
    /// The account.
    pub account: SampleAccount,
}

/// Signs in as a user of the sample data. A second factor that somebody set up is asked for as usual.
pub async fn enter(
    app: &App,
    context: &Context,
    user: UserId,
    ceremony: &Secret,
) -> Result<Entered> {
    let (devices, second) = (guard::devices(context), SecondFactor::Later(ceremony.hash()));
    app.act(context, Enter { user, devices, second }).await?.finish(app)
}

/// Signs in as a member of the sample data's staff.
pub async fn enter_staff(app: &App, context: &Context, admin: AdminId) -> Result<Tokens> {
    app.act(context, EnterStaff { admin }).await?.sign(app)
}

/// Refuses a database that does not contain the sample data.
fn require_sample(unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
    match meta::find(unit.tx, meta::SAMPLE)?.as_deref() {
        Some(meta::SAMPLE_FINISHED) => Ok(()),
        _ => Err(not_found()),
    }
}

fn not_found() -> Error {
    Error::not_found("Sample account")
}

struct Enter {
    user: UserId,
    devices: Vec<String>,
    second: SecondFactor,
}

impl Act for Enter {
    type Permit = (User, TenantMembership);
    type Output = Progress;
    const ACTION: &'static str = "sample.enter";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        require_sample(unit)?;
        let user = user::claim(unit.tx, self.user)?.ok_or_else(not_found)?;
        let membership = membership::choose(unit.tx, &user, None)?.ok_or_else(not_found)?;
        Ok((user, membership))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (user, membership): Self::Permit,
    ) -> Result<Done<Progress>> {
        let (method, tenant) = (SignInMethod::Password, membership.tenant);
        let resource = Resource {
            kind: "user",
            id: Some(user.id.to_string()),
            name: Some(user.email.clone()),
        };
        match second_factor::settle(unit, &user, &membership, method, &self.second)? {
            Settled::Satisfied => {}
            Settled::Refused(refusal) => return Err(refusal),
            Settled::Waiting(need) => {
                let message = "A sign-in as a sample account waits for a second factor";
                let mut done = Done::new(Progress::Waiting(need), resource, message);
                done.tenant = Some(tenant);
                return Ok(done);
            }
        }
        let issued = session::admit(unit, &user, &membership, method, &self.devices)?;
        let actor = Actor::User { id: user.id, tenant, name: user.fullname.clone() };
        let progress = Progress::admitted(issued, user, membership);
        Ok(Done::new(progress, resource, "A sample account was entered").with_actor(actor))
    }
}

struct EnterStaff {
    admin: AdminId,
}

impl Act for EnterStaff {
    type Permit = Admin;
    type Output = Issued;
    const ACTION: &'static str = "sample.enter_staff";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Admin> {
        require_sample(unit)?;
        let found = admin::find(unit.tx, self.admin)?;
        found.filter(|it| it.active).ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, admin: Admin) -> Result<Done<Issued>> {
        let issued = begin_admin(unit, admin.id)?;
        let resource =
            Resource { kind: "admin", id: Some(admin.id.to_string()), name: Some(admin.email) };
        let actor = Actor::Admin { id: admin.id, name: admin.fullname };
        Ok(Done::new(issued, resource, "The sample staff account was entered").with_actor(actor))
    }
}
