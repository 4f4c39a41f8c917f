//! `/app/sign-in`: by address or name and password; and the way out.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_service::session::{self, SignedIn};
use http::HeaderMap;
use maud::html;

use crate::frame::{Asked, Cookie, Crumb, Device, Entered, Guest, Outcome, Visit, begin, end};
use crate::view::{self, Theme, field, form, hidden};

/// How long a choice of light or dark is kept.
const CHOICE: std::time::Duration = std::time::Duration::from_hours(24 * 365);

/// The page.
pub(crate) async fn ask(Guest(visit): Guest, asked: Asked) -> Response {
    let entered = Entered::default()
        .with("next", next(asked.get("next")))
        .with("username", asked.get("username").unwrap_or_default());
    draw(&visit, &entered)
}

/// Signs in.
pub(crate) async fn enter(
    Guest(mut visit): Guest,
    headers: HeaderMap,
    entered: Entered,
) -> Outcome {
    let device = Device::of(&mut visit, &headers);
    match try_enter(&visit, &entered).await {
        Ok(SignedIn { tokens, .. }) => {
            let to = Redirect::to(&next(entered.optional("next"))).into_response();
            Ok(device.keep(&visit, visit.with(to, &begin(Crumb::Person, &tokens))))
        }
        Err(error) => Ok(visit.again(error, entered, |entered| draw(&visit, entered))),
    }
}

async fn try_enter(visit: &Visit, entered: &Entered) -> Result<SignedIn, Error> {
    let mut fields = entered.fields();
    let username = entered.required(&mut fields, "username");
    if entered.get("password").is_empty() {
        fields.add("password", "is required");
    }
    fields.finish()?;
    session::sign_in(visit.app(), &visit.context, username, entered.get("password"), None).await
}

/// Signs out, here and wherever else the same sign-in is used.
pub(crate) async fn leave(Guest(visit): Guest, headers: HeaderMap) -> Outcome {
    let secure = visit.web.secure;
    let cookie = end(visit.app(), &visit.context, Crumb::Person, &headers, secure).await?;
    let gone = visit.went("/app/sign-in", "You are signed out");
    Ok(visit.with(gone, &cookie))
}

/// Chooses light or dark.
pub(crate) async fn theme(Guest(visit): Guest, entered: Entered) -> Response {
    let chosen = Theme::parse(entered.get("theme")).name();
    let back = Redirect::to(&next(entered.optional("back"))).into_response();
    visit.with(back, &Cookie::set(Crumb::Theme, chosen, CHOICE))
}

/// Whether a part of a path leads up, or nowhere; browsers read an escaped dot as a dot.
fn is_dots(part: &str) -> bool {
    matches!(&*part.to_ascii_lowercase().replace("%2e", "."), "." | "..")
}

/// Where to go on: a page of ours, whatever the address says.
pub(crate) fn next(asked: Option<&str>) -> String {
    let ours = |it: &&str| {
        let path = it.split(['?', '#']).next().unwrap_or_default();
        (path == "/app" || path.starts_with("/app/"))
            // A browser takes out the dots, and each part between them with its own.
            && path.split('/').all(|part| !is_dots(part))
            && it.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
    };
    asked.filter(ours).unwrap_or("/app").to_owned()
}

fn draw(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (hidden("next", entered.get("next")))
        (field("username", "Email or name").autocomplete("username").required().focused().of(entered))
        (field("password", "Password").kind("password").autocomplete("current-password").required().of(entered))
    };
    view::narrow(
        visit,
        "Sign in",
        html! {
            h1 { "Sign in" }
            (form("/app/sign-in", entered, fields, "Sign in"))
            ul.ways {
                li { a href="/app/sign-in/link" { "Mail me a link instead" } }
                li { a href="/app/forgot" { "I forgot my password" } }
                li { "New here? " a href="/app/sign-up" { "Sign up" } }
            }
            (view::mailbox_hint(visit))
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
