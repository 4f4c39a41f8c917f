//! Magic links: `/app/sign-in/link` requests one and `/app/magic` opens it. Opening the page
//! doesn't use up the link, since mail scanners and previews open links too; its button does.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::otp::Otp;
use grantor_messages::text;
use grantor_service::identity::magic_link::{self, Proof};
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, EmailForm};
use crate::frame::{Ceremony, Device, FormData, Guest, Outcome, PageContext, Params};
use crate::sign_in::{addressee, next_page, proceed, with_next};
use crate::view::mail::mailbox_hint;
use crate::view::rich::rich;
use crate::view::{self, form, hidden};

fn email_form() -> EmailForm {
    EmailForm {
        title: text!("sign-in-link-title"),
        lead: text!("sign-in-link-lead"),
        action: "/app/sign-in/link",
        button: text!("sign-in-link-button"),
        back: text!("sign-in-by-password"),
    }
}

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let next = params.get("next").unwrap_or_default();
    let entered = FormData::default().with("next", next).with("email", addressee(next));
    email_form().draw(&ctx, &entered)
}

/// Emails a link. The response is the same whether or not the address has an account.
pub(crate) async fn request(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let sent = async {
        let email = EmailForm::read(&entered)?;
        let next = next_page(entered.get("next"));
        magic_link::request(ctx.app(), &ctx.context, email, next.as_deref()).await
    };
    match sent.await {
        Ok(()) => {
            let page = with_next("/app/sign-in/code", entered.get("next"));
            Ok(code_entry::redirect_to_code(&ctx, &page, "", entered.get("email").trim()))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| email_form().draw(&ctx, entered))),
    }
}

/// Shows the code form.
pub(crate) async fn show_code_form(
    Guest(ctx): Guest,
    headers: HeaderMap,
    params: Params,
) -> Response {
    let next = params.get("next").unwrap_or_default();
    match code_entry::pending(&ctx, &headers) {
        Some(entered) => draw_code(&ctx, &entered.with("next", next)),
        None => Redirect::to(&with_next("/app/sign-in/link", next)).into_response(),
    }
}

/// Signs in with the emailed code.
pub(crate) async fn submit_code(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let (device, ceremony) = (Device::of(&mut ctx, &headers), Ceremony::begin(&ctx));
    let found = async {
        let mut fields = entered.fields();
        let email = fields.take("email", Email::parse(entered.get("email")));
        let code = fields.take("otp", Otp::parse(&code_entry::entered_code(&entered)));
        fields.finish()?;
        let proof = email.zip(code).map(|(email, code)| Proof::Code { email, code });
        let proof = proof.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        magic_link::enter(ctx.app(), &ctx.context, proof, ceremony.secret()).await
    };
    match found.await {
        Ok(found) => {
            let to = proceed(&ctx, &device, &ceremony, found, entered.get("next"));
            Ok(code_entry::finish(&ctx, to))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_code(&ctx, entered))),
    }
}

/// Shows the sign-in button for a link.
pub(crate) async fn open(Guest(ctx): Guest, params: Params) -> Response {
    match params.get("token").filter(|it| !it.is_empty()) {
        Some(token) => {
            let next = params.get("next").unwrap_or_default();
            draw_button(&ctx, &FormData::default().with("token", token).with("next", next))
        }
        None => draw_incomplete(&ctx),
    }
}

/// Signs in with the link.
pub(crate) async fn submit(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let (device, ceremony) = (Device::of(&mut ctx, &headers), Ceremony::begin(&ctx));
    let proof = Proof::Token(entered.get("token").to_owned());
    match magic_link::enter(ctx.app(), &ctx.context, proof, ceremony.secret()).await {
        Ok(found) => {
            let to = proceed(&ctx, &device, &ceremony, found, entered.get("next"));
            Ok(code_entry::finish(&ctx, to))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_button(&ctx, entered))),
    }
}

fn draw_code(ctx: &PageContext, entered: &FormData) -> Response {
    let fields = html! {
        (hidden("email", entered.get("email")))
        (hidden("next", entered.get("next")))
        (code_entry::code(entered))
    };
    view::narrow(ctx, text!("sign-in-link-sent-title"), html! {
        h1 { (text!("sign-in-link-sent-title")) }
        p { (rich!("sign-in-link-sent", email = html! { strong { (entered.get("email")) } })) }
        p { (text!("sign-in-link-open")) }
        (form("/app/sign-in/code", entered, fields, text!("sign-in-button")))
        ul.ways {
            li { a href=(with_next("/app/sign-in/link", entered.get("next"))) { (text!("sign-in-link-other-address")) } }
        }
        (mailbox_hint(ctx))
    })
    .into_response()
}

/// Some mail programs break long links.
fn draw_incomplete(ctx: &PageContext) -> Response {
    view::narrow(
        ctx,
        text!("sign-in-title"),
        html! {
            h1 { (text!("sign-in-title")) }
            p { (text!("sign-in-link-incomplete")) }
            ul.ways { li { a href="/app/sign-in/link" { (text!("sign-in-link-again")) } } }
        },
    )
    .into_response()
}

fn draw_button(ctx: &PageContext, entered: &FormData) -> Response {
    let failed = entered.message().is_some();
    let next = entered.get("next");
    let fields = html! { (hidden("token", entered.get("token"))) (hidden("next", next)) };
    view::narrow(
        ctx,
        text!("sign-in-title"),
        html! {
            h1 { (text!("sign-in-title")) }
            @if !failed { p { (text!("sign-in-link-click")) } }
            (form("/app/magic", entered, fields, text!("sign-in-button")))
            @if failed {
                ul.ways { li { a href=(with_next("/app/sign-in/link", next)) { (text!("sign-in-link-again")) } } }
            }
        },
    )
    .into_response()
}
