//! `/app/forgot`: another password for who proves the address.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_service::reset::{self, Proof};
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, Asking};
use crate::frame::{Asked, Entered, Guest, Outcome, Visit};
use crate::view::letter::mailbox_hint;
use crate::view::{self, form, hidden, new_password};

const ASKING: Asking = Asking {
    title: "Another password",
    words: "We mail you a code and a link; with either you choose another password.",
    action: "/app/forgot",
    button: "Mail me a code",
    back: "Sign in",
};

/// The page.
pub(crate) async fn ask(Guest(visit): Guest) -> Response {
    ASKING.draw(&visit, &Entered::default())
}

/// Mails a code, and says the same for any address.
pub(crate) async fn forgot(Guest(visit): Guest, entered: Entered) -> Outcome {
    let sent = async {
        let email = Asking::read(&entered)?;
        reset::forgot(visit.app(), &visit.context, email).await
    };
    match sent.await {
        Ok(sent) => Ok(code_entry::go(&visit, "/app/reset", &sent.session, &sent.email)),
        Err(error) => Ok(visit.again(error, entered, |entered| ASKING.draw(&visit, entered))),
    }
}

/// The page of the code, or the one that the mail's link leads to. Opening it uses nothing up.
pub(crate) async fn ask_code(Guest(visit): Guest, asked: Asked, headers: HeaderMap) -> Response {
    if let Some(token) = asked.get("token") {
        return draw_link(&visit, &Entered::default().with("token", token));
    }
    match code_entry::kept(&visit, &headers) {
        Some(entered) => draw_code(&visit, &entered),
        None => Redirect::to("/app/forgot").into_response(),
    }
}

/// Sets the password.
pub(crate) async fn reset(Guest(visit): Guest, entered: Entered) -> Outcome {
    let done = async {
        let mut fields = entered.fields();
        let proof = match entered.optional("token") {
            Some(token) => Proof::Link(token),
            None => Proof::Code {
                session: entered.get("otpSession"),
                code: entered.required(&mut fields, "otp"),
            },
        };
        if entered.get("newPassword").is_empty() {
            fields.add("newPassword", "is required");
        }
        fields.finish()?;
        let password = entered.get("newPassword");
        reset::reset(visit.app(), &visit.context, proof, password).await
    };
    let by_link = entered.optional("token").is_some();
    match done.await {
        Ok(()) => {
            let said = "Your password was changed: sign in with it";
            Ok(code_entry::done(&visit, visit.went("/app/sign-in", said)))
        }
        Err(error) if by_link => {
            Ok(visit.again(error, entered, |entered| draw_link(&visit, entered)))
        }
        Err(error) => Ok(visit.again(error, entered, |entered| draw_code(&visit, entered))),
    }
}

fn draw_link(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (hidden("token", entered.get("token")))
        (new_password("newPassword", "New password", entered))
    };
    view::narrow(
        visit,
        "Choose a password",
        html! {
            h1 { "Choose a password" }
            @if entered.message().is_none() { p { "All your sessions end with it. The link works once." } }
            (form("/app/reset", entered, fields, "Change the password"))
            ul.ways { li { a href="/app/forgot" { "Ask for another link" } } }
        },
    )
    .into_response()
}

fn draw_code(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (code_entry::fields(entered))
        (new_password("newPassword", "New password", entered))
    };
    view::narrow(visit, "Choose a password", html! {
        h1 { "Choose a password" }
        p { "If there is an account with " strong { (entered.get("email")) } ", we mailed it a code." }
        (form("/app/reset", entered, fields, "Change the password"))
        ul.ways { li { a href="/app/forgot" { "Ask for another code" } } }
        (mailbox_hint(visit))
    })
    .into_response()
}
