//! Introspecting tokens for an authenticated client (RFC 7662).

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::scope::Scopes;
use grantor_domain::secret::{Secret, SecretKind};
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::client;

use super::refresh::RefreshState;
use crate::App;
use crate::identity::access;

/// A valid token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenDetails {
    /// Its scopes.
    pub scopes: Scopes,
    /// The API key of the client that it was issued to.
    pub api_key: String,
    /// The user its client acts as.
    pub user: UserId,
    /// When it expires.
    pub expires_at: Timestamp,
    /// The ID of an access token and when it was issued; `None` for a refresh token.
    pub access: Option<(String, Timestamp)>,
}

/// Returns the details of a valid token of this tenant. Any other token gets `None`.
pub async fn introspect(app: &App, tenant: TenantId, token: &str) -> Result<Option<TokenDetails>> {
    if let Some(refresh) = Secret::parse(&[SecretKind::ExternalRefresh], token) {
        return introspect_refresh(app, tenant, &refresh).await;
    }
    let (caller, claims) = match access::external_with_claims(app, token).await {
        Ok(found) => found,
        Err(refusal) if refusal.is_refusal() => return Ok(None),
        Err(error) => return Err(error),
    };
    let id = caller.client;
    let found = app.store.lookup(move |tx| client::find(tx, tenant, id)).await;
    Ok(found.map_err(Error::from)?.map(|client| TokenDetails {
        scopes: caller.scopes,
        api_key: client.api_key,
        user: caller.user,
        expires_at: Timestamp::from_secs(claims.exp),
        access: Some((claims.jti.clone(), Timestamp::from_secs(claims.iat))),
    }))
}

async fn introspect_refresh(
    app: &App,
    tenant: TenantId,
    refresh: &Secret,
) -> Result<Option<TokenDetails>> {
    let (hash, now) = (refresh.hash(), app.clock.now());
    let state = app.store.read(move |tx| RefreshState::load(tx, Some(&hash), now)).await?;
    let RefreshState::Valid(valid) = state else { return Ok(None) };
    Ok(Some(valid).filter(|it| it.client.tenant == tenant).map(|it| TokenDetails {
        scopes: it.client.scopes,
        api_key: it.client.api_key,
        user: it.client.user,
        expires_at: it.exchange.refresh_until,
        access: None,
    }))
}
