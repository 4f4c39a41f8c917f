//! Ending a token (RFC 7009). A refresh token takes the access tokens got with it along.

use grantor_domain::audit::Resource;
use grantor_domain::id::ExchangeId;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::{Result, Timestamp};
use grantor_storage::{client, exchange};
use uuid::Uuid;

use crate::act::{Act, Desk, Done};
use crate::keys::Audience;
use crate::{App, Context};

/// Ends a token of the external API. Of one that is unknown, dead or another API's nothing is said.
pub async fn revoke(app: &App, context: &Context, token: &str) -> Result<()> {
    let end = if let Some(refresh) = Secret::parse(&[SecretKind::ExternalRefresh], token) {
        let hash = refresh.hash();
        let found = app.store.glance(move |tx| exchange::find_by_refresh(tx, &hash)).await;
        found.map_err(grantor_domain::Error::from)?.map(|it| End::Exchange(it.id))
    } else {
        let claims = app.keys.verify(token, &app.public_url, Audience::External).ok();
        claims.and_then(|claims| {
            let expires_at = Timestamp::from_secs(claims.exp);
            let (id, exchange) = (claims.jti.parse().ok()?, ExchangeId::from(claims.sid?));
            Some(End::Token { id, exchange, expires_at })
        })
    };
    if let Some(end) = end {
        app.act(context, Revoke(end)).await?;
    }
    Ok(())
}

enum End {
    Exchange(ExchangeId),
    Token { id: Uuid, exchange: ExchangeId, expires_at: Timestamp },
}

struct Revoke(End);

impl Act for Revoke {
    type Grant = ();
    type Output = ();
    const ACTION: &'static str = "token.revoke";

    /// Holding the token is the permission.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<()>> {
        let exchange = match self.0 {
            End::Exchange(id) => {
                exchange::revoke(desk.tx, id, desk.now)?;
                id
            }
            End::Token { id, exchange, expires_at } => {
                exchange::revoke_token(desk.tx, id, expires_at)?;
                exchange
            }
        };
        let found = exchange::find(desk.tx, exchange)?;
        let client = match found {
            Some(it) => client::find_anywhere(desk.tx, it.client)?,
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
