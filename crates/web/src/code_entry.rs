//! What every page shares that asks for a mailed code.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::email::Email;
use grantor_domain::otp::MAGIC_LINK_LIFE;
use grantor_domain::{Error, Result};
use http::HeaderMap;
use maud::{Markup, html};

use crate::frame::{Asked, Cookie, Crumb, Entered, Visit};
use crate::view::letter::mailbox_hint;
use crate::view::{self, field, form, hidden};

/// What a page says after another mail.
pub(crate) const SENT_AGAIN: &str = "We mailed you another code; the one before no longer works";

/// A page that asks for an address to mail to.
pub(crate) struct Asking {
    pub(crate) title: &'static str,
    pub(crate) words: &'static str,
    /// Where its form is sent to, and what the button says.
    pub(crate) action: &'static str,
    pub(crate) button: &'static str,
    /// The way back to a sign-in with a password.
    pub(crate) back: &'static str,
}

impl Asking {
    /// Draws it.
    pub(crate) fn draw(&self, visit: &Visit, entered: &Entered) -> Response {
        let fields = field("email", "Email").kind("email").autocomplete("email").required();
        let fields = fields.focused().of(entered);
        view::narrow(
            visit,
            self.title,
            html! {
                h1 { (self.title) }
                p { (self.words) }
                (form(self.action, entered, fields, self.button))
                ul.ways { li { a href="/app/sign-in" { (self.back) } } }
            },
        )
        .into_response()
    }

    /// The address that was entered.
    pub(crate) fn read(entered: &Entered) -> Result<Email> {
        let mut fields = entered.fields();
        let email = entered.required(&mut fields, "email");
        let email = fields.take("email", Email::parse(email));
        fields.finish()?;
        email.ok_or_else(|| Error::field("email", "is required"))
    }
}

/// Goes to the page of a code, which can be left and opened again: a cookie keeps what the code
/// belongs to.
pub(crate) fn go(visit: &Visit, page: &str, session: &str, email: &str) -> Response {
    let mut kept = url::form_urlencoded::Serializer::new(String::new());
    kept.append_pair("otpSession", session).append_pair("email", email);
    // No code lives longer.
    let cookie = Cookie::set(Crumb::Code, kept.finish(), MAGIC_LINK_LIFE);
    visit.with(Redirect::to(page).into_response(), &cookie)
}

/// What the code belongs to, if one is waited for.
pub(crate) fn kept(visit: &Visit, headers: &HeaderMap) -> Option<Entered> {
    let kept = Asked::read(Crumb::Code.read(headers, visit.web.secure)?);
    let session = kept.get("otpSession").unwrap_or_default();
    Some(Entered::default().with("otpSession", session).with("email", kept.get("email")?))
}

/// The answer after which no code is waited for.
pub(crate) fn done(visit: &Visit, answer: Response) -> Response {
    visit.with(answer, &Cookie::clear(Crumb::Code))
}

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
        (code(entered))
    }
}

/// The code alone.
pub(crate) fn code(entered: &Entered) -> Markup {
    html! {
        div.code-entry {
            (field("otp", "Code").inputmode("numeric").autocomplete("one-time-code")
                .longest(6).required().focused().of(entered))
        }
    }
}

/// A way to another code.
pub(crate) fn another(visit: &Visit, action: &str, entered: &Entered) -> Markup {
    html! {
        form.ways method="post" action=(action) {
            (hidden("otpSession", entered.get("otpSession")))
            (hidden("email", entered.get("email")))
            p { "No mail? Look among unwanted mails, or" }
            div { button.plain.small { "Send another code" } }
            (mailbox_hint(visit))
        }
    }
}
