//! Creating licenses.

use std::sync::Arc;

use grantor_domain::event::EventType;
use grantor_domain::id::{ImageId, LicenseId, TalentId};
use grantor_domain::image::ImageFile;
use grantor_domain::license::{LicenseStatus, NewLicense};
use grantor_domain::role::{Right, may};
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
use grantor_media::Prepared;
use grantor_storage::license::{self, LicenseRecord, reader};
use grantor_storage::talent::{self, ListedTalent};
use grantor_storage::{permission, tenant};
use serde_json::json;

use super::image::{
    Image, StoredImage, check_count, hints_of, insert, prepare, seen_of, with_objects,
};
use super::kept_image::take;
use super::{license_event, resource, taken};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::licensing::catalog;
use crate::organizations::rights;
use crate::organizations::usage;
use crate::watching::likeness::Hint;
use crate::watching::pod::look_at_once;
use crate::{App, Context};

/// Creates a license for one of the tenant's talents, with these images.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    talent: TalentId,
    new: NewLicense,
    files: Vec<Vec<u8>>,
) -> Result<Created> {
    check_count(0, files.len())?;
    let prepared = prepare(app, context, files).await?;
    create_prepared(app, context, caller, (talent, new), prepared).await
}

/// Like [`create`], with what to know about each of the images.
pub async fn create_with_hints(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    talent: TalentId,
    new: NewLicense,
    files: Vec<ImageFile>,
) -> Result<(Created, Vec<Hint>)> {
    check_count(0, files.len())?;
    let prepared = prepare(app, context, files).await?;
    let (seen, owner) = (seen_of(&prepared), Arc::clone(&caller));
    let created = create_prepared(app, context, caller, (talent, new), prepared).await?;
    let hints = hints_of(app, &owner, created.images.iter().map(|it| it.id), seen).await;
    Ok((created, hints))
}

async fn create_prepared(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    (talent, new): (TalentId, NewLicense),
    prepared: Vec<Prepared>,
) -> Result<Created> {
    let context = context.clone();
    with_objects(app, prepared, move |app, images| async move {
        let images = NewImages::Stored(images);
        app.act(&context, Create { caller, talent, new, images, copy_of: None }).await
    })
    .await
}

/// Like [`create`], with pictures that are kept for the caller's session.
pub async fn create_with_kept(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    talent: TalentId,
    new: NewLicense,
    kept: Vec<ImageId>,
) -> Result<Created> {
    let images = NewImages::Kept(kept);
    app.act(context, Create { caller, talent, new, images, copy_of: None }).await
}

/// A new license.
pub struct Created {
    /// The license.
    pub shown: LicenseRecord,
    /// Its reference images.
    pub images: Vec<Image>,
}

/// The images of a new license. Their objects are stored.
pub(super) enum NewImages {
    Stored(Vec<StoredImage>),
    /// Kept for the caller's session.
    Kept(Vec<ImageId>),
}

pub(super) struct Create {
    pub(super) caller: Arc<Caller>,
    pub(super) talent: TalentId,
    pub(super) new: NewLicense,
    pub(super) images: NewImages,
    /// The license that this one is a copy of.
    pub(super) copy_of: Option<LicenseId>,
}

impl Act for Create {
    type Permit = ListedTalent;
    type Output = Created;
    const ACTION: &'static str = "license.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedTalent> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageLicenses)?;
        let found = talent::claim(unit.tx, self.caller.tenant, self.talent)?;
        let found = found.ok_or_else(|| Error::not_found("Talent"))?;
        rights::require_for_team(unit, Right::ManageLicenses, found.talent.team)?;
        Ok(found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        permit: ListedTalent,
    ) -> Result<Done<Created>> {
        let id = unit.ids.at(unit.now);
        let (owner, talent) = (self.caller.tenant, permit.talent);
        let mut license = self.new.clone().into_license(id, owner, talent.id, unit.now);
        let stored = match &self.images {
            NewImages::Stored(images) => images.clone(),
            NewImages::Kept(ids) if ids.is_empty() => vec![],
            NewImages::Kept(ids) => take(unit, self.caller.session, ids)?,
        };
        license.image_count = check_count(0, stored.len())?;
        usage::admit(unit, owner, LimitedResource::Licenses, 1)?;
        license::insert(unit.tx, &license, unit.actor).map_err(taken)?;
        let images = insert(unit, owner, license.id, &stored)?;
        let holders = permission::holders(unit.tx, &license)?;
        reader::set(unit.tx, &license, &holders)?;
        talent::count_license(unit.tx, talent.id, 1)?;
        if license.is_watched(unit.now) {
            look_at_once(unit, license.tenant)?;
        }
        let owner =
            tenant::find(unit.tx, owner)?.ok_or_else(|| Error::not_found("Organization"))?;
        let (resource, id) = (resource(&license), license.id);
        let shown = LicenseRecord {
            license,
            talent_name: talent.fullname.as_str().to_owned(),
            talent_aliases: talent.aliases.as_slice().to_vec(),
            owner_name: owner.name,
            owner_type: owner.kind,
        };
        if shown.license.status == LicenseStatus::Public {
            catalog::give_addresses(unit, &shown)?;
        }
        let created = license_event(unit, EventType::LicenseCreated, &shown, &holders, None)?;
        let published = (shown.license.status == LicenseStatus::Public)
            .then(|| license_event(unit, EventType::LicensePublished, &shown, &holders, None))
            .transpose()?;
        let output = Created { shown, images };
        let mut done = Done::new(output, resource, "A license was created").with_event(created);
        if let Some(original) = self.copy_of {
            done.details = json!({ "copyOf": original });
        }
        done.events.extend(published);
        Ok(done.for_license(id))
    }
}
