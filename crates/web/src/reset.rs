//! `/app/forgot` and `/app/reset`: password reset.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_service::identity::reset::{self, Proof};
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, EmailForm};
use crate::frame::{FormData, Guest, Outcome, PageContext, Params};
use crate::sign_in::{addressee, next_page, with_next};
use crate::view::mail::mailbox_hint;
use crate::view::{self, form, hidden, new_password};

const FORM: EmailForm = EmailForm {
    title: "Reset your password",
    lead: "We'll email you a code and a link to choose a new password.",
    action: "/app/forgot",
    button: "Email me a code",
    back: "Sign in",
};

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let next = params.get("next").unwrap_or_default();
    FORM.draw(&ctx, &FormData::default().with("next", next).with("email", addressee(next)))
}

/// Emails a code. The response is the same whether or not the address has an account.
pub(crate) async fn forgot(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let sent = async {
        let email = EmailForm::read(&entered)?;
        let next = next_page(entered.get("next"));
        reset::forgot(ctx.app(), &ctx.context, email, next.as_deref()).await
    };
    match sent.await {
        Ok(sent) => {
            let page = with_next("/app/reset", entered.get("next"));
            Ok(code_entry::redirect_to_code(&ctx, &page, &sent.session, &sent.email))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| FORM.draw(&ctx, entered))),
    }
}

/// Shows the code form, or the form for an emailed link. Opening it doesn't use up the link.
pub(crate) async fn show_code_form(
    Guest(ctx): Guest,
    params: Params,
    headers: HeaderMap,
) -> Response {
    let next = params.get("next").unwrap_or_default();
    if let Some(token) = params.get("token") {
        return draw_link(&ctx, &FormData::default().with("token", token).with("next", next));
    }
    match code_entry::pending(&ctx, &headers) {
        Some(entered) => draw_code(&ctx, &entered.with("next", next)),
        None => Redirect::to(&with_next("/app/forgot", next)).into_response(),
    }
}

/// Sets the password.
pub(crate) async fn reset(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let done = async {
        let mut fields = entered.fields();
        let proof = match entered.optional("token") {
            Some(token) => Proof::Link(token),
            None => Proof::Code {
                session: entered.get("otpSession"),
                code: entered.required(&mut fields, "otp"),
            },
        };
        if entered.get("newPassword").is_empty() {
            fields.add("newPassword", "is required");
        }
        fields.finish()?;
        let password = entered.get("newPassword");
        reset::reset(ctx.app(), &ctx.context, proof, password).await
    };
    let by_link = entered.optional("token").is_some();
    match done.await {
        Ok(()) => {
            let message = "Password changed. Sign in with your new password.";
            let page = with_next("/app/sign-in", entered.get("next"));
            Ok(code_entry::finish(&ctx, ctx.redirect(page, message)))
        }
        Err(error) if by_link => {
            Ok(ctx.redisplay(error, entered, |entered| draw_link(&ctx, entered)))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_code(&ctx, entered))),
    }
}

fn draw_link(ctx: &PageContext, entered: &FormData) -> Response {
    let next = entered.get("next");
    let fields = html! {
        (hidden("token", entered.get("token")))
        (hidden("next", next))
        (new_password("newPassword", "New password", entered))
    };
    view::narrow(
        ctx,
        "Choose a new password",
        html! {
            h1 { "Choose a new password" }
            @if entered.message().is_none() { p { "You'll be signed out everywhere. This link works once." } }
            (form("/app/reset", entered, fields, "Change password"))
            ul.ways { li { a href=(with_next("/app/forgot", next)) { "Request a new link" } } }
        },
    )
    .into_response()
}

fn draw_code(ctx: &PageContext, entered: &FormData) -> Response {
    let fields = html! {
        (code_entry::fields(entered))
        (new_password("newPassword", "New password", entered))
    };
    view::narrow(ctx, "Choose a new password", html! {
        h1 { "Choose a new password" }
        p { "If " strong { (entered.get("email")) } " has an account, we emailed a code to that address." }
        (form("/app/reset", entered, fields, "Change password"))
        ul.ways { li { a href=(with_next("/app/forgot", entered.get("next"))) { "Request a new code" } } }
        (mailbox_hint(ctx))
    })
    .into_response()
}
