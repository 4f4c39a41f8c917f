//! Reads one address again, to see whether it still shows a talent.

use grantor_domain::content::{Content, ContentUrl};
use grantor_domain::{Error, Result};
use grantor_outbound::header::HeaderMap;
use grantor_outbound::{OutboundResponse, Purpose};
use url::Url;

use super::fetcher::{FetchError, Fetcher, content_type};
use super::visit;
use crate::App;
use crate::watching::evidence::SeenPicture;
use crate::watching::sighting::Candidate;

/// What is at the address.
pub(in crate::watching) enum Revisited {
    /// Nothing: status 404 or 410.
    Gone,
    /// It could not be read.
    Failed(String),
    /// Content.
    Read {
        /// The content with its pictures.
        candidates: Vec<Candidate>,
        /// Whether no picture is left that may be readable later.
        is_complete: bool,
    },
}

/// Reads an address and its pictures.
pub(in crate::watching) async fn revisit(
    app: &App,
    fetcher: &mut Fetcher,
    url: &Url,
) -> Result<Revisited> {
    let answer = match fetcher.read(Purpose::Feed, url, HeaderMap::new()).await {
        Ok(answer) => answer,
        Err(FetchError::Internal(error)) => return Err(error),
        Err(FetchError::Permanent(_) | FetchError::Temporary(_))
            if matches!(fetcher.last_status(), Some(404 | 410)) =>
        {
            return Ok(Revisited::Gone);
        }
        Err(FetchError::Permanent(reason) | FetchError::Temporary(reason)) => {
            return Ok(Revisited::Failed(reason));
        }
    };
    let kind = content_type(&answer);
    if kind.as_deref().is_some_and(|it| it.trim_start().starts_with("image/")) {
        return picture_itself(app, answer).await;
    }
    let read = move || visit::read(&answer.body, kind.as_deref(), &answer.url);
    // The parser may panic.
    let read = tokio::task::spawn_blocking(read).await;
    let contents = match read.unwrap_or_else(|_| Err("it could not be parsed".to_owned())) {
        Ok(contents) => contents,
        Err(reason) => return Ok(Revisited::Failed(reason)),
    };
    let (mut candidates, mut is_complete) = (Vec::with_capacity(contents.len()), true);
    for content in contents {
        let mut pictures = vec![];
        for image in &content.images {
            let Ok(url) = Url::parse(image.url.as_str()) else { continue };
            match fetcher.read(Purpose::Image, &url, HeaderMap::new()).await {
                Ok(answer) => pictures.extend(seen(app, &url, answer.body).await?),
                Err(FetchError::Internal(error)) => return Err(error),
                // A picture that cannot be read shows nobody, unless it may be there later.
                Err(FetchError::Permanent(_)) => {}
                Err(FetchError::Temporary(_)) => is_complete = false,
            }
        }
        candidates.push(Candidate { content, pictures, capture: None });
    }
    Ok(Revisited::Read { candidates, is_complete })
}

/// An address that is a picture.
async fn picture_itself(app: &App, answer: OutboundResponse) -> Result<Revisited> {
    let url = ContentUrl::parse(answer.url.as_str()).map_err(Error::internal)?;
    let (title, text, images, author, published_at) = Default::default();
    let content = Content { url, title, text, images, author, published_at };
    Ok(match seen(app, &answer.url, answer.body).await? {
        Some(seen) => Revisited::Read {
            candidates: vec![Candidate { content, pictures: vec![seen], capture: None }],
            is_complete: true,
        },
        None => Revisited::Failed("the picture cannot be compared".to_owned()),
    })
}

/// A picture with what it shows; `None` if it cannot be compared.
async fn seen(app: &App, url: &Url, bytes: Vec<u8>) -> Result<Option<SeenPicture>> {
    let seen = match SeenPicture::find(app, url.as_str(), bytes).await {
        Err(error) if error.is_refusal() => None,
        result => result?,
    };
    Ok(seen.map(|(picture, _)| picture))
}
