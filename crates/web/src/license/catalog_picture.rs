//! The catalog picture of a license.

use grantor_domain::id::{ImageId, LicenseId};
use grantor_domain::license::LicenseStatus;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::App;
use grantor_service::licensing::catalog_picture::{self, CatalogPicture, PictureSource};
use grantor_service::licensing::license::LicenseView;
use maud::{Markup, html};

use super::image::ImageView;
use super::show::{Forms, redisplay};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::image_url;
use crate::view::field::upload_form;
use crate::view::{PictureOption, card, check_file, picture_choice, undoable};

/// The catalog picture with its URL.
pub(super) struct PictureView {
    pub(super) picture: CatalogPicture,
    pub(super) url: String,
}

/// Returns the catalog picture of one of the tenant's licenses.
pub(super) async fn load(app: &App, id: LicenseId) -> Result<Option<PictureView>> {
    let Some(picture) = catalog_picture::find(app, id).await? else { return Ok(None) };
    let url = image_url::catalog_picture(app, picture.id).await?;
    Ok(Some(PictureView { picture, url }))
}

/// The section of the license page.
pub(super) fn picture_card(
    seen: &LicenseView,
    present: Option<&PictureView>,
    images: &[ImageView],
    entered: &FormData,
) -> Markup {
    let id = seen.shown.license.id;
    let action = format!("/app/licenses/{id}/catalog-picture");
    let button = if present.is_some() {
        text!("license-picture-replace")
    } else {
        text!("license-picture-choose")
    };
    card(
        text!("license-picture"),
        html! {
            p.quiet {
                @if seen.status == LicenseStatus::Public {
                    (text!("license-picture-public"))
                } @else {
                    (text!("license-picture-later"))
                }
            }
            @match present {
                Some(it) => {
                    img.catalog-picture src=(it.url) alt=(text!("license-picture-alt", width = it.picture.width.to_string(), height = it.picture.height.to_string())) width=(it.picture.width) height=(it.picture.height) loading="lazy";
                    (undoable(&format!("{action}/remove"), text!("action-remove"), &[]))
                }
                None => p.quiet { (text!("license-picture-none")) },
            }
            (upload_form(&action, entered, fields(images, entered), button))
        },
    )
}

fn fields(images: &[ImageView], entered: &FormData) -> Markup {
    let option = |(index, it): (usize, &ImageView)| PictureOption {
        value: it.image.id.to_string(),
        thumbnail: it.thumbnail.clone(),
        label: text!("license-image-number", number = (index + 1).to_string()),
    };
    let options: Vec<_> = images.iter().enumerate().map(option).collect();
    let hint = text!("license-picture-hint");
    let upload = if images.is_empty() {
        text!("license-picture-upload")
    } else {
        text!("license-picture-or-upload")
    };
    html! {
        @if !options.is_empty() { (picture_choice("imageId", text!("license-picture-copy"), &options, entered)) }
        (check_file("image", upload, hint, entered))
    }
}

/// Sets the catalog picture.
pub(crate) async fn set_catalog_picture(
    person: Person,
    Segment(id): Segment<LicenseId>,
    mut entered: FormData,
) -> Outcome {
    let files = entered.take_files();
    let done = async {
        let source = read(&entered, files)?;
        catalog_picture::set(person.app(), person.context(), person.caller(), id, source).await
    };
    match done.await {
        Ok(_) => {
            Ok(person.redirect(format!("/app/licenses/{id}"), text!("license-picture-was-set")))
        }
        Err(error) => {
            redisplay(&person, id, error, entered, |entered| Forms {
                picture: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

/// Returns the chosen picture: a reference image or an upload, but not both.
fn read(entered: &FormData, files: Result<Vec<Vec<u8>>>) -> Result<PictureSource> {
    entered.check_text()?;
    let mut files =
        files.map_err(|_| Error::field("image", "must be one picture of at most 10 MiB"))?;
    match (entered.optional("imageId"), files.pop()) {
        (None, None) => {
            Err(Error::field("image", "is required, unless you choose a reference image"))
        }
        (Some(_), Some(_)) => {
            Err(Error::field("image", "must be empty if you choose a reference image"))
        }
        (None, Some(_)) if !files.is_empty() => Err(Error::field("image", "must be one picture")),
        (None, Some(file)) if file.is_empty() => Err(Error::field("image", "is empty")),
        (None, Some(file)) => Ok(PictureSource::Upload(file)),
        (Some(image), None) => {
            let image = image.parse::<ImageId>();
            let invalid = |_| Error::field("imageId", "must be a reference image of this license");
            Ok(PictureSource::Reference(image.map_err(invalid)?))
        }
    }
}

/// Removes the catalog picture.
pub(crate) async fn remove_catalog_picture(
    person: Person,
    Segment(id): Segment<LicenseId>,
) -> Outcome {
    catalog_picture::remove(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(format!("/app/licenses/{id}"), text!("license-picture-removed")))
}
