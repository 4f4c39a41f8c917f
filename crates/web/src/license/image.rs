//! Reference images of a license.

use grantor_domain::Result;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_messages::text;
use grantor_service::App;
use grantor_service::licensing::license::{self, Added, Expected, Image};
use grantor_service::watching::likeness::{self, Hint, LEAST_FEATURES};
use maud::{Markup, html};

use super::show::{Forms, redisplay};
use crate::frame::{FormData, Outcome, Person, Segment, Segments};
use crate::view::field::upload_form;
use crate::view::lightbox::{enlarged, lightbox};
use crate::view::{card, files, undoable};
use crate::{asset, image_url};

/// An image with its URLs.
pub(super) struct ImageView {
    pub(super) image: Image,
    pub(super) thumbnail: String,
    pub(super) original: String,
    /// The number of features by which parts of it are known again, once they are computed.
    features: Option<u32>,
}

/// Issues the URLs of all images.
pub(super) async fn image_views(app: &App, images: Vec<Image>) -> Result<Vec<ImageView>> {
    let ids = images.iter().map(|it| it.id).collect();
    let counts = likeness::feature_counts(app, ids).await?;
    let mut shown = Vec::with_capacity(images.len());
    for image in images {
        let thumbnail = image_url::thumbnail(app, image.id).await?;
        let original = image_url::original(app, &image).await?;
        let features = counts.get(&image.id).copied();
        shown.push(ImageView { image, thumbnail, original, features });
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
    let hint = text!("license-images-hint");
    card(
        text!("license-images"),
        html! {
            @if images.is_empty() { p.quiet { (text!("license-images-none")) } }
            ul.gallery {
                @for (index, it) in images.iter().enumerate() {
                    li {
                        (enlarged(&it.original, html! {
                            img src=(it.thumbnail) alt=(text!("license-image-alt", number = (index + 1).to_string(), width = it.image.width.to_string(), height = it.image.height.to_string())) loading="lazy";
                        }))
                        @if manages { (plainness(it.features)) }
                        @if manages {
                            (undoable(&format!("/app/licenses/{id}/images/{}/remove", it.image.id), text!("action-remove"), &[]))
                        }
                    }
                }
            }
            @if !images.is_empty() { (lightbox()) }
            @if manages {
                div data-drop-page="" {
                    (upload_form(&format!("/app/licenses/{id}/images"), entered, files("images", text!("license-images-add"), hint, entered), text!("license-images-upload")))
                }
                script src=(asset::url("drop.js")) defer {}
            }
        },
    )
}

/// That an image with this many features is too plain to be recognized after a crop.
pub(super) fn plainness(features: Option<u32>) -> Markup {
    let least = LEAST_FEATURES.to_string();
    html! {
        @if let Some(count) = features.filter(|it| likeness::is_plain(*it)) {
            p.hint { (text!("license-image-plain", count = count.to_string(), least = least)) }
        }
    }
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
        let files = entered.named(files?);
        license::add_images(app, person.context(), caller, id, expected, files).await
    };
    match added.await {
        Ok(added) => Ok(person.redirect(format!("/app/licenses/{id}"), &told(&added))),
        Err(error) => {
            redisplay(&person, id, error, entered, |entered| Forms {
                images: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

/// What was added, and which image of the organization it looks like.
fn told(added: &Added) -> String {
    let message = text!("license-images-added", count = added.images.len());
    match resemblance(added.hints.iter()) {
        Some(like) => format!("{message}. {like}"),
        None => message,
    }
}

/// Which image of the organization new ones look like.
pub(super) fn resemblance<'a>(mut hints: impl Iterator<Item = &'a Hint>) -> Option<String> {
    let like = hints.find_map(|it| it.resembles.first())?;
    Some(if like.identical {
        text!("license-images-duplicate", license = &like.title)
    } else {
        text!("license-images-resemble", license = &like.title)
    })
}

/// Removes an image.
pub(crate) async fn remove_image(
    person: Person,
    Segments(id, image): Segments<LicenseId, ImageId>,
) -> Outcome {
    let (app, caller, expected) = (person.app(), person.caller(), Expected::default());
    license::remove_image(app, person.context(), caller, id, image, expected).await?;
    Ok(person.redirect(format!("/app/licenses/{id}"), text!("license-image-removed")))
}
