//! `GET /metadata`: the public catalog.

use axum::extract::State;
use axum::response::IntoResponse as _;
use grantor_domain::license::{AskedLicenses, LicenseQuery, Names};
use grantor_domain::{Result, Timestamp, hex};
use grantor_service::catalog;
use grantor_service::idempotency::KeyedRequest;
use grantor_service::license::Shown;
use http::{HeaderMap, Uri, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::license::{FeeBody, TypeKey};
use crate::describe::Lists;
use crate::describe::value;
use crate::frame::etag;
use crate::frame::extract::Query;
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;

/// What can be asked. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Words, prefixes such as `win*` and quoted phrases to look for in title, description, the names
    /// of the talent and the name of the owner.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Only licenses of this type.
    #[param(inline, value_type = Option<value::LicenseTypeName>)]
    license_type: Option<String>,
    /// What to sort by.
    #[param(inline, value_type = Option<value::LicenseSortName>, default = "created_at")]
    sort: Option<String>,
    /// In which order.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
}

/// A license as everybody may see it.
#[derive(Serialize, ToSchema)]
pub(super) struct PublicLicense {
    #[schema(inline, value_type = value::Id)]
    id: String,
    title: String,
    description: String,
    license_type: TypeKey,
    talent: TalentName,
    owner: Owner,
    #[schema(value_type = Vec<value::Territory>)]
    territories: Vec<String>,
    uses: Vec<TypeKey>,
    fee: Option<FeeBody>,
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_from: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

#[derive(Serialize, ToSchema)]
struct TalentName {
    name: String,
}

#[derive(Serialize, ToSchema)]
struct Owner {
    name: String,
    #[serde(rename = "type")]
    #[schema(inline, value_type = value::TenantTypeName)]
    kind: &'static str,
}

pub(super) async fn list(
    State(state): State<ApiState>,
    uri: Uri,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Result<Lists<PublicLicense>, Problem> {
    let listing = catalog::list(&state.app, parse(&asked)?).await?.map(PublicLicense::from);
    let link = links(&listing, &uri);
    let body = serde_json::to_vec(&ListBody::from(listing))
        .map_err(|error| grantor_domain::Error::internal(error.to_string()))?;
    let hash = hex::encode(&KeyedRequest::hash(None, &body));
    let content =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=60")];
    let mut response = (content, body).into_response();
    response.headers_mut().extend(link);
    Ok(Lists::new(etag::conditional(&headers, etag::strong(&[&hash[..32]]), response)))
}

fn parse(asked: &Asked) -> Result<LicenseQuery> {
    let asked = AskedLicenses {
        page: asked.page.as_deref(),
        size: asked.per_page.as_deref(),
        search: asked.search.as_deref(),
        search_names: true,
        license_type: asked.license_type.as_deref(),
        sort: asked.sort.as_deref(),
        order: asked.order.as_deref(),
        ..AskedLicenses::default()
    };
    LicenseQuery::parse(&asked, Names::EXTERNAL, Surface::External.page_rules())
}

impl From<Shown> for PublicLicense {
    fn from(shown: Shown) -> Self {
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
