//! Query parameters of license lists (external document, `GET /licenses`).

use serde::{Deserialize, Serialize};
use strum::{VariantArray, VariantNames};

use super::field_names::{FieldNames, Member};
use super::filter::LicenseFilter;
use super::{LicenseStatus, LicenseType};
use crate::enum_names::enum_names;
use crate::error::{Error, Fields, Result};
use crate::page::{Order, Page, PageRules};
use crate::search::SearchQuery;

enum_names!(LicenseSort);

/// The sort key of a list of licenses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(VariantArray, VariantNames)]
#[strum(serialize_all = "snake_case")]
pub enum LicenseSort {
    /// When it was created.
    #[default]
    CreatedAt,
    /// When it last changed.
    UpdatedAt,
    /// The title, in byte order.
    Title,
}

/// The raw query parameters of a list of licenses.
#[derive(Clone, Copy, Debug, Default)]
pub struct LicenseParams<'a> {
    /// The page number, from 1.
    pub page: Option<&'a str>,
    /// Items per page, under the name the API uses for it.
    pub size: Option<&'a str>,
    /// Filter by effective status.
    pub status: Option<&'a str>,
    /// Search terms.
    pub search: Option<&'a str>,
    /// Whether `search` also covers names.
    pub search_names: bool,
    /// Search terms that also cover names, for the API whose `search` does not.
    pub q: Option<&'a str>,
    /// Filter by type.
    pub license_type: Option<&'a str>,
    /// The sort key.
    pub sort: Option<&'a str>,
    /// The sort order.
    pub order: Option<&'a str>,
    /// Whether to include image URLs.
    pub include_image_urls: Option<&'a str>,
}

/// The parsed query of a list of licenses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LicenseQuery {
    /// The page number.
    pub page: Page,
    /// Filter by effective status.
    pub status: Option<LicenseStatus>,
    /// Search terms for title and description.
    pub search: Option<SearchQuery>,
    /// Search terms that also cover the names of talent and owner, and the external ID.
    pub q: Option<SearchQuery>,
    /// Filter by type.
    pub license_type: Option<LicenseType>,
    /// The sort key.
    pub sort: LicenseSort,
    /// The sort order.
    pub order: Order,
    /// Whether to include image URLs.
    pub include_image_urls: bool,
    /// What only the console's pages filter by; the APIs leave it empty.
    pub filter: LicenseFilter,
}

impl LicenseQuery {
    /// Parses the query parameters; the error names every invalid one.
    pub fn parse(params: &LicenseParams<'_>, names: &FieldNames, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let sorted = Sorted::read(params, names, rules, &mut fields);
        let status = params.status.and_then(|text| fields.take("status", text.parse()));
        let search = SearchQuery::parse(params.search.unwrap_or_default());
        let search = fields.take("search", search).flatten();
        let q = fields.take("q", SearchQuery::parse(params.q.unwrap_or_default())).flatten();
        let (search, q) = if params.search_names { (None, search) } else { (search, q) };
        let urls = params.include_image_urls.map_or(Ok(false), parse_flag);
        let urls = fields.take("include_image_urls", urls);
        fields.finish()?;
        let (Some(sorted), Some(include_image_urls)) = (sorted, urls) else {
            return Err(unread());
        };
        let Sorted { page, license_type, sort, order } = sorted;
        let filter = LicenseFilter::default();
        Ok(Self { page, status, search, q, license_type, sort, order, include_image_urls, filter })
    }
}

/// Parses a boolean query parameter (contract section 3, "Requests").
pub fn parse_flag(text: &str) -> Result<bool, &'static str> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err("must be true or false"),
    }
}

/// The parameters shared by all lists of licenses.
struct Sorted {
    page: Page,
    license_type: Option<LicenseType>,
    sort: LicenseSort,
    order: Order,
}

impl Sorted {
    fn read(
        params: &LicenseParams<'_>,
        names: &FieldNames,
        rules: PageRules,
        fields: &mut Fields,
    ) -> Option<Self> {
        let page = fields.take_all(Page::parse(params.page, params.size, rules));
        let (license_type, type_name) = (params.license_type, names.of(Member::LicenseType));
        let license_type = license_type.and_then(|text| fields.take(type_name, text.parse()));
        let sort = params.sort.map_or(Ok(LicenseSort::default()), str::parse);
        let sort = fields.take("sort", sort);
        let order = fields.take("order", params.order.map_or(Ok(Order::default()), str::parse));
        Some(Self { page: page?, license_type, sort: sort?, order: order? })
    }
}

/// Not reachable: a missing value has already been reported as a field error.
fn unread() -> Error {
    Error::validation("The query is not valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PageRules = PageRules { size_name: "per_page", default_size: 20, max_size: 100 };

    #[test]
    fn nothing_asked_is_the_first_page_of_all() {
        let params = LicenseParams { search: Some("  "), ..LicenseParams::default() };
        let query = LicenseQuery::parse(&params, FieldNames::EXTERNAL, RULES).unwrap();
        let expected = LicenseQuery {
            page: Page::parse(None, None, RULES).unwrap(),
            status: None,
            search: None,
            q: None,
            license_type: None,
            sort: LicenseSort::CreatedAt,
            order: Order::Desc,
            include_image_urls: false,
            filter: LicenseFilter::default(),
        };
        assert_eq!(query, expected);
    }

    #[test]
    fn everything_can_be_asked_at_once() {
        let params = LicenseParams {
            page: Some("2"),
            size: Some("5"),
            status: Some("expired"),
            search: Some(" Winter "),
            search_names: false,
            q: None,
            license_type: Some("voice"),
            sort: Some("title"),
            order: Some("asc"),
            include_image_urls: Some("true"),
        };
        let query = LicenseQuery::parse(&params, FieldNames::EXTERNAL, RULES).unwrap();
        assert_eq!((query.page.offset(), query.status), (5, Some(LicenseStatus::Expired)));
        assert_eq!(query.search, SearchQuery::parse("winter").unwrap());
        assert_eq!(query.license_type, Some(LicenseType::Voice));
        assert_eq!((query.sort, query.order), (LicenseSort::Title, Order::Asc));
        assert!(query.include_image_urls);
    }

    #[test]
    fn every_wrong_parameter_is_named() {
        let long = "x".repeat(201);
        let wrong = Some("?");
        let params = LicenseParams {
            page: wrong,
            size: wrong,
            status: wrong,
            search: Some(&long),
            search_names: false,
            q: Some(&long),
            license_type: wrong,
            sort: wrong,
            order: wrong,
            include_image_urls: wrong,
        };
        let error = LicenseQuery::parse(&params, FieldNames::EXTERNAL, RULES).unwrap_err();
        let names: Vec<_> = error.fields().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "include_image_urls",
                "license_type",
                "order",
                "page",
                "per_page",
                "q",
                "search",
                "sort",
                "status",
            ]
        );
        let console = LicenseQuery::parse(&params, FieldNames::CONSOLE, RULES).unwrap_err();
        assert!(console.fields().contains_key("type"), "the surface's own name");
        assert_eq!(error.fields()["search"], "must be at most 200 characters");
        assert_eq!(error.fields()["sort"], "must be one of created_at, updated_at, title");
    }

    #[test]
    fn sorts_have_one_name() {
        for sort in LicenseSort::ALL {
            assert_eq!(sort.name().parse(), Ok(sort));
            assert_eq!(serde_json::to_value(sort).unwrap(), sort.name());
        }
    }
}
