//! Revoking tokens (RFC 7009). Revoking a refresh token also revokes its access tokens.

use grantor_domain::audit::Resource;
use grantor_domain::id::ExchangeId;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::{Result, Timestamp};
use grantor_storage::{client, exchange};
use uuid::Uuid;

use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};
use grantor_keys::Audience;

/// Revokes a token of the external API. Unknown and invalid tokens are ignored.
pub async fn revoke(app: &App, context: &Context, token: &str) -> Result<()> {
    let target = if let Some(refresh) = Secret::parse(&[SecretKind::ExternalRefresh], token) {
        let hash = refresh.hash();
        let found = app.store.lookup(move |tx| exchange::find_by_refresh(tx, &hash)).await;
        found.map_err(grantor_domain::Error::from)?.map(|it| Target::Exchange(it.id))
    } else {
        let claims = app.keys.verify(token, &app.public_url, Audience::External).ok();
        claims.and_then(|claims| {
            let expires_at = Timestamp::from_secs(claims.exp);
            let (id, exchange) = (claims.jti.parse().ok()?, ExchangeId::from(claims.sid?));
            Some(Target::Token { id, exchange, expires_at })
        })
    };
    if let Some(target) = target {
        app.act(context, Revoke(target)).await?;
    }
    Ok(())
}

enum Target {
    Exchange(ExchangeId),
    Token { id: Uuid, exchange: ExchangeId, expires_at: Timestamp },
}

struct Revoke(Target);

impl Act for Revoke {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "token.revoke";

    /// Having the token is the permission.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let exchange = match self.0 {
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
