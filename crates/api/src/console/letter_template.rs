//! `/org/letter-templates`: the templates of the organization's letters about mentions.

use axum::extract::State;
use grantor_domain::Result;
use grantor_domain::case::LetterKind;
use grantor_service::identity::access::TenantCaller;
use grantor_service::watching::case::{self, TemplateChange, TemplateView};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::Data;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::Json;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The fields to change. Omitted fields keep their value. These placeholders are replaced in both:
/// `{talent}`, `{url}`, `{title}`, `{organization}`, `{evidence_link}` and `{person}`.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LetterTemplateChanges {
    /// The subject. At most 200 characters.
    #[schema(inline, value_type = Option<value::LetterSubject>)]
    subject: Option<String>,
    /// The text. At most 10000 characters. It must contain `{evidence_link}`.
    #[schema(inline, value_type = Option<value::LetterTemplateText>)]
    text: Option<String>,
    /// `true` restores the built-in template; the other fields are ignored then.
    restore: Option<bool>,
}

/// The templates of the organization's letters.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LetterTemplates {
    /// The templates, one of each kind.
    templates: Vec<LetterTemplateBody>,
}

/// A template of letters.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LetterTemplateBody {
    /// What the letters ask for.
    #[schema(inline, value_type = value::LetterKindName)]
    kind: &'static str,
    /// The subject.
    subject: String,
    /// The text.
    text: String,
    /// Whether the organization changed it.
    customized: bool,
}

impl From<TemplateView> for LetterTemplateBody {
    fn from(TemplateView { template, is_built_in }: TemplateView) -> Self {
        Self {
            kind: template.kind.name(),
            subject: template.subject,
            text: template.text,
            customized: !is_built_in,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
) -> Result<Data<LetterTemplates>, Problem> {
    let found = case::list_templates(&state.app, TenantCaller::from(&*caller)).await?;
    let templates = found.into_iter().map(LetterTemplateBody::from).collect();
    Ok(Data(LetterTemplates { templates }, "Your letter templates"))
}

pub(super) async fn change_takedown(
    State(state): State<ApiState>,
    caller: SignedIn,
    Json(input): Json<LetterTemplateChanges>,
) -> Result<Data<LetterTemplateBody>, Problem> {
    change(&state, caller, LetterKind::Takedown, input).await
}

pub(super) async fn change_license_offer(
    State(state): State<ApiState>,
    caller: SignedIn,
    Json(input): Json<LetterTemplateChanges>,
) -> Result<Data<LetterTemplateBody>, Problem> {
    change(&state, caller, LetterKind::LicenseOffer, input).await
}

async fn change(
    state: &ApiState,
    SignedIn { context, caller }: SignedIn,
    kind: LetterKind,
    input: LetterTemplateChanges,
) -> Result<Data<LetterTemplateBody>, Problem> {
    let caller = TenantCaller::from(&*caller);
    if input.restore == Some(true) {
        let restored = case::restore_template(&state.app, &context, caller, kind).await?;
        return Ok(Data(restored.into(), "Letter template restored"));
    }
    let change = TemplateChange { subject: input.subject, text: input.text };
    let changed = case::change_template(&state.app, &context, caller, kind, change).await?;
    Ok(Data(changed.into(), "Letter template updated"))
}
