//! `/app/sign-in`: signing in with a password, signing out, and the theme.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::second_factor::Need;
use grantor_messages::text;
use grantor_service::identity::session::{self, Entered, SignedIn};
use http::HeaderMap;
use maud::html;

use crate::frame::{
    Ceremony, Cookie, CookieName, Device, FormData, Guest, Outcome, PageContext, Params,
    end_session, start_session,
};
use crate::passkey;
use crate::purpose::Purpose;
use crate::view::rich::rich;
use crate::view::{self, Theme, field, form, hidden};

/// How long the chosen theme is remembered.
const THEME_LIFE: std::time::Duration = std::time::Duration::from_hours(24 * 365);

/// The maximum length of the path to go to after signing in.
const MAX_NEXT: usize = 2_000;

/// Shows the sign-in form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Outcome {
    let next = next(params.get("next"));
    let purpose = Purpose::of(ctx.app(), &next).await?;
    let username = params.get("username").map_or_else(|| addressee(&next), str::to_owned);
    let entered = FormData::default().with("next", next).with("username", username);
    Ok(draw(&ctx, purpose.as_ref(), &entered))
}

/// Signs in.
pub(crate) async fn submit(
    Guest(mut ctx): Guest,
    headers: HeaderMap,
    entered: FormData,
) -> Outcome {
    let device = Device::of(&mut ctx, &headers);
    let ceremony = Ceremony::begin(&ctx);
    match try_sign_in(&ctx, &entered, &ceremony).await {
        Ok(found) => Ok(proceed(&ctx, &device, &ceremony, found, entered.get("next"))),
        Err(error) => redisplay(&ctx, error, entered).await,
    }
}

async fn try_sign_in(
    ctx: &PageContext,
    entered: &FormData,
    ceremony: &Ceremony,
) -> Result<Entered, Error> {
    let mut fields = entered.fields();
    let username = entered.required(&mut fields, "username");
    if entered.get("password").is_empty() {
        fields.add("password", "is required");
    }
    fields.finish()?;
    let (app, context, secret) = (ctx.app(), &ctx.context, ceremony.secret());
    session::enter(app, context, username, entered.get("password"), secret).await
}

/// Leads on after a right first factor: to the page the person wanted, or to their second factor.
pub(crate) fn proceed(
    ctx: &PageContext,
    device: &Device,
    ceremony: &Ceremony,
    entered: Entered,
    wanted: &str,
) -> Response {
    let page = match entered {
        Entered::SignedIn(signed_in) => return welcome(ctx, device, &signed_in, wanted),
        Entered::Waiting(Need::SetUp) => "/app/sign-in/set-up",
        Entered::Waiting(_) => "/app/sign-in/second-factor",
    };
    ceremony.keep(ctx, Redirect::to(&with_next(page, wanted)).into_response())
}

/// Signs this browser in and leads to the page the person wanted.
pub(crate) fn welcome(
    ctx: &PageContext,
    device: &Device,
    signed_in: &SignedIn,
    wanted: &str,
) -> Response {
    let to = Redirect::to(&next(Some(wanted.trim()))).into_response();
    signed_in_cookies(ctx, device, signed_in, to)
}

/// Adds the cookies that sign this browser in to a response.
pub(crate) fn signed_in_cookies(
    ctx: &PageContext,
    device: &Device,
    signed_in: &SignedIn,
    response: Response,
) -> Response {
    let session = start_session(CookieName::Person, &signed_in.tokens);
    device.remember(ctx, ctx.with_cookie(response, &session))
}

/// Ends the session. Whoever wants to go on as somebody else is led back to the page.
pub(crate) async fn sign_out(Guest(ctx): Guest, headers: HeaderMap, entered: FormData) -> Outcome {
    let secure = ctx.web.secure;
    let cookie = end_session(ctx.app(), &ctx.context, CookieName::Person, &headers, secure).await?;
    let page = with_next("/app/sign-in", entered.get("next"));
    let response = ctx.redirect(page, text!("sign-in-signed-out"));
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

/// Returns whether a path is this page or below it.
fn is_within(path: &str, page: &str) -> bool {
    path.strip_prefix(page).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns where to go after signing in: the requested path if it is a page of ours. Emailed links
/// contain it, so it must not be long.
pub(crate) fn next(requested: Option<&str>) -> String {
    let is_console = |it: &&str| {
        let path = it.split(['?', '#']).next().unwrap_or_default();
        it.len() <= MAX_NEXT
            && ["/app", "/verify", "/docs"].iter().any(|page| is_within(path, page))
            // Browsers resolve dot segments, which could lead out of the console.
            && path.split('/').all(|part| !is_dots(part))
            && it.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
    };
    requested.filter(is_console).unwrap_or("/app").to_owned()
}

/// Returns the requested path if it is a console page other than the dashboard, for an emailed link.
pub(crate) fn next_page(requested: &str) -> Option<String> {
    Some(next(Some(requested))).filter(|it| it != "/app")
}

/// Adds where to go after signing in to the path of a sign-in page, unless it is the dashboard.
pub(crate) fn with_next(path: &str, requested: &str) -> String {
    let Some(next) = next_page(requested) else { return path.to_owned() };
    let separator = if path.contains('?') { '&' } else { '?' };
    let next: String = url::form_urlencoded::byte_serialize(next.as_bytes()).collect();
    format!("{path}{separator}next={next}")
}

/// Like [`with_next`], for a link on the page at `here`, which may lead on itself. Staff sign in
/// elsewhere.
pub(crate) fn with_next_of(here: &str, path: &str) -> String {
    let query = here.split_once('?').filter(|(page, _)| !is_within(page, "/app/admin"));
    let params = Params::read(query.map_or("", |(_, query)| query));
    with_next(path, params.get("next").unwrap_or_default())
}

/// Returns the address that an emailed link was sent to, if the page it leads to names the address.
/// Forms fill it in.
pub(crate) fn addressee(next: &str) -> String {
    let query = next.split_once('?').map_or("", |it| it.1);
    let found = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "to");
    let email = found.and_then(|(_, text)| Email::parse(&text).ok());
    email.map(|it| it.as_str().to_owned()).unwrap_or_default()
}

/// Renders the sign-in form again with the submitted values and the error.
pub(crate) async fn redisplay(ctx: &PageContext, error: Error, entered: FormData) -> Outcome {
    let purpose = Purpose::of(ctx.app(), entered.get("next")).await?;
    Ok(ctx.redisplay(error, entered, |entered| draw(ctx, purpose.as_ref(), entered)))
}

fn draw(ctx: &PageContext, purpose: Option<&Purpose>, entered: &FormData) -> Response {
    let fields = html! {
        (hidden("next", entered.get("next")))
        (field("username", text!("sign-in-username")).autocomplete("username").required().autofocus().of(entered))
        (field("password", text!("sign-in-password")).kind("password").autocomplete("current-password").required().of(entered))
    };
    view::narrow(
        ctx,
        text!("sign-in-title"),
        html! {
            h1 { (text!("sign-in-title")) }
            @if let Some(purpose) = purpose { (purpose.sign_in_line()) }
            (form(&with_next("/app/sign-in", entered.get("next")), entered, fields, text!("sign-in-button")))
            (passkey::sign_in_form(ctx, entered.get("next")))
            ul.ways {
                li { a href=(with_next("/app/sign-in/link", entered.get("next"))) { (text!("sign-in-by-link")) } }
                li { a href=(with_next("/app/sign-in/sso", entered.get("next"))) { (text!("sign-in-by-sso")) } }
                li { a href=(with_next("/app/forgot", entered.get("next"))) { (text!("sign-in-forgot")) } }
                li {
                    (rich!("sign-in-new", link = html! {
                        a href=(with_next("/app/sign-up", entered.get("next"))) { (text!("sign-in-new-link")) }
                    }))
                }
            }
            (view::mailbox_hint(ctx))
        },
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use super::{addressee, next, with_next, with_next_of};

    #[test]
    fn the_address_of_a_mail_is_filled_in() {
        assert_eq!(addressee("/app/requests/1?to=zoe%2Bx%40example.com"), "zoe+x@example.com");
        for other in ["/app/requests/1", "/app/requests/1?to=", "/app/requests/1?to=%3Cb%3E"] {
            assert_eq!(addressee(other), "", "{other}");
        }
    }

    #[test]
    fn a_wish_goes_along() {
        assert_eq!(with_next("/app/sign-up", "/app"), "/app/sign-up");
        assert_eq!(with_next("/app/sign-up", "//evil.example"), "/app/sign-up");
        let next = "/app/requests/new?license=1";
        let wish = "next=%2Fapp%2Frequests%2Fnew%3Flicense%3D1";
        assert_eq!(with_next("/app/sign-up", next), format!("/app/sign-up?{wish}"));
        assert_eq!(with_next("/app/sign-in?x=1", next), format!("/app/sign-in?x=1&{wish}"));
    }

    #[test]
    fn a_link_keeps_the_wish_of_its_page() {
        let wish = "next=%2Fapp%2Fgrants";
        let kept = |here: &str| with_next_of(here, "/app/sign-up");
        assert_eq!(kept(&format!("/app/sign-in?x=1&{wish}")), format!("/app/sign-up?{wish}"));
        for here in ["/app/sign-in", "/app/catalog?page=2", "/app/sign-in?next=%2F%2Fevil.example"]
        {
            assert_eq!(kept(here), "/app/sign-up", "{here}");
        }
        assert_eq!(kept(&format!("/app/admin/sign-in?{wish}")), "/app/sign-up", "staff");
    }

    #[test]
    fn nobody_is_sent_elsewhere() {
        for fine in ["/app", "/app/licenses?page=2", "/app?x=1", "/docs/quick-start"] {
            assert_eq!(next(Some(fine)), fine);
        }
        let long = format!("/app/{}", "x".repeat(2_000));
        for other in [
            "//evil.example",
            "/application",
            "https://evil.example",
            "/app/\\evil",
            "/docs-and-more",
            "/app/\r\nX: y",
            "",
            long.as_str(),
        ] {
            assert_eq!(next(Some(other)), "/app", "{other}");
        }
    }
}
