//! `/app/pax`: ingest keys (PAX), which give applications access to one platform.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PaxId, PlatformId};
use grantor_domain::page::Page;
use grantor_domain::pax::{PaxName, PaxScope, PaxScopes, PaxStatus};
use grantor_domain::platform::Platform;
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::watching::pax::{self, ListedPax, NewPax, PaxQuery};
use grantor_service::watching::platform::{self, PlatformQuery};
use maud::{Markup, html};

use crate::export;
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::platform::{manages, teams};
use crate::view::filter::{filters, one_of};
use crate::view::marked::{Mark, marked_choices, marked_select};
use crate::view::rich::rich;
use crate::view::{
    NavItem, Table, ago, badge, card, code, confirm, empty, facts, field, form, head, lesson, pager,
};

/// Lists ingest keys.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found =
        params.in_range(pax::list(person.app(), &person.caller, read_query(&params)?).await?)?;
    let platforms = platforms(&person).await?;
    let heads = [
        text!("platform-key-name"),
        text!("platform-key-platform"),
        text!("platform-key-scopes"),
        text!("platform-key-status"),
        text!("platform-key-requests"),
        text!("platform-key-last-used"),
    ];
    let table =
        Table::new(text!("platform-key-list"), &heads).rows(&found.items, |it| row(&person, it));
    let add = html! {
        @if person.acts(Right::ManagePlatforms) { a.button href="/app/pax/new" { (text!("platform-key-new")) } }
    };
    let body = html! {
        (head(text!("platform-key-list"), text!("platform-key-list-lead"), html! { (add) (export::links(&person, "ingest-keys")) }))
        (filters("/app/pax", &params, filter_fields(&params, &platforms)))
        @if found.items.is_empty() {
            (lesson(text!("platform-key-none"), text!("platform-key-none-why"), &[
                text!("platform-key-lesson-platform"),
                text!("platform-key-lesson-create"),
                text!("platform-key-lesson-push"),
            ], add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("platform-key-list"), NavItem::Pax, body))
}

fn filter_fields(params: &Params, platforms: &[Platform]) -> Markup {
    let names = platforms.iter().map(|it| (it.id.to_string(), it.name.as_str().to_owned()));
    let any = (String::new(), text!("platform-key-any-platform").to_owned());
    let names: Vec<_> = std::iter::once(any).chain(names).collect();
    let statuses = [
        ("", text!("platform-any-status")),
        ("active", text!("platform-key-active")),
        ("revoked", text!("platform-key-revoked-status")),
    ];
    html! {
        (one_of("platformId", text!("platform-key-platform"), names, params))
        (one_of("status", text!("platform-key-status"), statuses, params))
    }
}

pub(crate) fn read_query(params: &Params) -> Result<PaxQuery, Error> {
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
        used.map_or_else(never, |at| ago(person.now(), at)),
    ]
}

fn never() -> Markup {
    html! { span.quiet { (text!("platform-key-never")) } }
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
        Ok(made) => {
            let url = format!("/app/pax/{}", made.pax.id);
            Ok(person.redirect(url, text!("platform-key-created")))
        }
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
    let scopes = [
        (PaxScope::Read.name(), text!("platform-key-scope-read")),
        (PaxScope::Write.name(), text!("platform-key-scope-write")),
        (PaxScope::Crawl.name(), text!("platform-key-scope-crawl")),
    ];
    let inside = html! {
        (marked_select(Mark::Required, "platformId", text!("platform-key-platform"), None, &names, entered))
        (field("name", text!("platform-key-name")).required().max_length(100).hint(text!("platform-key-name-hint")).of(entered))
        (marked_choices(Mark::Required, "scopes", text!("platform-key-scopes"), None, &scopes, entered))
    };
    let body = html! {
        (head(text!("platform-key-new"), text!("platform-key-new-lead"), html! {}))
        @if platforms.is_empty() {
            (empty(text!("platform-key-platform-first"), text!("platform-key-platform-first-why"), html! {
                a.button href="/app/platforms/new" { (text!("platform-add")) }
            }))
        } @else { (card(text!("platform-key-title"), form("/app/pax/new", entered, inside, text!("platform-key-create")))) }
    };
    person.page(text!("platform-key-new"), NavItem::Pax, body)
}

/// Shows an ingest key.
pub(crate) async fn show(person: Person, Segment(id): Segment<PaxId>) -> Outcome {
    let found = pax::get(person.app(), &person.caller, id).await?;
    let ListedPax { pax, platform_name, team } = found;
    let manages = !person.is_viewed() && manages(&person, team, &teams(&person).await?);
    let active = pax.status == PaxStatus::Active;
    let now = person.now();
    let used = pax.last_accessed_at;
    let body = html! {
        (head(pax.name.as_str(), "", html! {
            @if active && manages {
                (confirm(&format!("/app/pax/{id}/revoke"), text!("platform-key-revoke"), text!("platform-key-revoke-question"), &[]))
            }
        }))
        (card(text!("platform-key-details"), facts(&[
            (text!("platform-key-status"), badge(pax.status.name())),
            (text!("platform-key-platform"), html! { a href={ "/app/platforms/" (pax.platform) } { (platform_name) } }),
            (text!("platform-key-scopes"), html! { (pax.scopes.names().join(", ")) }),
            (text!("platform-key-requests"), html! { (pax.request_count) }),
            (text!("platform-key-last-used"), used.map_or_else(never, |at| ago(now, at))),
            (text!("platform-key-created-at"), ago(now, pax.created_at)),
            (text!("platform-key-id"), html! { code { (pax.id) } }),
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
        text!("platform-key-push"),
        html! {
            p { (text!("platform-key-push-lead")) }
            (code(text!("platform-key-push"), &command))
            p {
                (rich!(
                    "platform-key-push-token",
                    client = html! { a href="/app/clients" { (text!("platform-key-push-client")) } },
                    scope = html! { code { "license:write" } },
                ))
            }
        },
    )
}

/// Revokes an ingest key permanently.
pub(crate) async fn revoke(person: Person, Segment(id): Segment<PaxId>) -> Outcome {
    pax::revoke(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect(format!("/app/pax/{id}"), text!("platform-key-revoked")))
}
