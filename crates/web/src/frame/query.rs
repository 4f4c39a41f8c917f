//! What an address asks for behind its question mark.

use std::collections::BTreeMap;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use grantor_domain::page::{Listing, Page, PageRules};
use grantor_domain::{Error, ErrorKind, Result};
use http::request::Parts;

use super::Web;
use super::text::{Came, pairs};
use super::visitor::Visit;
use super::wrongs::{Wrong, Wrongs};

/// How lists are paged here.
const RULES: PageRules = PageRules { size_name: "limit", default_size: 20, max_size: 100 };

/// The pairs of a query. A field that was left empty is not asked for, and neither is what could not
/// be read: the page is drawn without it, and says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pairs: Vec<(String, String)>,
    wrongs: Wrongs,
}

impl Asked {
    /// Reads a query.
    pub(crate) fn read(query: &str) -> Self {
        let (pairs, wrongs) = (pairs(query.as_bytes()).map(|it| (it.name, it.text)), unread(query));
        Self { pairs: pairs.collect(), wrongs }
    }

    /// What was asked under this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.typed(name).filter(|_| !self.wrongs.has(name))
    }

    /// What was typed there, be it wrong.
    pub(crate) fn typed(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(it, _)| it == name).map(|(_, value)| value.trim());
        found.filter(|it| !it.is_empty())
    }

    /// Notes that the page has a field for it, and tells what is wrong with it.
    pub(crate) fn draw(&self, name: &str, label: &str) -> Option<Wrong> {
        self.wrongs.draw(name, label)
    }

    /// Whether anything but another page is asked for.
    pub(crate) fn narrows(&self) -> bool {
        self.pairs.iter().any(|(name, value)| name != "page" && !value.trim().is_empty())
    }

    /// The page that was found, if the list reaches so far: nobody shall take what is behind its end
    /// for an empty list.
    pub(crate) fn within<T>(&self, found: Listing<T>) -> Result<Listing<T>> {
        let behind = found.items.is_empty() && found.total > 0;
        if behind && self.get("page").is_some() {
            let last = found.total_pages();
            return Err(Error::field("page", format!("must be at most {last}: there are no more")));
        }
        Ok(found)
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
        let asked = Self::read(parts.uri.query().unwrap_or_default());
        // The frame knows what the page could not read when it was drawn before.
        let known = parts.extensions.get::<Visit>().map(|it| it.misread.clone());
        Ok(Self { wrongs: known.unwrap_or(asked.wrongs), pairs: asked.pairs })
    }
}

/// What of a query is no text.
pub(super) fn unread(query: &str) -> Wrongs {
    let wrong = |Came { name, wrong, .. }: Came| Some((name, wrong?.to_owned()));
    Wrongs::new(pairs(query.as_bytes()).filter_map(wrong).collect())
}

/// What else of a query a page could not read, if that is why there is none: then it can be drawn
/// without.
pub(super) fn misread(
    error: &Error,
    known: &Wrongs,
    query: &str,
) -> Option<BTreeMap<String, String>> {
    let asked =
        |name: &String| !known.has(name) && pairs(query.as_bytes()).any(|it| it.name == *name);
    let fields = error.fields();
    let only = *error.kind() == ErrorKind::Validation && !fields.is_empty();
    (only && fields.keys().all(asked)).then(|| fields.clone())
}
