//! `/app`: the dashboard.

use grantor_domain::Error;
use grantor_domain::role::Right;
use grantor_service::licensing::license;
use grantor_service::organizations::dashboard::{self, Day, Overview};
use grantor_service::watching::mention::MAX_PENDING;
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person};
use crate::license::query;
use crate::view::chart::{meter, segmented_bar, stacked_bars, tile};
use crate::view::time::date;
use crate::view::{NavItem, day, empty, head};

/// Shows the dashboard.
pub(crate) async fn show(person: Person) -> Outcome {
    let overview = dashboard::overview(person.app(), &person.caller).await?;
    let shared = shared_licenses(&person).await?;
    let body = html! {
        (head(&format!("Hello, {}", first_name(&person.caller.name)), "Here's what's happening with your licenses.", actions(&person)))
        (tiles(&person, &overview, shared))
        @if is_new(&overview) && person.may(Right::ManageLicenses) { (get_started(&person)) }
        section.card { (mentions(&overview.days)) }
        div.cards {
            @if person.may(Right::ReadLicenses) { section.card { (licenses(&overview)) } }
            section.card { (deliveries(&overview)) }
            section.card {
                (meter("API requests this month", overview.usage.used, overview.usage.limit))
                p.quiet { "Resets on " (day(overview.usage.resets_at)) "." }
            }
        }
    };
    Ok(person.page("Dashboard", NavItem::Dashboard, body))
}

/// Counts the licenses shared with a tenant that can't own any.
async fn shared_licenses(person: &Person) -> Result<Option<u64>, Error> {
    if person.may(Right::ReadLicenses) {
        return Ok(None);
    }
    let first = query(&Params::read("limit=1"))?;
    let found = license::list_full(person.app(), person.caller.reader(), first).await?;
    Ok(Some(found.total))
}

fn first_name(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or(name)
}

fn actions(person: &Person) -> Markup {
    html! {
        @if person.may(Right::ManageLicenses) {
            a.button href="/app/licenses/new" { "New license" }
        }
    }
}

/// Returns whether the tenant has no licenses yet.
fn is_new(overview: &Overview) -> bool {
    let it = &overview.licenses;
    it.draft + it.private + it.public + it.expired == 0
}

fn get_started(person: &Person) -> Markup {
    empty(
        "Create your first license",
        "Define whose likeness you license and on what terms. Then share the license and \
         monitor where the likeness is used.",
        html! {
            @if person.may(Right::ManageTalents) && person.caller.tenant_type.is_organization() {
                a.button.plain href="/app/talents/new" { "Add talent" } " "
            }
            a.button href="/app/licenses/new" { "Create license" }
        },
    )
}

fn tiles(person: &Person, overview: &Overview, shared: Option<u64>) -> Markup {
    let week = overview.days.iter().rev().take(7);
    let unlicensed = week.map(|it| it.unlicensed).sum();
    let new_mentions = match person.may(Right::ReviewMentions) {
        _ if overview.waiting >= u64::from(MAX_PENDING) => "or more. View all",
        true => "Review",
        false => "View",
    };
    let sent = overview.deliveries.delivered + overview.deliveries.failed;
    let share = (overview.deliveries.delivered * 100).checked_div(sent);
    let delivered = match share {
        None => "No deliveries yet".to_owned(),
        Some(0) => "None delivered yet".to_owned(),
        Some(share) => format!("{share}% delivered"),
    };
    html! {
        div.tiles {
            (tile("New mentions", overview.waiting, Some("/app/mentions"), new_mentions))
            (tile("Unlicensed, last 7 days", unlicensed, Some("/app/mentions?status=all&verdict=unlicensed"), "View"))
            @if person.may(Right::ReadLicenses) { (tile("Active licenses", overview.licenses.private + overview.licenses.public, Some("/app/licenses"), "View")) }
            @match shared {
                Some(0) => (tile("Licenses shared with you", 0, Some("/app/catalog"), "Browse the catalog")),
                Some(shared) => (tile("Licenses shared with you", shared, Some("/app/licenses"), "View")),
                None => {}
            }
            (tile("Webhook deliveries, last 7 days", overview.deliveries.delivered, None, &delivered))
        }
    }
}

fn mentions(days: &[Day]) -> Markup {
    let series = [("licensed", "good"), ("needs review", "warn"), ("unlicensed", "bad")];
    let counted = days.iter().map(|it| {
        let label = date(it.begins_at);
        // The chart covers the last 30 days, so the year is left out.
        let label = label.rsplit_once(", ").map_or(label.clone(), |(it, _)| it.to_owned());
        (label, vec![it.licensed, it.needs_review, it.unlicensed])
    });
    stacked_bars("Mentions in the last 30 days, by verdict", &series, &counted.collect::<Vec<_>>())
}

fn licenses(overview: &Overview) -> Markup {
    let it = &overview.licenses;
    let series =
        [("public", "good"), ("private", "accent"), ("draft", "warn"), ("expired", "plain")];
    segmented_bar("Licenses by status", &series, &[it.public, it.private, it.draft, it.expired])
}

fn deliveries(overview: &Overview) -> Markup {
    let it = &overview.deliveries;
    let series = [("delivered", "good"), ("pending", "warn"), ("failed", "bad")];
    segmented_bar(
        "Webhook deliveries in the last 7 days",
        &series,
        &[it.delivered, it.pending, it.failed],
    )
}
