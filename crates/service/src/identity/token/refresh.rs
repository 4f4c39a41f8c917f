//! Issuing an access token for an API client's refresh token.

use grantor_domain::audit::Resource;
use grantor_domain::organization::Plan;
use grantor_domain::secret::SecretHash;
use grantor_domain::session::{ExternalRefreshOutcome, ExternalTokenState, present_external};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::client::{self, Client};
use grantor_storage::exchange::{self, Exchange};
use grantor_storage::{Tx, expired_token};

use super::{Issued, actor, resource, wrong};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::ClientAccess;

/// The state of a refresh token.
pub(super) enum RefreshState {
    /// The token is valid.
    Valid(Box<ValidToken>),
    /// The token of a known client was rejected for this reason.
    Rejected(Box<Client>, Error),
    /// The token has expired and was deleted.
    Expired,
    /// There is no such token.
    Unknown,
}

/// A valid refresh token.
pub(super) struct ValidToken {
    pub(super) client: Client,
    pub(super) plan: Plan,
    pub(super) exchange: Exchange,
}

impl RefreshState {
    pub(super) fn load(tx: &mut Tx<'_>, hash: Option<&SecretHash>, now: Timestamp) -> Result<Self> {
        let Some(hash) = hash else { return Ok(Self::Unknown) };
        let found = exchange::find_by_refresh(tx, hash)?;
        let client = match &found {
            Some(it) => client::find_anywhere(tx, it.client)?,
            None => None,
        };
        let (Some(exchange), Some(client)) = (found, client) else {
            let expired = expired_token::exists(tx, hash)?;
            return Ok(if expired { Self::Expired } else { Self::Unknown });
        };
        let access = ClientAccess::load(tx, &client, now)?;
        let token = ExternalTokenState {
            expires_at: exchange.refresh_until,
            revoked: exchange.revoked_at.is_some(),
            client_usable: matches!(access, ClientAccess::Active(..)),
        };
        Ok(match (present_external(Some(token), now), access) {
            (ExternalRefreshOutcome::Issue, ClientAccess::Active(tenant, _)) => {
                Self::Valid(Box::new(ValidToken { client, plan: tenant.plan, exchange }))
            }
            (_, ClientAccess::Suspended) if !token.revoked => {
                let refusal = Error::new(ErrorKind::Forbidden, "This account is suspended");
                Self::Rejected(Box::new(client), refusal)
            }
            (refused, _) => {
                let refusal = refused.refusal().unwrap_or_else(wrong);
                Self::Rejected(Box::new(client), refusal)
            }
        })
    }
}

pub(super) struct Refresh {
    pub(super) hash: Option<SecretHash>,
}

impl Act for Refresh {
    type Permit = RefreshState;
    type Output = Result<Issued>;
    const ACTION: &'static str = "token.refresh";

    /// Having the refresh token is the permission.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<RefreshState> {
        RefreshState::load(unit.tx, self.hash.as_ref(), unit.now)
    }

    fn carry_out(
        &self,
        _: &mut UnitOfWork<'_, '_>,
        permit: RefreshState,
    ) -> Result<Done<Self::Output>> {
        Ok(match permit {
            RefreshState::Valid(valid) => {
                let ValidToken { client, exchange, .. } = *valid;
                let (actor, resource) = (actor(&client), resource(&client));
                let (user, scopes, refresh) = (client.user, client.scopes, None);
                let issued = Issued { client: client.id, user, scopes, exchange, refresh };
                let message = "An API client's access token was refreshed";
                Done::new(Ok(issued), resource, message).with_actor(actor)
            }
            RefreshState::Rejected(client, refusal) => {
                let message = "A refresh token was rejected";
                let mut done = Done::new(Err(refusal), resource(&client), message).refused();
                done.tenant = Some(client.tenant);
                done
            }
            RefreshState::Expired => {
                refused(ExternalRefreshOutcome::Expired, "An expired refresh token was rejected")
            }
            RefreshState::Unknown => {
                refused(ExternalRefreshOutcome::Unknown, "An unknown refresh token was rejected")
            }
        })
    }
}

/// Refuses a token whose client is unknown.
fn refused(decision: ExternalRefreshOutcome, message: &str) -> Done<Result<Issued>> {
    let nobody = Resource { kind: "client", id: None, name: None };
    Done::new(Err(decision.refusal().unwrap_or_else(wrong)), nobody, message).refused()
}
