//! `/app/pax`: access of programs to a platform, such as to report what it publishes.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::page::Page;
use grantor_domain::pax::{PaxName, PaxScope, PaxScopes, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::role::Right;
use grantor_service::pax::{self, ListedPax, NewPax, PaxQuery};
use grantor_service::platform::{self, PlatformQuery};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::platform::{manages, teams};
use crate::view::filter::{filters, one_of};
use crate::view::{
    Place, Table, ago, badge, card, choices, code, confirm, empty, facts, field, form, head, pager,
    select,
};

const SCOPES: [(&str, &str); 3] = [
    (PaxScope::Read.name(), "Read what was found"),
    (PaxScope::Write.name(), "Push content to be checked"),
    (PaxScope::Crawl.name(), "Let pods crawl its pages"),
];
const STATUSES: [(&str, &str); 3] =
    [("", "Any status"), ("active", "Active"), ("revoked", "Revoked")];

/// All of them.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let found =
        asked.within(pax::list(person.app(), &person.caller, read_query(&asked)?).await?)?;
    let platforms = platforms(&person).await?;
    let heads = ["Name", "Platform", "Scopes", "Status", "Requests", "Last used"];
    let table = Table::new("Access extensions", &heads).rows(&found.items, |it| row(&person, it));
    let add = html! {
        @if person.may(Right::ManagePlatforms) { a.button href="/app/pax/new" { "Grant access" } }
    };
    let body = html! {
        (head("Platform access", "Access extensions (PAX) let programs work with one platform.", add.clone()))
        (filters("/app/pax", &asked, narrowing(&asked, &platforms)))
        @if found.items.is_empty() {
            (empty("No access was granted", "Grant access to a platform, and a program can push what it publishes to be checked at once.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Platform access", Place::Pax, body))
}

fn narrowing(asked: &Asked, platforms: &[Platform]) -> Markup {
    let names = platforms.iter().map(|it| (it.id.to_string(), it.name.as_str().to_owned()));
    let any = (String::new(), "Any platform".to_owned());
    let names: Vec<_> = std::iter::once(any).chain(names).collect();
    html! {
        (one_of("platformId", "Platform", names, asked))
        (one_of("status", "Status", STATUSES, asked))
    }
}

fn read_query(asked: &Asked) -> Result<PaxQuery, Error> {
    let mut fields = Fields::default();
    let platform = asked.get("platformId").map(str::parse::<PlatformId>);
    let platform = platform.and_then(|it| fields.take("platformId", it));
    let status = asked.get("status").map(str::parse::<PaxStatus>);
    let status = status.and_then(|it| fields.take("status", it));
    let page = fields.take_all(asked.page());
    fields.finish()?;
    let page = page.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    Ok(PaxQuery { platform, status, page })
}

/// The first hundred platforms, to choose from.
async fn platforms(person: &Person) -> Result<Vec<Platform>, Error> {
    let page = Page::parse(None, Some("100"), Asked::rules())?;
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

/// The form of a new one.
pub(crate) async fn blank(person: Person, asked: Asked) -> Outcome {
    let entered = Entered::default()
        .with("platformId", asked.get("platformId").unwrap_or_default())
        .with("scopes", PaxScope::Write.name());
    Ok(draw_new(&person, &platforms(&person).await?, &entered))
}

/// Grants one.
pub(crate) async fn create(person: Person, entered: Entered) -> Outcome {
    let made = async {
        let new = read(&entered)?;
        pax::create(person.app(), person.context(), person.caller(), new).await
    };
    match made.await {
        Ok(made) => Ok(person.went(format!("/app/pax/{}", made.pax.id), "Access was granted")),
        Err(error) => {
            let platforms = platforms(&person).await?;
            Ok(person.again(error, entered, |entered| draw_new(&person, &platforms, entered)))
        }
    }
}

fn read(entered: &Entered) -> Result<NewPax, Error> {
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

fn draw_new(person: &Person, platforms: &[Platform], entered: &Entered) -> Response {
    let names: Vec<_> = platforms.iter().map(|it| (it.id.to_string(), it.name.as_str())).collect();
    let inside = html! {
        (select("platformId", "Platform", None, &names, entered))
        (field("name", "Name").required().longest(100).hint("Who uses it, such as Publishing system.").of(entered))
        (choices("scopes", "What it opens", None, &SCOPES, entered))
    };
    let body = html! {
        (head("Grant access", "To one platform, for one program.", html! {}))
        @if platforms.is_empty() {
            (empty("A platform comes first", "Access is granted to one of your platforms.", html! { a.button href="/app/platforms/new" { "Add a platform" } }))
        } @else { (card("Access", form("/app/pax/new", entered, inside, "Grant"))) }
    };
    person.page("Grant access", Place::Pax, body)
}

/// One of them.
pub(crate) async fn show(person: Person, Segment(id): Segment<PaxId>) -> Outcome {
    let found = pax::get(person.app(), &person.caller, id).await?;
    let ListedPax { pax, platform_name, team } = found;
    let manages = manages(&person, team, &teams(&person).await?);
    let live = pax.status == PaxStatus::Active;
    let now = person.now();
    let used = pax.last_accessed_at;
    let body = html! {
        (head(pax.name.as_str(), "", html! {
            @if live && manages {
                (confirm(&format!("/app/pax/{id}/revoke"), "Revoke", "Programs that use it are shut out at once, for good.", &[]))
            }
        }))
        (card("Access", facts(&[
            ("Status", badge(pax.status.name())),
            ("Platform", html! { a href={ "/app/platforms/" (pax.platform) } { (platform_name) } }),
            ("Scopes", html! { (pax.scopes.names().join(", ")) }),
            ("Requests", html! { (pax.request_count) }),
            ("Last used", used.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at))),
            ("Granted", ago(now, pax.created_at)),
            ("Id", html! { code { (pax.id) } }),
        ])))
        @if live && pax.scopes.contains(PaxScope::Write) { (push(&person, id)) }
    };
    Ok(person.page(pax.name.as_str(), Place::Pax, body))
}

fn push(person: &Person, id: PaxId) -> Markup {
    let line = format!(
        "curl -s {url}/v1.0.1/console/pax/{id}/content \\\n  -H \"Authorization: Bearer $TOKEN\" \\\n  \
         -H 'Content-Type: application/json' \\\n  -d '{{\"items\":[{{\"url\":\"https://example.com/post/1\",\
         \"title\":\"A post\",\"text\":\"What the post says\"}}]}}'",
        url = person.app().public_url
    );
    card(
        "Push content",
        html! {
            p { "Send what is published, up to 100 pieces at once; the answer says whose likeness is in it and whether that is licensed." }
            (code("Push content", &line))
            p { "The token is that of an API client which may " code { "license:write" } ": " a href="/app/clients" { "API clients" } }
        },
    )
}

/// Revokes one for good.
pub(crate) async fn revoke(person: Person, Segment(id): Segment<PaxId>) -> Outcome {
    pax::revoke(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.went(format!("/app/pax/{id}"), "The access was revoked"))
}
