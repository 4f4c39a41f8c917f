//! `/app/admin/pods`: the workers that watch platforms. Both pages live: what they show is looked
//! at again every few seconds where scripts run.

use std::time::Duration;

use axum::response::Response;
use grantor_domain::admin::AdminRight;
use grantor_domain::id::{PlatformId, PodId};
use grantor_domain::page::Listing;
use grantor_domain::pax::{PaxScope, PaxScopes};
use grantor_domain::pod::{Blocker, PodMove, PodStatus};
use grantor_domain::scan::{PodRun, RunOutcome};
use grantor_domain::{Error, ErrorKind};
use grantor_service::pod::{self, ListedPod, Verb};
use grantor_service::staff::{self, ListedPlatform, PlatformFilter};
use maud::{Markup, html};

use super::owner;
use crate::frame::{Asked, Entered, Outcome, Segment, Staff};
use crate::view::chart::grouped;
use crate::view::filter::{filters, find};
use crate::view::{
    Place, Table, ago, badge, card, choices, confirm, empty, facts, form, head, notice, select,
    send,
};

/// Platforms that a form offers at once.
const OFFERED: &str = "100";

/// All of them.
pub(crate) async fn list(staff: Staff) -> Outcome {
    let pods = pod::list(staff.app()).await?;
    let manages = staff.may(AdminRight::ManagePods);
    let table =
        Table::new("Pods", &["Platform", "Status", "Scans", "Requests", "Failed", "Started", ""])
            .rows(&pods, |it| row(&staff, it));
    let body = html! {
        (head("Pods", "Each watches one platform.", html! {
            @if manages { a.button href="/app/admin/pods/new" { "New pod" } }
        }))
        @if manages && !pods.is_empty() { (all_buttons()) }
        @if pods.is_empty() { (none(manages)) } @else { div data-live="pods" { (table.show()) } }
    };
    Ok(staff.page("Pods", Place::AdminPods, body))
}

fn row(staff: &Staff, listed: &ListedPod) -> Vec<Markup> {
    let pod = &listed.pod;
    let blocked = !pod.blockers(listed.verified, listed.crawling_enabled).is_empty();
    vec![
        html! { a href={ "/app/admin/pods/" (pod.id) } { (listed.platform_name) } },
        badge(pod.status.name()),
        html! { @if blocked { span.quiet { "no" } } @else if let Some(due) = pod.due_at { (ago(staff.now(), due)) } @else { "now" } },
        html! { (grouped(pod.request_count.into())) },
        html! { (share(pod.error_rate())) },
        pod.last_started_at
            .map_or_else(|| html! { span.quiet { "never" } }, |it| ago(staff.now(), it)),
        html! { @if staff.may(AdminRight::ManagePods) { (buttons(listed, "/app/admin/pods")) } },
    ]
}

fn none(manages: bool) -> Markup {
    empty(
        "No pods yet",
        "A pod reads the feeds of one platform and looks for names and pictures.",
        html! {
            @if manages { a.button href="/app/admin/pods/new" { "New pod" } }
        },
    )
}

/// What a pod can be told now. Afterwards one is back where one was.
fn buttons(listed: &ListedPod, back: &str) -> Markup {
    let changes = |it: PodMove| it.changes().1.contains(&listed.pod.status);
    html! {
        div.row {
            @for (moved, path, word) in MOVES {
                @if changes(moved) {
                    (send(&format!("/app/admin/pods/{}/{path}", listed.pod.id), word, &[("back", back)]))
                }
            }
        }
    }
}

const MOVES: [(PodMove, &str, &str); 3] = [
    (PodMove::Start, "start", "Start"),
    (PodMove::Pause, "pause", "Pause"),
    (PodMove::Stop, "stop", "Stop"),
];

fn all_buttons() -> Markup {
    html! {
        div.filters {
            (confirm("/app/admin/pods/start", "Start all", "Every pod that is paused or stopped begins to scan.", &[]))
            (confirm("/app/admin/pods/pause", "Pause all", "Every pod that runs rests until it is started.", &[]))
            (confirm("/app/admin/pods/stop", "Stop all", "No platform is watched until pods are started.", &[]))
        }
    }
}

/// Moves one.
pub(crate) async fn make<V: Verb>(
    staff: Staff,
    Segment(id): Segment<PodId>,
    entered: Entered,
) -> Outcome {
    let said = match pod::make::<V>(staff.app(), staff.context(), id).await {
        Ok(moved) => format!("The pod is {}", moved.pod.status.name()),
        // Somebody else was quicker: the page shows what holds now.
        Err(error) if *error.kind() == ErrorKind::Conflict => error.message().to_owned(),
        Err(error) => return Err(error.into()),
    };
    let here = format!("/app/admin/pods/{id}");
    let back = if entered.get("back") == here { here.as_str() } else { "/app/admin/pods" };
    Ok(staff.went(back, &said))
}

/// Moves all that can be.
pub(crate) async fn make_all<V: Verb>(staff: Staff) -> Outcome {
    let moved = pod::make_all::<V>(staff.app(), staff.context()).await?;
    let to = V::MOVE.changes().0.name();
    let said = match moved {
        0 => format!("No pod had to be moved: all that can be are {to}"),
        1 => format!("One pod is {to} now"),
        _ => format!("{moved} pods are {to} now"),
    };
    Ok(staff.went("/app/admin/pods", &said))
}

/// One.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<PodId>) -> Outcome {
    let found = pod::get(staff.app(), id).await?;
    let runs = pod::last_runs(staff.app(), id).await?;
    let whose = staff::tenant(staff.app(), found.tenant).await?.tenant.name;
    let title = format!("Pod of {}", found.platform_name);
    let body = html! {
        (head(&title, "", html! { a.button.plain href="/app/admin/pods" { "All pods" } }))
        div data-live="pod" {
            (tiles(&staff, &found))
            (state(&staff, &found, &whose))
            (card("Last runs", run_table(&staff, &runs)))
        }
    };
    Ok(staff.page(&title, Place::AdminPods, body))
}

fn tiles(staff: &Staff, ListedPod { pod, .. }: &ListedPod) -> Markup {
    let figures = [
        ("Running time", span(pod.uptime_at(staff.now()))),
        ("Requests", grouped(pod.request_count.into())),
        ("Failed", share(pod.error_rate())),
    ];
    html! {
        div.tiles {
            @for (name, figure) in figures { div.tile { p.tile-name { (name) } p.tile-figure { (figure) } } }
        }
    }
}

fn state(staff: &Staff, listed: &ListedPod, whose: &str) -> Markup {
    let (pod, now) = (&listed.pod, staff.now());
    let blockers = pod.blockers(listed.verified, listed.crawling_enabled);
    let never = || html! { span.quiet { "–" } };
    card(
        "State",
        html! {
            @if pod.status == PodStatus::Running && !blockers.is_empty() {
                (notice("warn", html! {
                    p { "It runs, and cannot scan:" }
                    ul { @for it in &blockers { li { (why(*it)) } } }
                }))
            }
            (facts(&[
                ("Status", badge(pod.status.name())),
                ("Next scan", pod.due_at.filter(|_| blockers.is_empty()).map_or_else(never, |it| ago(now, it))),
                ("Scopes", html! { @for it in pod.scopes.names() { code { (it) } " " } }),
                ("Platform", html! { (listed.platform_name) " " @if listed.verified { (badge("verified")) } @else { (badge("pending_verification")) } }),
                ("Organization", owner(listed.tenant, whose)),
                ("Started", pod.last_started_at.map_or_else(never, |it| ago(now, it))),
                ("Made", ago(now, pod.created_at)),
            ]))
            @if staff.may(AdminRight::ManagePods) {
                div.actions { (buttons(listed, &format!("/app/admin/pods/{}", pod.id))) }
            }
        },
    )
}

fn why(blocker: Blocker) -> &'static str {
    match blocker {
        Blocker::NotRunning => "It was not started.",
        Blocker::NoCrawlScope => "It lacks the scope crawl.",
        Blocker::NotVerified => "The platform's domain is not proved.",
        Blocker::CrawlingDisabled => "The platform does not want to be scanned.",
    }
}

fn run_table(staff: &Staff, runs: &[PodRun]) -> Markup {
    if runs.is_empty() {
        return html! { p.quiet { "It has not run yet." } };
    }
    let heads =
        ["Began", "Took", "Outcome", "Requests", "Failed", "Items", "New", "Mentions", "Remark"];
    Table::new("Last runs", &heads).rows(runs, |it| run_row(staff, it)).show()
}

fn run_row(staff: &Staff, run: &PodRun) -> Vec<Markup> {
    let (counts, now) = (&run.counts, staff.now());
    let figure = |it: u32| html! { (grouped(it.into())) };
    vec![
        ago(now, run.started_at),
        html! { (span(run.ended_at.unwrap_or(now).since(run.started_at))) },
        badge(run.outcome.map_or("running", RunOutcome::name)),
        figure(counts.requests),
        figure(counts.errors),
        figure(counts.items),
        figure(counts.new_items),
        figure(counts.mentions),
        html! { (run.reason.as_deref().unwrap_or("")) },
    ]
}

/// The two largest units of a time that are not nothing.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3_600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, _) => format!("{minutes} min"),
        (0, ..) => format!("{hours} h {minutes} min"),
        _ => format!("{days} d {hours} h"),
    }
}

/// A part of one as a percentage.
fn share(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// The form of a new pod.
pub(crate) async fn blank(staff: Staff, asked: Asked) -> Outcome {
    let entered = Entered::default()
        .with("platformId", asked.get("platform").unwrap_or_default())
        .with_all("scopes", [PaxScope::Read, PaxScope::Crawl].map(PaxScope::name));
    let platforms = platforms(&staff, &asked).await?;
    Ok(draw(&staff, &asked, &platforms, &entered))
}

/// Makes one.
pub(crate) async fn create(staff: Staff, asked: Asked, entered: Entered) -> Outcome {
    let made = async {
        let (platform, scopes) = read(&entered)?;
        pod::create(staff.app(), staff.context(), platform, scopes).await
    };
    match made.await {
        Ok(made) => {
            let to = format!("/app/admin/pods/{}", made.pod.id);
            Ok(staff.went(to, "The pod was made: start it when you like"))
        }
        Err(error) => {
            let platforms = platforms(&staff, &asked).await?;
            Ok(staff.again(error, entered, |entered| draw(&staff, &asked, &platforms, entered)))
        }
    }
}

fn read(entered: &Entered) -> Result<(PlatformId, PaxScopes), Error> {
    let mut fields = entered.fields();
    let platform = entered.required(&mut fields, "platformId");
    let platform = fields.take("platformId", platform.parse::<PlatformId>());
    let scopes: Vec<_> = entered.all("scopes").collect();
    let scopes = fields.take("scopes", PaxScopes::parse(&scopes));
    fields.finish()?;
    platform.zip(scopes).ok_or_else(|| Error::validation("Some fields are not valid"))
}

/// The platforms to choose from: the newest that are asked for.
async fn platforms(staff: &Staff, asked: &Asked) -> Result<Listing<ListedPlatform>, Error> {
    let search = asked.get("search").map(staff::search).transpose();
    let search = search.map_err(|it| Error::field("search", it))?;
    let page = Asked::read(&format!("limit={OFFERED}")).page()?;
    staff::platforms(staff.app(), PlatformFilter { search, tenant: None }, page).await
}

fn draw(
    staff: &Staff,
    asked: &Asked,
    platforms: &Listing<ListedPlatform>,
    entered: &Entered,
) -> Response {
    let word = |it: &ListedPlatform| {
        format!(
            "{} ({}), {}",
            it.platform.name.as_str(),
            it.platform.domain.as_str(),
            it.owner_name
        )
    };
    let options = platforms.items.iter().map(|it| (it.platform.id.to_string(), word(it)));
    let options: Vec<_> =
        std::iter::once((String::new(), "Choose one".to_owned())).chain(options).collect();
    let scopes: Vec<_> = super::named(PaxScope::ALL.map(PaxScope::name)).collect();
    let inside = html! {
        (select("platformId", "Platform", None, &options, entered))
        (choices("scopes", "Scopes", Some("Without crawl it does not scan."), &scopes, entered))
    };
    let many = platforms.total > platforms.items.len() as u64 || asked.get("search").is_some();
    let body = html! {
        (head("New pod", "It watches one platform, once it is started.", html! {}))
        @if many {
            (filters("/app/admin/pods/new", asked, find("search", "Find a platform by name or domain", asked)))
        }
        (card("Pod", form("/app/admin/pods/new", entered, inside, "Make the pod")))
    };
    staff.page("New pod", Place::AdminPods, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_told_in_two_units() {
        let told = [0, 59, 60, 3_599, 3_600, 90_000].map(|it| span(Duration::from_secs(it)));
        assert_eq!(told, ["0 s", "59 s", "1 min", "59 min", "1 h 0 min", "1 d 1 h"]);
        assert_eq!([0.0, 0.125, 1.0].map(share), ["0.0 %", "12.5 %", "100.0 %"]);
    }
}
