//! Samples written from the published formats of services. None was recorded from a live service.

use super::*;
use crate::watching::scan::compression::tests::pack;

struct Read {
    title: Option<String>,
    hub: Option<String>,
    topic: Option<String>,
    items: Vec<Content>,
}

fn read_sample(document: &str, url: &str) -> Read {
    let base = Url::parse(url).unwrap();
    match read(document.as_bytes(), None, &base).unwrap() {
        Document::Feed { title, hub, topic, items, total } => {
            assert_eq!(items.len(), total);
            Read { title, hub: hub.map(String::from), topic: topic.map(String::from), items }
        }
        other => panic!("{other:?}"),
    }
}

fn image(url: &str, alt: &str) -> ContentImage {
    ContentImage { url: ContentUrl::parse(url).unwrap(), alt: alt.to_owned() }
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

const MASTODON: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:webfeeds="http://webfeeds.org/rss/1.0"
    xmlns:media="http://search.yahoo.com/mrss/">
  <channel>
    <title>Ada Lovelace</title>
    <description>Public posts from @ada@mastodon.example</description>
    <link>https://mastodon.example/@ada</link>
    <image><url>https://files.mastodon.example/avatar.png</url><title>Ada Lovelace</title>
      <link>https://mastodon.example/@ada</link></image>
    <lastBuildDate>Fri, 02 Jan 2026 03:04:05 +0000</lastBuildDate>
    <webfeeds:icon>https://files.mastodon.example/avatar.png</webfeeds:icon>
    <generator>Mastodon v4.3.0</generator>
    <item>
      <guid isPermaLink="true">https://mastodon.example/@ada/1</guid>
      <link>https://mastodon.example/@ada/1</link>
      <pubDate>Fri, 02 Jan 2026 03:04:05 +0000</pubDate>
      <description>&lt;p&gt;With &lt;a href="https://mastodon.example/@grace"&gt;Grace&lt;/a&gt;&lt;/p&gt;</description>
      <media:content url="https://files.mastodon.example/1.jpg" type="image/jpeg" fileSize="9" medium="image">
        <media:rating scheme="urn:simple">nonadult</media:rating>
        <media:description type="plain">Grace Hopper at the engine</media:description>
      </media:content>
      <media:content url="https://files.mastodon.example/2.png" type="image/png" fileSize="9" medium="image">
        <media:rating scheme="urn:simple">nonadult</media:rating>
        <media:description type="plain">The engine</media:description>
      </media:content>
      <media:content url="https://files.mastodon.example/3.mp4" type="video/mp4" fileSize="9" medium="video"/>
      <category>engines</category>
    </item>
  </channel>
</rss>"#;

#[test]
fn mastodon_describes_each_picture() {
    let read = read_sample(MASTODON, "https://mastodon.example/@ada.rss");
    assert_eq!((read.title.as_deref(), read.hub), (Some("Ada Lovelace"), None));
    let expected = Content {
        url: ContentUrl::parse("https://mastodon.example/@ada/1").unwrap(),
        title: String::new(),
        text: r#"<p>With <a href="https://mastodon.example/@grace">Grace</a></p>"#.to_owned(),
        images: vec![
            image("https://files.mastodon.example/1.jpg", "Grace Hopper at the engine"),
            image("https://files.mastodon.example/2.png", "The engine"),
        ],
        author: None,
        published_at: Some(at("2026-01-02T03:04:05Z")),
    };
    assert_eq!(read.items, [expected]);
}

const BLUESKY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel><description>Engines</description>
<link>https://bsky.app/profile/ada.example</link><title>@ada.example - Ada Lovelace</title>
<item><link>https://bsky.app/profile/ada.example/post/3kabc</link>
<description>Grace Hopper &amp; me</description><pubDate>02 Jan 2026 03:04 +0000</pubDate>
<guid isPermaLink="false">at://did:plc:abc/app.bsky.feed.post/3kabc</guid></item>
</channel></rss>"#;

#[test]
fn bluesky_publishes_the_text_of_posts() {
    let read = read_sample(BLUESKY, "https://bsky.app/profile/ada.example/rss");
    assert_eq!(read.title.as_deref(), Some("@ada.example - Ada Lovelace"));
    let [item] = &read.items[..] else { panic!("one post") };
    assert_eq!(item.url.as_str(), "https://bsky.app/profile/ada.example/post/3kabc");
    assert_eq!(item.text, "Grace Hopper & me");
    assert_eq!(item.published_at, Some(at("2026-01-02T03:04:00Z")));
    assert!(item.images.is_empty());
}

/// What YouTube's hub pushes: an entry without description and picture.
const YOUTUBE_PUSH: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns="http://www.w3.org/2005/Atom">
<link rel="hub" href="https://pubsubhubbub.appspot.com"/>
<link rel="self" href="https://www.youtube.com/xml/feeds/videos.xml?channel_id=UCabc"/>
<title>YouTube video feed</title><updated>2026-01-02T03:04:06.000000000+00:00</updated><entry>
<id>yt:video:a-B_1</id><yt:videoId>a-B_1</yt:videoId><yt:channelId>UCabc</yt:channelId>
<title>Grace Hopper explains</title>
<link rel="alternate" href="https://www.youtube.com/watch?v=a-B_1"/>
<author><name>Ada</name><uri>https://www.youtube.com/channel/UCabc</uri></author>
<published>2026-01-02T03:04:05+00:00</published><updated>2026-01-02T03:04:06+00:00</updated>
</entry></feed>"#;

#[test]
fn pushes_of_youtube_are_read() {
    let read = read_sample(YOUTUBE_PUSH, "https://www.youtube.com/feeds/videos.xml");
    assert_eq!(read.hub.as_deref(), Some("https://pubsubhubbub.appspot.com/"));
    let topic = "https://www.youtube.com/xml/feeds/videos.xml?channel_id=UCabc";
    assert_eq!(read.topic.as_deref(), Some(topic));
    let expected = Content {
        url: ContentUrl::parse("https://www.youtube.com/watch?v=a-B_1").unwrap(),
        title: "Grace Hopper explains".to_owned(),
        text: String::new(),
        images: vec![image("https://i.ytimg.com/vi/a-B_1/hqdefault.jpg", "")],
        author: Some("Ada".to_owned()),
        published_at: Some(at("2026-01-02T03:04:05Z")),
    };
    assert_eq!(read.items, [expected]);
    let deleted = r#"<feed xmlns:at="http://purl.org/atompub/tombstones/1.0"
        xmlns="http://www.w3.org/2005/Atom"><at:deleted-entry ref="yt:video:a-B_1"
        when="2026-01-02T03:04:05+00:00"><link href="https://www.youtube.com/watch?v=a-B_1"/>
        <at:by><name>Ada</name><uri>https://www.youtube.com/channel/UCabc</uri></at:by>
        </at:deleted-entry></feed>"#;
    assert!(read_sample(deleted, "https://www.youtube.com/feeds/videos.xml").items.is_empty());
}

/// A feed of YouTube, in case an operator's hub pushes it whole.
#[test]
fn descriptions_of_videos_are_text() {
    let feed = r#"<feed xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
        <id>yt:channel:abc</id><title>Ada</title><entry><id>yt:video:1</id><title>Engines</title>
        <link rel="alternate" href="https://www.youtube.com/watch?v=1"/>
        <published>2026-01-02T03:04:05+00:00</published><media:group>
        <media:title>Engines</media:title>
        <media:content url="https://www.youtube.com/v/1?version=3" type="application/x-shockwave-flash"/>
        <media:thumbnail url="https://i1.ytimg.com/vi/1/hqdefault.jpg" width="480" height="360"/>
        <media:description>With Grace Hopper, 1 &lt; 2</media:description></media:group></entry></feed>"#;
    let read = read_sample(feed, "https://www.youtube.com/feeds/videos.xml");
    assert_eq!(read.items[0].text, "With Grace Hopper, 1 &lt; 2");
    assert_eq!(read.items[0].images, [image("https://i1.ytimg.com/vi/1/hqdefault.jpg", "")]);
}

const REDDIT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<category term="engines" label="r/engines"/><updated>2026-01-02T03:04:05+00:00</updated>
<id>/r/engines/.rss</id>
<link rel="self" href="https://www.reddit.com/r/engines/.rss" type="application/atom+xml"/>
<link rel="alternate" href="https://www.reddit.com/r/engines/" type="text/html"/>
<title>Engines</title>
<entry><author><name>/u/ada</name><uri>https://www.reddit.com/user/ada</uri></author>
<category term="engines" label="r/engines"/>
<content type="html">&lt;a href=&quot;https://i.redd.it/1.jpg&quot;&gt;[link]&lt;/a&gt; Grace Hopper</content>
<id>t3_1</id><media:thumbnail url="https://b.thumbs.redditmedia.com/1.jpg"/>
<link href="https://www.reddit.com/r/engines/comments/1/title/"/>
<updated>2026-01-02T03:04:05+00:00</updated><published>2026-01-02T03:04:05+00:00</published>
<title>Grace Hopper</title></entry></feed>"#;

#[test]
fn posts_of_reddit_are_read() {
    let read = read_sample(REDDIT, "https://www.reddit.com/r/engines/.rss");
    assert_eq!(read.title.as_deref(), Some("Engines"));
    assert_eq!(read.topic.as_deref(), Some("https://www.reddit.com/r/engines/.rss"));
    let [item] = &read.items[..] else { panic!("one post") };
    assert_eq!(item.url.as_str(), "https://www.reddit.com/r/engines/comments/1/title/");
    assert_eq!(item.title, "Grace Hopper");
    assert_eq!(item.author.as_deref(), Some("/u/ada"));
    assert_eq!(item.images, [image("https://b.thumbs.redditmedia.com/1.jpg", "")]);
}

const PODCAST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
    xmlns:podcast="https://podcastindex.org/namespace/1.0"
    xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>Engines &amp; more</title><link>https://pod.example/</link><language>en</language>
<atom:link rel="hub" href="https://hub.example/"/>
<atom:link rel="self" type="application/rss+xml" href="https://pod.example/rss"/>
<itunes:image href="https://pod.example/cover.jpg"/><itunes:category text="History"/>
<itunes:author>Ada</itunes:author><itunes:explicit>false</itunes:explicit>
<item><title>Episode 2</title><guid isPermaLink="false">ep-2</guid>
<enclosure url="https://cdn.example/2.mp3" length="123" type="audio/mpeg"/>
<pubDate>Fri, 02 Jan 2026 03:04:05 GMT</pubDate><itunes:summary>About engines</itunes:summary>
<itunes:image href="https://pod.example/2.jpg"/><itunes:duration>30:00</itunes:duration>
<podcast:person role="guest" href="https://grace.example/">Grace Hopper</podcast:person>
</item></channel></rss>"#;

#[test]
fn episodes_without_a_page_are_read() {
    let read = read_sample(PODCAST, "https://pod.example/rss");
    assert_eq!(read.title.as_deref(), Some("Engines & more"));
    assert_eq!(read.hub.as_deref(), Some("https://hub.example/"));
    assert_eq!(read.topic.as_deref(), Some("https://pod.example/rss"));
    let [item] = &read.items[..] else { panic!("one episode") };
    assert_eq!(item.url.as_str(), "https://cdn.example/2.mp3");
    assert_eq!(item.title, "Episode 2");
    assert_eq!(item.text, "About engines<p>Grace Hopper</p>");
    assert_eq!(item.images, [image("https://pod.example/2.jpg", "")]);
}

#[test]
fn json_feeds_name_their_hub() {
    let feed = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "Ada <b>&amp;</b> more",
        "feed_url": "/feed.json", "hubs": [{"type": "rssCloud", "url": "https://cloud.example/"},
        {"type": "WebSub", "url": "https://hub.example/"}],
        "items": [{"id": "1", "url": "/1", "content_text": "Grace", "image": "/1.jpg",
        "attachments": [{"url": "/2.jpg", "mime_type": "image/jpeg"},
        {"url": "/2.mp3", "mime_type": "audio/mpeg"}]}]}"#;
    let read = read_sample(feed, "https://ada.example/feed.json");
    assert_eq!(read.title.as_deref(), Some("Ada & more"));
    assert_eq!(read.hub.as_deref(), Some("https://hub.example/"));
    assert_eq!(read.topic.as_deref(), Some("https://ada.example/feed.json"));
    let pictures = ["https://ada.example/1.jpg", "https://ada.example/2.jpg"];
    assert_eq!(read.items[0].images, pictures.map(|it| image(it, "")));
}

#[test]
fn compressed_sitemaps_and_feeds_are_read() {
    let sitemap = br#"<?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://a.example/1</loc><lastmod>2026-01-02</lastmod></url></urlset>"#;
    let base = Url::parse("https://a.example/sitemap.xml.gz").unwrap();
    let kind = Some("application/x-gzip");
    let expected = vec![Entry {
        url: "https://a.example/1".to_owned(),
        changed: Some(at("2026-01-02T00:00:00Z")),
    }];
    assert_eq!(read(&pack(sitemap), kind, &base).unwrap(), Document::Pages(expected));
    let feed = read(&pack(MASTODON.as_bytes()), kind, &base).unwrap();
    assert!(matches!(feed, Document::Feed { total: 1, .. }));
}

#[test]
fn pages_are_read_where_they_may_be() {
    let base = Url::parse("https://a.example/news").unwrap();
    let html = Some("text/html; charset=utf-8");
    let page = b"<title>News</title><p>Ada <img src='/1.jpg' alt='Grace'><a href='/2'>x</a>";
    for document in [page.to_vec(), pack(page), [&b"<!doctype html>"[..], page].concat()] {
        let Document::Page { content, links } = read_any(&document, html, &base).unwrap() else {
            panic!("a page")
        };
        assert_eq!((&*content.title, &*content.text), ("News", "Ada x"));
        assert_eq!(content.url.as_str(), "https://a.example/news");
        assert_eq!(content.images, [image("https://a.example/1.jpg", "Grace")]);
        assert_eq!(links, [Entry { url: "https://a.example/2".to_owned(), changed: None }]);
        assert!(read(&document, html, &base).is_err());
    }
    let feed = read_any(BLUESKY.as_bytes(), html, &base).unwrap();
    assert!(matches!(feed, Document::Feed { total: 1, .. }), "feeds are often sent as HTML");
    let error = read_any(b"Not found", Some("text/plain"), &base).unwrap_err();
    assert_eq!(error, NO_FEED);
}
