//! Staff on the admin API.

use grantor_domain::access::Actor;
use grantor_domain::admin::AdminRole;
use grantor_domain::id::{AdminId, SessionId};
use grantor_domain::{Result, Timestamp};
use grantor_storage::{Tx, admin, session};

use super::{Bearer, ended};
use crate::keys::{Audience, Claims};

/// A member of staff who came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdminCaller {
    /// The account.
    pub admin: AdminId,
    /// The person's name.
    pub name: String,
    /// What the person may do.
    pub role: AdminRole,
    /// The sign-in the token belongs to.
    pub session: SessionId,
}

impl AdminCaller {
    /// The caller as acts and the log know them.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Admin { id: self.admin, name: self.name.clone() }
    }
}

impl Bearer for AdminCaller {
    const AUDIENCE: Audience = Audience::Admin;

    fn look_up(tx: &mut Tx<'_>, claims: &Claims, _: Timestamp) -> Result<Self> {
        let (Ok(id), Some(sid)) = (claims.sub.parse::<AdminId>(), claims.sid) else {
            return Err(ended());
        };
        let session = session::find(tx, SessionId::from(sid))?.ok_or_else(ended)?;
        let admin = admin::find(tx, id)?.ok_or_else(ended)?;
        if session.revoked_at.is_some() || session.subject != id.as_uuid() || !admin.active {
            return Err(ended());
        }
        let session = session.id;
        Ok(Self { admin: admin.id, name: admin.fullname, role: admin.role, session })
    }
}
