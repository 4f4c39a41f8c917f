//! Authenticating an API client by its key and secret, without issuing a token.

use grantor_domain::access::Actor;
use grantor_domain::id::{ClientId, TenantId};
use grantor_domain::{Error, Result};
use grantor_storage::client::{self, Client};

use super::{FailureLimits, Flow, Presented, actor, inactive, wrong};
use crate::identity::access::ClientAccess;
use crate::organizations::membership::suspended;
use crate::{App, Context};

/// An API client that has proven its identity.
#[derive(Clone, Debug)]
pub struct AuthenticatedClient {
    /// The client.
    pub client: ClientId,
    /// The tenant it acts in.
    pub tenant: TenantId,
    /// The client as an actor.
    pub actor: Actor,
}

impl From<Client> for AuthenticatedClient {
    fn from(client: Client) -> Self {
        Self { client: client.id, tenant: client.tenant, actor: actor(&client) }
    }
}

/// Returns the API client with this key and secret, if it may be used. The error doesn't say which
/// of the two was wrong; only a caller with the right secret learns that the client is inactive.
///
/// Wrong secrets count as in [`super::create`].
pub async fn authenticate(
    app: &App,
    context: &Context,
    api_key: &str,
    api_secret: &str,
) -> Result<AuthenticatedClient> {
    let failures = FailureLimits::new(context, Flow::External, api_key);
    failures.check(app).await?;
    let presented = Presented::read(api_key, api_secret);
    let (key, now) = (presented.key.clone(), app.clock.now());
    let found = app.store.lookup(move |tx| client::find_credentials(tx, &key)).await;
    let found = found.map_err(Error::from)?.filter(|it| presented.matches(it, now));
    let Some(id) = found.map(|it| it.client) else {
        failures.count(app, context).await?;
        return Err(wrong());
    };
    let loaded = app.store.read(move |tx| {
        let Some(client) = client::find_anywhere(tx, id)? else { return Err(wrong()) };
        match ClientAccess::load(tx, &client, now)? {
            ClientAccess::Active(..) => Ok(AuthenticatedClient::from(client)),
            ClientAccess::Inactive => Err(inactive()),
            ClientAccess::Suspended => Err(suspended()),
        }
    });
    let client = loaded.await?;
    app.access.record_use(client.client, now);
    Ok(client)
}
