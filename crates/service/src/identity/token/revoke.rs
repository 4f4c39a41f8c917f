//! Revoking tokens (RFC 7009). Revoking a refresh token also revokes its access tokens.

use grantor_domain::audit::Resource;
use grantor_domain::id::{ClientId, ExchangeId};
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::{client, exchange};
use uuid::Uuid;

use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};
use grantor_keys::Audience;

/// Revokes a token of the external API. Unknown and invalid tokens are ignored.
pub async fn revoke(app: &App, context: &Context, token: &str) -> Result<()> {
    if let Some(target) = find(app, token).await? {
        app.act(context, Revoke { target, owner: None }).await?;
    }
    Ok(())
}

/// Like [`revoke`], for a client that has proven its identity: tokens of other clients are refused.
pub async fn revoke_own(app: &App, context: &Context, owner: ClientId, token: &str) -> Result<()> {
    if let Some(target) = find(app, token).await? {
        app.act(context, Revoke { target, owner: Some(owner) }).await?;
    }
    Ok(())
}

async fn find(app: &App, token: &str) -> Result<Option<Target>> {
    if let Some(refresh) = Secret::parse(&[SecretKind::ExternalRefresh], token) {
        let hash = refresh.hash();
        let found = app.store.lookup(move |tx| exchange::find_by_refresh(tx, &hash)).await;
        return Ok(found.map_err(Error::from)?.map(|it| Target::Exchange(it.id)));
    }
    let claims = app.keys.verify(token, &app.public_url, Audience::External).ok();
    Ok(claims.and_then(|claims| {
        let expires_at = Timestamp::from_secs(claims.exp);
        let (id, exchange) = (claims.jti.parse().ok()?, ExchangeId::from(claims.sid?));
        Some(Target::Token { id, exchange, expires_at })
    }))
}

enum Target {
    Exchange(ExchangeId),
    Token { id: Uuid, exchange: ExchangeId, expires_at: Timestamp },
}

impl Target {
    const fn exchange(&self) -> ExchangeId {
        match self {
            Self::Exchange(id) | Self::Token { exchange: id, .. } => *id,
        }
    }
}

struct Revoke {
    target: Target,
    /// The client that the token must have been issued to, if that matters.
    owner: Option<ClientId>,
}

impl Act for Revoke {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "token.revoke";

    /// Having the token is the permission, unless it must be one's own.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        let Some(owner) = self.owner else { return Ok(()) };
        let found = exchange::find(unit.tx, self.target.exchange())?;
        if found.is_some_and(|it| it.client != owner) {
            let message = "The token was issued to another client";
            return Err(Error::new(ErrorKind::AccessDenied, message));
        }
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let exchange = match self.target {
            Target::Exchange(id) => {
                exchange::revoke(unit.tx, id, unit.now)?;
                id
            }
            Target::Token { id, exchange, expires_at } => {
                exchange::revoke_token(unit.tx, id, expires_at)?;
                exchange
            }
        };
        let found = exchange::find(unit.tx, exchange)?;
        let client = match found {
            Some(it) => client::find_anywhere(unit.tx, it.client)?,
            None => None,
        };
        let resource = client
            .as_ref()
            .map_or_else(|| Resource { kind: "client", id: None, name: None }, super::resource);
        let mut done = Done::new((), resource, "A token was revoked");
        done.tenant = client.map(|it| it.tenant);
        Ok(done)
    }
}
