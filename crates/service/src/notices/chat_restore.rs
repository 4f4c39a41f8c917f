//! Taking back that a chat address was changed or deleted.

use std::sync::Arc;

use grantor_domain::id::ChatAddressId;
use grantor_domain::notice::{ChatAddress, ChatName, ChatStatus, NoticeKind};
use grantor_domain::{Result, Timestamp};
use grantor_storage::notice::chat::{self, SealedUrl};
use grantor_storage::tenant;
use serde::{Deserialize, Serialize};

use super::chat::{check_number, claim, open, refuse_known, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::log::change::FieldChanges;
use crate::undo::{Reverse, changed_since, stored};

/// What takes back an act on a chat address: the address as it was, with its sealed URL.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct ChatReverse {
    id: ChatAddressId,
    name: String,
    origin: String,
    ending: String,
    kinds: Vec<String>,
    status: String,
    sealed_url: Vec<u8>,
    created_at: Timestamp,
    /// When it was changed; `None` if it was deleted.
    changed_at: Option<Timestamp>,
}

impl ChatReverse {
    /// What restores an address that is about to be changed or deleted, if that can be taken back.
    pub(super) fn before(
        unit: &mut UnitOfWork<'_, '_>,
        address: &ChatAddress,
        changed_at: Option<Timestamp>,
    ) -> Result<Option<Reverse>> {
        if !unit.undoable {
            return Ok(None);
        }
        let Some(SealedUrl(sealed_url)) = chat::sealed_url(unit.tx, address.id)? else {
            return Ok(None);
        };
        Ok(Some(Reverse::Chat(Box::new(Self {
            id: address.id,
            name: address.name.as_str().to_owned(),
            origin: address.origin.clone(),
            ending: address.ending.clone(),
            kinds: address.kinds.iter().map(|it| it.name().to_owned()).collect(),
            status: address.status.name().to_owned(),
            sealed_url,
            created_at: address.created_at,
            changed_at,
        }))))
    }

    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        let kinds = self.kinds.iter().map(|it| stored(it.parse::<NoticeKind>()));
        let address = ChatAddress {
            id: self.id,
            tenant: caller.tenant,
            name: stored(ChatName::parse(&self.name))?,
            origin: self.origin,
            ending: self.ending,
            kinds: kinds.collect::<Result<_>>()?,
            status: stored(self.status.parse::<ChatStatus>())?,
            failing_since: None,
            last_success_at: None,
            last_error: None,
            created_at: self.created_at,
            updated_at: unit.now,
        };
        let sealed = SealedUrl(self.sealed_url);
        let Some(changed_at) = self.changed_at else {
            check_number(unit, caller)?;
            refuse_taken(unit, &address, &sealed)?;
            chat::insert(unit.tx, &address, &sealed)?;
            return Ok(Done::new((), resource(&address), "A deleted chat address was restored"));
        };
        let now = claim(unit, caller, self.id)?;
        if now.updated_at != changed_at {
            return Err(changed_since());
        }
        // Locked, so that no other address gets the same URL meanwhile.
        tenant::claim(unit.tx, caller.tenant)?;
        refuse_taken(unit, &address, &sealed)?;
        if address.status == ChatStatus::Disabled {
            chat::clear(unit.tx, address.id)?;
        }
        chat::update(unit.tx, &address, Some(&sealed))?;
        let done = Done::new((), resource(&address), "A change of a chat address was undone");
        Ok(done.with_changes(changes(&now, &address)))
    }
}

/// Refuses to restore an address whose URL another one got meanwhile. The tenant is locked.
fn refuse_taken(
    unit: &mut UnitOfWork<'_, '_>,
    address: &ChatAddress,
    sealed: &SealedUrl,
) -> Result<()> {
    match open(unit.app, address.id, sealed) {
        Ok(url) => refuse_known(unit, address.tenant, address.id, &url),
        // One that cannot be opened is reported when a message is sent there.
        Err(_) => Ok(()),
    }
}

/// The old and new values of a chat address. Its URL is a secret, so only its origin is kept.
pub(super) fn changes(before: &ChatAddress, after: &ChatAddress) -> FieldChanges {
    let kinds =
        |it: &ChatAddress| it.kinds.iter().map(|it| it.label()).collect::<Vec<_>>().join(", ");
    let mut origin = after.origin.clone();
    if before.origin == after.origin && before.ending != after.ending {
        origin.push_str(" (another address)");
    }
    FieldChanges::default()
        .field("name", before.name.as_str(), after.name.as_str())
        .field("url", before.origin.as_str(), origin)
        .field("kinds", kinds(before), kinds(after))
        .field("status", before.status.name(), after.status.name())
}
