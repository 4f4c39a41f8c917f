//! `/app/sign-up`: an account with or without an organization, proved by a mailed code.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::organization::NewOrganization;
use grantor_domain::password::PasswordPolicy;
use grantor_domain::person::FullName;
use grantor_service::code;
use grantor_service::magic_link;
use grantor_service::registration::{self, NewAccount};
use http::HeaderMap;
use maud::{Markup, html};

use crate::code_entry;
use crate::frame::{Entered, Guest, Outcome, Visit};
use crate::view::{self, field, form, new_password, select};

/// Whom one can sign up as; nothing is for oneself.
const KINDS: [(&str, &str); 4] = [
    ("Agency", "An agency that represents talents"),
    ("Brand", "A brand that clears rights"),
    ("Platform", "A platform that hosts content"),
    ("", "Myself: I manage my own likeness"),
];

/// The page.
pub(crate) async fn ask(Guest(visit): Guest) -> Response {
    draw(&visit, &Entered::default().with("organization.type", "Agency"))
}

/// Takes what was entered and asks for the code.
pub(crate) async fn register(Guest(visit): Guest, entered: Entered) -> Outcome {
    let sent = async {
        let account = read(&entered, visit.app().password_policy)?;
        registration::register(visit.app(), &visit.context, account).await
    };
    match sent.await {
        Ok(sent) => Ok(code_entry::go(&visit, "/app/sign-up/code", &sent.session, &sent.email)),
        Err(error) => Ok(visit.again(error, entered, |entered| draw(&visit, entered))),
    }
}

/// The page of the code.
pub(crate) async fn ask_code(Guest(visit): Guest, headers: HeaderMap) -> Response {
    match code_entry::kept(&visit, &headers) {
        Some(entered) => draw_code(&visit, &entered),
        None => Redirect::to("/app/sign-up").into_response(),
    }
}

/// Proves the address with the code.
pub(crate) async fn validate(Guest(visit): Guest, entered: Entered) -> Outcome {
    let (session, code) = (entered.get("otpSession"), entered.get("otp").trim());
    match registration::validate(visit.app(), &visit.context, session, code).await {
        Ok(verified) => {
            let email: String =
                url::form_urlencoded::byte_serialize(verified.email.as_bytes()).collect();
            let said = "Your account is active: sign in";
            let to = format!("/app/sign-in?username={email}");
            Ok(code_entry::done(&visit, visit.went(to, said)))
        }
        Err(error) => Ok(visit.again(error, entered, |entered| draw_code(&visit, entered))),
    }
}

/// Mails another code.
pub(crate) async fn resend(Guest(visit): Guest, entered: Entered) -> Outcome {
    match code::resend(visit.app(), &visit.context, entered.get("otpSession")).await {
        Ok(_) => Ok(draw_code(&visit, &entered.with("said", code_entry::SENT_AGAIN))),
        Err(error) => Ok(visit.again(error, entered, |entered| draw_code(&visit, entered))),
    }
}

fn read(entered: &Entered, policy: PasswordPolicy) -> Result<NewAccount, Error> {
    let mut fields = entered.fields();
    let kind = entered.optional("organization.type");
    let organization = kind.and_then(|kind| {
        let name = entered.optional("organization.name");
        NewOrganization::parse(name, Some(kind), None, &mut fields)
    });
    let (fullname, email) = (entered.optional("fullname"), entered.optional("email"));
    let password = Some(entered.get("password")).filter(|it| !it.is_empty());
    NewAccount::parse(fullname, email, password, organization, policy, fields)
}

fn draw(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (select("organization.type", "Who signs up?", None, &KINDS, entered))
        (field("organization.name", "Name of the organization").autocomplete("organization")
            .hint("Leave it empty if you sign up for yourself.").of(entered))
        (field("fullname", "Your name").autocomplete("name").required().of(entered))
        (field("email", "Email").kind("email").autocomplete("email").required()
            .hint("We mail you a code to prove it.").of(entered))
        (new_password("password", "Password", entered))
    };
    view::narrow(
        visit,
        "Sign up",
        html! {
            h1 { "Sign up" }
            (form("/app/sign-up", entered, fields, "Sign up"))
            ul.ways {
                li { a href="/app/sign-up/link" { "Sign up without a password" } }
                li { "You have an account? " a href="/app/sign-in" { "Sign in" } }
            }
        },
    )
    .into_response()
}

/// The page of who wants no password.
pub(crate) async fn ask_link(Guest(visit): Guest) -> Response {
    draw_link(&visit, &Entered::default())
}

/// Mails a link and a code that sign up, and says the same for any address.
pub(crate) async fn register_link(Guest(visit): Guest, entered: Entered) -> Outcome {
    let sent = async {
        let mut fields = entered.fields();
        let fullname = entered.required(&mut fields, "fullname");
        let fullname = fields.take("fullname", FullName::parse(fullname));
        let email = entered.required(&mut fields, "email");
        let email = fields.take("email", Email::parse(email));
        fields.finish()?;
        let (Some(fullname), Some(email)) = (fullname, email) else {
            return Err(Error::validation("Some fields are not valid"));
        };
        magic_link::register(visit.app(), &visit.context, email, fullname).await
    };
    match sent.await {
        Ok(()) => Ok(code_entry::go(&visit, "/app/sign-in/code", "", entered.get("email").trim())),
        Err(error) => Ok(visit.again(error, entered, |entered| draw_link(&visit, entered))),
    }
}

fn draw_link(visit: &Visit, entered: &Entered) -> Response {
    let fields = html! {
        (field("fullname", "Your name").autocomplete("name").required().focused().of(entered))
        (field("email", "Email").kind("email").autocomplete("email").required().of(entered))
    };
    view::narrow(
        visit,
        "Sign up without a password",
        html! {
            h1 { "Sign up without a password" }
            p { "You sign up for yourself, to manage your own likeness. Whenever you sign in, we mail you a link and a code." }
            (form("/app/sign-up/link", entered, fields, "Mail me a link"))
            ul.ways {
                li { a href="/app/sign-up" { "Sign up with a password, or for an organization" } }
                li { "You have an account? " a href="/app/sign-in" { "Sign in" } }
            }
        },
    )
    .into_response()
}

fn draw_code(visit: &Visit, entered: &Entered) -> Response {
    let inside: Markup = code_entry::fields(entered);
    view::narrow(
        visit,
        "Enter the code",
        html! {
            h1 { "Enter the code" }
            (code_entry::lead(entered))
            (form("/app/sign-up/code", entered, inside, "Confirm"))
            (code_entry::another(visit, "/app/sign-up/again", entered))
        },
    )
    .into_response()
}
