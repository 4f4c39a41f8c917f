//! `/profiles`, `/profiles/{id}`: accounts on hosted services that a tenant proves to be its own.

use axum::extract::State;
use grantor_domain::Timestamp;
use grantor_domain::page::{Listing, Page};
use grantor_domain::source::Profile;
use grantor_service::watching::profile;
use http::Uri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::bookmark::{NoContent, PageParams};
use super::path_id;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{Created, ListOf};
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The profile to claim.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewProfile)]
pub(super) struct ProfileInput {
    /// The address of the profile, such as `https://mastodon.example/@ada`.
    #[schema(required, nullable = false, inline, value_type = value::ProfileUrl)]
    url: Option<String>,
}

/// A profile on a hosted service that the caller's tenant claims. Once it is proved, what is
/// published there counts as published by the tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = Profile)]
pub(super) struct ProfileBody {
    /// The profile's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The service, such as `mastodon`.
    #[schema(inline, value_type = value::HostedServiceName)]
    service: &'static str,
    /// The canonical address of the profile.
    #[schema(format = "uri")]
    url: String,
    /// The code that proves the profile, if its description contains the code.
    code: String,
    /// When the code was found. Null if the profile is not proved.
    #[schema(value_type = Option<String>, format = DateTime)]
    proved_at: Option<Timestamp>,
    /// When the profile was claimed.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Profile> for ProfileBody {
    fn from(profile: Profile) -> Self {
        Self {
            id: profile.id.to_string(),
            service: profile.service.name(),
            url: profile.url,
            code: profile.code.as_str().to_owned(),
            proved_at: profile.proved_at,
            created_at: profile.created_at,
        }
    }
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<PageParams>,
) -> Result<ListOf<ProfileBody>, Problem> {
    let found = profile::list(&state.app, caller.tenant).await?;
    let page = one_page(found, params.page()?);
    Ok(ListOf::page(page.map(ProfileBody::from), &uri))
}

/// A page of the profiles, of which there are few.
fn one_page(all: Vec<Profile>, page: Page) -> Listing<Profile> {
    let total = all.len() as u64;
    let before = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let items = all.into_iter().skip(before).take(page.size() as usize).collect();
    Listing::new(page, items, total)
}

pub(super) async fn create(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Json(input): Json<ProfileInput>,
) -> Result<Created<ProfileBody>, Problem> {
    let url = input.url.filter(|it| !it.trim().is_empty());
    let url = url.ok_or_else(|| Problem::field("url", "is required"))?;
    let made = profile::claim(&state.app, &context, (&*caller).into(), &url).await?;
    Ok(Created(made.into()))
}

pub(super) async fn verify(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<axum::Json<ProfileBody>, Problem> {
    let id = path_id(&id)?;
    let proved = profile::verify(&state.app, &context, (&*caller).into(), id).await?;
    Ok(axum::Json(proved.into()))
}

pub(super) async fn delete(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    profile::delete(&state.app, &context, (&*caller).into(), path_id(&id)?).await?;
    Ok(NoContent)
}
