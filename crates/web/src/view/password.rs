//! The new password field, with a strength estimate where scripts run.

use grantor_messages::text;
use maud::{Markup, html};

use super::field::field;
use crate::asset;
use crate::frame::FormData;

/// A new password field. The strength is estimated in the browser; nothing is sent until the form
/// is submitted.
pub(crate) fn new_password(name: &str, label: &str, entered: &FormData) -> Markup {
    // The password rule of the console API.
    let rule = text!("view-field-password");
    let ratings = [
        text!("view-password-very-weak"),
        text!("view-password-weak"),
        text!("view-password-fair"),
        text!("view-password-good"),
        text!("view-password-strong"),
    ];
    html! {
        div.new-password {
            (field(name, label).kind("password").autocomplete("new-password").required().hint(rule)
                .of(entered))
            p.strength data-ratings=(ratings.join("|")) data-strength=(name) hidden {
                meter min="0" max="4" low="2" high="3" optimum="4" value="0"
                    aria-label=(text!("view-password-strength")) {}
                " " span role="status" {}
            }
            script src=(asset::url("password.js")) defer {}
        }
    }
}
