//! Callers of the console.

use grantor_domain::access::Actor;
use grantor_domain::id::{SessionId, TenantId, UserId};
use grantor_domain::organization::OrganizationStatus;
use grantor_domain::role::{Role, TenantType};
use grantor_domain::{Result, Timestamp};
use grantor_storage::{Tx, membership};

use super::{Bearer, invalid, suspended};
use grantor_keys::{Audience, Claims};

/// An authenticated user of the console.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The account.
    pub user: UserId,
    /// The person's name.
    pub name: String,
    /// The person's role in the tenant.
    pub role: Role,
    /// The tenant the person acts in.
    pub tenant: TenantId,
    /// The kind of tenant.
    pub tenant_type: TenantType,
    /// The session the token belongs to.
    pub session: SessionId,
    /// Whether the person is also a member of other tenants.
    pub has_other_tenants: bool,
}

impl Caller {
    /// Returns the caller as an actor.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::User { id: self.user, tenant: self.tenant, name: self.name.clone() }
    }
}

impl Bearer for Caller {
    const AUDIENCE: Audience = Audience::Console;

    fn load(tx: &mut Tx<'_>, claims: &Claims, _: Timestamp) -> Result<Self> {
        let (Ok(id), Some(sid)) = (claims.sub.parse::<UserId>(), claims.sid) else {
            return Err(invalid());
        };
        let session = SessionId::from(sid);
        let found = membership::find_by_session(tx, session)?;
        let member = found.filter(|it| it.user == id).ok_or_else(invalid)?;
        if member.status == OrganizationStatus::Suspended {
            return Err(suspended());
        }
        Ok(Self {
            user: member.user,
            name: member.fullname,
            role: member.role,
            tenant: member.tenant,
            tenant_type: member.kind,
            session,
            has_other_tenants: member.has_other_tenants,
        })
    }
}
