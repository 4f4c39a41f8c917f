//! An address that is watched already, for somebody else: what was last read there is the answer, so
//! that the site gets no further request.

use grantor_domain::source::address::Address;
use grantor_domain::source::{Feed, FeedKind, FoundItems, Looked};

use super::forbidden::KEY_NOTE;
use super::{Found, PAGE_NOTE, SITEMAP_NOTE};

/// What was found at an address, as a look would tell it. The feed is subscribed to its hub already,
/// if it has one.
pub(in crate::watching) fn of_known(address: &Address, feed: Feed, found: FoundItems) -> Found {
    let note = match feed.kind {
        _ if address.forbidden_by_robots => Some(KEY_NOTE),
        FeedKind::Page => Some(PAGE_NOTE),
        FeedKind::Sitemap if feed.url != address.url.as_str() => Some(SITEMAP_NOTE),
        FeedKind::Feed | FeedKind::Sitemap => address.note,
    };
    let looked = Looked {
        title: feed.title,
        kind: feed.kind,
        service: feed.service,
        profile: feed.profile,
        feed_url: feed.url,
        items: found.items,
        sample: found.sample,
        push_only: false,
        note: note.map(str::to_owned),
    };
    Found { url: address.url.to_string(), looked, hub: None }
}
