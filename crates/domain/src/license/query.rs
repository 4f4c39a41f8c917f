//! What can be asked of a list of licenses (external document, `GET /licenses`).

use serde::{Deserialize, Serialize};

use super::names::{Member, Names};
use super::{LicenseStatus, LicenseType};
use crate::error::{Error, Fields, Result};
use crate::named::named;
use crate::page::{Order, Page, PageRules};
use crate::search::SearchQuery;

named!(LicenseSort);

/// What a list of licenses can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LicenseSort {
    /// When it was made.
    #[default]
    CreatedAt,
    /// When it last changed.
    UpdatedAt,
    /// Its title, by byte order.
    Title,
}

impl LicenseSort {
    /// All of them, in the document's order.
    pub const ALL: [Self; 3] = [Self::CreatedAt, Self::UpdatedAt, Self::Title];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CreatedAt => "created_at",
            Self::UpdatedAt => "updated_at",
            Self::Title => "title",
        }
    }
}

/// The parameters of a list as they came.
#[derive(Clone, Copy, Debug, Default)]
pub struct AskedLicenses<'a> {
    /// Which page, from 1.
    pub page: Option<&'a str>,
    /// Items on a page, under the surface's own name.
    pub size: Option<&'a str>,
    /// Only licenses of this effective status.
    pub status: Option<&'a str>,
    /// Words to look for.
    pub search: Option<&'a str>,
    /// Whether those may be in names too.
    pub search_names: bool,
    /// Words to look for in names too, on a surface whose `search` does not.
    pub q: Option<&'a str>,
    /// Only licenses of this type.
    pub license_type: Option<&'a str>,
    /// What to sort by.
    pub sort: Option<&'a str>,
    /// In which order.
    pub order: Option<&'a str>,
    /// Whether to add addresses of images.
    pub include_image_urls: Option<&'a str>,
}

/// What is asked of the licenses that a caller may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LicenseQuery {
    /// Which page.
    pub page: Page,
    /// Only this effective status.
    pub status: Option<LicenseStatus>,
    /// Words to look for in title and description.
    pub search: Option<SearchQuery>,
    /// Words to look for in names too: the talent's, the owner's, the owner's own for the license.
    pub q: Option<SearchQuery>,
    /// Only this kind.
    pub license_type: Option<LicenseType>,
    /// Sorted by.
    pub sort: LicenseSort,
    /// In this order.
    pub order: Order,
    /// Whether addresses of images are added.
    pub include_image_urls: bool,
}

impl LicenseQuery {
    /// Reads every parameter; each that does not fit is named.
    pub fn parse(asked: &AskedLicenses<'_>, names: &Names, rules: PageRules) -> Result<Self> {
        let mut fields = Fields::default();
        let sorted = Sorted::read(asked, names, rules, &mut fields);
        let status = asked.status.and_then(|text| fields.take("status", text.parse()));
        let search = SearchQuery::parse(asked.search.unwrap_or_default());
        let search = fields.take("search", search).flatten();
        let q = fields.take("q", SearchQuery::parse(asked.q.unwrap_or_default())).flatten();
        let (search, q) = if asked.search_names { (None, search) } else { (search, q) };
        let urls = asked.include_image_urls.map_or(Ok(false), parse_flag);
        let urls = fields.take("include_image_urls", urls);
        fields.finish()?;
        let (Some(sorted), Some(include_image_urls)) = (sorted, urls) else {
            return Err(unread());
        };
        let Sorted { page, license_type, sort, order } = sorted;
        Ok(Self { page, status, search, q, license_type, sort, order, include_image_urls })
    }
}

/// Reads a flag of a query (contract section 3, "Requests").
pub fn parse_flag(text: &str) -> Result<bool, &'static str> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ if text.eq_ignore_ascii_case("true") => Ok(true),
        _ if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err("must be true or false"),
    }
}

/// What every list of licenses reads alike.
struct Sorted {
    page: Page,
    license_type: Option<LicenseType>,
    sort: LicenseSort,
    order: Order,
}

impl Sorted {
    fn read(
        asked: &AskedLicenses<'_>,
        names: &Names,
        rules: PageRules,
        fields: &mut Fields,
    ) -> Option<Self> {
        let page = fields.take_all(Page::parse(asked.page, asked.size, rules));
        let (license_type, type_name) = (asked.license_type, names.of(Member::LicenseType));
        let license_type = license_type.and_then(|text| fields.take(type_name, text.parse()));
        let sort = asked.sort.map_or(Ok(LicenseSort::default()), str::parse);
        let sort = fields.take("sort", sort);
        let order = fields.take("order", asked.order.map_or(Ok(Order::default()), str::parse));
        Some(Self { page: page?, license_type, sort: sort?, order: order? })
    }
}

/// Never seen: what is missing here was named as a field before.
fn unread() -> Error {
    Error::validation("The query does not read")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: PageRules = PageRules { size_name: "per_page", default_size: 20, max_size: 100 };

    #[test]
    fn nothing_asked_is_the_first_page_of_all() {
        let asked = AskedLicenses { search: Some("  "), ..AskedLicenses::default() };
        let query = LicenseQuery::parse(&asked, Names::EXTERNAL, RULES).unwrap();
        let expected = LicenseQuery {
            page: Page::parse(None, None, RULES).unwrap(),
            status: None,
            search: None,
            q: None,
            license_type: None,
            sort: LicenseSort::CreatedAt,
            order: Order::Desc,
            include_image_urls: false,
        };
        assert_eq!(query, expected);
    }

    #[test]
    fn everything_can_be_asked_at_once() {
        let asked = AskedLicenses {
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
        let query = LicenseQuery::parse(&asked, Names::EXTERNAL, RULES).unwrap();
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
        let asked = AskedLicenses {
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
        let error = LicenseQuery::parse(&asked, Names::EXTERNAL, RULES).unwrap_err();
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
        let console = LicenseQuery::parse(&asked, Names::CONSOLE, RULES).unwrap_err();
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
