//! `/app/webhooks`: where events are sent. A secret is shown once, on the page that made it.

mod delivery;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::event::{EventType, EventTypes};
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_service::access::Insider;
use grantor_service::webhook::{self, NewWebhook, WebhookChange, WithSecret};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment, once};
use crate::view::part::confirm_with;
use crate::view::{
    Place, Table, ago, area, badge, card, choices, code, confirm, empty, facts, field, form, head,
    notice, pager, send,
};

pub(crate) use self::delivery::{replay, retry, show, test};

/// What each event tells of.
const EVENTS: [(&str, &str); 11] = [
    (EventType::LicenseCreated.name(), "A license was made"),
    (EventType::LicenseUpdated.name(), "A license changed"),
    (EventType::LicensePublished.name(), "A license became public"),
    (EventType::LicenseExpired.name(), "A license expired"),
    (EventType::LicenseDeleted.name(), "A license was deleted"),
    (EventType::PermissionGranted.name(), "Somebody was given a right"),
    (EventType::PermissionRevoked.name(), "Somebody lost a right"),
    (EventType::MentionCreated.name(), "A mention was found"),
    (EventType::MentionUpdated.name(), "A mention changed"),
    (EventType::ClientExpiring.name(), "An API client ends soon"),
    (EventType::WebhookTest.name(), "A test that you send"),
];

fn insider(person: &Person) -> Insider {
    Insider::from(&*person.caller)
}

/// All of them.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let found =
        asked.within(webhook::list(person.app(), insider(&person), asked.page()?).await?)?;
    let add = html! { a.button href="/app/webhooks/new" { "New webhook" } };
    let heads = ["Address", "Events", "Status", "Last arrival"];
    let table = Table::new("Webhooks", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Webhooks", "Addresses of yours that hear at once what happens here.", add.clone()))
        @if found.items.is_empty() {
            (empty("No webhooks yet", "Name an address, and every event you choose is posted to it, signed.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Webhooks", Place::Webhooks, body))
}

fn row(person: &Person, it: &Webhook) -> Vec<Markup> {
    vec![
        html! {
            a href={ "/app/webhooks/" (it.id) } { (it.url) }
            @if !it.description.as_str().is_empty() { p.quiet { (it.description.as_str()) } }
        },
        html! { (count(it.events)) },
        standing(it),
        it.last_success_at
            .map_or_else(|| html! { span.quiet { "never" } }, |at| ago(person.now(), at)),
    ]
}

fn count(events: EventTypes) -> String {
    match events.iter().count() {
        all if all == EventType::ALL.len() => "all".to_owned(),
        some => format!("{some} of {}", EventType::ALL.len()),
    }
}

fn standing(it: &Webhook) -> Markup {
    html! {
        (badge(it.status.name()))
        @if it.failing_since.is_some() { " " (badge("failing")) }
    }
}

/// The form of a new one.
pub(crate) async fn blank(person: Person) -> Response {
    draw_new(&person, &Entered::default().with_all("events", EventType::ALL.map(EventType::name)))
}

/// Makes one, and shows its secret.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let (url, description, events) = read(&entered)?;
        let new = NewWebhook { url, description, events };
        webhook::create(person.app(), person.context(), insider(&person), new).await
    };
    match made.await {
        Ok(made) => Ok(draw_secret(&person, &made, "Your webhook is ready")),
        Err(error) => Ok(person.again(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &Entered) -> Response {
    let body = html! {
        (head("New webhook", "Where shall events be sent?", html! {}))
        (card("Receiver", form("/app/webhooks/new", entered, html! { (once(person.app())) (inputs(entered)) }, "Make the webhook")))
    };
    person.page("New webhook", Place::Webhooks, body)
}

/// What both forms ask for.
fn inputs(entered: &Entered) -> Markup {
    html! {
        (field("url", "Address").kind("url").required().longest(2_048).placeholder("https://example.com/hooks/grantor")
            .hint("Begins with https:// and is reachable from the internet.").of(entered))
        (area("description", "What it is for", Some("At most 500 characters."), 2, entered))
        (choices("events", "Events", Some("At least one."), &EVENTS, entered))
    }
}

fn read(entered: &Entered) -> Result<(String, WebhookNote, EventTypes), Error> {
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

/// The form of one that is there.
pub(crate) async fn edit(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    let webhook = webhook::get(person.app(), insider(&person), id).await?;
    let entered = Entered::default()
        .with("url", webhook.url.as_str())
        .with("description", webhook.description.as_str())
        .with_all("events", webhook.events.iter().map(EventType::name));
    Ok(draw_edit(&person, id, &entered))
}

/// Changes one.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<WebhookId>,
    entered: Entered,
) -> Outcome {
    let changed = async {
        let (url, description, events) = read(&entered)?;
        let (url, description, events) = (Some(url), Some(description), Some(events));
        let change = WebhookChange { url, description, events, status: None };
        webhook::change(person.app(), person.context(), insider(&person), id, change).await
    };
    match changed.await {
        Ok(_) => Ok(person.went(format!("/app/webhooks/{id}"), "The webhook was changed")),
        Err(error) => Ok(person.again(error, entered, |entered| draw_edit(&person, id, entered))),
    }
}

fn draw_edit(person: &Person, id: WebhookId, entered: &Entered) -> Response {
    let body = html! {
        (head("Edit a webhook", "", html! {}))
        (card("Receiver", form(&format!("/app/webhooks/{id}/edit"), entered, inputs(entered), "Save")))
    };
    person.page("Edit a webhook", Place::Webhooks, body)
}

/// Switches one on or off.
pub(crate) async fn switch(
    person: Person,
    Segment(id): Segment<WebhookId>,
    entered: Entered,
) -> Outcome {
    let status = entered.get("status").parse::<WebhookStatus>();
    let status = status.map_err(|reason| Error::field("status", reason))?;
    let change = WebhookChange { url: None, description: None, events: None, status: Some(status) };
    webhook::change(person.app(), person.context(), insider(&person), id, change).await?;
    let said = match status {
        WebhookStatus::Active => "The webhook is on again",
        WebhookStatus::Disabled => "The webhook is off: events wait until it is on again",
    };
    Ok(person.went(format!("/app/webhooks/{id}"), said))
}

/// Gives one another secret, and shows it.
pub(crate) async fn rotate(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    match webhook::rotate_secret(person.app(), person.context(), insider(&person), id).await {
        Ok(made) => Ok(draw_secret(&person, &made, "Another secret")),
        Err(error) => delivery::refuse(&person, id, error).await,
    }
}

fn draw_secret(
    person: &Person,
    WithSecret { webhook, secret }: &WithSecret,
    title: &str,
) -> Response {
    let body = html! {
        (head(title, &webhook.url, html! { a.button href={ "/app/webhooks/" (webhook.id) } { "I have kept it" } }))
        (notice("warn", html! { p { strong { "Keep the secret now." } " It cannot be looked up later." } }))
        (card("Signing secret", html! {
            (code("Signing secret", secret.expose()))
            p { "Every delivery is signed with it after " a href="https://www.standardwebhooks.com" rel="noreferrer" { "Standard Webhooks" }
                ": check " code { "webhook-signature" } " with a library of theirs before you trust a body." }
            p.quiet { "After a change of secrets the one before goes on signing for a day, beside the new one." }
        }))
    };
    person.page(title, Place::Webhooks, body)
}

/// Deletes one.
pub(crate) async fn delete(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    webhook::delete(person.app(), person.context(), insider(&person), id).await?;
    Ok(person.went("/app/webhooks", "The webhook is gone"))
}

/// What is known of one, and what can be done with it.
fn record(person: &Person, it: &Webhook) -> Markup {
    let (here, now) = (format!("/app/webhooks/{}", it.id), person.now());
    let (next, word) = match it.status {
        WebhookStatus::Active => ("disabled", "Switch off"),
        WebhookStatus::Disabled => ("active", "Switch on"),
    };
    html! {
        (head("Webhook", &it.url, html! {
            (send(&format!("{here}/test"), "Send a test", &[]))
            (send(&format!("{here}/status"), word, &[("status", next)]))
            a.button.small.plain href={ (here) "/edit" } { "Edit" }
            (confirm_with(&format!("{here}/secret"), "Change the secret", "The new secret is shown once; the present one goes on signing for a day.", once(person.app())))
            (confirm(&format!("{here}/delete"), "Delete", "Nothing is sent there any more, and its deliveries are forgotten.", &[]))
        }))
        (card("Receiver", facts(&[
            ("Status", standing(it)),
            ("What it is for", html! { (it.description.as_str()) }),
            ("Events", html! { @for kind in it.events.iter() { code { (kind.name()) } " " } }),
            ("Last arrival", it.last_success_at.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at))),
            ("Failing", it.failing_since.map_or_else(|| html! { span.quiet { "no" } }, |at| html! { "since " (ago(now, at)) })),
            ("Made", ago(now, it.created_at)),
        ])))
    }
}
