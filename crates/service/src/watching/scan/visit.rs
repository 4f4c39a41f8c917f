//! Reads what one address returned, for a check.

use grantor_domain::content::Content;
use url::Url;

use super::document::{self, Document, NO_FEED};

/// The newest items of a feed that are checked.
const ITEMS: usize = 20;

/// Returns the content of a page, or of the newest items of a feed. The error message is shown to
/// users.
pub(crate) fn read(
    document: &[u8],
    content_type: Option<&str>,
    base: &Url,
) -> Result<Vec<Content>, String> {
    let read = document::read_any(document, content_type, base);
    match read.map_err(|reason| fitting(document, content_type, reason))? {
        Document::Page { content, .. } => Ok(vec![content]),
        Document::Feed { items, .. } => Ok(items.into_iter().take(ITEMS).collect()),
        Document::Pages(_) | Document::Lists(_) => {
            Err("it is a sitemap; check one of its pages instead".to_owned())
        }
    }
}

/// Why a document cannot be checked: what is said about sources does not fit all of them.
fn fitting(document: &[u8], content_type: Option<&str>, reason: String) -> String {
    let is = |kind: &str| content_type.is_some_and(|it| it.trim_start().starts_with(kind));
    if is("application/pdf") || document.starts_with(b"%PDF") {
        return "it is a PDF file; copy its text and check that instead".to_owned();
    }
    if is("text/plain") {
        return "it is a text file; copy its text and check that instead".to_owned();
    }
    if reason == NO_FEED { "it is neither a page, a feed nor a picture".to_owned() } else { reason }
}
