//! Invitations of talents. Accepting one links the talent record to the person's account, which is
//! created if there is none.

use std::sync::Arc;

use grantor_domain::admin::INVITATION_LIFE;
use grantor_domain::email::Email;
use grantor_domain::id::{InvitationId, TalentId, TeamId};
use grantor_domain::mail::Mail;
use grantor_domain::person::FullName;
use grantor_domain::role::{Right, Role, may};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::talent::{Aliases, SocialMedia, Talent, TalentStatus};
use grantor_domain::template::MailKind;
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::user::{self, User};
use grantor_storage::{talent, tenant};

use super::{NewTalent, record, require_roster, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::identity::registration::{self, AccountDetails};
use crate::mail::compose;
use crate::mail::phrase::plain;
use crate::mail::throttle;
use crate::organizations::membership::{self, TenantMembership, suspended};
use crate::organizations::rights;
use crate::organizations::usage;
use crate::{App, Context};

/// The kind of these invitations.
pub(crate) const KIND: &str = "talent";

/// The talent to invite.
#[derive(Clone, Debug)]
pub enum Invitee {
    /// A talent on the roster, at the given address or else at the record's.
    OnRoster {
        /// The record.
        id: TalentId,
        /// The email address.
        email: Option<Email>,
    },
    /// A new talent, who is added to the roster.
    New {
        /// The licensed name.
        fullname: FullName,
        /// The email address.
        email: Email,
        /// The team that will manage them.
        team: Option<TeamId>,
    },
}

/// An invitation that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// Its id.
    pub id: InvitationId,
    /// The talent.
    pub talent: TalentId,
    /// The invited address.
    pub email: String,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// Invites a talent. Repeating an invitation, with the same address and either the same record or
/// the same name, replaces the earlier one. Another name at the same address is another person,
/// since families may share an address.
pub async fn invite(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    invitee: Invitee,
) -> Result<Invited> {
    let to = address(app, &caller, &invitee).await?;
    let act = app.act(context, Invite { caller, invitee });
    match to {
        Some(to) => throttle::inviting(app, context, &to, act).await,
        // Without an address the act refuses the invitation.
        None => act.await,
    }
}

/// Returns the address to invite.
async fn address(app: &App, caller: &Caller, invitee: &Invitee) -> Result<Option<Email>> {
    match invitee {
        Invitee::New { email, .. } | Invitee::OnRoster { email: Some(email), .. } => {
            Ok(Some(email.clone()))
        }
        Invitee::OnRoster { id, email: None } => {
            let (own, id) = (caller.tenant, *id);
            let found = app.store.read(move |tx| talent::find(tx, own, id)).await;
            Ok(found.map_err(Error::from)?.and_then(|it| it.talent.email))
        }
    }
}

/// Links the talent record of an accepted invitation. If the address has no account, one is created
/// with the chosen password; an existing account keeps its password.
pub(crate) fn accept(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<(User, Role, Talent)> {
    let not_found = || Error::not_found("Talent");
    let (tenant, id) = invitation.tenant.zip(invitation.target).ok_or_else(not_found)?;
    let listed = talent::claim(unit.tx, tenant, id.into())?.ok_or_else(not_found)?;
    if listed.talent.verified {
        return Err(already_linked());
    }
    let (user, membership) = match user::find_by_email(unit.tx, &invitation.email_key)? {
        Some(user) => {
            let membership = membership::choose(unit.tx, &user, None)?.ok_or_else(suspended)?;
            (user, membership)
        }
        None => sign_up(unit, invitation, fullname, password_hash)?,
    };
    talent::link(unit.tx, listed.talent.id, user.id, unit.now)?;
    Ok((user, membership.role, listed.talent))
}

fn sign_up(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<(User, TenantMembership)> {
    let hash = password_hash.ok_or_else(|| Error::field("password", "is required"))?;
    let corrupt = |error: &str| Error::internal(format!("a stored invitation is invalid: {error}"));
    let email = Email::parse(&invitation.email).map_err(corrupt)?;
    let invited = FullName::parse(&invitation.fullname).map_err(|error| corrupt(&error))?;
    let fullname = fullname.unwrap_or(&invited).clone();
    registration::create(unit, &AccountDetails::person(fullname, email, Some(hash.clone())))
}

fn already_linked() -> Error {
    Error::conflict("This talent record is already linked to an account")
}

struct Invite {
    caller: Arc<Caller>,
    invitee: Invitee,
}

impl Invite {
    /// Returns the record that a person with this name and address was invited to and that isn't
    /// linked yet.
    fn invited_before(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        fullname: &FullName,
        email: &Email,
    ) -> Result<Option<Talent>> {
        let own = self.caller.tenant;
        for id in invitation::list_targets(unit.tx, own, KIND, &email.key())? {
            let found = talent::claim(unit.tx, own, id.into())?.map(|it| it.talent);
            if let Some(talent) = found.filter(|it| !it.verified && it.is_called(fullname)) {
                return Ok(Some(talent));
            }
        }
        Ok(None)
    }
}

impl Act for Invite {
    /// The talent, the address, and whether the talent is new.
    type Permit = (Talent, Email, bool);
    type Output = Invited;
    const ACTION: &'static str = "talent.invite";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        match &self.invitee {
            Invitee::OnRoster { id, email } => {
                let found = talent::claim(unit.tx, self.caller.tenant, *id)?;
                let talent = found.ok_or_else(|| Error::not_found("Talent"))?.talent;
                rights::require_for_team(unit, Right::ManageTalents, talent.team)?;
                if talent.verified {
                    return Err(already_linked());
                }
                let email = email.clone().or_else(|| talent.email.clone());
                let email = email.ok_or_else(|| Error::field("email", "is required"))?;
                Ok((talent, email, false))
            }
            Invitee::New { fullname, email, team } => {
                require_roster(self.caller.tenant_type)?;
                if let Some(talent) = self.invited_before(unit, fullname, email)? {
                    rights::require_for_team(unit, Right::ManageTalents, talent.team)?;
                    return Ok((talent, email.clone(), false));
                }
                let own = self.caller.tenant;
                let team = rights::choose_team(unit, own, Right::ManageTalents, *team)?;
                let new = NewTalent {
                    fullname: fullname.clone(),
                    aliases: Aliases::default(),
                    email: Some(email.clone()),
                    phone: None,
                    bio: None,
                    social_media: SocialMedia::default(),
                    team,
                    external_id: None,
                    status: TalentStatus::Active,
                };
                Ok((record(unit, self.caller.tenant, new), email.clone(), true))
            }
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Self::Permit,
    ) -> Result<Done<Invited>> {
        let (talent, email, is_new) = permit;
        if is_new {
            usage::admit(unit, self.caller.tenant, LimitedResource::Talents, 1)?;
            talent::insert(unit.tx, &talent, None)?;
        }
        let token = Secret::generate(SecretKind::Invitation, &*unit.app.entropy);
        let invitation = Invitation {
            id: unit.ids.next(),
            kind: KIND.to_owned(),
            tenant: Some(self.caller.tenant),
            target: Some(talent.id.as_uuid()),
            email: email.as_str().to_owned(),
            email_key: email.key(),
            fullname: talent.fullname.as_str().to_owned(),
            role: Role::Individual.name().to_owned(),
            expires_at: unit.now.plus(INVITATION_LIFE),
            created_at: unit.now,
        };
        invitation::replace(unit.tx, &token.hash(), &invitation)?;
        let agency = tenant::find(unit.tx, self.caller.tenant)?;
        let agency = agency.ok_or_else(|| Error::not_found("Organization"))?.name;
        let mail = compose_mail(unit, &invitation, &self.caller.name, &agency, &token)?;
        unit.app.mailer.enqueue(unit.tx, "invitation", &mail)?;
        let Invitation { id, email, expires_at, .. } = invitation;
        let invited = Invited { id, talent: talent.id, email, expires_at };
        Ok(Done::new(invited, resource(&talent), "A talent was invited"))
    }
}

/// Composes the mail of a stored invitation with a new token, in the name of the agency.
pub(crate) fn compose_again(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    agency: &str,
    token: &Secret,
) -> Result<Mail> {
    compose_mail(unit, invitation, agency, agency, token)
}

fn compose_mail(
    unit: &mut UnitOfWork<'_, '_>,
    invitation: &Invitation,
    inviter: &str,
    agency: &str,
    token: &Secret,
) -> Result<Mail> {
    let days = (INVITATION_LIFE.as_secs() / 86_400).to_string();
    let link = crate::identity::invitation::link(unit.app, token);
    let values = [
        plain("link", &link),
        plain("inviter", inviter),
        plain("organization", agency),
        plain("token", token.expose()),
        plain("days", &days),
    ];
    let (to, name) = (&invitation.email, Some(&*invitation.fullname));
    compose::from_template(unit.tx, MailKind::TalentInvitation, to, name, &values)
}
