//! `/app/webhooks`: webhooks. A secret is shown once, on the page that created it.

mod delivery;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::event::{EventType, EventTypes};
use grantor_domain::id::WebhookId;
use grantor_domain::webhook::{Webhook, WebhookNote, WebhookStatus};
use grantor_service::identity::access::TenantCaller;
use grantor_service::webhooks::webhook::{self, NewWebhook, WebhookChange, WithSecret};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment, form_token};
use crate::view::component::confirm_with;
use crate::view::{
    NavItem, Table, ago, area, badge, card, choices, code, confirm, empty, facts, field, form,
    head, notice, pager, post_button,
};

pub(crate) use self::delivery::{replay, retry, show, test};

/// Event types with their descriptions.
const EVENTS: [(&str, &str); 23] = [
    (EventType::LicenseCreated.name(), "A license was created"),
    (EventType::LicenseUpdated.name(), "A license was updated"),
    (EventType::LicensePublished.name(), "A license was published"),
    (EventType::LicenseExpired.name(), "A license expired"),
    (EventType::LicenseDeleted.name(), "A license was deleted"),
    (EventType::PermissionGranted.name(), "A permission was granted"),
    (EventType::PermissionRevoked.name(), "A permission was revoked"),
    (EventType::MentionCreated.name(), "A mention was found"),
    (EventType::MentionUpdated.name(), "A mention was updated"),
    (EventType::MentionRemoved.name(), "A mention was removed"),
    (EventType::LicenseExpiring.name(), "A license expires soon"),
    (EventType::RequestCreated.name(), "A license was requested"),
    (EventType::RequestOffered.name(), "An offer was made"),
    (EventType::RequestDeclined.name(), "A request or an offer was declined"),
    (EventType::RequestWithdrawn.name(), "A request or an offer was withdrawn"),
    (EventType::RequestLapsed.name(), "A request lapsed"),
    (EventType::RequestMessage.name(), "A message was sent"),
    (EventType::GrantCreated.name(), "An offer was accepted"),
    (EventType::GrantExpiring.name(), "A grant ends soon"),
    (EventType::GrantEnded.name(), "A grant ended"),
    (EventType::GrantRevoked.name(), "A grant was revoked"),
    (EventType::ClientExpiring.name(), "An API client is about to expire"),
    (EventType::WebhookTest.name(), "You sent a test event"),
];

fn tenant_caller(person: &Person) -> TenantCaller {
    TenantCaller::from(&*person.caller)
}

/// Lists webhooks.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params
        .in_range(webhook::list(person.app(), tenant_caller(&person), params.page()?).await?)?;
    let add = html! { a.button href="/app/webhooks/new" { "New webhook" } };
    let heads = ["URL", "Events", "Status", "Last delivered"];
    let table = Table::new("Webhooks", &heads).rows(&found.items, |it| row(&person, it));
    let body = html! {
        (head("Webhooks", "Send events to your own URLs as soon as they happen.", add.clone()))
        @if found.items.is_empty() {
            (empty("No webhooks yet", "Add a URL and choose events. Each event is sent to the URL as a signed POST request.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Webhooks", NavItem::Webhooks, body))
}

fn row(person: &Person, it: &Webhook) -> Vec<Markup> {
    vec![
        html! {
            a href={ "/app/webhooks/" (it.id) } { (it.url) }
            @if !it.description.as_str().is_empty() { p.quiet { (it.description.as_str()) } }
        },
        html! { (count(it.events)) },
        status_badges(it),
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

fn status_badges(it: &Webhook) -> Markup {
    html! {
        (badge(it.status.name()))
        @if it.failing_since.is_some() { " " (badge("failing")) }
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
        Ok(made) => Ok(draw_secret(&person, &made, "Webhook created")),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let body = html! {
        (head("New webhook", "Choose where events are sent.", html! {}))
        (card("Endpoint", form("/app/webhooks/new", entered, html! { (form_token(person.app())) (inputs(entered)) }, "Create webhook")))
    };
    person.page("New webhook", NavItem::Webhooks, body)
}

/// The fields of both forms.
fn inputs(entered: &FormData) -> Markup {
    html! {
        (field("url", "URL").kind("url").required().max_length(2_048).placeholder("https://example.com/hooks/grantor")
            .hint("Must start with https:// and be reachable from the internet.").of(entered))
        (area("description", "Description", Some("Up to 500 characters."), 2, entered))
        (choices("events", "Events", Some("Choose at least one."), &EVENTS, entered))
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
        Ok(_) => Ok(person.redirect(format!("/app/webhooks/{id}"), "Webhook updated")),
        Err(error) => {
            Ok(person.redisplay(error, entered, |entered| draw_edit(&person, id, entered)))
        }
    }
}

fn draw_edit(person: &Person, id: WebhookId, entered: &FormData) -> Response {
    let body = html! {
        (head("Edit webhook", "", html! {}))
        (card("Endpoint", form(&format!("/app/webhooks/{id}/edit"), entered, inputs(entered), "Save changes")))
    };
    person.page("Edit webhook", NavItem::Webhooks, body)
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
        WebhookStatus::Active => "Webhook enabled",
        WebhookStatus::Disabled => {
            "Webhook disabled. Events are queued until you enable the webhook again."
        }
    };
    Ok(person.redirect(format!("/app/webhooks/{id}"), message))
}

/// Rotates the signing secret and shows the new one.
pub(crate) async fn rotate(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    match webhook::rotate_secret(person.app(), person.context(), tenant_caller(&person), id).await {
        Ok(made) => Ok(draw_secret(&person, &made, "Secret rotated")),
        Err(error) => delivery::refuse(&person, id, error).await,
    }
}

fn draw_secret(
    person: &Person,
    WithSecret { webhook, secret }: &WithSecret,
    title: &str,
) -> Response {
    let body = html! {
        (head(title, &webhook.url, html! { a.button href={ "/app/webhooks/" (webhook.id) } { "Done" } }))
        (notice("warn", html! { p { strong { "Save this secret now." } " You won't be able to see it again." } }))
        (card("Signing secret", html! {
            (code("Signing secret", secret.expose()))
            p { "Every delivery is signed with this secret as defined by " a href="https://www.standardwebhooks.com" rel="noreferrer" { "Standard Webhooks" }
                ". Verify the " code { "webhook-signature" } " header with a Standard Webhooks library before you trust a request." }
            p.quiet { "After a rotation, deliveries are signed with both the old and the new secret for one day." }
        }))
    };
    person.page(title, NavItem::Webhooks, body)
}

/// Deletes a webhook.
pub(crate) async fn delete(person: Person, Segment(id): Segment<WebhookId>) -> Outcome {
    webhook::delete(person.app(), person.context(), tenant_caller(&person), id).await?;
    Ok(person.redirect("/app/webhooks", "Webhook deleted"))
}

/// The details and actions of a webhook.
fn record(person: &Person, it: &Webhook) -> Markup {
    let (here, now) = (format!("/app/webhooks/{}", it.id), person.now());
    let (next, label) = match it.status {
        WebhookStatus::Active => ("disabled", "Disable"),
        WebhookStatus::Disabled => ("active", "Enable"),
    };
    html! {
        (head("Webhook", &it.url, html! {
            (post_button(&format!("{here}/test"), "Send test event", &[]))
            (post_button(&format!("{here}/status"), label, &[("status", next)]))
            a.button.small.plain href={ (here) "/edit" } { "Edit" }
            (confirm_with(&format!("{here}/secret"), "Rotate secret", "The new secret is shown once. The current secret keeps signing for one day.", form_token(person.app())))
            (confirm(&format!("{here}/delete"), "Delete", "Events will no longer be sent, and the delivery history will be deleted.", &[]))
        }))
        (card("Details", facts(&[
            ("Status", status_badges(it)),
            ("Description", html! { (it.description.as_str()) }),
            ("Events", html! { @for kind in it.events.iter() { code { (kind.name()) } " " } }),
            ("Last delivered", it.last_success_at.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at))),
            ("Failing since", it.failing_since.map_or_else(|| html! { span.quiet { "not failing" } }, |at| ago(now, at))),
            ("Created", ago(now, it.created_at)),
        ])))
    }
}
