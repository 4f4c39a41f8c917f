//! Callers of the admin API.

use grantor_domain::access::Actor;
use grantor_domain::admin::AdminRole;
use grantor_domain::id::{AdminId, SessionId};
use grantor_domain::locale::Locale;
use grantor_domain::{Result, Timestamp};
use grantor_storage::{Tx, admin, session};

use super::{Bearer, invalid};
use grantor_keys::{Audience, Claims};

/// An authenticated member of staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminCaller {
    /// The account.
    pub admin: AdminId,
    /// The person's name.
    pub name: String,
    /// The person's role.
    pub role: AdminRole,
    /// The session the token belongs to.
    pub session: SessionId,
    /// The person's language and time zone.
    pub locale: Locale,
}

impl AdminCaller {
    /// Returns the caller as an actor.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Admin { id: self.admin, name: self.name.clone() }
    }
}

impl Bearer for AdminCaller {
    const AUDIENCE: Audience = Audience::Admin;

    fn load(tx: &mut Tx<'_>, claims: &Claims, _: Timestamp) -> Result<Self> {
        let (Ok(id), Some(sid)) = (claims.sub.parse::<AdminId>(), claims.sid) else {
            return Err(invalid());
        };
        let session = session::find(tx, SessionId::from(sid))?.ok_or_else(invalid)?;
        let (admin, locale) = admin::find_with_locale(tx, id)?.ok_or_else(invalid)?;
        if session.revoked_at.is_some() || session.subject != id.as_uuid() || !admin.active {
            return Err(invalid());
        }
        let session = session.id;
        Ok(Self { admin: admin.id, name: admin.fullname, role: admin.role, session, locale })
    }
}
