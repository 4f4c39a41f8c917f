//! `/app/clients`: key pairs for programs. A secret is shown once, on the page that made it.

use axum::response::Response;
use grantor_domain::client::{
    ClientName, ClientStatus, Environment, parse_expiry, parse_grace, parse_permissions,
};
use grantor_domain::id::ClientId;
use grantor_domain::patch::Patch;
use grantor_domain::scope::Scope;
use grantor_domain::{Error, Timestamp};
use grantor_service::client::{self, Changes, Client, NewClient, Shown};
use maud::{Markup, html};

use crate::frame::{Entered, Outcome, Person, Segment, once};
use crate::view::time::{entry, exit};
use crate::view::{
    Place, Table, ago, badge, card, choices, code, confirm, empty, facts, field, form, head,
    notice, select,
};

const SCOPES: [(&str, &str); 4] = [
    (Scope::LicenseRead.name(), "Read licenses, keep bookmarks"),
    (Scope::LicenseWrite.name(), "Change licenses, push content"),
    (Scope::MentionRead.name(), "Read mentions"),
    (Scope::WebhookManage.name(), "Manage webhooks, follow events"),
];
const ENVIRONMENTS: [(&str, &str); 3] = [
    (Environment::Production.name(), "Production"),
    (Environment::Staging.name(), "Staging"),
    (Environment::Development.name(), "Development"),
];
const GRACES: [(&str, &str); 3] =
    [("0", "At once: it may have leaked"), ("3600", "In an hour"), ("86400", "In a day")];

/// All of them.
pub(crate) async fn list(person: Person) -> Outcome {
    let found = client::list(person.app(), &person.caller).await?;
    let add = html! { a.button href="/app/clients/new" { "New API client" } };
    let heads = ["Name", "Key", "Environment", "Status", "Last used"];
    let table = Table::new("API clients", &heads).rows(&found, |it| row(&person, it));
    let body = html! {
        (head("API clients", "Key pairs with which programs use the API in your name.", add.clone()))
        @if found.is_empty() {
            (empty("No API clients yet", "Make one to let a program read licenses or report content.", add))
        } @else { (table.show()) }
    };
    Ok(person.page("API clients", Place::Clients, body))
}

fn row(person: &Person, it: &Client) -> Vec<Markup> {
    vec![
        html! { a href={ "/app/clients/" (it.id) } { (it.name) } },
        html! { code { (it.api_key) } },
        html! { (it.environment.name()) },
        standing(it, person.now()),
        it.last_used_at
            .map_or_else(|| html! { span.quiet { "never" } }, |at| ago(person.now(), at)),
    ]
}

fn standing(it: &Client, now: Timestamp) -> Markup {
    let over = it.status == ClientStatus::Active && it.expires_at.is_some_and(|at| at <= now);
    badge(if over { "expired" } else { it.status.name() })
}

/// The form of a new one.
pub(crate) async fn blank(person: Person) -> Response {
    let entered = Entered::default()
        .with("environment", Environment::Production.name())
        .with_all("permissions", SCOPES.map(|(name, _)| name));
    draw_new(&person, &entered)
}

/// Makes one, and shows its secret.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let new = read(&entered, person.now())?;
        client::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(shown) => Ok(draw_secret(&person, &shown, "Your API client is ready")),
        Err(error) => Ok(person.again(error, entered, |entered| draw_new(&person, entered))),
    }
}

fn draw_new(person: &Person, entered: &Entered) -> Response {
    let inside = html! {
        (once(person.app()))
        (common(entered))
        (select("environment", "Environment", Some("Keys of production begin with another word than those for trying."), &ENVIRONMENTS, entered))
    };
    let body = html! {
        (head("New API client", "A key and a secret for one program.", html! {}))
        (card("Client", form("/app/clients/new", entered, inside, "Make the key pair")))
    };
    person.page("New API client", Place::Clients, body)
}

/// What both forms ask for.
fn common(entered: &Entered) -> Markup {
    html! {
        (field("name", "Name").required().longest(100).hint("What uses it, such as Importer.").of(entered))
        (choices("permissions", "What it may do", None, &SCOPES, entered))
        (field("expiresAt", "Ends (UTC)").kind("datetime-local").hint("Left empty, it does not end by itself.").of(entered))
    }
}

fn read(entered: &Entered, now: Timestamp) -> Result<NewClient, Error> {
    let mut fields = entered.fields();
    let name = entered.required(&mut fields, "name");
    let name = fields.take("name", ClientName::parse(name));
    let environment = fields.take("environment", entered.get("environment").parse());
    let scopes: Vec<_> = entered.all("permissions").collect();
    let scopes = fields.take("permissions", parse_permissions(Some(&scopes)));
    let expires_at = entered.optional("expiresAt").map(|it| parse_expiry(&exit(it), now));
    let expires_at = expires_at.and_then(|it| fields.take("expiresAt", it));
    fields.finish()?;
    let (Some(name), Some(environment), Some(scopes)) = (name, environment, scopes) else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(NewClient { name, environment, scopes, expires_at })
}

/// One of them.
pub(crate) async fn show(person: Person, Segment(id): Segment<ClientId>) -> Outcome {
    let client = find(&person, id).await?;
    Ok(draw(&person, &client, &filled(&client), &Entered::default()))
}

fn filled(client: &Client) -> Entered {
    Entered::default()
        .with("name", client.name.as_str())
        .with_all("permissions", client.scopes.iter().map(Scope::name))
        .with("expiresAt", client.expires_at.map(entry).unwrap_or_default())
        .with("status", client.status.name())
}

async fn find(person: &Person, id: ClientId) -> Result<Client, Error> {
    let all = client::list(person.app(), &person.caller).await?;
    all.into_iter().find(|it| it.id == id).ok_or_else(|| Error::not_found("API client"))
}

fn draw(person: &Person, client: &Client, entered: &Entered, another: &Entered) -> Response {
    let (here, now) = (format!("/app/clients/{}", client.id), person.now());
    let never = || html! { span.quiet { "never" } };
    let old = client.old_secret.as_ref().filter(|(_, until)| *until > now);
    let body = html! {
        (head(&client.name, "", confirm(&format!("{here}/delete"), "Delete", "Programs that use this key pair are shut out at once.", &[])))
        (card("Key", html! {
            (facts(&[
                ("Status", standing(client, now)),
                ("API key", html! { code { (client.api_key) } }),
                ("Environment", html! { (client.environment.name()) }),
                ("Last used", client.last_used_at.map_or_else(never, |at| ago(now, at))),
                ("Ends", client.expires_at.map_or_else(never, |at| ago(now, at))),
                ("Made", ago(now, client.created_at)),
            ]))
            @if let Some((_, until)) = old {
                (notice("warn", html! { p { "The secret before this one still works; it ends " (ago(now, *until)) "." } }))
            }
        }))
        @if client.status != ClientStatus::Revoked {
            (card("Settings", form(&here, entered, settings(client, entered), "Save")))
            (card("Another secret", html! {
                p { "The new secret is shown once. Choose when the present one shall stop working." }
                (form(&format!("{here}/secret"), another, html! { (once(person.app())) (select("graceSeconds", "The present secret ends", None, &GRACES, another)) }, "Make another secret"))
            }))
            (card("Use it", lines(person, &client.api_key, None)))
        }
    };
    person.page(&client.name, Place::Clients, body)
}

fn settings(client: &Client, entered: &Entered) -> Markup {
    let words =
        [("active", "Active"), ("inactive", "Not for now"), ("revoked", "Revoked, for good")];
    let open: Vec<_> = words
        .into_iter()
        .zip(ClientStatus::ALL)
        .filter(|(_, next)| *next == client.status || client.status.may_become(*next))
        .map(|(word, _)| word)
        .collect();
    html! { (common(entered)) (select("status", "Status", None, &open, entered)) }
}

/// Changes one.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<ClientId>,
    entered: Entered,
) -> Outcome {
    let client = find(&person, id).await?;
    let changed = async {
        let changes = read_changes(&entered, &client, person.now())?;
        client::change(person.app(), person.context(), person.caller(), id, changes).await
    };
    match changed.await {
        Ok(_) => Ok(person.went(format!("/app/clients/{id}"), "The API client was changed")),
        Err(error) => {
            let none = Entered::default();
            Ok(person.again(error, entered, |entered| draw(&person, &client, entered, &none)))
        }
    }
}

fn read_changes(entered: &Entered, old: &Client, now: Timestamp) -> Result<Changes, Error> {
    let mut fields = entered.fields();
    let scopes: Vec<_> = entered.all("permissions").collect();
    let expires_at = match entered.optional("expiresAt") {
        None => Patch::Clear,
        // What stands there already need not lie ahead.
        Some(text) if old.expires_at.is_some_and(|at| entry(at) == text) => Patch::Keep,
        Some(text) => Patch::Set(exit(text)),
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

/// Gives one another secret, and shows it.
pub(crate) async fn rotate(
    person: Person,
    Segment(id): Segment<ClientId>,
    entered: Entered,
) -> Outcome {
    let client = find(&person, id).await?;
    let rotated = async {
        let grace = parse_grace(Some(entered.get("graceSeconds").parse().unwrap_or(-1)));
        let grace = grace.map_err(|reason| Error::field("graceSeconds", reason))?;
        client::rotate(person.app(), person.context(), person.caller(), id, grace).await
    };
    match rotated.await {
        Ok(shown) => Ok(draw_secret(&person, &shown, "Another secret")),
        Err(error) => {
            let filled = filled(&client);
            Ok(person.again(error, entered, |entered| draw(&person, &client, &filled, entered)))
        }
    }
}

fn draw_secret(person: &Person, shown: &Shown, title: &str) -> Response {
    let (client, secret) = (&shown.client, shown.secret.expose());
    let body = html! {
        (head(title, "", html! { a.button href={ "/app/clients/" (client.id) } { "I have kept it" } }))
        (notice("warn", html! { p { strong { "Keep the secret now." } " It cannot be looked up later: we store no more than its fingerprint." } }))
        (card(&client.name, html! {
            h3 { "API key" } (code("API key", &client.api_key))
            h3 { "API secret" } (code("API secret", secret))
        }))
        (card("Use it", lines(person, &client.api_key, Some(secret))))
    };
    person.page(title, Place::Clients, body)
}

/// What to type in a shell.
fn lines(person: &Person, key: &str, secret: Option<&str>) -> Markup {
    let (url, secret) = (&person.app().public_url, secret.unwrap_or("YOUR_API_SECRET"));
    let token = format!(
        "TOKEN=$(curl -s {url}/auth/token \\\n  -H 'Content-Type: application/json' \\\n  \
         -d '{{\"api_key\":\"{key}\",\"api_secret\":\"{secret}\"}}' \\\n  \
         | sed -E 's/.*\"access_token\":\"([^\"]+)\".*/\\1/')"
    );
    let licenses = format!("curl -s {url}/licenses -H \"Authorization: Bearer $TOKEN\"");
    html! {
        p { "Exchange the pair for a token, which lives an hour:" }
        (code("Exchange the pair for a token", &token))
        p { "Then list the licenses it may see:" }
        (code("List licenses", &licenses))
        p { a href="/docs/" { "All that the API offers" } }
    }
}

/// Deletes one.
pub(crate) async fn delete(person: Person, Segment(id): Segment<ClientId>) -> Outcome {
    client::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.went("/app/clients", "The API client is gone"))
}
