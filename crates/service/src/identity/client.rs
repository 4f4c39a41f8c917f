//! API clients: creating, listing, changing, rotating and deleting them, recording their last use
//! and warning before they expire.

mod restore;
mod revoke;

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::client::{ClientName, ClientStatus, Environment, ExpiryWarning};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{ClientId, TenantId};
use grantor_domain::patch::Patch;
use grantor_domain::role::{Right, may};
use grantor_domain::scope::Scopes;
use grantor_domain::secret::{ApiKey, Secret, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
pub use grantor_storage::client::Client;
use grantor_storage::{client, exchange, tenant};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::notices;
use crate::{App, Context};

pub(crate) use self::restore::ClientReverse;
use self::revoke::Revoke;

/// The maximum number of clients per tenant.
pub const MAX_CLIENTS: usize = 100;
/// The number of clients per batch, when looking for expiring ones and when storing uses.
const AT_ONCE: u32 = 500;

/// A client to create.
#[derive(Clone, Debug)]
pub struct NewClient {
    /// Its name.
    pub name: ClientName,
    /// Its environment.
    pub environment: Environment,
    /// The scopes of its tokens.
    pub scopes: Scopes,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

/// The changes to a client. Fields that aren't set stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The new name.
    pub name: Option<ClientName>,
    /// The new scopes.
    pub scopes: Option<Scopes>,
    /// The new expiry.
    pub expires_at: Patch<Timestamp>,
    /// The new status.
    pub status: Option<ClientStatus>,
}

/// A client with its secret, which is shown only once.
pub struct ClientWithSecret {
    /// The client.
    pub client: Client,
    /// Its new secret.
    pub secret: Secret,
}

/// Creates a client.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewClient,
) -> Result<ClientWithSecret> {
    app.act(context, Create { caller, new }).await
}

/// Returns the tenant's clients, newest first.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<Client>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(client::list(tx, tenant)?)).await
}

/// Changes a client. The change applies to its existing tokens immediately.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ClientId,
    changes: Changes,
) -> Result<Client> {
    let revokes = changes.status == Some(ClientStatus::Revoked);
    let change = Change { caller, id, changes };
    if revokes { app.act(context, Revoke(change)).await } else { app.act(context, change).await }
}

/// Gives a client a new secret. The old secret and the refresh tokens issued with it stay valid for
/// the grace period; access tokens stay valid until they expire.
pub async fn rotate(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ClientId,
    grace: Duration,
) -> Result<ClientWithSecret> {
    app.act(context, Rotate { caller, id, grace }).await
}

/// Deletes a client and invalidates its tokens.
pub async fn delete(app: &App, context: &Context, caller: Arc<Caller>, id: ClientId) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// Stores when clients were last used and returns their number. Uses that can't be stored are kept
/// for the next call.
pub async fn save_uses(app: &App) -> Result<u64> {
    let mut unsaved = app.access.take_uses();
    let all: Vec<(ClientId, Timestamp)> = unsaved.iter().map(|(id, at)| (*id, *at)).collect();
    for part in all.chunks(AT_ONCE as usize) {
        let batch = part.to_vec();
        let written: Result<(), grantor_storage::Error> = app
            .store
            .write(move |tx| batch.iter().try_for_each(|(id, at)| client::record_use(tx, *id, *at)))
            .await;
        if let Err(error) = written {
            app.access.restore_uses(&unsaved);
            return Err(error.into());
        }
        unsaved.retain(|id, _| part.iter().all(|(saved, _)| saved != id));
    }
    Ok(all.len() as u64)
}

/// Warns tenants about clients that expire in 30, 7 and 1 days. Returns the number of warnings.
pub async fn warn_expiring(app: &App, context: &Context) -> Result<u64> {
    let now = app.clock.now();
    let expiring = app.store.read(move |tx| client::list_expiring(tx, now, AT_ONCE)).await;
    let mut warned = 0;
    for client in expiring.map_err(Error::from)? {
        let Some(warning) = due(&client, now) else { continue };
        match app.act(context, Warn { client, warning }).await {
            Ok(()) => warned += 1,
            // Another node has already sent the warning.
            Err(error) if *error.kind() == ErrorKind::Conflict => {}
            Err(error) => return Err(error),
        }
    }
    Ok(warned)
}

fn due(client: &Client, now: Timestamp) -> Option<ExpiryWarning> {
    let warned = client.warned_days.and_then(|it| u16::try_from(it).ok());
    ExpiryWarning::due(client.expires_at?, now, warned.and_then(ExpiryWarning::from_days))
}

/// Returns the warning that counts as sent when an expiry is set.
fn warned_days(expires_at: Option<Timestamp>, now: Timestamp) -> Option<u32> {
    ExpiryWarning::reached(expires_at?, now).map(|it| u32::from(it.days()))
}

/// Locks a client of the caller's tenant, if the caller may manage it.
fn claim(unit: &mut UnitOfWork<'_, '_>, caller: &Caller, id: ClientId) -> Result<Client> {
    may(caller.role, caller.tenant_type, Right::ManageClients)?;
    let found = client::claim(unit.tx, caller.tenant, id)?;
    found.ok_or_else(|| Error::not_found("API client"))
}

/// Refuses another client of a tenant that has as many as it can. The tenant is locked.
fn check_number(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId) -> Result<()> {
    if client::list(unit.tx, tenant)?.len() >= MAX_CLIENTS {
        let message = format!("You can have at most {MAX_CLIENTS} API clients; delete one first");
        return Err(Error::conflict(message));
    }
    Ok(())
}

fn resource(client: &Client) -> Resource {
    Resource { kind: "client", id: Some(client.id.to_string()), name: Some(client.name.clone()) }
}

struct Create {
    caller: Arc<Caller>,
    new: NewClient,
}

impl Act for Create {
    type Permit = ();
    type Output = ClientWithSecret;
    const ACTION: &'static str = "client.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageClients)?;
        tenant::claim(unit.tx, self.caller.tenant)?;
        check_number(unit, self.caller.tenant)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<ClientWithSecret>> {
        let (new, mode) = (&self.new, self.new.environment.mode());
        let secret = Secret::generate(SecretKind::ApiSecret(mode), &*unit.app.entropy);
        let client = Client {
            id: unit.ids.next(),
            tenant: self.caller.tenant,
            user: self.caller.user,
            name: new.name.as_str().to_owned(),
            environment: new.environment,
            api_key: ApiKey::generate(mode, &*unit.app.entropy).as_str().to_owned(),
            secret_hash: secret.hash(),
            old_secret: None,
            scopes: new.scopes,
            status: ClientStatus::Active,
            expires_at: new.expires_at,
            warned_days: warned_days(new.expires_at, unit.now),
            last_used_at: None,
            created_at: unit.now,
        };
        client::insert(unit.tx, &client)?;
        let resource = resource(&client);
        let output = ClientWithSecret { client, secret };
        Ok(Done::new(output, resource, "An API client was created"))
    }
}

struct Change {
    caller: Arc<Caller>,
    id: ClientId,
    changes: Changes,
}

impl Act for Change {
    type Permit = Client;
    type Output = Client;
    const ACTION: &'static str = "client.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Client> {
        claim(unit, &self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, mut client: Client) -> Result<Done<Client>> {
        let before = client.clone();
        let Changes { name, scopes, expires_at, status } = &self.changes;
        if let Some(name) = name {
            name.as_str().clone_into(&mut client.name);
        }
        client.scopes = scopes.unwrap_or(client.scopes);
        if expires_at.is_given() {
            client.expires_at = expires_at.over(client.expires_at);
            client.warned_days = warned_days(client.expires_at, unit.now);
        }
        if let Some(status) = *status {
            client.status = client.status.change_to(status)?;
            if client.status != ClientStatus::Active {
                // Tokens issued before don't become valid again if the client is reactivated.
                exchange::revoke_all(unit.tx, client.id, unit.now)?;
            }
        }
        client::update(unit.tx, &client, unit.now)?;
        let mut done = Done::new(client.clone(), resource(&client), "An API client was updated");
        done.details = json!({ "status": client.status, "scopes": client.scopes.to_string() });
        let mut done = done.with_changes(restore::changes(&before, &client));
        if let Some(reverse) = ClientReverse::changed(&before, &client) {
            done = done.undone_by(reverse);
        }
        Ok(done)
    }
}

struct Rotate {
    caller: Arc<Caller>,
    id: ClientId,
    grace: Duration,
}

impl Act for Rotate {
    type Permit = Client;
    type Output = ClientWithSecret;
    const ACTION: &'static str = "client.rotate";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Client> {
        let client = claim(unit, &self.caller, self.id)?;
        if client.status == ClientStatus::Revoked {
            return Err(Error::conflict("A revoked API client can't get a new secret"));
        }
        Ok(client)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut client: Client,
    ) -> Result<Done<ClientWithSecret>> {
        let mode = client.environment.mode();
        let secret = Secret::generate(SecretKind::ApiSecret(mode), &*unit.app.entropy);
        let until = unit.now.plus(self.grace);
        if let Some((_, before)) = client.old_secret {
            // Only the last replaced secret has a grace period. The one before it ends now, with
            // its refresh tokens.
            exchange::shorten(unit.tx, client.id, Some(before), unit.now)?;
        }
        client.old_secret = (!self.grace.is_zero()).then_some((client.secret_hash, until));
        client.secret_hash = secret.hash();
        client::update(unit.tx, &client, unit.now)?;
        exchange::shorten(unit.tx, client.id, None, until)?;
        let resource = resource(&client);
        let output = ClientWithSecret { client, secret };
        let mut done = Done::new(output, resource, "An API client's secret was rotated");
        done.details = json!({ "graceSeconds": self.grace.as_secs() });
        Ok(done)
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: ClientId,
}

impl Act for Delete {
    type Permit = Client;
    type Output = ();
    const ACTION: &'static str = "client.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Client> {
        claim(unit, &self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, client: Client) -> Result<Done<()>> {
        client::delete(unit.tx, client.tenant, client.id)?;
        let done = Done::new((), resource(&client), "An API client was deleted");
        Ok(done.undone_by(ClientReverse::deleted(&client)))
    }
}

struct Warn {
    client: Client,
    warning: ExpiryWarning,
}

impl Act for Warn {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "client.warn";

    /// Runs on the schedule of every node; only the first node sends the warning.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        let (client, days) = (&self.client, u32::from(self.warning.days()));
        if client::record_warning(unit.tx, client.id, client.warned_days, days)? {
            Ok(())
        } else {
            Err(Error::conflict("The warning was already sent"))
        }
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let (client, days) = (&self.client, self.warning.days());
        notices::client_expiring(unit, client, days)?;
        let noun = if days == 1 { "day" } else { "days" };
        let message = format!("An API client expires within {days} {noun}");
        let mut done = Done::new((), resource(client), message);
        done.tenant = Some(client.tenant);
        Ok(done.with_event(expiring(client, days)))
    }
}

fn expiring(client: &Client, days: u16) -> NewEvent {
    NewEvent {
        kind: EventType::ClientExpiring,
        owner: client.tenant,
        license: None,
        resource_version: 1,
        data: json!({
            "client": {
                "id": client.id,
                "name": client.name,
                "environment": client.environment,
                "api_key": client.api_key,
                "expires_at": client.expires_at,
                "expires_in_days": days,
            },
        }),
        recipients: vec![client.tenant],
        receiver: None,
    }
}
