//! Query parameters.

use std::collections::BTreeMap;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use grantor_domain::page::{Listing, Page, PageRules};
use grantor_domain::{Error, ErrorKind, Result};
use http::request::Parts;

use super::Web;
use super::context::PageContext;
use super::field_errors::{FieldError, FieldErrors};
use super::pairs::{Pair, pairs};

/// Paging rules of the console's lists.
const RULES: PageRules = PageRules { size_name: "limit", default_size: 20, max_size: 100 };

/// The query parameters of a page. Empty and invalid ones count as absent; the page reports the
/// invalid ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    pairs: Vec<(String, String)>,
    errors: FieldErrors,
}

impl Params {
    /// Parses a query string.
    pub(crate) fn read(query: &str) -> Self {
        let (pairs, errors) =
            (pairs(query.as_bytes()).map(|it| (it.name, it.text)), text_errors(query));
        Self { pairs: pairs.collect(), errors }
    }

    /// Returns the parameter, if it is present and valid.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|_| !self.errors.has(name))
    }

    /// Returns the parameter as typed, even if it is invalid.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(it, _)| it == name).map(|(_, value)| value.trim());
        found.filter(|it| !it.is_empty())
    }

    /// Returns all values of a parameter that can be repeated, unless they are invalid.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let valid = !self.errors.has(name);
        let found = self.pairs.iter().filter(move |(it, _)| valid && it == name);
        found.map(|(_, value)| value.trim())
    }

    /// Registers the filter field and returns its error.
    pub(crate) fn register(&self, name: &str, label: &str) -> Option<FieldError> {
        self.errors.register(name, label)
    }

    /// Returns whether any parameter other than `page` is set.
    pub(crate) fn has_filters(&self) -> bool {
        self.pairs.iter().any(|(name, value)| name != "page" && !value.trim().is_empty())
    }

    /// Rejects a page number past the end of the list, which would look like an empty list.
    pub(crate) fn in_range<T>(&self, found: Listing<T>) -> Result<Listing<T>> {
        let past_end = found.items.is_empty() && found.total > 0;
        if past_end && self.get("page").is_some() {
            let last = found.total_pages();
            return Err(Error::field("page", format!("must be at most {last}, the last page")));
        }
        Ok(found)
    }

    /// Returns the requested page.
    pub(crate) fn page(&self) -> Result<Page> {
        Page::parse(self.get("page"), self.get("limit"), RULES)
    }

    /// Returns the paging rules, for domain queries that parse paging themselves.
    pub(crate) const fn rules() -> PageRules {
        RULES
    }
}

impl FromRequestParts<Web> for Params {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Web) -> Result<Self, Infallible> {
        let params = Self::read(parts.uri.query().unwrap_or_default());
        // The middleware knows the errors found when the page was rendered before.
        let known = parts.extensions.get::<PageContext>().map(|it| it.query_errors.clone());
        Ok(Self { errors: known.unwrap_or(params.errors), pairs: params.pairs })
    }
}

/// Returns the parameters that are not valid text.
pub(super) fn text_errors(query: &str) -> FieldErrors {
    let error = |Pair { name, error, .. }: Pair| Some((name, error?.to_owned()));
    FieldErrors::new(pairs(query.as_bytes()).filter_map(error).collect())
}

/// Returns the new errors of a page that failed only because of its query parameters; the page can
/// be rendered without them.
pub(super) fn new_errors(
    error: &Error,
    known: &FieldErrors,
    query: &str,
) -> Option<BTreeMap<String, String>> {
    let sent =
        |name: &String| !known.has(name) && pairs(query.as_bytes()).any(|it| it.name == *name);
    let fields = error.fields();
    let only = *error.kind() == ErrorKind::Validation && !fields.is_empty();
    (only && fields.keys().all(sent)).then(|| fields.clone())
}
