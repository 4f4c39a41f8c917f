//! Accepting an invitation: by whom it was sent decides what it makes.

use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, UserId};
use grantor_domain::password::Password;
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::{tenant, user};

use crate::act::{Act, Desk, Done};
use crate::permission::share;
use crate::{App, Context, admin, talent, team};

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
    /// A talent who took up their record.
    Talent {
        /// The account it is linked to.
        id: UserId,
        /// Its address.
        email: String,
        /// Its role.
        role: String,
    },
    /// Somebody who accepted what was shared with them.
    Holder {
        /// Their account.
        id: UserId,
        /// Its address.
        email: String,
        /// What they are to the license.
        role: String,
    },
    /// Somebody who joined a team.
    Member {
        /// Their account.
        id: UserId,
        /// Its address.
        email: String,
        /// Its role.
        role: String,
    },
}

/// Where the mailed link of an invitation leads.
pub(crate) fn link(app: &App, token: &Secret) -> String {
    format!("{}/app/invitation?token={}", app.public_url, token.expose())
}

/// An invitation as whoever holds its token sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The organization that invites; nothing where the operator does.
    pub organization: Option<String>,
    /// Whom it was mailed to.
    pub email: String,
    /// The name they were invited by.
    pub fullname: String,
    /// Whether accepting makes an account, which needs a password.
    pub needs_password: bool,
    /// Whether the name is theirs to change; an account has its own.
    pub needs_name: bool,
}

/// What an invitation is to, for whoever holds its token. Looking uses nothing up.
pub async fn show(app: &App, token: &str) -> Result<Shown> {
    let hash = Secret::parse(&[SecretKind::Invitation], token).ok_or_else(ended)?.hash();
    let now = app.clock.now();
    let read = app.store.read(move |tx| {
        let found = invitation::find(tx, &hash)?.filter(|it| now < it.expires_at);
        let found = found.ok_or_else(ended)?;
        let organization = match found.tenant {
            Some(id) => tenant::find(tx, id)?.map(|it| it.name),
            None => None,
        };
        let known = user::find_by_email(tx, &found.email_key)?.is_some();
        let to_staff = !makes_accounts(&found.kind);
        let needs_password = !to_staff && !known;
        let needs_name = needs_password || (to_staff && !found.fullname.is_empty());
        let (email, fullname) = (found.email, found.fullname);
        Ok::<_, Error>(Shown { organization, email, fullname, needs_password, needs_name })
    });
    read.await
}

/// Accepts an invitation, once. Only who has no account yet needs a password.
pub async fn accept(
    app: &App,
    context: &Context,
    token: &str,
    fullname: Option<FullName>,
    password: Option<&str>,
) -> Result<Accepted> {
    let token = Secret::parse(&[SecretKind::Invitation], token).ok_or_else(ended)?;
    let password_hash = match password {
        Some(password) => choose(app, context, &token, fullname.as_ref(), password).await?,
        None => None,
    };
    let act = Accept { hash: token.hash(), fullname, password_hash };
    app.act(context, act).await
}

/// The hash of a password that the invitation's account will have; nothing where it makes none.
/// Hashing takes its time, so it is done before the unit of work and only for who holds a token.
async fn choose(
    app: &App,
    context: &Context,
    token: &Secret,
    fullname: Option<&FullName>,
    password: &str,
) -> Result<Option<String>> {
    let (hash, now) = (token.hash(), app.clock.now());
    let unknown = app
        .store
        .read(move |tx| {
            let found = invitation::find(tx, &hash)?;
            let found = found.filter(|it| makes_accounts(&it.kind) && now < it.expires_at);
            let Some(found) = found else { return Ok::<_, Error>(None) };
            let known = user::find_by_email(tx, &found.email_key)?.is_some();
            Ok(Some(found).filter(|_| !known))
        })
        .await?;
    let Some(invitation) = unknown else { return Ok(None) };
    let name = fullname.map_or(invitation.fullname.as_str(), FullName::as_str);
    let password = Password::choose(password, &[name, &invitation.email], app.password_policy)
        .map_err(|reason| Error::field("password", reason.to_string()))?;
    app.hasher.hash(password, context.origin.address).await.map(Some)
}

/// Whether accepting makes an account with a password, where there is none yet.
fn makes_accounts(kind: &str) -> bool {
    [talent::INVITATION, team::INVITATION, share::INVITATION].contains(&kind)
}

pub(crate) fn ended() -> Error {
    let message = "This invitation was used, has expired or never was";
    Error::new(ErrorKind::InvalidSession, message)
}

struct Accept {
    hash: SecretHash,
    fullname: Option<FullName>,
    password_hash: Option<String>,
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
        match grant.kind.as_str() {
            "admin" => self.join_staff(desk, &grant),
            talent::INVITATION => self.join_as_talent(desk, &grant),
            team::INVITATION => self.join_team(desk, &grant),
            share::INVITATION => {
                share::accept(desk, &grant, self.fullname.as_ref(), self.password_hash.as_ref())
            }
            other => Err(Error::internal(format!("an invitation of the kind {other}"))),
        }
    }
}

impl Accept {
    fn join_staff(&self, desk: &mut Desk<'_, '_>, grant: &Invitation) -> Result<Done<Accepted>> {
        let admin = admin::accept(desk, grant, self.fullname.as_ref())?;
        let resource = Resource {
            kind: "admin",
            id: Some(admin.id.to_string()),
            name: Some(admin.email.clone()),
        };
        let role = admin.role.name().to_owned();
        let accepted = Accepted::Admin { id: admin.id, email: admin.email, role };
        Ok(Done::new(accepted, resource, "An invitation to the staff was accepted"))
    }

    fn join_as_talent(
        &self,
        desk: &mut Desk<'_, '_>,
        grant: &Invitation,
    ) -> Result<Done<Accepted>> {
        let (fullname, hash) = (self.fullname.as_ref(), self.password_hash.as_ref());
        let (user, role, talent) = talent::accept(desk, grant, fullname, hash)?;
        let role = role.name().to_owned();
        let accepted = Accepted::Talent { id: user.id, email: user.email, role };
        let resource = talent::resource(&talent);
        let mut done = Done::new(accepted, resource, "A talent took up their record");
        done.tenant = grant.tenant;
        Ok(done)
    }

    fn join_team(&self, desk: &mut Desk<'_, '_>, grant: &Invitation) -> Result<Done<Accepted>> {
        let (fullname, hash) = (self.fullname.as_ref(), self.password_hash.as_ref());
        let (user, role, team) = team::accept(desk, grant, fullname, hash)?;
        let role = role.name().to_owned();
        let accepted = Accepted::Member { id: user.id, email: user.email, role };
        let mut done = Done::new(accepted, team::resource(&team), "Somebody joined a team");
        done.tenant = grant.tenant;
        Ok(done)
    }
}
