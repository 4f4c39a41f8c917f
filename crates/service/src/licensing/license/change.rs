//! Changing and deleting licenses.

use grantor_domain::event::EventType;
use grantor_domain::id::{CatalogPictureId, ImageId, LicenseId, TenantId};
use grantor_domain::license::{Applied, License, LicenseChange, LicenseStatus, apply};
use grantor_domain::permission::LicenseAct;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::image::{self, Image};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::license::{self, LicenseRecord};
use grantor_storage::{catalog_picture, mention, permission, talent};
use serde_json::json;

use super::image::delete_objects_of;
use super::read::{LicenseRef, LicenseView, resolve};
use super::restore::{self, LicenseReverse};
use super::{Indexed, difference, license_event, not_found, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::licensing::catalog;
use crate::licensing::catalog_picture::delete_objects_of as delete_picture_objects;
use crate::organizations::rights;
use crate::undo::Reverse;
use crate::watching::pod::look_at_once;
use crate::{App, Context};

/// The fields in the search index. The status is stored with the list of readers.
const INDEXED_FIELDS: [&str; 8] = [
    "title",
    "description",
    "license_type",
    "external_id",
    "uses",
    "territories",
    "fee",
    "expires_at",
];

/// The versions that the caller expects. A change to any other version is refused.
#[derive(Clone, Debug, Default)]
pub struct Expected(pub Option<Vec<(u32, LicenseStatus)>>);

impl Expected {
    /// Refuses a license that has changed since the caller read it.
    pub(super) fn check(&self, license: &License, now: Timestamp) -> Result<()> {
        let present = (license.version, license.effective_status(now));
        match &self.0 {
            Some(versions) if !versions.contains(&present) => Err(Error::new(
                ErrorKind::PreconditionFailed,
                "The record has changed since it was read",
            )),
            _ => Ok(()),
        }
    }
}

/// A license after a change.
pub struct Changed {
    /// The license as the caller sees it.
    pub view: LicenseView,
    /// Its reference images.
    pub images: Vec<Image>,
    /// Read-only fields of the request, which were ignored.
    pub ignored: Vec<String>,
}

/// Changes a license that the caller may edit. With `within`, licenses of other tenants are
/// reported as not found.
pub async fn change(
    app: &App,
    context: &Context,
    reader: Reader,
    named: LicenseRef,
    within: Option<TenantId>,
    expected: Expected,
    change: LicenseChange,
) -> Result<Changed> {
    let ignored = change.ignored.clone();
    let act = Update { reader, named, within, expected, change };
    let (view, images) = app.act(context, act).await?;
    Ok(Changed { view, images, ignored })
}

/// Deletes a license. It stays in the log, but its images are deleted for good, since they show a
/// person: at once, or when the deletion can no longer be taken back.
pub async fn delete(
    app: &App,
    context: &Context,
    reader: Reader,
    within: TenantId,
    id: LicenseId,
    expected: Expected,
) -> Result<()> {
    let deleted = app.act(context, Delete { reader, within, id, expected }).await?;
    if deleted.kept {
        return Ok(());
    }
    delete_picture_objects(app, deleted.picture).await?;
    delete_objects_of(app, deleted.images).await
}

/// Locks a license that the caller may edit.
pub(super) fn claim(
    unit: &mut UnitOfWork<'_, '_>,
    reader: Reader,
    named: &LicenseRef,
    within: Option<TenantId>,
) -> Result<LicenseView> {
    let (id, role) = match resolve(unit.tx, reader, named) {
        // In the console, another tenant's license is reported as not found.
        Err(error) if within.is_some() && *error.kind() == ErrorKind::AccessDenied => {
            return Err(not_found());
        }
        outcome => outcome?,
    };
    let shown = license::claim(unit.tx, id)?.ok_or_else(not_found)?;
    if within.is_some_and(|tenant| shown.license.tenant != tenant) {
        return Err(not_found());
    }
    role.check(LicenseAct::Edit)?;
    let right = if within.is_some() { Right::ManageLicenses } else { Right::EditLicenses };
    rights::require_for_license(unit, right, &shown.license)?;
    Ok(LicenseView::new(shown, role, unit.now))
}

struct Update {
    reader: Reader,
    named: LicenseRef,
    within: Option<TenantId>,
    expected: Expected,
    change: LicenseChange,
}

impl Act for Update {
    type Permit = LicenseView;
    type Output = (LicenseView, Vec<Image>);
    const ACTION: &'static str = "license.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<LicenseView> {
        let view = claim(unit, self.reader, &self.named, self.within)?;
        self.expected.check(&view.shown.license, unit.now)?;
        Ok(view)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        view: LicenseView,
    ) -> Result<Done<(LicenseView, Vec<Image>)>> {
        let LicenseView { shown, role, .. } = view;
        let before = shown.license.version;
        let applied = apply(&shown.license, self.change.clone(), unit.now)?;
        let done = store(unit, shown, applied)?;
        let shown = &done.output;
        let images = match shown.license.image_count {
            0 => vec![],
            _ => image::list(unit.tx, shown.license.id)?,
        };
        let (id, after) = (shown.license.id, shown.license.version);
        let mut done = done.map(|shown| (LicenseView::new(shown, role, unit.now), images));
        if after != before {
            let reverse = LicenseReverse::Changed { license: id, before, after };
            done = done.undone_by(Reverse::License(reverse));
        }
        Ok(done)
    }
}

/// Stores what a change led to, with its events.
pub(super) fn store(
    unit: &mut UnitOfWork<'_, '_>,
    shown: LicenseRecord,
    applied: Applied,
) -> Result<Done<LicenseRecord>> {
    let was_watched = shown.license.is_watched(unit.now);
    let changes = difference::changes(&shown.license, &applied.license);
    let Applied { license, changed_fields, published, expired } = applied;
    let shown = LicenseRecord { license, ..shown };
    let license = &shown.license;
    let mut events = Vec::new();
    if !changed_fields.is_empty() {
        let reindex = changed_fields.iter().any(|it| INDEXED_FIELDS.contains(it));
        let indexed = if reindex { Indexed::Changed } else { Indexed::Unchanged };
        let holders = save(unit, license, indexed)?;
        if license.is_watched(unit.now) && !was_watched {
            look_at_once(unit, license.tenant)?;
        }
        if published {
            catalog::give_addresses(unit, &shown)?;
        }
        let updated = EventType::LicenseUpdated;
        events.push(license_event(unit, updated, &shown, &holders, Some(&changed_fields))?);
        for (kind, applies) in
            [(EventType::LicensePublished, published), (EventType::LicenseExpired, expired)]
        {
            if applies {
                events.push(license_event(unit, kind, &shown, &holders, None)?);
            }
        }
    }
    let (resource, tenant, id) = (resource(license), license.tenant, license.id);
    let mut done = Done::new(shown, resource, "A license was updated");
    done.details = json!({ "changedFields": changed_fields });
    done.tenant = Some(tenant);
    done.events = events;
    Ok(done.with_changes(changes).for_license(id))
}

/// What a deleted license had, whose objects are deleted next, unless they are kept because the
/// deletion can be taken back.
struct Deleted {
    images: Vec<ImageId>,
    picture: Option<CatalogPictureId>,
    kept: bool,
}

struct Delete {
    reader: Reader,
    within: TenantId,
    id: LicenseId,
    expected: Expected,
}

impl Act for Delete {
    type Permit = LicenseRecord;
    type Output = Deleted;
    const ACTION: &'static str = "license.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<LicenseRecord> {
        let view = claim(unit, self.reader, &LicenseRef::Id(self.id), Some(self.within))?;
        self.expected.check(&view.shown.license, unit.now)?;
        Ok(view.shown)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        shown: LicenseRecord,
    ) -> Result<Done<Deleted>> {
        let mut shown = shown;
        // The event is created first, while its recipients can still be determined.
        shown.license.version = shown.license.version.saturating_add(1);
        let holders = permission::holders(unit.tx, &shown.license)?;
        let event = license_event(unit, EventType::LicenseDeleted, &shown, &holders, None)?;
        let license = shown.license;
        let undo = restore::of_deleted(unit, &license)?;
        reader::remove(unit.tx, &license)?;
        let images = image::delete_all(unit.tx, license.id)?;
        let picture = catalog_picture::delete(unit.tx, license.id)?;
        license::delete(unit.tx, license.id, unit.now, unit.actor)?;
        mention::clear_owner(unit.tx, &license)?;
        talent::count_license(unit.tx, license.talent, -1)?;
        let deleted = Deleted { images, picture, kept: undo.is_some() };
        let done = Done::new(deleted, resource(&license), "A license was deleted");
        let mut done = done.for_license(license.id).with_event(event);
        done.undo = undo;
        Ok(done)
    }
}
