//! The people of an organization, for staff who help them: new invitations and password resets.

use grantor_domain::admin::INVITATION_LIFE;
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::{InvitationId, TenantId, UserId};
use grantor_domain::page::{Listing, Page};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::{Error, Result};
use grantor_storage::invitation;
use grantor_storage::{staff, tenant};

pub use grantor_storage::invitation::Invitation;
pub use grantor_storage::staff::StaffPerson;

use crate::act::{Act, Done, UnitOfWork};
use crate::licensing::talent;
use crate::mail::throttle;
use crate::organizations::suspension::require_staff;
use crate::organizations::team;
use crate::{App, Context};

/// How many pending invitations are listed.
const SHOWN: u32 = 100;

/// The people of an organization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct People {
    /// The members, in the order in which they joined.
    pub members: Listing<StaffPerson>,
    /// The newest pending invitations.
    pub invitations: Vec<Invitation>,
}

/// Lists the people of an organization.
pub async fn list(app: &App, tenant: TenantId, page: Page) -> Result<People> {
    let now = app.clock.now();
    app.store
        .read(move |tx| {
            let members = staff::people(tx, tenant, page)?;
            let invitations = invitation::list_of_tenant(tx, tenant, now, SHOWN)?;
            Ok(People { members, invitations })
        })
        .await
}

/// Returns one of the people of an organization.
pub async fn get(app: &App, tenant: TenantId, user: UserId) -> Result<StaffPerson> {
    let found = app.store.read(move |tx| Ok::<_, Error>(staff::person(tx, tenant, user)?));
    found.await?.ok_or_else(|| Error::not_found("Person"))
}

/// Sends an invitation again, with a new link. The earlier link stops working.
pub async fn resend_invitation(
    app: &App,
    context: &Context,
    tenant: TenantId,
    id: InvitationId,
) -> Result<()> {
    let now = app.clock.now();
    let found =
        app.store.read(move |tx| Ok::<_, Error>(invitation::find_of_tenant(tx, tenant, id, now)?));
    let to = found.await?.ok_or_else(not_found)?.email;
    let to =
        Email::parse(&to).map_err(|it| Error::internal(format!("invalid invitation: {it}")))?;
    let act = app.act(context, ResendInvitation { tenant, id });
    throttle::inviting(app, context, &to, act).await
}

fn not_found() -> Error {
    Error::not_found("Invitation")
}

struct ResendInvitation {
    tenant: TenantId,
    id: InvitationId,
}

impl Act for ResendInvitation {
    type Permit = Invitation;
    type Output = ();
    const ACTION: &'static str = "invitation.resend";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Invitation> {
        require_staff(unit)?;
        let found = invitation::find_of_tenant(unit.tx, self.tenant, self.id, unit.now)?;
        found.ok_or_else(not_found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, old: Invitation) -> Result<Done<()>> {
        let token = Secret::generate(SecretKind::Invitation, &*unit.app.entropy);
        let new = Invitation {
            id: unit.ids.next(),
            created_at: unit.now,
            expires_at: unit.now.plus(INVITATION_LIFE),
            ..old
        };
        invitation::replace(unit.tx, &token.hash(), &new)?;
        let owner = tenant::find(unit.tx, self.tenant)?;
        let owner = owner.ok_or_else(|| Error::not_found("Organization"))?.name;
        // The organization invites; staff only send the mail again.
        let mail = if new.kind == team::INVITATION {
            team::compose_again(unit, &new, &owner, &token)?
        } else {
            talent::compose_again(unit, &new, &owner, &token)?
        };
        unit.app.mailer.enqueue(unit.tx, "invitation", &mail)?;
        let (id, name) = (Some(new.id.to_string()), Some(new.email));
        let resource = Resource { kind: "invitation", id, name };
        let mut done = Done::new((), resource, "An invitation was sent again by staff");
        done.tenant = Some(self.tenant);
        Ok(done)
    }
}
