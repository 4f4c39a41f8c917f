//! `/cases`, `/mentions/{id}/case`, its comments and letters.

mod body;

use axum::extract::State;
use grantor_domain::case::{CaseParams, CasePatch, CaseQuery, NewLetter};
use grantor_domain::error::Fields;
use grantor_domain::id::UserId;
use grantor_domain::patch::Patch;
use grantor_domain::{Error, Result};
use grantor_service::watching::case::{self, CaseView};
use http::{HeaderMap, Uri};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use self::body::{CaseBody, ListedCaseBody};
use super::path_id;
use super::webhook::not_null;
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{Created, ListOf, ResponseOf};
use crate::frame::etag;
use crate::frame::extract::{Json, OptionalJson, Query, Segment};
use crate::frame::ignored_fields::JsonWithIgnored;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// Which cases to list.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Only return cases with this status.
    #[param(inline, value_type = Option<value::CaseStatusName>)]
    status: Option<String>,
}

impl ListParams {
    fn parse(&self) -> Result<CaseQuery> {
        let params = CaseParams {
            page: self.page.as_deref(),
            size: self.per_page.as_deref(),
            status: self.status.as_deref(),
        };
        CaseQuery::parse(&params, Api::External.page_rules())
    }
}

/// The case to open.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewCase)]
pub(super) struct CaseInput {
    /// The ID of the user who works on the case, or null for nobody. Defaults to the user that the
    /// API client acts as.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Id>)]
    assignee_id: Patch<String>,
}

/// The fields to change. Omitted fields keep their value.
#[derive(Deserialize, ToSchema)]
#[schema(as = CaseChange)]
pub(super) struct CaseChangeInput {
    /// The new status. From `removed` and `closed` a case can only be opened again, and a removed
    /// case can be closed.
    #[serde(default)]
    #[schema(inline, nullable = false, value_type = Option<value::CaseStatusName>)]
    status: Patch<String>,
    /// The ID of the user who works on the case, or null for nobody.
    #[serde(default)]
    #[schema(inline, value_type = Option<value::Id>)]
    assignee_id: Patch<String>,
}

/// The comment to add.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewCaseComment)]
pub(super) struct CommentInput {
    /// The text. At most 5000 characters.
    #[schema(required, nullable = false, inline, value_type = value::CaseCommentText)]
    text: Option<String>,
}

/// The letter to send as an email in plain text.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewCaseLetter)]
pub(super) struct LetterInput {
    /// The recipient.
    #[schema(required, nullable = false, inline, value_type = value::Email)]
    to: Option<String>,
    /// The subject. At most 200 characters.
    #[schema(required, nullable = false, inline, value_type = value::LetterSubject)]
    subject: Option<String>,
    /// The text. At most 10000 characters. Start with one of the case's `drafts`.
    #[schema(required, nullable = false, inline, value_type = value::LetterText)]
    text: Option<String>,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<ListParams>,
) -> Result<ListOf<ListedCaseBody>, Problem> {
    let page = case::list(&state.app, (&*caller).into(), params.parse()?).await?;
    Ok(ListOf::page(page.map(ListedCaseBody::from), &uri))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    headers: HeaderMap,
    Segment(id): Segment,
) -> Result<ResponseOf<CaseBody>, Problem> {
    let found = case::get(&state.app, (&*caller).into(), path_id(&id)?).await?;
    tagged(&headers, found)
}

pub(super) async fn open(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    OptionalJson(input): OptionalJson<CaseInput>,
) -> Result<Created<CaseBody>, Problem> {
    let id = path_id(&id)?;
    let mut fields = Fields::default();
    let assignee = input.map(|it| it.assignee_id).unwrap_or_default();
    let assignee = read_assignee(&mut fields, assignee);
    fields.finish()?;
    let opened = case::open(&state.app, &context, (&*caller).into(), id, assignee).await?;
    Ok(Created(opened.into()))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    headers: HeaderMap,
    Segment(id): Segment,
    JsonWithIgnored { body: input, ignored }: JsonWithIgnored<CaseChangeInput>,
) -> Result<ResponseOf<CaseBody>, Problem> {
    let id = path_id(&id)?;
    let mut fields = Fields::default();
    let status = not_null(&mut fields, "status", input.status, "must be a string");
    let status = status.and_then(|it| fields.take("status", it.parse()));
    let assignee = read_assignee(&mut fields, input.assignee_id);
    fields.finish()?;
    let patch = CasePatch { status, assignee, expected: etag::required_versions(&headers) };
    let changed = case::change(&state.app, &context, (&*caller).into(), id, patch).await?;
    Ok(tagged(&HeaderMap::new(), changed)?.ignoring(&ignored))
}

pub(super) async fn comment(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<CommentInput>,
) -> Result<Created<CaseBody>, Problem> {
    let id = path_id(&id)?;
    let text = input.text.ok_or_else(|| Error::field("text", "is required"))?;
    let changed = case::comment(&state.app, &context, (&*caller).into(), id, &text).await?;
    Ok(Created(changed.into()))
}

pub(super) async fn send_letter(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
    Json(input): Json<LetterInput>,
) -> Result<Created<CaseBody>, Problem> {
    let id = path_id(&id)?;
    let LetterInput { to, subject, text } = &input;
    let letter = NewLetter::parse(to.as_deref(), subject.as_deref(), text.as_deref())?;
    let changed = case::send_letter(&state.app, &context, (&*caller).into(), id, letter).await?;
    Ok(Created(changed.into()))
}

fn read_assignee(fields: &mut Fields, given: Patch<String>) -> Patch<UserId> {
    given.parse(|text| fields.take("assignee_id", text.parse::<UserId>()))
}

/// Returns the case with its entity tag. Looks change what is shown, but not the version.
fn tagged(headers: &HeaderMap, view: CaseView) -> Result<ResponseOf<CaseBody>, Problem> {
    let version = view.record.case.version;
    Ok(etag::versioned(headers, version, &CaseBody::from(view))?)
}
