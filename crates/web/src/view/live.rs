//! Parts of pages that update themselves. A script asks for the page again every few seconds, and the
//! server answers with nothing if its live parts are the same. Pages work without the script.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Arc, Mutex, PoisonError};

use axum::response::{IntoResponse as _, Response};
use grantor_domain::page::Listing;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use maud::{Markup, html};

use crate::frame::PageContext;

/// The header by which the script marks its requests.
const POLL: &str = "x-live";

/// The version of a page's live parts, while the page is drawn.
#[derive(Clone, Default)]
pub(crate) struct LiveParts(Arc<Mutex<Option<u64>>>);

impl LiveParts {
    fn add(&self, part: &Markup) {
        let mut version = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut hasher = DefaultHasher::new();
        (*version, &part.0).hash(&mut hasher);
        *version = Some(hasher.finish());
    }

    /// Whether the page has live parts.
    pub(super) fn is_used(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Marks the response of the drawn page with the version of its live parts.
    pub(crate) fn mark(&self, mut response: Response) -> Response {
        let version = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(version) = version {
            response.extensions_mut().insert(LiveVersion(version));
        }
        response
    }
}

/// The version of a page's live parts, as an extension of its response.
#[derive(Clone, Copy)]
struct LiveVersion(u64);

/// What the script says about its copy of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Poll {
    is_poll: bool,
    known: Option<HeaderValue>,
}

impl Poll {
    /// Reads the headers of a request.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let is_poll = headers.contains_key(POLL);
        let known = headers.get(header::IF_NONE_MATCH).filter(|_| is_poll).cloned();
        Self { is_poll, known }
    }

    /// Whether the script asks, and nobody sees the page as a whole.
    pub(crate) fn is_poll(&self) -> bool {
        self.is_poll
    }

    /// Returns the response, or an empty one if the script has these live parts already.
    pub(crate) fn answer(&self, mut response: Response) -> Response {
        let Some(LiveVersion(version)) = response.extensions_mut().remove::<LiveVersion>() else {
            return response;
        };
        let Ok(tag) = HeaderValue::from_str(&format!("W/\"{version:016x}\"")) else {
            return response;
        };
        if response.status() == StatusCode::OK && self.known.as_ref() == Some(&tag) {
            response = StatusCode::NOT_MODIFIED.into_response();
        }
        response.headers_mut().insert(header::ETAG, tag);
        response
    }
}

/// A part that updates itself. Its name is unique on the page.
pub(crate) fn live(ctx: &PageContext, name: &str, body: Markup) -> Markup {
    ctx.live.add(&body);
    html! { div data-live=(name) { (body) } }
}

/// A list that updates itself. Its rows have keys. The words for one new row and for several are those
/// of the button that shows new rows to somebody who has scrolled down. Rows of later pages change,
/// but no row comes or goes, since that would move the others.
pub(crate) fn live_list<T>(
    ctx: &PageContext,
    name: &str,
    (one, many): (&str, &str),
    listing: &Listing<T>,
    body: Markup,
) -> Markup {
    ctx.live.add(&body);
    let fixed = listing.page.number() > 1;
    html! { div data-live=(name) data-one=(one) data-many=(many) data-fixed[fixed] { (body) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Response {
        let parts = LiveParts::default();
        parts.add(&html! { (text) });
        parts.mark("page".into_response())
    }

    fn poll(known: Option<&HeaderValue>) -> Poll {
        let mut headers = HeaderMap::new();
        headers.insert(POLL, HeaderValue::from_static("1"));
        if let Some(known) = known {
            headers.insert(header::IF_NONE_MATCH, known.clone());
        }
        Poll::of(&headers)
    }

    #[test]
    fn only_what_changed_is_sent_again() {
        let first = poll(None).answer(drawn("a"));
        let tag = first.headers()[header::ETAG].clone();
        assert_eq!(first.status(), StatusCode::OK);
        let same = poll(Some(&tag)).answer(drawn("a"));
        assert_eq!(
            (same.status(), &same.headers()[header::ETAG]),
            (StatusCode::NOT_MODIFIED, &tag)
        );
        let other = poll(Some(&tag)).answer(drawn("b"));
        assert_eq!(other.status(), StatusCode::OK);
        assert_ne!(other.headers()[header::ETAG], tag);
    }

    #[test]
    fn a_page_that_somebody_opens_is_always_sent() {
        let tag = poll(None).answer(drawn("a")).headers()[header::ETAG].clone();
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, tag);
        assert_eq!(Poll::of(&headers).answer(drawn("a")).status(), StatusCode::OK);
        let still = poll(None).answer("no live parts".into_response());
        assert!(still.headers().get(header::ETAG).is_none());
    }
}
