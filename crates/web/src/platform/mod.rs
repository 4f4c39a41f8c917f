//! `/app/platforms`: platforms, which are monitored once their domain is verified.

mod edit;
mod proof;
mod scanner;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::platform::{Platform, PlatformStatus, PlatformType};
use grantor_domain::role::{self, Reach, Right};
use grantor_service::organizations::team::{self, Team};
use grantor_service::watching::platform::{self, PlatformQuery, ProofResult, ScannerState};
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person, Segment};
use crate::view::chart::tile;
use crate::view::filter::{filters, one_of, search_box};
use crate::view::{NavItem, Table, ago, badge, card, confirm, empty, facts, head, pager};

pub(crate) use self::edit::{change, create, edit, new_form};
pub(crate) use self::proof::verify;
pub(crate) use self::scanner::ask_scanner;

const STATUSES: [(&str, &str); 3] = [
    ("", "Any status"),
    ("pending_verification", "Pending verification"),
    ("verified", "Verified"),
];

/// Lists platforms.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params
        .in_range(platform::list(person.app(), &person.caller, read_query(&params)?).await?)?;
    let heads = ["Name", "Domain", "Type", "Status", "Last checked"];
    let table = Table::new("Platforms", &heads).rows(&found.items, |it| row(&person, it));
    let add = html! {
        @if person.may(Right::ManagePlatforms) {
            a.button href="/app/platforms/new" { "Add platform" }
        }
    };
    let filtered = ["status", "type", "search"].iter().any(|it| params.get(it).is_some());
    let body = html! {
        (head("Platforms", "Your sites that are monitored for uses of licensed likenesses.", add.clone()))
        (filters("/app/platforms", &params, filter_fields(&params)))
        @if found.items.is_empty() && filtered {
            (empty("No platforms found", "No platforms match your filters.", html! { a.button.plain href="/app/platforms" { "Clear filters" } }))
        } @else if found.items.is_empty() {
            (empty("No platforms yet", "Add a site and verify its domain to start monitoring its content.", add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page("Platforms", NavItem::Platforms, body))
}

fn filter_fields(params: &Params) -> Markup {
    let kinds = PlatformType::ALL.map(|it| (it.name(), it.name()));
    let kinds: Vec<_> = std::iter::once(("", "Any type")).chain(kinds).collect();
    html! {
        (search_box("search", "Search by name or domain", params))
        (one_of("status", "Status", STATUSES, params))
        (one_of("type", "Type", kinds, params))
    }
}

fn read_query(params: &Params) -> Result<PlatformQuery, Error> {
    let mut fields = Fields::default();
    let status = params.get("status").map(str::parse::<PlatformStatus>);
    let status = status.and_then(|it| fields.take("status", it));
    let kind = params.get("type").map(str::parse::<PlatformType>);
    let kind = kind.and_then(|it| fields.take("type", it));
    let search = params.get("search").map(str::to_owned);
    if search.as_ref().is_some_and(|it| it.chars().count() > 100) {
        fields.add("search", "must be at most 100 characters");
    }
    let page = fields.take_all(params.page());
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

/// Shows a platform.
pub(crate) async fn show(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    let found = platform::get(person.app(), &person.caller, id).await?;
    let scanner = platform::scanner(person.app(), &person.caller, id).await?;
    let teams = teams(&person).await?;
    Ok(draw(&person, &found, &scanner, &teams, &[]))
}

/// Returns the teams whose platforms the user may manage.
pub(crate) async fn teams(person: &Person) -> Result<Vec<Team>, Error> {
    if !person.may(Right::ManagePlatforms) {
        return Ok(vec![]);
    }
    team::choices(person.app(), &person.caller, Right::ManagePlatforms).await
}

/// Returns whether the user may manage a team's platforms; some may only manage their own teams'.
pub(crate) fn manages(person: &Person, team: Option<TeamId>, teams: &[Team]) -> bool {
    let caller = &person.caller;
    match role::reach(caller.role, caller.tenant_type, Right::ManagePlatforms) {
        Ok(Reach::Tenant) => true,
        Ok(Reach::OwnTeams) => teams.iter().any(|it| Some(it.id) == team),
        Err(_) => false,
    }
}

/// Renders the page, with the results of a verification if there was one.
fn draw(
    person: &Person,
    it: &Platform,
    scanner: &ScannerState,
    teams: &[Team],
    checks: &[ProofResult],
) -> Response {
    let here = format!("/app/platforms/{}", it.id);
    let manages = manages(person, it.team, teams);
    let body = html! {
        (head(it.name.as_str(), it.domain.as_str(), html! {
            @if manages {
                a.button.small.plain href={ (here) "/edit" } { "Edit" }
                (confirm(&format!("{here}/delete"), "Delete", "The platform's scanner will stop, and its ingest keys will be revoked.", &[]))
            }
        }))
        (proof::result(it, checks))
        div.tiles {
            (tile("Content scanned", it.statistics.content_scanned.into(), None, "in total"))
            (tile("Mentions found", it.statistics.nil_detections.into(), Some("/app/mentions"), "View mentions"))
        }
        (scanner::scanner_card(person, it, scanner, manages))
        (card("Details", record(person, it, teams)))
        @if it.proved.is_none() && manages { (proof::methods(person, it, checks)) }
        @if it.proved.is_some() {
            p { a href={ "/app/pax?platformId=" (it.id) } { "View this platform's ingest keys" } }
        }
    };
    person.page(it.name.as_str(), NavItem::Platforms, body)
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
                @if let Some(proved) = it.proved { " by " (proof::label(proved.method)) ", " (ago(now, proved.at)) }
            },
        ),
        ("Type", html! { (it.kind.name()) }),
        ("Description", html! { (it.description.as_ref().map_or("", |it| it.as_str())) }),
        ("Team", html! { (team.unwrap_or("–")) }),
        (
            "Platform feeds",
            html! {
                @for url in it.feed_urls.as_slice() { p { code { (url) } } }
                @if it.feed_urls.as_slice().is_empty() { span.quiet { "None. A scanner reads only the feeds and sitemaps that are listed here." } }
            },
        ),
        ("Crawling", html! { @if settings.crawling_enabled { "on" } @else { "off" } }),
        ("Scan frequency", html! { (settings.detection_frequency.name()) }),
        (
            "Content last checked",
            scanned.map_or_else(|| html! { span.quiet { "never" } }, |at| ago(now, at)),
        ),
        ("Added", ago(now, it.created_at)),
        ("ID", html! { code { (it.id) } }),
    ])
}

/// Deletes a platform.
pub(crate) async fn delete(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    platform::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect("/app/platforms", "Platform deleted"))
}
