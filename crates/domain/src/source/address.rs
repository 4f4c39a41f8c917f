//! What a pasted address stands for: which addresses to fetch for it, and which hosted service and
//! profile it belongs to. The rules of each service are rows of a table.

mod rules;

use url::Url;

use self::rules::{RULES, Rule, WITHOUT_FEED};
use super::HostedService;
use crate::content::ContentUrl;

/// Schemes of links that open a feed reader or a podcast player.
const FEED_SCHEMES: [&str; 4] = ["feed", "pcast", "podcast", "itpc"];

/// A pasted address and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The pasted address, normalized.
    pub url: Url,
    /// The addresses to fetch, in order; the first that can be read is watched. Never empty.
    pub fetch: Vec<Url>,
    /// The hosted service, if the first address can be read or is pushed.
    pub service: Option<HostedService>,
    /// The canonical address of the profile on the hosted service.
    pub profile: Option<String>,
    /// The WebSub hub of the service, where its feeds do not name one.
    pub hub: Option<&'static str>,
    /// The topic to subscribe to at the hub.
    pub topic: Option<String>,
    /// Whether the service's `robots.txt` is known to forbid its feeds: they are never fetched.
    pub forbidden_by_robots: bool,
    /// What the service's official API lists of it, for operators who have a key.
    pub api: Option<ApiListing>,
    /// A remark for the person who pasted the address.
    pub note: Option<&'static str>,
}

/// A list of the official API of a hosted service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApiListing {
    /// The videos of the YouTube channel with this ID.
    YouTubeChannel(String),
    /// The videos of the YouTube playlist with this ID.
    YouTubePlaylist(String),
    /// The posts in the subreddit with this name.
    Subreddit(String),
    /// The posts and comments of the Reddit user with this name.
    RedditUser(String),
}

/// Interprets a pasted address: a URL with or without its scheme, or the name of an account such as
/// `@ada@mastodon.example`. The error message is for the field.
pub fn interpret(pasted: &str) -> Result<Address, String> {
    let url = normalized(pasted)?;
    if let Some(reason) = without_feed(&url) {
        return Err(reason.to_owned());
    }
    let ruled = RULES.iter().find_map(|rule| rule.apply(&url));
    Ok(ruled.unwrap_or_else(|| Address {
        fetch: vec![url.clone()],
        url,
        service: None,
        profile: None,
        hub: None,
        topic: None,
        forbidden_by_robots: false,
        api: None,
        note: None,
    }))
}

/// The picture of a video, for services whose feeds or pushes may name none.
#[must_use]
pub fn video_picture(url: &ContentUrl) -> Option<ContentUrl> {
    let url = Url::parse(url.as_str()).ok()?;
    let mut found = vec![];
    let watched = matches!(url.host_str(), Some("www.youtube.com" | "youtube.com"))
        && (path_fits("/watch?v=<video>", &url, &mut found)
            || path_fits("/shorts/<video>", &url, &mut found));
    let (_, video) = found.first().filter(|(_, it)| watched && is_token(it))?;
    ContentUrl::parse(&format!("https://i.ytimg.com/vi/{video}/hqdefault.jpg")).ok()
}

fn normalized(pasted: &str) -> Result<Url, String> {
    let pasted = pasted.trim();
    let text = account(pasted).unwrap_or_else(|| with_scheme(pasted));
    let content = ContentUrl::parse(&text)?;
    let url = Url::parse(content.as_str()).map_err(|error| error.to_string())?;
    let is_name = url.domain().is_some_and(|it| !it.contains('.'));
    if is_name && !pasted.contains("://") {
        return Err("must be an address such as https://example.com/news".to_owned());
    }
    Ok(url)
}

/// The profile of an account that is written as people write it, such as `@ada@mastodon.example` or
/// `@ada.bsky.social`.
fn account(text: &str) -> Option<String> {
    let account = text.strip_prefix('@')?;
    let (user, host) = account.split_once('@').unwrap_or((account, ""));
    if !user.chars().all(|it| it.is_ascii_alphanumeric() || "_-.".contains(it)) {
        return None;
    }
    if host.is_empty() {
        let bluesky = user.ends_with(".bsky.social");
        return bluesky.then(|| format!("https://bsky.app/profile/{user}"));
    }
    host.contains('.').then(|| format!("https://{host}/@{user}"))
}

/// Completes an address without a scheme, and replaces the schemes of feed readers.
pub(crate) fn with_scheme(text: &str) -> String {
    let scheme = text.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let rest = match text.get(scheme.len() + 1..) {
        Some(rest) if FEED_SCHEMES.contains(&&*scheme) => rest.trim_start_matches('/'),
        _ => text,
    };
    let is_scheme = |it: &str| it.chars().all(|it| it.is_ascii_alphanumeric());
    let complete = rest.split_once("://").is_some_and(|(scheme, _)| is_scheme(scheme));
    if complete { rest.to_owned() } else { format!("https://{rest}") }
}

fn without_feed(url: &Url) -> Option<&'static str> {
    let mut found = vec![];
    let fitting = WITHOUT_FEED.iter().find(|it| {
        it.hosts.iter().any(|host| host_fits(host, url, &mut found))
            && it.paths.iter().any(|path| path_fits(path, url, &mut found))
    });
    fitting.map(|it| it.reason)
}

/// Parts of an address by the names that the pattern gives them.
type Parts = Vec<(&'static str, String)>;

impl Rule {
    fn apply(&self, url: &Url) -> Option<Address> {
        let mut parts = vec![("origin", url.origin().ascii_serialization())];
        let fits = self.hosts.iter().any(|it| host_fits(it, url, &mut parts))
            && self.paths.iter().any(|it| path_fits(it, url, &mut parts));
        if !fits {
            return None;
        }
        let fetch: Result<Vec<Url>, _> =
            self.fetch.iter().map(|it| Url::parse(&fill(it, &parts))).collect();
        let fetch = fetch.ok().filter(|it| it.iter().all(Url::has_host))?;
        Some(Address {
            url: url.clone(),
            fetch,
            service: Some(self.service),
            profile: self.profile.map(|it| fill(it, &parts)),
            hub: self.push.map(|it| it.hub),
            topic: self.push.map(|it| fill(it.topic, &parts)),
            forbidden_by_robots: self.forbidden_by_robots,
            api: self
                .api
                .and_then(|(list, of)| Some(fill(of, &parts)).filter(|it| is_token(it)).map(list)),
            note: self.note,
        })
    }
}

/// Whether a host fits a pattern: `*` fits any host, a part such as `<name>` any one label.
fn host_fits(pattern: &'static str, url: &Url, parts: &mut Parts) -> bool {
    let Some(host) = url.host_str() else { return false };
    if pattern == "*" {
        return true;
    }
    let before = parts.len();
    let fits = url.port().is_none()
        && fits(pattern, host, parts)
        && parts[before..].iter().all(|(_, it)| !it.contains('.') && it != "www");
    if !fits {
        parts.truncate(before);
    }
    fits
}

/// Whether a path fits a pattern. `/*` at its end fits any rest; a query in the pattern must be
/// among the query parameters.
fn path_fits(pattern: &'static str, url: &Url, parts: &mut Parts) -> bool {
    let before = parts.len();
    let (path, query) = pattern.split_once('?').map_or((pattern, None), |(a, b)| (a, Some(b)));
    let fits = segments_fit(path, url.path(), parts)
        && query.is_none_or(|it| query_fits(it, url.query().unwrap_or_default(), parts));
    if !fits {
        parts.truncate(before);
    }
    fits
}

fn segments_fit(pattern: &'static str, path: &str, parts: &mut Parts) -> bool {
    let mut segments = path.split('/').filter(|it| !it.is_empty());
    for expected in pattern.split('/').filter(|it| !it.is_empty()) {
        if expected == "*" {
            return true;
        }
        let Some(segment) = segments.next() else { return false };
        if !fits(expected, segment, parts) {
            return false;
        }
    }
    segments.next().is_none()
}

fn query_fits(pattern: &'static str, query: &str, parts: &mut Parts) -> bool {
    query.split('&').any(|it| {
        let before = parts.len();
        let fits = fits(pattern, it, parts) && parts[before..].iter().all(|(_, it)| is_token(it));
        if !fits {
            parts.truncate(before);
        }
        fits
    })
}

fn is_token(text: &str) -> bool {
    text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'))
}

/// Whether a text fits a pattern of literals and parts in angle brackets. A part is never empty.
fn fits(mut pattern: &'static str, mut text: &str, parts: &mut Parts) -> bool {
    while let Some((literal, rest)) = pattern.split_once('<') {
        let Some(after) = text.strip_prefix(literal) else { return false };
        let Some((name, rest)) = rest.split_once('>') else { return false };
        let next = rest.split('<').next().unwrap_or_default();
        let length = if next.is_empty() {
            Some(after.len())
        } else if next == rest {
            after.strip_suffix(next).map(str::len)
        } else {
            after.find(next)
        };
        let Some(length) = length.filter(|it| *it > 0) else { return false };
        parts.push((name, after[..length].to_owned()));
        (pattern, text) = (rest, &after[length..]);
    }
    pattern == text
}

/// Replaces the names in angle brackets by the parts of an address.
fn fill(template: &str, parts: &[(&'static str, String)]) -> String {
    parts
        .iter()
        .fold(template.to_owned(), |text, (name, value)| text.replace(&format!("<{name}>"), value))
}

#[cfg(test)]
mod tests;
