use std::collections::HashSet;

use super::*;
use HostedService::{
    Bluesky, GitHub, Mastodon, Medium, Reddit, Substack, Tumblr, WordPress, YouTube,
};

/// What is pasted, what is fetched for it first, the service and the profile.
const ROWS: &[(&str, &str, HostedService, Option<&str>)] = &[
    (
        "https://mastodon.example/@ada",
        "https://mastodon.example/@ada.rss",
        Mastodon,
        Some("https://mastodon.example/@ada"),
    ),
    (
        "@ada@mastodon.example",
        "https://mastodon.example/@ada.rss",
        Mastodon,
        Some("https://mastodon.example/@ada"),
    ),
    (
        "https://mastodon.example/@ada.rss",
        "https://mastodon.example/@ada.rss",
        Mastodon,
        Some("https://mastodon.example/@ada"),
    ),
    (
        "https://other.example/web/@ada@mastodon.example",
        "https://mastodon.example/@ada.rss",
        Mastodon,
        Some("https://mastodon.example/@ada"),
    ),
    (
        "http://127.0.0.1:8080/@ada/",
        "http://127.0.0.1:8080/@ada.rss",
        Mastodon,
        Some("http://127.0.0.1:8080/@ada"),
    ),
    (
        "mastodon.example/tags/engine",
        "https://mastodon.example/tags/engine.rss",
        Mastodon,
        Some("https://mastodon.example/tags/engine"),
    ),
    (
        "https://bsky.app/profile/ada.example/post/3kabc",
        "https://bsky.app/profile/ada.example/rss",
        Bluesky,
        Some("https://bsky.app/profile/ada.example"),
    ),
    (
        "https://bsky.app/profile/did:plc:abc/rss",
        "https://bsky.app/profile/did:plc:abc/rss",
        Bluesky,
        Some("https://bsky.app/profile/did:plc:abc"),
    ),
    (
        "@ada.bsky.social",
        "https://bsky.app/profile/ada.bsky.social/rss",
        Bluesky,
        Some("https://bsky.app/profile/ada.bsky.social"),
    ),
    (
        "ada.bsky.social",
        "https://bsky.app/profile/ada.bsky.social/rss",
        Bluesky,
        Some("https://bsky.app/profile/ada.bsky.social"),
    ),
    (
        "https://m.youtube.com/channel/UCabc-_123/videos",
        "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc-_123",
        YouTube,
        Some("https://www.youtube.com/channel/UCabc-_123"),
    ),
    (
        "https://www.youtube.com/feeds/videos.xml?x=y&channel_id=UCabc",
        "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc",
        YouTube,
        Some("https://www.youtube.com/channel/UCabc"),
    ),
    ("youtube.com/@ada/videos", "https://www.youtube.com/@ada", YouTube, None),
    ("https://www.youtube.com/c/Ada", "https://www.youtube.com/c/Ada", YouTube, None),
    ("https://www.youtube.com/user/ada", "https://www.youtube.com/user/ada", YouTube, None),
    (
        "https://www.youtube.com/playlist?list=PLabc",
        "https://www.youtube.com/feeds/videos.xml?playlist_id=PLabc",
        YouTube,
        Some("https://www.youtube.com/playlist?list=PLabc"),
    ),
    (
        "https://old.reddit.com/r/Engines/top/",
        "https://www.reddit.com/r/Engines/.rss",
        Reddit,
        Some("https://www.reddit.com/r/Engines"),
    ),
    (
        "https://www.reddit.com/r/Engines.rss",
        "https://www.reddit.com/r/Engines/.rss",
        Reddit,
        Some("https://www.reddit.com/r/Engines"),
    ),
    (
        "reddit.com/u/ada",
        "https://www.reddit.com/user/ada/.rss",
        Reddit,
        Some("https://www.reddit.com/user/ada"),
    ),
    ("github.com/ada", "https://github.com/ada.atom", GitHub, Some("https://github.com/ada")),
    (
        "https://github.com/ada/engine",
        "https://github.com/ada/engine/releases.atom",
        GitHub,
        Some("https://github.com/ada"),
    ),
    (
        "https://github.com/ada/engine/commits.atom",
        "https://github.com/ada/engine/commits.atom",
        GitHub,
        Some("https://github.com/ada"),
    ),
    (
        "https://ada.tumblr.com",
        "https://ada.tumblr.com/rss",
        Tumblr,
        Some("https://ada.tumblr.com/"),
    ),
    (
        "https://www.tumblr.com/ada",
        "https://ada.tumblr.com/rss",
        Tumblr,
        Some("https://ada.tumblr.com/"),
    ),
    (
        "https://medium.com/@ada/on-engines-1",
        "https://medium.com/feed/@ada",
        Medium,
        Some("https://medium.com/@ada"),
    ),
    (
        "https://medium.com/engines",
        "https://medium.com/feed/engines",
        Medium,
        Some("https://medium.com/engines"),
    ),
    ("ada.medium.com", "https://ada.medium.com/feed", Medium, Some("https://medium.com/@ada")),
    (
        "https://ada.substack.com/archive",
        "https://ada.substack.com/feed",
        Substack,
        Some("https://ada.substack.com/"),
    ),
    (
        "https://ada.wordpress.com/feed/",
        "https://ada.wordpress.com/feed/",
        WordPress,
        Some("https://ada.wordpress.com/"),
    ),
];

#[test]
fn each_service_publishes_its_profiles_as_feeds() {
    for (pasted, fetch, service, profile) in ROWS {
        let address = interpret(pasted).unwrap();
        assert_eq!(address.fetch[0].as_str(), *fetch, "{pasted}");
        assert_eq!(address.service, Some(*service), "{pasted}");
        assert_eq!(address.profile.as_deref(), *profile, "{pasted}");
    }
    let tested: HashSet<HostedService> = ROWS.iter().map(|it| it.2).collect();
    for service in HostedService::ALL {
        assert!(tested.contains(&service), "no row tests {service}");
    }
}

#[test]
fn a_feed_is_interpreted_as_itself() {
    for (pasted, ..) in ROWS {
        let address = interpret(pasted).unwrap();
        if address.profile.is_some() {
            let again = interpret(address.fetch[0].as_str()).unwrap();
            assert_eq!(again.fetch[0], address.fetch[0], "{pasted}");
            assert_eq!(again.profile, address.profile, "{pasted}");
        }
    }
}

#[test]
fn feeds_that_robots_forbid_are_pushed_or_not_watched() {
    let channel = interpret("https://www.youtube.com/channel/UCabc").unwrap();
    assert!(channel.forbidden_by_robots);
    assert_eq!(channel.hub, Some("https://pubsubhubbub.appspot.com/"));
    let topic = "https://www.youtube.com/xml/feeds/videos.xml?channel_id=UCabc";
    assert_eq!(channel.topic.as_deref(), Some(topic));
    for pasted in ["https://www.reddit.com/r/x", "https://www.youtube.com/playlist?list=PLx"] {
        let address = interpret(pasted).unwrap();
        assert!(address.forbidden_by_robots, "{pasted}");
        assert_eq!((address.hub, address.topic), (None, None), "{pasted}");
    }
    let handle = interpret("https://www.youtube.com/@ada").unwrap();
    assert!(!handle.forbidden_by_robots, "the page of a channel may be read");
}

#[test]
fn what_robots_forbid_is_listed_by_the_official_api() {
    for (pasted, listing) in [
        (
            "https://www.youtube.com/channel/UCabc-_1/videos",
            ApiListing::YouTubeChannel("UCabc-_1".to_owned()),
        ),
        (
            "https://www.youtube.com/feeds/videos.xml?channel_id=UCabc",
            ApiListing::YouTubeChannel("UCabc".to_owned()),
        ),
        (
            "https://www.youtube.com/playlist?list=PLabc",
            ApiListing::YouTubePlaylist("PLabc".to_owned()),
        ),
        ("https://old.reddit.com/r/Engines/top/", ApiListing::Subreddit("Engines".to_owned())),
        ("https://www.reddit.com/r/Engines/.rss", ApiListing::Subreddit("Engines".to_owned())),
        ("reddit.com/u/ada_1-2", ApiListing::RedditUser("ada_1-2".to_owned())),
    ] {
        assert_eq!(interpret(pasted).unwrap().api, Some(listing), "{pasted}");
    }
    // What is no name of the service never becomes part of a request.
    for pasted in ["https://www.reddit.com/r/a%2Fb", "https://www.youtube.com/channel/UCa.b"] {
        assert_eq!(interpret(pasted).unwrap().api, None, "{pasted}");
    }
    for (pasted, ..) in ROWS {
        let address = interpret(pasted).unwrap();
        assert_eq!(address.api.is_some(), address.forbidden_by_robots, "{pasted}");
    }
}

#[test]
fn any_other_address_is_fetched_as_it_is() {
    for (pasted, fetched) in [
        ("https://news.example/feed.xml", "https://news.example/feed.xml"),
        (" News.example ", "https://news.example/"),
        ("news.example:8443/a?b=c#d", "https://news.example:8443/a?b=c"),
        ("news.example/?u=https://b.example/", "https://news.example/?u=https://b.example/"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/"),
        ("feed:https://news.example/rss", "https://news.example/rss"),
        ("feed://news.example/rss", "https://news.example/rss"),
        ("podcast://pod.example/rss", "https://pod.example/rss"),
        ("https://www.substack.com/", "https://www.substack.com/"),
        ("https://ada.substack.com/p/engines", "https://ada.substack.com/p/engines"),
        ("https://ada.substack.com/sitemap.xml", "https://ada.substack.com/sitemap.xml"),
        ("https://bsky.app.example/profile/ada", "https://bsky.app.example/profile/ada"),
        ("https://github.com/", "https://github.com/"),
        ("https://www.youtube.com/channel/", "https://www.youtube.com/channel/"),
    ] {
        let address = interpret(pasted).unwrap();
        let urls: Vec<&str> = address.fetch.iter().map(Url::as_str).collect();
        assert_eq!((urls, address.service), (vec![fetched], None), "{pasted}");
    }
}

#[test]
fn what_cannot_be_watched_is_explained() {
    for (pasted, reason) in [
        ("https://www.instagram.com/ada/", "Instagram publishes no feed"),
        ("https://x.com/ada", "X publishes no feed"),
        ("https://www.tiktok.com/@ada", "TikTok publishes no feed"),
        ("https://www.threads.net/@ada", "Threads publishes no feed"),
        ("https://podcasts.apple.com/us/podcast/engines/id1", "podcast's own website or RSS feed"),
        ("https://www.youtube.com/watch?v=abc", "Paste the address of its channel"),
        ("https://youtu.be/abc", "Paste the address of its channel"),
        ("ada", "must be an address such as"),
        ("", "must be a URL such as"),
        ("@ada", "must be an address such as"),
        ("javascript:alert(1)", "must be a URL such as"),
        ("ftp://news.example/feed", "must be a URL such as"),
        ("https://ada:secret@news.example/", "must not contain a user name or password"),
    ] {
        let error = interpret(pasted).unwrap_err();
        assert!(error.contains(reason), "{pasted}: {error}");
    }
}

#[test]
fn no_text_troubles_it() {
    for piece in ["@", "<name>", "{", "%", "/", "https://", "\u{202e}", "a.", "\0", "é@"] {
        let _ = interpret(&piece.repeat(500));
        let _ = interpret(&format!("https://www.youtube.com/{}", piece.repeat(100)));
    }
    let odd = "https://www.youtube.com/feeds/videos.xml?channel_id=UC<id>";
    assert_eq!(interpret(odd).unwrap().service, None);
}

#[test]
fn videos_have_a_picture() {
    let picture = |url: &str| {
        let found = video_picture(&ContentUrl::parse(url).unwrap());
        found.map(|it| it.as_str().to_owned())
    };
    let expected = Some("https://i.ytimg.com/vi/a-B_1/hqdefault.jpg".to_owned());
    assert_eq!(picture("https://www.youtube.com/watch?v=a-B_1&t=5"), expected);
    assert_eq!(picture("https://www.youtube.com/shorts/a-B_1"), expected);
    assert_eq!(picture("https://www.youtube.com/watch?v=..%2F"), None);
    assert_eq!(picture("https://news.example/watch?v=a"), None);
}
