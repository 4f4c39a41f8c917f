//! API clients: made, listed, changed, given another secret, deleted; and what happens to them by
//! themselves: uses are noted, ends are told of ahead.

use std::sync::Arc;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::client::{ClientName, ClientStatus, Environment, ExpiryWarning};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::ClientId;
use grantor_domain::patch::Patch;
use grantor_domain::role::{Right, may};
use grantor_domain::scope::Scopes;
use grantor_domain::secret::{ApiKey, Secret, SecretKind};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
pub use grantor_storage::client::Client;
use grantor_storage::{client, exchange, tenant};
use serde_json::json;

use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// How many clients of one tenant there can be.
pub const MOST: usize = 100;
/// How many clients one look for ends takes, and one unit of work notes the uses of.
const AT_ONCE: u32 = 500;

/// What a person asks for.
#[derive(Clone, Debug)]
pub struct NewClient {
    /// What it shall be called.
    pub name: ClientName,
    /// Where it will be used.
    pub environment: Environment,
    /// What its tokens will carry.
    pub scopes: Scopes,
    /// When it shall end by itself.
    pub expires_at: Option<Timestamp>,
}

/// What a person wants changed; what is not given stays.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Another name.
    pub name: Option<ClientName>,
    /// Other scopes.
    pub scopes: Option<Scopes>,
    /// Another end, or none.
    pub expires_at: Patch<Timestamp>,
    /// Another status.
    pub status: Option<ClientStatus>,
}

/// A client with its secret, which is shown this once.
pub struct Shown {
    /// The client.
    pub client: Client,
    /// The secret half of its pair.
    pub secret: Secret,
}

/// Makes a client.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewClient,
) -> Result<Shown> {
    app.act(context, Create { caller, new }).await
}

/// The tenant's clients, newest first.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<Client>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(client::list(tx, tenant)?)).await
}

/// Changes a client; its live tokens follow at once.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ClientId,
    changes: Changes,
) -> Result<Client> {
    app.act(context, Change { caller, id, changes }).await
}

/// Gives a client another secret. The old one works on for the grace, and with it the refresh
/// tokens it got; access tokens live out their hour.
pub async fn rotate(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ClientId,
    grace: Duration,
) -> Result<Shown> {
    app.act(context, Rotate { caller, id, grace }).await
}

/// Deletes a client; its tokens end at once.
pub async fn delete(app: &App, context: &Context, caller: Arc<Caller>, id: ClientId) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// Writes down when clients were last used; gives how many. What cannot be written is kept for the
/// next time.
pub async fn note_uses(app: &App) -> Result<u64> {
    let mut seen = app.access.take_seen();
    let all: Vec<(ClientId, Timestamp)> = seen.iter().map(|(id, at)| (*id, *at)).collect();
    for part in all.chunks(AT_ONCE as usize) {
        let noted = part.to_vec();
        let written: Result<(), grantor_storage::Error> = app
            .store
            .write(move |tx| noted.iter().try_for_each(|(id, at)| client::note_use(tx, *id, *at)))
            .await;
        if let Err(error) = written {
            app.access.saw_before(&seen);
            return Err(error.into());
        }
        seen.retain(|id, _| part.iter().all(|(noted, _)| noted != id));
    }
    Ok(all.len() as u64)
}

/// Tells tenants of clients that end soon, each at 30, 7 and 1 days; gives how many were told.
pub async fn warn_expiring(app: &App, context: &Context) -> Result<u64> {
    let now = app.clock.now();
    let ending = app.store.read(move |tx| client::list_expiring(tx, now, AT_ONCE)).await;
    let mut told = 0;
    for client in ending.map_err(Error::from)? {
        let Some(warning) = due(&client, now) else { continue };
        match app.act(context, Warn { client, warning }).await {
            Ok(()) => told += 1,
            // Another node was first.
            Err(error) if *error.kind() == ErrorKind::Conflict => {}
            Err(error) => return Err(error),
        }
    }
    Ok(told)
}

fn due(client: &Client, now: Timestamp) -> Option<ExpiryWarning> {
    let told = client.warned_days.and_then(|it| u16::try_from(it).ok());
    ExpiryWarning::due(client.expires_at?, now, told.and_then(ExpiryWarning::from_days))
}

/// What counts as told when an end is set.
fn reached(expires_at: Option<Timestamp>, now: Timestamp) -> Option<u32> {
    ExpiryWarning::reached(expires_at?, now).map(|it| u32::from(it.days()))
}

/// The client, if it is the caller's tenant's and the caller may manage it.
fn own(desk: &mut Desk<'_, '_>, caller: &Caller, id: ClientId) -> Result<Client> {
    may(caller.role, caller.tenant_type, Right::ManageClients)?;
    let found = client::claim(desk.tx, caller.tenant, id)?;
    found.ok_or_else(|| Error::not_found("API client"))
}

fn resource(client: &Client) -> Resource {
    Resource { kind: "client", id: Some(client.id.to_string()), name: Some(client.name.clone()) }
}

struct Create {
    caller: Arc<Caller>,
    new: NewClient,
}

impl Act for Create {
    type Grant = ();
    type Output = Shown;
    const ACTION: &'static str = "client.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageClients)?;
        tenant::claim(desk.tx, self.caller.tenant)?;
        if client::list(desk.tx, self.caller.tenant)?.len() >= MOST {
            return Err(Error::conflict(format!("There can be {MOST} API clients; delete one")));
        }
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Shown>> {
        let (new, mode) = (&self.new, self.new.environment.mode());
        let secret = Secret::generate(SecretKind::ApiSecret(mode), &*desk.app.entropy);
        let client = Client {
            id: desk.ids.next(),
            tenant: self.caller.tenant,
            user: self.caller.user,
            name: new.name.as_str().to_owned(),
            environment: new.environment,
            api_key: ApiKey::generate(mode, &*desk.app.entropy).as_str().to_owned(),
            secret_hash: secret.hash(),
            old_secret: None,
            scopes: new.scopes,
            status: ClientStatus::Active,
            expires_at: new.expires_at,
            warned_days: reached(new.expires_at, desk.now),
            last_used_at: None,
            created_at: desk.now,
        };
        client::insert(desk.tx, &client)?;
        let resource = resource(&client);
        Ok(Done::new(Shown { client, secret }, resource, "An API client was made"))
    }
}

struct Change {
    caller: Arc<Caller>,
    id: ClientId,
    changes: Changes,
}

impl Act for Change {
    type Grant = Client;
    type Output = Client;
    const ACTION: &'static str = "client.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Client> {
        own(desk, &self.caller, self.id)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut client: Client) -> Result<Done<Client>> {
        let Changes { name, scopes, expires_at, status } = &self.changes;
        if let Some(name) = name {
            name.as_str().clone_into(&mut client.name);
        }
        client.scopes = scopes.unwrap_or(client.scopes);
        if expires_at.is_given() {
            client.expires_at = expires_at.over(client.expires_at);
            client.warned_days = reached(client.expires_at, desk.now);
        }
        if let Some(status) = *status {
            client.status = client.status.change_to(status)?;
            if client.status != ClientStatus::Active {
                // For good: what was got before does not come back with the client.
                exchange::revoke_all(desk.tx, client.id, desk.now)?;
            }
        }
        client::update(desk.tx, &client, desk.now)?;
        let mut done = Done::new(client.clone(), resource(&client), "An API client was changed");
        done.details = json!({ "status": client.status, "scopes": client.scopes.to_string() });
        Ok(done)
    }
}

struct Rotate {
    caller: Arc<Caller>,
    id: ClientId,
    grace: Duration,
}

impl Act for Rotate {
    type Grant = Client;
    type Output = Shown;
    const ACTION: &'static str = "client.rotate";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Client> {
        let client = own(desk, &self.caller, self.id)?;
        if client.status == ClientStatus::Revoked {
            return Err(Error::conflict("An API client that is revoked gets no other secret"));
        }
        Ok(client)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut client: Client) -> Result<Done<Shown>> {
        let mode = client.environment.mode();
        let secret = Secret::generate(SecretKind::ApiSecret(mode), &*desk.app.entropy);
        let until = desk.now.plus(self.grace);
        if let Some((_, before)) = client.old_secret {
            // Only the secret replaced last has a grace: the one before it ends now, with what it got.
            exchange::shorten(desk.tx, client.id, Some(before), desk.now)?;
        }
        client.old_secret = (!self.grace.is_zero()).then_some((client.secret_hash, until));
        client.secret_hash = secret.hash();
        client::update(desk.tx, &client, desk.now)?;
        exchange::shorten(desk.tx, client.id, None, until)?;
        let resource = resource(&client);
        let mut done =
            Done::new(Shown { client, secret }, resource, "An API client got another secret");
        done.details = json!({ "graceSeconds": self.grace.as_secs() });
        Ok(done)
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: ClientId,
}

impl Act for Delete {
    type Grant = Client;
    type Output = ();
    const ACTION: &'static str = "client.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Client> {
        own(desk, &self.caller, self.id)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, client: Client) -> Result<Done<()>> {
        client::delete(desk.tx, client.tenant, client.id)?;
        Ok(Done::new((), resource(&client), "An API client was deleted"))
    }
}

struct Warn {
    client: Client,
    warning: ExpiryWarning,
}

impl Act for Warn {
    type Grant = ();
    type Output = ();
    const ACTION: &'static str = "client.warn";

    /// Only the timetable calls this, on every node that works: the first one tells.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        let (client, days) = (&self.client, u32::from(self.warning.days()));
        if client::note_warning(desk.tx, client.id, client.warned_days, days)? {
            Ok(())
        } else {
            Err(Error::conflict("The tenant was told already"))
        }
    }

    fn carry_out(&self, _: &mut Desk<'_, '_>, (): ()) -> Result<Done<()>> {
        let (client, days) = (&self.client, self.warning.days());
        let message = format!("The tenant was told that an API client ends within {days} days");
        let mut done = Done::new((), resource(client), message);
        done.tenant = Some(client.tenant);
        Ok(done.tell(expiring(client, days)))
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
