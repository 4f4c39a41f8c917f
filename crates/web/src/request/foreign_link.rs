//! The link in a mail about an offer, opened by somebody else than its recipient.

use axum::response::Response;
use grantor_domain::email::Email;
use grantor_domain::{ErrorKind, Result};
use grantor_service::identity::profile;
use http::StatusCode;
use maud::html;

use crate::frame::{Failure, Params, Person};
use crate::view::{NavItem, hidden};

/// The page for somebody who cannot see a request, if its link was sent to another address than
/// theirs. It is the same whether or not there is such a request.
pub(super) async fn page_for_others(
    person: &Person,
    params: &Params,
    failure: Failure,
) -> Result<Response, Failure> {
    let to = params.get("to").and_then(|it| Email::parse(it).ok());
    let Some(to) = to.filter(|_| *failure.error.kind() == ErrorKind::NotFound) else {
        return Err(failure);
    };
    let (user, _) = profile::show(person.app(), &person.caller).await?;
    if user.email_key == to.key() {
        return Err(failure);
    }
    Ok(draw(person, &to, &user.email))
}

fn draw(person: &Person, to: &Email, own: &str) -> Response {
    let title = "This link is for another account";
    let body = html! {
        section.problem {
            h1 { (title) }
            p { "The link was sent to " strong { (to.as_str()) } ". You're signed in as " strong { (own) } "." }
            p { "To open it, sign in with the address it was sent to." }
            form.inline method="post" action="/app/sign-out" {
                (hidden("next", &person.here))
                button { "Sign out and sign in with " (to.as_str()) }
            }
            p { a.button.plain href="/app" { "Go to dashboard" } }
        }
    };
    let mut response = person.page(title, NavItem::Requests, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
