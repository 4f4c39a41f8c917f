//! Inviting somebody into a team, and what accepting does: an account is made where there is none,
//! becomes a member of the organization beside whatever else it is, and joins the team.

use std::sync::Arc;

use grantor_domain::admin::INVITATION_LIFE;
use grantor_domain::email::Email;
use grantor_domain::id::{InvitationId, TeamId};
use grantor_domain::mail::Mail;
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::person::FullName;
use grantor_domain::role::Role;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::team::MOST_MEMBERS;
use grantor_domain::template::MailKind;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::team::{self, Team};
use grantor_storage::tenant::{self, Tenant};
use grantor_storage::user::{self, User};

use super::{claim, resource};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::invitation::ended;
use crate::letter;
use crate::mail::bound;
use crate::membership::{self, suspended};
use crate::registration::{self, Entered};
use crate::{App, Context};

/// The kind of such invitations.
pub(crate) const KIND: &str = "team";

/// Who is invited.
#[derive(Clone, Debug)]
pub struct Invitee {
    /// Where to write to.
    pub email: Email,
    /// What the inviter calls them.
    pub fullname: FullName,
    /// What they will be, unless they are something in the organization already.
    pub role: Role,
}

/// An invitation on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// Its id.
    pub id: InvitationId,
    /// Into which team.
    pub team: TeamId,
    /// Where it went.
    pub email: String,
    /// The role it gives.
    pub role: Role,
    /// Until when it can be accepted.
    pub expires_at: Timestamp,
}

/// Invites somebody into a team. Inviting the same address again replaces what was sent before.
pub async fn invite(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    team: TeamId,
    invitee: Invitee,
) -> Result<Invited> {
    let to = invitee.email.clone();
    bound::inviting(app, context, &to, app.act(context, Invite { caller, team, invitee })).await
}

/// Puts who accepts into the team; gives what they are in the organization. Whoever invites hears
/// nothing of other organizations.
pub(crate) fn accept(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<(User, Role, Team)> {
    let (tenant, id) = invitation.tenant.zip(invitation.target).ok_or_else(ended)?;
    tenant::claim(desk.tx, tenant)?;
    let owner = tenant::find(desk.tx, tenant)?.ok_or_else(ended)?;
    if owner.status == OrganizationStatus::Suspended {
        return Err(suspended());
    }
    let team = team::find(desk.tx, tenant, id.into(), desk.now)?.ok_or_else(ended)?;
    let role = role(invitation)?;
    let known = user::find_by_email(desk.tx, &invitation.email_key)?;
    let known = known.map(|it| user::claim(desk.tx, it.id)).transpose()?.flatten();
    let (user, role) = match known {
        None => (sign_up(desk, &owner, invitation, fullname, password_hash)?, role),
        Some(user) => {
            let role = membership::join(desk, tenant, user.id, role)?;
            (user, role)
        }
    };
    if !team::add(desk.tx, team.id, user.id, desk.now)? {
        return Err(member_exists());
    }
    Ok((user, role, team))
}

fn sign_up(
    desk: &mut Desk<'_, '_>,
    owner: &Tenant,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<User> {
    let hash = password_hash.ok_or_else(|| Error::field("password", "is required"))?;
    let email = Email::parse(&invitation.email).map_err(unreadable)?;
    let invited = FullName::parse(&invitation.fullname).map_err(|error| unreadable(&error))?;
    let fullname = fullname.unwrap_or(&invited).clone();
    let entered = Entered::person(fullname, email, Some(hash.clone()));
    registration::create_in(desk, owner.id, role(invitation)?, &entered)
}

fn role(invitation: &Invitation) -> Result<Role> {
    Role::parse_member(&invitation.role).map_err(|error| unreadable(&error))
}

fn unreadable(error: &str) -> Error {
    Error::internal(format!("an invitation: {error}"))
}

fn member_exists() -> Error {
    Error::new(ErrorKind::MemberExists, "Somebody with this address is in the team already")
        .at("email")
}

/// Refuses one more than a team can have. Whoever is invited already takes no more room.
fn has_room(desk: &mut Desk<'_, '_>, team: &Team, email_key: &str) -> Result<()> {
    let invited = invitation::list(desk.tx, KIND, team.id.as_uuid(), desk.now)?;
    let known = invited.iter().any(|it| it.email_key == email_key);
    let taken = team::members(desk.tx, team.id)?.len() + invited.len();
    if known || taken < MOST_MEMBERS {
        return Ok(());
    }
    let message = format!("A team can have {MOST_MEMBERS} members, pending ones included");
    Err(Error::conflict(message))
}

struct Invite {
    caller: Arc<Caller>,
    team: TeamId,
    invitee: Invitee,
}

impl Act for Invite {
    type Grant = Team;
    type Output = Invited;
    const ACTION: &'static str = "team.invite";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Team> {
        let team = claim(desk, &self.caller, self.team)?;
        let known = user::find_by_email(desk.tx, &self.invitee.email.key())?;
        match known {
            Some(user) if team::find_member(desk.tx, team.id, user.id)?.is_some() => {
                Err(member_exists())
            }
            _ => has_room(desk, &team, &self.invitee.email.key()).map(|()| team),
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, team: Team) -> Result<Done<Invited>> {
        let token = Secret::generate(SecretKind::Invitation, &*desk.app.entropy);
        let invitation = Invitation {
            id: desk.ids.next(),
            kind: KIND.to_owned(),
            tenant: Some(team.tenant),
            target: Some(team.id.as_uuid()),
            email: self.invitee.email.as_str().to_owned(),
            email_key: self.invitee.email.key(),
            fullname: self.invitee.fullname.as_str().to_owned(),
            role: self.invitee.role.name().to_owned(),
            expires_at: desk.now.plus(INVITATION_LIFE),
            created_at: desk.now,
        };
        invitation::replace(desk.tx, &token.hash(), &invitation)?;
        let owner = tenant::find(desk.tx, team.tenant)?;
        let owner = owner.ok_or_else(|| Error::not_found("Organization"))?.name;
        let mail = letter(desk, &invitation, &self.caller.name, &owner, &team, &token)?;
        desk.app.mailer.enqueue(desk.tx, "invitation", &mail)?;
        let Invitation { id, email, expires_at, .. } = invitation;
        let invited = Invited { id, team: team.id, email, role: self.invitee.role, expires_at };
        Ok(Done::new(invited, resource(&team), "Somebody was invited into a team"))
    }
}

fn letter(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    inviter: &str,
    owner: &str,
    team: &Team,
    token: &Secret,
) -> Result<Mail> {
    let days = (INVITATION_LIFE.as_secs() / 86_400).to_string();
    let link = crate::invitation::link(desk.app, token);
    let values = [
        ("link", &*link),
        ("inviter", inviter),
        ("organization", owner),
        ("team", &*team.name),
        ("token", token.expose()),
        ("days", &*days),
    ];
    let (to, name) = (&invitation.email, Some(&*invitation.fullname));
    letter::write(desk.tx, MailKind::TeamInvitation, to, name, &values)
}
