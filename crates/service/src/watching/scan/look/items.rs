//! What people are told about the items of a document.

use std::cmp::Reverse;

use grantor_domain::content::Content;
use grantor_domain::source::{FoundItems, LookedItem, MAX_SAMPLE};

use crate::watching::scan::document::Document;
use crate::watching::scan::sitemap::Entry;

/// The number of items of a document, and the newest ones.
pub(in crate::watching::scan) fn items_of(document: &Document) -> FoundItems {
    match document {
        Document::Feed { items, total, .. } => {
            let sample = items.iter().take(MAX_SAMPLE).map(item).collect();
            FoundItems { items: *total, sample }
        }
        Document::Pages(entries) | Document::Lists(entries) => {
            FoundItems { items: entries.len(), sample: newest(entries) }
        }
        Document::Page { content, links } => {
            let all = std::iter::once(item(content)).chain(links.iter().map(entry));
            FoundItems { items: 1 + links.len(), sample: all.take(MAX_SAMPLE).collect() }
        }
    }
}

fn item(content: &Content) -> LookedItem {
    let url = content.url.as_str().to_owned();
    LookedItem { title: content.title.clone(), url, published_at: content.published_at }
}

fn entry(entry: &Entry) -> LookedItem {
    LookedItem { title: String::new(), url: entry.url.clone(), published_at: entry.changed }
}

fn newest(entries: &[Entry]) -> Vec<LookedItem> {
    let mut entries: Vec<&Entry> = entries.iter().collect();
    entries.sort_by_key(|it| Reverse(it.changed));
    entries.into_iter().take(MAX_SAMPLE).map(entry).collect()
}
