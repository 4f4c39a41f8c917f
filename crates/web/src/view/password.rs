//! The new password field, with a strength estimate where scripts run.

use maud::{Markup, html};

use super::field::field;
use crate::frame::FormData;

/// The password rule of the console API.
const RULE: &str =
    "At least 8 characters, with uppercase, lowercase, a digit and a special character.";

/// A new password field. The strength is estimated in the browser; nothing is sent until the form
/// is submitted.
pub(crate) fn new_password(name: &str, label: &str, entered: &FormData) -> Markup {
    html! {
        div.new-password {
            (field(name, label).kind("password").autocomplete("new-password").required().hint(RULE)
                .of(entered))
            p.strength data-strength=(name) hidden {
                meter min="0" max="4" low="2" high="3" optimum="4" value="0"
                    aria-label="Password strength" {}
                " " span role="status" {}
            }
        }
    }
}
