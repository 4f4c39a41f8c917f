//! Licenses. Every change also updates, in the same unit of work, who can see the license, its
//! search index and its events.

mod change;
mod create;
mod difference;
mod duplicate;
mod expiry;
mod history;
mod image;
mod indexing;
mod kept_image;
mod read;
mod restore;
mod version;

use grantor_domain::audit::Resource;
use grantor_domain::chore::{Chore, LICENSES_AT_ONCE};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{LicenseId, TalentId, TenantId};
use grantor_domain::license::License;
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::license::LicenseRecord;
pub use grantor_storage::license::reader::{Entry, Reader};
use grantor_storage::license::{self, EXTERNAL_ID_IS_TAKEN, index, reader};
use grantor_storage::permission::{self, Holders};
use serde_json::json;

pub use self::change::{Changed, Expected, change, delete};
pub use self::create::{Created, create, create_with_hints, create_with_kept};
pub use self::duplicate::duplicate;
pub use self::expiry::expire;
pub use self::history::{history, of_talent};
pub use self::image::{Added, Image, add_images, images_of, remove_image};
pub use self::indexing::{index_changed, mark_outdated};
pub(crate) use self::kept_image::forget_kept_images;
pub use self::kept_image::{KeptHint, KeptImage, KeptImages, keep};
pub(crate) use self::read::resolve;
pub use self::read::{LicenseRef, LicenseView, find, get, get_with_images, list, list_full, load};
pub(crate) use self::restore::{LicenseReverse, restore_picture};
pub use self::version::{VersionChange, VersionView, version, version_changes, versions};
use crate::act::UnitOfWork;
use crate::identity::access::{Caller, ClientCaller, TenantCaller};
use crate::licensing::catalog;
use crate::operations::chore::StepResult;
use crate::webhooks::event;

impl Caller {
    /// Returns the reader whose licenses this caller sees.
    #[must_use]
    pub fn reader(&self) -> Reader {
        TenantCaller::from(self).reader()
    }
}

impl ClientCaller {
    /// Returns the reader whose licenses this caller sees.
    #[must_use]
    pub fn reader(&self) -> Reader {
        TenantCaller::from(self).reader()
    }
}

impl TenantCaller {
    /// Returns the reader whose licenses this user sees.
    #[must_use]
    pub fn reader(self) -> Reader {
        Reader::Caller { tenant: self.tenant, user: self.user }
    }
}

/// Whether a change affects the search index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Indexed {
    Unchanged,
    Changed,
}

/// Stores a changed license and everything derived from it.
fn save(unit: &mut UnitOfWork<'_, '_>, license: &License, indexed: Indexed) -> Result<Holders> {
    license::update(unit.tx, license, unit.actor).map_err(taken)?;
    if indexed == Indexed::Changed {
        index::mark(unit.tx, license.id)?;
    }
    let holders = permission::holders(unit.tx, license)?;
    reader::set(unit.tx, license, &holders)?;
    Ok(holders)
}

/// Updates the licenses of a renamed talent: a new version and an event for each. Handles one
/// batch, starting after the given license.
pub(crate) fn update_for_talent(
    unit: &mut UnitOfWork<'_, '_>,
    talent: TalentId,
    after: LicenseId,
) -> Result<StepResult> {
    let ids = license::list_of_talent_after(unit.tx, talent, after, LICENSES_AT_ONCE)?;
    let mut events = Vec::new();
    for id in &ids {
        if let Some(mut shown) = license::claim(unit.tx, *id)? {
            shown.license.version = shown.license.version.saturating_add(1);
            shown.license.updated_at = unit.now;
            let holders = save(unit, &shown.license, Indexed::Changed)?;
            if events.is_empty() {
                catalog::rename_talent(unit, &shown)?;
            }
            let changed: &[_] = &["talent"];
            let kind = EventType::LicenseUpdated;
            events.push(license_event(unit, kind, &shown, &holders, Some(changed))?);
        }
    }
    let rest = more(&ids).map(|after| Chore::TalentRenamed { talent, after });
    Ok(StepResult { rest, events })
}

/// Raises the versions of a renamed tenant's licenses, so that cached responses aren't used again.
/// Handles one batch, starting after the given license.
pub(crate) fn update_for_tenant(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    after: LicenseId,
) -> Result<StepResult> {
    let ids = license::list_of_tenant_after(unit.tx, tenant, after, LICENSES_AT_ONCE)?;
    if let Some(last) = ids.last() {
        catalog::rename_owner(unit, tenant)?;
        license::bump_versions(unit.tx, tenant, (after, *last), unit.now, unit.actor)?;
        for id in &ids {
            index::mark(unit.tx, *id)?;
        }
    }
    let rest = more(&ids).map(|after| Chore::TenantRenamed { tenant, after });
    Ok(StepResult { rest, events: vec![] })
}

/// Returns the last license of a full batch, after which there may be more.
fn more(ids: &[LicenseId]) -> Option<LicenseId> {
    ids.last().copied().filter(|_| ids.len() == LICENSES_AT_ONCE as usize)
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == EXTERNAL_ID_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "Another license of yours already has this external ID")
                .at("externalId")
        }
        other => other.into(),
    }
}

pub(crate) fn resource(license: &License) -> Resource {
    let name = Some(license.title.as_str().to_owned());
    Resource { kind: "license", id: Some(license.id.to_string()), name }
}

/// Creates an event about the license for its owner and everybody with a permission on it.
fn license_event(
    unit: &mut UnitOfWork<'_, '_>,
    kind: EventType,
    shown: &LicenseRecord,
    holders: &Holders,
    changed: Option<&[&'static str]>,
) -> Result<NewEvent> {
    let license = &shown.license;
    let mut data = json!({ "license_id": license.id });
    // Recipients of a deletion may no longer see the license, so the event has only its id.
    if kind != EventType::LicenseDeleted {
        data["license"] = event::license(shown, unit.now);
    }
    if let Some(changed) = changed {
        data["changed_fields"] = json!(changed);
    }
    Ok(NewEvent {
        kind,
        owner: license.tenant,
        license: Some(license.id),
        resource_version: license.version,
        data,
        recipients: holders.tenants(unit.tx)?,
        receiver: None,
    })
}

fn not_found() -> Error {
    Error::not_found("License")
}
