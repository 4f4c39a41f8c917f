//! The field of a new password: the rule, and where scripts run an estimate of how strong it is.

use maud::{Markup, html};

use super::field::field;
use crate::frame::Entered;

/// The rule of the console document.
const RULE: &str =
    "At least 8 characters with upper case, lower case, a digit and a special character.";

/// Asks for a new password. The estimate is made in the browser: what is typed goes nowhere before
/// the form is sent.
pub(crate) fn new_password(name: &str, label: &str, entered: &Entered) -> Markup {
    html! {
        div.new-password {
            (field(name, label).kind("password").autocomplete("new-password").required().hint(RULE)
                .of(entered))
            p.strength data-strength=(name) hidden {
                meter min="0" max="4" low="2" high="3" optimum="4" value="0"
                    aria-label="Strength of the password" {}
                " " span role="status" {}
            }
        }
    }
}
