//! `/app/requests/{id}`: one request with its offers and messages, and what the user can do next.

use axum::response::Response;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::{GrantId, RequestId};
use grantor_domain::request::{OfferStatus, RequestStatus};
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::licensing::grant::{self, BlockingGrant, GrantView};
use grantor_service::licensing::request::{self, RequestThread, RequestView};
use maud::{Markup, html};

use super::accept::acting_name;
use super::blocked::{blocked, overlapping};
use super::foreign_link::page_for_others;
use super::terms::{ceiling, channel_names, of_coverage, place_names, use_names};
use super::timeline::timeline;
use super::{
    VisibleLicense, asker, caller, find_license, is_guest, is_owner, may_act, may_write,
    open_offer, party_name, path, without_details,
};
use crate::frame::{Failure, FormData, Outcome, Params, Person, Segment};
use crate::view::field::error_summary;
use crate::view::label::tenant_type;
use crate::view::marked::{Mark, marked_area};
use crate::view::money::money;
use crate::view::rich::rich;
use crate::view::time::date;
use crate::view::{NavItem, ago, badge, card, confirm, facts, form, head, notice};

/// Everything the page shows.
struct RequestPage {
    thread: RequestThread,
    license: Option<VisibleLicense>,
    /// The tenant that would become the asker of an offer to the user's email address.
    claimant: Option<String>,
    /// The grant, if the offer was accepted and the user can see it.
    grant: Option<GrantView>,
    /// The grant that keeps the open offer from being accepted.
    blocking: Option<BlockingGrant>,
    /// The exclusive grant in the way of what was asked for, for the owner before an offer.
    exclusive: Option<GrantView>,
}

/// The data of each form on the page.
#[derive(Default)]
pub(super) struct Forms {
    pub(super) message: FormData,
    pub(super) decline: FormData,
    /// The buttons without fields, and errors that are about no field.
    pub(super) other: FormData,
}

/// Shows a request and marks it, with its offers and messages, as read.
pub(crate) async fn show(
    mut person: Person,
    Segment(id): Segment<RequestId>,
    params: Params,
) -> Outcome {
    let page = match load(&person, id).await {
        Ok(page) => page,
        Err(error) => return page_for_others(&person, &params, Failure::from(error)).await,
    };
    let view = &page.thread.view;
    let unread = view.record.request.unread_by(view.party);
    if unread > 0 && !is_guest(&person, view) && !person.is_viewed() {
        request::mark_read(person.app(), person.context(), caller(&person), id).await?;
        person.ctx.unread = person.ctx.unread.saturating_sub(unread.into());
    }
    Ok(draw(&person, &page, &Forms::default()))
}

/// Shows the page again with the error of one of its forms.
pub(super) async fn redisplay(
    person: &Person,
    id: RequestId,
    error: Error,
    entered: FormData,
    forms: impl Fn(FormData) -> Forms,
) -> Outcome {
    let page = load(person, id).await?;
    Ok(person.redisplay(error, entered, |entered| draw(person, &page, &forms(entered.clone()))))
}

/// Shows the page with the error of a button.
pub(super) async fn redisplay_refusal(person: &Person, id: RequestId, error: &Error) -> Outcome {
    let forms = |other| Forms { other, ..Forms::default() };
    redisplay(person, id, without_details(error), FormData::default(), forms).await
}

async fn load(person: &Person, id: RequestId) -> Result<RequestPage> {
    let thread = request::get(person.app(), caller(person), id).await?;
    let license = find_license(person, thread.view.record.request.license).await?;
    let view = &thread.view;
    let claimant = if view.party == Party::Asker && view.record.request.is_unclaimed() {
        Some(acting_name(person, &thread).await?)
    } else {
        None
    };
    let grant = match thread.grant {
        Some(id) => find_grant(person, id).await?,
        None => None,
    };
    let blocking = request::find_blocking(person.app(), &thread).await?;
    let exclusive = find_exclusive(person, &thread).await?;
    Ok(RequestPage { thread, license, claimant, grant, blocking, exclusive })
}

/// Returns the exclusive grant in the way of what was asked for, while the owner has made no offer.
async fn find_exclusive(person: &Person, thread: &RequestThread) -> Result<Option<GrantView>> {
    let view = &thread.view;
    if !is_owner(person, view) || !view.status.is_live() || open_offer(thread).is_some() {
        return Ok(None);
    }
    match request::find_exclusive(person.app(), thread).await? {
        Some(found) => find_grant(person, found.id).await,
        None => Ok(None),
    }
}

/// Returns a grant if the user can see it: those with a licensor permission see requests only.
async fn find_grant(person: &Person, id: GrantId) -> Result<Option<GrantView>> {
    match grant::get(person.app(), caller(person), id).await {
        Ok(view) => Ok(Some(view)),
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn draw(person: &Person, page: &RequestPage, forms: &Forms) -> Response {
    let (thread, view) = (&page.thread, &page.thread.view);
    let title = text!("request-title", license = &view.record.license_title);
    let body = html! {
        (head(&title, &view.record.talent_name, next_step(person, thread, page.blocking.is_some())))
        (error_summary(&forms.other))
        (ending(page))
        @if let Some(name) = &page.claimant { (claim_notice(view, name)) }
        @if let Some(grant) = &page.blocking { (blocked(person, view, grant)) }
        @if let Some(grant) = &page.exclusive { (overlapping(grant)) }
        @if view.status == RequestStatus::Open { (beyond(person, thread)) }
        div.split {
            div {
                (card(text!("request-card"), details(person, view)))
                (card(text!("request-offers-and-messages"), html! {
                    (timeline(person, thread))
                    (message_form(person, view, &forms.message))
                }))
            }
            div {
                @if view.status.is_live() && may_act(person, view) {
                    (card(text!("request-other-actions"), closing(thread, &forms.decline)))
                }
                @if let Some(license) = &page.license { (ceiling(license)) }
            }
        }
    };
    person.page(&title, NavItem::Requests, body)
}

/// The main action of the user's side. A blocked offer can be read, but not accepted, and so can any
/// offer by staff who view the page.
fn next_step(person: &Person, thread: &RequestThread, is_blocked: bool) -> Markup {
    let (view, open) = (&thread.view, open_offer(thread).is_some());
    let (path, only_looks) = (path(view.record.request.id), person.is_viewed());
    html! {
        @if view.status.is_live() && view.may_act {
            @match (view.party, open) {
                (Party::Owner, _) if only_looks => {}
                (Party::Owner, false) => a.button href={ (path) "/offer" } { (text!("request-make-offer")) },
                (Party::Owner, true) => a.button href={ (path) "/offer" } { (text!("request-replace-offer")) },
                (Party::Asker, true) if is_blocked || only_looks => a.button.plain href={ (path) "/accept" } { (text!("request-view-terms")) },
                (Party::Asker, true) => a.button href={ (path) "/accept" } { (text!("request-review-and-accept")) },
                (Party::Asker, false) => {}
            }
        }
        a.button.plain href=(super::LIST) { (text!("request-back-to-list")) }
    }
}

/// How the request or its last offer ended, if it did.
fn ending(page: &RequestPage) -> Markup {
    let (thread, view) = (&page.thread, &page.thread.view);
    let last = thread.offers.last().map(|it| it.status);
    let closed_by = view.closed_by(&thread.offers);
    let by = closed_by.map_or("", |party| party_name(view, party));
    let (tone, words) = match view.status {
        RequestStatus::Open if last == Some(OfferStatus::Withdrawn) => {
            ("warn", withdrawn_offer(view))
        }
        RequestStatus::Open | RequestStatus::Offered => return html! {},
        RequestStatus::Accepted => accepted(page.grant.as_ref()),
        RequestStatus::Declined if closed_by == Some(Party::Asker) => {
            ("bad", text!("request-ended-offer-declined", name = by))
        }
        RequestStatus::Declined => ("bad", text!("request-ended-declined", name = by)),
        RequestStatus::Withdrawn => ("", text!("request-ended-withdrawn", name = by)),
        RequestStatus::Lapsed => ("warn", text!("request-ended-lapsed").to_owned()),
    };
    notice(
        tone,
        html! {
            p {
                (words)
                @if let Some(it) = &page.grant {
                    " " a href={ "/app/grants/" (it.record.grant.id) } { (text!("request-view-grant")) }
                }
            }
            @if let Some(reason) = &view.record.request.reason {
                p.lines { (text!("request-reason-given", reason = reason)) }
            }
        },
    )
}

/// Says that the offer was accepted, and whether its grant is already over.
fn accepted(grant: Option<&GrantView>) -> (&'static str, String) {
    let over = grant.map(|it| {
        let record = &it.record.grant;
        (it.status, record.revoked_at, record.terms.coverage.ends_at)
    });
    match over {
        Some((GrantStatus::Revoked, Some(at), _)) => {
            ("bad", text!("request-ended-grant-revoked", date = date(at)))
        }
        Some((GrantStatus::Ended, _, Some(at))) => {
            ("", text!("request-ended-grant-ended", date = date(at)))
        }
        _ => ("good", text!("request-ended-accepted").to_owned()),
    }
}

/// Says that the owner withdrew its offer, and what the user can do now.
fn withdrawn_offer(view: &RequestView) -> String {
    let (owner, asker) = (party_name(view, Party::Owner), party_name(view, Party::Asker));
    match (view.party, view.may_act) {
        (Party::Owner, true) => text!("request-you-withdrew-offer", asker = asker),
        (Party::Owner, false) => {
            text!("request-owner-withdrew-offer", owner = owner, asker = asker)
        }
        (Party::Asker, false) => text!("request-offer-was-withdrawn", owner = owner),
        (Party::Asker, true) => text!("request-offer-to-you-withdrawn", owner = owner),
    }
}

/// Says for whom the recipient of an offer by email acts.
fn claim_notice(view: &RequestView, name: &str) -> Markup {
    let Some(email) = view.record.request.email.as_ref().filter(|_| view.status.is_live()) else {
        return html! {};
    };
    notice(
        "",
        html! {
            p { (rich!("request-claim", email = email, name = html! { strong { (name) } })) }
            p.quiet { (text!("request-claim-until", owner = &view.record.owner.name)) }
        },
    )
}

/// Warns both parties about what the license does not include, until there is an offer.
fn beyond(person: &Person, RequestThread { view, beyond, .. }: &RequestThread) -> Markup {
    if beyond.is_empty() {
        return html! {};
    }
    let (license, words) = (view.record.request.license, text!("request-beyond-edit"));
    let edit = html! {
        @if may_act(person, view) { a href={ "/app/licenses/" (license) "/edit" } { (words) } }
        @else { (words) }
    };
    let is_owner = view.party == Party::Owner;
    notice(
        "warn",
        html! {
            p { (if is_owner { text!("request-beyond") } else { text!("request-beyond-own") }) }
            ul {
                @if !beyond.uses.is_empty() {
                    li { (text!("request-beyond-uses", uses = use_names(&beyond.uses))) }
                }
                @if !beyond.territories.is_empty() {
                    li { (text!("request-beyond-territories", territories = place_names(&beyond.territories))) }
                }
                @for date in &beyond.dates {
                    li { (if *date == "starts_at" { text!("request-beyond-start") } else { text!("request-beyond-end") }) }
                }
            }
            @if is_owner { p { (rich!("request-beyond-next", edit = edit)) } }
            @else { p { (text!("request-beyond-own-next", owner = &view.record.owner.name)) } }
        },
    )
}

fn details(person: &Person, view: &RequestView) -> Markup {
    let (record, request) = (&view.record, &view.record.request);
    let (asked, begun) = match request.begun_by {
        Party::Asker => (text!("request-requested-by"), text!("request-sent-at")),
        Party::Owner => (text!("request-offered-to"), text!("request-offered-at")),
    };
    let mut all = vec![
        (
            text!("word-status"),
            html! {
                (badge(view.status.name()))
                @if view.status.is_live() { " " span.quiet { (rich!("request-lapses", when = ago(person.now(), request.lapses_at))) } }
            },
        ),
        (text!("request-license"), html! { (record.license_title) }),
        (text!("request-talent"), html! { (record.talent_name) }),
        (asked, asker(view)),
        (
            text!("request-owner"),
            html! { (record.owner.name) " " span.quiet { (tenant_type(record.owner.kind)) } },
        ),
    ];
    let coverage = of_coverage(&request.coverage);
    all.extend(coverage.map(|(name, text)| (name, html! { (text) })));
    if !request.purpose.is_empty() {
        all.push((text!("request-purpose"), html! { span.lines { (request.purpose) } }));
    }
    all.push((text!("request-term-channels"), html! { (channel_names(&request.channels)) }));
    if let Some(budget) = request.budget {
        all.push((text!("request-budget"), html! { (money(budget.amount, budget.currency)) }));
    }
    all.push((begun, ago(person.now(), request.created_at)));
    facts(&all)
}

fn message_form(person: &Person, view: &RequestView, entered: &FormData) -> Markup {
    let action = format!("{}/messages", path(view.record.request.id));
    let hint = text!("request-message-hint");
    html! {
        @if !view.status.is_live() {
            p.quiet { (text!("request-closed")) }
        } @else if may_write(person, view) {
            (form(&action, entered, marked_area(Mark::Required, "message", text!("request-message"), Some(hint), 4, entered), text!("request-send-message")))
        }
    }
}

/// Declining and withdrawing, as far as the user's side can do it now.
fn closing(thread: &RequestThread, entered: &FormData) -> Markup {
    let (view, open) = (&thread.view, open_offer(thread).is_some());
    let path = path(view.record.request.id);
    let (decline, withdraw) = match (view.party, open) {
        (Party::Owner, false) => (Some(text!("request-decline")), None),
        (Party::Owner, true) => {
            let question = text!("request-withdraw-offer-question");
            (None, Some((text!("request-withdraw-offer"), question)))
        }
        (Party::Asker, true) if view.record.request.begun_by == Party::Owner => {
            (Some(text!("request-decline-offer")), None)
        }
        (Party::Asker, open) => (
            open.then_some(text!("request-decline-offer")),
            Some((text!("request-withdraw"), text!("request-withdraw-question"))),
        ),
    };
    let hint = text!("request-reason-hint");
    html! {
        @if let Some(label) = decline {
            details.more open[entered.message().is_some()] {
                summary { (label) }
                (form(&format!("{path}/decline"), entered, marked_area(Mark::Required, "reason", text!("request-reason"), Some(hint), 3, entered), label))
            }
        }
        @if let Some((label, question)) = withdraw {
            div { (confirm(&format!("{path}/withdraw"), label, question, &[])) }
        }
    }
}
