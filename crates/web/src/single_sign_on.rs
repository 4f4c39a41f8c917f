//! `/app/sign-in/sso`: signing in at the identity provider of an organization.

pub(crate) mod settings;

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Error;
use grantor_messages::text;
use grantor_service::identity::single_sign_on::{self, Callback, Started};
use http::{HeaderMap, HeaderName, HeaderValue};
use maud::html;

use crate::code_entry::EmailForm;
use crate::frame::{Ceremony, Device, FormData, Guest, Outcome, PageContext, Params};
use crate::second_factor::over;
use crate::sign_in::{addressee, next, welcome, with_next};
use crate::view;
use crate::view::rich::rich;

const HERE: &str = "/app/sign-in/sso";

fn email_form() -> EmailForm {
    EmailForm {
        title: text!("sign-in-sso-title"),
        lead: text!("sign-in-sso-lead"),
        action: HERE,
        button: text!("action-continue"),
        back: text!("sign-in-by-password"),
    }
}

/// Shows the form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let next = params.get("next").unwrap_or_default();
    let email = params.get("email").map_or_else(|| addressee(next), str::to_owned);
    let entered = FormData::default().with("next", next).with("email", email);
    email_form().draw(&ctx, &entered)
}

/// Leads to the provider. The policy of pages keeps forms from leading elsewhere, so that a page
/// with a link comes in between; browsers follow it by themselves.
pub(crate) async fn start(Guest(ctx): Guest, entered: FormData) -> Outcome {
    let ceremony = Ceremony::begin(&ctx);
    let started = async {
        let email = EmailForm::read(&entered)?;
        let next = next(Some(entered.get("next")));
        single_sign_on::start(ctx.app(), &email, &next, ceremony.secret()).await
    };
    match started.await {
        Ok(started) => Ok(ceremony.keep(&ctx, draw_way(&ctx, &started))),
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| email_form().draw(&ctx, entered))),
    }
}

/// Signs in a person who comes back from the provider.
pub(crate) async fn callback(Guest(mut ctx): Guest, headers: HeaderMap, params: Params) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let returned = async {
        let ceremony = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        let state = params.get("state").unwrap_or_default();
        let code = params.get("code").filter(|_| params.get("error").is_none());
        let callback = Callback { state, code, issuer: params.get("iss") };
        single_sign_on::finish(ctx.app(), &ctx.context, ceremony, callback).await
    };
    match returned.await {
        Ok(returned) => {
            let to = welcome(&ctx, &device, &returned.signed_in, &returned.next);
            Ok(Ceremony::end(&ctx, to))
        }
        Err(error) => Ok(draw_failure(&ctx, error)),
    }
}

fn draw_way(ctx: &PageContext, started: &Started) -> Response {
    let page = view::narrow(
        ctx,
        text!("sign-in-sso-title"),
        html! {
            h1 { (text!("sign-in-sso-title")) }
            p {
                (rich!("sign-in-sso-continue",
                    organization = html! { strong { (started.organization) } },
                ))
            }
            p { a.button href=(started.url) rel="noreferrer" { (text!("action-continue")) } }
        },
    );
    let mut response = page.into_response();
    if let Ok(value) = HeaderValue::from_str(&format!("0; url={}", started.url)) {
        response.headers_mut().insert(HeaderName::from_static("refresh"), value);
    }
    response
}

fn draw_failure(ctx: &PageContext, error: Error) -> Response {
    let response = ctx.redisplay(error, FormData::default(), |entered| {
        view::narrow(
            ctx,
            text!("sign-in-sso-failed"),
            html! {
                h1 { (text!("sign-in-sso-failed")) }
                (view::field::error_summary(entered))
                p { a.button href=(HERE) { (text!("action-retry")) } }
                ul.ways { li { a href=(with_next("/app/sign-in", "")) { (text!("sign-in-sso-other-way")) } } }
            },
        )
        .into_response()
    });
    Ceremony::end(ctx, response)
}
