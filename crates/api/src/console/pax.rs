//! `/console/pax`, `/console/pax/{paxId}`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::pax::{PaxName, PaxScopes, PaxStatus};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::watching::pax::{self, ListedPax, NewPax, PaxQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, Data, NoContent, PageOf, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The PAX to create.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaxInput {
    /// The ID of one of the organization's platforms.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    platform_id: Option<String>,
    /// The PAX's name. 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Pax)]
    name: Option<String>,
    /// The scopes: `read`, `write` and `crawl`. Other names are stored but have no effect. Up to
    /// 20, each of 1 to 64 characters from a-z, 0-9 and `._:-`.
    #[schema(required, nullable = false, inline, value_type = value::PaxScopeList)]
    scopes: Option<Vec<String>>,
}

/// The query parameters of the list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// Only return PAX of this platform.
    #[param(inline, value_type = Option<value::Id>)]
    platform_id: Option<String>,
    /// Only return PAX with this status.
    #[param(inline, value_type = Option<value::PaxStatusName>)]
    status: Option<String>,
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

/// A platform access extension (PAX), which allows pushing content of a platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaxBody {
    /// The PAX's ID.
    #[schema(inline, value_type = value::Id)]
    pax_id: String,
    /// The platform's ID.
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    /// The platform's name.
    platform_name: String,
    /// The PAX's name.
    name: String,
    /// The PAX's scopes.
    #[schema(inline, value_type = Vec<value::PaxScopeName>)]
    scopes: Vec<String>,
    /// The PAX's status: `active` or `revoked`.
    #[schema(inline, value_type = value::PaxStatusName)]
    status: &'static str,
    statistics: PaxStatistics,
    /// When the PAX was created.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// The usage of a PAX.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UseBody)]
struct PaxStatistics {
    /// The number of requests.
    request_count: u32,
    /// When the PAX was last used.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_accessed: Option<Timestamp>,
}

impl Plural for PaxBody {
    const PLURAL: &'static str = "pax";
}

impl From<ListedPax> for PaxBody {
    fn from(ListedPax { pax, platform_name, .. }: ListedPax) -> Self {
        Self {
            pax_id: pax.id.to_string(),
            platform_id: pax.platform.to_string(),
            platform_name,
            name: pax.name.as_str().to_owned(),
            scopes: pax.scopes.names().into_iter().map(str::to_owned).collect(),
            status: pax.status.name(),
            statistics: PaxStatistics {
                request_count: pax.request_count,
                last_accessed: pax.last_accessed_at,
            },
            created_at: pax.created_at,
        }
    }
}

impl ListParams {
    /// Parses the parameters. Reports all invalid ones.
    fn read(self) -> Result<PaxQuery> {
        let mut fields = Fields::default();
        let Self { platform_id, status, page, limit } = self;
        let platform = platform_id.and_then(|it| fields.take("platformId", it.parse()));
        let status = status.and_then(|it| fields.take("status", it.parse::<PaxStatus>()));
        let page = fields.take_all(Paging::new(page, limit).read());
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        Ok(PaxQuery { platform, status, page })
    }
}

/// Parses the required scopes of a PAX or pod.
pub(super) fn scopes(fields: &mut Fields, given: Option<&[String]>) -> Option<PaxScopes> {
    let Some(given) = given else {
        fields.add("scopes", "is required");
        return None;
    };
    fields.take("scopes", PaxScopes::parse(given))
}

pub(super) async fn create(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Json(input): Json<PaxInput>,
) -> Result<Created<PaxBody>, Problem> {
    let mut fields = Fields::default();
    let platform = required(&mut fields, "platformId", input.platform_id.as_deref());
    let name = required(&mut fields, "name", input.name.as_deref());
    let platform = fields.take("platformId", platform.parse::<PlatformId>());
    let name = fields.take("name", PaxName::parse(name));
    let scopes = scopes(&mut fields, input.scopes.as_deref());
    fields.finish()?;
    let (Some(platform), Some(name), Some(scopes)) = (platform, name, scopes) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let new = NewPax { platform, name, scopes };
    let made = pax::create(&state.app, &context, caller, new).await?;
    Ok(Created(made.into(), "PAX created"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(params): Query<ListParams>,
) -> Result<PageOf<PaxBody>, Problem> {
    let found = pax::list(&state.app, &caller, params.read()?).await?;
    Ok(PageOf(found.map(PaxBody::from), "Your PAX"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Data<PaxBody>, Problem> {
    let id: PaxId = path_id(&id, "PAX")?;
    let found = pax::get(&state.app, &caller, id).await?;
    Ok(Data(found.into(), "The PAX"))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: PaxId = path_id(&id, "PAX")?;
    pax::revoke(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}
