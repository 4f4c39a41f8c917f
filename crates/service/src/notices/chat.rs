//! Chat addresses of a tenant: incoming webhooks that get its notices. Whoever knows the URL can
//! post, so it is sealed, and never shown again.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{ChatAddressId, TenantId};
use grantor_domain::notice::{
    ChatAddress, ChatName, ChatStatus, ChatUrl, MAX_CHAT_ADDRESSES, NoticeKind,
};
use grantor_domain::role::{Right, may};
use grantor_domain::{Error, Result};
use grantor_keys::Purpose;
use grantor_outbound::OutboundError;
use grantor_storage::notice::chat::{self, SealedUrl};
use grantor_storage::tenant;
use serde_json::json;

use super::chat_restore::{self, ChatReverse};
use super::chat_sender::{self, Posted};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// A chat address to create.
#[derive(Clone, Debug)]
pub struct NewChatAddress {
    /// The tenant's name for it.
    pub name: ChatName,
    /// The URL of the incoming webhook.
    pub url: ChatUrl,
    /// What is sent.
    pub kinds: Vec<NoticeKind>,
}

/// The changes to a chat address; `None` keeps the current value.
#[derive(Clone, Debug, Default)]
pub struct ChatAddressChange {
    /// The name.
    pub name: Option<ChatName>,
    /// The URL.
    pub url: Option<ChatUrl>,
    /// What is sent.
    pub kinds: Option<Vec<NoticeKind>>,
    /// Whether messages are sent.
    pub status: Option<ChatStatus>,
}

/// Lists the tenant's chat addresses, oldest first.
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<ChatAddress>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(chat::list(tx, tenant)?)).await
}

/// Returns one of the tenant's chat addresses.
pub async fn get(app: &App, caller: &Caller, id: ChatAddressId) -> Result<ChatAddress> {
    let tenant = caller.tenant;
    app.store.lookup(move |tx| chat::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

/// Creates a chat address.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewChatAddress,
) -> Result<ChatAddress> {
    vet(app, &new.url).await?;
    let id = app.ids.next();
    let sealed = seal(app, id, &new.url);
    app.act(context, Create { caller, id, new, sealed }).await
}

/// Changes a chat address.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ChatAddressId,
    change: ChatAddressChange,
) -> Result<ChatAddress> {
    if let Some(url) = &change.url {
        vet(app, url).await?;
    }
    let sealed = change.url.as_ref().map(|url| seal(app, id, url));
    app.act(context, Update { caller, id, change, sealed }).await
}

/// Deletes a chat address.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ChatAddressId,
) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

/// Sends a test message now and waits for the result. It is never retried. `Err` in the result says
/// why it did not arrive.
pub async fn test(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: ChatAddressId,
) -> Result<Result<(), String>> {
    let (address, sealed) = app.act(context, Test { caller, id }).await?;
    let text = format!("Test message from Grantor to {}", address.name);
    let posted = chat_sender::post(app, id, &sealed, &[&*text]).await;
    let (outcome, now) = (posted.outcome(), app.clock.now());
    let error = outcome.clone().err();
    let written: Result<()> = app
        .store
        .write(move |tx| {
            match &error {
                None => chat::record_success(tx, id, now)?,
                Some(error) => {
                    chat::record_failure(tx, id, error, now)?;
                }
            }
            Ok(())
        })
        .await;
    written.map(|()| outcome)
}

/// Checks that no other chat address of the tenant has this URL: its messages would come twice. The
/// tenant is locked.
pub(super) fn refuse_known(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    own: ChatAddressId,
    url: &str,
) -> Result<()> {
    for (id, sealed) in chat::sealed_urls(unit.tx, tenant)? {
        // One that cannot be opened is reported when a message is sent there.
        if id != own && open(unit.app, id, &sealed).is_ok_and(|it| it == url) {
            let name = chat::find(unit.tx, tenant, id)?.map(|it| it.name.as_str().to_owned());
            let name = name.unwrap_or_default();
            let message = format!("The chat address {name} already has this URL");
            return Err(Error::conflict(message).at("url"));
        }
    }
    Ok(())
}

/// Checks, without connecting, whether messages may be sent to the URL: the rules of webhooks.
async fn vet(app: &App, url: &ChatUrl) -> Result<()> {
    match app.outbound.vet(url.expose()).await {
        Ok(()) | Err(OutboundError::Dns | OutboundError::Timeout) => Ok(()),
        Err(OutboundError::Refused(refusal)) => Err(Error::field("url", refusal.to_string())),
        Err(error) => Err(Error::field("url", error.to_string())),
    }
}

fn seal(app: &App, id: ChatAddressId, url: &ChatUrl) -> SealedUrl {
    SealedUrl(app.keys.seal(Purpose::Field, &bound_to(id), url.expose().as_bytes()))
}

/// Opens a sealed URL.
pub(super) fn open(app: &App, id: ChatAddressId, sealed: &SealedUrl) -> Result<String> {
    let text = app.keys.open_sealed(Purpose::Field, &bound_to(id), &sealed.0);
    text.and_then(|it| String::from_utf8(it).ok())
        .ok_or_else(|| Error::internal("no key of the key ring decrypts the chat address"))
}

/// Binds a sealed URL to its chat address: it cannot be opened for another one.
pub(crate) fn bound_to(id: ChatAddressId) -> String {
    format!("chat_address/{id}")
}

fn not_found() -> Error {
    Error::not_found("Chat address")
}

pub(super) fn resource(address: &ChatAddress) -> Resource {
    let (id, name) = (Some(address.id.to_string()), Some(address.name.as_str().to_owned()));
    Resource { kind: "chat_address", id, name }
}

/// Refuses another address of a tenant that has as many as it can, or to somebody who may not manage
/// them.
pub(super) fn check_number(unit: &mut UnitOfWork<'_, '_>, caller: &Caller) -> Result<()> {
    may(caller.role, caller.tenant_type, Right::ManageOrganization)?;
    // Locked, so that concurrent requests cannot exceed the maximum.
    tenant::claim(unit.tx, caller.tenant)?;
    if chat::list(unit.tx, caller.tenant)?.len() >= MAX_CHAT_ADDRESSES {
        let message =
            format!("You can have at most {MAX_CHAT_ADDRESSES} chat addresses; delete one first");
        return Err(Error::conflict(message));
    }
    Ok(())
}

/// Locks one of the tenant's chat addresses, if the caller may manage them.
pub(super) fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    id: ChatAddressId,
) -> Result<ChatAddress> {
    may(caller.role, caller.tenant_type, Right::ManageOrganization)?;
    let found = chat::claim_address(unit.tx, id)?;
    found.filter(|it| it.tenant == caller.tenant).ok_or_else(not_found)
}

struct Create {
    caller: Arc<Caller>,
    id: ChatAddressId,
    new: NewChatAddress,
    sealed: SealedUrl,
}

impl Act for Create {
    type Permit = ();
    type Output = ChatAddress;
    const ACTION: &'static str = "chat_address.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        check_number(unit, &self.caller)?;
        refuse_known(unit, self.caller.tenant, self.id, self.new.url.expose())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<ChatAddress>> {
        let address = ChatAddress {
            id: self.id,
            tenant: self.caller.tenant,
            name: self.new.name.clone(),
            origin: self.new.url.origin(),
            ending: self.new.url.ending(),
            kinds: self.new.kinds.clone(),
            status: ChatStatus::Active,
            failing_since: None,
            last_success_at: None,
            last_error: None,
            created_at: unit.now,
            updated_at: unit.now,
        };
        chat::insert(unit.tx, &address, &self.sealed)?;
        let resource = resource(&address);
        Ok(Done::new(address, resource, "A chat address was created"))
    }
}

struct Update {
    caller: Arc<Caller>,
    id: ChatAddressId,
    change: ChatAddressChange,
    sealed: Option<SealedUrl>,
}

impl Act for Update {
    type Permit = ChatAddress;
    type Output = ChatAddress;
    const ACTION: &'static str = "chat_address.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ChatAddress> {
        let found = claim(unit, &self.caller, self.id)?;
        if let Some(url) = &self.change.url {
            // Locked, so that no other address gets the same URL meanwhile.
            tenant::claim(unit.tx, self.caller.tenant)?;
            refuse_known(unit, self.caller.tenant, self.id, url.expose())?;
        }
        Ok(found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut address: ChatAddress,
    ) -> Result<Done<ChatAddress>> {
        let ChatAddressChange { name, url, kinds, status } = self.change.clone();
        let now = unit.now;
        let reverse = ChatReverse::before(unit, &address, Some(now))?;
        let before = address.clone();
        address.name = name.unwrap_or(address.name);
        address.kinds = kinds.unwrap_or(address.kinds);
        address.status = status.unwrap_or(address.status);
        if let Some(url) = &url {
            (address.origin, address.ending) = (url.origin(), url.ending());
        }
        if url.is_some() || address.status != before.status {
            // A new URL or status is a fresh start.
            (address.failing_since, address.last_error) = (None, None);
        }
        if address.status == ChatStatus::Disabled {
            chat::clear(unit.tx, address.id)?;
        }
        address.updated_at = now;
        chat::update(unit.tx, &address, self.sealed.as_ref())?;
        let (resource, status) = (resource(&address), address.status);
        let changes = chat_restore::changes(&before, &address);
        let mut done = Done::new(address, resource, "A chat address was updated");
        done.details = json!({ "status": status.name() });
        let done = done.with_changes(changes);
        Ok(match reverse {
            Some(reverse) => done.undone_by(reverse),
            None => done,
        })
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: ChatAddressId,
}

impl Act for Delete {
    type Permit = ChatAddress;
    type Output = ();
    const ACTION: &'static str = "chat_address.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ChatAddress> {
        claim(unit, &self.caller, self.id)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, address: ChatAddress) -> Result<Done<()>> {
        let reverse = ChatReverse::before(unit, &address, None)?;
        chat::delete(unit.tx, address.id)?;
        let done = Done::new((), resource(&address), "A chat address was deleted");
        Ok(match reverse {
            Some(reverse) => done.undone_by(reverse),
            None => done,
        })
    }
}

struct Test {
    caller: Arc<Caller>,
    id: ChatAddressId,
}

impl Act for Test {
    type Permit = ChatAddress;
    type Output = (ChatAddress, SealedUrl);
    const ACTION: &'static str = "chat_address.test";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ChatAddress> {
        claim(unit, &self.caller, self.id)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        address: ChatAddress,
    ) -> Result<Done<Self::Output>> {
        let sealed = chat::sealed_url(unit.tx, address.id)?.ok_or_else(not_found)?;
        let resource = resource(&address);
        Ok(Done::new((address, sealed), resource, "A chat address was tested"))
    }
}

impl Posted {
    /// Whether it arrived, or why not.
    fn outcome(&self) -> Result<(), String> {
        match self {
            Self::Arrived => Ok(()),
            Self::Gone(error) | Self::Failed { error, .. } => Err(error.clone()),
        }
    }
}
