//! People in the console.

use grantor_domain::access::Actor;
use grantor_domain::id::{SessionId, TenantId, UserId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::{Result, Timestamp};
use grantor_storage::{Tx, membership};

use super::{Bearer, ended, suspended};
use crate::keys::{Audience, Claims};

/// A person who came in by the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub name: String,
    /// What the person may do.
    pub role: Role,
    /// Where the person acts.
    pub tenant: TenantId,
    /// What kind of tenant that is.
    pub tenant_type: TenantType,
    /// The sign-in the token belongs to.
    pub session: SessionId,
    /// Whether the person is a member of other tenants too.
    pub elsewhere: bool,
}

impl Caller {
    /// The caller as acts and the log know them.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::User { id: self.user, tenant: self.tenant, name: self.name.clone() }
    }
}

impl Bearer for Caller {
    const AUDIENCE: Audience = Audience::Console;

    fn look_up(tx: &mut Tx<'_>, claims: &Claims, _: Timestamp) -> Result<Self> {
        let (Ok(id), Some(sid)) = (claims.sub.parse::<UserId>(), claims.sid) else {
            return Err(ended());
        };
        let session = SessionId::from(sid);
        let found = membership::find_by_session(tx, session)?;
        let standing = found.filter(|it| it.user == id).ok_or_else(ended)?;
        if standing.status == OrganizationStatus::Suspended {
            return Err(suspended());
        }
        Ok(Self {
            user: standing.user,
            name: standing.fullname,
            role: standing.role,
            tenant: standing.tenant,
            tenant_type: standing.kind,
            session,
            elsewhere: standing.elsewhere,
        })
    }
}
