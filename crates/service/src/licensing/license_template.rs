//! Templates of licenses, shared by everyone in a tenant who manages licenses.

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{LicenseId, LicenseTemplateId};
use grantor_domain::license::{LicenseTemplate, TemplateContent, TemplateName};
use grantor_domain::role::{Right, may};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::license_template::{self, NAME_IS_TAKEN};
use grantor_storage::{license, tenant};
use serde::{Deserialize, Serialize};

use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::licensing::permission::owned;
use crate::organizations::rights;
use crate::undo::{Reverse, stored};
use crate::{App, Context};

/// Returns the tenant's templates by name. There are at most [`LicenseTemplate::MAX`].
pub async fn list(app: &App, caller: &Caller) -> Result<Vec<LicenseTemplate>> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(license_template::list(tx, tenant)?)).await
}

/// Returns a template of the tenant.
pub async fn get(app: &App, caller: &Caller, id: LicenseTemplateId) -> Result<LicenseTemplate> {
    may(caller.role, caller.tenant_type, Right::ManageLicenses)?;
    let tenant = caller.tenant;
    let found =
        app.store.read(move |tx| Ok::<_, Error>(license_template::find(tx, tenant, id)?)).await;
    found?.ok_or_else(not_found)
}

/// Saves a template.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    name: TemplateName,
    content: TemplateContent,
) -> Result<LicenseTemplate> {
    let source = Source::Content(Box::new(content));
    app.act(context, Create { caller, name, source }).await
}

/// Saves a template that makes licenses like one of the tenant's.
pub async fn create_from(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    name: TemplateName,
    license: LicenseId,
) -> Result<LicenseTemplate> {
    app.act(context, Create { caller, name, source: Source::License(license) }).await
}

/// Renames a template.
pub async fn rename(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: LicenseTemplateId,
    name: TemplateName,
) -> Result<()> {
    app.act(context, Rename { caller, id, name }).await
}

/// Deletes a template. Licenses made from it stay.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: LicenseTemplateId,
) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

fn not_found() -> Error {
    Error::not_found("License template")
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == NAME_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "Another template already has this name")
                .at("templateName")
        }
        other => other.into(),
    }
}

/// Refuses another template of a tenant that has as many as it can.
fn check_number(unit: &mut UnitOfWork<'_, '_>, caller: &Caller) -> Result<()> {
    // The lock makes the count exact.
    tenant::claim(unit.tx, caller.tenant)?;
    if license_template::count(unit.tx, caller.tenant)? >= LicenseTemplate::MAX {
        let most = LicenseTemplate::MAX;
        let message = format!("An organization can have at most {most} license templates");
        return Err(Error::conflict(message).at("templateName"));
    }
    Ok(())
}

fn resource(id: LicenseTemplateId, name: &TemplateName) -> Resource {
    let (kind, name) = ("license_template", Some(name.as_str().to_owned()));
    Resource { kind, id: Some(id.to_string()), name }
}

/// Where the content of a template comes from.
enum Source {
    Content(Box<TemplateContent>),
    License(LicenseId),
}

struct Create {
    caller: Arc<Caller>,
    name: TemplateName,
    source: Source,
}

impl Act for Create {
    type Permit = TemplateContent;
    type Output = LicenseTemplate;
    const ACTION: &'static str = "license_template.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<TemplateContent> {
        rights::require(unit, Right::ManageLicenses)?;
        match &self.source {
            Source::Content(content) => Ok((**content).clone()),
            Source::License(id) => {
                let license = owned(license::find(unit.tx, *id)?, self.caller.tenant)?;
                rights::require_for_license(unit, Right::ManageLicenses, &license)?;
                Ok(TemplateContent::of(&license))
            }
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        content: TemplateContent,
    ) -> Result<Done<LicenseTemplate>> {
        check_number(unit, &self.caller)?;
        let template = LicenseTemplate {
            id: unit.ids.at(unit.now),
            tenant: self.caller.tenant,
            name: self.name.clone(),
            content,
            created_at: unit.now,
            updated_at: unit.now,
        };
        license_template::insert(unit.tx, &template).map_err(taken)?;
        let resource = resource(template.id, &template.name);
        Ok(Done::new(template, resource, "A license template was created"))
    }
}

struct Rename {
    caller: Arc<Caller>,
    id: LicenseTemplateId,
    name: TemplateName,
}

impl Act for Rename {
    type Permit = ();
    type Output = ();
    const ACTION: &'static str = "license_template.rename";

    /// A template of another tenant is reported as not found.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        rights::require(unit, Right::ManageLicenses)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<()>> {
        let tenant = self.caller.tenant;
        let renamed = license_template::rename(unit.tx, tenant, self.id, &self.name, unit.now);
        if !renamed.map_err(taken)? {
            return Err(not_found());
        }
        Ok(Done::new((), resource(self.id, &self.name), "A license template was renamed"))
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: LicenseTemplateId,
}

impl Act for Delete {
    type Permit = LicenseTemplate;
    type Output = ();
    const ACTION: &'static str = "license_template.delete";

    /// A template of another tenant is reported as not found.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<LicenseTemplate> {
        rights::require(unit, Right::ManageLicenses)?;
        let found = license_template::find(unit.tx, self.caller.tenant, self.id)?;
        found.ok_or_else(not_found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        template: LicenseTemplate,
    ) -> Result<Done<()>> {
        if !license_template::delete(unit.tx, self.caller.tenant, self.id)? {
            return Err(not_found());
        }
        let resource = resource(self.id, &template.name);
        let done = Done::new((), resource, "A license template was deleted");
        let LicenseTemplate { id, name, content, created_at, .. } = template;
        let name = name.as_str().to_owned();
        let reverse = LicenseTemplateReverse { id, name, content: Box::new(content), created_at };
        Ok(done.undone_by(Reverse::LicenseTemplate(reverse)))
    }
}

/// What takes back the deletion of a template.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct LicenseTemplateReverse {
    id: LicenseTemplateId,
    name: String,
    content: Box<TemplateContent>,
    created_at: Timestamp,
}

impl LicenseTemplateReverse {
    /// Takes the deletion back.
    pub(crate) fn run(self, unit: &mut UnitOfWork<'_, '_>, caller: &Caller) -> Result<Done<()>> {
        rights::require(unit, Right::ManageLicenses)?;
        check_number(unit, caller)?;
        let template = LicenseTemplate {
            id: self.id,
            tenant: caller.tenant,
            name: stored(TemplateName::parse(&self.name))?,
            content: *self.content,
            created_at: self.created_at,
            updated_at: unit.now,
        };
        license_template::insert(unit.tx, &template).map_err(taken)?;
        let resource = resource(template.id, &template.name);
        Ok(Done::new((), resource, "A deleted license template was restored"))
    }
}
