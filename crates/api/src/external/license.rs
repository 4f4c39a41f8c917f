//! `/licenses` and `/licenses/{id}`.

mod body;
mod image;
mod rendered;

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::IntoResponse as _;
use grantor_domain::error::Fields;
use grantor_domain::id::LicenseId;
use grantor_domain::license::{AskedLicenses, LicenseChange, LicenseQuery, Names, parse_flag};
use grantor_domain::{Error, Result};
use grantor_service::license::{self, Changed, Named, Reader, Seen};
use http::{HeaderMap, Uri, header};
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{IntoParams, PartialSchema, ToSchema};

use self::body::LicenseChanges;
pub(super) use self::body::{FeeBody, LicenseBody, TypeKey};
use self::rendered::Key;
pub(crate) use self::rendered::Rendered;
use crate::describe::value;
use crate::describe::{Lists, Replies};
use crate::frame::caller::Integration;
use crate::frame::etag;
use crate::frame::extract::{Json, Query, Segment};
use crate::frame::ignored::name_ignored;
use crate::frame::page::{Pagination, links};
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::frame::surface::Surface;
use crate::license::expected;

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
    /// Only licenses of this status.
    #[param(inline, value_type = Option<value::LicenseStatusName>)]
    status: Option<String>,
    /// Words, prefixes such as `win*` and quoted phrases to look for in title and description.
    #[param(inline, value_type = Option<value::Search>)]
    search: Option<String>,
    /// The same in the talent's names, the owner's name and the external id too. Beside `search` both must be found.
    #[param(inline, value_type = Option<value::Search>)]
    q: Option<String>,
    /// Only licenses of this type.
    #[param(inline, value_type = Option<value::LicenseTypeName>)]
    license_type: Option<String>,
    /// What to sort by.
    #[param(inline, value_type = Option<value::LicenseSortName>, default = "created_at")]
    sort: Option<String>,
    /// In which order.
    #[param(inline, value_type = Option<value::OrderName>, default = "desc")]
    order: Option<String>,
    /// Whether to add addresses of images, valid for an hour.
    #[param(value_type = Option<bool>, default = false)]
    include_image_urls: Option<String>,
}

/// What is shown beside the record.
#[derive(Deserialize, IntoParams)]
#[into_params(style = Form, parameter_in = Query)]
pub(super) struct Flags {
    /// Whether to add the reference images.
    #[param(value_type = Option<bool>, default = false)]
    include_images: Option<String>,
    /// Whether to add their addresses, valid for an hour; only with the images.
    #[param(value_type = Option<bool>, default = false)]
    include_image_urls: Option<String>,
}

/// What is to be changed, as it came: members are read by the domain's own table of names.
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

pub(super) async fn list(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    uri: Uri,
    Query(asked): Query<Asked>,
) -> Result<Lists<LicenseBody>, Problem> {
    let query = parse(&asked)?;
    let urls = query.include_image_urls;
    let page = license::list(&state.app, caller.reader(), query).await?;
    let now = state.app.clock.now();
    let items = rendered::render(&state, &page.items, now).await?;
    let items = if urls { image::add_urls(&state, items).await? } else { texts(items) };
    let pagination = serde_json::to_vec(&Pagination::from(&page)).map_err(|it| unwritten(&it))?;
    let mut body = Vec::with_capacity(items.iter().map(|it| it.len() + 1).sum::<usize>() + 160);
    body.extend_from_slice(b"{\"data\":[");
    body.extend_from_slice(&items.join(&b','));
    body.extend_from_slice(b"],\"pagination\":");
    body.extend_from_slice(&pagination);
    body.push(b'}');
    let mut response = ([(header::CONTENT_TYPE, "application/json")], body).into_response();
    response.headers_mut().extend(links(&page, &uri));
    Ok(Lists::new(response))
}

pub(super) async fn show(
    State(state): State<ApiState>,
    Integration { caller, .. }: Integration,
    headers: HeaderMap,
    Segment(id): Segment,
    Query(flags): Query<Flags>,
) -> Result<Replies<LicenseBody>, Problem> {
    let include = flags.read()?;
    let named = Named::parse(&id).ok_or_else(|| Error::not_found("License"))?;
    if !include.images {
        return show_plain(&state, caller.reader(), named, &headers).await;
    }
    let (seen, images) = license::get_with_images(&state.app, caller.reader(), named).await?;
    let tag = tag(&seen, include);
    let images = image::bodies(&state, include, images).await?;
    let body = axum::Json(LicenseBody::of(&seen, images));
    Ok(Replies::new(etag::conditional(&headers, tag, body)))
}

/// From memory, if it holds the license as it is now.
async fn show_plain(
    state: &ApiState,
    reader: Reader,
    named: Named,
    headers: &HeaderMap,
) -> Result<Replies<LicenseBody>, Problem> {
    let entry = license::find(&state.app, reader, named).await?;
    let kept = Key::of(&entry, state.app.clock.now());
    let (key, text) = if let Some(text) = state.rendered.get(&kept) {
        (kept, text)
    } else {
        let seen = license::get(&state.app, reader, Named::Id(entry.id)).await?;
        let key = Key::seen(&seen);
        (key, state.rendered.keep(key, &LicenseBody::of(&seen, None))?)
    };
    let body = ([(header::CONTENT_TYPE, "application/json")], Bytes::from_owner(text));
    Ok(Replies::new(etag::conditional(headers, key.tag("plain"), body)))
}

pub(super) async fn change(
    State(state): State<ApiState>,
    Integration { context, caller }: Integration,
    headers: HeaderMap,
    Segment(id): Segment,
    Query(flags): Query<Flags>,
    Json(Changes(members)): Json<Changes>,
) -> Result<Replies<LicenseBody>, Problem> {
    let include = flags.read()?;
    let named = Named::parse(&id).ok_or_else(|| Error::not_found("License"))?;
    let asked = LicenseChange::parse(&members, Names::EXTERNAL)?;
    let expected = expected(&headers);
    let reader = caller.reader();
    let changed =
        license::change(&state.app, &context, reader, named, None, expected, asked).await?;
    let Changed { seen, images, ignored } = changed;
    let tag = tag(&seen, include);
    let images = image::bodies(&state, include, images).await?;
    let body = axum::Json(LicenseBody::of(&seen, images));
    let mut response = etag::conditional(&HeaderMap::new(), tag, body);
    name_ignored(response.headers_mut(), &ignored);
    Ok(Replies::new(response))
}

fn texts(items: Vec<(LicenseId, Arc<[u8]>)>) -> Vec<Arc<[u8]>> {
    items.into_iter().map(|(_, text)| text).collect()
}

fn parse(asked: &Asked) -> Result<LicenseQuery> {
    let asked = AskedLicenses {
        page: asked.page.as_deref(),
        size: asked.per_page.as_deref(),
        status: asked.status.as_deref(),
        search: asked.search.as_deref(),
        search_names: false,
        q: asked.q.as_deref(),
        license_type: asked.license_type.as_deref(),
        sort: asked.sort.as_deref(),
        order: asked.order.as_deref(),
        include_image_urls: asked.include_image_urls.as_deref(),
    };
    LicenseQuery::parse(&asked, Names::EXTERNAL, Surface::External.page_rules())
}

/// Changes whenever the answer does; none where it holds addresses, which differ each time.
fn tag(seen: &Seen, include: Include) -> Option<headers::ETag> {
    let with = if include.images { "images" } else { "plain" };
    Key::seen(seen).tag(with).filter(|_| !include.urls)
}

fn unwritten(error: &serde_json::Error) -> Error {
    Error::internal(error.to_string())
}
