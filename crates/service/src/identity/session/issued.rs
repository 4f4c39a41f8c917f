//! The tokens issued by a sign-in and by each renewal.

use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, TenantId, UserId};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::session::{ACCESS_LIFE, REFRESH_LIFE, TokenState};
use grantor_domain::sign_in::SignInMethod;
use grantor_storage::notice::settings;
use grantor_storage::session::{self, Session};
use grantor_storage::user;
use uuid::Uuid;

use crate::App;
use crate::act::UnitOfWork;
use grantor_keys::{Audience, Claims};

/// The tokens of a session.
pub struct Tokens {
    /// The access token.
    pub access_token: String,
    /// The refresh token.
    pub refresh_token: String,
}

/// Tokens of which the access token isn't signed yet: signing is too slow for a unit of work.
pub(crate) struct Issued {
    session: Session,
    refresh: Secret,
}

/// Starts a session for a member of staff.
pub(crate) fn begin_admin(unit: &mut UnitOfWork<'_, '_>, admin: AdminId) -> Result<Issued> {
    let session = new(unit, Audience::Admin, admin.as_uuid());
    session::insert(unit.tx, &session)?;
    remember_language(unit, session.subject)?;
    Issued::of(unit, &session)
}

/// Starts a session for a user who signed in by this method, in a tenant.
pub(super) fn begin_by(
    unit: &mut UnitOfWork<'_, '_>,
    user: UserId,
    tenant: TenantId,
    method: SignInMethod,
) -> Result<Issued> {
    let session = new(unit, Audience::Console, user.as_uuid());
    begin(unit, user, &Session { tenant: Some(tenant), method: Some(method), ..session })
}

/// Starts a session for the user of another one in another tenant, as part of the same family.
pub(super) fn begin_in_family(
    unit: &mut UnitOfWork<'_, '_>,
    user: UserId,
    tenant: TenantId,
    own: &Session,
) -> Result<Issued> {
    let session = Session {
        tenant: Some(tenant),
        family: own.family,
        method: own.method,
        signed_in_at: own.signed_in_at,
        ..new(unit, Audience::Console, user.as_uuid())
    };
    begin(unit, user, &session)
}

fn begin(unit: &mut UnitOfWork<'_, '_>, user: UserId, session: &Session) -> Result<Issued> {
    session::insert(unit.tx, session)?;
    if let Some(tenant) = session.tenant {
        user::set_last_tenant(unit.tx, user, tenant)?;
    }
    remember_language(unit, session.subject)?;
    Issued::of(unit, session)
}

/// Records the language of the page in which the person signed in, for emails to people who chose
/// none.
fn remember_language(unit: &mut UnitOfWork<'_, '_>, person: Uuid) -> Result<()> {
    if let Some(language) = unit.language {
        settings::set_browser_language(unit.tx, person, language.code())?;
    }
    Ok(())
}

fn new(unit: &UnitOfWork<'_, '_>, audience: Audience, subject: Uuid) -> Session {
    let id = unit.ids.next();
    Session {
        id,
        audience: audience.to_string(),
        subject,
        tenant: None,
        family: id,
        device: unit.origin.user_agent.clone(),
        address: unit.origin.address.map(|it| it.to_string()),
        created_at: unit.now,
        last_seen_at: unit.now,
        expires_at: unit.now.plus(REFRESH_LIFE),
        revoked_at: None,
        method: None,
        signed_in_at: unit.now,
    }
}

impl Issued {
    /// Adds a refresh token to a session.
    pub(super) fn of(unit: &mut UnitOfWork<'_, '_>, session: &Session) -> Result<Self> {
        let refresh = Secret::generate(SecretKind::ConsoleRefresh, &*unit.app.entropy);
        let token = TokenState::issued(unit.now);
        session::insert_token(unit.tx, &refresh.hash(), session.id, token, unit.now)?;
        Ok(Self { session: session.clone(), refresh })
    }

    /// Returns the session as a resource for the log.
    pub(crate) fn resource(&self, name: &str) -> Resource {
        let id = Some(self.session.id.to_string());
        Resource { kind: "session", id, name: Some(name.to_owned()) }
    }

    /// Signs the access token.
    pub(crate) fn sign(self, app: &App) -> Result<Tokens> {
        let now = app.clock.now().as_secs();
        let claims = Claims {
            iss: app.public_url.clone(),
            sub: self.session.subject.to_string(),
            aud: self.session.audience.parse()?,
            scope: String::new(),
            jti: app.ids.next::<Uuid>().to_string(),
            sid: Some(self.session.id.as_uuid()),
            client_id: None,
            iat: now,
            nbf: now,
            exp: now + ACCESS_LIFE.as_secs().cast_signed(),
        };
        let access_token = app.keys.sign(&claims)?;
        Ok(Tokens { access_token, refresh_token: self.refresh.expose().to_owned() })
    }
}
