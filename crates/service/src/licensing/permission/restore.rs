//! Taking back that a permission was granted or revoked.

use std::sync::Arc;

use grantor_domain::event::EventType;
use grantor_domain::id::{LicenseId, PermissionId};
use grantor_domain::permission::Grantee;
use grantor_domain::{Error, Result};
use grantor_storage::invitation::{self, KeptInvitation};
use grantor_storage::license::{self, reader};
use grantor_storage::permission::{self, ALREADY_GRANTED, HeldPermission};
use grantor_storage::user;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Revoke, claim, permission_event, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::undo::{self, changed_since};
use crate::webhooks::event;

/// What takes back an act on a permission.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum PermissionReverse {
    /// Gives a revoked permission again, with its id and the links that were mailed.
    Revoked {
        /// The permission.
        held: Box<HeldPermission>,
        /// The invitations of its grantee.
        invitations: Vec<KeptInvitation>,
    },
    /// Revokes a permission that was granted.
    Granted {
        /// The license.
        license: LicenseId,
        /// The permission.
        id: PermissionId,
    },
}

impl PermissionReverse {
    /// Takes the act back.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<Caller>,
    ) -> Result<Done<()>> {
        match self {
            Self::Revoked { held, invitations } => restore(unit, caller, *held, &invitations),
            Self::Granted { license, id } => {
                let act = Revoke { caller: Arc::clone(caller), license, id };
                undo::run(unit, &act, "A permission was taken back")
            }
        }
    }
}

fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    mut held: HeldPermission,
    invitations: &[KeptInvitation],
) -> Result<Done<()>> {
    let license = claim(unit, caller, held.license)?;
    // The address may have got an account since.
    if let Some(key) = held.email_key.clone().filter(|_| held.is_pending())
        && let Some(user) = user::find_by_email(unit.tx, &key)?
    {
        held.grantee = Grantee::User(user.id);
    }
    permission::restore(unit.tx, &held).map_err(|error| match error {
        grantor_storage::Error::Unique(name) if ALREADY_GRANTED.contains(&&*name) => {
            changed_since()
        }
        other => other.into(),
    })?;
    for kept in invitations {
        invitation::restore(unit.tx, kept)?;
    }
    let holders = permission::holders(unit.tx, &license)?;
    reader::set(unit.tx, &license, &holders)?;
    let shown = license::find(unit.tx, license.id)?;
    let shown = shown.ok_or_else(|| Error::not_found("License"))?;
    let data = json!({
        "license_id": license.id,
        "license": event::license(&shown, unit.now),
        "permission": event::permission(&held),
    });
    let event = permission_event(unit, EventType::PermissionGranted, &license, data)?;
    let mut done = Done::new((), resource(&held), "A revoked permission was given back");
    done.details = json!({ "license": license.title.as_str(), "role": held.role });
    Ok(done.for_license(license.id).with_event(event))
}
