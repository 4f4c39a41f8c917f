//! `/app/sign-in/link` asks for a mailed link; `/app/magic` is where it leads. Opening it uses
//! nothing up, since mail scanners and previews open links too; the button does.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::otp::Otp;
use grantor_service::magic_link::{self, Proof};
use grantor_service::session::SignedIn;
use http::HeaderMap;
use maud::html;

use crate::code_entry::{self, Asking};
use crate::frame::{Asked, Crumb, Device, Entered, Guest, Outcome, Visit, begin};
use crate::view::letter::mailbox_hint;
use crate::view::{self, form, hidden};

const ASKING: Asking = Asking {
    title: "Sign in by mail",
    words: "We mail you a link and a code. No password is needed.",
    action: "/app/sign-in/link",
    button: "Mail me a link",
    back: "Sign in with a password",
};

/// The page that asks where to mail to.
pub(crate) async fn ask(Guest(visit): Guest) -> Response {
    ASKING.draw(&visit, &Entered::default())
}

/// Mails a link, and says the same for any address.
pub(crate) async fn request(Guest(visit): Guest, entered: Entered) -> Outcome {
    let sent = async {
        let email = Asking::read(&entered)?;
        magic_link::request(visit.app(), &visit.context, email).await
    };
    match sent.await {
        Ok(()) => Ok(code_entry::go(&visit, "/app/sign-in/code", "", entered.get("email").trim())),
        Err(error) => Ok(visit.again(error, entered, |entered| ASKING.draw(&visit, entered))),
    }
}

/// The page of the code.
pub(crate) async fn ask_code(Guest(visit): Guest, headers: HeaderMap) -> Response {
    match code_entry::kept(&visit, &headers) {
        Some(entered) => draw_code(&visit, &entered),
        None => Redirect::to("/app/sign-in/link").into_response(),
    }
}

/// Signs in with the code beside the link.
pub(crate) async fn enter_code(
    Guest(mut visit): Guest,
    headers: HeaderMap,
    entered: Entered,
) -> Outcome {
    let device = Device::of(&mut visit, &headers);
    let signed_in = async {
        let mut fields = entered.fields();
        let email = fields.take("email", Email::parse(entered.get("email")));
        let code = fields.take("otp", Otp::parse(entered.get("otp").trim()));
        fields.finish()?;
        let proof = email.zip(code).map(|(email, code)| Proof::Code { email, code });
        let proof = proof.ok_or_else(|| Error::validation("Some fields are not valid"))?;
        magic_link::verify(visit.app(), &visit.context, proof, None).await
    };
    match signed_in.await {
        Ok(signed_in) => Ok(welcome(&visit, &device, &signed_in)),
        Err(error) => Ok(visit.again(error, entered, |entered| draw_code(&visit, entered))),
    }
}

/// Where the link leads: a button.
pub(crate) async fn open(Guest(visit): Guest, asked: Asked) -> Response {
    match asked.get("token").filter(|it| !it.is_empty()) {
        Some(token) => draw_button(&visit, &Entered::default().with("token", token)),
        None => draw_incomplete(&visit),
    }
}

/// Signs in with the link.
pub(crate) async fn enter(
    Guest(mut visit): Guest,
    headers: HeaderMap,
    entered: Entered,
) -> Outcome {
    let device = Device::of(&mut visit, &headers);
    let proof = Proof::Token(entered.get("token").to_owned());
    match magic_link::verify(visit.app(), &visit.context, proof, None).await {
        Ok(signed_in) => Ok(welcome(&visit, &device, &signed_in)),
        Err(error) => Ok(visit.again(error, entered, |entered| draw_button(&visit, entered))),
    }
}

fn welcome(visit: &Visit, device: &Device, signed_in: &SignedIn) -> Response {
    let to =
        visit.with(Redirect::to("/app").into_response(), &begin(Crumb::Person, &signed_in.tokens));
    code_entry::done(visit, device.keep(visit, to))
}

fn draw_code(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (hidden("email", entered.get("email")))
        (code_entry::code(entered))
    };
    view::narrow(visit, "Look into your mailbox", html! {
        h1 { "Look into your mailbox" }
        p { "We sent a link and a code to " strong { (entered.get("email")) } ", good for 15 minutes." }
        p { "Open the link, or enter the code here:" }
        (form("/app/sign-in/code", entered, fields, "Sign in"))
        ul.ways { li { a href="/app/sign-in/link" { "Use another address" } } }
        (mailbox_hint(visit))
    })
    .into_response()
}

/// Some mail programs break long links.
fn draw_incomplete(visit: &Visit) -> Response {
    view::narrow(
        visit,
        "Sign in",
        html! {
            h1 { "Sign in" }
            p { "This link is incomplete: copy all of it from the mail, or ask for another one." }
            ul.ways { li { a href="/app/sign-in/link" { "Mail me another link" } } }
        },
    )
    .into_response()
}

fn draw_button(visit: &Visit, entered: &Entered) -> Response {
    let failed = entered.message().is_some();
    view::narrow(
        visit,
        "Sign in",
        html! {
            h1 { "Sign in" }
            @if !failed { p { "One click and you are in. The link works once." } }
            (form("/app/magic", entered, hidden("token", entered.get("token")), "Sign in"))
            @if failed {
                ul.ways { li { a href="/app/sign-in/link" { "Mail me another link" } } }
            }
        },
    )
    .into_response()
}
