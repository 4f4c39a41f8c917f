//! `/app/forgot` and `/app/reset`: password reset.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::email::Email;
use grantor_messages::text;
use grantor_service::identity::reset::{self, Proof};
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, EmailForm};
use crate::frame::{FormData, Guest, Outcome, PageContext, Params};
use crate::sign_in::{addressee, next_page, with_next};
use crate::view::mail::mailbox_hint;
use crate::view::rich::rich;
use crate::view::{self, form, hidden, new_password};

fn email_form() -> EmailForm {
    EmailForm {
        title: text!("sign-in-reset-title"),
        lead: text!("sign-in-reset-lead"),
        action: "/app/forgot",
        button: text!("sign-in-reset-button"),
        back: text!("sign-in-reset-back"),
    }
}

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let next = params.get("next").unwrap_or_default();
    let entered = FormData::default().with("next", next).with("email", addressee(next));
    email_form().draw(&ctx, &entered)
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
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| email_form().draw(&ctx, entered))),
    }
}

/// Shows the code form, or the form for an emailed link. Opening it doesn't use up the link.
pub(crate) async fn show_code_form(
    Guest(ctx): Guest,
    params: Params,
    headers: HeaderMap,
) -> Outcome {
    let next = params.get("next").unwrap_or_default();
    if let Some(token) = params.get("token") {
        let email = reset::addressee(ctx.app(), token).await?;
        let entered = FormData::default().with("token", token).with("next", next);
        return Ok(draw_link(&ctx, email.as_ref(), &entered));
    }
    match code_entry::pending(&ctx, &headers) {
        Some(entered) => Ok(draw_code(&ctx, &entered.with("next", next))),
        None => Ok(Redirect::to(&with_next("/app/forgot", next)).into_response()),
    }
}

/// Sets the password.
pub(crate) async fn reset(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let done = async {
        let mut fields = entered.fields();
        let code = code_entry::entered_code(&entered);
        let proof = match entered.optional("token") {
            Some(token) => Proof::Link(token),
            None => Proof::Code { session: entered.get("otpSession"), code: &code },
        };
        if code.is_empty() && entered.optional("token").is_none() {
            fields.add("otp", "is required");
        }
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
            let message = text!("sign-in-reset-done");
            let page = with_next("/app/sign-in", entered.get("next"));
            Ok(code_entry::finish(&ctx, ctx.redirect(page, message)))
        }
        Err(error) if by_link => {
            let email = reset::addressee(ctx.app(), entered.get("token")).await?;
            let draw = |entered: &FormData| draw_link(&ctx, email.as_ref(), entered);
            Ok(ctx.redisplay(error, entered, draw))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_code(&ctx, entered))),
    }
}

fn draw_link(ctx: &PageContext, email: Option<&Email>, entered: &FormData) -> Response {
    let next = entered.get("next");
    let fields = html! {
        (hidden("token", entered.get("token")))
        (hidden("next", next))
        (new_password("newPassword", text!("sign-in-reset-password"), entered))
    };
    view::narrow(
        ctx,
        text!("sign-in-reset-choose"),
        html! {
            h1 { (text!("sign-in-reset-choose")) }
            @if let Some(email) = email {
                p { (rich!("sign-in-reset-link-for", email = html! { strong { (email.as_str()) } })) }
            }
            @if entered.message().is_none() { p { (text!("sign-in-reset-link-lead")) } }
            (form("/app/reset", entered, fields, text!("sign-in-reset-submit")))
            ul.ways { li { a href=(with_next("/app/forgot", next)) { (text!("sign-in-reset-new-link")) } } }
        },
    )
    .into_response()
}

fn draw_code(ctx: &PageContext, entered: &FormData) -> Response {
    let fields = html! {
        (code_entry::fields(entered))
        (new_password("newPassword", text!("sign-in-reset-password"), entered))
    };
    view::narrow(ctx, text!("sign-in-reset-choose"), html! {
        h1 { (text!("sign-in-reset-choose")) }
        p { (rich!("sign-in-reset-sent", email = html! { strong { (entered.get("email")) } })) }
        (form("/app/reset", entered, fields, text!("sign-in-reset-submit")))
        ul.ways { li { a href=(with_next("/app/forgot", entered.get("next"))) { (text!("sign-in-reset-new-code")) } } }
        (mailbox_hint(ctx))
    })
    .into_response()
}
