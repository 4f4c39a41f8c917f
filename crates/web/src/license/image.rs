//! Reference images of a license.

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::App;
use grantor_service::licensing::license::{self, Expected, Image};
use grantor_service::watching::likeness::{self, Hint, LEAST_FEATURES};
use maud::{Markup, html};

use super::show::{Forms, redisplay};
use crate::frame::{FormData, Outcome, Person, Segment, Segments};
use crate::view::field::upload_form;
use crate::view::lightbox::{enlarged, lightbox};
use crate::view::{card, files, undoable};
use crate::{asset, image_url};

/// The most files that a message tells of.
const MAX_TOLD: usize = 5;
/// How much of the name of a file or a license a message tells.
const NAME_TOLD: usize = 40;

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

/// That an image with this many features is too plain for its parts to be recognized.
fn plainness(features: Option<u32>) -> Markup {
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
        let names: Vec<_> = files.iter().map(|it| it.name.clone()).collect();
        let added = license::add_images(app, person.context(), caller, id, expected, files).await?;
        Ok::<_, Error>((added, names))
    };
    match added.await {
        Ok((added, names)) => {
            let message = text!("license-images-added", count = added.images.len());
            let hints = names.iter().map(Option::as_deref).zip(&added.hints);
            Ok(person.redirect(format!("/app/licenses/{id}"), &with_hints(message, hints)))
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

/// A message, and a line for each new file of which there is something to know. The hints come with
/// the names of their files.
pub(super) fn with_hints<'a>(
    message: String,
    hints: impl Iterator<Item = (Option<&'a str>, &'a Hint)>,
) -> String {
    let told = hints.enumerate().filter_map(|(index, (name, hint))| {
        let file = match name {
            Some(name) => shortened(name),
            None => text!("license-image-unnamed", number = (index + 1).to_string()),
        };
        Some(text!("license-image-told", file = file, hint = sentences(hint)?))
    });
    let mut told: Vec<String> = told.collect();
    let more = told.len().saturating_sub(MAX_TOLD);
    told.truncate(MAX_TOLD);
    let mut lines = vec![message];
    lines.extend(told);
    if more > 0 {
        lines.push(text!("license-images-told-more", count = more));
    }
    lines.join("\n")
}

/// What to know about a new image: which image of the organization it looks like, and whether it is
/// too plain.
pub(super) fn sentences(hint: &Hint) -> Option<String> {
    let mut told = vec![];
    if let Some(like) = hint.resembles.first() {
        let license = shortened(&like.title);
        told.push(if like.identical {
            text!("license-images-duplicate", license = license)
        } else {
            text!("license-images-resemble", license = license)
        });
    }
    if hint.is_featureless() {
        told.push(text!("license-images-featureless").to_owned());
    } else if hint.is_plain() {
        let (count, least) = (hint.features.to_string(), LEAST_FEATURES.to_string());
        told.push(text!("license-images-plain", count = count, least = least));
    }
    (!told.is_empty()).then(|| told.join(" "))
}

/// The beginning of a name, on one line.
fn shortened(name: &str) -> String {
    let line = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= NAME_TOLD {
        return line;
    }
    line.chars().take(NAME_TOLD).chain(['…']).collect()
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
