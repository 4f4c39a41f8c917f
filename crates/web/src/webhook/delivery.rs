//! A webhook's deliveries, tests and replays.

use std::time::Duration;

use axum::response::Response;
use grantor_domain::delivery::{Attempt, DeliveryStatus, DropReason};
use grantor_domain::event::EventTypes;
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::page::Listing;
use grantor_domain::webhook::{Webhook, WebhookStatus};
use grantor_domain::{Error, Timestamp};
use grantor_messages::text;
use grantor_service::webhooks::delivery::{self, Delivery, ReplayParams, TestResult};
use grantor_service::webhooks::webhook;
use maud::{Markup, html};

use super::{events, record, tenant_caller};
use crate::frame::{FormData, Outcome, Params, Person, Segment, Segments};
use crate::view::field::error_summary;
use crate::view::filter::{filters, one_of};
use crate::view::live::live_list;
use crate::view::rich::rich;
use crate::view::time::{from_input, zone_name};
use crate::view::{
    NavItem, Table, ago, badge, card, checkbox, choices, empty, field, pager, plain_button, select,
};

fn statuses() -> [(&'static str, &'static str); 5] {
    [
        ("", text!("webhook-status-any")),
        ("pending", text!("webhook-status-pending")),
        ("delivered", text!("webhook-status-delivered")),
        ("failed", text!("webhook-status-failed")),
        ("dropped", text!("webhook-status-dropped")),
    ]
}

fn final_statuses() -> [(&'static str, &'static str); 4] {
    [
        ("", text!("webhook-status-any")),
        ("failed", text!("webhook-status-failed")),
        ("dropped", text!("webhook-status-dropped")),
        ("delivered", text!("webhook-status-delivered")),
    ]
}

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
            h2 { (text!("webhook-deliveries")) }
            (log(person, page))
        }
        @if !person.is_viewed() { (card(text!("webhook-replay"), replay_form(id, entered))) }
    };
    person.page(text!("webhook-title"), NavItem::Webhooks, body)
}

fn replay_form(id: WebhookId, entered: &FormData) -> Markup {
    html! {
        p { (text!("webhook-replay-lead")) }
        form.form method="post" action={ "/app/webhooks/" (id) "/replay" } novalidate {
            (error_summary(entered)) (replay_fields(entered))
            div.actions { button.plain { (text!("webhook-replay")) } }
        }
    }
}

fn log(person: &Person, page: &WebhookPage) -> Markup {
    let heads = [
        text!("webhook-event"),
        text!("word-status"),
        text!("webhook-queued"),
        text!("webhook-attempts"),
        "",
    ];
    let on = page.webhook.status == WebhookStatus::Active;
    let table = Table::new(text!("webhook-deliveries"), &heads).keyed_rows(
        &page.deliveries.items,
        |it| it.id,
        |it| row(person, it, on),
    );
    let action = format!("/app/webhooks/{}", page.webhook.id);
    let list = html! {
        @if page.deliveries.items.is_empty() {
            (empty(text!("webhook-deliveries-none"), text!("webhook-deliveries-none-why"), html! {}))
        } @else { (table.show()) (pager(&page.deliveries, &page.here)) }
    };
    let words = (text!("webhook-delivery-new-one"), text!("webhook-delivery-new-many"));
    html! {
        (filters(&action, &page.params, one_of("status", text!("word-status"), statuses(), &page.params)))
        (live_list(person, "deliveries", words, &page.deliveries, list))
    }
}

fn row(person: &Person, it: &Delivery, on: bool) -> Vec<Markup> {
    let path = delivery_path(it.webhook, it.id);
    vec![
        html! { a href=(path) { code { (it.kind.name()) } } p.quiet { "#" (it.sequence) } },
        state(person, it, on),
        ago(person.now(), it.created_at),
        html! {
            @match it.attempts.last() {
                None => span.quiet { (text!("webhook-attempts-none")) },
                Some(last) => {
                    (text!("webhook-attempts-last", count = it.attempts.len(), response = response(last)))
                }
            }
        },
        html! { @if on && !person.is_viewed() { (plain_button(&path, text!("webhook-send-now"), &[])) } },
    ]
}

/// The address of a delivery, where it can also be sent again.
pub(super) fn delivery_path(webhook: WebhookId, id: DeliveryId) -> String {
    format!("/app/webhooks/{webhook}/deliveries/{id}")
}

/// The status of a delivery, why it is what it is, and what comes next.
pub(super) fn state(person: &Person, it: &Delivery, on: bool) -> Markup {
    let pending = it.next_attempt_at.filter(|_| it.status == DeliveryStatus::Pending);
    html! {
        (badge(it.status.name()))
        @if let Some(reason) = it.reason { p.quiet { (drop_reason(reason)) } }
        @if let Some(at) = pending {
            p.quiet {
                @if on { (rich!("webhook-next-attempt", when = ago(person.now(), at))) }
                @else { (text!("webhook-next-attempt-disabled")) }
            }
        }
    }
}

fn drop_reason(reason: DropReason) -> &'static str {
    match reason {
        DropReason::NotVisible => text!("webhook-dropped-not-visible"),
        DropReason::Expired => text!("webhook-dropped-expired"),
    }
}

pub(super) fn attempt(person: &Person, it: &Attempt) -> Markup {
    html! {
        p {
            (badge(if it.arrived() { "delivered" } else { "failed" })) " "
            (rich!("webhook-attempt",
                when = ago(person.now(), it.at),
                response = response(it),
                duration = it.duration_ms.to_string(),
            ))
        }
        @if let Some(error) = &it.error { p.quiet { (error) } }
        @if let Some(text) = it.answer.as_deref().filter(|it| !it.is_empty()) {
            div.code { pre tabindex="0" role="region" aria-label=(text!("webhook-response")) { code { (text) } } }
        }
    }
}

pub(super) fn response(it: &Attempt) -> String {
    match it.status_code {
        Some(code) => format!("HTTP {code}"),
        None => text!("webhook-response-none").to_owned(),
    }
}

/// Sends a test event. The webhook's page says what came back.
pub(crate) async fn test(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    let TestResult(attempt) =
        delivery::test(person.app(), person.context(), tenant_caller(&person), id).await?;
    let (page, response) = (format!("/app/webhooks/{id}"), response(&attempt));
    let duration = attempt.duration_ms.to_string();
    if attempt.arrived() {
        let message = text!("webhook-test-delivered", response = response, duration = duration);
        return Ok(person.redirect(page, &message));
    }
    let message = text!("webhook-test-failed", response = response, duration = duration);
    let reason = attempt.error.map(|it| format!("\n{it}")).unwrap_or_default();
    Ok(person.redirect_failed(page, &format!("{message}{reason}")))
}

/// Sends a delivery now. The next page is the one with the button.
pub(crate) async fn retry(
    person: Person,
    Segments(webhook, id): Segments<WebhookId, DeliveryId>,
    entered: FormData,
) -> Outcome {
    let own = delivery_path(webhook, id);
    let back = if entered.get("back") == own { own } else { format!("/app/webhooks/{webhook}") };
    match delivery::retry(person.app(), person.context(), tenant_caller(&person), webhook, id).await
    {
        Ok(_) => Ok(person.redirect(back, text!("webhook-retried"))),
        Err(error) => refuse(&person, webhook, error).await,
    }
}

fn replay_fields(entered: &FormData) -> Markup {
    let zone = zone_name();
    html! {
        div.two {
            (field("since", &text!("webhook-replay-since", zone = &zone)).kind("datetime-local").required().of(entered))
            (field("until", &text!("webhook-replay-until", zone = &zone)).kind("datetime-local").hint(text!("webhook-replay-until-hint")).of(entered))
        }
        (select("status", text!("webhook-replay-status"), None, &final_statuses(), entered))
        (choices("types", text!("webhook-events"), Some(text!("webhook-replay-events-hint")), &events(), entered))
        (checkbox("dryRun", text!("webhook-replay-dry-run"), None, entered))
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
            let message = if dry_run {
                text!("webhook-replay-counted", count = count)
            } else {
                text!("webhook-replayed", count = count)
            };
            Ok(person.redirect(format!("/app/webhooks/{id}"), &message))
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
