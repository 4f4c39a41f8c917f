//! Reference images on the wire of the external API, and where they are to be had.

use std::sync::Arc;

use grantor_domain::id::LicenseId;
use grantor_domain::{Result, Timestamp};
use grantor_service::license::{self, Image};
use grantor_service::object_url::{self, Issued};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Include, unwritten};
use crate::describe::value;
use crate::frame::settings::ApiState;

/// A reference image.
#[derive(Serialize, ToSchema)]
#[schema(as = ReferenceImage)]
pub(crate) struct ImageBody {
    #[schema(inline, value_type = value::Id)]
    id: String,
    #[schema(inline, value_type = value::ImageTypeName)]
    content_type: &'static str,
    width: u32,
    height: u32,
    bytes: u32,
    sha256: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// With `include_image_urls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url: Option<String>,
    /// With `include_image_urls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(inline, nullable = false, value_type = Option<value::Instant>)]
    url_expires_at: Option<Timestamp>,
}

/// Where a reference image is to be had.
#[derive(Serialize, ToSchema)]
pub(crate) struct ImageUrl {
    #[schema(inline, value_type = value::Id)]
    image_id: String,
    url: String,
    #[schema(value_type = String, format = DateTime)]
    url_expires_at: Timestamp,
}

impl ImageBody {
    fn of(image: Image, issued: Option<Issued>) -> Self {
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

/// The images as they were asked for; nothing where they were not.
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

/// The texts of licenses with `image_urls` as the last member of each.
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
            let Issued { url, expires_at } = issued;
            urls.push(ImageUrl { image_id: image.id.to_string(), url, url_expires_at: expires_at });
        }
        let urls = serde_json::to_vec(&urls).map_err(|error| unwritten(&error))?;
        let open = text.strip_suffix(b"}").unwrap_or(&text);
        texts.push([open, b",\"image_urls\":", &urls, b"}"].concat().into());
    }
    Ok(texts)
}
