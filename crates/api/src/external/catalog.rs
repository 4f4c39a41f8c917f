//! `GET /metadata`: the public catalog.

use axum::extract::State;
use axum::response::IntoResponse as _;
use grantor_domain::license::{FieldNames, LicenseParams, LicenseQuery};
use grantor_domain::{Result, Timestamp};
use grantor_http::rights;
use grantor_service::licensing::catalog;
use grantor_service::licensing::license::LicenseRecord;
use http::{HeaderMap, Uri, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::license::{FeeBody, TypeKey};
use crate::frame::api::Api;
use crate::frame::describe::ListOf;
use crate::frame::describe::value;
use crate::frame::etag;
use crate::frame::extract::Query;
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The query parameters. Values stay text until they are parsed, so that all invalid ones are
/// reported.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ListParams {
    /// The page number, starting at 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// The number of items per page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Searches title, description, the talent's names and the owner's name. Supports words,
    /// prefixes such as `win*` and quoted phrases.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Only return licenses of this type.
    #[param(inline, value_type = Option<value::LicenseTypeName>)]
    license_type: Option<String>,
    /// The field to sort by.
    #[param(inline, value_type = Option<value::LicenseSortName>, default = "created_at")]
    sort: Option<String>,
    /// The sort order.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
}

/// A public license.
#[derive(Serialize, ToSchema)]
pub(super) struct PublicLicense {
    /// The license's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The license's title.
    title: String,
    /// The license's description.
    description: String,
    license_type: TypeKey,
    talent: TalentName,
    owner: Owner,
    /// The territories of the license.
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    /// The licensed uses.
    uses: Vec<TypeKey>,
    fee: Option<FeeBody>,
    /// When the license starts, if it has a start date.
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_from: Option<Timestamp>,
    /// When the license expires, if it has an end date.
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    /// When the license was last changed.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

/// The licensed talent.
#[derive(Serialize, ToSchema)]
struct TalentName {
    /// The talent's name.
    name: String,
}

/// The owner of the license.
#[derive(Serialize, ToSchema)]
struct Owner {
    /// The tenant's name.
    name: String,
    /// The tenant's type.
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    uri: Uri,
    headers: HeaderMap,
    Query(params): Query<ListParams>,
) -> Result<ListOf<PublicLicense>, Problem> {
    let listing = catalog::list(&state.app, parse(&params)?).await?.map(PublicLicense::from);
    let link = links(&listing, &uri);
    let body = serde_json::to_vec(&ListBody::from(listing))
        .map_err(|error| grantor_domain::Error::internal(error.to_string()))?;
    let tag = etag::strong(&[&etag::hash(&body)]);
    let content =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=60")];
    let mut response = (content, body).into_response();
    rights::declare(response.headers_mut());
    response.headers_mut().extend(link);
    Ok(ListOf::new(etag::conditional(&headers, tag, response)))
}

fn parse(params: &ListParams) -> Result<LicenseQuery> {
    let params = LicenseParams {
        page: params.page.as_deref(),
        size: params.per_page.as_deref(),
        search: params.search.as_deref(),
        search_names: true,
        license_type: params.license_type.as_deref(),
        sort: params.sort.as_deref(),
        order: params.order.as_deref(),
        ..LicenseParams::default()
    };
    LicenseQuery::parse(&params, FieldNames::EXTERNAL, Api::External.page_rules())
}

impl From<LicenseRecord> for PublicLicense {
    fn from(shown: LicenseRecord) -> Self {
        let license = shown.license;
        Self {
            id: license.id.to_string(),
            title: license.title.as_str().to_owned(),
            description: license.description.as_str().to_owned(),
            license_type: license.license_type.into(),
            talent: TalentName { name: shown.talent_name },
            owner: Owner { name: shown.owner_name, kind: shown.owner_type.name() },
            territories: license.territories.as_slice().iter().map(ToString::to_string).collect(),
            uses: license.uses.as_slice().iter().copied().map(TypeKey::from).collect(),
            fee: license.fee.map(FeeBody::from),
            valid_from: license.valid_from,
            expires_at: license.expires_at,
            updated_at: license.updated_at,
        }
    }
}
