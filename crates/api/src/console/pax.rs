//! `/console/pax`, `/console/pax/{paxId}`.

use axum::extract::State;
use grantor_domain::error::Fields;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::pax::{PaxName, PaxScopes, PaxStatus};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::pax::{self, ListedPax, NewPax, PaxQuery};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::envelope::{Created, Fine, Gone, Listed, Plural};
use super::paging::Paging;
use super::{path_id, required};
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;

/// The PAX to be made.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaxInput {
    /// One of the organization's platforms.
    #[schema(required, nullable = false, inline, value_type = value::Id)]
    platform_id: Option<String>,
    /// 2 to 100 characters.
    #[schema(required, nullable = false, inline, value_type = value::Pax)]
    name: Option<String>,
    /// read, write, crawl: one or more. Others are kept and shown, and mean nothing. Up to 20, each of 1
    /// to 64 characters out of a-z, 0-9 and `._:-`.
    #[schema(required, nullable = false, inline, value_type = value::PaxScopeList)]
    scopes: Option<Vec<String>>,
}

/// Which PAX.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Filters {
    /// Those to this platform.
    #[param(inline, value_type = Option<value::Id>)]
    platform_id: Option<String>,
    /// active or revoked.
    #[param(inline, value_type = Option<value::PaxStatusName>)]
    status: Option<String>,
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 10)]
    limit: Option<String>,
}

/// A grant of access to one platform.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PaxBody {
    #[schema(inline, value_type = value::Id)]
    pax_id: String,
    #[schema(inline, value_type = value::Id)]
    platform_id: String,
    platform_name: String,
    name: String,
    #[schema(inline, value_type = Vec<value::PaxScopeName>)]
    scopes: Vec<String>,
    /// active or revoked.
    #[schema(inline, value_type = value::PaxStatusName)]
    status: &'static str,
    statistics: UseBody,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// How often it was used.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UseBody {
    request_count: u32,
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
            statistics: UseBody {
                request_count: pax.request_count,
                last_accessed: pax.last_accessed_at,
            },
            created_at: pax.created_at,
        }
    }
}

impl Filters {
    /// Reads all of them; each that does not fit is named.
    fn read(self) -> Result<PaxQuery> {
        let mut fields = Fields::default();
        let Self { platform_id, status, page, limit } = self;
        let platform = platform_id.and_then(|it| fields.take("platformId", it.parse()));
        let status = status.and_then(|it| fields.take("status", it.parse::<PaxStatus>()));
        let page = fields.take_all(Paging::of(page, limit).read());
        fields.finish()?;
        let page = page.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        Ok(PaxQuery { platform, status, page })
    }
}

/// The scopes of a PAX or a pod, which must be given.
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
    Json(asked): Json<PaxInput>,
) -> Result<Created<PaxBody>, Problem> {
    let mut fields = Fields::default();
    let platform = required(&mut fields, "platformId", asked.platform_id.as_deref());
    let name = required(&mut fields, "name", asked.name.as_deref());
    let platform = fields.take("platformId", platform.parse::<PlatformId>());
    let name = fields.take("name", PaxName::parse(name));
    let scopes = scopes(&mut fields, asked.scopes.as_deref());
    fields.finish()?;
    let (Some(platform), Some(name), Some(scopes)) = (platform, name, scopes) else {
        return Err(Error::validation("Some fields are not valid").into());
    };
    let new = NewPax { platform, name, scopes };
    let made = pax::create(&state.app, &context, caller, new).await?;
    Ok(Created(made.into(), "Access to the platform was granted"))
}

pub(super) async fn list(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Query(filters): Query<Filters>,
) -> Result<Listed<PaxBody>, Problem> {
    let found = pax::list(&state.app, &caller, filters.read()?).await?;
    Ok(Listed(found.map(PaxBody::from), "Your access extensions"))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    SignedIn { caller, .. }: SignedIn,
    Segment(id): Segment,
) -> Result<Fine<PaxBody>, Problem> {
    let id: PaxId = path_id(&id, "PAX")?;
    let found = pax::get(&state.app, &caller, id).await?;
    Ok(Fine(found.into(), "The access extension"))
}

pub(super) async fn revoke(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<Gone, Problem> {
    let id: PaxId = path_id(&id, "PAX")?;
    pax::revoke(&state.app, &context, caller, id).await?;
    Ok(Gone)
}
