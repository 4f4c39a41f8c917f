//! `/app/platforms`: platforms, which are monitored once their domain is verified.

mod edit;
mod proof;
mod scanner;

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::platform::{DetectionFrequency, Platform, PlatformStatus, PlatformType};
use grantor_domain::role::{self, Reach, Right};
use grantor_messages::text;
use grantor_service::organizations::team::{self, Team};
use grantor_service::watching::platform::{self, PlatformQuery, ProofResult, ScannerState};
use maud::{Markup, html};

use crate::export;
use crate::frame::{Outcome, Params, Person, Segment};
use crate::log::history_link;
use crate::view::chart::tile;
use crate::view::filter::{filters, one_of, search_box};
use crate::view::rich::rich;
use crate::view::{NavItem, Table, ago, badge, card, confirm, empty, facts, head, lesson, pager};

pub(crate) use self::edit::{change, create, edit, new_form};
pub(crate) use self::proof::verify;
pub(crate) use self::scanner::ask_scanner;

/// The label of a type of platform.
fn type_label(kind: PlatformType) -> &'static str {
    match kind {
        PlatformType::SocialMedia => text!("platform-type-social-media"),
        PlatformType::NewsMedia => text!("platform-type-news-media"),
        PlatformType::ECommerce => text!("platform-type-e-commerce"),
        PlatformType::Video => text!("platform-type-video"),
        PlatformType::Forum => text!("platform-type-forum"),
        PlatformType::Website => text!("platform-type-website"),
        PlatformType::MobileApp => text!("platform-type-mobile-app"),
        PlatformType::PartnerSite => text!("platform-type-partner-site"),
    }
}

/// How often a platform is scanned, in a word.
fn frequency_label(frequency: DetectionFrequency) -> &'static str {
    match frequency {
        DetectionFrequency::Hourly => text!("platform-scanned-hourly"),
        DetectionFrequency::Daily => text!("platform-scanned-daily"),
        DetectionFrequency::Weekly => text!("platform-scanned-weekly"),
    }
}

/// Lists platforms.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let found = params
        .in_range(platform::list(person.app(), &person.caller, read_query(&params)?).await?)?;
    let heads = [
        text!("platform-name"),
        text!("platform-domain"),
        text!("platform-type"),
        text!("platform-status"),
        text!("platform-last-checked"),
    ];
    let table =
        Table::new(text!("platform-list-title"), &heads).rows(&found.items, |it| row(&person, it));
    let add = html! {
        @if person.acts(Right::ManagePlatforms) {
            a.button href="/app/platforms/new" { (text!("platform-add")) }
        }
    };
    let filtered = ["status", "type", "search"].iter().any(|it| params.get(it).is_some());
    let body = html! {
        (head(text!("platform-list-title"), text!("platform-list-lead"), html! { (add) (export::links(&person, "platforms")) }))
        (filters("/app/platforms", &params, filter_fields(&params)))
        @if found.items.is_empty() && filtered {
            (empty(text!("platform-none-found"), text!("platform-none-match"), html! {
                a.button.plain href="/app/platforms" { (text!("platform-clear-filters")) }
            }))
        } @else if found.items.is_empty() {
            (lesson(text!("platform-none-yet"), text!("platform-none-yet-why"), &[
                text!("platform-lesson-name"),
                text!("platform-lesson-verify"),
                text!("platform-lesson-scan"),
            ], add))
        } @else { (table.show()) (pager(&found, &person.here)) }
    };
    Ok(person.page(text!("platform-list-title"), NavItem::Platforms, body))
}

fn filter_fields(params: &Params) -> Markup {
    let statuses = [
        ("", text!("platform-any-status")),
        ("pending_verification", text!("platform-status-pending-verification")),
        ("verified", text!("platform-status-verified")),
    ];
    let kinds = PlatformType::ALL.map(|it| (it.name(), type_label(it)));
    let kinds: Vec<_> = std::iter::once(("", text!("platform-any-type"))).chain(kinds).collect();
    html! {
        (search_box("search", text!("platform-search"), params))
        (one_of("status", text!("platform-status"), statuses, params))
        (one_of("type", text!("platform-type"), kinds, params))
    }
}

pub(crate) fn read_query(params: &Params) -> Result<PlatformQuery, Error> {
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
        html! { (type_label(it.kind)) },
        badge(it.status().name()),
        scanned.map_or_else(never, |at| ago(person.now(), at)),
    ]
}

fn never() -> Markup {
    html! { span.quiet { (text!("platform-never")) } }
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
    let manages = !person.is_viewed() && manages(person, it.team, teams);
    let body = html! {
        (head(it.name.as_str(), it.domain.as_str(), html! {
            @if manages {
                a.button.small.plain href={ (here) "/edit" } { (text!("action-edit")) }
                (confirm(&format!("{here}/delete"), text!("action-delete"), text!("platform-delete-question"), &[]))
            }
        }))
        (proof::result(it, checks))
        div.tiles {
            (tile(text!("platform-content-scanned"), it.statistics.content_scanned.into(), None, text!("platform-in-total")))
            (tile(text!("platform-mentions-found"), it.statistics.nil_detections.into(), Some("/app/mentions"), text!("platform-view-mentions")))
        }
        (scanner::scanner_card(person, it, scanner, manages))
        (card(text!("platform-details"), record(person, it, teams)))
        (history_link(person, &it.id.to_string()))
        @if it.proved.is_none() && manages { (proof::methods(person, it, checks)) }
        @if it.proved.is_some() {
            p { a href={ "/app/pax?platformId=" (it.id) } { (text!("platform-view-keys")) } }
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
            text!("platform-status"),
            html! {
                (badge(it.status().name()))
                @if let Some(proved) = it.proved {
                    " "
                    (rich!(
                        "platform-verified-by",
                        method = proof::label(proved.method),
                        time = ago(now, proved.at),
                    ))
                }
            },
        ),
        (text!("platform-type"), html! { (type_label(it.kind)) }),
        (
            text!("platform-description"),
            html! { (it.description.as_ref().map_or("", |it| it.as_str())) },
        ),
        (text!("platform-team"), html! { (team.unwrap_or_default()) }),
        (
            text!("platform-feeds"),
            html! {
                @for url in it.feed_urls.as_slice() { p { code { (url) } } }
                @if it.feed_urls.as_slice().is_empty() { span.quiet { (text!("platform-feeds-none")) } }
            },
        ),
        (
            text!("platform-crawling"),
            html! {
                @if settings.crawling_enabled { (text!("platform-crawling-on")) }
                @else { (text!("platform-crawling-off")) }
            },
        ),
        (
            text!("platform-scan-frequency"),
            html! { (frequency_label(settings.detection_frequency)) },
        ),
        (text!("platform-content-last-checked"), scanned.map_or_else(never, |at| ago(now, at))),
        (text!("platform-added"), ago(now, it.created_at)),
        (text!("platform-id"), html! { code { (it.id) } }),
    ])
}

/// Deletes a platform.
pub(crate) async fn delete(person: Person, Segment(id): Segment<PlatformId>) -> Outcome {
    platform::delete(person.app(), person.context(), person.caller(), id).await?;
    Ok(person.redirect("/app/platforms", text!("platform-deleted")))
}
