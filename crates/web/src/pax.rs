//! `/app/pax`: ingest keys (PAX), which give applications access to one platform.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::page::Page;
use grantor_domain::pax::{PaxName, PaxScope, PaxScopes, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::role::Right;
use grantor_service::watching::pax::{self, ListedPax, NewPax, PaxQuery};
use grantor_service::watching::platform::{self, PlatformQuery};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::platform::{manages, teams};
use crate::view::filter::{filters, one_of};
use crate::view::{
    NavItem, Table, ago, badge, card, choices, code, confirm, empty, facts, field, form, head,
    pager, select,
};

const SCOPES: [(&str, &str); 3] = [
    (PaxScope::Read.name(), "Read mentions"),
    (PaxScope::Write.name(), "Push content to be scanned"),
    (PaxScope::Crawl.name(), "Let scanners crawl pages"),
];
const STATUSES: [(&str, &str); 3] =
    [("", "Any status"), ("active", "Active"), ("revoked", "Revoked")];

/// Lists ingest keys.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found =
        params.in_range(pax::list(person.app(), &person.caller, read_query(&params)?).await?)?;
    let platforms = platforms(&person).await?;
    let heads = ["Name", "Platform", "Scopes", "Status", "Requests", "Last used"];
    let table = Table::new("Ingest keys", &heads).rows(&found.items, |it| row(&person, it));
    let add = html! {
        @if person.may(Right::ManagePlatforms) { a.button href="/app/pax/new" { "New ingest key" } }
    };
    let body = html! {
        (head("Ingest keys", "Let your applications push a platform's content to be scanned.", add.clone()))
        (filters("/app/pax", &params, filter_fields(&params, &platforms)))
        @if found.items.is_empty() {
            (empty("No ingest keys yet", "Create an ingest key to scan a platform's content as soon as it's published.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Ingest keys", NavItem::Pax, body))
}

fn filter_fields(params: &Params, platforms: &[Platform]) -> Markup {
    let names = platforms.iter().map(|it| (it.id.to_string(), it.name.as_str().to_owned()));
    let any = (String::new(), "Any platform".to_owned());
    let names: Vec<_> = std::iter::once(any).chain(names).collect();
    html! {
        (one_of("platformId", "Platform", names, params))
        (one_of("status", "Status", STATUSES, params))
    }
}

fn read_query(params: &Params) -> Result<PaxQuery, Error> {
    let mut fields = Fields::default();
    let platform = params.get("platformId").map(str::parse::<PlatformId>);
    let platform = platform.and_then(|it| fields.take("platformId", it));
    let status = params.get("status").map(str::parse::<PaxStatus>);
    let status = status.and_then(|it| fields.take("status", it));
    let page = fields.take_all(params.page());
    fields.finish()?;
    let page = page.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    Ok(PaxQuery { platform, status, page })
}

/// Returns the first 100 platforms to choose from.
async fn platforms(person: &Person) -> Result<Vec<Platform>, Error> {
    let page = Page::parse(None, Some("100"), Params::rules())?;
    let query = PlatformQuery { status: None, kind: None, search: None, page };
    Ok(platform::list(person.app(), &person.caller, query).await?.items)
}

fn row(person: &Person, ListedPax { pax, platform_name, .. }: &ListedPax) -> Vec<Markup> {
    let used = pax.last_accessed_at;
    vec![
        html! { a href={ "/app/pax/" (pax.id) } { (pax.name.as_str()) } },
        html! { a href={ "/app/platforms/" (pax.platform) } { (platform_name) } },
        html! { (pax.scopes.names().join(", ")) },
        badge(pax.status.name()),
        html! { (pax.request_count) },
        used.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(person.now(), at)),
    ]
}

/// Shows the form for a new ingest key.
pub(crate) async fn new_form(person: Person, params: Params) -> Outcome {
    let entered = FormData::default()
        .with("platformId", params.get("platformId").unwrap_or_default())
        .with("scopes", PaxScope::Write.name());
    Ok(draw_new(&person, &platforms(&person).await?, &entered))
}

/// Creates an ingest key.
pub(crate) async fn create(person: Person, entered: FormData) -> Outcome {
    let made = async {
        let new = read(&entered)?;
        pax::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => Ok(person.redirect(format!("/app/pax/{}", made.pax.id), "Ingest key created")),
        Err(error) => {
            let platforms = platforms(&person).await?;
            Ok(person.redisplay(error, entered, |entered| draw_new(&person, &platforms, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<NewPax, Error> {
    let mut fields = entered.fields();
    let platform = entered.required(&mut fields, "platformId");
    let name = entered.required(&mut fields, "name");
    let platform = fields.take("platformId", platform.parse::<PlatformId>());
    let name = fields.take("name", PaxName::parse(name));
    let scopes: Vec<_> = entered.all("scopes").collect();
    let scopes = fields.take("scopes", PaxScopes::parse(&scopes));
    fields.finish()?;
    let (Some(platform), Some(name), Some(scopes)) = (platform, name, scopes) else {
        return Err(Error::validation("Some fields are not valid"));
    };
    Ok(NewPax { platform, name, scopes })
}

fn draw_new(person: &Person, platforms: &[Platform], entered: &FormData) -> Response {
    let names: Vec<_> = platforms.iter().map(|it| (it.id.to_string(), it.name.as_str())).collect();
    let inside = html! {
        (select("platformId", "Platform", None, &names, entered))
        (field("name", "Name").required().max_length(100).hint("The application that uses the key, such as “Publishing system”.").of(entered))
        (choices("scopes", "Scopes", None, &SCOPES, entered))
    };
    let body = html! {
        (head("New ingest key", "Each ingest key is for one application on one platform.", html! {}))
        @if platforms.is_empty() {
            (empty("Add a platform first", "Every ingest key belongs to one of your platforms.", html! { a.button href="/app/platforms/new" { "Add platform" } }))
        } @else { (card("Ingest key", form("/app/pax/new", entered, inside, "Create ingest key"))) }
    };
    person.page("New ingest key", NavItem::Pax, body)
}

/// Shows an ingest key.
pub(crate) async fn show(person: Person, Segment(id): Segment<PaxId>) -> Outcome {
    let found = pax::get(person.app(), &person.caller, id).await?;
    let ListedPax { pax, platform_name, team } = found;
    let manages = manages(&person, team, &teams(&person).await?);
    let active = pax.status == PaxStatus::Active;
    let now = person.now();
    let used = pax.last_accessed_at;
    let body = html! {
        (head(pax.name.as_str(), "", html! {
            @if active && manages {
                (confirm(&format!("/app/pax/{id}/revoke"), "Revoke", "Applications that use this key will permanently lose access.", &[]))
            }
        }))
        (card("Details", facts(&[
            ("Status", badge(pax.status.name())),
            ("Platform", html! { a href={ "/app/platforms/" (pax.platform) } { (platform_name) } }),
            ("Scopes", html! { (pax.scopes.names().join(", ")) }),
            ("Requests", html! { (pax.request_count) }),
            ("Last used", used.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at))),
            ("Created", ago(now, pax.created_at)),
            ("ID", html! { code { (pax.id) } }),
        ])))
        @if active && pax.scopes.contains(PaxScope::Write) { (push(&person, id)) }
    };
    Ok(person.page(pax.name.as_str(), NavItem::Pax, body))
}

fn push(person: &Person, id: PaxId) -> Markup {
    let command = format!(
        "curl -s {url}/v1.0.1/console/pax/{id}/content \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  \
         -H 'Content-Type: application/json' \\\n  -d '{{\"items\":[{{\"url\":\"https://example.com/post/1\",\
         \"title\":\"A post\",\"text\":\"The text of the post\"}}]}}'",
        url = person.app().public_url
    );
    card(
        "Push content",
        html! {
            p { "Send up to 100 items per request. The response lists every talent found and whether the use is licensed." }
            (code("Push content", &command))
            p { "Use the access token of an " a href="/app/clients" { "API client" } " with the " code { "license:write" } " scope." }
        },
    )
}

/// Revokes an ingest key permanently.
pub(crate) async fn revoke(person: Person, Segment(id): Segment<PaxId>) -> Outcome {
    pax::revoke(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(format!("/app/pax/{id}"), "Ingest key revoked"))
}
