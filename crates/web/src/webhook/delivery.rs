//! What was sent to a webhook, and what came of it.

use std::time::Duration;

use axum::response::Response;
use grantor_domain::delivery::{Attempt, DeliveryStatus};
use grantor_domain::event::EventTypes;
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::page::Listing;
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{Error, Timestamp};
use grantor_service::delivery::{self, AskedReplay, Delivery, Tested};
use grantor_service::webhook;
use maud::{Markup, html};

use super::{EVENTS, insider, record};
use crate::frame::{Asked, Entered, Outcome, Person, Segment, Segments};
use crate::view::field::wrongs;
use crate::view::filter::{filters, one_of};
use crate::view::time::exit;
use crate::view::{
    Place, Table, ago, badge, card, check, choices, counted, empty, field, form, notice, pager,
    select, send,
};

const STATUSES: [(&str, &str); 5] = [
    ("", "Any status"),
    ("pending", "Pending"),
    ("delivered", "Delivered"),
    ("failed", "Failed"),
    ("dropped", "Dropped"),
];
const ENDED: [(&str, &str); 4] = [
    ("", "However they ended"),
    ("failed", "Failed"),
    ("dropped", "Dropped"),
    ("delivered", "Delivered"),
];

/// A webhook and a page of its deliveries.
struct Seen {
    webhook: Webhook,
    deliveries: Listing<Delivery>,
    asked: Asked,
    /// The address of this page of the list.
    here: String,
}

/// One webhook.
pub(crate) async fn show(person: Person, Segment(id): Segment<WebhookId>, asked: Asked) -> Outcome {
    let seen = look(&person, id, &asked, person.here.clone()).await?;
    Ok(draw(&person, &seen, &html! {}, &Entered::default()))
}

async fn look(person: &Person, id: WebhookId, asked: &Asked, here: String) -> Result<Seen, Error> {
    let (app, caller) = (person.app(), insider(person));
    let webhook = webhook::get(app, caller, id).await?;
    let status = asked.get("status").map(str::parse).transpose();
    let status = status.map_err(|reason: String| Error::field("status", reason))?;
    let deliveries = asked.within(delivery::list(app, caller, id, status, asked.page()?).await?)?;
    Ok(Seen { webhook, deliveries, asked: asked.clone(), here })
}

/// The page as one finds it, after a form was sent from it.
async fn look_again(person: &Person, id: WebhookId) -> Result<Seen, Error> {
    look(person, id, &Asked::default(), format!("/app/webhooks/{id}")).await
}

fn draw(person: &Person, seen: &Seen, told: &Markup, entered: &Entered) -> Response {
    let id = seen.webhook.id;
    let body = html! {
        (told)
        (record(person, &seen.webhook))
        section id="deliveries" {
            h2 { "Deliveries" }
            (log(person, seen))
        }
        (card("Send events once more", html! {
            p { "For a receiver that was away: choose since when, and they are sent again with the same ids." }
            (form(&format!("/app/webhooks/{id}/replay"), entered, span(entered), "Send again"))
        }))
    };
    person.page("Webhook", Place::Webhooks, body)
}

fn log(person: &Person, seen: &Seen) -> Markup {
    let heads = ["Event", "Status", "Queued", "Attempts", ""];
    let on = seen.webhook.status == WebhookStatus::Active;
    let table =
        Table::new("Deliveries", &heads).rows(&seen.deliveries.items, |it| row(person, it, on));
    let action = format!("/app/webhooks/{}", seen.webhook.id);
    html! {
        (filters(&action, &seen.asked, one_of("status", "Status", STATUSES, &seen.asked)))
        @if seen.deliveries.items.is_empty() {
            (empty("Nothing was sent", "Send a test above, or wait for an event.", html! {}))
        } @else { (table.show()) (pager(&seen.deliveries, &seen.here)) }
    }
}

fn row(person: &Person, it: &Delivery, on: bool) -> Vec<Markup> {
    let now = person.now();
    let again = format!("/app/webhooks/{}/deliveries/{}", it.webhook, it.id);
    let waits = it.next_attempt_at.filter(|_| it.status == DeliveryStatus::Pending);
    let waits = waits.map(|at| {
        if on {
            html! { "next try " (ago(now, at)) }
        } else {
            html! { "sent when the webhook is enabled again" }
        }
    });
    vec![
        html! { code { (it.kind.name()) } p.quiet { "No. " (it.sequence) } },
        html! {
            (badge(it.status.name()))
            @if let Some(reason) = it.reason { p.quiet { (reason.name().replace('_', " ")) } }
            @if let Some(waits) = waits { p.quiet { (waits) } }
        },
        ago(now, it.created_at),
        attempts(person, &it.attempts),
        html! { @if on && it.status != DeliveryStatus::Pending { (send(&again, "Try again", &[])) } },
    ]
}

fn attempts(person: &Person, all: &[Attempt]) -> Markup {
    html! {
        @match all.last() {
            None => span.quiet { "none yet" },
            Some(last) => details.more {
                summary { (counted(all.len() as u64, "attempt")) ", last " (answer(last)) }
                @for it in all.iter().rev() { (one(person, it)) }
            }
        }
    }
}

fn one(person: &Person, it: &Attempt) -> Markup {
    html! {
        p { (ago(person.now(), it.at)) ": " (answer(it)) " in " (it.duration_ms) " ms" }
        @if let Some(error) = &it.error { p.quiet { (error) } }
        @if let Some(text) = it.answer.as_deref().filter(|it| !it.is_empty()) {
            div.code { pre tabindex="0" role="region" aria-label="Answer" { code { (text) } } }
        }
    }
}

fn answer(it: &Attempt) -> String {
    it.status_code.map_or_else(|| "no answer".to_owned(), |code| format!("answered {code}"))
}

/// Sends a test, and shows what came of it.
pub(crate) async fn test(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    let Tested(attempt) =
        delivery::test(person.app(), person.context(), insider(&person), id).await?;
    let (tone, word) = if attempt.arrived() {
        ("good", "The test arrived")
    } else {
        ("bad", "The test did not arrive")
    };
    let told = notice(
        tone,
        html! {
            div role="status" { p { strong { (word) } } (one(&person, &attempt)) }
        },
    );
    let seen = look_again(&person, id).await?;
    Ok(draw(&person, &seen, &told, &Entered::default()))
}

/// Tries a delivery once more.
pub(crate) async fn retry(
    person: Person,
    Segments(webhook, id): Segments<WebhookId, DeliveryId>,
) -> Outcome {
    match delivery::retry(person.app(), person.context(), insider(&person), webhook, id).await {
        Ok(_) => Ok(person.went(format!("/app/webhooks/{webhook}"), "It is on its way again")),
        Err(error) => refuse(&person, webhook, error).await,
    }
}

fn span(entered: &Entered) -> Markup {
    html! {
        div.two {
            (field("since", "Since (UTC)").kind("datetime-local").required().of(entered))
            (field("until", "Until (UTC)").kind("datetime-local").hint("Left empty, until now.").of(entered))
        }
        (select("status", "Those that", None, &ENDED, entered))
        (choices("types", "Only these events", Some("None ticked: those the webhook is for."), &EVENTS, entered))
        (check("dryRun", "Only count them", None, entered))
    }
}

/// Sends events once more.
pub(crate) async fn replay(
    person: Person,
    Segment(id): Segment<WebhookId>,
    entered: Entered,
) -> Outcome {
    let replayed = async {
        let asked = read(&entered, person.now())?;
        let dry_run = asked.dry_run;
        let count = delivery::replay(person.app(), person.context(), insider(&person), id, asked);
        Ok((count.await?, dry_run))
    };
    match replayed.await {
        Ok((count, dry_run)) => {
            let events = counted(count, "event");
            let does = if dry_run { "would be sent again" } else { "on the way again" };
            Ok(person.went(format!("/app/webhooks/{id}"), &format!("{events} {does}")))
        }
        Err(error) => {
            let seen = look_again(&person, id).await?;
            Ok(person.again(error, entered, |entered| draw(&person, &seen, &html! {}, entered)))
        }
    }
}

fn read(entered: &Entered, now: Timestamp) -> Result<AskedReplay, Error> {
    let mut fields = entered.fields();
    let since = entered.optional("since").ok_or_else(|| "is required".to_owned());
    let since = since.and_then(|it| Timestamp::parse(&exit(it)).map_err(|it| it.to_string()));
    let since = fields.take("since", since);
    // What is written in this very moment is part of what was until now.
    let open = now.plus(Duration::from_micros(1));
    let until = entered.optional("until").map_or(Ok(open), |it| Timestamp::parse(&exit(it)));
    let until = fields.take("until", until);
    if since.zip(until).is_some_and(|(since, until)| until <= since) {
        fields.add("until", "must be after since");
    }
    let kinds: Vec<_> = entered.all("types").collect();
    let kinds = (!kinds.is_empty()).then(|| EventTypes::parse(&kinds));
    let kinds = kinds.and_then(|it| fields.take("types", it));
    let status = entered.optional("status").and_then(|it| fields.take("status", ended(it)));
    fields.finish()?;
    let (since, until) = (since.unwrap_or(now), until.unwrap_or(now));
    Ok(AskedReplay { since, until, kinds, status, dry_run: entered.has("dryRun", "true") })
}

/// A status that a delivery can have ended with.
fn ended(text: &str) -> Result<DeliveryStatus, &'static str> {
    let ended = text.parse().ok().filter(|it| *it != DeliveryStatus::Pending);
    ended.ok_or("must be one of delivered, failed, dropped")
}

/// The page again, after something was asked of the webhook that it cannot do now.
pub(super) async fn refuse(person: &Person, id: WebhookId, error: Error) -> Outcome {
    let seen = look_again(person, id).await?;
    let draw = |entered: &Entered| draw(person, &seen, &wrongs(entered), &Entered::default());
    Ok(person.again(error, Entered::default(), draw))
}
