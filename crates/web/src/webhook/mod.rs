//! `/app/webhooks`: webhooks. A secret is shown once, on the page that created it.

mod delivery;
mod sent;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::event::{EventType, EventTypes};
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_messages::{named, text};
use grantor_service::identity::access::TenantCaller;
use grantor_service::webhooks::webhook::{self, NewWebhook, WebhookChange, WithSecret};
use maud::{Markup, html};

use crate::export;
use crate::frame::{FormData, Outcome, Params, Person, Segment, form_token};
use crate::log::history_link;
use crate::view::component::confirm_with;
use crate::view::live::{live, live_list};
use crate::view::marked::{Mark, marked_choices};
use crate::view::rich::rich;
use crate::view::{
    NavItem, Table, ago, area, badge, card, code, facts, field, form, head, hidden, lesson, notice,
    pager, post_button, undoable,
};

pub(crate) use self::delivery::{replay, retry, show, test};
pub(crate) use self::sent::{download_payload, show_delivery};

/// The event types in the order of the forms.
const EVENTS: [EventType; 23] = [
    EventType::LicenseCreated,
    EventType::LicenseUpdated,
    EventType::LicensePublished,
    EventType::LicenseExpired,
    EventType::LicenseDeleted,
    EventType::PermissionGranted,
    EventType::PermissionRevoked,
    EventType::MentionCreated,
    EventType::MentionUpdated,
    EventType::MentionRemoved,
    EventType::LicenseExpiring,
    EventType::RequestCreated,
    EventType::RequestOffered,
    EventType::RequestDeclined,
    EventType::RequestWithdrawn,
    EventType::RequestLapsed,
    EventType::RequestMessage,
    EventType::GrantCreated,
    EventType::GrantExpiring,
    EventType::GrantEnded,
    EventType::GrantRevoked,
    EventType::ClientExpiring,
    EventType::WebhookTest,
];

/// The event types with their descriptions and the names that payloads have.
fn events() -> [(&'static str, Markup); 23] {
    EVENTS.map(|it| {
        let about = named("webhook-event", it.name()).unwrap_or(it.name());
        (it.name(), html! { span { (about) br; code.quiet { (it.name()) } } })
    })
}

fn tenant_caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// Lists webhooks.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params
        .in_range(webhook::list(person.app(), tenant_caller(&person), params.page()?).await?)?;
    let add = html! {
        @if !person.is_viewed() { a.button href="/app/webhooks/new" { (text!("webhook-new")) } }
    };
    let heads = [
        text!("webhook-url"),
        text!("webhook-events"),
        text!("webhook-health"),
        text!("webhook-last-delivered"),
    ];
    let table = Table::new(text!("webhook-list"), &heads).keyed_rows(
        &found.items,
        |it| it.id,
        |it| row(&person, it),
    );
    let words = (text!("webhook-new-one"), text!("webhook-new-many"));
    let body = html! {
        (head(text!("webhook-list"), text!("webhook-list-lead"), html! { (add) (export::links(&person, "webhooks")) }))
        @if found.items.is_empty() {
            (lesson(text!("webhook-none"), text!("webhook-none-why"), &[
                text!("webhook-step-add"),
                text!("webhook-step-sent"),
                text!("webhook-step-test"),
            ], add))
        } @else {
            (live_list(&person, "webhooks", words, &found, table.show()))
            (pager(&found, &person.here))
        }
    };
    Ok(person.page(text!("webhook-list"), NavItem::Webhooks, body))
}

fn row(person: &Person, it: &Webhook) -> Vec<Markup> {
    vec![
        html! {
            a.url href={ "/app/webhooks/" (it.id) } { (person.receiver(&it.url)) }
            @if !it.description.as_str().is_empty() { p.quiet { (it.description.as_str()) } }
        },
        html! { (count(it.events)) },
        health(person, it),
        it.last_success_at.map_or_else(never, |at| ago(person.now(), at)),
    ]
}

fn never() -> Markup {
    html! { span.quiet { (text!("webhook-never")) } }
}

fn count(events: EventTypes) -> String {
    match events.iter().count() {
        all if all == EventType::ALL.len() => text!("webhook-events-all").to_owned(),
        some => text!("webhook-events-some", count = some, total = EventType::ALL.len()),
    }
}

/// The health of a webhook, in a color and in words.
fn health(person: &Person, it: &Webhook) -> Markup {
    let now = person.now();
    html! {
        @if it.status == WebhookStatus::Disabled {
            (badge("disabled")) p.quiet { (text!("webhook-is-disabled")) }
        } @else if let Some(since) = it.failing_since {
            (badge("failing"))
            p.quiet { (rich!("webhook-is-failing", when = ago(now, since))) }
        } @else if it.last_success_at.is_some() {
            (badge("healthy")) p.quiet { (text!("webhook-is-healthy")) }
        } @else {
            (badge("unused")) p.quiet { (text!("webhook-is-unused")) }
        }
    }
}

/// Shows the form for a new webhook.
pub(crate) async fn new_form(person: Person) -> Response {
    draw_new(&person, &FormData::default().with_all("events", EventType::ALL.map(EventType::name)))
}

/// Creates a webhook and shows its secret.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let (url, description, events) = read(&entered)?;
        let new = NewWebhook { url, description, events };
        webhook::create(person.app(), person.context(), tenant_caller(&person), new).await
    };
    match made.await {
        Ok(made) => Ok(draw_secret(&person, &made, text!("webhook-created"))),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let body = html! {
        (head(text!("webhook-new"), text!("webhook-new-lead"), html! {}))
        (card(text!("webhook-endpoint"), form("/app/webhooks/new", entered, html! { (form_token(person.app())) (inputs(entered)) }, text!("webhook-create"))))
    };
    person.page(text!("webhook-new"), NavItem::Webhooks, body)
}

/// The fields of both forms.
fn inputs(entered: &FormData) -> Markup {
    html! {
        (field("url", text!("webhook-url")).kind("url").required().max_length(2_048).placeholder("https://example.com/hooks/grantor")
            .hint(text!("webhook-url-hint")).of(entered))
        (area("description", text!("word-description"), Some(text!("webhook-description-hint")), 2, entered))
        (marked_choices(Mark::Required, "events", text!("webhook-events"), Some(text!("webhook-events-hint")), &events(), entered))
    }
}

fn read(entered: &FormData) -> Result<(String, WebhookNote, EventTypes), Error> {
    let mut fields = entered.fields();
    let url = entered.required(&mut fields, "url").to_owned();
    let description =
        fields.take("description", WebhookNote::parse(entered.get("description").trim()));
    let events: Vec<_> = entered.all("events").collect();
    let events = fields.take("events", EventTypes::parse(&events));
    fields.finish()?;
    let unread = || Error::validation("Some fields are not valid");
    let (description, events) = description.zip(events).ok_or_else(unread)?;
    Ok((url, description, events))
}

/// Shows the form to edit a webhook.
pub(crate) async fn edit(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    let webhook = webhook::get(person.app(), tenant_caller(&person), id).await?;
    let entered = FormData::default()
        .with("url", webhook.url.as_str())
        .with("description", webhook.description.as_str())
        .with_all("events", webhook.events.iter().map(EventType::name));
    Ok(draw_edit(&person, id, &entered))
}

/// Saves changes.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<WebhookId>,
    entered: FormData,
) -> Outcome {
    let changed = async {
        let (url, description, events) = read(&entered)?;
        let (url, description, events) = (Some(url), Some(description), Some(events));
        let change = WebhookChange { url, description, events, status: None };
        webhook::change(person.app(), person.context(), tenant_caller(&person), id, change).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/webhooks/{id}"), text!("webhook-updated"))),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, id, entered)))
        }
    }
}

fn draw_edit(person: &Person, id: WebhookId, entered: &FormData) -> Response {
    let body = html! {
        (head(text!("webhook-edit"), "", html! {}))
        (card(text!("webhook-endpoint"), form(&format!("/app/webhooks/{id}/edit"), entered, inputs(entered), text!("webhook-save"))))
    };
    person.page(text!("webhook-edit"), NavItem::Webhooks, body)
}

/// Enables or disables a webhook.
pub(crate) async fn switch(
    person: Person,
    Segment(id): Segment<WebhookId>,
    entered: FormData,
) -> Outcome {
    let status = entered.get("status").parse::<WebhookStatus>();
    let status = status.map_err(|reason| Error::field("status", reason))?;
    let change = WebhookChange { url: None, description: None, events: None, status: Some(status) };
    webhook::change(person.app(), person.context(), tenant_caller(&person), id, change).await?;
    let message = match status {
        WebhookStatus::Active => text!("webhook-enabled"),
        WebhookStatus::Disabled => text!("webhook-disabled"),
    };
    Ok(person.redirect(format!("/app/webhooks/{id}"), message))
}

/// Rotates the signing secret and shows the new one.
pub(crate) async fn rotate(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    match webhook::rotate_secret(person.app(), person.context(), tenant_caller(&person), id).await {
        Ok(made) => Ok(draw_secret(&person, &made, text!("webhook-rotated"))),
        Err(error) => delivery::refuse(&person, id, error).await,
    }
}

fn draw_secret(
    person: &Person,
    WithSecret { webhook, secret }: &WithSecret,
    title: &str,
) -> Response {
    let body = html! {
        (head(title, &webhook.url, html! { a.button href={ "/app/webhooks/" (webhook.id) } { (text!("webhook-done")) } }))
        (notice("warn", html! { p { (rich!("webhook-secret-save", now = html! { strong { (text!("webhook-secret-save-now")) } })) } }))
        (card(text!("webhook-secret"), html! {
            (code(text!("webhook-secret"), secret.expose()))
            p {
                (rich!("webhook-secret-use",
                    standard = html! { a href="https://www.standardwebhooks.com" rel="noreferrer" { "Standard Webhooks" } },
                    header = html! { code { "webhook-signature" } },
                ))
            }
            p.quiet { (text!("webhook-secret-both")) }
        }))
    };
    person.page(title, NavItem::Webhooks, body)
}

/// Deletes a webhook.
pub(crate) async fn delete(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    webhook::delete(person.app(), person.context(), tenant_caller(&person), id).await?;
    Ok(person.redirect("/app/webhooks", text!("webhook-deleted")))
}

fn actions(person: &Person, it: &Webhook) -> Markup {
    let here = format!("/app/webhooks/{}", it.id);
    let (next, label) = match it.status {
        WebhookStatus::Active => ("disabled", text!("webhook-disable")),
        WebhookStatus::Disabled => ("active", text!("webhook-enable")),
    };
    html! {
        (post_button(&format!("{here}/test"), text!("webhook-test"), &[]))
        form.inline method="post" action={ (here) "/status" } {
            (hidden("status", next))
            button.small.plain { (label) }
        }
        a.button.small.plain href={ (here) "/edit" } { (text!("action-edit")) }
        (confirm_with(&format!("{here}/secret"), text!("webhook-rotate"), text!("webhook-rotate-question"), form_token(person.app())))
        (undoable(&format!("{here}/delete"), text!("action-delete"), &[]))
    }
}

/// The details and actions of a webhook.
fn record(person: &Person, it: &Webhook) -> Markup {
    let now = person.now();
    html! {
        (head(text!("webhook-title"), &person.receiver(&it.url), html! {
            @if !person.is_viewed() { (actions(person, it)) }
        }))
        (live(person, "webhook", card(text!("webhook-details"), facts(&[
            (text!("word-status"), badge(it.status.name())),
            (text!("webhook-health"), health(person, it)),
            (text!("word-description"), html! { (it.description.as_str()) }),
            (text!("webhook-events"), html! { @for kind in it.events.iter() { code { (kind.name()) } " " } }),
            (text!("webhook-last-delivered"), it.last_success_at.map_or_else(never, |at| ago(now, at))),
            (text!("word-created"), ago(now, it.created_at)),
        ]))))
        (history_link(person, &it.id.to_string()))
    }
}
