//! Fields for one file.

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
                p.quiet data-drop-words="" { "Choose a file" }
            }
        },
    )
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
                p.quiet data-drop-words="" { "Choose a picture" }
                p.wrong role="alert" hidden data-drop-wrong="" {}
            }
        },
    )
}
