//! Reddit's API with application-only OAuth: the newest posts of a subreddit, or what a user posted
//! and commented.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use grantor_domain::Timestamp;
use grantor_domain::content::{Content, ContentUrl};
use grantor_domain::source::HostedService;
use grantor_outbound::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, USER_AGENT};
use grantor_outbound::{OutboundRequest, OutboundResponse, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde_json::Number;
use url::Url;

use super::{ApiAnswer, refused, secret_header, unreadable};
use crate::App;
use crate::watching::scan::document::{Draft, shape};
use crate::watching::scan::fetcher::{FetchError, Fetcher};
use crate::watching::scan::page::Picture;

const SERVICE: HostedService = HostedService::Reddit;
/// The most that one request returns.
const LIMIT: &str = "100";
/// How long before its end a token is replaced.
const MARGIN: Duration = Duration::from_mins(1);

/// Reddit's API with the operator's client.
#[derive(Clone)]
pub struct RedditApi {
    /// Where tokens are issued.
    site: String,
    /// Where tokens are accepted.
    api: String,
    client_id: SecretString,
    client_secret: SecretString,
    /// The token of this node.
    token: Arc<Mutex<Option<Token>>>,
}

/// An access token.
#[derive(Clone)]
struct Token {
    secret: SecretString,
    ends_at: Timestamp,
}

impl RedditApi {
    /// Where Reddit issues tokens.
    pub const SITE: &'static str = "https://www.reddit.com";
    /// Where Reddit serves the API to clients with a token.
    pub const API: &'static str = "https://oauth.reddit.com";

    /// Creates a client for the API at these base URLs.
    #[must_use]
    pub fn new(site: &str, api: &str, id: SecretString, secret: SecretString) -> Self {
        let base = |it: &str| it.trim_end_matches('/').to_owned();
        let (client_id, client_secret) = (id, secret);
        Self { site: base(site), api: base(api), client_id, client_secret, token: Arc::default() }
    }

    pub(super) fn endpoint(&self) -> &str {
        &self.api
    }

    /// The newest posts of a subreddit.
    pub(super) async fn subreddit(
        &self,
        fetcher: &mut Fetcher,
        name: &str,
    ) -> Result<ApiAnswer, FetchError> {
        let response = self.list(fetcher, &format!("/r/{name}/new"), &[]).await?;
        Ok(ApiAnswer { title: Some(format!("r/{name}")), response })
    }

    /// The newest posts and comments of a user.
    pub(super) async fn user(
        &self,
        fetcher: &mut Fetcher,
        name: &str,
    ) -> Result<ApiAnswer, FetchError> {
        let path = format!("/user/{name}/overview");
        let response = self.list(fetcher, &path, &[("sort", "new")]).await?;
        Ok(ApiAnswer { title: Some(format!("u/{name}")), response })
    }

    /// Requests a list, with a new token if the API no longer accepts the known one.
    async fn list(
        &self,
        fetcher: &mut Fetcher,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<OutboundResponse, FetchError> {
        let url = Url::parse_with_params(&format!("{}{path}", self.api), query);
        let mut url = url.map_err(|error| FetchError::Permanent(error.to_string()))?;
        // Without `raw_json`, texts and URLs are escaped as in HTML.
        url.query_pairs_mut().append_pair("limit", LIMIT).append_pair("raw_json", "1");
        let mut answer = self.get(fetcher, &url).await?;
        if answer.status == StatusCode::UNAUTHORIZED {
            self.forget();
            answer = self.get(fetcher, &url).await?;
        }
        match answer.status {
            StatusCode::OK => Ok(answer),
            _ => Err(refused(SERVICE, &answer, reason(&answer.body))),
        }
    }

    async fn get(&self, fetcher: &mut Fetcher, url: &Url) -> Result<OutboundResponse, FetchError> {
        let token = self.token(fetcher).await?;
        let mut headers = identified(fetcher.app());
        let value = format!("bearer {}", token.secret.expose_secret());
        headers.insert(AUTHORIZATION, secret_header(&value)?);
        fetcher.call(OutboundRequest { headers, ..OutboundRequest::get(url.as_str()) }).await
    }

    /// The known token, or a new one.
    async fn token(&self, fetcher: &mut Fetcher) -> Result<Token, FetchError> {
        let now = fetcher.app().clock.now();
        if let Some(known) = self.known().filter(|it| now.plus(MARGIN) < it.ends_at) {
            return Ok(known);
        }
        let mut headers = identified(fetcher.app());
        let (id, secret) = (self.client_id.expose_secret(), self.client_secret.expose_secret());
        let pair = STANDARD.encode(format!("{id}:{secret}"));
        headers.insert(AUTHORIZATION, secret_header(&format!("Basic {pair}"))?);
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        headers.insert(CONTENT_TYPE, form);
        let url = format!("{}/api/v1/access_token", self.site);
        let body = b"grant_type=client_credentials".to_vec();
        let answer = fetcher.call(OutboundRequest::post(url, headers, body)).await?;
        if answer.status != StatusCode::OK {
            return Err(refused(SERVICE, &answer, reason(&answer.body)));
        }
        // An error is a success, too. It is not quoted: a token might be in it.
        let issued = serde_json::from_slice::<Issued>(&answer.body);
        let refusal = || "Reddit did not accept the key of this server".to_owned();
        let issued = issued.map_err(|_| FetchError::Temporary(refusal()))?;
        let ends_at = now.plus(Duration::from_secs(issued.expires_in));
        let token = Token { secret: issued.access_token.into(), ends_at };
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token.clone());
        Ok(token)
    }

    fn known(&self) -> Option<Token> {
        self.token.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn forget(&self) {
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Reddit asks clients to name the program, its version and who runs it.
fn identified(app: &App) -> HeaderMap {
    let agent = format!("server:grantor:{} ({})", env!("CARGO_PKG_VERSION"), app.public_url);
    let agent = HeaderValue::from_str(&agent).ok().map(|it| (USER_AGENT, it));
    agent.into_iter().collect()
}

#[derive(Deserialize)]
struct Issued {
    access_token: String,
    expires_in: u64,
}

#[derive(Deserialize)]
struct Listing {
    data: Children,
}

#[derive(Deserialize)]
struct Children {
    #[serde(default)]
    children: Vec<Child>,
}

#[derive(Deserialize)]
struct Child {
    data: Thing,
}

/// A post or a comment.
#[derive(Deserialize)]
struct Thing {
    #[serde(default)]
    permalink: String,
    /// Of a post.
    title: Option<String>,
    /// The title of the post that a comment is about.
    link_title: Option<String>,
    /// The text of a post as HTML. Links have none.
    selftext_html: Option<String>,
    /// The text of a comment as HTML.
    body_html: Option<String>,
    author: Option<String>,
    created_utc: Option<Number>,
    /// What a post links to: `image` for a picture.
    post_hint: Option<String>,
    url: Option<String>,
    preview: Option<Preview>,
    gallery_data: Option<Gallery>,
    media_metadata: Option<HashMap<String, Media>>,
}

#[derive(Deserialize)]
struct Preview {
    #[serde(default)]
    images: Vec<PreviewImage>,
}

#[derive(Deserialize)]
struct PreviewImage {
    source: SizedImage,
}

#[derive(Deserialize)]
struct SizedImage {
    #[serde(alias = "u")]
    url: Option<String>,
}

#[derive(Deserialize)]
struct Gallery {
    #[serde(default)]
    items: Vec<GalleryItem>,
}

#[derive(Deserialize)]
struct GalleryItem {
    media_id: String,
    caption: Option<String>,
}

#[derive(Deserialize)]
struct Media {
    /// The largest size.
    s: Option<SizedImage>,
}

/// Reads a list. The error message is shown to users.
pub(super) fn read(body: &[u8]) -> Result<Vec<Content>, String> {
    let listing: Listing =
        serde_json::from_slice(body).map_err(|error| unreadable(SERVICE, &error))?;
    let base = Url::parse(RedditApi::SITE).map_err(|error| error.to_string())?;
    let things = listing.data.children.into_iter().map(|it| it.data);
    Ok(things.filter_map(|thing| content(thing, &base)).collect())
}

fn content(mut thing: Thing, base: &Url) -> Option<Content> {
    let path = Some(&thing.permalink).filter(|it| it.starts_with('/') && !it.starts_with("//"))?;
    let url = ContentUrl::join(base, path).ok()?;
    let pictures = pictures(&mut thing);
    let at = thing.created_utc.as_ref().and_then(seconds);
    let draft = Draft {
        url,
        title: thing.title.or(thing.link_title).unwrap_or_default(),
        text: thing.selftext_html.or(thing.body_html).unwrap_or_default(),
        pictures,
        author: thing.author,
        published_at: at.map(Timestamp::from_secs),
    };
    Some(shape(base, draft))
}

/// The pictures of a gallery with their captions, the picture that a post links to, or the preview
/// of what it links to.
fn pictures(thing: &mut Thing) -> Vec<Picture> {
    let mut media = thing.media_metadata.take().unwrap_or_default();
    let items = thing.gallery_data.take().map(|it| it.items).unwrap_or_default();
    let shown = items.into_iter().filter_map(|it| {
        let url = media.remove(&it.media_id)?.s?.url?;
        Some(Picture { url, alt: it.caption.unwrap_or_default() })
    });
    let gallery: Vec<Picture> = shown.collect();
    if !gallery.is_empty() {
        return gallery;
    }
    let linked = thing.url.take().filter(|_| thing.post_hint.as_deref() == Some("image"));
    let preview = thing.preview.take().and_then(|it| it.images.into_iter().next());
    let url = linked.or_else(|| preview.and_then(|it| it.source.url));
    url.into_iter().map(|url| Picture { url, alt: String::new() }).collect()
}

/// Whole seconds. Reddit writes them with a fraction, which is always zero.
fn seconds(number: &Number) -> Option<i64> {
    number.to_string().split('.').next()?.parse().ok()
}

/// The reason that an error response names, such as `private`.
fn reason(body: &[u8]) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    let reason = answer.get("reason").or(answer.get("message"))?;
    reason.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list as the reference documents it, with `raw_json=1`: a text, a picture, a gallery, a link
    /// with a preview, and a comment.
    const LISTING: &str = r#"{
      "kind": "Listing",
      "data": {
        "after": "t3_5", "before": null, "dist": 5, "modhash": null,
        "children": [
          { "kind": "t3", "data": {
            "id": "1", "name": "t3_1", "subreddit": "engines", "title": "Grace Hopper & friends",
            "selftext": "She is *here*.", "is_self": true,
            "selftext_html": "<!-- SC_OFF --><div class=\"md\"><p>She is <em>here</em>.</p></div>",
            "author": "ada", "created_utc": 1767348000.0, "thumbnail": "self",
            "permalink": "/r/engines/comments/1/grace_hopper/",
            "url": "https://www.reddit.com/r/engines/comments/1/grace_hopper/" } },
          { "kind": "t3", "data": {
            "title": "A picture", "selftext_html": null, "author": "ada", "post_hint": "image",
            "created_utc": 1767344400.0, "permalink": "/r/engines/comments/2/a_picture/",
            "url": "https://i.redd.it/a.jpg",
            "preview": { "images": [{ "source": { "url": "https://preview.redd.it/a.jpg?s=1" } }] } } },
          { "kind": "t3", "data": {
            "title": "A gallery", "is_gallery": true, "created_utc": 1767340800,
            "permalink": "/r/engines/comments/3/a_gallery/", "url": "https://www.reddit.com/gallery/3",
            "gallery_data": { "items": [
              { "media_id": "m2", "id": 2, "caption": "On stage" }, { "media_id": "m1", "id": 1 },
              { "media_id": "m3", "id": 3 } ] },
            "media_metadata": {
              "m1": { "status": "valid", "e": "Image", "m": "image/jpg",
                "s": { "x": 9, "y": 9, "u": "https://preview.redd.it/1.jpg?s=1&w=2" } },
              "m2": { "status": "valid", "e": "Image", "s": { "u": "https://preview.redd.it/2.jpg" } },
              "m3": { "status": "failed" } } } },
          { "kind": "t3", "data": {
            "title": "A link", "post_hint": "link", "created_utc": 1767337200.0,
            "permalink": "/r/engines/comments/4/a_link/", "url": "https://news.example/a",
            "preview": { "images": [{ "source": { "url": "https://preview.redd.it/b.jpg" } }] } } },
          { "kind": "t1", "data": {
            "body": "Me too", "body_html": "<div class=\"md\"><p>Me too</p></div>", "author": "bea",
            "link_title": "Grace Hopper & friends", "created_utc": 1767333600.0,
            "permalink": "/r/engines/comments/1/grace_hopper/c1/" } },
          { "kind": "t3", "data": { "title": "No address", "permalink": "//evil.example/x" } }
        ]
      }
    }"#;

    fn pictures_of(content: &Content) -> Vec<(&str, &str)> {
        content.images.iter().map(|it| (it.url.as_str(), it.alt.as_str())).collect()
    }

    #[test]
    fn posts_and_comments_are_read_as_content() {
        let found = read(LISTING.as_bytes()).unwrap();
        let [text, picture, gallery, link, comment] = &found[..] else { panic!("{found:?}") };
        let url = "https://www.reddit.com/r/engines/comments/1/grace_hopper/";
        assert_eq!((text.url.as_str(), text.title.as_str()), (url, "Grace Hopper & friends"));
        assert!(text.text.contains("<p>She is <em>here</em>.</p>"), "{}", text.text);
        assert_eq!(text.author.as_deref(), Some("ada"));
        assert_eq!(text.published_at, Timestamp::parse("2026-01-02T10:00:00Z").ok());
        assert!(pictures_of(text).is_empty());
        assert_eq!(pictures_of(picture), [("https://i.redd.it/a.jpg", "")]);
        let expected = [
            ("https://preview.redd.it/2.jpg", "On stage"),
            ("https://preview.redd.it/1.jpg?s=1&w=2", ""),
        ];
        assert_eq!(pictures_of(gallery), expected);
        assert_eq!(gallery.published_at, Timestamp::parse("2026-01-02T08:00:00Z").ok());
        assert_eq!(pictures_of(link), [("https://preview.redd.it/b.jpg", "")]);
        let title = (comment.title.as_str(), comment.text.contains("<p>Me too</p>"));
        assert_eq!(title, ("Grace Hopper & friends", true));
    }

    #[test]
    fn a_list_may_be_empty_and_nonsense_is_refused() {
        let empty = br#"{ "kind": "Listing", "data": { "children": [], "after": null } }"#;
        assert_eq!(read(empty), Ok(vec![]));
        let error = read(b"<html>").unwrap_err();
        assert!(error.starts_with("Reddit's API returned something unexpected"), "{error}");
    }

    #[test]
    fn an_error_names_its_reason() {
        let body = br#"{ "reason": "private", "message": "Forbidden", "error": 403 }"#;
        assert_eq!(reason(body).as_deref(), Some("private"));
        let body = br#"{ "message": "Unauthorized", "error": 401 }"#;
        assert_eq!(reason(body).as_deref(), Some("Unauthorized"));
        assert_eq!(reason(b"oops"), None);
    }
}
