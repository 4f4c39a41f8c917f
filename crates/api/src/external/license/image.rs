//! Reference images and their URLs in the external API.

use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::{Result, Timestamp};
use grantor_service::licensing::license::{self, Image};
use grantor_service::operations::object_url::{self, SignedUrl};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Include, serialization_error};
use crate::frame::describe::value;
use crate::frame::state::ApiState;

/// A reference image.
#[derive(Serialize, ToSchema)]
#[schema(as = ReferenceImage)]
pub(crate) struct ImageBody {
    /// The image's ID.
    #[schema(inline, value_type = value::Id)]
    id: String,
    /// The image's media type.
    #[schema(inline, value_type = value::ImageTypeName)]
    content_type: &'static str,
    /// The width in pixels.
    width: u32,
    /// The height in pixels.
    height: u32,
    /// The size in bytes.
    bytes: u32,
    /// The SHA-256 hash in hexadecimal.
    sha256: String,
    /// When the image was added.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// The pre-signed URL. Only with `include_image_urls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url: Option<String>,
    /// When the URL expires. Only with `include_image_urls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    url_expires_at: Option<Timestamp>,
}

/// The pre-signed URL of a reference image.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImageUrl {
    /// The image's ID.
    #[schema(inline, value_type = value::Id)]
    image_id: String,
    /// The pre-signed URL.
    url: String,
    /// When the URL expires.
    #[schema(value_type = String, format = DateTime)]
    url_expires_at: Timestamp,
}

impl ImageBody {
    fn of(image: Image, issued: Option<SignedUrl>) -> Self {
        let (url, url_expires_at) = issued.map(|it| (it.url, it.expires_at)).unzip();
        Self {
            id: image.id.to_string(),
            content_type: image.content_type.name(),
            width: image.width,
            height: image.height,
            bytes: image.bytes,
            sha256: image.sha256,
            created_at: image.created_at,
            url,
            url_expires_at,
        }
    }
}

/// Returns the images, or `None` if the request does not include them.
pub(super) async fn bodies(
    state: &ApiState,
    include: Include,
    images: Vec<Image>,
) -> Result<Option<Vec<ImageBody>>> {
    if !include.images {
        return Ok(None);
    }
    let mut bodies = Vec::with_capacity(images.len());
    for image in images {
        let issued = if include.urls {
            Some(object_url::issue(&state.app, image.id, image.content_type).await?)
        } else {
            None
        };
        bodies.push(ImageBody::of(image, issued));
    }
    Ok(Some(bodies))
}

/// Appends `image_urls` to the JSON of each license.
pub(super) async fn add_urls(
    state: &ApiState,
    items: Vec<(LicenseId, Arc<[u8]>)>,
) -> Result<Vec<Arc<[u8]>>> {
    let ids = items.iter().map(|(id, _)| *id).collect();
    let mut images = license::images_of(&state.app, ids).await?;
    let mut texts = Vec::with_capacity(items.len());
    for (id, text) in items {
        let mut urls = Vec::new();
        for image in images.remove(&id).unwrap_or_default() {
            let issued = object_url::issue(&state.app, image.id, image.content_type).await?;
            let SignedUrl { url, expires_at } = issued;
            urls.push(ImageUrl { image_id: image.id.to_string(), url, url_expires_at: expires_at });
        }
        let urls = serde_json::to_vec(&urls).map_err(|error| serialization_error(&error))?;
        let open = text.strip_suffix(b"}").unwrap_or(&text);
        texts.push([open, b",\"image_urls\":", &urls, b"}"].concat().into());
    }
    Ok(texts)
}
