//! Accepting an offer, with its terms in full.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::grant::Party;
use grantor_domain::id::RequestId;
use grantor_domain::request::Offer;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::grant::BlockingGrant;
use grantor_service::licensing::request::{self, RequestThread};
use grantor_service::organizations::organization;
use maud::{Markup, html};

use super::blocked::blocked;
use super::terms::{difference, from_request, full};
use super::thread::redisplay_refusal;
use super::{caller, open_offer, path, without_details};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::field::error_summary;
use crate::view::marked::required_checkbox;
use crate::view::rich::rich;
use crate::view::time::exact;
use crate::view::{NavItem, card, facts, head, hidden, notice};

const CHANGED: &str =
    "The offer changed after you opened this page. Review the new terms and accept them again";

/// Shows the terms of the open offer.
pub(crate) async fn accept_form(person: Person, Segment(id): Segment<RequestId>) -> Outcome {
    let thread = load(&person, id).await?;
    let Some(offer) = open_offer(&thread) else {
        let grant = thread.grant.map(|it| format!("/app/grants/{it}"));
        return Ok(Redirect::to(&grant.unwrap_or_else(|| path(id))).into_response());
    };
    let name = acting_name(&person, &thread).await?;
    let blocking = request::find_blocking(person.app(), &thread).await?;
    let shown = Shown { offer, read: None, name: &name, blocking };
    Ok(draw(&person, &thread, &shown, &FormData::default()))
}

/// Accepts the offer, if its terms are still those that were shown.
pub(crate) async fn accept(
    person: Person,
    Segment(id): Segment<RequestId>,
    entered: FormData,
) -> Outcome {
    let accepted = async {
        entered.check_text()?;
        if !entered.has("accept", "true") {
            return Err(Error::field("accept", "must be checked"));
        }
        let terms_hash = entered.get("terms_hash").to_owned();
        request::accept(person.app(), person.context(), caller(&person), id, terms_hash).await
    };
    match accepted.await {
        Ok(view) => {
            let grant = &view.record.grant;
            let message = text!("request-offer-accepted", number = grant.number.to_string());
            Ok(person.redirect(format!("/app/grants/{}", grant.id), &message))
        }
        Err(error) => refused(&person, id, error, entered).await,
    }
}

/// Shows the terms as they are now with the error, or the request if there is no open offer.
async fn refused(person: &Person, id: RequestId, error: Error, entered: FormData) -> Outcome {
    let thread = load(person, id).await?;
    let Some(offer) = open_offer(&thread) else {
        return redisplay_refusal(person, id, &error).await;
    };
    let name = acting_name(person, &thread).await?;
    let blocking = request::find_blocking(person.app(), &thread).await?;
    let hash = entered.get("terms_hash").to_owned();
    if offer.terms_hash == hash {
        let shown = Shown { offer, read: None, name: &name, blocking };
        let error =
            if *error.kind() == ErrorKind::Validation { error } else { without_details(&error) };
        return Ok(person.redisplay(error, entered, |it| draw(person, &thread, &shown, it)));
    }
    let read = thread.offers.iter().rev().find(|it| it.terms_hash == hash);
    let shown = Shown { offer, read, name: &name, blocking };
    let error = Error::conflict(CHANGED);
    Ok(person.redisplay(error, FormData::default(), |it| draw(person, &thread, &shown, it)))
}

async fn load(person: &Person, id: RequestId) -> Result<RequestThread> {
    let thread = request::get(person.app(), caller(person), id).await?;
    if thread.view.party != Party::Asker {
        let message = "Only the party that received the offer can accept it";
        return Err(Error::new(ErrorKind::Forbidden, message));
    }
    Ok(thread)
}

/// The name of the party that the user accepts or responds for.
pub(super) async fn acting_name(person: &Person, thread: &RequestThread) -> Result<String> {
    match &thread.view.record.asker {
        Some(asker) => Ok(asker.name.clone()),
        None => Ok(organization::show(person.app(), &person.caller).await?.0.name),
    }
}

/// What the page shows besides the request.
struct Shown<'a> {
    /// The open offer.
    offer: &'a Offer,
    /// The offer that the user had read, if another one took its place.
    read: Option<&'a Offer>,
    /// The party that the user accepts for.
    name: &'a str,
    /// The grant that keeps the offer from being accepted.
    blocking: Option<BlockingGrant>,
}

fn draw(
    person: &Person,
    thread: &RequestThread,
    shown: &Shown<'_>,
    entered: &FormData,
) -> Response {
    let Shown { offer, read, name, blocking } = shown;
    let (view, record) = (&thread.view, &thread.view.record);
    let path = path(record.request.id);
    let body = html! {
        (head(text!("request-accept-title"), &record.license_title, html! {
            a.button.plain href=(path) { (text!("request-back")) }
        }))
        (error_summary(entered))
        @if let Some(read) = read {
            (card(text!("request-what-changed"), difference(text!("request-compared-to-read"), read, offer)))
        }
        (card(text!("request-parties"), facts(&[
            (text!("request-licensor"), html! { (record.owner.name) }),
            (text!("request-licensee"), html! { (name) }),
            (text!("request-license"), html! { (record.license_title) }),
            (text!("request-talent"), html! { (record.talent_name) }),
            (text!("request-offer-ends"), html! { (exact(record.request.lapses_at)) }),
        ])))
        (card(text!("request-terms"), html! { (from_request(view, offer)) (full(&offer.terms)) }))
        @match blocking {
            Some(grant) => (blocked(person, view, grant)),
            None if person.is_viewed() => {}
            None => (card(text!("request-accept"), acceptance(person, thread, shown, entered))),
        }
    };
    person.page(text!("request-accept-title"), NavItem::Requests, body)
}

fn acceptance(
    person: &Person,
    thread: &RequestThread,
    Shown { offer, name, .. }: &Shown<'_>,
    entered: &FormData,
) -> Markup {
    let record = &thread.view.record;
    let chooses = record.asker.is_none() && person.memberships.len() > 1;
    html! {
        @if chooses {
            (notice("", html! { p { (text!("request-accept-as-other")) } }))
        }
        p { (rich!("request-accept-as", name = html! { strong { (name) } })) }
        p { (text!("request-accept-makes-grant")) }
        form.form method="post" action={ (path(record.request.id)) "/accept" } novalidate {
            (hidden("terms_hash", &offer.terms_hash))
            (required_checkbox("accept", &text!("request-accept-terms", name = *name), entered))
            div.actions { button { (text!("request-accept-offer")) } }
        }
    }
}
