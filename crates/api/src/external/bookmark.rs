//! `/bookmarks`, `/bookmarks/{id}`.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use grantor_domain::bookmark::NewBookmark;
use grantor_domain::page::Page;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::bookmark::{self, BookmarkView, Content};
use http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::license::LicenseBody;
use super::mention::MentionBody;
use super::path_id;
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{DescribeResponse, ListOf, OperationDoc, ResponseDoc};
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The page of a list. Values stay text until they are parsed, so that all invalid ones are
/// reported.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct PageParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
}

impl PageParams {
    pub(super) fn page(&self) -> Result<Page> {
        let rules = Api::External.page_rules();
        Page::parse(self.page.as_deref(), self.per_page.as_deref(), rules)
    }
}

/// The bookmark to create.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewBookmark)]
pub(super) struct BookmarkInput {
    /// The type of the bookmarked record.
    #[schema(required, nullable = false, inline, value_type = value::TargetTypeName)]
    target_type: Option<String>,
    /// The ID of the bookmarked record.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    target_id: Option<String>,
    /// A note. At most 1000 characters.
    #[schema(inline, value_type = Option<value::Note>)]
    note: Option<String>,
    /// Tags. At most 20, each of 1 to 50 characters.
    #[schema(inline, value_type = Option<value::TagList>)]
    tags: Option<Vec<String>>,
}

/// A bookmarked license or mention.
#[derive(Serialize, ToSchema)]
#[schema(as = Bookmark)]
pub(super) struct BookmarkBody {
    /// The bookmark's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The type of the bookmarked record.
    #[schema(inline, value_type = value::TargetTypeName)]
    target_type: &'static str,
    /// The ID of the bookmarked record.
    #[schema(inline, value_type = value::Id)]
    target_id: String,
    /// The note, if there is one.
    note: Option<String>,
    /// The tags.
    tags: Vec<String>,
    /// When the bookmark was created.
    #[schema(inline, value_type = value::Instant)]
    created_at: Timestamp,
    /// Whether the caller can no longer view the target.
    access_lost: bool,
    /// The license or mention. Omitted if access is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    target: Option<TargetBody>,
}

/// The bookmarked record.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = BookmarkTarget)]
enum TargetBody {
    License(Box<LicenseBody>),
    Mention(Box<MentionBody>),
}

impl From<Content> for TargetBody {
    fn from(content: Content) -> Self {
        match content {
            Content::License(seen) => Self::License(Box::new(LicenseBody::of(&seen, None))),
            Content::Mention(seen) => Self::Mention(Box::new(MentionBody::from(*seen))),
        }
    }
}

impl From<BookmarkView> for BookmarkBody {
    fn from(BookmarkView { bookmark, content }: BookmarkView) -> Self {
        let NewBookmark { target, note, tags } = bookmark.fields;
        Self {
            id: bookmark.id.to_string(),
            target_type: target.kind().name(),
            target_id: target.as_uuid().to_string(),
            note: Some(note.as_str().to_owned()).filter(|it| !it.is_empty()),
            tags: tags.as_slice().to_vec(),
            created_at: bookmark.created_at,
            access_lost: content.is_none(),
            target: content.map(TargetBody::from),
        }
    }
}

/// A 201 response for a new bookmark, or 200 for an existing one.
pub(super) struct CreatedOrExisting(BookmarkBody, bool);

impl IntoResponse for CreatedOrExisting {
    fn into_response(self) -> Response {
        let status = if self.1 { StatusCode::CREATED } else { StatusCode::OK };
        (status, axum::Json(self.0)).into_response()
    }
}

impl DescribeResponse for CreatedOrExisting {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<BookmarkBody>();
        let existing = ResponseDoc { status: 200, schema: schema.clone() };
        doc.responses.extend([existing, ResponseDoc { status: 201, schema }]);
    }
}

/// A 204 response.
pub(super) struct NoContent;

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl DescribeResponse for NoContent {
    fn describe(doc: &mut OperationDoc) {
        doc.no_content = true;
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<PageParams>,
) -> Result<ListOf<BookmarkBody>, Problem> {
    let page = bookmark::list(&state.app, (&*caller).into(), params.page()?).await?;
    Ok(ListOf::page(page.map(BookmarkBody::from), &uri))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Json(input): Json<BookmarkInput>,
) -> Result<CreatedOrExisting, Problem> {
    let (kind, id) = (input.target_type.as_deref(), input.target_id.as_deref());
    let tags = input.tags.unwrap_or_default();
    let new = NewBookmark::parse(kind, id, input.note.as_deref(), &tags)?;
    let (marked, new) = bookmark::create(&state.app, &context, (&*caller).into(), new).await?;
    Ok(CreatedOrExisting(marked.into(), new))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    bookmark::delete(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(NoContent)
}
