//! Pictures of a license: shown, added, taken away.

use grantor_domain::Result;
use grantor_domain::id::{ImageId, LicenseId};
use grantor_service::App;
use grantor_service::license::{self, Expected, Image};
use maud::{Markup, html};

use super::show::{Forms, again};
use crate::frame::{Entered, Outcome, Person, Segment, Segments};
use crate::picture;
use crate::view::field::picture_form;
use crate::view::{card, confirm, files};

/// A picture with its addresses.
pub(super) struct Picture {
    pub(super) image: Image,
    pub(super) small: String,
    pub(super) whole: String,
}

/// All of them.
pub(super) async fn pictures(app: &App, images: Vec<Image>) -> Result<Vec<Picture>> {
    let mut shown = Vec::with_capacity(images.len());
    for image in images {
        let small = picture::thumbnail(app, image.id).await?;
        let whole = picture::whole(app, &image).await?;
        shown.push(Picture { image, small, whole });
    }
    Ok(shown)
}

/// The part of the page.
pub(super) fn gallery(
    id: LicenseId,
    pictures: &[Picture],
    manages: bool,
    entered: &Entered,
) -> Markup {
    let hint = "JPEG, PNG or WebP, at most 10 MiB each and 10 at once. What a camera noted beside \
        the picture is removed.";
    card(
        "Reference images",
        html! {
            @if pictures.is_empty() { p.quiet { "None yet. Pictures are how the likeness is recognized elsewhere." } }
            ul.gallery {
                @for (index, it) in pictures.iter().enumerate() {
                    li {
                        a href=(it.whole) {
                            img src=(it.small) alt={ "Reference image " (index + 1) ", " (it.image.width) " by " (it.image.height) } loading="lazy";
                        }
                        @if manages {
                            (confirm(&format!("/app/licenses/{id}/images/{}/remove", it.image.id), "Remove", "The picture is deleted for good.", &[]))
                        }
                    }
                }
            }
            @if manages {
                (picture_form(&format!("/app/licenses/{id}/images"), entered, files("images", "Add pictures", hint, entered), "Upload"))
            }
        },
    )
}

/// Adds some.
pub(crate) async fn add_images(
    person: Person,
    Segment(id): Segment<LicenseId>,
    mut entered: Entered,
) -> Outcome {
    let files = entered.files();
    let added = async {
        let (app, caller, expected) = (person.app(), person.caller(), Expected::default());
        license::add_images(app, person.context(), caller, id, expected, files?).await
    };
    match added.await {
        Ok(added) => {
            let said = match added.images.len() {
                1 => "The picture was added".to_owned(),
                many => format!("{many} pictures were added"),
            };
            Ok(person.went(format!("/app/licenses/{id}"), &said))
        }
        Err(error) => {
            again(&person, id, error, entered, |entered| Forms {
                images: entered,
                ..Forms::default()
            })
            .await
        }
    }
}

/// Takes one away.
pub(crate) async fn remove_image(
    person: Person,
    Segments(id, image): Segments<LicenseId, ImageId>,
) -> Outcome {
    let (app, caller, expected) = (person.app(), person.caller(), Expected::default());
    license::remove_image(app, person.context(), caller, id, image, expected).await?;
    Ok(person.went(format!("/app/licenses/{id}"), "The picture was removed"))
}
