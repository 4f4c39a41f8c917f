//! The link in a mail about an offer, opened by somebody else than its recipient.

use axum::response::Response;
use grantor_domain::email::Email;
use grantor_domain::{ErrorKind, Result};
use grantor_messages::text;
use grantor_service::identity::profile;
use http::StatusCode;
use maud::html;

use crate::frame::{Failure, Params, Person};
use crate::view::rich::rich;
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
    let title = text!("request-foreign-link");
    let strong = |address: &str| html! { strong { (address) } };
    let body = html! {
        section.problem {
            h1 { (title) }
            p { (rich!("request-foreign-link-sent-to", to = strong(to.as_str()), own = strong(own))) }
            p { (text!("request-foreign-link-next")) }
            @if !person.is_viewed() {
                form.inline method="post" action="/app/sign-out" {
                    (hidden("next", &person.here))
                    button { (text!("request-foreign-link-sign-in", email = to.as_str())) }
                }
            }
            p { a.button.plain href="/app" { (text!("request-go-to-dashboard")) } }
        }
    };
    let mut response = person.page(title, NavItem::Requests, body);
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}
