//! Callers within a tenant, through the console or through an API client.

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::role::{Role, TenantType};
use grantor_domain::scope::Scopes;

use super::{Caller, ClientCaller};

/// A user who acts in a tenant, either signed in to the console or through an API client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TenantCaller {
    /// The user.
    pub user: UserId,
    /// The tenant.
    pub tenant: TenantId,
    /// The kind of tenant.
    pub tenant_type: TenantType,
    /// The user's role in the tenant.
    pub role: Role,
    /// The scopes: all of them in the console, the token's for an API client.
    pub scopes: Scopes,
}

impl From<&Caller> for TenantCaller {
    fn from(caller: &Caller) -> Self {
        let Caller { user, tenant, tenant_type, role, .. } = *caller;
        Self { user, tenant, tenant_type, role, scopes: Scopes::all() }
    }
}

impl From<&ClientCaller> for TenantCaller {
    fn from(caller: &ClientCaller) -> Self {
        let ClientCaller { user, tenant, tenant_type, role, scopes, .. } = *caller;
        Self { user, tenant, tenant_type, role, scopes }
    }
}
