//! `/org/talent/license/{licenseId}/image`.

use axum::extract::State;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::{Result, Timestamp};
use grantor_service::App;
use grantor_service::licensing::license::{self, Added, Image};
use grantor_service::operations::object_url::{self, SignedUrl};
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::envelope::{Data, NoContent};
use super::path_id;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::{Segment, Segments};
use crate::frame::form::Form;
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;
use crate::license::expected;

/// A reference image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleImage {
    /// The image's ID.
    #[schema(inline, value_type = value::Id)]
    image_id: String,
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
    /// The pre-signed URL, valid for 1 hour.
    url: String,
    /// When the URL expires.
    #[schema(value_type = String, format = DateTime)]
    url_expires_at: Timestamp,
}

impl ConsoleImage {
    /// Returns the images, each with a URL that is valid for 1 hour.
    pub(super) async fn all(app: &App, images: Vec<Image>) -> Result<Vec<Self>> {
        let mut shown = Vec::with_capacity(images.len());
        for image in images {
            let issued = object_url::issue(app, image.id, image.content_type).await?;
            let SignedUrl { url, expires_at } = issued;
            shown.push(Self {
                image_id: image.id.to_string(),
                content_type: image.content_type.name(),
                width: image.width,
                height: image.height,
                bytes: image.bytes,
                sha256: image.sha256,
                created_at: image.created_at,
                url,
                url_expires_at: expires_at,
            });
        }
        Ok(shown)
    }
}

/// The result of an upload.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddedImages {
    /// The license's ID.
    #[schema(format = "uuid")]
    license_id: String,
    /// The number of added images.
    images_added: usize,
    /// The total number of images of the license.
    total_images: u32,
    /// The added images.
    images: Vec<ConsoleImage>,
}

pub(super) async fn add(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segment(id): Segment,
    Form { images, .. }: Form,
) -> Result<Data<AddedImages>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let added =
        license::add_images(&state.app, &context, caller, id, expected(&headers), images).await?;
    let Added { images, total } = added;
    let body = AddedImages {
        license_id: id.to_string(),
        images_added: images.len(),
        total_images: total,
        images: ConsoleImage::all(&state.app, images).await?,
    };
    Ok(Data(body, "Images added"))
}

pub(super) async fn remove(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segments([license, id]): Segments<2>,
) -> Result<NoContent, Problem> {
    let license: LicenseId = path_id(&license, "license")?;
    let id: ImageId = path_id(&id, "image")?;
    let expected = expected(&headers);
    license::remove_image(&state.app, &context, caller, license, id, expected).await?;
    Ok(NoContent)
}
