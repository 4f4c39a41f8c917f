//! The YouTube Data API v3: the uploads of a channel, or a playlist.

use grantor_domain::Timestamp;
use grantor_domain::content::{Content, ContentUrl};
use grantor_domain::source::HostedService;
use grantor_outbound::header::{HeaderMap, HeaderName};
use grantor_outbound::{OutboundRequest, OutboundResponse, StatusCode};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use url::Url;

use super::{ApiAnswer, is_id, refused, secret_header, unreadable};
use crate::watching::scan::document::{Draft, escaped, shape};
use crate::watching::scan::fetcher::{FetchError, Fetcher};
use crate::watching::scan::page::Picture;

const SERVICE: HostedService = HostedService::YouTube;
/// Google's APIs accept a key in this header instead of the query.
const KEY: HeaderName = HeaderName::from_static("x-goog-api-key");
/// The most that one request returns.
const MAX_RESULTS: &str = "50";

/// YouTube's API with the operator's key.
#[derive(Clone)]
pub struct YouTubeApi {
    base: String,
    key: SecretString,
}

impl YouTubeApi {
    /// Where YouTube serves the API.
    pub const BASE: &'static str = "https://www.googleapis.com/youtube/v3";

    /// Creates a client for the API at this base URL.
    #[must_use]
    pub fn new(base: &str, key: SecretString) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), key }
    }

    pub(super) fn endpoint(&self) -> &str {
        &self.base
    }

    /// The newest uploads of a channel, which are a playlist of their own.
    pub(super) async fn channel(
        &self,
        fetcher: &mut Fetcher,
        id: &str,
    ) -> Result<ApiAnswer, FetchError> {
        let query = [("part", "snippet,contentDetails"), ("id", id)];
        let answer = self.get(fetcher, "channels", &query).await?;
        let Found::<Channel> { items } = parse(&answer.body).map_err(FetchError::Temporary)?;
        let nobody = || FetchError::Permanent("YouTube has no such channel".to_owned());
        let Channel { snippet, content_details } = items.into_iter().next().ok_or_else(nobody)?;
        let uploads = content_details.related_playlists.uploads;
        let answer = self.playlist(fetcher, &uploads).await?;
        Ok(ApiAnswer { title: snippet.title, ..answer })
    }

    /// The items of a playlist.
    pub(super) async fn playlist(
        &self,
        fetcher: &mut Fetcher,
        id: &str,
    ) -> Result<ApiAnswer, FetchError> {
        let part = ("part", "snippet,contentDetails");
        let query = [part, ("maxResults", MAX_RESULTS), ("playlistId", id)];
        let response = self.get(fetcher, "playlistItems", &query).await?;
        Ok(ApiAnswer { title: None, response })
    }

    pub(super) async fn playlist_title(
        &self,
        fetcher: &mut Fetcher,
        id: &str,
    ) -> Result<Option<String>, FetchError> {
        let answer = self.get(fetcher, "playlists", &[("part", "snippet"), ("id", id)]).await?;
        let Found::<Playlist> { items } = parse(&answer.body).map_err(FetchError::Temporary)?;
        Ok(items.into_iter().next().and_then(|it| it.snippet.title))
    }

    async fn get(
        &self,
        fetcher: &mut Fetcher,
        resource: &str,
        query: &[(&str, &str)],
    ) -> Result<OutboundResponse, FetchError> {
        let url = Url::parse_with_params(&format!("{}/{resource}", self.base), query);
        let url = url.map_err(|error| FetchError::Permanent(error.to_string()))?;
        let mut headers = HeaderMap::new();
        headers.insert(KEY, secret_header(self.key.expose_secret())?);
        let request = OutboundRequest { headers, ..OutboundRequest::get(url) };
        let answer = fetcher.call(request).await?;
        match answer.status {
            StatusCode::OK => Ok(answer),
            _ => Err(refused(SERVICE, &answer, reason(&answer.body))),
        }
    }
}

/// A response with a list of resources. The list is missing if there are none.
#[derive(Deserialize)]
struct Found<T> {
    #[serde(default = "Vec::new")]
    items: Vec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Channel {
    snippet: Title,
    content_details: ChannelDetails,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChannelDetails {
    related_playlists: RelatedPlaylists,
}

#[derive(Deserialize)]
struct RelatedPlaylists {
    uploads: String,
}

#[derive(Deserialize)]
struct Playlist {
    snippet: Title,
}

#[derive(Deserialize)]
struct Title {
    title: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlaylistItem {
    snippet: Snippet,
    content_details: Option<VideoDetails>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Snippet {
    #[serde(default)]
    title: String,
    #[serde(default)]
    description: String,
    /// When the video was added to the playlist.
    published_at: Option<String>,
    channel_title: Option<String>,
    video_owner_channel_title: Option<String>,
    resource_id: ResourceId,
    #[serde(default)]
    thumbnails: Thumbnails,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceId {
    #[serde(default)]
    video_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct VideoDetails {
    /// Missing for videos that are deleted or private.
    video_published_at: Option<String>,
}

#[derive(Default, Deserialize)]
struct Thumbnails {
    high: Option<Thumbnail>,
    medium: Option<Thumbnail>,
    #[serde(rename = "default")]
    small: Option<Thumbnail>,
}

#[derive(Deserialize)]
struct Thumbnail {
    url: String,
}

/// Reads the items of a playlist. The error message is shown to users.
pub(super) fn read(body: &[u8]) -> Result<Vec<Content>, String> {
    let Found::<PlaylistItem> { items } = parse(body)?;
    let base = Url::parse("https://www.youtube.com/").map_err(|error| error.to_string())?;
    Ok(items.into_iter().filter_map(|item| content(item, &base)).collect())
}

fn content(item: PlaylistItem, base: &Url) -> Option<Content> {
    let PlaylistItem { snippet, content_details } = item;
    let id = Some(snippet.resource_id.video_id).filter(|it| is_id(it))?;
    let Thumbnails { high, medium, small } = snippet.thumbnails;
    let picture = high.or(medium).or(small).map(|it| Picture { url: it.url, alt: String::new() });
    let author = snippet.video_owner_channel_title.or(snippet.channel_title);
    let published = content_details.and_then(|it| it.video_published_at).or(snippet.published_at);
    let draft = Draft {
        url: ContentUrl::parse(&format!("https://www.youtube.com/watch?v={id}")).ok()?,
        title: snippet.title,
        text: escaped(&snippet.description),
        pictures: picture.into_iter().collect(),
        author: author.map(|it| escaped(&it)),
        published_at: published.and_then(|it| Timestamp::parse(&it).ok()),
    };
    Some(shape(base, draft))
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<Found<T>, String> {
    serde_json::from_slice(body).map_err(|error| unreadable(SERVICE, &error))
}

/// The reason that an error response names, such as `quotaExceeded`.
fn reason(body: &[u8]) -> Option<String> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    let reason = answer.pointer("/error/errors/0/reason").or(answer.pointer("/error/status"))?;
    reason.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A response as the reference documents it: `playlistItems.list` with `snippet` and
    /// `contentDetails`. The second video is private, the third item is no video.
    const ITEMS: &str = r#"{
      "kind": "youtube#playlistItemListResponse",
      "etag": "x1",
      "nextPageToken": "EAAaBlBUOkNESQ",
      "pageInfo": { "totalResults": 3, "resultsPerPage": 50 },
      "items": [
        {
          "kind": "youtube#playlistItem",
          "etag": "x2",
          "id": "VVVhYmM",
          "snippet": {
            "publishedAt": "2026-01-02T10:00:05Z",
            "channelId": "UCabc",
            "title": "Grace Hopper <3 & the compiler",
            "description": "With Grace Hopper.\n\nMore: https://example.com/?a=1&b=2",
            "thumbnails": {
              "default": { "url": "https://i.ytimg.com/vi/a-B_1/default.jpg", "width": 120, "height": 90 },
              "high": { "url": "https://i.ytimg.com/vi/a-B_1/hqdefault.jpg", "width": 480, "height": 360 }
            },
            "channelTitle": "Engines",
            "playlistId": "UUabc",
            "position": 0,
            "resourceId": { "kind": "youtube#video", "videoId": "a-B_1" },
            "videoOwnerChannelTitle": "Ada & Co",
            "videoOwnerChannelId": "UCabc"
          },
          "contentDetails": { "videoId": "a-B_1", "videoPublishedAt": "2026-01-02T10:00:00Z" }
        },
        {
          "kind": "youtube#playlistItem",
          "snippet": {
            "publishedAt": "2026-01-01T00:00:00Z",
            "title": "Private video",
            "description": "This video is private.",
            "thumbnails": {},
            "resourceId": { "kind": "youtube#video", "videoId": "zzz" }
          },
          "contentDetails": { "videoId": "zzz" }
        },
        {
          "kind": "youtube#playlistItem",
          "snippet": { "title": "A channel", "resourceId": { "kind": "youtube#channel" } }
        }
      ]
    }"#;

    #[test]
    fn a_playlist_is_read_as_content() {
        let found = read(ITEMS.as_bytes()).unwrap();
        let [first, second] = &found[..] else { panic!("two videos: {found:?}") };
        assert_eq!(first.url.as_str(), "https://www.youtube.com/watch?v=a-B_1");
        assert_eq!(first.title, "Grace Hopper <3 & the compiler");
        let text = "With Grace Hopper.\n\nMore: https://example.com/?a=1&amp;b=2";
        assert_eq!(first.text, text);
        assert_eq!(first.author.as_deref(), Some("Ada & Co"));
        assert_eq!(first.published_at, Timestamp::parse("2026-01-02T10:00:00Z").ok());
        let pictures: Vec<&str> = first.images.iter().map(|it| it.url.as_str()).collect();
        assert_eq!(pictures, ["https://i.ytimg.com/vi/a-B_1/hqdefault.jpg"]);
        assert_eq!(second.title, "Private video");
        assert_eq!(second.published_at, Timestamp::parse("2026-01-01T00:00:00Z").ok());
    }

    #[test]
    fn a_list_may_be_empty_and_nonsense_is_refused() {
        let empty = br#"{ "kind": "youtube#playlistItemListResponse", "pageInfo": {} }"#;
        assert_eq!(read(empty), Ok(vec![]));
        let error = read(b"<html>").unwrap_err();
        assert!(error.starts_with("YouTube's API returned something unexpected"), "{error}");
    }

    #[test]
    fn an_error_names_its_reason() {
        let body = br#"{ "error": { "code": 403, "message": "The request cannot be completed",
            "errors": [{ "message": "x", "domain": "youtube.quota", "reason": "quotaExceeded" }] } }"#;
        assert_eq!(reason(body).as_deref(), Some("quotaExceeded"));
        let body = br#"{ "error": { "code": 400, "message": "x", "status": "INVALID_ARGUMENT" } }"#;
        assert_eq!(reason(body).as_deref(), Some("INVALID_ARGUMENT"));
        assert_eq!(reason(b"oops"), None);
    }
}
