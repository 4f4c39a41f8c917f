//! `/unsubscribe/{token}`: stops emails by the signed link in each of them, without signing in.
//! Mail programs post to it with one click (RFC 8058); people see a page with a button.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::notice::Unsubscription;
use grantor_messages::text;
use grantor_service::notices::unsubscribe::{self, Subscriber, VerifiedLink};
use maud::{Markup, html};

use crate::frame::{Guest, Outcome, PageContext, Segment};
use crate::view::label::notice_kind;
use crate::view::narrow;

/// Shows what the link stops, and a button. Opening a link changes nothing, because mail scanners
/// open links.
pub(crate) async fn show(Guest(ctx): Guest, Segment(token): Segment<String>) -> Outcome {
    let link = unsubscribe::verify(ctx.app(), &token)?;
    let person = unsubscribe::subscriber(ctx.app(), link).await?;
    let body = html! {
        h1 { (text!("notice-unsubscribe")) }
        p { (question(&link, email(person.as_ref()))) }
        form method="post" action={ "/unsubscribe/" (token) } { button { (text!("notice-unsubscribe")) } }
        p.quiet { (text!("notice-unsubscribe-still")) }
    };
    Ok(draw(&ctx, body))
}

/// Stops the emails.
pub(crate) async fn submit(Guest(ctx): Guest, Segment(token): Segment<String>) -> Outcome {
    let link = unsubscribe::verify(ctx.app(), &token)?;
    unsubscribe::unsubscribe(ctx.app(), &ctx.context, link).await?;
    let person = unsubscribe::subscriber(ctx.app(), link).await?;
    let settings = match &person {
        Some(Subscriber { is_staff: true, .. }) => "/app/admin/notifications",
        _ => "/app/profile/notifications",
    };
    let body = html! {
        h1 { (text!("notice-unsubscribed")) }
        p { (answer(&link, email(person.as_ref()))) }
        p { a href=(settings) { (text!("notice-unsubscribed-choose")) } }
    };
    Ok(draw(&ctx, body))
}

/// Asks whether to stop the emails.
fn question(link: &VerifiedLink, email: &str) -> String {
    match link.scope {
        Unsubscription::Kind(kind) => {
            text!("notice-unsubscribe-kind", kind = notice_kind(kind), email = email)
        }
        Unsubscription::Digest => text!("notice-unsubscribe-digest", email = email),
    }
}

/// Says that the emails are stopped.
fn answer(link: &VerifiedLink, email: &str) -> String {
    match link.scope {
        Unsubscription::Kind(kind) => {
            text!("notice-unsubscribed-kind", kind = notice_kind(kind), email = email)
        }
        Unsubscription::Digest => text!("notice-unsubscribed-digest", email = email),
    }
}

/// The address that the emails went to; `unknown` if the account is gone, which messages know.
fn email(person: Option<&Subscriber>) -> &str {
    person.map_or("unknown", |it| it.masked_email.as_str())
}

fn draw(ctx: &PageContext, body: Markup) -> Response {
    narrow(ctx, text!("notice-unsubscribe"), body).into_response()
}
