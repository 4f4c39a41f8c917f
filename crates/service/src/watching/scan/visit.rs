//! Reads what one address returned, for a check.

use grantor_domain::content::Content;
use url::Url;

use super::document::{self, Document};

/// The newest items of a feed that are checked.
const ITEMS: usize = 20;

/// Returns the content of a page, or of the newest items of a feed. The error message is shown to
/// users.
pub(crate) fn read(
    document: &[u8],
    content_type: Option<&str>,
    base: &Url,
) -> Result<Vec<Content>, String> {
    match document::read_any(document, content_type, base)? {
        Document::Page { content, .. } => Ok(vec![content]),
        Document::Feed { items, .. } => Ok(items.into_iter().take(ITEMS).collect()),
        Document::Pages(_) | Document::Lists(_) => {
            Err("it is a sitemap; check one of its pages instead".to_owned())
        }
    }
}
