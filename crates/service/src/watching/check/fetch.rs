//! Gathers what a check is about. Addresses are fetched once; nothing is kept.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use grantor_domain::check::CheckInput;
use grantor_domain::content::{Content, ContentUrl, MAX_IMAGES};
use grantor_domain::network::PLAIN_HTTP;
use grantor_domain::{Error, Result};
use grantor_outbound::header::CONTENT_TYPE;
use grantor_outbound::{OutboundError, OutboundRequest, OutboundResponse, Purpose};
use tokio::time::timeout;

use super::{PLAIN, about_picture};
use crate::App;
use crate::watching::likeness::{self, Seen};
use crate::watching::plain_http;
use crate::watching::scan::visit;

/// How long fetching may take, with all pictures of a page.
pub const FETCH_LIMIT: Duration = Duration::from_secs(10);
/// Pictures fetched at the same time.
const CONCURRENT_FETCHES: usize = 4;
/// Why something was not fetched.
const LATE: &str = "took longer than 10 seconds to read";

/// What is searched for talents.
#[derive(Default)]
pub(super) struct Material {
    pub(super) contents: Vec<Content>,
    /// Fetched pictures.
    pub(super) pictures: Vec<Seen>,
    /// A picture that was sent.
    pub(super) upload: Option<Vec<u8>>,
}

/// A picture of a page that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its address.
    pub url: String,
    /// The reason.
    pub reason: String,
}

/// Returns what to search, and what could not be read.
pub(super) async fn gather(app: &App, input: CheckInput) -> Result<(Material, Vec<Skipped>)> {
    let material = match input {
        CheckInput::Image(bytes) => Material { upload: Some(bytes), ..Material::default() },
        CheckInput::Text(text) => {
            Material { contents: vec![of_text(text)?], ..Material::default() }
        }
        CheckInput::ImageUrl(url) => {
            let seen = timeout(FETCH_LIMIT, picture(app, &url)).await;
            let seen = seen.unwrap_or_else(|_| Err(Unread::reason(LATE)));
            let pictures = vec![seen.map_err(|it| it.into_error("image_url"))?];
            Material { pictures, ..Material::default() }
        }
        CheckInput::Url(url) => return visited(app, &url).await,
    };
    Ok((material, vec![]))
}

/// A text by itself. It has no address, but is searched like content that has one.
fn of_text(text: String) -> Result<Content> {
    let url = ContentUrl::parse("https://text.invalid/").map_err(Error::internal)?;
    let (title, images, author, published_at) = (String::new(), vec![], None, None);
    Ok(Content { url, title, text, images, author, published_at })
}

/// Why an address was not read.
enum Unread {
    /// A reason for the caller.
    Reason(String),
    /// An error of this server.
    Internal(Error),
}

impl Unread {
    fn reason(reason: &str) -> Self {
        Self::Reason(reason.to_owned())
    }

    fn into_error(self, field: &'static str) -> Error {
        match self {
            Self::Reason(reason) => Error::field(field, reason),
            Self::Internal(error) => error,
        }
    }
}

impl From<OutboundError> for Unread {
    fn from(error: OutboundError) -> Self {
        Self::Reason(match error {
            OutboundError::Refused(refusal) => refusal.to_string(),
            other => format!("could not be read: {other}"),
        })
    }
}

async fn fetch(app: &App, purpose: Purpose, url: &ContentUrl) -> Result<OutboundResponse, Unread> {
    if plain_http::is_refused(app, purpose, url.as_str()).await {
        return Err(Unread::reason(PLAIN_HTTP));
    }
    let answer = app.outbound.send(purpose, OutboundRequest::get(url.as_str())).await?;
    if answer.status.is_success() {
        return Ok(answer);
    }
    let status = answer.status.as_u16();
    Err(Unread::Reason(format!("could not be read: the server returned status {status}")))
}

async fn picture(app: &App, url: &ContentUrl) -> Result<Seen, Unread> {
    see(app, fetch(app, Purpose::Image, url).await?.body).await
}

async fn see(app: &App, bytes: Vec<u8>) -> Result<Seen, Unread> {
    match likeness::see_within(app, bytes, app.recognition_limits.turn).await {
        Ok(Some(seen)) => Ok(seen),
        Ok(None) => Err(Unread::reason(PLAIN)),
        Err(error) if error.is_refusal() => {
            let error = about_picture("image", error);
            let message = error.fields().values().next().cloned();
            Err(Unread::Reason(message.unwrap_or_default()))
        }
        Err(error) => Err(Unread::Internal(error)),
    }
}

/// Reads a page or a feed with its pictures, or a picture.
async fn visited(app: &App, url: &ContentUrl) -> Result<(Material, Vec<Skipped>)> {
    let field = |unread: Unread| unread.into_error("url");
    let started = app.clock.monotonic();
    let answer = timeout(FETCH_LIMIT, fetch(app, Purpose::Feed, url)).await;
    let answer = answer.unwrap_or_else(|_| Err(Unread::reason(LATE))).map_err(field)?;
    let kind = answer.headers.get(CONTENT_TYPE).and_then(|it| it.to_str().ok()).map(str::to_owned);
    if is_picture(&answer.body, kind.as_deref()) {
        let pictures = vec![see(app, answer.body).await.map_err(field)?];
        return Ok((Material { pictures, ..Material::default() }, vec![]));
    }
    let read = move || visit::read(&answer.body, kind.as_deref(), &answer.url);
    // The parser may panic.
    let read = tokio::task::spawn_blocking(read).await;
    let read = read.unwrap_or_else(|_| Err("it could not be parsed".to_owned()));
    let unreadable = |reason: String| Error::field("url", format!("could not be read: {reason}"));
    let contents = read.map_err(unreadable)?;
    let left = FETCH_LIMIT.saturating_sub(app.clock.monotonic().saturating_sub(started));
    let (pictures, skipped) = pictures(app, &contents, left).await?;
    Ok((Material { contents, pictures, upload: None }, skipped))
}

/// Whether the document is a picture by its type or, because some servers give none, by its first
/// bytes.
fn is_picture(document: &[u8], content_type: Option<&str>) -> bool {
    let begins = [&b"\xff\xd8\xff"[..], b"\x89PNG", b"RIFF"];
    content_type.is_some_and(|it| it.trim_start().starts_with("image/"))
        || begins.iter().any(|it| document.starts_with(it))
}

/// Fetches and reads the pictures of contents. The text is checked even without them.
async fn pictures(
    app: &App,
    contents: &[Content],
    time: Duration,
) -> Result<(Vec<Seen>, Vec<Skipped>)> {
    let mut urls: Vec<ContentUrl> = Vec::new();
    for image in contents.iter().flat_map(|it| &it.images) {
        if urls.len() < MAX_IMAGES && !urls.contains(&image.url) {
            urls.push(image.url.clone());
        }
    }
    // What is not there in time keeps this reason.
    let mut seen: Vec<_> = urls.iter().map(|_| Err(Unread::reason(LATE))).collect();
    let fetched = stream::iter(urls.clone().into_iter().enumerate()).map(|(at, url)| {
        let app = app.clone();
        async move { (at, picture(&app, &url).await) }
    });
    let mut fetched = std::pin::pin!(fetched.buffer_unordered(CONCURRENT_FETCHES));
    let fetching = async {
        while let Some((at, result)) = fetched.next().await {
            seen[at] = result;
        }
    };
    let _in_time = timeout(time, fetching).await;
    let (mut pictures, mut skipped) = (vec![], vec![]);
    for (url, result) in urls.into_iter().zip(seen) {
        match result {
            Ok(seen) => pictures.push(seen),
            Err(Unread::Reason(reason)) => {
                skipped.push(Skipped { url: url.as_str().to_owned(), reason });
            }
            Err(Unread::Internal(error)) => return Err(error),
        }
    }
    Ok((pictures, skipped))
}
