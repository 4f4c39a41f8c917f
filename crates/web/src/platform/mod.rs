//! `/app/platforms`: where content is published, watched once its domain is proved.

mod edit;
mod proof;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::platform::{Platform, PlatformStatus, PlatformType};
use grantor_domain::role::{self, Reach, Right};
use grantor_service::platform::{self, Check, PlatformQuery};
use grantor_service::team::{self, Team};
use maud::{Markup, html};

use crate::frame::{Asked, Outcome, Person, Segment};
use crate::view::chart::tile;
use crate::view::filter::{filters, find, one_of};
use crate::view::{Place, Table, ago, badge, card, confirm, empty, facts, head, pager};

pub(crate) use self::edit::{blank, change, create, edit};
pub(crate) use self::proof::verify;

const STATUSES: [(&str, &str); 3] = [
    ("", "Any status"),
    ("pending_verification", "Pending verification"),
    ("verified", "Verified"),
];

/// All of them.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let found =
        asked.within(platform::list(person.app(), &person.caller, read_query(&asked)?).await?)?;
    let heads = ["Name", "Domain", "Type", "Status", "Last scan"];
    let table = Table::new("Platforms", &heads).rows(&found.items, |it| row(&person, it));
    let add = html! {
        @if person.may(Right::ManagePlatforms) {
            a.button href="/app/platforms/new" { "Add a platform" }
        }
    };
    let narrowed = ["status", "type", "search"].iter().any(|it| asked.get(it).is_some());
    let body = html! {
        (head("Platforms", "Sites of yours that are watched for your talents.", add.clone()))
        (filters("/app/platforms", &asked, narrowing(&asked)))
        @if found.items.is_empty() && narrowed {
            (empty("No such platform", "Nothing fits what you asked for.", html! { a.button.plain href="/app/platforms" { "Show all platforms" } }))
        } @else if found.items.is_empty() {
            (empty("No platforms yet", "Add a site, prove that its domain is yours, and what it publishes is watched.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Platforms", Place::Platforms, body))
}

fn narrowing(asked: &Asked) -> Markup {
    let kinds = PlatformType::ALL.map(|it| (it.name(), it.name()));
    let kinds: Vec<_> = std::iter::once(("", "Any type")).chain(kinds).collect();
    html! {
        (find("search", "Find a name or a domain", asked))
        (one_of("status", "Status", STATUSES, asked))
        (one_of("type", "Type", kinds, asked))
    }
}

fn read_query(asked: &Asked) -> Result<PlatformQuery, Error> {
    let mut fields = Fields::default();
    let status = asked.get("status").map(str::parse::<PlatformStatus>);
    let status = status.and_then(|it| fields.take("status", it));
    let kind = asked.get("type").map(str::parse::<PlatformType>);
    let kind = kind.and_then(|it| fields.take("type", it));
    let search = asked.get("search").map(str::to_owned);
    if search.as_ref().is_some_and(|it| it.chars().count() > 100) {
        fields.add("search", "must be at most 100 characters");
    }
    let page = fields.take_all(asked.page());
    fields.finish()?;
    let page = page.ok_or_else(|| Error::validation("Some fields are not valid"))?;
    Ok(PlatformQuery { status, kind, search, page })
}

fn row(person: &Person, it: &Platform) -> Vec<Markup> {
    let scanned = it.statistics.last_scan_at;
    vec![
        html! { a href={ "/app/platforms/" (it.id) } { (it.name.as_str()) } },
        html! { code { (it.domain.as_str()) } },
        html! { (it.kind.name()) },
        badge(it.status().name()),
        scanned.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(person.now(), at)),
    ]
}

/// One of them.
pub(crate) async fn show(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    let found = platform::get(person.app(), &person.caller, id).await?;
    let teams = teams(&person).await?;
    Ok(draw(&person, &found, &teams, &[]))
}

/// The teams whose names this person may see here.
pub(crate) async fn teams(person: &Person) -> Result<Vec<Team>, Error> {
    if !person.may(Right::ManagePlatforms) {
        return Ok(vec![]);
    }
    team::choices(person.app(), &person.caller, Right::ManagePlatforms).await
}

/// Whether this person may manage what a team looks after: the right may end at their own teams.
pub(crate) fn manages(person: &Person, team: Option<TeamId>, teams: &[Team]) -> bool {
    let caller = &person.caller;
    match role::reach(caller.role, caller.tenant_type, Right::ManagePlatforms) {
        Ok(Reach::Tenant) => true,
        Ok(Reach::OwnTeams) => teams.iter().any(|it| Some(it.id) == team),
        Err(_) => false,
    }
}

/// The page, with what checks found, if any were made.
fn draw(person: &Person, it: &Platform, teams: &[Team], checks: &[Check]) -> Response {
    let here = format!("/app/platforms/{}", it.id);
    let manages = manages(person, it.team, teams);
    let body = html! {
        (head(it.name.as_str(), it.domain.as_str(), html! {
            @if manages {
                a.button.small.plain href={ (here) "/edit" } { "Edit" }
                (confirm(&format!("{here}/delete"), "Delete", "Its pod stops, and access that was given to it is revoked.", &[]))
            }
        }))
        (proof::result(it, checks))
        div.tiles {
            (tile("Content scanned", it.statistics.content_scanned.into(), None, "so far"))
            (tile("Detections", it.statistics.nil_detections.into(), Some("/app/mentions"), "See mentions"))
        }
        (card("Record", record(person, it, teams)))
        @if it.proved.is_none() && manages { (proof::ways(person, it, checks)) }
        @if it.proved.is_some() {
            p { a href={ "/app/pax?platformId=" (it.id) } { "Access that programs have to this platform" } }
        }
    };
    person.page(it.name.as_str(), Place::Platforms, body)
}

fn record(person: &Person, it: &Platform, teams: &[Team]) -> Markup {
    let now = person.now();
    let team = teams.iter().find(|team| it.team == Some(team.id)).map(|it| it.name.as_str());
    let scanned = it.statistics.last_scan_at;
    let settings = it.settings;
    facts(&[
        (
            "Status",
            html! {
                (badge(it.status().name()))
                @if let Some(proved) = it.proved { " by " (proof::word(proved.method)) ", " (ago(now, proved.at)) }
            },
        ),
        ("Type", html! { (it.kind.name()) }),
        ("About", html! { (it.description.as_ref().map_or("", |it| it.as_str())) }),
        ("Team", html! { (team.unwrap_or("–")) }),
        (
            "Feeds",
            html! {
                @for url in it.feed_urls.as_slice() { p { code { (url) } } }
                @if it.feed_urls.as_slice().is_empty() { span.quiet { "none: pages are found by the site's map and links" } }
            },
        ),
        ("Crawling", html! { @if settings.crawling_enabled { "on" } @else { "off" } }),
        ("Looked at", html! { (settings.detection_frequency.name()) }),
        ("Last scan", scanned.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at))),
        ("Added", ago(now, it.created_at)),
        ("Id", html! { code { (it.id) } }),
    ])
}

/// Deletes one.
pub(crate) async fn delete(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    platform::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.went("/app/platforms", "The platform is gone"))
}
