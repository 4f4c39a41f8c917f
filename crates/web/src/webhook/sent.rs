//! A delivery: the request that was sent, what came back, and the same request as a command.

use axum::response::IntoResponse as _;
use grantor_domain::id::{DeliveryId, WebhookId};
use grantor_domain::webhook::WebhookStatus;
use grantor_messages::text;
use grantor_service::webhooks::delivery::{self, Delivery, SentDelivery, SentRequest};
use http::header;
use maud::{Markup, html};

use super::delivery::{attempt, delivery_path, state};
use super::tenant_caller;
use crate::frame::{Failure, Outcome, Person, Segments};
use crate::view::live::live;
use crate::view::rich::rich;
use crate::view::{NavItem, ago, card, code, facts, for_developers, head, notice, post_button};

/// How many bytes of a payload the page shows. Longer ones are downloaded.
const SHOWN: usize = 6_000;

/// Shows a delivery.
pub(crate) async fn show_delivery(
    person: Person,
    Segments(webhook, id): Segments<WebhookId, DeliveryId>,
) -> Outcome {
    let found = delivery::get(person.app(), tenant_caller(&person), webhook, id).await?;
    let SentDelivery { webhook, delivery, request } = &found;
    let (path, on) = (delivery_path(webhook.id, id), webhook.status == WebhookStatus::Active);
    let receiver = person.receiver(&webhook.url);
    let title = text!("webhook-delivery-of", event = delivery.kind.name());
    let body = html! {
        (head(&title, &receiver, html! {
            @if on && !person.is_viewed() {
                (post_button(&path, text!("webhook-send-now"), &[("back", path.as_str())]))
            }
            a.button.small.plain href={ "/app/webhooks/" (webhook.id) } { (text!("webhook-back")) }
        }))
        (live(&person, "delivery", outcome(&person, delivery, on)))
        (live(&person, "request", html! {
            @match request.as_ref().filter(|_| !person.is_viewed()) {
                Some(request) => (sent(&webhook.url, &path, request)),
                None => (notice("", html! { p { (hidden_because(&person)) } })),
            }
        }))
        (for_developers(text!("webhook-delivery-id"), &delivery.id.to_string()))
    };
    Ok(person.page(&title, NavItem::Webhooks, body))
}

fn hidden_because(person: &Person) -> &'static str {
    if person.is_viewed() {
        text!("webhook-sent-hidden-from-staff")
    } else {
        text!("webhook-sent-hidden")
    }
}

/// What became of a delivery, attempt by attempt.
fn outcome(person: &Person, it: &Delivery, on: bool) -> Markup {
    let now = person.now();
    let not_yet = || html! { span.quiet { (text!("webhook-finished-not-yet")) } };
    let attempts = html! {
        @if it.attempts.is_empty() { p.quiet { (text!("webhook-no-attempts")) } }
        @for one in it.attempts.iter().rev() { (attempt(person, one)) }
    };
    html! {
        (card(text!("word-status"), facts(&[
            (text!("word-status"), state(person, it, on)),
            (text!("webhook-event-number"), html! { (it.sequence) }),
            (text!("webhook-queued"), ago(now, it.created_at)),
            (text!("webhook-finished"), it.finished_at.map_or_else(not_yet, |at| ago(now, at))),
        ])))
        (card(&text!("webhook-attempt-count", count = it.attempts.len()), attempts))
    }
}

/// The request, readable and as a command.
fn sent(url: &str, path: &str, request: &SentRequest) -> Markup {
    let lines = request.headers.iter().map(|(name, value)| format!("{name}: {value}"));
    let lines = std::iter::once(format!("POST {url}")).chain(lines).collect::<Vec<_>>().join("\n");
    let is_long = request.body.len() > SHOWN;
    let download = html! {
        a.button.plain href={ (path) "/payload.json" } download { (text!("webhook-payload-download")) }
    };
    html! {
        (card(text!("webhook-request"), html! {
            p.quiet { (text!("webhook-request-lead")) }
            p { (how_to_verify()) }
            (code(text!("webhook-request-headers"), &lines))
            @if is_long {
                p { (text!("webhook-payload-size", bytes = request.body.len().to_string())) }
            } @else {
                (payload(&request.body))
            }
            (download)
        }))
        (card(text!("webhook-curl"), html! {
            @if is_long { p.quiet { (text!("webhook-curl-file")) } }
            @else { p.quiet { (text!("webhook-curl-lead")) } }
            p.quiet { (text!("webhook-curl-time")) }
            (code(text!("webhook-curl-command"), &curl(url, request, is_long)))
        }))
    }
}

/// How a receiver verifies the signature, in a sentence.
fn how_to_verify() -> Markup {
    rich!(
        "webhook-request-verify",
        header = html! { code { "webhook-signature" } },
        content = html! { code { "{webhook-id}.{webhook-timestamp}.{body}" } },
        docs = html! { a href="/docs/" { (text!("webhook-request-docs")) } },
    )
}

/// The payload, formatted for reading. Its button copies the bytes that were sent.
fn payload(body: &str) -> Markup {
    html! {
        p.quiet { (text!("webhook-payload-formatted")) }
        div.code {
            pre tabindex="0" role="region" aria-label=(text!("webhook-payload")) { code { (pretty(body)) } }
            button.small type="button" data-copy=(body) data-copied=(text!("view-copied")) hidden {
                (text!("action-copy"))
            }
        }
    }
}

fn pretty(body: &str) -> String {
    let parsed = serde_json::from_str::<serde_json::Value>(body).ok();
    parsed.and_then(|it| serde_json::to_string_pretty(&it).ok()).unwrap_or_else(|| body.to_owned())
}

/// The command that sends the same request.
fn curl(url: &str, request: &SentRequest, from_file: bool) -> String {
    let headers = request.headers.iter().map(|(name, value)| {
        let header = quoted(&format!("{name}: {value}"));
        format!("-H {header}")
    });
    let data = if from_file {
        "--data-binary @payload.json".to_owned()
    } else {
        format!("--data-raw {}", quoted(&request.body))
    };
    let start = format!("curl -X POST {}", quoted(url));
    let parts = std::iter::once(start).chain(headers).chain([data]);
    parts.collect::<Vec<_>>().join(" \\\n  ")
}

/// Quotes a text for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Downloads the payload of a delivery, byte by byte as it is sent.
pub(crate) async fn download_payload(
    person: Person,
    Segments(webhook, id): Segments<WebhookId, DeliveryId>,
) -> Outcome {
    let found = delivery::get(person.app(), tenant_caller(&person), webhook, id).await?;
    let request = found.request.filter(|_| !person.is_viewed()).ok_or_else(Failure::not_found)?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"payload.json\""),
    ];
    Ok((headers, request.body).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_survives_its_shell() {
        let headers = vec![("webhook-id", "1".to_owned())];
        let request = SentRequest { headers, body: "{\"name\":\"O'Hara\"}".to_owned() };
        let expected = "curl -X POST 'https://a.example/?q=$1' \\\n  -H 'webhook-id: 1' \\\n  \
                        --data-raw '{\"name\":\"O'\\''Hara\"}'";
        assert_eq!(curl("https://a.example/?q=$1", &request, false), expected);
        let long = curl("https://a.example/", &request, true);
        assert!(long.ends_with("--data-binary @payload.json"), "{long}");
    }
}
