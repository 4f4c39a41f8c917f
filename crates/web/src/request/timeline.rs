//! What both parties did about a request, in time order.

use grantor_domain::Timestamp;
use grantor_domain::grant::Party;
use grantor_domain::request::{Message, Offer, OfferStatus};
use grantor_messages::text;
use grantor_service::licensing::request::{RequestThread, RequestView};
use maud::{Markup, html};

use super::terms::{difference, from_request, full};
use super::{organization_of, party_name};
use crate::frame::Person;
use crate::view::label::request_status;
use crate::view::rich::rich;
use crate::view::time::exact;
use crate::view::{ago, badge};

/// An entry of the thread.
enum Entry<'a> {
    /// An offer, and the offer before it.
    Offer(&'a Offer, Option<&'a Offer>),
    Message(&'a Message),
}

impl Entry<'_> {
    fn at(&self) -> Timestamp {
        match self {
            Self::Offer(offer, _) => offer.created_at,
            Self::Message(message) => message.created_at,
        }
    }
}

fn entries(thread: &RequestThread) -> Vec<Entry<'_>> {
    let before = std::iter::once(None).chain(thread.offers.iter().map(Some));
    let offers = thread.offers.iter().zip(before).map(|(it, before)| Entry::Offer(it, before));
    let mut all: Vec<_> = offers.chain(thread.messages.iter().map(Entry::Message)).collect();
    all.sort_by_key(Entry::at);
    all
}

/// Renders what both parties did, oldest first.
pub(super) fn timeline(person: &Person, thread: &RequestThread) -> Markup {
    let (view, newest) = (&thread.view, thread.offers.last().map(|it| it.id));
    html! {
        ul.rows {
            @if view.record.request.begun_by == Party::Asker { li { (beginning(person, view)) } }
            @for entry in entries(thread) {
                @match entry {
                    Entry::Offer(it, before) => li { (offer(person, view, it, before, newest == Some(it.id))) },
                    Entry::Message(it) => li { (message(person, view, it)) },
                }
            }
            @if let Some(at) = view.closed_at { li { (closing(person, thread, at)) } }
        }
    }
}

/// Renders who sent the request.
fn beginning(person: &Person, view: &RequestView) -> Markup {
    let sent = html! { strong { (text!("request-sent")) } };
    html! {
        p {
            (rich!("request-sent-by", sent = sent, name = party_name(view, Party::Asker))) " "
            span.quiet { (ago(person.now(), view.record.request.created_at)) }
        }
    }
}

fn message(person: &Person, view: &RequestView, message: &Message) -> Markup {
    html! {
        div {
            p {
                strong { (message.author) } " "
                span.quiet {
                    @if let Some(name) = organization_of(&message.author, party_name(view, message.party)) {
                        (name) " · "
                    }
                    (ago(person.now(), message.created_at))
                }
            }
            p.lines { (message.message) }
        }
    }
}

/// Renders who closed the request, or that it lapsed.
fn closing(person: &Person, thread: &RequestThread, at: Timestamp) -> Markup {
    let view = &thread.view;
    let closed_by = view.record.request.closed_by.as_deref();
    let party = view.closed_by(&thread.offers).map(|it| party_name(view, it));
    let party = party.and_then(|it| organization_of(closed_by.unwrap_or_default(), it));
    let status = html! { strong { (request_status(view.status)) } };
    html! {
        p {
            @match closed_by {
                Some(name) => (rich!("request-closed-by", status = status, name = name)),
                None => (status),
            }
            " " span.quiet { @if let Some(party) = party { (party) " · " } (ago(person.now(), at)) }
        }
    }
}

/// Renders an offer. The newest shows all its terms, earlier ones only on demand.
fn offer(
    person: &Person,
    view: &RequestView,
    offer: &Offer,
    before: Option<&Offer>,
    newest: bool,
) -> Markup {
    html! {
        div {
            p {
                strong { (text!("request-offer")) } " " (badge(status(view, offer).name())) " "
                span.quiet {
                    (offer.author)
                    @if let Some(name) = organization_of(&offer.author, party_name(view, Party::Owner)) { ", " (name) }
                    " · " (ago(person.now(), offer.created_at))
                }
            }
            @if status(view, offer) == OfferStatus::Open {
                p.quiet { (text!("request-offer-open-until", time = exact(view.record.request.lapses_at))) }
            }
            @if let Some(party) = offer.withdrawn_by {
                p { (text!("request-offer-withdrawn-by", name = party_name(view, party))) }
            }
            @match before {
                Some(before) => (difference(text!("request-changes-from-previous"), before, offer)),
                None => (from_request(view, offer)),
            }
            details.more open[newest] {
                summary { (text!("request-all-terms")) }
                (full(&offer.terms))
            }
        }
    }
}

/// The status of an offer. An open offer of a request that lapsed has lapsed, too.
fn status(view: &RequestView, offer: &Offer) -> OfferStatus {
    match offer.status {
        OfferStatus::Open if !view.status.is_live() => OfferStatus::Lapsed,
        status => status,
    }
}
