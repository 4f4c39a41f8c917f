//! `/app/admin/pods`: scanners (pods), which monitor platforms. Where scripts run, both pages
//! refresh every few seconds.

use axum::response::Response;
use grantor_domain::admin::AdminRight;
use grantor_domain::id::{PlatformId, PodId};
use grantor_domain::page::Listing;
use grantor_domain::pax::{PaxScope, PaxScopes};
use grantor_domain::pod::{Blocker, PodAction, PodStatus};
use grantor_domain::{Error, ErrorKind};
use grantor_messages::text;
use grantor_service::operations::overview;
use grantor_service::operations::staff::{self, ListedPlatform, PlatformFilter};
use grantor_service::watching::platform::{self, WaitingPlatform};
use grantor_service::watching::pod::{self, Command, ListedPod};
use maud::{Markup, html};

use super::owner;
use crate::frame::{FormData, Outcome, Params, Segment, Staff};
use crate::view::chart::grouped;
use crate::view::component::with_query;
use crate::view::export::export_links;
use crate::view::filter::{filters, search_box};
use crate::view::live::live;
use crate::view::marked::{Mark, marked_choices, marked_select};
use crate::view::run::{ShownRun, run_table};
use crate::view::time::duration;
use crate::view::{
    NavItem, Table, ago, badge, card, confirm, empty, facts, form, head, label, notice,
    plain_button, post_button, tabs,
};

/// How many platforms the form lists.
const MAX_PLATFORMS: &str = "100";

/// Lists scanners.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let mut pods = pod::list(staff.app()).await?;
    let failing_only = params.get("failing").is_some();
    if failing_only {
        let failing = overview::failing_pods(staff.app()).await?;
        pods.retain(|it| failing.contains(&it.pod.id));
    }
    let waiting = platform::waiting(staff.app()).await?;
    let manages = staff.may(AdminRight::ManagePods);
    let title = text!("admin-scanners");
    let heads = [
        text!("admin-platform"),
        text!("word-status"),
        text!("admin-scanner-next"),
        text!("admin-scanner-requests"),
        text!("admin-scanner-failed"),
        text!("admin-scanner-started"),
        "",
    ];
    let table = Table::new(title, &heads).keyed_rows(&pods, |it| it.pod.id, |it| row(&staff, it));
    let body = html! {
        (head(title, text!("admin-scanners-lead"), html! {
            @if manages { a.button href="/app/admin/pods/new" { (text!("admin-scanner-new")) } }
            (export_links("/app/admin/export/scanners", &staff.here))
        }))
        @if !waiting.is_empty() { div id="waiting" { (waiting_card(&staff, &waiting)) } }
        (tabs(title, &[
            ("/app/admin/pods".to_owned(), text!("word-all"), !failing_only),
            ("/app/admin/pods?failing=true".to_owned(), text!("admin-scanners-failing"), failing_only),
        ]))
        @if manages && !pods.is_empty() && !failing_only { (all_buttons()) }
        @if pods.is_empty() && failing_only {
            (empty(text!("admin-scanners-failing-none"), text!("admin-scanners-failing-none-why"), html! {}))
        } @else if pods.is_empty() { (none(manages)) } @else { (live(&staff, "pods", table.show())) }
    };
    Ok(staff.page(title, NavItem::AdminPods, body))
}

fn row(staff: &Staff, listed: &ListedPod) -> Vec<Markup> {
    let pod = &listed.pod;
    let never = || html! { span.quiet { (text!("admin-never")) } };
    vec![
        html! { a href={ "/app/admin/pods/" (pod.id) } { (listed.platform_name) } },
        badge(pod.status.name()),
        next_scan(staff, listed).unwrap_or_else(|| html! { (text!("admin-scanner-next-now")) }),
        html! { (grouped(pod.request_count.into())) },
        html! { (percent(pod.error_rate())) },
        pod.last_started_at.map_or_else(never, |it| ago(staff.now(), it)),
        html! { @if staff.may(AdminRight::ManagePods) { (buttons(listed, "/app/admin/pods")) } },
    ]
}

/// When a scanner scans next, or why it does not; `None` if it is about to.
fn next_scan(staff: &Staff, listed: &ListedPod) -> Option<Markup> {
    if !blockers(listed).is_empty() {
        return Some(html! { span.quiet { "–" } });
    }
    if !listed.has_feeds {
        return Some(html! { span.quiet { (text!("admin-scanner-no-feeds")) } });
    }
    listed.pod.due_at.map(|due| ago(staff.now(), due))
}

fn blockers(listed: &ListedPod) -> Vec<Blocker> {
    listed.pod.blockers(listed.verified, listed.crawling_enabled)
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
                    a href=(new) aria-label=(text!("admin-scanner-new-for", name = &it.name)) { (text!("admin-scanner-new")) }
                }
            },
        ]
    };
    let heads = [
        text!("admin-platform"),
        text!("admin-organization"),
        text!("admin-scanners-waiting-asked"),
        "",
    ];
    let table = Table::new(text!("admin-scanners-waiting"), &heads).rows(waiting, row);
    card(text!("admin-scanners-waiting"), table.show())
}

fn none(manages: bool) -> Markup {
    empty(
        text!("admin-scanners-none"),
        text!("admin-scanners-none-why"),
        html! {
            @if manages { a.button href="/app/admin/pods/new" { (text!("admin-scanner-new")) } }
        },
    )
}

/// The buttons allowed in the current status. `back` is the page to return to.
fn buttons(listed: &ListedPod, back: &str) -> Markup {
    let changes = |it: PodAction| it.changes().1.contains(&listed.pod.status);
    html! {
        div.row {
            @for (change, path, label) in moves() {
                // A scanner either starts or can scan, so at most one button is the main one.
                @let button = if change == PodAction::Start { post_button } else { plain_button };
                @if changes(change) {
                    (button(&format!("/app/admin/pods/{}/{path}", listed.pod.id), label, &[("back", back)]))
                }
            }
            @if blockers(listed).is_empty() && listed.has_feeds {
                (post_button(&format!("/app/admin/pods/{}/scan", listed.pod.id), text!("admin-scanner-scan"), &[("back", back)]))
            }
        }
    }
}

/// What can be done with a scanner: the end of the address, and the label.
fn moves() -> [(PodAction, &'static str, &'static str); 3] {
    [
        (PodAction::Start, "start", text!("admin-scanner-start")),
        (PodAction::Pause, "pause", text!("admin-scanner-pause")),
        (PodAction::Stop, "stop", text!("admin-scanner-stop")),
    ]
}

fn all_buttons() -> Markup {
    html! {
        div.filters {
            (confirm("/app/admin/pods/start", text!("admin-scanners-start"), text!("admin-scanners-start-question"), &[]))
            (confirm("/app/admin/pods/pause", text!("admin-scanners-pause"), text!("admin-scanners-pause-question"), &[]))
            (confirm("/app/admin/pods/stop", text!("admin-scanners-stop"), text!("admin-scanners-stop-question"), &[]))
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
        Ok(moved) => text!("admin-scanner-now", status = moved.pod.status.name()),
        // Someone else changed it first: the page shows the current status.
        Err(error) if *error.kind() == ErrorKind::Conflict => label::error(error.message()),
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
        Ok(_) => text!("admin-scanner-scan-requested").to_owned(),
        // The page shows why it can't scan; a scan a minute is enough.
        Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::RateLimited(_)) => {
            label::error(error.message())
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
    let message = text!("admin-scanners-now", count = moved, status = to);
    Ok(staff.redirect("/app/admin/pods", &message))
}

/// Shows a scanner.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<PodId>) -> Outcome {
    let found = pod::get(staff.app(), id).await?;
    let runs = pod::last_runs(staff.app(), id).await?;
    let owner_name = staff::tenant(staff.app(), found.tenant).await?.tenant.name;
    let title = text!("admin-scanner-for", name = &found.platform_name);
    let state = html! {
        (tiles(&staff, &found))
        (status_card(&staff, &found, &owner_name))
        (card(text!("admin-scanner-recent"), run_table(staff.now(), runs.iter().map(ShownRun::from))))
    };
    let body = html! {
        (head(&title, "", html! {
            a.button.plain href="/app/admin/pods" { (text!("admin-scanners-all")) }
        }))
        (live(&staff, "pod", state))
    };
    Ok(staff.page(&title, NavItem::AdminPods, body))
}

fn tiles(staff: &Staff, ListedPod { pod, .. }: &ListedPod) -> Markup {
    let tiles = [
        (text!("admin-scanner-uptime"), duration(pod.uptime_at(staff.now()))),
        (text!("admin-scanner-requests"), grouped(pod.request_count.into())),
        (text!("admin-scanner-failed"), percent(pod.error_rate())),
    ];
    html! {
        div.tiles {
            @for (name, value) in tiles { div.tile { p.tile-name { (name) } p.tile-figure { (value) } } }
        }
    }
}

fn status_card(staff: &Staff, listed: &ListedPod, owner_name: &str) -> Markup {
    let (pod, now) = (&listed.pod, staff.now());
    let mut blockers: Vec<_> = blockers(listed).into_iter().map(blocker_label).collect();
    if !listed.has_feeds {
        blockers.push(text!("admin-scanner-blocker-no-feeds"));
    }
    let never = || html! { span.quiet { "–" } };
    card(
        text!("word-status"),
        html! {
            @if pod.status == PodStatus::Running && !blockers.is_empty() {
                (notice("warn", html! {
                    p { (text!("admin-scanner-blocked")) }
                    ul { @for it in &blockers { li { (it) } } }
                }))
            }
            (facts(&[
                (text!("word-status"), badge(pod.status.name())),
                (text!("admin-scanner-next"), next_scan(staff, listed).unwrap_or_else(never)),
                (text!("admin-scanner-scopes"), html! { @for it in pod.scopes.names() { code { (it) } " " } }),
                (text!("admin-platform"), html! { (listed.platform_name) " " @if listed.verified { (badge("verified")) } @else { (badge("pending_verification")) } }),
                (text!("admin-organization"), owner(listed.tenant, owner_name)),
                (text!("admin-scanner-started"), pod.last_started_at.map_or_else(never, |it| ago(now, it))),
                (text!("word-created"), ago(now, pod.created_at)),
            ]))
            @if staff.may(AdminRight::ManagePods) {
                div.actions { (buttons(listed, &format!("/app/admin/pods/{}", pod.id))) }
            }
        },
    )
}

fn blocker_label(blocker: Blocker) -> &'static str {
    match blocker {
        Blocker::NotRunning => text!("admin-scanner-blocker-pod-not-running"),
        Blocker::NoCrawlScope => text!("admin-scanner-blocker-scope-crawl-missing"),
        Blocker::NotVerified => text!("admin-scanner-blocker-platform-not-verified"),
        Blocker::CrawlingDisabled => text!("admin-scanner-blocker-crawling-disabled"),
    }
}

/// Formats a fraction as a percentage.
fn percent(part: f64) -> String {
    let percent = format!("{:.1}", part * 100.0);
    let (whole, tenths) = percent.split_once('.').unwrap_or((percent.as_str(), "0"));
    text!("admin-percent", whole = whole, tenths = tenths)
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
            Ok(staff.redirect(to, text!("admin-scanner-created")))
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
        text!(
            "admin-scanner-platform",
            name = it.platform.name.as_str(),
            domain = it.platform.domain.as_str(),
            owner = &it.owner_name,
        )
    };
    let options = platforms.items.iter().map(|it| (it.platform.id.to_string(), label(it)));
    let none = (String::new(), text!("admin-scanner-choose").to_owned());
    let options: Vec<_> = std::iter::once(none).chain(options).collect();
    let scopes = PaxScope::ALL.map(PaxScope::name);
    let scopes = scopes.map(|it| (it, super::label("admin-scanner-scope", it)));
    let inside = html! {
        (marked_select(Mark::Required, "platformId", text!("admin-platform"), None, &options, entered))
        (marked_choices(Mark::Required, "scopes", text!("admin-scanner-scopes"), Some(text!("admin-scanner-scopes-hint")), &scopes, entered))
    };
    let many = platforms.total > platforms.items.len() as u64 || params.get("search").is_some();
    let body = html! {
        (head(text!("admin-scanner-new"), text!("admin-scanner-new-lead"), html! {}))
        @if many {
            (filters("/app/admin/pods/new", params, search_box("search", text!("admin-scanner-search"), params)))
        }
        (card(text!("admin-scanner"), form("/app/admin/pods/new", entered, inside, text!("admin-scanner-create"))))
    };
    staff.page(text!("admin-scanner-new"), NavItem::AdminPods, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_told_in_percent() {
        assert_eq!([0.0, 0.125, 1.0].map(percent), ["0.0%", "12.5%", "100.0%"]);
    }
}
