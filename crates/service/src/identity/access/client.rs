//! Callers of the external API.

use grantor_domain::access::Actor;
use grantor_domain::client::is_usable;
use grantor_domain::id::{ClientId, ExchangeId, TenantId, UserId};
use grantor_domain::organization::{OrganizationStatus, Plan};
use grantor_domain::role::{Role, TenantType};
use grantor_domain::scope::Scopes;
use grantor_domain::{Result, Timestamp};
use grantor_storage::client::{self, Client};
use grantor_storage::tenant::Tenant;
use grantor_storage::{Tx, exchange, membership};
use uuid::Uuid;

use super::{Bearer, invalid, suspended};
use grantor_keys::{Audience, Claims};

/// An authenticated API client. It acts as the user who created it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCaller {
    /// The client.
    pub client: ClientId,
    /// The client's name.
    pub name: String,
    /// The user it acts as.
    pub user: UserId,
    /// The user's role in the tenant.
    pub role: Role,
    /// The tenant it acts in.
    pub tenant: TenantId,
    /// The kind of tenant.
    pub tenant_type: TenantType,
    /// The tenant's plan.
    pub plan: Plan,
    /// The token's scopes, without those the client has lost since.
    pub scopes: Scopes,
}

impl ClientCaller {
    /// Returns the caller as an actor.
    #[must_use]
    pub fn actor(&self) -> Actor {
        Actor::Client {
            id: self.client,
            user: self.user,
            tenant: self.tenant,
            name: self.name.clone(),
        }
    }
}

impl Bearer for ClientCaller {
    const AUDIENCE: Audience = Audience::External;

    fn load(tx: &mut Tx<'_>, claims: &Claims, now: Timestamp) -> Result<Self> {
        let (Some(id), Some(sid), Ok(token)) =
            (claims.client_id, claims.sid, claims.jti.parse::<Uuid>())
        else {
            return Err(invalid());
        };
        let exchange = exchange::find(tx, ExchangeId::from(sid))?.ok_or_else(invalid)?;
        if exchange.revoked_at.is_some()
            || exchange.client != id
            || exchange::is_revoked(tx, token)?
        {
            return Err(invalid());
        }
        let client = client::find_anywhere(tx, id)?.ok_or_else(invalid)?;
        let (tenant, role) = match ClientAccess::load(tx, &client, now)? {
            ClientAccess::Active(tenant, role) => (tenant, role),
            ClientAccess::Inactive => return Err(invalid()),
            ClientAccess::Suspended => return Err(suspended()),
        };
        let carried = claims.scope.parse::<Scopes>().map_err(|_| invalid())?;
        Ok(Self {
            client: client.id,
            name: client.name,
            user: client.user,
            role,
            tenant: tenant.id,
            tenant_type: tenant.kind,
            plan: tenant.plan,
            scopes: carried.iter().filter(|it| client.scopes.contains(*it)).collect(),
        })
    }
}

/// Whether a client may act now.
pub(crate) enum ClientAccess {
    /// It may act in this tenant, with the role of its user.
    Active(Box<Tenant>, Role),
    /// It is inactive, revoked or expired, or its user is no longer an active member.
    Inactive,
    /// Its tenant is suspended.
    Suspended,
}

impl ClientAccess {
    pub(crate) fn load(tx: &mut Tx<'_>, client: &Client, now: Timestamp) -> Result<Self> {
        let found = membership::find_active(tx, client.tenant, client.user)?;
        let Some((tenant, role)) = found else { return Ok(Self::Inactive) };
        Ok(if !is_usable(client.status, client.expires_at, now) {
            Self::Inactive
        } else if tenant.status == OrganizationStatus::Suspended {
            Self::Suspended
        } else {
            Self::Active(Box::new(tenant), role)
        })
    }
}
