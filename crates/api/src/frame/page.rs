//! Paginated lists in the envelope of each API.

use axum::Json;
use axum::response::{IntoResponse, Response};
use grantor_domain::page::{Listing, Page};
use http::{HeaderValue, Uri, header};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

/// The position of a page within its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Pagination {
    /// The page number, starting at 1.
    page: u32,
    /// The maximum number of items per page.
    per_page: u32,
    /// The total number of items.
    total: u64,
    /// The total number of pages.
    total_pages: u64,
    /// Whether there is a next page.
    has_next: bool,
    /// Whether there is a previous page.
    has_prev: bool,
    /// Present and true if `total` and `total_pages` are estimates. The other fields are always
    /// exact.
    #[serde(skip_serializing_if = "is_false")]
    #[schema(required = false)]
    total_is_estimate: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(it: &bool) -> bool {
    !it
}

impl<T> From<&Listing<T>> for Pagination {
    fn from(listing: &Listing<T>) -> Self {
        let (page, total_pages) = (listing.page.number(), listing.total_pages());
        Self {
            page,
            per_page: listing.page.size(),
            total: listing.total,
            total_pages,
            has_next: u64::from(page) < total_pages,
            has_prev: page > 1,
            total_is_estimate: listing.total_is_estimate,
        }
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListBody<T> {
    data: Vec<T>,
    pagination: Pagination,
}

impl<T> From<Listing<T>> for ListBody<T> {
    fn from(listing: Listing<T>) -> Self {
        Self { pagination: Pagination::from(&listing), data: listing.items }
    }
}

/// The position of a page within its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsolePagination {
    /// The page number, starting at 1.
    page: u32,
    /// The maximum number of items per page.
    limit: u32,
    /// The total number of items.
    total: u64,
    /// The total number of pages.
    total_pages: u64,
    /// Present and true if `total` and `totalPages` are estimates.
    #[serde(skip_serializing_if = "is_false")]
    #[schema(required = false)]
    total_is_estimate: bool,
}

impl<T> From<&Listing<T>> for ConsolePagination {
    fn from(listing: &Listing<T>) -> Self {
        Self {
            page: listing.page.number(),
            limit: listing.page.size(),
            total: listing.total,
            total_pages: listing.total_pages(),
            total_is_estimate: listing.total_is_estimate,
        }
    }
}

/// Returns a list of the console API with the items under their plural name.
#[must_use]
pub fn console_list<T: Serialize>(plural: &str, message: &str, listing: &Listing<T>) -> Response {
    let pagination = ConsolePagination::from(listing);
    let data = json!({ plural: listing.items, "pagination": pagination });
    Json(json!({ "data": data, "message": message, "status": "success" })).into_response()
}

/// Returns the `Link` header (RFC 8288) with the first, previous, next and last page of the query.
pub(crate) fn links<T>(
    listing: &Listing<T>,
    uri: &Uri,
) -> Option<(header::HeaderName, HeaderValue)> {
    let last = listing.total_pages().max(1);
    let current = u64::from(listing.page.number());
    let mut links = vec![link(uri, listing.page, 1, "first")];
    if current > 1 {
        links.push(link(uri, listing.page, (current - 1).min(last), "prev"));
    }
    if current < last {
        links.push(link(uri, listing.page, current + 1, "next"));
    }
    links.push(link(uri, listing.page, last, "last"));
    HeaderValue::from_str(&links.join(", ")).ok().map(|value| (header::LINK, value))
}

fn link(uri: &Uri, page: Page, number: u64, relation: &str) -> String {
    let others = uri.query().unwrap_or_default().split('&').filter(|pair| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && name != "page" && name != "per_page"
    });
    let mut query: Vec<String> = others.map(str::to_owned).collect();
    query.push(format!("page={number}"));
    query.push(format!("per_page={}", page.size()));
    format!("<{}?{}>; rel=\"{relation}\"", uri.path(), query.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Api;

    fn listing(page: &str, total: u64) -> Listing<u8> {
        let rules = Api::External.page_rules();
        let page = Page::parse(Some(page), Some("2"), rules).unwrap();
        Listing::new(page, vec![1, 2], total)
    }

    #[test]
    fn links_keep_the_question() {
        let uri = "/licenses?status=public&page=2&per_page=2&search=a%20b".parse().unwrap();
        let (_, value) = links(&listing("2", 5), &uri).unwrap();
        assert_eq!(
            value.to_str().unwrap(),
            "</licenses?status=public&search=a%20b&page=1&per_page=2>; rel=\"first\", \
             </licenses?status=public&search=a%20b&page=1&per_page=2>; rel=\"prev\", \
             </licenses?status=public&search=a%20b&page=3&per_page=2>; rel=\"next\", \
             </licenses?status=public&search=a%20b&page=3&per_page=2>; rel=\"last\""
        );
    }

    #[test]
    fn both_surfaces_say_where_a_list_stands() {
        let body = serde_json::to_value(ListBody::from(listing("2", 5))).unwrap();
        let pagination = json!({
            "page": 2, "per_page": 2, "total": 5, "total_pages": 3, "has_next": true,
            "has_prev": true,
        });
        assert_eq!(body, json!({ "data": [1, 2], "pagination": pagination }));
        let console = serde_json::to_value(ConsolePagination::from(&listing("3", 5))).unwrap();
        assert_eq!(console, json!({ "page": 3, "limit": 2, "total": 5, "totalPages": 3 }));
    }
}
