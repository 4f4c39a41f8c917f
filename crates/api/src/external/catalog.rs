//! `GET /metadata`: the public catalog.

use axum::extract::State;
use axum::response::IntoResponse as _;
use grantor_domain::error::Fields;
use grantor_domain::license::{CatalogEntry, CatalogQuery, Fee, LicenseSort, LicenseType};
use grantor_domain::page::{Order, Page};
use grantor_domain::{Result, Timestamp, hex};
use grantor_service::catalog;
use grantor_service::idempotency::KeyedRequest;
use http::{HeaderMap, Uri, header};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::license::TypeKey;
use crate::describe::Lists;
use crate::frame::etag;
use crate::frame::extract::Query;
use crate::frame::page::{ListBody, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;

/// What can be asked. All text until it is parsed, so that each fault is named.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form)]
pub(super) struct Asked {
    /// Which page, from 1.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64, default = 1)]
    page: Option<String>,
    /// Items on a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    per_page: Option<String>,
    /// Words to look for in title and description.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Only licenses of this type.
    #[param(inline, value_type = Option<TypeKey>)]
    license_type: Option<String>,
    /// What to sort by.
    #[param(inline, value_type = Option<SortKey>, default = "created_at")]
    sort: Option<String>,
    /// In which order.
    #[param(inline, value_type = Option<OrderKey>, default = "desc")]
    order: Option<String>,
}

/// What can be sorted by, for the document.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used: the domain's own type is parsed")]
enum SortKey {
    CreatedAt,
    UpdatedAt,
    Title,
}

/// Which end comes first, for the document.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is used: the domain's own type is parsed")]
enum OrderKey {
    Asc,
    Desc,
}

/// A license as everybody may see it.
#[derive(Serialize, ToSchema)]
pub(super) struct PublicLicense {
    #[schema(format = "uuid")]
    id: String,
    title: String,
    description: String,
    license_type: TypeKey,
    talent: TalentName,
    owner: Owner,
    territories: Vec<String>,
    uses: Vec<TypeKey>,
    fee: Option<PublicFee>,
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
    kind: String,
}

#[derive(Serialize, ToSchema)]
struct PublicFee {
    amount: String,
    currency: String,
    per: String,
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
    let hash = hex::encode(&KeyedRequest::hash(&body));
    let content =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=60")];
    let mut response = (content, body).into_response();
    response.headers_mut().extend(link);
    Ok(Lists::new(etag::conditional(&headers, etag::strong(&[&hash[..32]]), response)))
}

fn parse(asked: &Asked) -> Result<CatalogQuery> {
    let mut fields = Fields::default();
    let rules = Surface::External.page_rules();
    let page = Page::parse(asked.page.as_deref(), asked.per_page.as_deref(), rules);
    let page = page.map_err(|error| {
        error.fields().iter().for_each(|(name, message)| fields.add(name, message));
    });
    let license_type = asked.license_type.as_deref().map(str::parse::<LicenseType>);
    let license_type = license_type.and_then(|parsed| fields.take("license_type", parsed));
    let sort = asked.sort.as_deref().map_or(Some(LicenseSort::default()), |text| {
        fields.take("sort", named(text, &["created_at", "updated_at", "title"]))
    });
    let order = asked
        .order
        .as_deref()
        .map_or(Some(Order::default()), |text| fields.take("order", named(text, &["asc", "desc"])));
    if asked.search.as_deref().is_some_and(|it| it.chars().count() > 200) {
        fields.add("search", "must be at most 200 characters");
    }
    fields.finish()?;
    let search = asked.search.as_deref().map(str::trim).filter(|it| !it.is_empty());
    let (Ok(page), Some(sort), Some(order)) = (page, sort, order) else {
        return Err(grantor_domain::Error::validation("The query does not read"));
    };
    Ok(CatalogQuery { page, search: search.map(str::to_owned), license_type, sort, order })
}

/// A value of an enumeration by its name on the wire.
fn named<T: serde::de::DeserializeOwned>(text: &str, known: &[&str]) -> Result<T, String> {
    serde_json::from_value(text.into()).map_err(|_| format!("must be one of {}", known.join(", ")))
}

impl From<CatalogEntry> for PublicLicense {
    fn from(entry: CatalogEntry) -> Self {
        Self {
            id: entry.id.to_string(),
            title: entry.title,
            description: entry.description,
            license_type: entry.license_type.into(),
            talent: TalentName { name: entry.talent_name },
            owner: Owner { name: entry.owner_name, kind: entry.owner_type },
            territories: entry.territories,
            uses: entry.uses.into_iter().map(TypeKey::from).collect(),
            fee: entry.fee.map(|Fee { amount, currency, per }| PublicFee { amount, currency, per }),
            valid_from: entry.valid_from,
            expires_at: entry.expires_at,
            updated_at: entry.updated_at,
        }
    }
}
