//! Inviting staff and accepting such an invitation.

use grantor_domain::admin::{AdminRight, AdminRole, INVITATION_LIFE, ONE_TIME_TOKEN_LIFE, may};
use grantor_domain::audit::Resource;
use grantor_domain::email::Email;
use grantor_domain::id::InvitationId;
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::template::MailKind;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::admin::{self, Admin};
use grantor_storage::invitation::{self, Invitation};

use super::{insert, issue_token, taken};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::AdminCaller;
use crate::mail::compose;
use crate::mail::phrase::plain;
use crate::mail::throttle;
use crate::{App, Context};

/// A sent invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// Its id.
    pub id: InvitationId,
    /// The invited email address.
    pub email: String,
    /// The role it grants.
    pub role: AdminRole,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Invites a member of staff. Inviting the same address again replaces the earlier invitation.
pub async fn invite(
    app: &App,
    context: &Context,
    caller: &AdminCaller,
    email: Email,
    fullname: FullName,
    role: AdminRole,
) -> Result<Invited> {
    let inviter = (caller.role, caller.name.clone());
    let to = email.clone();
    let act = app.act(context, Invite { inviter, email, fullname, role });
    throttle::inviting(app, context, &to, act).await
}

struct Invite {
    inviter: (AdminRole, String),
    email: Email,
    fullname: FullName,
    role: AdminRole,
}

impl Act for Invite {
    type Permit = ();
    type Output = Invited;
    const ACTION: &'static str = "admin.invite";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        may(self.inviter.0, AdminRight::ManageMembers)?;
        match admin::find_by_email(unit.tx, &self.email.key())? {
            Some(_) => Err(taken()),
            None => Ok(()),
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<Invited>> {
        let token = Secret::generate(SecretKind::Invitation, &*unit.app.entropy);
        let invitation = Invitation {
            id: unit.ids.next(),
            kind: "admin".to_owned(),
            tenant: None,
            target: None,
            email: self.email.as_str().to_owned(),
            email_key: self.email.key(),
            fullname: self.fullname.as_str().to_owned(),
            role: self.role.name().to_owned(),
            expires_at: unit.now.plus(INVITATION_LIFE),
            created_at: unit.now,
        };
        invitation::replace(unit.tx, &token.hash(), &invitation)?;
        let days = INVITATION_LIFE.as_secs() / 86_400;
        let days = days.to_string();
        let link = crate::identity::invitation::link(unit.app, &token);
        let values = [
            plain("inviter", &self.inviter.1),
            plain("role", self.role.name()),
            plain("token", token.expose()),
            plain("link", &link),
            plain("days", &days),
        ];
        let (to, name) = (self.email.as_str(), Some(self.fullname.as_str()));
        let mail = compose::from_template(unit.tx, MailKind::AdminInvitation, to, name, &values)?;
        unit.app.mailer.enqueue(unit.tx, "invitation", &mail)?;
        let (id, email) = (invitation.id, invitation.email);
        let resource =
            Resource { kind: "invitation", id: Some(id.to_string()), name: Some(email.clone()) };
        let invited = Invited { id, email, role: self.role, expires_at: invitation.expires_at };
        Ok(Done::new(invited, resource, "A staff member was invited"))
    }
}

/// Creates the account of an accepted invitation and mails its first one-time token.
pub(crate) fn accept(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
) -> Result<Admin> {
    let unreadable = |error: &str| Error::internal(format!("invalid invitation: {error}"));
    let email = Email::parse(&invitation.email).map_err(unreadable)?;
    let invited = FullName::parse(&invitation.fullname).map_err(|error| unreadable(&error))?;
    let role = invitation.role.parse().map_err(|error: String| unreadable(&error))?;
    let admin = insert(unit, &email, fullname.unwrap_or(&invited), role)?;
    let token = issue_token(unit, admin.id)?;
    let minutes = ONE_TIME_TOKEN_LIFE.as_secs() / 60;
    let minutes = minutes.to_string();
    let link = format!("{}/app/admin/sign-in", unit.app.public_url);
    let values = [
        plain("token", token.token.expose()),
        plain("link", &link),
        plain("minutes", &minutes),
        plain("email", &admin.email),
    ];
    let (to, name) = (&admin.email, Some(&*admin.fullname));
    let mail = compose::for_visitor(unit, MailKind::AdminToken, to, name, &values)?;
    unit.app.mailer.enqueue(unit.tx, "admin_token", &mail)?;
    Ok(admin)
}
