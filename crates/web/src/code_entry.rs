//! The parts shared by all pages that ask for an emailed one-time code.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::email::Email;
use grantor_domain::otp::MAGIC_LINK_LIFE;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use http::HeaderMap;
use maud::{Markup, html};

use crate::frame::{Cookie, CookieName, FormData, PageContext, Params};
use crate::sign_in::with_next;
use crate::view::mail::mailbox_hint;
use crate::view::rich::rich;
use crate::view::{self, field, form, hidden};

/// A page that asks for an email address.
pub(crate) struct EmailForm {
    pub(crate) title: &'static str,
    pub(crate) lead: &'static str,
    pub(crate) action: &'static str,
    pub(crate) button: &'static str,
    /// The label of the link to the sign-in page.
    pub(crate) back: &'static str,
}

impl EmailForm {
    /// Renders the page.
    pub(crate) fn draw(&self, ctx: &PageContext, entered: &FormData) -> Response {
        let field = field("email", text!("word-email")).kind("email").autocomplete("email");
        let next = entered.get("next");
        let fields = html! { (hidden("next", next)) (field.required().autofocus().of(entered)) };
        view::narrow(
            ctx,
            self.title,
            html! {
                h1 { (self.title) }
                p { (self.lead) }
                (form(self.action, entered, fields, self.button))
                ul.ways { li { a href=(with_next("/app/sign-in", next)) { (self.back) } } }
            },
        )
        .into_response()
    }

    /// Returns the submitted email address.
    pub(crate) fn read(entered: &FormData) -> Result<Email> {
        let mut fields = entered.fields();
        let email = entered.required(&mut fields, "email");
        let email = fields.take("email", Email::parse(email));
        fields.finish()?;
        email.ok_or_else(|| Error::field("email", "is required"))
    }
}

/// Redirects to the code page. A cookie remembers the pending code, so the page can be reopened.
pub(crate) fn redirect_to_code(
    ctx: &PageContext,
    page: &str,
    session: &str,
    email: &str,
) -> Response {
    let mut value = url::form_urlencoded::Serializer::new(String::new());
    value.append_pair("otpSession", session).append_pair("email", email);
    // No code is valid for longer.
    let cookie = Cookie::set(CookieName::Code, value.finish(), MAGIC_LINK_LIFE);
    ctx.with_cookie(Redirect::to(page).into_response(), &cookie)
}

/// Returns the pending code's session and email address, if there is one.
pub(crate) fn pending(ctx: &PageContext, headers: &HeaderMap) -> Option<FormData> {
    let pending = Params::read(CookieName::Code.read(headers, ctx.web.secure)?);
    let session = pending.get("otpSession").unwrap_or_default();
    Some(FormData::default().with("otpSession", session).with("email", pending.get("email")?))
}

/// Clears the pending code.
pub(crate) fn finish(ctx: &PageContext, response: Response) -> Response {
    ctx.with_cookie(response, &Cookie::clear(CookieName::Code))
}

/// Tells the user where the code was sent.
pub(crate) fn lead(entered: &FormData) -> Markup {
    html! {
        @if let Some(notice) = entered.optional("notice") { p.notice.good role="status" { (notice) "." } }
        p { (rich!("sign-in-code-sent", email = html! { strong { (entered.get("email")) } })) }
    }
}

/// The code field and the hidden fields of the pending code.
pub(crate) fn fields(entered: &FormData) -> Markup {
    html! {
        (hidden("otpSession", entered.get("otpSession")))
        (hidden("email", entered.get("email")))
        (hidden("next", entered.get("next")))
        (code(entered))
    }
}

/// The code as it was mailed: one that is copied brings spaces along.
pub(crate) fn entered_code(entered: &FormData) -> String {
    entered.get("otp").split_whitespace().collect()
}

/// The code field.
pub(crate) fn code(entered: &FormData) -> Markup {
    html! {
        div.code-entry {
            (field("otp", text!("sign-in-code")).inputmode("numeric").autocomplete("one-time-code")
                .max_length(20).required().autofocus().of(entered))
        }
    }
}

/// The button that sends a new code.
pub(crate) fn another(ctx: &PageContext, action: &str, entered: &FormData) -> Markup {
    html! {
        form.ways method="post" action=(action) {
            (hidden("otpSession", entered.get("otpSession")))
            (hidden("email", entered.get("email")))
            (hidden("next", entered.get("next")))
            p { (text!("sign-in-code-missing")) }
            div { button.plain.small { (text!("sign-in-code-resend")) } }
            (mailbox_hint(ctx))
        }
    }
}
