//! `/app/admin/sign-in`: by a one-time token; and the way out.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::audit::Scheme;
use grantor_service::admin::{self, AdminSignedIn};
use http::HeaderMap;
use maud::html;

use crate::frame::{Asked, Crumb, Entered, Guest, Outcome, Visit, begin, end};
use crate::view::{self, field, form, hidden};

/// The page.
pub(crate) async fn ask(Guest(visit): Guest, asked: Asked) -> Response {
    let entered = Entered::default().with("next", next(asked.get("next")));
    draw(&visit, &entered)
}

/// Signs in.
pub(crate) async fn enter(Guest(mut visit): Guest, entered: Entered) -> Outcome {
    visit.context.origin.scheme = Scheme::Admin;
    match try_enter(&visit, &entered).await {
        Ok(AdminSignedIn { tokens, .. }) => {
            let to = Redirect::to(&next(entered.optional("next"))).into_response();
            Ok(visit.with(to, &begin(Crumb::Staff, &tokens)))
        }
        Err(error) => Ok(visit.again(error, entered, |entered| draw(&visit, entered))),
    }
}

async fn try_enter(visit: &Visit, entered: &Entered) -> Result<AdminSignedIn, Error> {
    let mut fields = entered.fields();
    let token = entered.required(&mut fields, "token");
    fields.finish()?;
    admin::authenticate(visit.app(), &visit.context, token).await
}

/// Signs out, here and wherever else the same sign-in is used.
pub(crate) async fn leave(Guest(mut visit): Guest, headers: HeaderMap) -> Outcome {
    visit.context.origin.scheme = Scheme::Admin;
    let secure = visit.web.secure;
    let cookie = end(visit.app(), &visit.context, Crumb::Staff, &headers, secure).await?;
    let gone = visit.went("/app/admin/sign-in", "You are signed out");
    Ok(visit.with(gone, &cookie))
}

/// Where to go on: a page of staff, whatever the address says.
fn next(asked: Option<&str>) -> String {
    let to = crate::sign_in::next(asked);
    let staff =
        to.strip_prefix("/app/admin").is_some_and(|it| it.is_empty() || it.starts_with(['/', '?']));
    if staff { to } else { "/app/admin".to_owned() }
}

/// A token is as good as a password: it is never written into a page.
fn draw(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (hidden("next", entered.get("next")))
        (field("token", "One-time token").kind("password").autocomplete("one-time-code").required()
            .focused().hint("It is in your mail, or made on the machine. It works once.").of(entered))
    };
    view::narrow(
        visit,
        "Staff sign-in",
        html! {
            h1 { "Staff sign-in" }
            (form("/app/admin/sign-in", entered, fields, "Sign in"))
            ul.ways {
                li {
                    details.more {
                        summary { "I have no token" }
                        p { "Whoever runs the machine makes one:" }
                        (view::code("Command", "grantor admin token --email you@example.com"))
                    }
                }
                li { a href="/app/sign-in" { "I am not staff: sign in as a person" } }
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
