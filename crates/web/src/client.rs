//! `/app/clients`: API clients. A secret is shown once, on the page that created it.

use axum::response::Response;
use grantor_domain::client::{
    ClientName, ClientStatus, Environment, parse_expiry, parse_grace, parse_permissions,
};
use grantor_domain::id::ClientId;
use grantor_domain::patch::Patch;
use grantor_domain::scope::Scope;
use grantor_domain::{Error, Timestamp};
use grantor_messages::{named, text};
use grantor_service::identity::client::{self, Changes, Client, ClientWithSecret, NewClient};
use maud::{Markup, html};

use crate::export;
use crate::frame::{FormData, Outcome, Person, Segment, form_token};
use crate::log::history_link;
use crate::view::rich::rich;
use crate::view::time::{from_input, to_input, zone_name};
use crate::view::{
    NavItem, Table, ago, badge, card, code, confirm, facts, field, form, head, lesson, notice,
    scope_choices, select,
};

/// What each scope includes.
fn scopes() -> [(&'static str, &'static str); 4] {
    [
        (Scope::LicenseRead.name(), text!("client-scope-license-read")),
        (Scope::LicenseWrite.name(), text!("client-scope-license-write")),
        (Scope::MentionRead.name(), text!("client-scope-mention-read")),
        (Scope::WebhookManage.name(), text!("client-scope-webhook-manage")),
    ]
}

fn environments() -> [(&'static str, &'static str); 3] {
    [
        (Environment::Production.name(), text!("client-choose-production")),
        (Environment::Staging.name(), text!("client-choose-staging")),
        (Environment::Development.name(), text!("client-choose-development")),
    ]
}

/// When the old secret expires, in seconds.
fn graces() -> [(&'static str, &'static str); 3] {
    [
        ("0", text!("client-grace-none")),
        ("3600", text!("client-grace-hour")),
        ("86400", text!("client-grace-day")),
    ]
}

/// Lists API clients.
pub(crate) async fn list(person: Person) -> Outcome {
    let found = client::list(person.app(), &person.caller).await?;
    let add = html! {
        @if !person.is_viewed() { a.button href="/app/clients/new" { (text!("client-new")) } }
    };
    let heads = [
        text!("word-name"),
        text!("client-key-head"),
        text!("client-environment"),
        text!("word-status"),
        text!("client-last-used"),
    ];
    let table = Table::new(text!("client-list"), &heads).rows(&found, |it| row(&person, it));
    let body = html! {
        (head(text!("client-list"), text!("client-list-lead"), html! { (add) (export::links(&person, "clients")) }))
        @if found.is_empty() {
            (lesson(text!("client-none"), text!("client-none-why"), &[
                text!("client-step-name"),
                text!("client-step-copy"),
                text!("client-step-exchange"),
            ], add))
        } @else { (table.show()) }
    };
    Ok(person.page(text!("client-list"), NavItem::Clients, body))
}

fn row(person: &Person, it: &Client) -> Vec<Markup> {
    vec![
        html! { a href={ "/app/clients/" (it.id) } { (it.name) } },
        html! { code { (it.api_key) } },
        html! { (environment(it.environment)) },
        status_badge(it, person.now()),
        it.last_used_at.map_or_else(never, |at| ago(person.now(), at)),
    ]
}

fn never() -> Markup {
    html! { span.quiet { (text!("client-never")) } }
}

fn environment(environment: Environment) -> &'static str {
    named("client-environment", environment.name()).unwrap_or(environment.name())
}

fn status_badge(it: &Client, now: Timestamp) -> Markup {
    let over = it.status == ClientStatus::Active && it.expires_at.is_some_and(|at| at <= now);
    badge(if over { "expired" } else { it.status.name() })
}

/// Shows the form for a new API client.
pub(crate) async fn new_form(person: Person) -> Response {
    let entered = FormData::default()
        .with("environment", Environment::Production.name())
        .with_all("permissions", scopes().map(|(name, _)| name));
    draw_new(&person, &entered)
}

/// Creates an API client and shows its secret.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let new = read(&entered, person.now())?;
        client::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(shown) => Ok(draw_secret(&person, &shown, text!("client-created"))),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (form_token(person.app()))
        (common(entered))
        (select("environment", text!("client-environment"), Some(text!("client-environment-hint")), &environments(), entered))
    };
    let body = html! {
        (head(text!("client-new"), text!("client-new-lead"), html! {}))
        (card(text!("client-card"), form("/app/clients/new", entered, inside, text!("client-create"))))
    };
    person.page(text!("client-new"), NavItem::Clients, body)
}

/// The fields of both forms.
fn common(entered: &FormData) -> Markup {
    html! {
        (field("name", text!("word-name")).required().max_length(100).hint(text!("client-name-hint")).of(entered))
        (scope_choices("permissions", text!("client-scopes"), text!("client-scopes-hint"), &scopes(), entered))
        (field("expiresAt", &text!("client-expires-at", zone = zone_name())).kind("datetime-local").hint(text!("client-expires-at-hint")).of(entered))
    }
}

fn read(entered: &FormData, now: Timestamp) -> Result<NewClient, Error> {
    let mut fields = entered.fields();
    let name = entered.required(&mut fields, "name");
    let name = fields.take("name", ClientName::parse(name));
    let environment = fields.take("environment", entered.get("environment").parse());
    let scopes: Vec<_> = entered.all("permissions").collect();
    let scopes = fields.take("permissions", parse_permissions(Some(&scopes)));
    let expires_at = entered.optional("expiresAt").map(|it| parse_expiry(&from_input(it), now));
    let expires_at = expires_at.and_then(|it| fields.take("expiresAt", it));
    fields.finish()?;
    let (Some(name), Some(environment), Some(scopes)) = (name, environment, scopes) else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(NewClient { name, environment, scopes, expires_at })
}

/// Shows an API client.
pub(crate) async fn show(person: Person, Segment(id): Segment<ClientId>) -> Outcome {
    let client = get_client(&person, id).await?;
    Ok(draw(&person, &client, &filled(&client), &FormData::default()))
}

fn filled(client: &Client) -> FormData {
    FormData::default()
        .with("name", client.name.as_str())
        .with_all("permissions", client.scopes.iter().map(Scope::name))
        .with("expiresAt", client.expires_at.map(to_input).unwrap_or_default())
        .with("status", client.status.name())
}

async fn get_client(person: &Person, id: ClientId) -> Result<Client, Error> {
    let all = client::list(person.app(), &person.caller).await?;
    all.into_iter().find(|it| it.id == id).ok_or_else(|| Error::not_found("API client"))
}

fn draw(person: &Person, client: &Client, entered: &FormData, rotation: &FormData) -> Response {
    let (here, now) = (format!("/app/clients/{}", client.id), person.now());
    let old = client.old_secret.as_ref().filter(|(_, until)| *until > now);
    let (in_use, acts) = (client.status != ClientStatus::Revoked, !person.is_viewed());
    let body = html! {
        (head(&client.name, "", html! {
            @if in_use && acts {
                (confirm(&format!("{here}/revoke"), text!("client-revoke"), text!("client-revoke-question"), &[]))
            }
            @if acts { (confirm(&format!("{here}/delete"), text!("action-delete"), text!("client-delete-question"), &[])) }
        }))
        (card(text!("client-details"), html! {
            (facts(&[
                (text!("word-status"), status_badge(client, now)),
                (text!("client-key"), html! { code { (client.api_key) } }),
                (text!("client-environment"), html! { (environment(client.environment)) }),
                (text!("client-scopes"), html! { @for it in client.scopes.iter() { code { (it) } " " } }),
                (text!("client-last-used"), client.last_used_at.map_or_else(never, |at| ago(now, at))),
                (text!("client-expires"), client.expires_at.map_or_else(never, |at| ago(now, at))),
                (text!("word-created"), ago(now, client.created_at)),
            ]))
            @if let Some((_, until)) = old {
                (notice("warn", html! { p { (rich!("client-old-secret", when = ago(now, *until))) } }))
            }
        }))
        (history_link(person, &client.id.to_string()))
        @if in_use && acts {
            (card(text!("client-settings"), form(&here, entered, settings(entered), text!("client-save"))))
            (card(text!("client-rotate"), html! {
                p { (text!("client-rotate-lead")) }
                (form(&format!("{here}/secret"), rotation, html! { (form_token(person.app())) (select("graceSeconds", text!("client-grace"), None, &graces(), rotation)) }, text!("client-rotate")))
            }))
        }
        @if in_use { (card(text!("client-start"), examples(person, &client.api_key, None))) }
    };
    person.page(&client.name, NavItem::Clients, body)
}

/// The fields of a client that is not revoked.
fn settings(entered: &FormData) -> Markup {
    let statuses =
        [("active", text!("client-status-active")), ("inactive", text!("client-status-inactive"))];
    html! { (common(entered)) (select("status", text!("word-status"), None, &statuses, entered)) }
}

/// Saves changes.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<ClientId>,
    entered: FormData,
) -> Outcome {
    let client = get_client(&person, id).await?;
    let changed = async {
        let changes = read_changes(&entered, &client, person.now())?;
        client::change(person.app(), person.context(), person.caller(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(format!("/app/clients/{id}"), text!("client-updated"))),
        Err(error) => {
            let none = FormData::default();
            Ok(person.redisplay(error, entered, |entered| draw(&person, &client, entered, &none)))
        }
    }
}

fn read_changes(entered: &FormData, old: &Client, now: Timestamp) -> Result<Changes, Error> {
    let mut fields = entered.fields();
    let scopes: Vec<_> = entered.all("permissions").collect();
    let expires_at = match entered.optional("expiresAt") {
        None => Patch::Clear,
        // An unchanged expiry may be in the past.
        Some(text) if old.expires_at.is_some_and(|at| to_input(at) == text) => Patch::Keep,
        Some(text) => Patch::Set(from_input(text)),
    };
    let name = entered.required(&mut fields, "name");
    let changes = Changes {
        name: fields.take("name", ClientName::parse(name)),
        scopes: fields.take("permissions", parse_permissions(Some(&scopes))),
        expires_at: expires_at.parse(|it| fields.take("expiresAt", parse_expiry(&it, now))),
        status: fields.take("status", editable_status(entered.get("status"))),
    };
    fields.finish()?;
    Ok(changes)
}

/// Parses a status that can be taken back. Revoking is an act of its own, which asks first.
fn editable_status(text: &str) -> Result<ClientStatus, &'static str> {
    let status = text.parse().ok().filter(|it| *it != ClientStatus::Revoked);
    status.ok_or("must be one of active, inactive")
}

/// Rotates the secret and shows the new one.
pub(crate) async fn rotate(
    person: Person,
    Segment(id): Segment<ClientId>,
    entered: FormData,
) -> Outcome {
    let client = get_client(&person, id).await?;
    let rotated = async {
        let grace = parse_grace(Some(entered.get("graceSeconds").parse().unwrap_or(-1)));
        let grace = grace.map_err(|reason| Error::field("graceSeconds", reason))?;
        client::rotate(person.app(), person.context(), person.caller(), id, grace).await
    };
    match rotated.await {
        Ok(shown) => Ok(draw_secret(&person, &shown, text!("client-rotated"))),
        Err(error) => {
            let filled = filled(&client);
            Ok(person.redisplay(error, entered, |entered| draw(&person, &client, &filled, entered)))
        }
    }
}

fn draw_secret(person: &Person, shown: &ClientWithSecret, title: &str) -> Response {
    let (client, secret) = (&shown.client, shown.secret.expose());
    let body = html! {
        (head(title, "", html! { a.button href={ "/app/clients/" (client.id) } { (text!("client-done")) } }))
        (notice("warn", html! { p { (rich!("client-secret-save", now = html! { strong { (text!("client-secret-save-now")) } })) } }))
        (card(&client.name, html! {
            h3 { (text!("client-key")) } (code(text!("client-key"), &client.api_key))
            h3 { (text!("client-secret")) } (code(text!("client-secret"), secret))
        }))
        (card(text!("client-start"), examples(person, &client.api_key, Some(secret))))
    };
    person.page(title, NavItem::Clients, body)
}

/// Example shell commands.
fn examples(person: &Person, key: &str, secret: Option<&str>) -> Markup {
    let (url, secret) = (&person.app().public_url, secret.unwrap_or("YOUR_API_SECRET"));
    let token = format!(
        "TOKEN=$(curl -s {url}/auth/token \\\n  -H 'Content-Type: application/json' \\\n  \
         -d '{{\"api_key\":\"{key}\",\"api_secret\":\"{secret}\"}}' \\\n  \
         | sed -E 's/.*\"access_token\":\"([^\"]+)\".*/\\1/')"
    );
    let licenses = format!("curl -s {url}/licenses -H \"Authorization: Bearer $TOKEN\"");
    html! {
        p { (text!("client-start-token")) }
        (code(text!("client-start-token-label"), &token))
        p { (text!("client-start-list")) }
        (code(text!("client-start-list-label"), &licenses))
        p { a href="/docs/quick-start" { (text!("client-documentation")) } }
    }
}

/// Revokes an API client permanently.
pub(crate) async fn revoke(person: Person, Segment(id): Segment<ClientId>) -> Outcome {
    let status = Some(ClientStatus::Revoked);
    let changes = Changes { name: None, scopes: None, expires_at: Patch::Keep, status };
    client::change(person.app(), person.context(), person.caller(), id, changes).await?;
    Ok(person.redirect(format!("/app/clients/{id}"), text!("client-revoked")))
}

/// Deletes an API client.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ClientId>) -> Outcome {
    client::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect("/app/clients", text!("client-deleted")))
}
