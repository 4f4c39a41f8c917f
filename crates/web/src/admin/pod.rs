//! `/app/admin/pods`: scanners (pods), which monitor platforms. Where scripts run, both pages
//! refresh every few seconds.

use axum::response::Response;
use grantor_domain::admin::AdminRight;
use grantor_domain::id::{PlatformId, PodId};
use grantor_domain::page::Listing;
use grantor_domain::pax::{PaxScope, PaxScopes};
use grantor_domain::pod::{Blocker, PodAction, PodStatus};
use grantor_domain::{Error, ErrorKind};
use grantor_service::operations::staff::{self, ListedPlatform, PlatformFilter};
use grantor_service::watching::platform::{self, WaitingPlatform};
use grantor_service::watching::pod::{self, Command, ListedPod};
use maud::{Markup, html};

use super::owner;
use crate::frame::{FormData, Outcome, Params, Segment, Staff};
use crate::view::chart::grouped;
use crate::view::component::with_query;
use crate::view::filter::{filters, search_box};
use crate::view::run::{ShownRun, run_table};
use crate::view::time::duration;
use crate::view::{
    NavItem, Table, ago, badge, card, choices, confirm, empty, facts, form, head, notice,
    post_button, select,
};

/// How many platforms the form lists.
const MAX_PLATFORMS: &str = "100";

/// Lists scanners.
pub(crate) async fn list(staff: Staff) -> Outcome {
    let pods = pod::list(staff.app()).await?;
    let waiting = platform::waiting(staff.app()).await?;
    let manages = staff.may(AdminRight::ManagePods);
    let table = Table::new(
        "Scanners",
        &["Platform", "Status", "Next scan", "Requests", "Failed", "Started", ""],
    )
    .rows(&pods, |it| row(&staff, it));
    let body = html! {
        (head("Scanners", "Each scanner monitors one platform.", html! {
            @if manages { a.button href="/app/admin/pods/new" { "New scanner" } }
        }))
        @if !waiting.is_empty() { (waiting_card(&staff, &waiting)) }
        @if manages && !pods.is_empty() { (all_buttons()) }
        @if pods.is_empty() { (none(manages)) } @else { div data-live="pods" { (table.show()) } }
    };
    Ok(staff.page("Scanners", NavItem::AdminPods, body))
}

fn row(staff: &Staff, listed: &ListedPod) -> Vec<Markup> {
    let pod = &listed.pod;
    let blocked = !pod.blockers(listed.verified, listed.crawling_enabled).is_empty();
    vec![
        html! { a href={ "/app/admin/pods/" (pod.id) } { (listed.platform_name) } },
        badge(pod.status.name()),
        html! { @if blocked { span.quiet { "–" } } @else if let Some(due) = pod.due_at { (ago(staff.now(), due)) } @else { "now" } },
        html! { (grouped(pod.request_count.into())) },
        html! { (percent(pod.error_rate())) },
        pod.last_started_at
            .map_or_else(|| html! { span.quiet { "never" } }, |it| ago(staff.now(), it)),
        html! { @if staff.may(AdminRight::ManagePods) { (buttons(listed, "/app/admin/pods")) } },
    ]
}

/// The platforms whose organizations asked for a scanner.
fn waiting_card(staff: &Staff, waiting: &[WaitingPlatform]) -> Markup {
    let row = |it: &WaitingPlatform| {
        let new = with_query("/app/admin/pods/new", "search", &it.domain);
        let new = with_query(&new, "platform", &it.platform.to_string());
        vec![
            html! { strong { (it.name) } " " code { (it.domain) } },
            owner(it.tenant, &it.tenant_name),
            ago(staff.now(), it.requested_at),
            html! {
                @if staff.may(AdminRight::ManagePods) {
                    a href=(new) aria-label={ "New scanner for " (it.name) } { "New scanner" }
                }
            },
        ]
    };
    let heads = ["Platform", "Organization", "Asked", ""];
    let table = Table::new("Waiting for a scanner", &heads).rows(waiting, row);
    card("Waiting for a scanner", table.show())
}

fn none(manages: bool) -> Markup {
    empty(
        "No scanners yet",
        "A scanner reads a platform's feeds and looks for the names and images of talents.",
        html! {
            @if manages { a.button href="/app/admin/pods/new" { "New scanner" } }
        },
    )
}

/// The buttons allowed in the current status. `back` is the page to return to.
fn buttons(listed: &ListedPod, back: &str) -> Markup {
    let changes = |it: PodAction| it.changes().1.contains(&listed.pod.status);
    html! {
        div.row {
            @for (change, path, label) in MOVES {
                @if changes(change) {
                    (post_button(&format!("/app/admin/pods/{}/{path}", listed.pod.id), label, &[("back", back)]))
                }
            }
            @if listed.pod.blockers(listed.verified, listed.crawling_enabled).is_empty() {
                (post_button(&format!("/app/admin/pods/{}/scan", listed.pod.id), "Scan now", &[("back", back)]))
            }
        }
    }
}

const MOVES: [(PodAction, &str, &str); 3] = [
    (PodAction::Start, "start", "Start"),
    (PodAction::Pause, "pause", "Pause"),
    (PodAction::Stop, "stop", "Stop"),
];

fn all_buttons() -> Markup {
    html! {
        div.filters {
            (confirm("/app/admin/pods/start", "Start all", "All paused and stopped scanners will start.", &[]))
            (confirm("/app/admin/pods/pause", "Pause all", "All running scanners will pause until you start them again.", &[]))
            (confirm("/app/admin/pods/stop", "Stop all", "No platforms will be monitored until you start scanners again.", &[]))
        }
    }
}

/// Starts, pauses or stops a scanner.
pub(crate) async fn change_state<V: Command>(
    staff: Staff,
    Segment(id): Segment<PodId>,
    entered: FormData,
) -> Outcome {
    let message = match pod::apply::<V>(staff.app(), staff.context(), id).await {
        Ok(moved) => format!("Scanner is now {}", moved.pod.status.name()),
        // Someone else changed it first: the page shows the current status.
        Err(error) if *error.kind() == ErrorKind::Conflict => error.message().to_owned(),
        Err(error) => return Err(error.into()),
    };
    Ok(back(&staff, id, &entered, &message))
}

/// Makes a scanner scan now.
pub(crate) async fn scan_now(
    staff: Staff,
    Segment(id): Segment<PodId>,
    entered: FormData,
) -> Outcome {
    let message = match pod::scan_now(staff.app(), staff.context(), id).await {
        Ok(_) => "Scan requested. It starts within seconds.".to_owned(),
        // The page shows why it can't scan; a scan a minute is enough.
        Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::RateLimited(_)) => {
            error.message().to_owned()
        }
        Err(error) => return Err(error.into()),
    };
    Ok(back(&staff, id, &entered, &message))
}

/// Returns to the scanner's page or the list, wherever the button was.
fn back(staff: &Staff, id: PodId, entered: &FormData, message: &str) -> Response {
    let here = format!("/app/admin/pods/{id}");
    let back = if entered.get("back") == here { here.as_str() } else { "/app/admin/pods" };
    staff.redirect(back, message)
}

/// Starts, pauses or stops all scanners that allow it.
pub(crate) async fn change_all<V: Command>(staff: Staff) -> Outcome {
    let moved = pod::apply_all::<V>(staff.app(), staff.context()).await?;
    let to = V::MOVE.changes().0.name();
    let message = match moved {
        0 => "No scanners changed".to_owned(),
        1 => format!("1 scanner is now {to}"),
        _ => format!("{moved} scanners are now {to}"),
    };
    Ok(staff.redirect("/app/admin/pods", &message))
}

/// Shows a scanner.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<PodId>) -> Outcome {
    let found = pod::get(staff.app(), id).await?;
    let runs = pod::last_runs(staff.app(), id).await?;
    let owner_name = staff::tenant(staff.app(), found.tenant).await?.tenant.name;
    let title = format!("Scanner for {}", found.platform_name);
    let body = html! {
        (head(&title, "", html! { a.button.plain href="/app/admin/pods" { "All scanners" } }))
        div data-live="pod" {
            (tiles(&staff, &found))
            (status_card(&staff, &found, &owner_name))
            (card("Recent scans", run_table(staff.now(), runs.iter().map(ShownRun::from))))
        }
    };
    Ok(staff.page(&title, NavItem::AdminPods, body))
}

fn tiles(staff: &Staff, ListedPod { pod, .. }: &ListedPod) -> Markup {
    let tiles = [
        ("Uptime", duration(pod.uptime_at(staff.now()))),
        ("Requests", grouped(pod.request_count.into())),
        ("Failed", percent(pod.error_rate())),
    ];
    html! {
        div.tiles {
            @for (name, value) in tiles { div.tile { p.tile-name { (name) } p.tile-figure { (value) } } }
        }
    }
}

fn status_card(staff: &Staff, listed: &ListedPod, owner_name: &str) -> Markup {
    let (pod, now) = (&listed.pod, staff.now());
    let blockers = pod.blockers(listed.verified, listed.crawling_enabled);
    let never = || html! { span.quiet { "–" } };
    card(
        "Status",
        html! {
            @if pod.status == PodStatus::Running && !blockers.is_empty() {
                (notice("warn", html! {
                    p { "This scanner is running but can't scan:" }
                    ul { @for it in &blockers { li { (blocker_label(*it)) } } }
                }))
            }
            (facts(&[
                ("Status", badge(pod.status.name())),
                ("Next scan", pod.due_at.filter(|_| blockers.is_empty()).map_or_else(never, |it| ago(now, it))),
                ("Scopes", html! { @for it in pod.scopes.names() { code { (it) } " " } }),
                ("Platform", html! { (listed.platform_name) " " @if listed.verified { (badge("verified")) } @else { (badge("pending_verification")) } }),
                ("Organization", owner(listed.tenant, owner_name)),
                ("Started", pod.last_started_at.map_or_else(never, |it| ago(now, it))),
                ("Created", ago(now, pod.created_at)),
            ]))
            @if staff.may(AdminRight::ManagePods) {
                div.actions { (buttons(listed, &format!("/app/admin/pods/{}", pod.id))) }
            }
        },
    )
}

fn blocker_label(blocker: Blocker) -> &'static str {
    match blocker {
        Blocker::NotRunning => "The scanner isn't running.",
        Blocker::NoCrawlScope => "The scanner doesn't have the crawl scope.",
        Blocker::NotVerified => "The platform's domain isn't verified.",
        Blocker::CrawlingDisabled => "Crawling is turned off for the platform.",
    }
}

/// Formats a fraction as a percentage.
fn percent(part: f64) -> String {
    format!("{:.1}%", part * 100.0)
}

/// Shows the form for a new scanner.
pub(crate) async fn new_form(staff: Staff, params: Params) -> Outcome {
    let entered = FormData::default()
        .with("platformId", params.get("platform").unwrap_or_default())
        .with_all("scopes", [PaxScope::Read, PaxScope::Crawl].map(PaxScope::name));
    let platforms = platforms(&staff, &params).await?;
    Ok(draw(&staff, &params, &platforms, &entered))
}

/// Creates a scanner.
pub(crate) async fn create(staff: Staff, params: Params, entered: FormData) -> Outcome {
    let made = async {
        let (platform, scopes) = read(&entered)?;
        pod::create(staff.app(), staff.context(), platform, scopes).await
    };
    match made.await {
        Ok(made) => {
            let to = format!("/app/admin/pods/{}", made.pod.id);
            Ok(staff.redirect(to, "Scanner created. Start it when you're ready."))
        }
        Err(error) => {
            let platforms = platforms(&staff, &params).await?;
            Ok(staff
                .redisplay(error, entered, |entered| draw(&staff, &params, &platforms, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<(PlatformId, PaxScopes), Error> {
    let mut fields = entered.fields();
    let platform = entered.required(&mut fields, "platformId");
    let platform = fields.take("platformId", platform.parse::<PlatformId>());
    let scopes: Vec<_> = entered.all("scopes").collect();
    let scopes = fields.take("scopes", PaxScopes::parse(&scopes));
    fields.finish()?;
    platform.zip(scopes).ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// Returns the newest platforms that match the search, and the one that a link names.
async fn platforms(staff: &Staff, params: &Params) -> Result<Listing<ListedPlatform>, Error> {
    let search = params.get("search").map(staff::search).transpose();
    let search = search.map_err(|it| Error::field("search", it))?;
    let page = Params::read(&format!("limit={MAX_PLATFORMS}")).page()?;
    let filter = PlatformFilter { search, tenant: None };
    let mut found = staff::platforms(staff.app(), filter, page).await?;
    let named = params.get("platform").and_then(|it| it.parse::<PlatformId>().ok());
    if let Some(id) = named.filter(|id| found.items.iter().all(|it| it.platform.id != *id)) {
        found.items.extend(staff::platform(staff.app(), id).await?);
    }
    Ok(found)
}

fn draw(
    staff: &Staff,
    params: &Params,
    platforms: &Listing<ListedPlatform>,
    entered: &FormData,
) -> Response {
    let label = |it: &ListedPlatform| {
        format!(
            "{} ({}), {}",
            it.platform.name.as_str(),
            it.platform.domain.as_str(),
            it.owner_name
        )
    };
    let options = platforms.items.iter().map(|it| (it.platform.id.to_string(), label(it)));
    let options: Vec<_> =
        std::iter::once((String::new(), "Choose a platform".to_owned())).chain(options).collect();
    let scopes: Vec<_> = super::named(PaxScope::ALL.map(PaxScope::name)).collect();
    let inside = html! {
        (select("platformId", "Platform", None, &options, entered))
        (choices("scopes", "Scopes", Some("A scanner needs the crawl scope to scan."), &scopes, entered))
    };
    let many = platforms.total > platforms.items.len() as u64 || params.get("search").is_some();
    let body = html! {
        (head("New scanner", "A scanner monitors one platform.", html! {}))
        @if many {
            (filters("/app/admin/pods/new", params, search_box("search", "Search platforms by name or domain", params)))
        }
        (card("Scanner", form("/app/admin/pods/new", entered, inside, "Create scanner")))
    };
    staff.page("New scanner", NavItem::AdminPods, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_in_percent() {
        assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0%", "12.5%", "100.0%"]);
    }
}
