//! Making more licenses like one: a copy of it, and a template.

use grantor_domain::id::LicenseId;
use grantor_domain::license::License;
use grantor_messages::text;
use grantor_service::licensing::license;
use maud::{Markup, html};

use super::show::{Forms, redisplay};
use super::template::{self, name_field};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{card, form};

/// The part of the license page. `entered` is the data of the template form.
pub(super) fn reuse(license: &License, entered: &FormData) -> Markup {
    let id = license.id;
    card(
        text!("license-reuse"),
        html! {
            form method="post" action={ "/app/licenses/" (id) "/duplicate" } {
                p.quiet { (text!("license-duplicate-hint")) }
                @if license.image_count > 0 {
                    div.field.tick { label {
                        input type="checkbox" name="images" value="true" checked;
                        " " (text!("license-duplicate-images"))
                    } }
                }
                div.actions { button.small.plain { (text!("license-duplicate")) } }
            }
            details.more open[entered.message().is_some()] {
                summary { (text!("license-template-save-as")) }
                (form(&format!("/app/licenses/{id}/template"), entered, name_field(entered), text!("license-template-save")))
            }
        },
    )
}

/// Creates a draft with the content of the license.
pub(crate) async fn duplicate(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    let with_images = entered.has("images", "true");
    let (app, caller) = (person.app(), person.caller());
    let made = license::duplicate(app, person.context(), caller, id, with_images).await?;
    let path = format!("/app/licenses/{}/edit", made.shown.license.id);
    Ok(person.redirect(path, text!("license-duplicated")))
}

/// Saves a template that makes licenses like this one.
pub(crate) async fn save_template(
    person: Person,
    Segment(id): Segment<LicenseId>,
    entered: FormData,
) -> Outcome {
    match template::create_from(&person, &entered, id).await {
        Ok(saved) => {
            let message = text!("license-template-saved", name = saved.name.as_str());
            Ok(person.redirect(format!("/app/licenses/{id}"), &message))
        }
        Err(error) => {
            redisplay(&person, id, error, entered, |entered| Forms {
                template: entered,
                ..Forms::default()
            })
            .await
        }
    }
}
