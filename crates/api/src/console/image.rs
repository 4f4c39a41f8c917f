//! `/org/talent/license/{licenseId}/image`.

use axum::extract::State;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::{Result, Timestamp};
use grantor_service::App;
use grantor_service::license::{self, Added, Image};
use grantor_service::object_url::{self, Issued};
use http::HeaderMap;
use serde::Serialize;
use utoipa::ToSchema;

use super::envelope::{Fine, Gone};
use super::path_id;
use crate::describe::value;
use crate::frame::caller::SignedIn;
use crate::frame::extract::{Segment, Segments};
use crate::frame::form::Form;
use crate::frame::problem::Problem;
use crate::frame::settings::ApiState;
use crate::license::expected;

/// A reference image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleImage {
    #[schema(inline, value_type = value::Id)]
    image_id: String,
    #[schema(inline, value_type = value::ImageTypeName)]
    content_type: &'static str,
    width: u32,
    height: u32,
    bytes: u32,
    sha256: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    url: String,
    #[schema(value_type = String, format = DateTime)]
    url_expires_at: Timestamp,
}

impl ConsoleImage {
    /// Shows images, each with an address for an hour.
    pub(super) async fn all(app: &App, images: Vec<Image>) -> Result<Vec<Self>> {
        let mut shown = Vec::with_capacity(images.len());
        for image in images {
            let issued = object_url::issue(app, image.id, image.content_type).await?;
            let Issued { url, expires_at } = issued;
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

/// What an upload added.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AddedImages {
    #[schema(format = "uuid")]
    license_id: String,
    images_added: usize,
    /// How many the license has now.
    total_images: u32,
    /// Those that were added.
    images: Vec<ConsoleImage>,
}

pub(super) async fn add(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segment(id): Segment,
    Form { images, .. }: Form,
) -> Result<Fine<AddedImages>, Problem> {
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
    Ok(Fine(body, "The images were added"))
}

pub(super) async fn remove(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    headers: HeaderMap,
    Segments([license, id]): Segments<2>,
) -> Result<Gone, Problem> {
    let license: LicenseId = path_id(&license, "license")?;
    let id: ImageId = path_id(&id, "image")?;
    let expected = expected(&headers);
    license::remove_image(&state.app, &context, caller, license, id, expected).await?;
    Ok(Gone)
}
