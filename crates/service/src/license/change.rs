//! Changing and deleting licenses.

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId, TenantId};
use grantor_domain::license::{Applied, License, LicenseChange, LicenseStatus, apply};
use grantor_domain::permission::LicenseAct;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::image::{self, Image};
use grantor_storage::license::reader::{self, Reader};
use grantor_storage::license::{self, Shown};
use grantor_storage::{mention, permission, talent};
use serde_json::json;

use super::image::forget;
use super::read::{Named, Seen, resolve, see};
use super::{FoundBy, not_found, resource, save, tell};
use crate::act::{Act, Desk, Done};
use crate::{App, Context, reach};

/// The members that a license is found by. Its status is looked after with who sees it.
const FOUND_BY: [&str; 4] = ["title", "description", "license_type", "external_id"];

/// The versions a caller may have seen: a change to any other is refused.
#[derive(Clone, Debug, Default)]
pub struct Expected(pub Option<Vec<(u32, LicenseStatus)>>);

impl Expected {
    /// Refuses a license that is no longer as its caller saw it.
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
    pub seen: Seen,
    /// Its reference images.
    pub images: Vec<Image>,
    /// Members of the request that nobody can write.
    pub ignored: Vec<String>,
}

/// Changes a license the caller owns; `within` keeps to those of one tenant, as unknown elsewhere.
pub async fn change(
    app: &App,
    context: &Context,
    reader: Reader,
    named: Named,
    within: Option<TenantId>,
    expected: Expected,
    asked: LicenseChange,
) -> Result<Changed> {
    let ignored = asked.ignored.clone();
    let act = Change { reader, named, within, expected, asked };
    let (seen, images) = app.act(context, act).await?;
    Ok(Changed { seen, images, ignored })
}

/// Deletes a license: gone from every answer, kept in the log. Its pictures are of a person who may
/// want them gone, so they are deleted and not only hidden.
pub async fn delete(
    app: &App,
    context: &Context,
    reader: Reader,
    within: TenantId,
    id: LicenseId,
    expected: Expected,
) -> Result<()> {
    let images = app.act(context, Delete { reader, within, id, expected }).await?;
    forget(app, images).await
}

/// The license, held, if the caller may edit it.
fn own(
    desk: &mut Desk<'_, '_>,
    reader: Reader,
    named: &Named,
    within: Option<TenantId>,
) -> Result<Seen> {
    let (id, role) = match resolve(desk.tx, reader, named) {
        // In the console another tenant's license is as unknown as one that never was.
        Err(error) if within.is_some() && *error.kind() == ErrorKind::AccessDenied => {
            return Err(not_found());
        }
        outcome => outcome?,
    };
    let shown = license::claim(desk.tx, id)?.ok_or_else(not_found)?;
    if within.is_some_and(|tenant| shown.license.tenant != tenant) {
        return Err(not_found());
    }
    role.check(LicenseAct::Edit)?;
    let right = if within.is_some() { Right::ManageLicenses } else { Right::EditLicenses };
    reach::within_license(desk, right, &shown.license)?;
    Ok(see(shown, role, desk.now))
}

struct Change {
    reader: Reader,
    named: Named,
    within: Option<TenantId>,
    expected: Expected,
    asked: LicenseChange,
}

impl Act for Change {
    type Grant = Seen;
    type Output = (Seen, Vec<Image>);
    const ACTION: &'static str = "license.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Seen> {
        let seen = own(desk, self.reader, &self.named, self.within)?;
        self.expected.check(&seen.shown.license, desk.now)?;
        Ok(seen)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, seen: Seen) -> Result<Done<(Seen, Vec<Image>)>> {
        let Seen { shown, role, .. } = seen;
        let applied = apply(&shown.license, self.asked.clone(), desk.now)?;
        let Applied { license, changed_fields, published, expired } = applied;
        let shown = Shown { license, ..shown };
        let license = &shown.license;
        let mut events = Vec::new();
        if !changed_fields.is_empty() {
            let other = changed_fields.iter().any(|it| FOUND_BY.contains(it));
            let found_by = if other { FoundBy::Other } else { FoundBy::Same };
            let holders = save(desk, license, found_by)?;
            let updated = EventType::LicenseUpdated;
            events.push(tell(desk, updated, &shown, &holders, Some(&changed_fields))?);
            for (kind, so) in
                [(EventType::LicensePublished, published), (EventType::LicenseExpired, expired)]
            {
                if so {
                    events.push(tell(desk, kind, &shown, &holders, None)?);
                }
            }
        }
        let images = match license.image_count {
            0 => vec![],
            _ => image::list(desk.tx, license.id)?,
        };
        let (resource, tenant, id) = (resource(license), license.tenant, license.id);
        let output = (see(shown, role, desk.now), images);
        let mut done = Done::new(output, resource, "A license was changed");
        done.details = json!({ "changedFields": changed_fields });
        done.tenant = Some(tenant);
        done.events = events;
        Ok(done.about(id))
    }
}

struct Delete {
    reader: Reader,
    within: TenantId,
    id: LicenseId,
    expected: Expected,
}

impl Act for Delete {
    type Grant = Shown;
    type Output = Vec<ImageId>;
    const ACTION: &'static str = "license.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Shown> {
        let seen = own(desk, self.reader, &Named::Id(self.id), Some(self.within))?;
        self.expected.check(&seen.shown.license, desk.now)?;
        Ok(seen.shown)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, shown: Shown) -> Result<Done<Vec<ImageId>>> {
        let mut shown = shown;
        // Told while those who saw it can still be found.
        shown.license.version = shown.license.version.saturating_add(1);
        let holders = permission::holders(desk.tx, &shown.license)?;
        let told = tell(desk, EventType::LicenseDeleted, &shown, &holders, None)?;
        let license = shown.license;
        reader::remove(desk.tx, &license)?;
        let images = image::delete_all(desk.tx, license.id)?;
        license::delete(desk.tx, license.id, desk.now)?;
        mention::disown(desk.tx, &license)?;
        talent::count_license(desk.tx, license.talent, -1)?;
        let done = Done::new(images, resource(&license), "A license was deleted");
        Ok(done.about(license.id).tell(told))
    }
}
