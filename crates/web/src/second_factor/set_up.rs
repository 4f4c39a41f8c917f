//! Setting up a second factor: at `/app/sign-in/set-up`, where an organization requires one before
//! anything else, and at `/app/profile/security/app`.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_messages::text;
use grantor_service::identity::second_factor::Owner;
use grantor_service::identity::second_factor::authenticator_app::{self, PendingApp, SetUp};
use grantor_service::identity::second_factor::waiting::WaitingView;
use http::HeaderMap;
use maud::{Markup, html};

use super::sign_in::{draw_over, find};
use super::{PAGE, over, qr, recovery_codes, sign_in_again};
use crate::frame::{
    Ceremony, Device, FormData, Guest, Outcome, PageContext, Params, Person, form_token,
};
use crate::passkey;
use crate::sign_in::{next, signed_in_cookies, with_next};
use crate::view::rich::rich;
use crate::view::{self, NavItem, card, code, field, form, head, hidden, steps};

const CHOICE: &str = "/app/sign-in/set-up";
const APP: &str = "/app/sign-in/set-up/app";
const PROFILE_APP: &str = "/app/profile/security/app";

/// Shows what can be set up, if a sign-in waits for it in this browser.
pub(crate) async fn show(Guest(ctx): Guest, headers: HeaderMap, params: Params) -> Outcome {
    let next = params.get("next").unwrap_or_default();
    match find(&ctx, &headers).await?.filter(|it| it.sets_up) {
        Some(waiting) => Ok(draw_choice(&ctx, &waiting, &FormData::default().with("next", next))),
        None => Ok(Redirect::to(&with_next("/app/sign-in", next)).into_response()),
    }
}

/// Starts setting up an authenticator app while signing in.
pub(crate) async fn begin(Guest(ctx): Guest, headers: HeaderMap, entered: FormData) -> Outcome {
    let begun = async {
        let waiting = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        authenticator_app::begin(ctx.app(), &ctx.context, Owner::Waiting(waiting)).await
    };
    match begun.await {
        Ok(()) => Ok(Redirect::to(&with_next(APP, entered.get("next"))).into_response()),
        Err(error) => refuse(&ctx, &headers, error, entered).await,
    }
}

/// Shows the secret of the app while signing in.
pub(crate) async fn show_app(Guest(ctx): Guest, headers: HeaderMap, params: Params) -> Outcome {
    let next = params.get("next").unwrap_or_default();
    let entered = FormData::default().with("next", next);
    match pending(&ctx, &headers).await? {
        Some(app) => Ok(draw_app(&ctx, &app, &entered)),
        None => Ok(Redirect::to(&with_next(CHOICE, next)).into_response()),
    }
}

async fn pending(ctx: &PageContext, headers: &HeaderMap) -> Result<Option<PendingApp>, Error> {
    let sets_up = find(ctx, headers).await?.is_some_and(|it| it.sets_up);
    match Ceremony::read(ctx, headers).filter(|_| sets_up) {
        Some(waiting) => authenticator_app::pending(ctx.app(), Owner::Waiting(waiting)).await,
        None => Ok(None),
    }
}

/// Confirms the app and finishes the sign-in.
pub(crate) async fn confirm(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let made = async {
        entered.check_text()?;
        let waiting = Ceremony::read(&ctx, &headers).ok_or_else(over)?;
        let owner = Owner::Waiting(waiting);
        authenticator_app::confirm(ctx.app(), &ctx.context, owner, entered.get("code")).await
    };
    match made.await {
        Ok(made) => Ok(welcome(&ctx, &device, made, entered.get("next"))),
        Err(error) => match pending(&ctx, &headers).await? {
            Some(app) => Ok(ctx.redisplay(error, entered, |entered| draw_app(&ctx, &app, entered))),
            None => refuse(&ctx, &headers, error, entered).await,
        },
    }
}

/// Shows the choice again, or the way to start again if nothing waits anymore.
pub(crate) async fn refuse(
    ctx: &PageContext,
    headers: &HeaderMap,
    error: Error,
    entered: FormData,
) -> Outcome {
    let waiting = find(ctx, headers).await?.filter(|it| it.sets_up);
    Ok(ctx.redisplay(error, entered, |entered| match &waiting {
        Some(waiting) => draw_choice(ctx, waiting, entered),
        None => draw_over(ctx, entered),
    }))
}

/// Signs in after a set-up, and shows the recovery codes.
pub(crate) fn welcome(ctx: &PageContext, device: &Device, made: SetUp, wanted: &str) -> Response {
    let SetUp { recovery_codes: codes, signed_in } = made;
    let to = next(Some(wanted));
    let response = if codes.is_empty() {
        Redirect::to(&to).into_response()
    } else {
        view::narrow(
            ctx,
            text!("security-codes"),
            html! {
                h1 { (text!("security-codes-yours")) }
                (recovery_codes(&codes))
                p { a.button href=(to) { (text!("action-continue")) } }
            },
        )
        .into_response()
    };
    let response = Ceremony::end(ctx, response);
    match signed_in {
        Some(signed_in) => signed_in_cookies(ctx, device, &signed_in, response),
        None => response,
    }
}

/// Leads back to the profile after a set-up, by way of new recovery codes.
pub(crate) fn done(person: &Person, made: &SetUp, message: &str) -> Response {
    if made.recovery_codes.is_empty() {
        return person.redirect(PAGE, message);
    }
    let body = html! {
        (head(text!("security-codes"), message, html! {}))
        (card(text!("security-codes-save"), html! {
            (recovery_codes(&made.recovery_codes))
            p { a.button href=(PAGE) { (text!("security-done")) } }
        }))
    };
    person.page(text!("security-codes"), NavItem::Profile, body)
}

/// Starts setting up an authenticator app for the profile.
pub(crate) async fn begin_in_profile(person: Person) -> Outcome {
    if let Some(to) = sign_in_again(&person, PAGE) {
        return Ok(to);
    }
    let owner = Owner::Caller(person.caller());
    authenticator_app::begin(person.app(), person.context(), owner).await?;
    Ok(Redirect::to(PROFILE_APP).into_response())
}

/// Shows the secret of the app for the profile.
pub(crate) async fn show_app_in_profile(person: Person) -> Outcome {
    if let Some(to) = sign_in_again(&person, PROFILE_APP) {
        return Ok(to);
    }
    match authenticator_app::pending(person.app(), Owner::Caller(person.caller())).await? {
        Some(app) => Ok(draw_app_in_profile(&person, &app, &FormData::default())),
        None => Ok(Redirect::to(PAGE).into_response()),
    }
}

/// Confirms the app for the profile. Its secret is kept while the person signs in again.
pub(crate) async fn confirm_in_profile(person: Person, entered: FormData) -> Outcome {
    if let Some(to) = sign_in_again(&person, PROFILE_APP) {
        return Ok(to);
    }
    let made = async {
        entered.check_text()?;
        let (app, context, owner) =
            (person.app(), person.context(), Owner::Caller(person.caller()));
        authenticator_app::confirm(app, context, owner, entered.get("code")).await
    };
    let error = match made.await {
        Ok(made) => return Ok(done(&person, &made, text!("security-app-done"))),
        Err(error) => error,
    };
    match authenticator_app::pending(person.app(), Owner::Caller(person.caller())).await? {
        Some(app) => {
            let draw = |entered: &FormData| draw_app_in_profile(&person, &app, entered);
            Ok(person.redisplay(error, entered, draw))
        }
        None => super::security::refuse(&person, error, entered).await,
    }
}

/// Removes the app.
pub(crate) async fn remove_app(person: Person) -> Outcome {
    if let Some(to) = sign_in_again(&person, PAGE) {
        return Ok(to);
    }
    match authenticator_app::remove(person.app(), person.context(), person.caller()).await {
        Ok(()) => Ok(person.redirect(PAGE, text!("security-app-removed"))),
        // The page has what must be set up first.
        Err(error) => super::security::refuse(&person, error, FormData::default()).await,
    }
}

fn draw_choice(ctx: &PageContext, waiting: &WaitingView, entered: &FormData) -> Response {
    let next = entered.get("next");
    view::narrow(
        ctx,
        text!("security-set-up-title"),
        html! {
            h1 { (text!("security-set-up-title")) }
            p {
                (rich!("security-set-up-lead",
                    organization = html! { strong { (waiting.organization) } },
                    email = html! { strong { (waiting.email) } },
                ))
            }
            (form(CHOICE, entered, hidden("next", next), text!("security-app-set-up")))
            (passkey::set_up_form(ctx, next, entered))
            ul.ways { li { a href=(with_next("/app/sign-in", next)) { (text!("security-somebody-else")) } } }
        },
    )
    .into_response()
}

fn draw_app(ctx: &PageContext, app: &PendingApp, entered: &FormData) -> Response {
    let next = entered.get("next");
    view::narrow(
        ctx,
        text!("security-app-set-up"),
        html! {
            h1 { (text!("security-app-set-up")) }
            (app_steps(app, form(APP, entered, html! { (hidden("next", next)) (code_field(entered)) }, text!("security-confirm"))))
            ul.ways { li { a href=(with_next(CHOICE, next)) { (text!("security-set-up-other")) } } }
        },
    )
    .into_response()
}

fn draw_app_in_profile(person: &Person, app: &PendingApp, entered: &FormData) -> Response {
    let inside = html! { (form_token(person.app())) (code_field(entered)) };
    let body = html! {
        (head(text!("security-app-set-up"), "", html! { a.button.plain href=(PAGE) { (text!("security-back")) } }))
        section.card { (app_steps(app, form(PROFILE_APP, entered, inside, text!("security-confirm")))) }
    };
    person.page(text!("security-app-set-up"), NavItem::Profile, body)
}

fn code_field(entered: &FormData) -> Markup {
    html! {
        div.code-entry {
            (field("code", text!("security-code")).inputmode("numeric").autocomplete("one-time-code").max_length(7)
                .required().of(entered))
        }
    }
}

fn app_steps(app: &PendingApp, confirm: Markup) -> Markup {
    let drawn = app.url.as_deref().and_then(|url| qr::draw(url, text!("security-app-qr")));
    let all = [
        (text!("security-app-install"), html! { p { (text!("security-app-any")) } }),
        (
            text!("security-app-add"),
            html! {
                @if let Some(drawn) = &drawn { p { (text!("security-app-scan")) } (drawn) }
                @else { p { (text!("security-app-type")) } }
                (code(text!("security-app-key"), &app.key))
            },
        ),
        (text!("security-app-enter"), confirm),
    ];
    steps(&all, 0)
}
