//! `/org/talent/license/{licenseId}/image`.

use axum::extract::State;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::{Result, Timestamp};
use grantor_service::App;
use grantor_service::licensing::license::{self, Added, Image};
use grantor_service::operations::object_url::{self, SignedUrl};
use grantor_service::watching::likeness::{Hint, LEAST_FEATURES, Resembled};
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
    /// What to know about some of the added images. None of it is an error.
    hints: Vec<ImageHint>,
    /// The added images.
    images: Vec<ConsoleImage>,
}

/// Something to know about an added image.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImageHint {
    /// The ID of the added image.
    #[schema(inline, value_type = value::Id)]
    image_id: String,
    /// Whether the image has so little detail that parts of it cannot be recognized.
    too_plain: bool,
    /// What of the image is recognized in other pictures: `parts` of it and the whole, only the
    /// `whole`, or `none`.
    #[schema(inline)]
    recognized: RecognizedPart,
    /// The number of details (local features) of the image.
    features: u32,
    /// The fewest details of an image that is not too plain.
    least_features: usize,
    /// Images of the organization that it looks like, up to 3. The same files come first.
    resembles: Vec<ResembledImage>,
}

/// What of an image is recognized in other pictures.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RecognizedPart {
    Parts,
    Whole,
    None,
}

impl From<&Hint> for RecognizedPart {
    fn from(hint: &Hint) -> Self {
        if !hint.is_plain() {
            Self::Parts
        } else if hint.is_featureless() {
            Self::None
        } else {
            Self::Whole
        }
    }
}

/// An image that another one looks like.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ResembledImage {
    /// The image's ID.
    #[schema(inline, value_type = value::Id)]
    image_id: String,
    /// The ID of its license.
    #[schema(inline, value_type = value::Id)]
    license_id: String,
    /// The title of its license.
    license_title: String,
    /// Whether both are the same file.
    identical: bool,
}

impl ImageHint {
    /// The hints about those of these images of which there is something to say.
    pub(super) fn all(images: &[Image], hints: Vec<Hint>) -> Vec<Self> {
        let each = images.iter().zip(hints);
        each.filter_map(|(image, hint)| Self::of(image, hint)).collect()
    }

    /// `None` if there is nothing to say.
    fn of(image: &Image, hint: Hint) -> Option<Self> {
        let too_plain = hint.is_plain();
        (too_plain || !hint.resembles.is_empty()).then(|| Self {
            image_id: image.id.to_string(),
            too_plain,
            recognized: RecognizedPart::from(&hint),
            features: hint.features,
            least_features: LEAST_FEATURES,
            resembles: hint.resembles.into_iter().map(ResembledImage::from).collect(),
        })
    }
}

impl From<Resembled> for ResembledImage {
    fn from(Resembled { image, license, title, identical }: Resembled) -> Self {
        Self {
            image_id: image.to_string(),
            license_id: license.to_string(),
            license_title: title,
            identical,
        }
    }
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
    let Added { images, total, hints } = added;
    let body = AddedImages {
        license_id: id.to_string(),
        images_added: images.len(),
        total_images: total,
        hints: ImageHint::all(&images, hints),
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
