//! `/mail/templates`, `/mail/create/template`, `/mail/preview/template`, `/mail/template/{id}`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::page::Listing;
use grantor_domain::template::{MailKind, Rendered, Template};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::mail::template::{self, ActiveTemplate, StoredTemplate};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Created, Data, NoContent, PageOf, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::Staff;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// A custom email template.
#[derive(Deserialize, ToSchema)]
#[schema(as = MailTemplateInput)]
pub(super) struct Input {
    /// The name of the email, as in the list.
    #[schema(required, nullable = false, inline, value_type = value::MailName)]
    name: Option<String>,
    /// The subject, on one line. At most 200 characters. Variables such as `{{code}}` are replaced.
    #[schema(required, nullable = false, inline, value_type = value::Subject)]
    subject: Option<String>,
    /// The body. At most 10000 characters, with a blank line between paragraphs. A paragraph that
    /// only contains `{{code}}`, `{{token}}` or `[label]({{link}})` is highlighted.
    #[schema(required, nullable = false, inline, value_type = value::MailBody)]
    body: Option<String>,
}

/// The new text of a custom email template.
#[derive(Deserialize, ToSchema)]
#[schema(as = MailTemplateText)]
pub(super) struct Text {
    /// The subject.
    #[schema(required, nullable = false, inline, value_type = value::Subject)]
    subject: Option<String>,
    /// The body.
    #[schema(required, nullable = false, inline, value_type = value::MailBody)]
    body: Option<String>,
}

/// The template of an email.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MailTemplate)]
pub(super) struct TemplateBody {
    /// The custom template's ID. Null for a built-in template.
    #[schema(inline, value_type = Option<value::Id>)]
    template_id: Option<String>,
    /// The name of the email.
    #[schema(inline, value_type = value::MailName)]
    name: &'static str,
    /// The purpose of the email.
    purpose: &'static str,
    /// The subject.
    subject: String,
    /// The body.
    body: String,
    /// Whether the template is custom.
    customized: bool,
    /// The variables that the template can use.
    variables: Vec<VariableBody>,
    preview: Preview,
    /// When the custom template was created.
    #[schema(value_type = Option<String>, format = DateTime)]
    created_at: Option<Timestamp>,
    /// When the custom template was last changed.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Timestamp>,
}

/// A variable of an email template.
#[derive(Serialize, ToSchema)]
#[schema(as = MailVariable)]
struct VariableBody {
    /// The variable's name.
    name: &'static str,
    /// A sample value.
    sample: &'static str,
    /// Whether the body must contain the variable.
    required: bool,
}

/// A preview of an email with sample values.
#[derive(Serialize, ToSchema)]
#[schema(as = MailPreview)]
pub(super) struct Preview {
    /// The subject.
    subject: String,
    /// The plain-text body.
    text: String,
    /// The HTML body.
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

impl From<ActiveTemplate> for TemplateBody {
    fn from(ActiveTemplate { template, written }: ActiveTemplate) -> Self {
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

impl From<StoredTemplate> for TemplateBody {
    fn from(written: StoredTemplate) -> Self {
        ActiveTemplate { template: written.template.clone(), written: Some(written) }.into()
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
) -> Result<PageOf<TemplateBody>, Problem> {
    let page = paging.read()?;
    let all = template::list(&state.app).await?;
    let total = all.len() as u64;
    let (offset, size) =
        (usize::try_from(page.offset()).unwrap_or(usize::MAX), page.size() as usize);
    let items = all.into_iter().skip(offset).take(size).map(TemplateBody::from).collect();
    Ok(PageOf(Listing::new(page, items, total), "Email templates"))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Json(input): Json<Input>,
) -> Result<Created<TemplateBody>, Problem> {
    let written = template::create(&state.app, &context, input.read()?).await?;
    Ok(Created(written.into(), "Email template created"))
}

pub(super) async fn preview(
    _: Staff,
    Json(input): Json<Input>,
) -> Result<Created<Preview>, Problem> {
    Ok(Created(input.read()?.sample().into(), "Email preview"))
}

pub(super) async fn replace(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
    Json(text): Json<Text>,
) -> Result<Data<TemplateBody>, Problem> {
    let id = path_id(&id, "email template")?;
    let mut fields = Fields::default();
    let subject = required(&mut fields, "subject", text.subject.as_deref()).to_owned();
    let body = required(&mut fields, "body", text.body.as_deref()).to_owned();
    fields.finish()?;
    let written = template::replace(&state.app, &context, id, subject, body).await?;
    Ok(Data(written.into(), "Email template updated"))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    Staff { context, .. }: Staff,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    template::delete(&state.app, &context, path_id(&id, "email template")?).await?;
    Ok(NoContent)
}
