//! `/org/license/{licenseId}/catalog-picture`.

use axum::extract::State;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::{Error, Result, Timestamp};
use grantor_service::licensing::catalog_picture::{self, CatalogPicture, PictureSource};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::envelope::{Data, NoContent};
use super::path_id;
use crate::frame::caller::SignedIn;
use crate::frame::describe::value;
use crate::frame::extract::Segment;
use crate::frame::form::{JsonOrForm, JsonOrImage};
use crate::frame::problem::Problem;
use crate::frame::state::ApiState;

/// The reference image that the catalog gets a copy of.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CatalogPictureChoice {
    /// The ID of a reference image of the license.
    #[schema(inline, value_type = value::Id)]
    image_id: String,
}

/// The picture of a license in the catalog.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsoleCatalogPicture {
    /// The license's ID.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// The picture's ID.
    #[schema(inline, value_type = value::Id)]
    picture_id: String,
    /// The width in pixels, at most 1024.
    width: u32,
    /// The height in pixels, at most 1024.
    height: u32,
    /// The size in bytes.
    bytes: u32,
    /// The SHA-256 hash in hexadecimal.
    sha256: String,
    /// When the picture was set.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<CatalogPicture> for ConsoleCatalogPicture {
    fn from(picture: CatalogPicture) -> Self {
        Self {
            license_id: picture.license.to_string(),
            picture_id: picture.id.to_string(),
            width: picture.width,
            height: picture.height,
            bytes: picture.bytes,
            sha256: picture.sha256,
            created_at: picture.created_at,
        }
    }
}

pub(super) async fn set(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
    JsonOrImage(body): JsonOrImage<CatalogPictureChoice>,
) -> Result<Data<ConsoleCatalogPicture>, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    let picture = catalog_picture::set(&state.app, &context, caller, id, source(body)?).await?;
    Ok(Data(picture.into(), "Catalog picture set"))
}

pub(super) async fn remove(
    State(state): State<ApiState>,
    SignedIn { context, caller }: SignedIn,
    Segment(id): Segment,
) -> Result<NoContent, Problem> {
    let id: LicenseId = path_id(&id, "license")?;
    catalog_picture::remove(&state.app, &context, caller, id).await?;
    Ok(NoContent)
}

fn source(body: JsonOrForm<CatalogPictureChoice>) -> Result<PictureSource> {
    match body {
        JsonOrForm::Json(CatalogPictureChoice { image_id }) => {
            let id = image_id.parse::<ImageId>();
            let id = id.map_err(|_| Error::field("imageId", "must be a UUID"))?;
            Ok(PictureSource::Reference(id))
        }
        JsonOrForm::Form(form) => {
            let mut images = form.images;
            match images.pop() {
                None => Err(Error::field("image", "is required")),
                Some(_) if !images.is_empty() => Err(Error::field("image", "must be one image")),
                Some(image) => Ok(PictureSource::Upload(image.bytes)),
            }
        }
    }
}
