//! Invitations to a team. Accepting one creates an account if there is none, makes it a member of
//! the organization and adds it to the team.

use std::sync::Arc;

use grantor_domain::admin::INVITATION_LIFE;
use grantor_domain::email::Email;
use grantor_domain::id::{InvitationId, TeamId};
use grantor_domain::mail::Mail;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::team::MAX_MEMBERS;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::team::{self, Team};
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::user::{self, User};

use super::{claim, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::invitation::invalid;
use crate::identity::registration::{self, AccountDetails};
use crate::mail::phrase::{MailValue, message, plain};
use crate::mail::{compose, throttle};
use crate::organizations::membership::{self, suspended};
use crate::{App, Context};

/// The kind of these invitations.
pub(crate) const KIND: &str = "team";

/// The person to invite.
#[derive(Clone, Debug)]
pub struct Invitee {
    /// Their email address.
    pub email: Email,
    /// Their name.
    pub fullname: FullName,
    /// Their role, unless they are already a member of the organization.
    pub role: Role,
}

/// An invitation that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// Its id.
    pub id: InvitationId,
    /// The team.
    pub team: TeamId,
    /// The invited address.
    pub email: String,
    /// The role it grants.
    pub role: Role,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Invites a person to a team. Inviting the same address again replaces the earlier invitation.
pub async fn invite(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    team: TeamId,
    invitee: Invitee,
) -> Result<Invited> {
    let to = invitee.email.clone();
    throttle::inviting(app, context, &to, app.act(context, Invite { caller, team, invitee })).await
}

/// Adds the invited person to the team. Returns their account, their role in the organization and
/// the team.
pub(crate) fn accept(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<(User, Role, Team)> {
    let (tenant, id) = invitation.tenant.zip(invitation.target).ok_or_else(invalid)?;
    tenant::claim(unit.tx, tenant)?;
    let owner = tenant::find(unit.tx, tenant)?.ok_or_else(invalid)?;
    if owner.status == OrganizationStatus::Suspended {
        return Err(suspended());
    }
    let team = team::find(unit.tx, tenant, id.into(), unit.now)?.ok_or_else(invalid)?;
    let role = role(invitation)?;
    let known = user::find_by_email(unit.tx, &invitation.email_key)?;
    let known = known.map(|it| user::claim(unit.tx, it.id)).transpose()?.flatten();
    let (user, role) = match known {
        None => (sign_up(unit, &owner, invitation, fullname, password_hash)?, role),
        Some(user) => {
            let role = membership::join(unit, tenant, user.id, role)?;
            (user, role)
        }
    };
    if !team::add(unit.tx, team.id, user.id, unit.now)? {
        return Err(member_exists());
    }
    Ok((user, role, team))
}

fn sign_up(
    unit: &mut UnitOfWork<'_, '_>,
    owner: &Tenant,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<User> {
    let hash = password_hash.ok_or_else(|| Error::field("password", "is required"))?;
    let email = Email::parse(&invitation.email).map_err(corrupt)?;
    let invited = FullName::parse(&invitation.fullname).map_err(|error| corrupt(&error))?;
    let fullname = fullname.unwrap_or(&invited).clone();
    let details = AccountDetails::person(fullname, email, Some(hash.clone()));
    registration::create_in(unit, owner.id, role(invitation)?, &details)
}

fn role(invitation: &Invitation) -> Result<Role> {
    Role::parse_member(&invitation.role).map_err(|error| corrupt(&error))
}

fn corrupt(error: &str) -> Error {
    Error::internal(format!("a stored invitation is invalid: {error}"))
}

fn member_exists() -> Error {
    Error::new(ErrorKind::MemberExists, "This person is already a member of the team").at("email")
}

/// Refuses an invitation to a full team. Repeating an invitation is always possible.
fn check_size(unit: &mut UnitOfWork<'_, '_>, team: &Team, email_key: &str) -> Result<()> {
    let invited = invitation::list(unit.tx, KIND, team.id.as_uuid(), unit.now)?;
    let known = invited.iter().any(|it| it.email_key == email_key);
    let taken = team::members(unit.tx, team.id)?.len() + invited.len();
    if known || taken < MAX_MEMBERS {
        return Ok(());
    }
    let message = format!("A team can have at most {MAX_MEMBERS} members, including invitations");
    Err(Error::conflict(message))
}

struct Invite {
    caller: Arc<Caller>,
    team: TeamId,
    invitee: Invitee,
}

impl Act for Invite {
    type Permit = Team;
    type Output = Invited;
    const ACTION: &'static str = "team.invite";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Team> {
        let team = claim(unit, &self.caller, self.team)?;
        let known = user::find_by_email(unit.tx, &self.invitee.email.key())?;
        match known {
            Some(user) if team::find_member(unit.tx, team.id, user.id)?.is_some() => {
                Err(member_exists())
            }
            _ => check_size(unit, &team, &self.invitee.email.key()).map(|()| team),
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, team: Team) -> Result<Done<Invited>> {
        let token = Secret::generate(SecretKind::Invitation, &*unit.app.entropy);
        let invitation = Invitation {
            id: unit.ids.next(),
            kind: KIND.to_owned(),
            tenant: Some(team.tenant),
            target: Some(team.id.as_uuid()),
            email: self.invitee.email.as_str().to_owned(),
            email_key: self.invitee.email.key(),
            fullname: self.invitee.fullname.as_str().to_owned(),
            role: self.invitee.role.name().to_owned(),
            expires_at: unit.now.plus(INVITATION_LIFE),
            created_at: unit.now,
        };
        invitation::replace(unit.tx, &token.hash(), &invitation)?;
        let owner = tenant::find(unit.tx, team.tenant)?;
        let owner = owner.ok_or_else(|| Error::not_found("Organization"))?.name;
        let mail = compose_mail(
            unit,
            &invitation,
            plain("inviter", &self.caller.name),
            &owner,
            &team,
            &token,
        )?;
        unit.app.mailer.enqueue(unit.tx, "invitation", &mail)?;
        let Invitation { id, email, expires_at, .. } = invitation;
        let invited = Invited { id, team: team.id, email, role: self.invitee.role, expires_at };
        Ok(Done::new(invited, resource(&team), "A team member was invited"))
    }
}

/// Composes the mail of a stored invitation with a new token, in the name of the organization.
pub(crate) fn compose_again(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    owner: &str,
    token: &Secret,
) -> Result<Mail> {
    let (tenant, id) = invitation.tenant.zip(invitation.target).ok_or_else(invalid)?;
    let team = team::find(unit.tx, tenant, id.into(), unit.now)?.ok_or_else(invalid)?;
    // The invitation does not say who sent it first.
    let inviter = message("inviter", "mail-inviter-unknown");
    compose_mail(unit, invitation, inviter, owner, &team, token)
}

fn compose_mail(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    inviter: MailValue<'_>,
    owner: &str,
    team: &Team,
    token: &Secret,
) -> Result<Mail> {
    let days = (INVITATION_LIFE.as_secs() / 86_400).to_string();
    let link = crate::identity::invitation::link(unit.app, token);
    let values = [
        plain("link", &link),
        inviter,
        plain("organization", owner),
        plain("team", &team.name),
        plain("token", token.expose()),
        plain("days", &days),
    ];
    let (to, name) = (&invitation.email, Some(&*invitation.fullname));
    compose::from_template(unit.tx, MailKind::TeamInvitation, to, name, &values)
}
