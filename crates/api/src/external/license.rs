//! `/licenses` and `/licenses/{id}`.

mod body;
mod image;
mod render_cache;

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::IntoResponse as _;
use grantor_domain::error::Fields;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{FieldNames, LicenseChange, LicenseParams, LicenseQuery, parse_flag};
use grantor_domain::rights::{RightsFormat, Statement};
use grantor_domain::{Error, Result};
use grantor_service::licensing::license::{self, Changed, LicenseRef, LicenseView, Reader};
use grantor_service::licensing::rights::{of_version, of_view};
use http::{HeaderMap, Uri, header};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{IntoParams, PartialSchema, ToSchema};

use self::body::LicenseChanges;
pub(super) use self::body::{FeeBody, LicenseBody, TypeKey};
use super::rights::{self, Negotiated, VARY};
use crate::frame::api::Api;
use crate::frame::caller::ApiClient;
use crate::frame::describe::value;
use crate::frame::describe::{ListOf, ResponseOf};
use crate::frame::etag;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::ignored_fields::add_ignored_header;
use crate::frame::page::{Pagination, links};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::license::{expected, tag_of};
use crate::render_cache::Key;

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
    /// Only return licenses with this status.
    #[param(inline, value_type = Option<value::LicenseStatusName>)]
    status: Option<String>,
    /// Searches title and description. Supports words, prefixes such as `win*` and quoted phrases.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// Like `search`, but also searches the talent's names, the owner's name and the external ID.
    /// If both are given, both must match.
    #[param(inline, value_type = Option<value::Search>)]
    q: Option<String>,
    /// Only return licenses of this type.
    #[param(inline, value_type = Option<value::LicenseTypeName>)]
    license_type: Option<String>,
    /// The field to sort by.
    #[param(inline, value_type = Option<value::LicenseSortName>, default = "created_at")]
    sort: Option<String>,
    /// The sort order.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
    /// Whether to include pre-signed image URLs, valid for 1 hour.
    #[param(value_type = Option<bool>, default = false)]
    include_image_urls: Option<String>,
}

/// Optional parts of the response.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Flags {
    /// Whether to include the reference images.
    #[param(value_type = Option<bool>, default = false)]
    include_images: Option<String>,
    /// Whether to include pre-signed image URLs, valid for 1 hour. Requires `include_images=true`.
    #[param(value_type = Option<bool>, default = false)]
    include_image_urls: Option<String>,
}

/// Optional parts of the response, or an earlier version.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct ShowParams {
    /// Whether to include the reference images.
    #[param(value_type = Option<bool>, default = false)]
    include_images: Option<String>,
    /// Whether to include pre-signed image URLs, valid for 1 hour. Requires `include_images=true`.
    #[param(value_type = Option<bool>, default = false)]
    include_image_urls: Option<String>,
    /// An earlier version, without images. Only for the owner and those who act for the talent.
    #[param(value_type = Option<u64>, minimum = 1, maximum = 4_294_967_295_u64)]
    version: Option<String>,
    /// The format: the license itself, or what it offers as ODRL 2.2, RSL 1.0, schema.org data or
    /// plain text. By default the one that the Accept header prefers, or `json`.
    #[param(inline, value_type = Option<value::RightsFormatName>)]
    format: Option<String>,
}

/// What to show.
struct Shown {
    include: Include,
    version: Option<u32>,
    format: Option<RightsFormat>,
}

impl ShowParams {
    fn read(self, headers: &HeaderMap) -> Result<Shown> {
        let mut fields = Fields::default();
        let version = self.version.as_deref().map(parse_version).transpose();
        let version = fields.take("version", version).flatten();
        let format = fields.take_all(rights::format(self.format.as_deref(), headers)).flatten();
        let Self { include_images, include_image_urls, .. } = self;
        let include = fields.take_all(Flags { include_images, include_image_urls }.read());
        let include = include.unwrap_or(Include { images: false, urls: false });
        if include.images && format.is_some() {
            fields.add("include_images", "requires the format json");
        }
        fields.finish()?;
        Ok(Shown { include, version, format })
    }
}

/// The fields to change, unparsed. The domain parses them by its own table of names.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Changes(Map<String, Value>);

impl PartialSchema for Changes {
    fn schema() -> RefOr<Schema> {
        LicenseChanges::schema()
    }
}

impl ToSchema for Changes {
    fn name() -> Cow<'static, str> {
        LicenseChanges::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        LicenseChanges::schemas(schemas);
    }
}

#[derive(Clone, Copy)]
struct Include {
    images: bool,
    urls: bool,
}

impl Flags {
    fn read(&self) -> Result<Include> {
        let mut fields = Fields::default();
        let mut flag = |name: &str, text: Option<&str>| {
            fields.take(name, text.map_or(Ok(false), parse_flag)).unwrap_or_default()
        };
        let images = flag("include_images", self.include_images.as_deref());
        let urls = flag("include_image_urls", self.include_image_urls.as_deref());
        if urls && !images {
            fields.add("include_image_urls", "requires include_images=true");
        }
        fields.finish()?;
        Ok(Include { images, urls })
    }
}

fn parse_version(text: &str) -> Result<u32, &'static str> {
    let number =
        text.parse().ok().filter(|it| *it > 0 && text.bytes().all(|it| it.is_ascii_digit()));
    number.ok_or("must be a whole number from 1 to 4294967295")
}

pub(super) async fn list(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    uri: Uri,
    Query(params): Query<ListParams>,
) -> Result<ListOf<LicenseBody>, Problem> {
    let query = parse(&params)?;
    let urls = query.include_image_urls;
    let page = license::list(&state.app, caller.reader(), query).await?;
    let now = state.app.clock.now();
    let items = render_cache::render(&state, &page.items, now).await?;
    let items = if urls { image::add_urls(&state, items).await? } else { texts(items) };
    let pagination = serde_json::to_vec(&Pagination::from(&page));
    let pagination = pagination.map_err(|it| serialization_error(&it))?;
    let mut body = Vec::with_capacity(items.iter().map(|it| it.len() + 1).sum::<usize>() + 160);
    body.extend_from_slice(b"{\"data\":[");
    body.extend_from_slice(&items.join(&b','));
    body.extend_from_slice(b"],\"pagination\":");
    body.extend_from_slice(&pagination);
    body.push(b'}');
    let mut response = ([(header::CONTENT_TYPE, "application/json")], body).into_response();
    response.headers_mut().extend(links(&page, &uri));
    Ok(ListOf::new(response))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    ApiClient { caller, .. }: ApiClient,
    headers: HeaderMap,
    Segment(id): Segment,
    Query(params): Query<ShowParams>,
) -> Result<Negotiated<LicenseBody>, Problem> {
    let Shown { include, version, format } = params.read(&headers)?;
    let named = LicenseRef::parse(&id).ok_or_else(|| Error::not_found("License"))?;
    if let Some(number) = version {
        let found = license::version(&state.app, caller.reader(), named, number).await?;
        return Ok(match format {
            Some(format) => {
                let statement = of_version(&state.app, &found.view, number);
                offered(&state, &headers, format, (&found.view, &statement))
            }
            None => Negotiated::new(([VARY], axum::Json(LicenseBody::of(&found.view, None)))),
        });
    }
    if let Some(format) = format {
        let seen = license::get(&state.app, caller.reader(), named).await?;
        let statement = of_view(&state.app, &seen);
        return Ok(offered(&state, &headers, format, (&seen, &statement)));
    }
    if !include.images {
        return show_plain(&state, caller.reader(), named, &headers).await;
    }
    let (seen, images) = license::get_with_images(&state.app, caller.reader(), named).await?;
    let tag = tag(&seen, include);
    let images = image::bodies(&state, include, images).await?;
    let body = ([VARY], axum::Json(LicenseBody::of(&seen, images)));
    Ok(Negotiated::new(etag::conditional(&headers, tag, body)))
}

/// Returns what a license offers, in a format for it.
fn offered(
    state: &ApiState,
    headers: &HeaderMap,
    format: RightsFormat,
    (seen, statement): (&LicenseView, &Statement),
) -> Negotiated<LicenseBody> {
    let key = Key::of_view(seen);
    let at = (statement, state.app.clock.now());
    rights::respond(headers, format, at, |included| tag_of(&key, included))
}

/// Returns a license without images, from the render cache if possible.
async fn show_plain(
    state: &ApiState,
    reader: Reader,
    named: LicenseRef,
    headers: &HeaderMap,
) -> Result<Negotiated<LicenseBody>, Problem> {
    let entry = license::find(&state.app, reader, named).await?;
    let current = Key::of(&entry, state.app.clock.now());
    let (key, text) = if let Some(text) = state.caches.licenses.get(&current) {
        (current, text)
    } else {
        let seen = license::get(&state.app, reader, LicenseRef::Id(entry.id)).await?;
        let key = Key::of_view(&seen);
        (key, state.caches.licenses.insert(key, &LicenseBody::of(&seen, None))?)
    };
    let about = [(header::CONTENT_TYPE, "application/json"), VARY];
    let body = (about, Bytes::from_owner(text));
    Ok(Negotiated::new(etag::conditional(headers, tag_of(&key, "plain"), body)))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    ApiClient { context, caller }: ApiClient,
    headers: HeaderMap,
    Segment(id): Segment,
    Query(flags): Query<Flags>,
    Json(Changes(members)): Json<Changes>,
) -> Result<ResponseOf<LicenseBody>, Problem> {
    let include = flags.read()?;
    let named = LicenseRef::parse(&id).ok_or_else(|| Error::not_found("License"))?;
    let change = LicenseChange::parse(&members, FieldNames::EXTERNAL)?;
    let expected = expected(&headers);
    let reader = caller.reader();
    let changed =
        license::change(&state.app, &context, reader, named, None, expected, change).await?;
    let Changed { view: seen, images, ignored } = changed;
    let tag = tag(&seen, include);
    let images = image::bodies(&state, include, images).await?;
    let body = axum::Json(LicenseBody::of(&seen, images));
    let mut response = etag::conditional(&HeaderMap::new(), tag, body);
    add_ignored_header(response.headers_mut(), &ignored);
    Ok(ResponseOf::new(response))
}

fn texts(items: Vec<(LicenseId, Arc<[u8]>)>) -> Vec<Arc<[u8]>> {
    items.into_iter().map(|(_, text)| text).collect()
}

fn parse(params: &ListParams) -> Result<LicenseQuery> {
    let params = LicenseParams {
        page: params.page.as_deref(),
        size: params.per_page.as_deref(),
        status: params.status.as_deref(),
        search: params.search.as_deref(),
        search_names: false,
        q: params.q.as_deref(),
        license_type: params.license_type.as_deref(),
        sort: params.sort.as_deref(),
        order: params.order.as_deref(),
        include_image_urls: params.include_image_urls.as_deref(),
    };
    LicenseQuery::parse(&params, FieldNames::EXTERNAL, Api::External.page_rules())
}

/// Returns the entity tag, or `None` if the response contains pre-signed URLs, which always differ.
fn tag(seen: &LicenseView, include: Include) -> Option<headers::ETag> {
    let included = if include.images { "images" } else { "plain" };
    tag_of(&Key::of_view(seen), included).filter(|_| !include.urls)
}

fn serialization_error(error: &serde_json::Error) -> Error {
    Error::internal(error.to_string())
}
