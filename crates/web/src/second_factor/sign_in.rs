//! `/app/sign-in/second-factor`: the second step of signing in.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::second_factor::PresentedCode;
use grantor_messages::text;
use grantor_service::identity::second_factor::waiting::{self, WaitingView};
use http::HeaderMap;
use maud::html;

use super::over;
use crate::frame::{Ceremony, Device, FormData, Guest, Outcome, PageContext, Params};
use crate::passkey;
use crate::sign_in::{welcome, with_next};
use crate::view::rich::rich;
use crate::view::{self, field, form, hidden};

const HERE: &str = "/app/sign-in/second-factor";

/// Shows the form, if a sign-in waits in this browser.
pub(crate) async fn show_form(Guest(ctx): Guest, headers: HeaderMap, params: Params) -> Outcome {
    let next = params.get("next").unwrap_or_default();
    match find(&ctx, &headers).await? {
        Some(waiting) if waiting.sets_up => {
            Ok(Redirect::to(&with_next("/app/sign-in/set-up", next)).into_response())
        }
        Some(waiting) => Ok(draw(&ctx, &waiting, &FormData::default().with("next", next))),
        None => Ok(Redirect::to(&with_next("/app/sign-in", next)).into_response()),
    }
}

/// Returns the sign-in that waits in this browser.
pub(super) async fn find(
    ctx: &PageContext,
    headers: &HeaderMap,
) -> Result<Option<WaitingView>, Error> {
    match Ceremony::read(ctx, headers) {
        Some(ceremony) => waiting::show(ctx.app(), ceremony).await,
        None => Ok(None),
    }
}

/// Finishes the sign-in with a code.
pub(crate) async fn submit(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let signed_in = async {
        let ceremony = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        let mut fields = entered.fields();
        let code = entered.required(&mut fields, "code");
        let code = fields.take("code", PresentedCode::parse(code));
        fields.finish()?;
        let code = code.ok_or_else(|| Error::field("code", "is required"))?;
        waiting::finish_with_code(ctx.app(), &ctx.context, ceremony, code).await
    };
    match signed_in.await {
        Ok(signed_in) => {
            let to = welcome(&ctx, &device, &signed_in, entered.get("next"));
            Ok(Ceremony::end(&ctx, to))
        }
        Err(error) => refuse(&ctx, &headers, error, entered).await,
    }
}

/// Shows the form again, or the way to start again if nothing waits anymore.
pub(crate) async fn refuse(
    ctx: &PageContext,
    headers: &HeaderMap,
    error: Error,
    entered: FormData,
) -> Outcome {
    let waiting = find(ctx, headers).await?.filter(|it| !it.sets_up);
    Ok(ctx.redisplay(error, entered, |entered| match &waiting {
        Some(waiting) => draw(ctx, waiting, entered),
        None => draw_over(ctx, entered),
    }))
}

/// A page that says why a sign-in can't go on.
pub(super) fn draw_over(ctx: &PageContext, entered: &FormData) -> Response {
    view::narrow(
        ctx,
        text!("security-sign-in-again"),
        html! {
            h1 { (text!("security-sign-in-again")) }
            (view::field::error_summary(entered))
            p { a.button href=(with_next("/app/sign-in", entered.get("next"))) { (text!("security-sign-in")) } }
        },
    )
    .into_response()
}

fn draw(ctx: &PageContext, waiting: &WaitingView, entered: &FormData) -> Response {
    let (next, factors) = (entered.get("next"), waiting.factors);
    let label = if factors.app { text!("security-code") } else { text!("security-recovery-code") };
    let code = html! {
        (hidden("next", next))
        div.code-entry {
            (field("code", label).autocomplete("one-time-code").max_length(20).required()
                .autofocus().of(entered))
        }
    };
    view::narrow(
        ctx,
        text!("security-check-title"),
        html! {
            h1 { (text!("security-check-title")) }
            p { (rich!("security-check-as", email = html! { strong { (waiting.email) } })) }
            @if factors.passkeys > 0 { (passkey::check_form(ctx, next)) }
            @if factors.app {
                p { (text!("security-check-app")) }
            } @else {
                p { (text!("security-check-recovery")) }
            }
            (form(HERE, entered, code, text!("action-continue")))
            ul.ways {
                @if factors.app { li { (text!("security-check-lost")) } }
                li { a href=(with_next("/app/sign-in", next)) { (text!("security-somebody-else")) } }
            }
        },
    )
    .into_response()
}
