//! `/app/admin/sign-in`: staff sign-in with a one-time token, and sign-out.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::audit::Scheme;
use grantor_messages::text;
use grantor_service::operations::admin::{self, AdminSignedIn};
use http::HeaderMap;
use maud::html;

use crate::frame::{
    Cookie, CookieName, FormData, Guest, Outcome, PageContext, Params, end_session, start_session,
};
use crate::view::{self, field, form, hidden};

/// Where staff go if they asked for no other page.
const HOME: &str = "/app/admin";

/// Shows the sign-in form.
pub(crate) async fn show_form(Guest(ctx): Guest, params: Params) -> Response {
    let entered = FormData::default().with("next", next(params.get("next")));
    draw(&ctx, &entered)
}

/// Signs in.
pub(crate) async fn submit(Guest(mut ctx): Guest, entered: FormData) -> Outcome {
    ctx.context.origin.scheme = Scheme::Admin;
    match try_sign_in(&ctx, &entered).await {
        Ok(AdminSignedIn { tokens, .. }) => {
            let to = Redirect::to(&next(entered.optional("next"))).into_response();
            Ok(ctx.with_cookie(to, &start_session(CookieName::Staff, &tokens)))
        }
        Err(error) => Ok(ctx.redisplay(error, entered, |entered| draw(&ctx, entered))),
    }
}

async fn try_sign_in(ctx: &PageContext, entered: &FormData) -> Result<AdminSignedIn, Error> {
    let mut fields = entered.fields();
    let token = entered.required(&mut fields, "token");
    fields.finish()?;
    admin::authenticate(ctx.app(), &ctx.context, token).await
}

/// Ends the session.
pub(crate) async fn sign_out(Guest(mut ctx): Guest, headers: HeaderMap) -> Outcome {
    ctx.context.origin.scheme = Scheme::Admin;
    let secure = ctx.web.secure;
    let cookie = end_session(ctx.app(), &ctx.context, CookieName::Staff, &headers, secure).await?;
    let response = ctx.redirect("/app/admin/sign-in", text!("admin-sign-in-signed-out"));
    // A view ends with the session.
    let response = ctx.with_cookie(response, &Cookie::clear(CookieName::View));
    Ok(ctx.with_cookie(response, &cookie))
}

/// Returns where to go after signing in: the requested path if it is a staff page.
fn next(requested: Option<&str>) -> String {
    let to = crate::sign_in::next(requested);
    let staff =
        to.strip_prefix("/app/admin").is_some_and(|it| it.is_empty() || it.starts_with(['/', '?']));
    if staff { to } else { HOME.to_owned() }
}

/// Like a password, the token is never written into a page.
fn draw(ctx: &PageContext, entered: &FormData) -> Response {
    let fields = html! {
        (hidden("next", entered.get("next")))
        (field("token", text!("admin-sign-in-token")).kind("password").autocomplete("one-time-code").required()
            .autofocus().hint(text!("admin-sign-in-token-hint")).of(entered))
    };
    view::narrow(
        ctx,
        text!("admin-sign-in-title"),
        html! {
            h1 { (text!("admin-sign-in-title")) }
            @if next(entered.optional("next")) != HOME { p { (text!("request-sign-in-to-view-page")) } }
            (form("/app/admin/sign-in", entered, fields, text!("admin-sign-in-submit")))
            ul.ways {
                li {
                    details.more {
                        summary { (text!("admin-sign-in-no-token")) }
                        p { (text!("admin-sign-in-operator")) }
                        (view::code(text!("admin-sign-in-command"), "grantor admin token --email you@example.com"))
                    }
                }
                li { a href="/app/sign-in" { (text!("admin-sign-in-not-staff")) } }
            }
        },
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use super::next;

    #[test]
    fn staff_goes_on_among_its_own_pages() {
        for fine in ["/app/admin", "/app/admin/pods?page=2", "/app/admin?status=suspended"] {
            assert_eq!(next(Some(fine)), fine);
        }
        for other in ["/app", "/app/licenses", "/app/administration", "//evil.example", ""] {
            assert_eq!(next(Some(other)), "/app/admin", "{other}");
        }
    }
}
