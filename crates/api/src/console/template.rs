//! `/mail/templates`, `/mail/create/template`, `/mail/preview/template`, `/mail/template/{id}`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::page::Listing;
use grantor_domain::template::{MailKind, Rendered, Template};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::template::{self, InUse, Written};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Fine, Gone, Listed, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::Staff;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// A text for a kind of mail.
#[derive(Deserialize, ToSchema)]
#[schema(as = MailTemplateInput)]
pub(super) struct Input {
    /// Which mail, by its name in the list.
    #[schema(required, nullable = false, inline, value_type = value::MailName)]
    name: Option<String>,
    /// One line, at most 200 characters; `{{code}}` and the like stand for values.
    #[schema(required, nullable = false, inline, value_type = value::Subject)]
    subject: Option<String>,
    /// Paragraphs with an empty line between them, at most 10000 characters. One that is nothing but
    /// `{{code}}`, `{{token}}` or `[label]({{link}})` is shown as such.
    #[schema(required, nullable = false, inline, value_type = value::MailBody)]
    body: Option<String>,
}

/// Another text for a mail.
#[derive(Deserialize, ToSchema)]
#[schema(as = MailTemplateText)]
pub(super) struct Text {
    #[schema(required, nullable = false, inline, value_type = value::Subject)]
    subject: Option<String>,
    #[schema(required, nullable = false, inline, value_type = value::MailBody)]
    body: Option<String>,
}

/// A kind of mail and what it says.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MailTemplate)]
pub(super) struct TemplateBody {
    /// Null as long as the built-in text is sent.
    #[schema(inline, value_type = Option<value::Id>)]
    template_id: Option<String>,
    #[schema(inline, value_type = value::MailName)]
    name: &'static str,
    /// What the mail is for.
    purpose: &'static str,
    subject: String,
    body: String,
    /// Whether staff wrote it.
    customized: bool,
    variables: Vec<VariableBody>,
    preview: Preview,
    #[schema(value_type = Option<String>, format = DateTime)]
    created_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Timestamp>,
}

/// A value that a mail can hold.
#[derive(Serialize, ToSchema)]
#[schema(as = MailVariable)]
struct VariableBody {
    name: &'static str,
    sample: &'static str,
    /// Whether the body must hold it.
    required: bool,
}

/// The mail with samples for its values.
#[derive(Serialize, ToSchema)]
#[schema(as = MailPreview)]
pub(super) struct Preview {
    subject: String,
    text: String,
    html: String,
}

impl Plural for TemplateBody {
    const PLURAL: &'static str = "templates";
}

impl From<Rendered> for Preview {
    fn from(Rendered { subject, text, html }: Rendered) -> Self {
        Self { subject, text, html }
    }
}

impl From<InUse> for TemplateBody {
    fn from(InUse { template, written }: InUse) -> Self {
        let variables = template.kind().variables().iter().map(|it| VariableBody {
            name: it.name,
            sample: it.sample,
            required: it.needed,
        });
        Self {
            template_id: written.as_ref().map(|it| it.id.to_string()),
            name: template.kind().name(),
            purpose: template.kind().purpose(),
            subject: template.subject().to_owned(),
            body: template.body().to_owned(),
            customized: written.is_some(),
            variables: variables.collect(),
            preview: template.sample().into(),
            created_at: written.as_ref().map(|it| it.created_at),
            updated_at: written.as_ref().map(|it| it.updated_at),
        }
    }
}

impl From<Written> for TemplateBody {
    fn from(written: Written) -> Self {
        InUse { template: written.template.clone(), written: Some(written) }.into()
    }
}

impl Input {
    fn read(&self) -> Result<Template> {
        let mut fields = Fields::default();
        let name = required(&mut fields, "name", self.name.as_deref());
        let kind = fields.take("name", name.parse::<MailKind>());
        let subject = required(&mut fields, "subject", self.subject.as_deref());
        let body = required(&mut fields, "body", self.body.as_deref());
        fields.finish()?;
        let kind = kind.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        Template::parse(kind, subject, body)
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    _: Staff,
    Query(paging): Query<Paging>,
) -> Result<Listed<TemplateBody>, Problem> {
    let page = paging.read()?;
    let all = template::list(&state.app).await?;
    let total = all.len() as u64;
    let (offset, size) =
        (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size() as usize);
    let items = all.into_iter().skip(offset).take(size).map(TemplateBody::from).collect();
    Ok(Listed(Listing::new(page, items, total), "The mails that are sent"))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Json(input): Json<Input>,
) -> Result<Created<TemplateBody>, Problem> {
    let written = template::create(&state.app, &context, input.read()?).await?;
    Ok(Created(written.into(), "The mail has this text now"))
}

pub(super) async fn preview(
    _: Staff,
    Json(input): Json<Input>,
) -> Result<Created<Preview>, Problem> {
    Ok(Created(input.read()?.sample().into(), "The mail would look like this"))
}

pub(super) async fn replace(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
    Json(text): Json<Text>,
) -> Result<Fine<TemplateBody>, Problem> {
    let id = path_id(&id, "mail template")?;
    let mut fields = Fields::default();
    let subject = required(&mut fields, "subject", text.subject.as_deref()).to_owned();
    let body = required(&mut fields, "body", text.body.as_deref()).to_owned();
    fields.finish()?;
    let written = template::replace(&state.app, &context, id, subject, body).await?;
    Ok(Fine(written.into(), "The mail has this text now"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    template::delete(&state.app, &context, path_id(&id, "mail template")?).await?;
    Ok(Gone)
}
