//! `/app/forgot`: another password for who proves the address.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_service::reset;
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, Asking};
use crate::frame::{Entered, Guest, Outcome, Visit};
use crate::sign_up::PASSWORD_HINT;
use crate::view::letter::mailbox_hint;
use crate::view::{self, field, form};

const ASKING: Asking = Asking {
    title: "Another password",
    words: "We mail you a code; with it you choose another password.",
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

/// The page of the code.
pub(crate) async fn ask_code(Guest(visit): Guest, headers: HeaderMap) -> Response {
    match code_entry::kept(&visit, &headers) {
        Some(entered) => draw_code(&visit, &entered),
        None => Redirect::to("/app/forgot").into_response(),
    }
}

/// Sets the password.
pub(crate) async fn reset(Guest(visit): Guest, entered: Entered) -> Outcome {
    let done = async {
        let mut fields = entered.fields();
        let code = entered.required(&mut fields, "otp");
        if entered.get("newPassword").is_empty() {
            fields.add("newPassword", "is required");
        }
        fields.finish()?;
        let (session, password) = (entered.get("otpSession"), entered.get("newPassword"));
        reset::reset(visit.app(), &visit.context, session, code, password).await
    };
    match done.await {
        Ok(()) => {
            let said = "Your password was changed: sign in with it";
            Ok(code_entry::done(&visit, visit.went("/app/sign-in", said)))
        }
        Err(error) => Ok(visit.again(error, entered, |entered| draw_code(&visit, entered))),
    }
}

fn draw_code(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (code_entry::fields(entered))
        (field("newPassword", "New password").kind("password").autocomplete("new-password")
            .required().hint(PASSWORD_HINT).of(entered))
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
