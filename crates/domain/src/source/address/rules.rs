//! The rules per service. To support another service, add a row here and one to the tests.
//!
//! In patterns, `<name>` stands for any text within a label or segment. `<origin>` is the origin of
//! the pasted address.

use super::ApiListing;
use crate::source::HostedService;

/// Which listing of a service's own API has the items, and the part of the address that names it.
pub(super) type ListedBy = (fn(String) -> ApiListing, &'static str);

/// A rule: addresses that fit one of the hosts and one of the paths.
pub(super) struct Rule {
    pub(super) service: HostedService,
    pub(super) hosts: &'static [&'static str],
    pub(super) paths: &'static [&'static str],
    /// The addresses to fetch, in order.
    pub(super) fetch: &'static [&'static str],
    /// The canonical address of the profile.
    pub(super) profile: Option<&'static str>,
    pub(super) push: Option<Push>,
    pub(super) forbidden_by_robots: bool,
    /// What the service's official API lists, and of what.
    pub(super) api: Option<ListedBy>,
    pub(super) note: Option<&'static str>,
}

/// A hub that the feeds of a service do not name.
#[derive(Clone, Copy)]
pub(super) struct Push {
    pub(super) hub: &'static str,
    pub(super) topic: &'static str,
}

/// Addresses that cannot be watched, and what to do instead.
pub(super) struct WithoutFeed {
    pub(super) hosts: &'static [&'static str],
    pub(super) paths: &'static [&'static str],
    pub(super) reason: &'static str,
}

const BLUESKY: &[&str] = &["bsky.app", "www.bsky.app"];
const YOUTUBE: &[&str] = &["www.youtube.com", "youtube.com", "m.youtube.com"];
const REDDIT: &[&str] = &["www.reddit.com", "reddit.com", "old.reddit.com", "new.reddit.com"];
const GITHUB: &[&str] = &["github.com", "www.github.com"];
const MEDIUM: &[&str] = &["medium.com", "www.medium.com"];

const BLUESKY_NOTE: &str = "Bluesky's feed contains the text of posts, but no pictures";
const YOUTUBE_NOTE: &str = "YouTube's robots.txt does not allow reading its feeds. New videos are \
                            checked when YouTube announces them.";

/// What most rules have in common.
const PLAIN: Rule = Rule {
    service: HostedService::Mastodon,
    hosts: &[],
    paths: &[],
    fetch: &[],
    profile: None,
    push: None,
    forbidden_by_robots: false,
    api: None,
    note: None,
};

/// The rules, most specific first: the last ones fit any host.
pub(super) const RULES: &[Rule] = &[
    Rule {
        service: HostedService::Bluesky,
        hosts: BLUESKY,
        paths: &["/profile/<name>/*"],
        fetch: &["https://bsky.app/profile/<name>/rss"],
        profile: Some("https://bsky.app/profile/<name>"),
        note: Some(BLUESKY_NOTE),
        ..PLAIN
    },
    Rule {
        service: HostedService::Bluesky,
        hosts: &["<name>.bsky.social"],
        paths: &["/"],
        fetch: &["https://bsky.app/profile/<name>.bsky.social/rss"],
        profile: Some("https://bsky.app/profile/<name>.bsky.social"),
        note: Some(BLUESKY_NOTE),
        ..PLAIN
    },
    // The hub is not named by the feed, and only accepts topics with `/xml/`.
    Rule {
        service: HostedService::YouTube,
        hosts: YOUTUBE,
        paths: &[
            "/channel/UC<id>/*",
            "/feeds/videos.xml?channel_id=UC<id>",
            "/xml/feeds/videos.xml?channel_id=UC<id>",
        ],
        fetch: &["https://www.youtube.com/feeds/videos.xml?channel_id=UC<id>"],
        profile: Some("https://www.youtube.com/channel/UC<id>"),
        push: Some(Push {
            hub: "https://pubsubhubbub.appspot.com/",
            topic: "https://www.youtube.com/xml/feeds/videos.xml?channel_id=UC<id>",
        }),
        forbidden_by_robots: true,
        api: Some((ApiListing::YouTubeChannel, "UC<id>")),
        note: Some(YOUTUBE_NOTE),
    },
    // These pages name the feed of the channel, with its ID.
    Rule {
        service: HostedService::YouTube,
        hosts: YOUTUBE,
        paths: &["/@<handle>/*"],
        fetch: &["https://www.youtube.com/@<handle>"],
        ..PLAIN
    },
    Rule {
        service: HostedService::YouTube,
        hosts: YOUTUBE,
        paths: &["/c/<name>/*"],
        fetch: &["https://www.youtube.com/c/<name>"],
        ..PLAIN
    },
    Rule {
        service: HostedService::YouTube,
        hosts: YOUTUBE,
        paths: &["/user/<name>/*"],
        fetch: &["https://www.youtube.com/user/<name>"],
        ..PLAIN
    },
    Rule {
        service: HostedService::YouTube,
        hosts: YOUTUBE,
        paths: &["/playlist?list=<list>", "/feeds/videos.xml?playlist_id=<list>"],
        fetch: &["https://www.youtube.com/feeds/videos.xml?playlist_id=<list>"],
        profile: Some("https://www.youtube.com/playlist?list=<list>"),
        forbidden_by_robots: true,
        api: Some((ApiListing::YouTubePlaylist, "<list>")),
        ..PLAIN
    },
    Rule {
        service: HostedService::Reddit,
        hosts: REDDIT,
        paths: &["/r/<name>.rss", "/r/<name>/*"],
        fetch: &["https://www.reddit.com/r/<name>/.rss"],
        profile: Some("https://www.reddit.com/r/<name>"),
        forbidden_by_robots: true,
        api: Some((ApiListing::Subreddit, "<name>")),
        ..PLAIN
    },
    Rule {
        service: HostedService::Reddit,
        hosts: REDDIT,
        paths: &["/user/<name>/*", "/u/<name>/*"],
        fetch: &["https://www.reddit.com/user/<name>/.rss"],
        profile: Some("https://www.reddit.com/user/<name>"),
        forbidden_by_robots: true,
        api: Some((ApiListing::RedditUser, "<name>")),
        ..PLAIN
    },
    Rule {
        service: HostedService::GitHub,
        hosts: GITHUB,
        paths: &["/<owner>.atom", "/<owner>"],
        fetch: &["https://github.com/<owner>.atom", "https://github.com/<owner>"],
        profile: Some("https://github.com/<owner>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::GitHub,
        hosts: GITHUB,
        paths: &["/<owner>/<repository>", "/<owner>/<repository>/releases"],
        fetch: &[
            "https://github.com/<owner>/<repository>/releases.atom",
            "https://github.com/<owner>/<repository>",
        ],
        profile: Some("https://github.com/<owner>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::GitHub,
        hosts: GITHUB,
        paths: &["/<owner>/<repository>/<list>.atom"],
        fetch: &["https://github.com/<owner>/<repository>/<list>.atom"],
        profile: Some("https://github.com/<owner>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Tumblr,
        hosts: &["www.tumblr.com", "tumblr.com"],
        paths: &["/blog/<name>", "/<name>"],
        fetch: &["https://<name>.tumblr.com/rss"],
        profile: Some("https://<name>.tumblr.com/"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Tumblr,
        hosts: &["<name>.tumblr.com"],
        paths: &["/", "/rss"],
        fetch: &["https://<name>.tumblr.com/rss"],
        profile: Some("https://<name>.tumblr.com/"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Medium,
        hosts: MEDIUM,
        paths: &["/feed/@<user>", "/@<user>/*"],
        fetch: &["https://medium.com/feed/@<user>"],
        profile: Some("https://medium.com/@<user>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Medium,
        hosts: MEDIUM,
        paths: &["/feed/<publication>", "/<publication>"],
        fetch: &["https://medium.com/feed/<publication>", "https://medium.com/<publication>"],
        profile: Some("https://medium.com/<publication>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Medium,
        hosts: &["<user>.medium.com"],
        paths: &["/", "/feed"],
        fetch: &["https://<user>.medium.com/feed"],
        profile: Some("https://medium.com/@<user>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Substack,
        hosts: &["<name>.substack.com"],
        paths: &["/", "/feed", "/archive", "/about"],
        fetch: &["https://<name>.substack.com/feed"],
        profile: Some("https://<name>.substack.com/"),
        ..PLAIN
    },
    Rule {
        service: HostedService::WordPress,
        hosts: &["<name>.wordpress.com"],
        paths: &["/", "/feed"],
        fetch: &["https://<name>.wordpress.com/feed/"],
        profile: Some("https://<name>.wordpress.com/"),
        ..PLAIN
    },
    // A profile of another server, as Mastodon shows it.
    Rule {
        service: HostedService::Mastodon,
        hosts: &["*"],
        paths: &["/@<user>@<server>", "/web/@<user>@<server>"],
        fetch: &["https://<server>/@<user>.rss", "https://<server>/@<user>"],
        profile: Some("https://<server>/@<user>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Mastodon,
        hosts: &["*"],
        paths: &["/@<user>.rss", "/@<user>", "/web/@<user>", "/users/<user>.rss"],
        fetch: &["<origin>/@<user>.rss", "<origin>/@<user>"],
        profile: Some("<origin>/@<user>"),
        ..PLAIN
    },
    Rule {
        service: HostedService::Mastodon,
        hosts: &["*"],
        paths: &["/tags/<tag>.rss", "/tags/<tag>"],
        fetch: &["<origin>/tags/<tag>.rss", "<origin>/tags/<tag>"],
        profile: Some("<origin>/tags/<tag>"),
        ..PLAIN
    },
];

const ANY: &[&str] = &["/*"];

/// Addresses of services that publish nothing without an account.
pub(super) const WITHOUT_FEED: &[WithoutFeed] = &[
    WithoutFeed {
        hosts: &["www.instagram.com", "instagram.com"],
        paths: ANY,
        reason: "cannot be watched: Instagram publishes no feed and requires an account",
    },
    WithoutFeed {
        hosts: &["www.facebook.com", "facebook.com", "m.facebook.com"],
        paths: ANY,
        reason: "cannot be watched: Facebook publishes no feed and requires an account",
    },
    WithoutFeed {
        hosts: &["x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"],
        paths: ANY,
        reason: "cannot be watched: X publishes no feed and requires an account",
    },
    WithoutFeed {
        hosts: &["www.threads.net", "threads.net", "www.threads.com", "threads.com"],
        paths: ANY,
        reason: "cannot be watched: Threads publishes no feed",
    },
    WithoutFeed {
        hosts: &["www.tiktok.com", "tiktok.com", "vm.tiktok.com"],
        paths: ANY,
        reason: "cannot be watched: TikTok publishes no feed",
    },
    WithoutFeed {
        hosts: &["www.linkedin.com", "linkedin.com"],
        paths: ANY,
        reason: "cannot be watched: LinkedIn publishes no feed and requires an account",
    },
    WithoutFeed {
        hosts: &["podcasts.apple.com", "itunes.apple.com"],
        paths: ANY,
        reason: "is a page of Apple Podcasts, which only lists podcasts. Paste the address of the \
                 podcast's own website or RSS feed",
    },
    WithoutFeed {
        hosts: &["open.spotify.com"],
        paths: ANY,
        reason: "cannot be watched: Spotify publishes no feed. Paste the address of the podcast's \
                 own website or RSS feed",
    },
    WithoutFeed {
        hosts: &["www.youtube.com", "youtube.com", "m.youtube.com"],
        paths: &["/watch", "/shorts/*", "/live/*", "/embed/*"],
        reason: "is a single video. Paste the address of its channel",
    },
    WithoutFeed {
        hosts: &["youtu.be"],
        paths: ANY,
        reason: "is a single video. Paste the address of its channel",
    },
];
