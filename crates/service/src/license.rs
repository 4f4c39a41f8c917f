//! Licenses: made, shown, changed, ended and deleted. Every change keeps who sees it, the words it
//! is found by and what is told of it, in one unit of work.

mod change;
mod create;
mod expiry;
mod history;
mod image;
mod indexing;
mod read;

use grantor_domain::audit::Resource;
use grantor_domain::chore::{Chore, LICENSES_AT_ONCE};
use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::id::{LicenseId, TalentId, TenantId};
use grantor_domain::license::License;
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::license::Shown;
pub use grantor_storage::license::reader::{Entry, Reader};
use grantor_storage::license::{self, EXTERNAL_ID_IS_TAKEN, index, reader};
use grantor_storage::permission::{self, Holders};
use serde_json::json;

pub use self::change::{Changed, Expected, change, delete};
pub use self::create::{Created, create};
pub use self::expiry::expire;
pub use self::history::{history, of_talent};
pub use self::image::{Added, Image, add_images, images_of, remove_image};
pub use self::indexing::{index_at_start, index_changed};
pub use self::read::{Named, Seen, find, get, get_with_images, list, load, show};
pub(crate) use self::read::{resolve, see};
use crate::access::{Caller, ClientCaller, Insider};
use crate::act::Desk;
use crate::chore::Part;
use crate::event;

impl Caller {
    /// Whose licenses this caller sees.
    #[must_use]
    pub fn reader(&self) -> Reader {
        Insider::from(self).reader()
    }
}

impl ClientCaller {
    /// Whose licenses this caller sees.
    #[must_use]
    pub fn reader(&self) -> Reader {
        Insider::from(self).reader()
    }
}

impl Insider {
    /// Whose licenses this person sees.
    #[must_use]
    pub fn reader(self) -> Reader {
        Reader::Caller { tenant: self.tenant, user: self.user }
    }
}

/// Whether a license is found by the same words and of the same type as before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FoundBy {
    Same,
    Other,
}

/// Writes a changed license with everything that is derived from it.
fn save(desk: &mut Desk<'_, '_>, license: &License, found_by: FoundBy) -> Result<Holders> {
    license::update(desk.tx, license).map_err(taken)?;
    if found_by == FoundBy::Other {
        index::mark(desk.tx, license.id)?;
    }
    let holders = permission::holders(desk.tx, license)?;
    reader::set(desk.tx, license, &holders)?;
    Ok(holders)
}

/// After a talent's names changed: every license over them shows them, is another version, and told.
/// So many at a time, from the first license after this one.
pub(crate) fn show_talent_anew(
    desk: &mut Desk<'_, '_>,
    talent: TalentId,
    after: LicenseId,
) -> Result<Part> {
    let ids = license::list_of_talent_after(desk.tx, talent, after, LICENSES_AT_ONCE)?;
    let mut events = Vec::new();
    for id in &ids {
        if let Some(mut shown) = license::claim(desk.tx, *id)? {
            shown.license.version = shown.license.version.saturating_add(1);
            shown.license.updated_at = desk.now;
            let holders = save(desk, &shown.license, FoundBy::Other)?;
            let changed: &[_] = &["talent"];
            let kind = EventType::LicenseUpdated;
            events.push(tell(desk, kind, &shown, &holders, Some(changed))?);
        }
    }
    let rest = more(&ids).map(|after| Chore::TalentRenamed { talent, after });
    Ok(Part { rest, events })
}

/// After a tenant's name changed: its licenses are other versions, so that nothing kept under the
/// version before is shown again. So many at a time likewise.
pub(crate) fn show_tenant_anew(
    desk: &mut Desk<'_, '_>,
    tenant: TenantId,
    after: LicenseId,
) -> Result<Part> {
    let ids = license::list_of_tenant_after(desk.tx, tenant, after, LICENSES_AT_ONCE)?;
    if let Some(last) = ids.last() {
        license::raise_versions(desk.tx, tenant, (after, *last), desk.now)?;
        for id in &ids {
            index::mark(desk.tx, *id)?;
        }
    }
    let rest = more(&ids).map(|after| Chore::TenantRenamed { tenant, after });
    Ok(Part { rest, events: vec![] })
}

/// After which license there may be more.
fn more(ids: &[LicenseId]) -> Option<LicenseId> {
    ids.last().copied().filter(|_| ids.len() == LICENSES_AT_ONCE as usize)
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == EXTERNAL_ID_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "Another of your licenses has this external id")
                .at("externalId")
        }
        other => other.into(),
    }
}

fn resource(license: &License) -> Resource {
    let name = Some(license.title.as_str().to_owned());
    Resource { kind: "license", id: Some(license.id.to_string()), name }
}

/// What is told of a license as it is now: to the owner and to everybody who holds a right on it.
fn tell(
    desk: &mut Desk<'_, '_>,
    kind: EventType,
    shown: &Shown,
    holders: &Holders,
    changed: Option<&[&'static str]>,
) -> Result<NewEvent> {
    let license = &shown.license;
    let mut data = json!({ "license_id": license.id });
    // Whoever hears of a deletion may have lost the right to see: it is told by the id alone.
    if kind != EventType::LicenseDeleted {
        data["license"] = event::license(shown, desk.now);
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
        recipients: holders.tenants(desk.tx)?,
        receiver: None,
    })
}

fn not_found() -> Error {
    Error::not_found("License")
}
