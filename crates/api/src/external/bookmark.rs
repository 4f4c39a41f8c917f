//! `/bookmarks`, `/bookmarks/{id}`.

use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Response};
use grantor_domain::bookmark::NewBookmark;
use grantor_domain::page::Page;
use grantor_domain::{Result, Timestamp};
use grantor_service::bookmark::{self, Content, Marked};
use http::{StatusCode, Uri};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::license::LicenseBody;
use super::mention::MentionBody;
use super::path_id;
use crate::describe::value;
use crate::describe::{Answer, DescribeAnswer, Lists, OperationDoc};
use crate::frame::caller::Integration;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;

/// Which part of the list. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
}

impl Asked {
    pub(super) fn page(&self) -> Result<Page> {
        let rules = Surface::External.page_rules();
        Page::parse(self.page.as_deref(), self.per_page.as_deref(), rules)
    }
}

/// What shall be kept at hand.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewBookmark)]
pub(super) struct BookmarkInput {
    #[schema(required, nullable = false, inline, value_type = value::TargetTypeName)]
    target_type: Option<String>,
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    target_id: Option<String>,
    /// At most 1000 characters.
    #[schema(inline, value_type = Option<value::Note>)]
    note: Option<String>,
    /// At most 20 of 1 to 50 characters.
    #[schema(inline, value_type = Option<value::TagList>)]
    tags: Option<Vec<String>>,
}

/// Something kept at hand (contract section 4).
#[derive(Serialize, ToSchema)]
#[schema(as = Bookmark)]
pub(super) struct BookmarkBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    #[schema(inline, value_type = value::TargetTypeName)]
    target_type: &'static str,
    #[schema(inline, value_type = value::Id)]
    target_id: String,
    note: Option<String>,
    tags: Vec<String>,
    #[schema(inline, value_type = value::Instant)]
    created_at: Timestamp,
    /// Whether the caller sees the target no longer.
    access_lost: bool,
    /// The license or mention; not there when access is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    target: Option<TargetBody>,
}

/// What a bookmark leads to.
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

impl From<Marked> for BookmarkBody {
    fn from(Marked { bookmark, content }: Marked) -> Self {
        let NewBookmark { target, note, tags } = bookmark.kept;
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

/// 201 for a new bookmark, 200 for the one that was there.
pub(super) struct Kept(BookmarkBody, bool);

impl IntoResponse for Kept {
    fn into_response(self) -> Response {
        let status = if self.1 { StatusCode::CREATED } else { StatusCode::OK };
        (status, axum::Json(self.0)).into_response()
    }
}

impl DescribeAnswer for Kept {
    fn describe(doc: &mut OperationDoc) {
        let schema = doc.schema::<BookmarkBody>();
        let again = Answer { status: 200, schema: schema.clone() };
        doc.answers.extend([again, Answer { status: 201, schema }]);
    }
}

/// The answer to a DELETE: 204 without a body.
pub(super) struct Gone;

impl IntoResponse for Gone {
    fn into_response(self) -> Response {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl DescribeAnswer for Gone {
    fn describe(doc: &mut OperationDoc) {
        doc.no_content = true;
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    uri: Uri,
    Query(asked): Query<Asked>,
) -> Result<Lists<BookmarkBody>, Problem> {
    let page = bookmark::list(&state.app, (&*caller).into(), asked.page()?).await?;
    let links = links(&page, &uri);
    let body = axum::Json(ListBody::from(page.map(BookmarkBody::from)));
    Ok(Lists::new((AppendHeaders(links), body)))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Json(asked): Json<BookmarkInput>,
) -> Result<Kept, Problem> {
    let (kind, id) = (asked.target_type.as_deref(), asked.target_id.as_deref());
    let tags = asked.tags.unwrap_or_default();
    let new = NewBookmark::parse(kind, id, asked.note.as_deref(), &tags)?;
    let (marked, new) = bookmark::create(&state.app, &context, (&*caller).into(), new).await?;
    Ok(Kept(marked.into(), new))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    bookmark::delete(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(Gone)
}
