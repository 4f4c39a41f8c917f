//! What an address asks for behind its question mark.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use grantor_domain::Result;
use grantor_domain::page::{Page, PageRules};
use http::request::Parts;

use super::Web;

/// How lists are paged here.
const RULES: PageRules = PageRules { size_name: "limit", default_size: 20, max_size: 100 };

/// The pairs of a query. A field that was left empty is not asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked(Vec<(String, String)>);

impl Asked {
    /// Reads a query.
    pub(crate) fn read(query: &str) -> Self {
        let pairs = url::form_urlencoded::parse(query.as_bytes());
        Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// What was asked under this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(it, _)| it == name).map(|(_, value)| value.trim());
        found.filter(|it| !it.is_empty() && !it.contains('\0'))
    }

    /// Whether anything but another page is asked for.
    pub(crate) fn narrows(&self) -> bool {
        self.0.iter().any(|(name, value)| name != "page" && !value.trim().is_empty())
    }

    /// Which page.
    pub(crate) fn page(&self) -> Result<Page> {
        Page::parse(self.get("page"), self.get("limit"), RULES)
    }

    /// The rules of `page`, for the domain's own readers of lists.
    pub(crate) const fn rules() -> PageRules {
        RULES
    }
}

impl FromRequestParts<Web> for Asked {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Infallible> {
        Ok(Self::read(parts.uri.query().unwrap_or_default()))
    }
}
