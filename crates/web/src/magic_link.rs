//! Magic links: `/app/sign-in/link` requests one and `/app/magic` opens it. Opening the page
//! doesn't use up the link, since mail scanners and previews open links too; its button does.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::otp::Otp;
use grantor_service::identity::magic_link::{self, Proof};
use grantor_service::identity::session::SignedIn;
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, EmailForm};
use crate::frame::{
    CookieName, Device, FormData, Guest, Outcome, PageContext, Params, start_session,
};
use crate::sign_in::{addressee, next, next_page, with_next};
use crate::view::mail::mailbox_hint;
use crate::view::{self, form, hidden};

const FORM: EmailForm = EmailForm {
    title: "Sign in by email",
    lead: "We'll email you a link and a code. No password needed.",
    action: "/app/sign-in/link",
    button: "Email me a link",
    back: "Sign in with a password",
};

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let next = params.get("next").unwrap_or_default();
    FORM.draw(&ctx, &FormData::default().with("next", next).with("email", addressee(next)))
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
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| FORM.draw(&ctx, entered))),
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
    let device = Device::of(&mut ctx, &headers);
    let signed_in = async {
        let mut fields = entered.fields();
        let email = fields.take("email", Email::parse(entered.get("email")));
        let code = fields.take("otp", Otp::parse(entered.get("otp").trim()));
        fields.finish()?;
        let proof = email.zip(code).map(|(email, code)| Proof::Code { email, code });
        let proof = proof.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        magic_link::verify(ctx.app(), &ctx.context, proof, None).await
    };
    match signed_in.await {
        Ok(signed_in) => Ok(welcome(&ctx, &device, &signed_in, &entered)),
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
    let device = Device::of(&mut ctx, &headers);
    let proof = Proof::Token(entered.get("token").to_owned());
    match magic_link::verify(ctx.app(), &ctx.context, proof, None).await {
        Ok(signed_in) => Ok(welcome(&ctx, &device, &signed_in, &entered)),
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw_button(&ctx, entered))),
    }
}

fn welcome(
    ctx: &PageContext,
    device: &Device,
    signed_in: &SignedIn,
    entered: &FormData,
) -> Response {
    let to = ctx.with_cookie(
        Redirect::to(&next(entered.optional("next"))).into_response(),
        &start_session(CookieName::Person, &signed_in.tokens),
    );
    code_entry::finish(ctx, device.remember(ctx, to))
}

fn draw_code(ctx: &PageContext, entered: &FormData) -> Response {
    let fields = html! {
        (hidden("email", entered.get("email")))
        (hidden("next", entered.get("next")))
        (code_entry::code(entered))
    };
    view::narrow(ctx, "Check your email", html! {
        h1 { "Check your email" }
        p { "We emailed a link and a code to " strong { (entered.get("email")) } ". They expire in 15 minutes." }
        p { "Open the link, or enter the code here:" }
        (form("/app/sign-in/code", entered, fields, "Sign in"))
        ul.ways {
            li { a href=(with_next("/app/sign-in/link", entered.get("next"))) { "Use another email address" } }
        }
        (mailbox_hint(ctx))
    })
    .into_response()
}

/// Some mail programs break long links.
fn draw_incomplete(ctx: &PageContext) -> Response {
    view::narrow(
        ctx,
        "Sign in",
        html! {
            h1 { "Sign in" }
            p { "This link is incomplete. Copy the whole link from the email, or request a new one." }
            ul.ways { li { a href="/app/sign-in/link" { "Email me a new link" } } }
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
        "Sign in",
        html! {
            h1 { "Sign in" }
            @if !failed { p { "Click the button to sign in. This link works once." } }
            (form("/app/magic", entered, fields, "Sign in"))
            @if failed {
                ul.ways { li { a href=(with_next("/app/sign-in/link", next)) { "Email me a new link" } } }
            }
        },
    )
    .into_response()
}
