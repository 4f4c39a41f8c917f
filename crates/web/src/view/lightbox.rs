//! The lightbox: pictures in their full size, in a dialog.

use grantor_messages::text;
use maud::{Markup, html};

use crate::asset;

/// A picture that opens in the lightbox. Without scripts, the link leads to the picture itself. The
/// text of the picture is its caption.
pub(crate) fn enlarged(url: &str, picture: Markup) -> Markup {
    html! { a.enlarge href=(url) data-enlarge="" { (picture) } }
}

/// The dialog, once on a page with such pictures.
pub(crate) fn lightbox() -> Markup {
    html! {
        dialog.lightbox data-lightbox="" aria-label=(text!("view-picture")) {
            figure { img alt=""; figcaption aria-live="polite" {} }
            div.row {
                button.plain.small type="button" data-previous="" { (text!("action-previous")) }
                button.plain.small type="button" data-next="" { (text!("action-next")) }
                button.plain.small type="button" data-close="" { (text!("action-close")) }
            }
        }
        script src=(asset::url("lightbox.js")) defer {}
    }
}
