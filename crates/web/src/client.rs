//! `/app/clients`: API clients. A secret is shown once, on the page that created it.

use axum::response::Response;
use grantor_domain::client::{
    ClientName, ClientStatus, Environment, parse_expiry, parse_grace, parse_permissions,
};
use grantor_domain::id::ClientId;
use grantor_domain::patch::Patch;
use grantor_domain::scope::Scope;
use grantor_domain::{Error, Timestamp};
use grantor_service::identity::client::{self, Changes, Client, ClientWithSecret, NewClient};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Person, Segment, form_token};
use crate::view::time::{from_input, to_input};
use crate::view::{
    NavItem, Table, ago, badge, card, code, confirm, empty, facts, field, form, head, notice,
    scope_choices, select,
};

/// What each scope includes.
const SCOPES: [(&str, &str); 4] = [
    (
        Scope::LicenseRead.name(),
        "Read licenses, requests, offers, grants and receipts; ask for decisions; manage bookmarks",
    ),
    (
        Scope::LicenseWrite.name(),
        "Update licenses; ask for grants, make, accept, decline and withdraw offers, and write \
         messages; revoke grants; review mentions, handle cases and manage sources; push content",
    ),
    (Scope::MentionRead.name(), "Read mentions, evidence, cases and sources; run checks"),
    (Scope::WebhookManage.name(), "Manage webhooks; read events"),
];
const ENVIRONMENTS: [(&str, &str); 3] = [
    (Environment::Production.name(), "Production"),
    (Environment::Staging.name(), "Staging"),
    (Environment::Development.name(), "Development"),
];
const GRACES: [(&str, &str); 3] =
    [("0", "Immediately, if it may have leaked"), ("3600", "In 1 hour"), ("86400", "In 1 day")];

/// Lists API clients.
pub(crate) async fn list(person: Person) -> Outcome {
    let found = client::list(person.app(), &person.caller).await?;
    let add = html! { a.button href="/app/clients/new" { "New API client" } };
    let heads = ["Name", "Key", "Environment", "Status", "Last used"];
    let table = Table::new("API clients", &heads).rows(&found, |it| row(&person, it));
    let body = html! {
        (head("API clients", "Credentials that let your applications use the API.", add.clone()))
        @if found.is_empty() {
            (empty("No API clients yet", "Create an API client to let an application read licenses or push content.", add))
        } @else { (table.show()) }
    };
    Ok(person.page("API clients", NavItem::Clients, body))
}

fn row(person: &Person, it: &Client) -> Vec<Markup> {
    vec![
        html! { a href={ "/app/clients/" (it.id) } { (it.name) } },
        html! { code { (it.api_key) } },
        html! { (it.environment.name()) },
        status_badge(it, person.now()),
        it.last_used_at
            .map_or_else(|| html! { span.quiet { "never" } }, |at| ago(person.now(), at)),
    ]
}

fn status_badge(it: &Client, now: Timestamp) -> Markup {
    let over = it.status == ClientStatus::Active && it.expires_at.is_some_and(|at| at <= now);
    badge(if over { "expired" } else { it.status.name() })
}

/// Shows the form for a new API client.
pub(crate) async fn new_form(person: Person) -> Response {
    let entered = FormData::default()
        .with("environment", Environment::Production.name())
        .with_all("permissions", SCOPES.map(|(name, _)| name));
    draw_new(&person, &entered)
}

/// Creates an API client and shows its secret.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let new = read(&entered, person.now())?;
        client::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(shown) => Ok(draw_secret(&person, &shown, "API client created")),
        Err(error) => Ok(person.redisplay(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &FormData) -> Response {
    let inside = html! {
        (form_token(person.app()))
        (common(entered))
        (select("environment", "Environment", Some("Staging and development keys start with gk_test_, production keys with gk_live_."), &ENVIRONMENTS, entered))
    };
    let body = html! {
        (head("New API client", "A key and a secret for one application.", html! {}))
        (card("API client", form("/app/clients/new", entered, inside, "Create API client")))
    };
    person.page("New API client", NavItem::Clients, body)
}

/// The fields of both forms.
fn common(entered: &FormData) -> Markup {
    html! {
        (field("name", "Name").required().max_length(100).hint("The application that uses the client, such as “Importer”.").of(entered))
        (scope_choices("permissions", "Scopes", "The role of whoever creates the client limits it, too.", &SCOPES, entered))
        (field("expiresAt", "Expires (UTC)").kind("datetime-local").hint("Leave blank for a client that never expires.").of(entered))
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
    let never = || html! { span.quiet { "never" } };
    let old = client.old_secret.as_ref().filter(|(_, until)| *until > now);
    let body = html! {
        (head(&client.name, "", confirm(&format!("{here}/delete"), "Delete", "Applications that use this key will lose access immediately.", &[])))
        (card("Details", html! {
            (facts(&[
                ("Status", status_badge(client, now)),
                ("API key", html! { code { (client.api_key) } }),
                ("Environment", html! { (client.environment.name()) }),
                ("Scopes", html! { @for it in client.scopes.iter() { code { (it) } " " } }),
                ("Last used", client.last_used_at.map_or_else(never, |at| ago(now, at))),
                ("Expires", client.expires_at.map_or_else(never, |at| ago(now, at))),
                ("Created", ago(now, client.created_at)),
            ]))
            @if let Some((_, until)) = old {
                (notice("warn", html! { p { "The previous secret still works. It expires " (ago(now, *until)) "." } }))
            }
        }))
        @if client.status != ClientStatus::Revoked {
            (card("Settings", form(&here, entered, settings(client, entered), "Save changes")))
            (card("Rotate secret", html! {
                p { "The new secret is shown once. Choose when the current secret stops working." }
                (form(&format!("{here}/secret"), rotation, html! { (form_token(person.app())) (select("graceSeconds", "Current secret expires", None, &GRACES, rotation)) }, "Rotate secret"))
            }))
            (card("Get started", examples(person, &client.api_key, None)))
        }
    };
    person.page(&client.name, NavItem::Clients, body)
}

fn settings(client: &Client, entered: &FormData) -> Markup {
    let statuses =
        [("active", "Active"), ("inactive", "Inactive"), ("revoked", "Revoked (permanent)")];
    let allowed: Vec<_> = statuses
        .into_iter()
        .zip(ClientStatus::ALL)
        .filter(|(_, next)| *next == client.status || client.status.may_become(*next))
        .map(|(option, _)| option)
        .collect();
    html! { (common(entered)) (select("status", "Status", None, &allowed, entered)) }
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
        Ok(_) => Ok(person.redirect(format!("/app/clients/{id}"), "API client updated")),
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
        status: fields.take("status", entered.get("status").parse()),
    };
    fields.finish()?;
    Ok(changes)
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
        Ok(shown) => Ok(draw_secret(&person, &shown, "Secret rotated")),
        Err(error) => {
            let filled = filled(&client);
            Ok(person.redisplay(error, entered, |entered| draw(&person, &client, &filled, entered)))
        }
    }
}

fn draw_secret(person: &Person, shown: &ClientWithSecret, title: &str) -> Response {
    let (client, secret) = (&shown.client, shown.secret.expose());
    let body = html! {
        (head(title, "", html! { a.button href={ "/app/clients/" (client.id) } { "Done" } }))
        (notice("warn", html! { p { strong { "Save this secret now." } " You won't be able to see it again." } }))
        (card(&client.name, html! {
            h3 { "API key" } (code("API key", &client.api_key))
            h3 { "API secret" } (code("API secret", secret))
        }))
        (card("Get started", examples(person, &client.api_key, Some(secret))))
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
        p { "Exchange the key and secret for an access token, valid for one hour:" }
        (code("Get an access token", &token))
        p { "Then list your licenses:" }
        (code("List licenses", &licenses))
        p { a href="/docs/" { "API documentation" } }
    }
}

/// Deletes an API client.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ClientId>) -> Outcome {
    client::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect("/app/clients", "API client deleted"))
}
