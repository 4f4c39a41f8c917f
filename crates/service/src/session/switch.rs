//! Acting in another tenant that one is a member of, without signing in anew. What was given out
//! before goes on acting where it did; all of it is one sign-in, and ends together.

use std::sync::Arc;

use grantor_domain::id::TenantId;
use grantor_domain::session::REFRESH_LIFE;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::session::{self, Session};
use grantor_storage::user::{self, User};

use super::SignedIn;
use super::issued::{Issued, begin_beside};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::membership::{self, Place};
use crate::{App, Context};

/// Gives a person who is signed in another pair of tokens, which acts in this tenant.
pub async fn switch(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    tenant: TenantId,
) -> Result<SignedIn> {
    let (issued, user, place) = app.act(context, Switch { caller, tenant }).await?;
    Ok(SignedIn { tokens: issued.sign(app)?, user, place })
}

struct Switch {
    caller: Arc<Caller>,
    tenant: TenantId,
}

impl Act for Switch {
    type Grant = (Session, User, Place);
    type Output = (Issued, User, Place);
    const ACTION: &'static str = "session.switch";

    /// A tenant one is no member of is as unknown as one that never was.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        // Held: whoever signs out meanwhile waits, and ends what begins here too.
        let own = session::claim(desk.tx, self.caller.session)?;
        let ended = || Error::new(ErrorKind::Unauthorized, "The session has ended");
        let (own, user) = own.zip(user::find(desk.tx, self.caller.user)?).ok_or_else(ended)?;
        let place = membership::choose(desk.tx, &user, Some(self.tenant))?;
        Ok((own, user, place.ok_or_else(|| Error::not_found("Organization"))?))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Self::Output>> {
        let (own, user, place) = grant;
        let known = session::find_in_family(desk.tx, own.family, place.tenant, desk.now)?;
        let issued = if let Some(known) = known {
            session::touch(desk.tx, known.id, desk.now, desk.now.plus(REFRESH_LIFE))?;
            user::set_last_tenant(desk.tx, user.id, place.tenant)?;
            Issued::of(desk, &known)?
        } else {
            begin_beside(desk, user.id, place.tenant, Some(own.family))?
        };
        let (tenant, resource) = (place.tenant, issued.resource(&user.fullname));
        let message = "A person went on in another organization";
        let mut done = Done::new((issued, user, place), resource, message);
        done.tenant = Some(tenant);
        Ok(done)
    }
}
