//! What every page shares that asks for a mailed code.

use maud::{Markup, html};

use crate::frame::Entered;
use crate::view::{field, hidden};

/// What a page says after another mail.
pub(crate) const SENT_AGAIN: &str = "We mailed you another code; the one before no longer works";

/// Where the code went.
pub(crate) fn lead(entered: &Entered) -> Markup {
    html! {
        @if let Some(said) = entered.optional("said") { p.notice.good role="status" { (said) "." } }
        p { "We mailed a code of six digits to " strong { (entered.get("email")) } "." }
    }
}

/// The code, and what it belongs to.
pub(crate) fn fields(entered: &Entered) -> Markup {
    html! {
        (hidden("otpSession", entered.get("otpSession")))
        (hidden("email", entered.get("email")))
        div.code-entry {
            (field("otp", "Code").inputmode("numeric").autocomplete("one-time-code")
                .longest(6).required().focused().of(entered))
        }
    }
}

/// A way to another code.
pub(crate) fn another(action: &str, entered: &Entered) -> Markup {
    html! {
        form.ways method="post" action=(action) {
            (hidden("otpSession", entered.get("otpSession")))
            (hidden("email", entered.get("email")))
            p { "No mail? Look among unwanted mails, or" }
            div { button.plain.small { "Send another code" } }
        }
    }
}
