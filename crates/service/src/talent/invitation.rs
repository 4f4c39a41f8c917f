//! Inviting a talent to take up their record, and what accepting does: the record is linked to the
//! person's account, which is made where there is none.

use std::sync::Arc;

use grantor_domain::admin::INVITATION_LIFE;
use grantor_domain::email::Email;
use grantor_domain::id::{InvitationId, TalentId, TeamId};
use grantor_domain::mail::Mail;
use grantor_domain::person::FullName;
use grantor_domain::role::{Right, Role, may};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::talent::{Aliases, SocialMedia, Talent};
use grantor_domain::template::MailKind;
use grantor_domain::usage::Bounded;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::user::{self, User};
use grantor_storage::{talent, tenant};

use super::{NewTalent, one_record, record, resource};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::letter;
use crate::mail::bound;
use crate::membership::{self, Place, suspended};
use crate::registration::{self, Entered};
use crate::{App, Context, reach, usage};

/// The kind of such invitations.
pub(crate) const KIND: &str = "talent";

/// Who is invited.
#[derive(Clone, Debug)]
pub enum Invitee {
    /// A talent on the roster, at another address than the record's where one is given.
    OnRoster {
        /// The record.
        id: TalentId,
        /// Where to write to.
        email: Option<Email>,
    },
    /// Somebody who joins the roster by this.
    New {
        /// The name that is licensed.
        fullname: FullName,
        /// Where to write to.
        email: Email,
        /// The team that will look after them.
        team: Option<TeamId>,
    },
}

/// An invitation on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invited {
    /// Its id.
    pub id: InvitationId,
    /// The record it is for.
    pub talent: TalentId,
    /// Where it went.
    pub email: String,
    /// Until when it can be accepted.
    pub expires_at: Timestamp,
}

/// Invites a talent. Inviting the same address to the same record again replaces what was sent
/// before, and so does inviting somebody new of the same name again. Another name at the same
/// address is another person: families share theirs.
pub async fn invite(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    invitee: Invitee,
) -> Result<Invited> {
    let to = address(app, &caller, &invitee).await?;
    let act = app.act(context, Invite { caller, invitee });
    match to {
        Some(to) => bound::inviting(app, context, &to, act).await,
        // There is nobody to write to, which the act refuses.
        None => act.await,
    }
}

/// Where the invitation will go.
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

/// Links the record an accepted invitation is for. An unknown address gets an account, with the
/// password that was chosen; a known one keeps its own, whatever was sent.
pub(crate) fn accept(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<(User, Role, Talent)> {
    let unknown = || Error::not_found("Talent");
    let (tenant, id) = invitation.tenant.zip(invitation.target).ok_or_else(unknown)?;
    let listed = talent::claim(desk.tx, tenant, id.into())?.ok_or_else(unknown)?;
    if listed.talent.verified {
        return Err(linked());
    }
    let (user, place) = match user::find_by_email(desk.tx, &invitation.email_key)? {
        Some(user) => {
            let place = membership::choose(desk.tx, &user, None)?.ok_or_else(suspended)?;
            (user, place)
        }
        None => sign_up(desk, invitation, fullname, password_hash)?,
    };
    talent::link(desk.tx, listed.talent.id, user.id, desk.now)?;
    Ok((user, place.role, listed.talent))
}

fn sign_up(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    fullname: Option<&FullName>,
    password_hash: Option<&String>,
) -> Result<(User, Place)> {
    let hash = password_hash.ok_or_else(|| Error::field("password", "is required"))?;
    let unreadable = |error: &str| Error::internal(format!("an invitation: {error}"));
    let email = Email::parse(&invitation.email).map_err(unreadable)?;
    let invited = FullName::parse(&invitation.fullname).map_err(|error| unreadable(&error))?;
    let fullname = fullname.unwrap_or(&invited).clone();
    registration::create(desk, &Entered::person(fullname, email, Some(hash.clone())))
}

fn linked() -> Error {
    Error::conflict("Somebody has taken up this talent record already")
}

struct Invite {
    caller: Arc<Caller>,
    invitee: Invitee,
}

impl Invite {
    /// The record that somebody of this name was invited to at this address and has not taken up.
    fn invited_before(
        &self,
        desk: &mut Desk<'_, '_>,
        fullname: &FullName,
        email: &Email,
    ) -> Result<Option<Talent>> {
        let own = self.caller.tenant;
        for id in invitation::list_targets(desk.tx, own, KIND, &email.key())? {
            let found = talent::claim(desk.tx, own, id.into())?.map(|it| it.talent);
            if let Some(talent) = found.filter(|it| !it.verified && it.is_called(fullname)) {
                return Ok(Some(talent));
            }
        }
        Ok(None)
    }
}

impl Act for Invite {
    /// The record, where to write to, and whether the record is yet to be added.
    type Grant = (Talent, Email, bool);
    type Output = Invited;
    const ACTION: &'static str = "talent.invite";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Self::Grant> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageTalents)?;
        match &self.invitee {
            Invitee::OnRoster { id, email } => {
                let found = talent::claim(desk.tx, self.caller.tenant, *id)?;
                let talent = found.ok_or_else(|| Error::not_found("Talent"))?.talent;
                reach::within(desk, Right::ManageTalents, talent.team)?;
                if talent.verified {
                    return Err(linked());
                }
                let email = email.clone().or_else(|| talent.email.clone());
                let email = email.ok_or_else(|| Error::field("email", "is required"))?;
                Ok((talent, email, false))
            }
            Invitee::New { fullname, email, team } => {
                one_record(self.caller.tenant_type)?;
                if let Some(talent) = self.invited_before(desk, fullname, email)? {
                    reach::within(desk, Right::ManageTalents, talent.team)?;
                    return Ok((talent, email.clone(), false));
                }
                let own = self.caller.tenant;
                let team = reach::choose(desk, own, Right::ManageTalents, *team)?;
                let new = NewTalent {
                    fullname: fullname.clone(),
                    aliases: Aliases::default(),
                    email: Some(email.clone()),
                    phone: None,
                    bio: None,
                    social_media: SocialMedia::default(),
                    team,
                };
                Ok((record(desk, self.caller.tenant, new), email.clone(), true))
            }
        }
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Self::Grant) -> Result<Done<Invited>> {
        let (talent, email, is_new) = grant;
        if is_new {
            usage::admit(desk, self.caller.tenant, Bounded::Talents, 1)?;
            talent::insert(desk.tx, &talent, None)?;
        }
        let token = Secret::generate(SecretKind::Invitation, &*desk.app.entropy);
        let invitation = Invitation {
            id: desk.ids.next(),
            kind: KIND.to_owned(),
            tenant: Some(self.caller.tenant),
            target: Some(talent.id.as_uuid()),
            email: email.as_str().to_owned(),
            email_key: email.key(),
            fullname: talent.fullname.as_str().to_owned(),
            role: Role::Individual.name().to_owned(),
            expires_at: desk.now.plus(INVITATION_LIFE),
            created_at: desk.now,
        };
        invitation::replace(desk.tx, &token.hash(), &invitation)?;
        let agency = tenant::find(desk.tx, self.caller.tenant)?;
        let agency = agency.ok_or_else(|| Error::not_found("Organization"))?.name;
        let mail = letter(desk, &invitation, &self.caller.name, &agency, &token)?;
        desk.app.mailer.enqueue(desk.tx, "invitation", &mail)?;
        let Invitation { id, email, expires_at, .. } = invitation;
        let invited = Invited { id, talent: talent.id, email, expires_at };
        Ok(Done::new(invited, resource(&talent), "A talent was invited"))
    }
}

fn letter(
    desk: &mut Desk<'_, '_>,
    invitation: &Invitation,
    inviter: &str,
    agency: &str,
    token: &Secret,
) -> Result<Mail> {
    let days = (INVITATION_LIFE.as_secs() / 86_400).to_string();
    let link = crate::invitation::link(desk.app, token);
    let values = [
        ("link", &*link),
        ("inviter", inviter),
        ("organization", agency),
        ("token", token.expose()),
        ("days", &*days),
    ];
    let (to, name) = (&invitation.email, Some(&*invitation.fullname));
    letter::write(desk.tx, MailKind::TalentInvitation, to, name, &values)
}
