//! API clients on the external API.

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

use super::{Bearer, ended, suspended};
use crate::keys::{Audience, Claims};

/// An API client that came in. It acts as the user who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCaller {
    /// The client.
    pub client: ClientId,
    /// What it is called.
    pub name: String,
    /// Whom it acts as.
    pub user: UserId,
    /// What that person may do.
    pub role: Role,
    /// Where it acts.
    pub tenant: TenantId,
    /// What kind of tenant that is.
    pub tenant_type: TenantType,
    /// What the tenant pays for.
    pub plan: Plan,
    /// What the token opens, as far as the client still may.
    pub scopes: Scopes,
}

impl ClientCaller {
    /// The caller as acts and the log know them.
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

    fn look_up(tx: &mut Tx<'_>, claims: &Claims, now: Timestamp) -> Result<Self> {
        let (Some(id), Some(sid), Ok(token)) =
            (claims.client_id, claims.sid, claims.jti.parse::<Uuid>())
        else {
            return Err(ended());
        };
        let exchange = exchange::find(tx, ExchangeId::from(sid))?.ok_or_else(ended)?;
        if exchange.revoked_at.is_some()
            || exchange.client != id
            || exchange::is_revoked(tx, token)?
        {
            return Err(ended());
        }
        let client = client::find_anywhere(tx, id)?.ok_or_else(ended)?;
        let (tenant, role) = match Standing::of(tx, &client, now)? {
            Standing::Good(tenant, role) => (tenant, role),
            Standing::Inactive => return Err(ended()),
            Standing::Suspended => return Err(suspended()),
        };
        let carried = claims.scope.parse::<Scopes>().map_err(|_| ended())?;
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

/// Whether a client may act now, and where.
pub(crate) enum Standing {
    /// In this tenant, with the role of the person it acts as.
    Good(Box<Tenant>, Role),
    /// Inactive, revoked, expired, or its user is no active member of the tenant any more.
    Inactive,
    /// Its tenant is suspended.
    Suspended,
}

impl Standing {
    pub(crate) fn of(tx: &mut Tx<'_>, client: &Client, now: Timestamp) -> Result<Self> {
        let found = membership::find_active(tx, client.tenant, client.user)?;
        let Some((tenant, role)) = found else { return Ok(Self::Inactive) };
        Ok(if !is_usable(client.status, client.expires_at, now) {
            Self::Inactive
        } else if tenant.status == OrganizationStatus::Suspended {
            Self::Suspended
        } else {
            Self::Good(Box::new(tenant), role)
        })
    }
}
