//! Mail templates: the built-in ones, and the ones that staff wrote. What staff wrote is sent to
//! everybody, whatever their language.

use grantor_domain::audit::Resource;
use grantor_domain::id::TemplateId;
use grantor_domain::template::{MailKind, Template};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::Language;
pub use grantor_storage::template::StoredTemplate;
use grantor_storage::template::{self, KIND_IS_TAKEN};

use super::built_in;
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// The template in use for a kind of mail.
#[derive(Clone, Debug)]
pub struct ActiveTemplate {
    /// The template.
    pub template: Template,
    /// The stored record, if staff wrote it.
    pub written: Option<StoredTemplate>,
}

/// Returns the templates in use for all kinds of mail. The built-in ones are in English.
pub async fn list(app: &App) -> Result<Vec<ActiveTemplate>> {
    let written = app.store.read(|tx| Ok::<_, Error>(template::list(tx)?)).await?;
    let active = MailKind::ALL.map(|kind| -> Result<ActiveTemplate> {
        let written = written.iter().find(|it| it.template.kind() == kind).cloned();
        let template = match &written {
            Some(written) => written.template.clone(),
            None => built_in::template(kind, Language::english())?,
        };
        Ok(ActiveTemplate { template, written })
    });
    active.into_iter().collect()
}

/// Creates a template for a kind of mail that uses the default.
pub async fn create(app: &App, context: &Context, template: Template) -> Result<StoredTemplate> {
    app.act(context, Create(template)).await
}

/// Replaces a template.
pub async fn replace(
    app: &App,
    context: &Context,
    id: TemplateId,
    subject: String,
    body: String,
) -> Result<StoredTemplate> {
    app.act(context, Replace { id, subject, body }).await
}

/// Deletes a template, which restores the default.
pub async fn delete(app: &App, context: &Context, id: TemplateId) -> Result<()> {
    app.act(context, Delete(id)).await
}

fn find(unit: &mut UnitOfWork<'_, '_>, id: TemplateId) -> Result<StoredTemplate> {
    template::find(unit.tx, id)?.ok_or_else(|| Error::not_found("Email template"))
}

fn resource(written: &StoredTemplate) -> Resource {
    let name = written.template.kind().name().to_owned();
    Resource { kind: "mail_template", id: Some(written.id.to_string()), name: Some(name) }
}

struct Create(Template);

impl Act for Create {
    type Permit = ();
    type Output = StoredTemplate;
    const ACTION: &'static str = "mail_template.create";

    /// The API checks the right.
    fn authorize(&self, _: &mut UnitOfWork<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<StoredTemplate>> {
        let written = StoredTemplate {
            id: unit.ids.next(),
            template: self.0.clone(),
            created_at: unit.now,
            updated_at: unit.now,
        };
        template::insert(unit.tx, &written).map_err(taken)?;
        let resource = resource(&written);
        Ok(Done::new(written, resource, "An email template was created"))
    }
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == KIND_IS_TAKEN => Error::new(
            ErrorKind::Exists,
            "This email already has a custom template; replace it instead",
        ),
        other => other.into(),
    }
}

struct Replace {
    id: TemplateId,
    subject: String,
    body: String,
}

impl Act for Replace {
    type Permit = StoredTemplate;
    type Output = StoredTemplate;
    const ACTION: &'static str = "mail_template.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<StoredTemplate> {
        find(unit, self.id)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut written: StoredTemplate,
    ) -> Result<Done<StoredTemplate>> {
        written.template = Template::parse(written.template.kind(), &self.subject, &self.body)?;
        written.updated_at = unit.now;
        template::update(unit.tx, &written)?;
        let resource = resource(&written);
        Ok(Done::new(written, resource, "An email template was updated"))
    }
}

struct Delete(TemplateId);

impl Act for Delete {
    type Permit = StoredTemplate;
    type Output = ();
    const ACTION: &'static str = "mail_template.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<StoredTemplate> {
        find(unit, self.0)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        written: StoredTemplate,
    ) -> Result<Done<()>> {
        template::delete(unit.tx, written.id)?;
        Ok(Done::new((), resource(&written), "An email template was deleted"))
    }
}
