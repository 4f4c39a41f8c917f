//! Reference images of a license.

use grantor_domain::Result;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_service::App;
use grantor_service::licensing::license::{self, Expected, Image};
use maud::{Markup, html};

use super::show::{Forms, redisplay};
use crate::frame::{FormData, Outcome, Person, Segment, Segments};
use crate::image_url;
use crate::view::field::upload_form;
use crate::view::{card, confirm, files};

/// An image with its URLs.
pub(super) struct ImageView {
    pub(super) image: Image,
    pub(super) thumbnail: String,
    pub(super) original: String,
}

/// Issues the URLs of all images.
pub(super) async fn image_views(app: &App, images: Vec<Image>) -> Result<Vec<ImageView>> {
    let mut shown = Vec::with_capacity(images.len());
    for image in images {
        let thumbnail = image_url::thumbnail(app, image.id).await?;
        let original = image_url::original(app, &image).await?;
        shown.push(ImageView { image, thumbnail, original });
    }
    Ok(shown)
}

/// The image section of the license page.
pub(super) fn gallery(
    id: LicenseId,
    images: &[ImageView],
    manages: bool,
    entered: &FormData,
) -> Markup {
    let hint = "JPEG, PNG or WebP. Up to 10 images of 10 MiB each. Camera metadata (EXIF) is \
        removed.";
    card(
        "Reference images",
        html! {
            @if images.is_empty() { p.quiet { "No images yet. Scanners use reference images to recognize the likeness." } }
            ul.gallery {
                @for (index, it) in images.iter().enumerate() {
                    li {
                        a href=(it.original) {
                            img src=(it.thumbnail) alt={ "Reference image " (index + 1) ", " (it.image.width) " × " (it.image.height) } loading="lazy";
                        }
                        @if manages {
                            (confirm(&format!("/app/licenses/{id}/images/{}/remove", it.image.id), "Remove", "The image will be permanently deleted.", &[]))
                        }
                    }
                }
            }
            @if manages {
                (upload_form(&format!("/app/licenses/{id}/images"), entered, files("images", "Add images", hint, entered), "Upload"))
            }
        },
    )
}

/// Uploads images.
pub(crate) async fn add_images(
    person: Person,
    Segment(id): Segment<LicenseId>,
    mut entered: FormData,
) -> Outcome {
    let files = entered.take_files();
    let added = async {
        let (app, caller, expected) = (person.app(), person.caller(), Expected::default());
        license::add_images(app, person.context(), caller, id, expected, files?).await
    };
    match added.await {
        Ok(added) => {
            let message = match added.images.len() {
                1 => "Image added".to_owned(),
                many => format!("{many} images added"),
            };
            Ok(person.redirect(format!("/app/licenses/{id}"), &message))
        }
        Err(error) => {
            redisplay(&person, id, error, entered, |entered| Forms {
                images: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

/// Removes an image.
pub(crate) async fn remove_image(
    person: Person,
    Segments(id, image): Segments<LicenseId, ImageId>,
) -> Outcome {
    let (app, caller, expected) = (person.app(), person.caller(), Expected::default());
    license::remove_image(app, person.context(), caller, id, image, expected).await?;
    Ok(person.redirect(format!("/app/licenses/{id}"), "Image removed"))
}
