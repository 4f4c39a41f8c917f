//! JSON Feed. Not parsed by `feed_rs`, which copies the feed's authors into each item, so that a
//! short document could use any amount of memory.

use std::fmt;

use grantor_domain::Timestamp;
use grantor_domain::content::{Content, ContentUrl};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};
use url::Url;

use super::document::{Draft, NO_FEED, WholeFeed, shape};
use super::page::{self, Picture};

/// Items read per feed.
const MAX_ITEMS: usize = 10_000;
const VERSION: &str = "https://jsonfeed.org/version/1";

#[derive(Deserialize)]
struct Feed {
    #[serde(default)]
    version: String,
    title: Option<String>,
    #[serde(rename = "feed_url")]
    own_url: Option<String>,
    hubs: Option<Bounded<Hub, 10>>,
    items: Option<Bounded<Item, MAX_ITEMS>>,
}

#[derive(Deserialize)]
struct Hub {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    url: String,
}

#[derive(Deserialize)]
struct Item {
    url: Option<String>,
    external_url: Option<String>,
    title: Option<String>,
    content_html: Option<String>,
    content_text: Option<String>,
    summary: Option<String>,
    image: Option<String>,
    banner_image: Option<String>,
    date_published: Option<String>,
    date_modified: Option<String>,
    author: Option<Author>,
    authors: Option<Bounded<Author, 1>>,
    attachments: Option<Bounded<Attachment, 10>>,
}

#[derive(Deserialize)]
struct Author {
    name: Option<String>,
}

#[derive(Deserialize)]
struct Attachment {
    #[serde(default)]
    url: String,
    #[serde(default)]
    mime_type: String,
}

/// The first `MAX` elements of a list; the rest is skipped.
struct Bounded<T, const MAX: usize>(Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Bounded<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Few::<T, MAX>(std::marker::PhantomData))
    }
}

struct Few<T, const MAX: usize>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for Few<T, MAX> {
    type Value = Bounded<T, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut kept = Vec::new();
        while kept.len() < MAX
            && let Some(next) = list.next_element()?
        {
            kept.push(next);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Bounded(kept))
    }
}

/// Reads a feed.
pub(super) fn read(document: &[u8], base: &Url) -> Result<WholeFeed, String> {
    let feed: Feed = serde_json::from_slice(document)
        .map_err(|error| format!("it is not well-formed JSON: {error}"))?;
    if !feed.version.starts_with(VERSION) {
        return Err(NO_FEED.to_owned());
    }
    let mut hubs = each(feed.hubs).filter(|it| it.kind.eq_ignore_ascii_case("websub"));
    Ok(WholeFeed {
        title: feed.title.map(|it| page::plain(&it)),
        hub: hubs.find_map(|it| base.join(&it.url).ok()),
        topic: feed.own_url.and_then(|it| base.join(&it).ok()),
        items: each(feed.items).filter_map(|item| content(item, base)).collect(),
    })
}

fn each<T, const MAX: usize>(list: Option<Bounded<T, MAX>>) -> impl Iterator<Item = T> {
    list.into_iter().flat_map(|it| it.0)
}

fn content(item: Item, base: &Url) -> Option<Content> {
    let url = item.url.or(item.external_url).and_then(|it| ContentUrl::join(base, &it).ok())?;
    let text = [item.content_html, item.content_text, item.summary].into_iter().flatten();
    let attached =
        each(item.attachments).filter(|it| it.mime_type.starts_with("image/")).map(|it| it.url);
    let named = item.image.or(item.banner_image).into_iter().chain(attached);
    let author = each(item.authors).chain(item.author).find_map(|it| it.name);
    let dates = [item.date_published, item.date_modified].into_iter().flatten();
    let draft = Draft {
        url,
        title: item.title.map(|it| page::plain(&it)).unwrap_or_default(),
        text: text.into_iter().find(|it| !it.trim().is_empty()).unwrap_or_default(),
        pictures: named.map(|url| Picture { url, alt: String::new() }).collect(),
        author,
        published_at: dates.into_iter().find_map(|it| Timestamp::parse(&it).ok()),
    };
    Some(shape(base, draft))
}
