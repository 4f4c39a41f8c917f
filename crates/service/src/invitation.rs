//! Accepting an invitation: by whom it was sent decides what it makes.

use grantor_domain::audit::Resource;
use grantor_domain::id::AdminId;
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::invitation::{self, Invitation};

use crate::act::{Act, Desk, Done};
use crate::{App, Context, admin};

/// What an accepted invitation made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// A member of staff, who is mailed a one-time token.
    Admin {
        /// The account.
        id: AdminId,
        /// Its address.
        email: String,
        /// Its role.
        role: String,
    },
}

/// Accepts an invitation, once.
pub async fn accept(
    app: &App,
    context: &Context,
    token: &str,
    fullname: Option<FullName>,
) -> Result<Accepted> {
    let token = Secret::parse(&[SecretKind::Invitation], token).ok_or_else(ended)?;
    let accepted = app.act(context, Accept { hash: token.hash(), fullname }).await?;
    app.mailer.wake();
    Ok(accepted)
}

fn ended() -> Error {
    let message = "This invitation was used, has expired or never was";
    Error::new(ErrorKind::InvalidSession, message)
}

struct Accept {
    hash: SecretHash,
    fullname: Option<FullName>,
}

impl Act for Accept {
    type Grant = Invitation;
    type Output = Accepted;
    const ACTION: &'static str = "invitation.accept";

    /// Holding the token is the permission, and uses it up.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Invitation> {
        let taken = invitation::take(desk.tx, &self.hash)?;
        taken.filter(|it| desk.now < it.expires_at).ok_or_else(ended)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Invitation) -> Result<Done<Accepted>> {
        let admin = admin::accept(desk, &grant, self.fullname.as_ref())?;
        let resource = Resource {
            kind: "admin",
            id: Some(admin.id.to_string()),
            name: Some(admin.email.clone()),
        };
        let role = admin.role.name().to_owned();
        let accepted = Accepted::Admin { id: admin.id, email: admin.email, role };
        Ok(Done::new(accepted, resource, "An invitation to the staff was accepted"))
    }
}
