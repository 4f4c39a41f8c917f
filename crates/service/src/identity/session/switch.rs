//! Switching to another tenant without signing in again. Earlier tokens keep acting in their
//! tenant; all sessions of the family end together.

use std::sync::Arc;

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::second_factor::Need;
use grantor_domain::session::REFRESH_LIFE;
use grantor_domain::sign_in::SignInMethod;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session::{self, Session};
use grantor_storage::user::{self, User};

use super::SignedIn;
use super::issued::{Issued, begin_in_family};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::second_factor;
use crate::organizations::membership::{self, TenantMembership};
use crate::{App, Context};

/// Issues tokens that act in another of the caller's tenants.
pub async fn switch(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    tenant: TenantId,
) -> Result<SignedIn> {
    let (issued, user, membership) = app.act(context, Switch { caller, tenant }).await?;
    Ok(SignedIn { tokens: issued.sign(app)?, user, membership })
}

struct Switch {
    caller: Arc<Caller>,
    tenant: TenantId,
}

impl Act for Switch {
    type Permit = (Session, User, TenantMembership);
    type Output = (Issued, User, TenantMembership);
    const ACTION: &'static str = "session.switch";

    /// A tenant that the caller isn't a member of is reported as not found.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        // The session is locked: a concurrent sign-out waits and then ends the new session too.
        let own = session::claim(unit.tx, self.caller.session)?;
        let ended = || Error::new(ErrorKind::Unauthorized, "The session has ended");
        let (own, user) = own.zip(user::find(unit.tx, self.caller.user)?).ok_or_else(ended)?;
        let membership = membership::choose(unit.tx, &user, Some(self.tenant))?;
        let membership = membership.ok_or_else(|| Error::not_found("Organization"))?;
        check_method(unit, &own, &membership)?;
        Ok((own, user, membership))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Self::Output>> {
        let (own, user, membership) = permit;
        let known = session::find_in_family(unit.tx, own.family, membership.tenant, unit.now)?;
        let issued = if let Some(known) = known {
            session::touch(unit.tx, known.id, unit.now, unit.now.plus(REFRESH_LIFE))?;
            user::set_last_tenant(unit.tx, user.id, membership.tenant)?;
            Issued::of(unit, &known)?
        } else {
            begin_in_family(unit, user.id, membership.tenant, &own)?
        };
        let (tenant, resource) = (membership.tenant, issued.resource(&user.fullname));
        let message = "A user switched to another organization";
        let mut done = Done::new((issued, user, membership), resource, message);
        done.tenant = Some(tenant);
        Ok(done)
    }
}

/// An organization's identity provider opens that organization alone. Where a second factor is
/// required, a person without one sets it up first.
fn check_method(
    unit: &mut UnitOfWork<'_, '_>,
    own: &Session,
    membership: &TenantMembership,
) -> Result<()> {
    if own.tenant == Some(membership.tenant) {
        return Ok(());
    }
    if own.method == Some(SignInMethod::SingleSignOn) {
        let message = "You signed in with single sign-on, which opens one organization. Sign in \
                       with your password or an emailed link to open another";
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    let method = own.method.unwrap_or(SignInMethod::Password);
    match second_factor::need(unit.tx, UserId::from(own.subject), membership.tenant, method)? {
        Need::SetUp => Err(second_factor::must_set_up(&membership.name)),
        // Whoever has a second factor showed it when they signed in.
        Need::Nothing | Need::Proof => Ok(()),
    }
}
