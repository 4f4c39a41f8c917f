//! `/unsubscribe/{token}`: stops emails by the signed link in each of them, without signing in.
//! Mail programs post to it with one click (RFC 8058); people see a page with a button.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::notice::Unsubscription;
use grantor_service::notices::unsubscribe::{self, Subscriber, VerifiedLink};
use maud::{Markup, html};

use crate::frame::{Guest, Outcome, PageContext, Segment};
use crate::view::narrow;

/// Shows what the link stops, and a button. Opening a link changes nothing, because mail scanners
/// open links.
pub(crate) async fn show(Guest(ctx): Guest, Segment(token): Segment<String>) -> Outcome {
    let link = unsubscribe::verify(ctx.app(), &token)?;
    let person = unsubscribe::subscriber(ctx.app(), link).await?;
    let body = html! {
        h1 { "Unsubscribe" }
        p { "Stop " (what(&link)) (whose(person.as_ref())) "?" }
        form method="post" action={ "/unsubscribe/" (token) } { button { "Unsubscribe" } }
        p.quiet { "You still get emails that you ask for, such as sign-in links and codes." }
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
        h1 { "You're unsubscribed" }
        p { "We stopped " (what(&link)) (whose(person.as_ref())) "." }
        p { a href=(settings) { "Choose what we email you" } }
    };
    Ok(draw(&ctx, body))
}

fn what(link: &VerifiedLink) -> Markup {
    html! {
        @match link.scope {
            Unsubscription::Kind(kind) => { "emails of the kind “" (kind.label()) "”" }
            Unsubscription::Digest => { "the daily digest" }
        }
    }
}

/// The address that the emails went to.
fn whose(person: Option<&Subscriber>) -> Markup {
    html! { @if let Some(it) = person { " to " (it.masked_email) } }
}

fn draw(ctx: &PageContext, body: Markup) -> Response {
    narrow(ctx, "Unsubscribe", body).into_response()
}
