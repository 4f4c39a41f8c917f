//! What a sign-in and each renewal give out.

use grantor_domain::Result;
use grantor_domain::audit::Resource;
use grantor_domain::id::{AdminId, SessionId, TenantId, UserId};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::session::{ACCESS_LIFE, REFRESH_LIFE, TokenState};
use grantor_storage::session::{self, Session};
use grantor_storage::user;
use uuid::Uuid;

use crate::App;
use crate::act::Desk;
use crate::keys::{Audience, Claims};

/// What opens an API and what keeps the session.
pub struct Tokens {
    /// Opens the API for an hour.
    pub access_token: String,
    /// Gets the next pair.
    pub refresh_token: String,
}

/// A pair whose refresh token is stored and whose access token is still to be signed, which takes
/// too long for a unit of work.
pub(crate) struct Issued {
    session: Session,
    refresh: Secret,
}

/// Begins a session of an admin.
pub(crate) fn begin_admin(desk: &mut Desk<'_, '_>, admin: AdminId) -> Result<Issued> {
    let session = new(desk, Audience::Admin, admin.as_uuid());
    session::insert(desk.tx, &session)?;
    Issued::of(desk, &session)
}

/// Begins a session of a person, who acts in this tenant by it.
pub(crate) fn begin_in(desk: &mut Desk<'_, '_>, user: UserId, tenant: TenantId) -> Result<Issued> {
    begin_beside(desk, user, tenant, None)
}

/// The same, as one of a family.
pub(super) fn begin_beside(
    desk: &mut Desk<'_, '_>,
    user: UserId,
    tenant: TenantId,
    family: Option<SessionId>,
) -> Result<Issued> {
    let mut session = new(desk, Audience::Console, user.as_uuid());
    session.tenant = Some(tenant);
    session.family = family.unwrap_or(session.id);
    session::insert(desk.tx, &session)?;
    user::set_last_tenant(desk.tx, user, tenant)?;
    Issued::of(desk, &session)
}

fn new(desk: &Desk<'_, '_>, audience: Audience, subject: Uuid) -> Session {
    let id = desk.ids.next();
    Session {
        id,
        audience: audience.to_string(),
        subject,
        tenant: None,
        family: id,
        device: desk.origin.user_agent.clone(),
        address: desk.origin.address.map(|it| it.to_string()),
        created_at: desk.now,
        last_seen_at: desk.now,
        expires_at: desk.now.plus(REFRESH_LIFE),
        revoked_at: None,
    }
}

impl Issued {
    /// Adds a refresh token to a session.
    pub(super) fn of(desk: &mut Desk<'_, '_>, session: &Session) -> Result<Self> {
        let refresh = Secret::generate(SecretKind::ConsoleRefresh, &*desk.app.entropy);
        let token = TokenState::issued(desk.now);
        session::insert_token(desk.tx, &refresh.hash(), session.id, token, desk.now)?;
        Ok(Self { session: session.clone(), refresh })
    }

    /// How the log names the session of this person.
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
