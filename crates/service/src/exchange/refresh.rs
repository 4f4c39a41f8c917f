//! Renewing an API client's access with a refresh token.

use grantor_domain::audit::Resource;
use grantor_domain::organization::Plan;
use grantor_domain::secret::SecretHash;
use grantor_domain::session::{ExternalDecision, ExternalTokenState, present_external};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::client::{self, Client};
use grantor_storage::exchange::{self, Exchange};
use grantor_storage::{Tx, expired_token};

use super::{Issued, actor, resource, wrong};
use crate::access::Standing;
use crate::act::{Act, Desk, Done};

/// What a refresh token is good for.
pub(super) enum Renewable {
    /// Another access token of this client.
    Good(Box<Known>),
    /// Nothing, though its client is known; why not.
    Dead(Box<Client>, Error),
    /// Nothing: it expired and was forgotten since.
    Expired,
    /// Nothing: there is no such token.
    Unknown,
}

/// A token that is good.
pub(super) struct Known {
    pub(super) client: Client,
    pub(super) plan: Plan,
    exchange: Exchange,
}

impl Renewable {
    pub(super) fn find(tx: &mut Tx<'_>, hash: Option<&SecretHash>, now: Timestamp) -> Result<Self> {
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
        let standing = Standing::of(tx, &client, now)?;
        let token = ExternalTokenState {
            expires_at: exchange.refresh_until,
            revoked: exchange.revoked_at.is_some(),
            client_usable: matches!(standing, Standing::Good(..)),
        };
        Ok(match (present_external(Some(token), now), standing) {
            (ExternalDecision::Issue, Standing::Good(tenant, _)) => {
                Self::Good(Box::new(Known { client, plan: tenant.plan, exchange }))
            }
            (_, Standing::Suspended) if !token.revoked => {
                let refusal = Error::new(ErrorKind::Forbidden, "This account is suspended");
                Self::Dead(Box::new(client), refusal)
            }
            (refused, _) => Self::Dead(Box::new(client), refused.refusal().unwrap_or_else(wrong)),
        })
    }
}

pub(super) struct Refresh {
    pub(super) hash: Option<SecretHash>,
}

impl Act for Refresh {
    type Grant = Renewable;
    type Output = Result<Issued>;
    const ACTION: &'static str = "token.refresh";

    /// Holding the refresh token is the permission.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Renewable> {
        Renewable::find(desk.tx, self.hash.as_ref(), desk.now)
    }

    fn carry_out(&self, _: &mut Desk<'_, '_>, grant: Renewable) -> Result<Done<Self::Output>> {
        Ok(match grant {
            Renewable::Good(known) => {
                let Known { client, exchange, .. } = *known;
                let (actor, resource) = (actor(&client), resource(&client));
                let (user, scopes, refresh) = (client.user, client.scopes, None);
                let issued = Issued { client: client.id, user, scopes, exchange, refresh };
                Done::new(Ok(issued), resource, "An API client renewed its access").by(actor)
            }
            Renewable::Dead(client, refusal) => {
                let message = "A dead refresh token";
                let mut done = Done::new(Err(refusal), resource(&client), message).refused();
                done.tenant = Some(client.tenant);
                done
            }
            Renewable::Expired => refused(ExternalDecision::Expired, "An expired refresh token"),
            Renewable::Unknown => refused(ExternalDecision::Unknown, "An unknown refresh token"),
        })
    }
}

/// The refusal of a token whose client is not known.
fn refused(decision: ExternalDecision, message: &str) -> Done<Result<Issued>> {
    let nobody = Resource { kind: "client", id: None, name: None };
    Done::new(Err(decision.refusal().unwrap_or_else(wrong)), nobody, message).refused()
}
