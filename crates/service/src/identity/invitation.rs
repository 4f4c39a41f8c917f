//! Accepting invitations to staff, to a team, to a talent record or to a shared license.

use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, UserId};
use grantor_domain::password::Password;
use grantor_domain::person::FullName;
use grantor_domain::secret::{Secret, SecretHash, SecretKind};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::invitation::{self, Invitation};
use grantor_storage::{tenant, user};

use crate::act::{Act, Done, UnitOfWork};
use crate::licensing::permission::share;
use crate::licensing::talent;
use crate::operations::admin;
use crate::organizations::team;
use crate::{App, Context};

/// The result of an accepted invitation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// A new member of staff, who is mailed a one-time token.
    Admin {
        /// The account.
        id: AdminId,
        /// Its address.
        email: String,
        /// Its role.
        role: String,
    },
    /// A talent whose account is now linked to their record.
    Talent {
        /// The account it is linked to.
        id: UserId,
        /// Its address.
        email: String,
        /// Its role.
        role: String,
    },
    /// A user who accepted a shared license.
    Holder {
        /// Their account.
        id: UserId,
        /// Its address.
        email: String,
        /// Their role on the license.
        role: String,
    },
    /// A user who joined a team.
    Member {
        /// Their account.
        id: UserId,
        /// Its address.
        email: String,
        /// Its role.
        role: String,
    },
}

/// Returns the URL for the mailed link of an invitation.
pub(crate) fn link(app: &App, token: &Secret) -> String {
    format!("{}/app/invitation?token={}", app.public_url, token.expose())
}

/// An invitation as shown to the holder of its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationView {
    /// The inviting organization; `None` for an invitation to staff.
    pub organization: Option<String>,
    /// The invited address.
    pub email: String,
    /// The name used in the invitation.
    pub fullname: String,
    /// Whether accepting creates an account, which needs a password.
    pub needs_password: bool,
    /// Whether a name can be entered. An existing account has its own.
    pub needs_name: bool,
}

/// Returns the invitation with this token, without using it up.
pub async fn show(app: &App, token: &str) -> Result<InvitationView> {
    let hash = Secret::parse(&[SecretKind::Invitation], token).ok_or_else(invalid)?.hash();
    let now = app.clock.now();
    let read = app.store.read(move |tx| {
        let found = invitation::find(tx, &hash)?.filter(|it| now < it.expires_at);
        let found = found.ok_or_else(invalid)?;
        let organization = match found.tenant {
            Some(id) => tenant::find(tx, id)?.map(|it| it.name),
            None => None,
        };
        let known = user::find_by_email(tx, &found.email_key)?.is_some();
        let to_staff = !creates_account(&found.kind);
        let needs_password = !to_staff && !known;
        let needs_name = needs_password || (to_staff && !found.fullname.is_empty());
        let (email, fullname) = (found.email, found.fullname);
        Ok::<_, Error>(InvitationView { organization, email, fullname, needs_password, needs_name })
    });
    read.await
}

/// Accepts an invitation and uses it up. A password is required only if there is no account yet.
pub async fn accept(
    app: &App,
    context: &Context,
    token: &str,
    fullname: Option<FullName>,
    password: Option<&str>,
) -> Result<Accepted> {
    let token = Secret::parse(&[SecretKind::Invitation], token).ok_or_else(invalid)?;
    let password_hash = match password {
        Some(password) => hash_password(app, context, &token, fullname.as_ref(), password).await?,
        None => None,
    };
    let act = Accept { hash: token.hash(), fullname, password_hash };
    app.act(context, act).await
}

/// Hashes the password of the account to create; `None` if no account is created. Hashing is slow,
/// so it is done before the unit of work, and only for a valid token.
async fn hash_password(
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
            let found = found.filter(|it| creates_account(&it.kind) && now < it.expires_at);
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

/// Whether accepting creates an account with a password if there is none yet.
fn creates_account(kind: &str) -> bool {
    [talent::INVITATION, team::INVITATION, share::INVITATION].contains(&kind)
}

pub(crate) fn invalid() -> Error {
    let message = "This invitation is invalid, has expired or was already used";
    Error::new(ErrorKind::InvalidSession, message)
}

struct Accept {
    hash: SecretHash,
    fullname: Option<FullName>,
    password_hash: Option<String>,
}

impl Act for Accept {
    type Permit = Invitation;
    type Output = Accepted;
    const ACTION: &'static str = "invitation.accept";

    /// Having the token is the permission. Uses it up.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Invitation> {
        let taken = invitation::consume(unit.tx, &self.hash)?;
        taken.filter(|it| unit.now < it.expires_at).ok_or_else(invalid)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: Invitation,
    ) -> Result<Done<Accepted>> {
        match permit.kind.as_str() {
            "admin" => self.join_staff(unit, &permit),
            talent::INVITATION => self.join_as_talent(unit, &permit),
            team::INVITATION => self.join_team(unit, &permit),
            share::INVITATION => {
                share::accept(unit, &permit, self.fullname.as_ref(), self.password_hash.as_ref())
            }
            other => Err(Error::internal(format!("unknown invitation kind: {other}"))),
        }
    }
}

impl Accept {
    fn join_staff(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: &Invitation,
    ) -> Result<Done<Accepted>> {
        let admin = admin::accept(unit, permit, self.fullname.as_ref())?;
        let resource = Resource {
            kind: "admin",
            id: Some(admin.id.to_string()),
            name: Some(admin.email.clone()),
        };
        let role = admin.role.name().to_owned();
        let accepted = Accepted::Admin { id: admin.id, email: admin.email, role };
        Ok(Done::new(accepted, resource, "A staff invitation was accepted"))
    }

    fn join_as_talent(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: &Invitation,
    ) -> Result<Done<Accepted>> {
        let (fullname, hash) = (self.fullname.as_ref(), self.password_hash.as_ref());
        let (user, role, talent) = talent::accept(unit, permit, fullname, hash)?;
        let role = role.name().to_owned();
        let accepted = Accepted::Talent { id: user.id, email: user.email, role };
        let resource = talent::resource(&talent);
        let mut done = Done::new(accepted, resource, "A talent invitation was accepted");
        done.tenant = permit.tenant;
        Ok(done)
    }

    fn join_team(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: &Invitation,
    ) -> Result<Done<Accepted>> {
        let (fullname, hash) = (self.fullname.as_ref(), self.password_hash.as_ref());
        let (user, role, team) = team::accept(unit, permit, fullname, hash)?;
        let role = role.name().to_owned();
        let accepted = Accepted::Member { id: user.id, email: user.email, role };
        let mut done = Done::new(accepted, team::resource(&team), "A user joined a team");
        done.tenant = permit.tenant;
        Ok(done)
    }
}
