//! Fields for one file or one picture.

use grantor_messages::text;
use maud::{Markup, html};

use super::annotations::Annotations;
use crate::frame::FormData;

/// A field for one receipt. With a script it can also be dropped, and is then sent at once.
pub(crate) fn receipt_file(name: &str, label: &str, hint: &str, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, Some(hint), entered);
    notes.wrap(
        false,
        html! {
            div.drop data-drop-receipt="" {
                input id=(name) name=(name) type="file" accept=".sd-jwt,.txt,application/dc+sd-jwt,text/plain"
                    autofocus[notes.is_first_error()]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
                p.quiet data-drop-words=(text!("view-file-drop")) { (text!("view-file-choose")) }
            }
        },
    )
}

/// Where the script says why a picture or a text can't be checked. It fills in what is in braces.
fn refusals() -> Markup {
    let (name, most) = ("{name}", "{most}");
    let large = text!("view-picture-large", name = name, size = "{size}", most = most);
    html! {
        p.wrong role="alert" hidden data-drop-wrong="" data-large=(large)
            data-not=(text!("view-picture-not", name = name))
            data-text=(text!("view-picture-text", name = name))
            data-long=(text!("view-text-long", bytes = "{bytes}", most = most)) {}
    }
}

/// A field for one spreadsheet.
pub(crate) fn spreadsheet_file(name: &str, label: &str, hint: &str, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, Some(hint), entered);
    notes.wrap(
        true,
        html! {
            input id=(name) name=(name) type="file" required
                accept=".csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
                autofocus[notes.is_first_error()]
                aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
        },
    )
}

/// A picture to choose: its value, the URL of its thumbnail and what it shows.
pub(crate) struct PictureOption {
    pub(crate) value: String,
    pub(crate) thumbnail: String,
    pub(crate) label: String,
}

/// A field to choose one of some pictures.
pub(crate) fn picture_choice(
    name: &str,
    label: &str,
    options: &[PictureOption],
    entered: &FormData,
) -> Markup {
    let notes = Annotations::of(name, label, None, entered);
    html! {
        fieldset.field id=(name) aria-describedby=[notes.described_by()] {
            legend { (label) }
            div.picks {
                @for (index, it) in options.iter().enumerate() {
                    label {
                        input type="radio" name=(name) value=(it.value) checked[entered.has(name, &it.value)]
                            autofocus[index == 0 && notes.is_first_error()];
                        img src=(it.thumbnail) alt="" loading="lazy";
                        span.hidden { (it.label) }
                    }
                }
            }
            (notes.messages())
        }
    }
}

/// A field for one picture to check. With a script, it can be dropped or pasted anywhere on the page,
/// and is then checked at once.
pub(crate) fn check_file(name: &str, label: &str, hint: &str, entered: &FormData) -> Markup {
    let notes = Annotations::of(name, label, Some(hint), entered);
    notes.wrap(
        false,
        html! {
            div.drop {
                input id=(name) name=(name) type="file" accept="image/jpeg,image/png,image/webp"
                    autofocus[notes.is_first_error()]
                    aria-invalid=[notes.aria_invalid()] aria-describedby=[notes.described_by()];
                p.quiet data-drop-words=(text!("view-picture-drop")) {
                    (text!("view-picture-choose"))
                }
                (refusals())
            }
        },
    )
}
