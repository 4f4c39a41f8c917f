//! People of a tenant, whichever door they came by.

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::role::{Role, TenantType};
use grantor_domain::scope::Scopes;

use super::{Caller, ClientCaller};

/// A person who acts in a tenant: at the console themself, or by an API client of theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Insider {
    /// Who it is.
    pub user: UserId,
    /// Where they act.
    pub tenant: TenantId,
    /// What kind of tenant that is.
    pub tenant_type: TenantType,
    /// What they may do there.
    pub role: Role,
    /// What is open to them: to a person everything their role allows, to a client what its token
    /// carries.
    pub scopes: Scopes,
}

impl From<&Caller> for Insider {
    fn from(caller: &Caller) -> Self {
        let Caller { user, tenant, tenant_type, role, .. } = *caller;
        Self { user, tenant, tenant_type, role, scopes: Scopes::all() }
    }
}

impl From<&ClientCaller> for Insider {
    fn from(caller: &ClientCaller) -> Self {
        let ClientCaller { user, tenant, tenant_type, role, scopes, .. } = *caller;
        Self { user, tenant, tenant_type, role, scopes }
    }
}
