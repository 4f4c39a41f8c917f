//! `/licenses/{id}/versions`.

use axum::extract::State;
use grantor_domain::Error;
use grantor_service::licensing::license::{self, LicenseRef, VersionView};
use http::Uri;
use serde::Serialize;
use utoipa::ToSchema;

use super::bookmark::PageParams;
use super::license::LicenseBody;
use crate::frame::caller::ApiClient;
use crate::frame::describe::{ListOf, value};
use crate::frame::extract::{Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// A version of a license.
#[derive(Serialize, ToSchema)]
#[schema(as = LicenseVersion)]
pub(super) struct VersionBody {
    /// The license as it was.
    #[serde(flatten)]
    license: LicenseBody,
    changed_by: ChangedBy,
}

/// Who made a version.
#[derive(Serialize, ToSchema)]
struct ChangedBy {
    /// The kind of actor.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::ActorKindName)]
    kind: String,
    /// The actor's name.
    name: String,
}

impl From<VersionView> for VersionBody {
    fn from(version: VersionView) -> Self {
        let VersionView { view, actor_kind, actor_name, deleted: _ } = version;
        let changed_by = ChangedBy { kind: actor_kind, name: actor_name };
        Self { license: LicenseBody::of(&view, None), changed_by }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Segment(id): Segment,
    Query(params): Query<PageParams>,
) -> Result<ListOf<VersionBody>, Problem> {
    let named = LicenseRef::parse(&id).ok_or_else(|| Error::not_found("License"))?;
    let page = license::versions(&state.app, caller.reader(), named, params.page()?).await?;
    Ok(ListOf::page(page.map(VersionBody::from), &uri))
}
