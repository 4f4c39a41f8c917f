//! Making a license.

use std::sync::Arc;

use grantor_domain::event::EventType;
use grantor_domain::id::TalentId;
use grantor_domain::license::{LicenseStatus, NewLicense};
use grantor_domain::role::{Right, may};
use grantor_domain::usage::Bounded;
use grantor_domain::{Error, Result};
use grantor_storage::license::{self, Shown, reader};
use grantor_storage::talent::{self, Listed};
use grantor_storage::{permission, tenant};

use super::image::{Fresh, Image, check_count, insert, prepare, with_objects};
use super::{resource, taken, tell};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context, reach, usage};

/// Makes a license over one of the tenant's talents, with these pictures.
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
    let context = context.clone();
    with_objects(app, prepared, move |app, images| async move {
        app.act(&context, Create { caller, talent, new, images }).await
    })
    .await
}

/// A license that was made.
pub struct Created {
    /// The license.
    pub shown: Shown,
    /// Its reference images.
    pub images: Vec<Image>,
}

struct Create {
    caller: Arc<Caller>,
    talent: TalentId,
    new: NewLicense,
    images: Vec<Fresh>,
}

impl Act for Create {
    type Grant = Listed;
    type Output = Created;
    const ACTION: &'static str = "license.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Listed> {
        may(self.caller.role, self.caller.tenant_type, Right::ManageLicenses)?;
        let found = talent::claim(desk.tx, self.caller.tenant, self.talent)?;
        let found = found.ok_or_else(|| Error::not_found("Talent"))?;
        reach::within(desk, Right::ManageLicenses, found.talent.team)?;
        Ok(found)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, grant: Listed) -> Result<Done<Created>> {
        let id = desk.ids.at(desk.now);
        let (owner, talent) = (self.caller.tenant, grant.talent);
        let mut license = self.new.clone().into_license(id, owner, talent.id, desk.now);
        license.image_count = check_count(0, self.images.len())?;
        usage::admit(desk, owner, Bounded::Licenses, 1)?;
        license::insert(desk.tx, &license).map_err(taken)?;
        let images = insert(desk, owner, license.id, &self.images)?;
        let holders = permission::holders(desk.tx, &license)?;
        reader::set(desk.tx, &license, &holders)?;
        talent::count_license(desk.tx, talent.id, 1)?;
        let owner =
            tenant::find(desk.tx, owner)?.ok_or_else(|| Error::not_found("Organization"))?;
        let (resource, id) = (resource(&license), license.id);
        let shown = Shown {
            license,
            talent_name: talent.fullname.as_str().to_owned(),
            talent_aliases: talent.aliases.as_slice().to_vec(),
            owner_name: owner.name,
            owner_type: owner.kind,
        };
        let created = tell(desk, EventType::LicenseCreated, &shown, &holders, None)?;
        let published = (shown.license.status == LicenseStatus::Public)
            .then(|| tell(desk, EventType::LicensePublished, &shown, &holders, None))
            .transpose()?;
        let mut done =
            Done::new(Created { shown, images }, resource, "A license was made").tell(created);
        done.events.extend(published);
        Ok(done.about(id))
    }
}
