//! The pictures of a license form. They are kept when the form is refused or shown again, so that
//! nobody has to choose them twice.

use std::collections::BTreeSet;

use axum::response::Response;
use grantor_domain::error::Fields;
use grantor_domain::id::ImageId;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::license::{self, KeptHint, KeptImages};
use maud::{Markup, html};

use super::image::{sentences, with_hints};
use crate::frame::{FormData, Person};
use crate::image_url;
use crate::view::files;

/// The field of the kept pictures.
const KEPT: &str = "kept";

/// The pictures of a form.
#[derive(Default)]
pub(super) struct Pictures {
    kept: Vec<KeptPicture>,
    /// What to know about new ones.
    hints: Vec<KeptHint>,
    /// Why other pictures were refused.
    refused: Option<Error>,
}

struct KeptPicture {
    id: ImageId,
    thumbnail: String,
    size: String,
}

impl Pictures {
    /// Keeps the pictures that the form already had and the new files.
    pub(super) async fn keep(
        person: &Person,
        entered: &FormData,
        files: Result<Vec<Vec<u8>>>,
    ) -> Result<Self> {
        // Each once, whoever sent the form.
        let had: BTreeSet<ImageId> = entered.all(KEPT).filter_map(|it| it.parse().ok()).collect();
        let (files, wrong) = match files {
            Ok(files) => (files, None),
            Err(error) => (vec![], Some(error)),
        };
        let (app, caller) = (person.app(), person.caller());
        let (had, files) = (had.into_iter().collect(), entered.named(files));
        let found = license::keep(app, person.context(), caller, had, files).await?;
        let KeptImages { images, hints, refused } = found;
        let mut kept = Vec::with_capacity(images.len());
        for image in images {
            let thumbnail = image_url::thumbnail(app, image.id).await?;
            let size = format!("{} × {}", image.width, image.height);
            kept.push(KeptPicture { id: image.id, thumbnail, size });
        }
        Ok(Self { kept, hints, refused: wrong.or(refused) })
    }

    /// A message about the license, with what to know about its new pictures.
    pub(super) fn told(&self, message: String) -> String {
        with_hints(message, self.hints.iter().map(|it| (it.name.as_deref(), &it.hint)))
    }

    /// What to know about a picture, if it is new.
    fn hint(&self, id: ImageId) -> Option<String> {
        let found = self.hints.iter().find(|it| it.image == id)?;
        sentences(&found.hint)
    }

    /// The pictures that the license takes over.
    pub(super) fn ids(&self) -> Vec<ImageId> {
        self.kept.iter().map(|it| it.id).collect()
    }

    /// Adds what is wrong with the pictures to the errors of the form. Fails if it is nothing about
    /// the form.
    pub(super) fn check(&self, errors: &mut Fields) -> Result<()> {
        match &self.refused {
            None => Ok(()),
            Some(error) if *error.kind() == ErrorKind::Validation => {
                errors.take_all::<()>(Err(error.clone()));
                Ok(())
            }
            Some(error) => Err(error.clone()),
        }
    }

    /// The fields of the form.
    pub(super) fn fields(&self, entered: &FormData) -> Markup {
        let hint = text!("license-kept-hint");
        html! {
            @if !self.kept.is_empty() {
                fieldset.field {
                    legend { (text!("license-kept-images")) }
                    ul.kept {
                        @for (index, it) in self.kept.iter().enumerate() {
                            li { label {
                                input type="checkbox" name=(KEPT) value=(it.id) checked;
                                img src=(it.thumbnail) alt=(text!("license-kept-alt", number = (index + 1).to_string(), size = &it.size)) width="96" height="96";
                            } @if let Some(hint) = self.hint(it.id) { p.hint { (hint) } } }
                        }
                    }
                    p.hint { (text!("license-kept-note")) }
                }
            }
            (files("images", text!("license-images"), hint, entered))
        }
    }

    /// Lets the page load the pictures.
    pub(super) fn allow(&self, page: Response) -> Response {
        image_url::allow(page, self.kept.iter().map(|it| &it.thumbnail))
    }
}
