//! Taking back that an API client was changed or deleted.

use std::sync::Arc;

use grantor_domain::client::{ClientName, ClientStatus, Environment};
use grantor_domain::id::{ClientId, UserId};
use grantor_domain::patch::Patch;
use grantor_domain::role::{Right, may};
use grantor_domain::scope::Scopes;
use grantor_domain::secret::SecretHash;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::client::{self, Client};
use grantor_storage::tenant;
use serde::{Deserialize, Serialize};

use super::{Change, Changes, check_number, claim, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::log::change::FieldChanges;
use crate::undo::{self, Reverse, changed_since, stored};

/// What takes back an act on an API client.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum ClientReverse {
    /// Gives it the values that it had, if it still has those of the change.
    Changed {
        /// The client.
        id: ClientId,
        /// The values before.
        before: Values,
        /// The values that the change gave it.
        after: Values,
    },
    /// Restores a deleted client. Its tokens stay invalid.
    Deleted(Box<DeletedClient>),
}

/// What people set of an API client.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Values {
    name: String,
    scopes: String,
    expires_at: Option<Timestamp>,
    status: ClientStatus,
}

impl Values {
    fn of(client: &Client) -> Self {
        Self {
            name: client.name.clone(),
            scopes: client.scopes.to_string(),
            expires_at: client.expires_at,
            status: client.status,
        }
    }
}

/// A deleted API client. Its secrets are hashes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct DeletedClient {
    id: ClientId,
    user: UserId,
    values: Values,
    environment: Environment,
    api_key: String,
    secret_hash: Vec<u8>,
    old_secret: Option<(Vec<u8>, Timestamp)>,
    warned_days: Option<u32>,
    last_used_at: Option<Timestamp>,
    created_at: Timestamp,
}

impl ClientReverse {
    /// What takes back a change. A client that was revoked stays revoked: a leaked credential must
    /// not become valid again.
    pub(super) fn changed(before: &Client, after: &Client) -> Option<Reverse> {
        let (id, old, new) = (before.id, Values::of(before), Values::of(after));
        let is_revoked = new.status == ClientStatus::Revoked;
        (old != new && !is_revoked).then_some(Reverse::Client(Self::Changed {
            id,
            before: old,
            after: new,
        }))
    }

    /// What takes back a deletion.
    pub(super) fn deleted(client: &Client) -> Reverse {
        let old = client.old_secret.map(|(hash, until)| (hash.as_bytes().to_vec(), until));
        Reverse::Client(Self::Deleted(Box::new(DeletedClient {
            id: client.id,
            user: client.user,
            values: Values::of(client),
            environment: client.environment,
            api_key: client.api_key.clone(),
            secret_hash: client.secret_hash.as_bytes().to_vec(),
            old_secret: old,
            warned_days: client.warned_days,
            last_used_at: client.last_used_at,
            created_at: client.created_at,
        })))
    }

    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        match self {
            Self::Changed { id, before, after } => {
                if Values::of(&claim(unit, caller, id)?) != after {
                    return Err(changed_since());
                }
                let changes = Changes {
                    name: Some(stored(ClientName::parse(&before.name))?),
                    scopes: Some(stored(before.scopes.parse::<Scopes>())?),
                    expires_at: before.expires_at.map_or(Patch::Clear, Patch::Set),
                    status: Some(before.status),
                };
                let act = Change { caller: Arc::clone(caller), id, changes };
                undo::run(unit, &act, "A change of an API client was undone")
            }
            Self::Deleted(deleted) => restore(unit, caller, *deleted),
        }
    }
}

fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    deleted: DeletedClient,
) -> Result<Done<()>> {
    may(caller.role, caller.tenant_type, Right::ManageClients)?;
    tenant::claim(unit.tx, caller.tenant)?;
    check_number(unit, caller.tenant)?;
    let old_secret = match deleted.old_secret {
        Some((hash, until)) => Some((read_hash(&hash)?, until)),
        None => None,
    };
    let client = Client {
        id: deleted.id,
        tenant: caller.tenant,
        user: deleted.user,
        name: deleted.values.name,
        environment: deleted.environment,
        api_key: deleted.api_key,
        secret_hash: read_hash(&deleted.secret_hash)?,
        old_secret,
        scopes: stored(deleted.values.scopes.parse::<Scopes>())?,
        status: deleted.values.status,
        expires_at: deleted.values.expires_at,
        warned_days: deleted.warned_days,
        last_used_at: deleted.last_used_at,
        created_at: deleted.created_at,
    };
    client::insert(unit.tx, &client)?;
    client::update(unit.tx, &client, unit.now)?;
    if let Some(at) = client.last_used_at {
        client::record_use(unit.tx, client.id, at)?;
    }
    Ok(Done::new((), resource(&client), "A deleted API client was restored"))
}

fn read_hash(bytes: &[u8]) -> Result<SecretHash> {
    let bytes = <[u8; 32]>::try_from(bytes);
    let invalid = |_| Error::internal("a stored undo is invalid: the hash of a secret");
    bytes.map(SecretHash::from_bytes).map_err(invalid)
}

/// The old and new values of an API client.
pub(super) fn changes(before: &Client, after: &Client) -> FieldChanges {
    let expiry = |client: &Client| client.expires_at.map(|at| at.to_string());
    FieldChanges::default()
        .field("name", before.name.as_str(), after.name.as_str())
        .field("permissions", before.scopes.to_string(), after.scopes.to_string())
        .field("expiresAt", expiry(before), expiry(after))
        .field("status", before.status.name(), after.status.name())
}
