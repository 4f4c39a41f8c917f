//! A webhook's deliveries, tests and replays.

use std::time::Duration;

use axum::response::Response;
use grantor_domain::delivery::{Attempt, DeliveryStatus};
use grantor_domain::event::EventTypes;
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::page::Listing;
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{Error, Timestamp};
use grantor_service::webhooks::delivery::{self, Delivery, ReplayParams, TestResult};
use grantor_service::webhooks::webhook;
use maud::{Markup, html};

use super::{EVENTS, record, tenant_caller};
use crate::frame::{FormData, Outcome, Params, Person, Segment, Segments};
use crate::view::field::error_summary;
use crate::view::filter::{filters, one_of};
use crate::view::time::from_input;
use crate::view::{
    NavItem, Table, ago, badge, card, checkbox, choices, empty, field, form, notice, pager,
    pluralize, post_button, select,
};

const STATUSES: [(&str, &str); 5] = [
    ("", "Any status"),
    ("pending", "Pending"),
    ("delivered", "Delivered"),
    ("failed", "Failed"),
    ("dropped", "Dropped"),
];
const FINAL_STATUSES: [(&str, &str); 4] =
    [("", "Any status"), ("failed", "Failed"), ("dropped", "Dropped"), ("delivered", "Delivered")];

/// A webhook and a page of its deliveries.
struct WebhookPage {
    webhook: Webhook,
    deliveries: Listing<Delivery>,
    params: Params,
    /// The URL of this page of deliveries.
    here: String,
}

/// Shows a webhook.
pub(crate) async fn show(
    person: Person,
    Segment(id): Segment<WebhookId>,
    params: Params,
) -> Outcome {
    let page = load(&person, id, &params, person.here.clone()).await?;
    Ok(draw(&person, &page, &html! {}, &FormData::default()))
}

async fn load(
    person: &Person,
    id: WebhookId,
    params: &Params,
    here: String,
) -> Result<WebhookPage, Error> {
    let (app, caller) = (person.app(), tenant_caller(person));
    let webhook = webhook::get(app, caller, id).await?;
    let status = params.get("status").map(str::parse).transpose();
    let status = status.map_err(|reason: String| Error::field("status", reason))?;
    let deliveries =
        params.in_range(delivery::list(app, caller, id, status, params.page()?).await?)?;
    Ok(WebhookPage { webhook, deliveries, params: params.clone(), here })
}

/// Loads the page without filters, after one of its forms was submitted.
async fn reload(person: &Person, id: WebhookId) -> Result<WebhookPage, Error> {
    load(person, id, &Params::default(), format!("/app/webhooks/{id}")).await
}

fn draw(person: &Person, page: &WebhookPage, result: &Markup, entered: &FormData) -> Response {
    let id = page.webhook.id;
    let body = html! {
        (result)
        (record(person, &page.webhook))
        section id="deliveries" {
            h2 { "Deliveries" }
            (log(person, page))
        }
        (card("Replay events", html! {
            p { "If your endpoint was down, send past events again. Replayed events keep their original IDs." }
            (form(&format!("/app/webhooks/{id}/replay"), entered, replay_fields(entered), "Replay events"))
        }))
    };
    person.page("Webhook", NavItem::Webhooks, body)
}

fn log(person: &Person, page: &WebhookPage) -> Markup {
    let heads = ["Event", "Status", "Queued", "Attempts", ""];
    let on = page.webhook.status == WebhookStatus::Active;
    let table =
        Table::new("Deliveries", &heads).rows(&page.deliveries.items, |it| row(person, it, on));
    let action = format!("/app/webhooks/{}", page.webhook.id);
    html! {
        (filters(&action, &page.params, one_of("status", "Status", STATUSES, &page.params)))
        @if page.deliveries.items.is_empty() {
            (empty("No deliveries", "Send a test event, or wait for the first event.", html! {}))
        } @else { (table.show()) (pager(&page.deliveries, &page.here)) }
    }
}

fn row(person: &Person, it: &Delivery, on: bool) -> Vec<Markup> {
    let now = person.now();
    let retry = format!("/app/webhooks/{}/deliveries/{}", it.webhook, it.id);
    let pending = it.next_attempt_at.filter(|_| it.status == DeliveryStatus::Pending);
    let pending = pending.map(|at| {
        if on {
            html! { "next attempt " (ago(now, at)) }
        } else {
            html! { "queued until the webhook is enabled" }
        }
    });
    vec![
        html! { code { (it.kind.name()) } p.quiet { "#" (it.sequence) } },
        html! {
            (badge(it.status.name()))
            @if let Some(reason) = it.reason { p.quiet { (reason.name().replace('_', " ")) } }
            @if let Some(pending) = pending { p.quiet { (pending) } }
        },
        ago(now, it.created_at),
        attempts(person, &it.attempts),
        html! { @if on && it.status != DeliveryStatus::Pending { (post_button(&retry, "Retry", &[])) } },
    ]
}

fn attempts(person: &Person, all: &[Attempt]) -> Markup {
    html! {
        @match all.last() {
            None => span.quiet { "none yet" },
            Some(last) => details.more {
                summary { (pluralize(all.len() as u64, "attempt")) ", last " (response(last)) }
                @for it in all.iter().rev() { (attempt(person, it)) }
            }
        }
    }
}

fn attempt(person: &Person, it: &Attempt) -> Markup {
    html! {
        p { (ago(person.now(), it.at)) ": " (response(it)) " in " (it.duration_ms) " ms" }
        @if let Some(error) = &it.error { p.quiet { (error) } }
        @if let Some(text) = it.answer.as_deref().filter(|it| !it.is_empty()) {
            div.code { pre tabindex="0" role="region" aria-label="Response" { code { (text) } } }
        }
    }
}

fn response(it: &Attempt) -> String {
    it.status_code.map_or_else(|| "no response".to_owned(), |code| format!("HTTP {code}"))
}

/// Sends a test event and shows the result.
pub(crate) async fn test(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    let TestResult(attempt) =
        delivery::test(person.app(), person.context(), tenant_caller(&person), id).await?;
    let (tone, title) = if attempt.arrived() {
        ("good", "Test event delivered")
    } else {
        ("bad", "Test event failed")
    };
    let result = notice(
        tone,
        html! {
            div role="status" { p { strong { (title) } } (self::attempt(&person, &attempt)) }
        },
    );
    let page = reload(&person, id).await?;
    Ok(draw(&person, &page, &result, &FormData::default()))
}

/// Retries a delivery.
pub(crate) async fn retry(
    person: Person,
    Segments(webhook, id): Segments<WebhookId, DeliveryId>,
) -> Outcome {
    match delivery::retry(person.app(), person.context(), tenant_caller(&person), webhook, id).await
    {
        Ok(_) => Ok(person.redirect(format!("/app/webhooks/{webhook}"), "Delivery queued again")),
        Err(error) => refuse(&person, webhook, error).await,
    }
}

fn replay_fields(entered: &FormData) -> Markup {
    html! {
        div.two {
            (field("since", "Since (UTC)").kind("datetime-local").required().of(entered))
            (field("until", "Until (UTC)").kind("datetime-local").hint("Leave blank to include everything up to now.").of(entered))
        }
        (select("status", "Delivery status", None, &FINAL_STATUSES, entered))
        (choices("types", "Events", Some("Leave all unchecked to include all of the webhook's events."), &EVENTS, entered))
        (checkbox("dryRun", "Dry run: only count the events", None, entered))
    }
}

/// Replays events.
pub(crate) async fn replay(
    person: Person,
    Segment(id): Segment<WebhookId>,
    entered: FormData,
) -> Outcome {
    let replayed = async {
        let request = read(&entered, person.now())?;
        let dry_run = request.dry_run;
        let count =
            delivery::replay(person.app(), person.context(), tenant_caller(&person), id, request);
        Ok((count.await?, dry_run))
    };
    match replayed.await {
        Ok((count, dry_run)) => {
            let events = pluralize(count, "event");
            let result = if dry_run { "would be replayed" } else { "queued for replay" };
            Ok(person.redirect(format!("/app/webhooks/{id}"), &format!("{events} {result}")))
        }
        Err(error) => {
            let page = reload(&person, id).await?;
            Ok(person.redisplay(error, entered, |entered| draw(&person, &page, &html! {}, entered)))
        }
    }
}

fn read(entered: &FormData, now: Timestamp) -> Result<ReplayParams, Error> {
    let mut fields = entered.fields();
    let since = entered.optional("since").ok_or_else(|| "is required".to_owned());
    let since = since.and_then(|it| Timestamp::parse(&from_input(it)).map_err(|it| it.to_string()));
    let since = fields.take("since", since);
    // The end is exclusive: include events created at this very instant.
    let default_end = now.plus(Duration::from_micros(1));
    let until =
        entered.optional("until").map_or(Ok(default_end), |it| Timestamp::parse(&from_input(it)));
    let until = fields.take("until", until);
    if since.zip(until).is_some_and(|(since, until)| until <= since) {
        fields.add("until", "must be after since");
    }
    let kinds: Vec<_> = entered.all("types").collect();
    let kinds = (!kinds.is_empty()).then(|| EventTypes::parse(&kinds));
    let kinds = kinds.and_then(|it| fields.take("types", it));
    let status = entered.optional("status").and_then(|it| fields.take("status", final_status(it)));
    fields.finish()?;
    let (since, until) = (since.unwrap_or(now), until.unwrap_or(now));
    Ok(ReplayParams { since, until, kinds, status, dry_run: entered.has("dryRun", "true") })
}

/// Parses a final delivery status.
fn final_status(text: &str) -> Result<DeliveryStatus, &'static str> {
    let status = text.parse().ok().filter(|it| *it != DeliveryStatus::Pending);
    status.ok_or("must be one of delivered, failed, dropped")
}

/// Shows the page again with the error of an action.
pub(super) async fn refuse(person: &Person, id: WebhookId, error: Error) -> Outcome {
    let page = reload(person, id).await?;
    let draw =
        |entered: &FormData| draw(person, &page, &error_summary(entered), &FormData::default());
    Ok(person.redisplay(error, FormData::default(), draw))
}
