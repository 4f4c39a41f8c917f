//! `/app/sign-in`: signing in with a password, signing out, and the theme.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_service::identity::session::{self, SignedIn};
use http::HeaderMap;
use maud::html;

use crate::frame::{
    Cookie, CookieName, Device, FormData, Guest, Outcome, PageContext, Params, end_session,
    start_session,
};
use crate::view::{self, Theme, field, form, hidden};

/// How long the chosen theme is remembered.
const THEME_LIFE: std::time::Duration = std::time::Duration::from_hours(24 * 365);

/// Shows the sign-in form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let entered = FormData::default()
        .with("next", next(params.get("next")))
        .with("username", params.get("username").unwrap_or_default());
    draw(&ctx, &entered)
}

/// Signs in.
pub(crate) async fn submit(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    match try_sign_in(&ctx, &entered).await {
        Ok(SignedIn { tokens, .. }) => {
            let to = Redirect::to(&next(entered.optional("next"))).into_response();
            Ok(device
                .remember(&ctx, ctx.with_cookie(to, &start_session(CookieName::Person, &tokens))))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw(&ctx, entered))),
    }
}

async fn try_sign_in(ctx: &PageContext, entered: &FormData) -> Result<SignedIn, Error> {
    let mut fields = entered.fields();
    let username = entered.required(&mut fields, "username");
    if entered.get("password").is_empty() {
        fields.add("password", "is required");
    }
    fields.finish()?;
    session::sign_in(ctx.app(), &ctx.context, username, entered.get("password"), None).await
}

/// Ends the session.
pub(crate) async fn sign_out(Guest(ctx): Guest, headers: HeaderMap) -> Outcome {
    let secure = ctx.web.secure;
    let cookie = end_session(ctx.app(), &ctx.context, CookieName::Person, &headers, secure).await?;
    let response = ctx.redirect("/app/sign-in", "You're signed out");
    Ok(ctx.with_cookie(response, &cookie))
}

/// Changes the theme.
pub(crate) async fn theme(Guest(ctx): Guest, entered: FormData) -> Response {
    let chosen = Theme::parse(entered.get("theme")).name();
    let back = Redirect::to(&next(entered.optional("back"))).into_response();
    ctx.with_cookie(back, &Cookie::set(CookieName::Theme, chosen, THEME_LIFE))
}

/// Returns whether a path segment is `.` or `..`; browsers treat an escaped dot as a dot.
fn is_dots(part: &str) -> bool {
    matches!(&*part.to_ascii_lowercase().replace("%2e", "."), "." | "..")
}

/// Returns where to go after signing in: the requested path if it is a console page.
pub(crate) fn next(requested: Option<&str>) -> String {
    let is_console = |it: &&str| {
        let path = it.split(['?', '#']).next().unwrap_or_default();
        (path == "/app" || path.starts_with("/app/"))
            // Browsers resolve dot segments, which could lead out of the console.
            && path.split('/').all(|part| !is_dots(part))
            && it.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
    };
    requested.filter(is_console).unwrap_or("/app").to_owned()
}

fn draw(ctx: &PageContext, entered: &FormData) -> Response {
    let fields = html! {
        (hidden("next", entered.get("next")))
        (field("username", "Email or full name").autocomplete("username").required().autofocus().of(entered))
        (field("password", "Password").kind("password").autocomplete("current-password").required().of(entered))
    };
    view::narrow(
        ctx,
        "Sign in",
        html! {
            h1 { "Sign in" }
            (form("/app/sign-in", entered, fields, "Sign in"))
            ul.ways {
                li { a href="/app/sign-in/link" { "Email me a sign-in link instead" } }
                li { a href="/app/forgot" { "Forgot your password?" } }
                li { "New to Grantor? " a href="/app/sign-up" { "Sign up" } }
            }
            (view::mailbox_hint(ctx))
        },
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn nobody_is_sent_elsewhere() {
        for fine in ["/app", "/app/licenses?page=2", "/app?x=1"] {
            assert_eq!(next(Some(fine)), fine);
        }
        for other in [
            "//evil.example",
            "/application",
            "https://evil.example",
            "/app/\\evil",
            "/docs",
            "/app/\r\nX: y",
            "",
        ] {
            assert_eq!(next(Some(other)), "/app", "{other}");
        }
    }
}
