//! The texts of mails: what is built in, and what staff writes instead.

use grantor_domain::audit::Resource;
use grantor_domain::id::TemplateId;
use grantor_domain::template::{MailKind, Template};
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::template::Written;
use grantor_storage::template::{self, KIND_IS_TAKEN};

use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// A kind of mail with the text that is sent.
#[derive(Clone, Debug)]
pub struct InUse {
    /// The text.
    pub template: Template,
    /// The record, where staff wrote it.
    pub written: Option<Written>,
}

/// Every kind of mail with the text that is sent.
pub async fn list(app: &App) -> Result<Vec<InUse>> {
    let written = app.store.read(|tx| Ok::<_, Error>(template::list(tx)?)).await?;
    let in_use = MailKind::ALL.map(|kind| {
        let written = written.iter().find(|it| it.template.kind() == kind).cloned();
        let template = written.as_ref().map(|it| it.template.clone());
        InUse { template: template.unwrap_or_else(|| Template::built_in(kind)), written }
    });
    Ok(in_use.into())
}

/// Writes a text for a kind of mail that has only the one built in.
pub async fn create(app: &App, context: &Context, template: Template) -> Result<Written> {
    app.act(context, Create(template)).await
}

/// Writes a text anew.
pub async fn replace(
    app: &App,
    context: &Context,
    id: TemplateId,
    subject: String,
    body: String,
) -> Result<Written> {
    app.act(context, Replace { id, subject, body }).await
}

/// Goes back to the text that is built in.
pub async fn delete(app: &App, context: &Context, id: TemplateId) -> Result<()> {
    app.act(context, Delete(id)).await
}

fn find(desk: &mut Desk<'_, '_>, id: TemplateId) -> Result<Written> {
    template::find(desk.tx, id)?.ok_or_else(|| Error::not_found("Mail template"))
}

fn resource(written: &Written) -> Resource {
    let name = written.template.kind().name().to_owned();
    Resource { kind: "mail_template", id: Some(written.id.to_string()), name: Some(name) }
}

struct Create(Template);

impl Act for Create {
    type Grant = ();
    type Output = Written;
    const ACTION: &'static str = "mail_template.create";

    /// The surface asks for the right before.
    fn authorize(&self, _: &mut Desk<'_, '_>) -> Result<()> {
        Ok(())
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<Written>> {
        let written = Written {
            id: desk.ids.next(),
            template: self.0.clone(),
            created_at: desk.now,
            updated_at: desk.now,
        };
        template::insert(desk.tx, &written).map_err(taken)?;
        let resource = resource(&written);
        Ok(Done::new(written, resource, "The text of a mail was written"))
    }
}

fn taken(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == KIND_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "There is a text for this mail: replace it")
        }
        other => other.into(),
    }
}

struct Replace {
    id: TemplateId,
    subject: String,
    body: String,
}

impl Act for Replace {
    type Grant = Written;
    type Output = Written;
    const ACTION: &'static str = "mail_template.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Written> {
        find(desk, self.id)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut written: Written) -> Result<Done<Written>> {
        written.template = Template::parse(written.template.kind(), &self.subject, &self.body)?;
        written.updated_at = desk.now;
        template::update(desk.tx, &written)?;
        let resource = resource(&written);
        Ok(Done::new(written, resource, "The text of a mail was changed"))
    }
}

struct Delete(TemplateId);

impl Act for Delete {
    type Grant = Written;
    type Output = ();
    const ACTION: &'static str = "mail_template.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Written> {
        find(desk, self.0)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, written: Written) -> Result<Done<()>> {
        template::delete(desk.tx, written.id)?;
        Ok(Done::new((), resource(&written), "A mail has its built-in text again"))
    }
}
