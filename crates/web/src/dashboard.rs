//! `/app`: how the organization stands, as pictures.

use grantor_domain::Error;
use grantor_domain::role::Right;
use grantor_service::dashboard::{self, Day, Overview};
use grantor_service::license;
use grantor_service::mention::MOST_WAITING;
use maud::{Markup, html};

use crate::frame::{Asked, Outcome, Person};
use crate::license::query;
use crate::view::chart::{meter, parts, stacks, tile};
use crate::view::time::date;
use crate::view::{Place, day, empty, head};

/// The dashboard.
pub(crate) async fn show(person: Person) -> Outcome {
    let overview = dashboard::overview(person.app(), &person.caller).await?;
    let granted = granted(&person).await?;
    let body = html! {
        (head(&format!("Hello, {}", first_name(&person.caller.name)), "How things stand today.", actions(&person)))
        (tiles(&person, &overview, granted))
        @if is_new(&overview) && person.may(Right::ManageLicenses) { (beginning(&person)) }
        section.card { (mentions(&overview.days)) }
        div.cards {
            @if person.may(Right::ReadLicenses) { section.card { (licenses(&overview)) } }
            section.card { (deliveries(&overview)) }
            section.card {
                (meter("API requests this month", overview.usage.used, overview.usage.limit))
                p.quiet { "Begins anew on " (day(overview.usage.resets_at)) "." }
            }
        }
    };
    Ok(person.page("Dashboard", Place::Dashboard, body))
}

/// How many licenses others granted, for who has none by nature.
async fn granted(person: &Person) -> Result<Option<u64>, Error> {
    if person.may(Right::ReadLicenses) {
        return Ok(None);
    }
    let first = query(&Asked::read("limit=1"))?;
    let found = license::show(person.app(), person.caller.reader(), first).await?;
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

/// Nothing was ever made here.
fn is_new(overview: &Overview) -> bool {
    let it = &overview.licenses;
    it.draft + it.private + it.public + it.expired == 0
}

fn beginning(person: &Person) -> Markup {
    empty(
        "Begin with a license",
        "Record whose likeness you license and on what terms. Then give others a right on it, and \
         watch where it is used.",
        html! {
            @if person.may(Right::ManageTalents) && person.caller.tenant_type.is_organization() {
                a.button.plain href="/app/talents/new" { "Add a talent" } " "
            }
            a.button href="/app/licenses/new" { "Make a license" }
        },
    )
}

fn tiles(person: &Person, overview: &Overview, granted: Option<u64>) -> Markup {
    let week = overview.days.iter().rev().take(7);
    let unlicensed = week.map(|it| it.unlicensed).sum();
    let waiting = match person.may(Right::DecideMentions) {
        _ if overview.waiting >= u64::from(MOST_WAITING) => "or more: look at them",
        true => "Decide on them",
        false => "Look at them",
    };
    let sent = overview.deliveries.delivered + overview.deliveries.failed;
    let share = (overview.deliveries.delivered * 100).checked_div(sent);
    let arrived = match share {
        None => "Nothing sent yet".to_owned(),
        Some(0) => "Nothing arrived yet".to_owned(),
        Some(share) => format!("{share} % arrived"),
    };
    html! {
        div.tiles {
            (tile("Mentions waiting", overview.waiting, Some("/app/mentions"), waiting))
            (tile("Unlicensed, last 7 days", unlicensed, Some("/app/mentions?status=all&verdict=unlicensed"), "Look at them"))
            @if person.may(Right::ReadLicenses) { (tile("Licenses in force", overview.licenses.private + overview.licenses.public, Some("/app/licenses"), "All licenses")) }
            @match granted {
                Some(0) => (tile("Licenses granted to you", 0, Some("/app/catalog"), "Find some in the catalog")),
                Some(granted) => (tile("Licenses granted to you", granted, Some("/app/licenses"), "Look at them")),
                None => {}
            }
            (tile("Webhook deliveries, 7 days", overview.deliveries.delivered, None, &arrived))
        }
    }
}

fn mentions(days: &[Day]) -> Markup {
    let series = [("licensed", "good"), ("needs review", "warn"), ("unlicensed", "bad")];
    let counted = days.iter().map(|it| {
        let label = date(it.begins_at);
        // The year is known: these are the last days.
        let label = label.rsplit_once(' ').map_or(label.clone(), |(it, _)| it.to_owned());
        (label, vec![it.licensed, it.needs_review, it.unlicensed])
    });
    stacks("Mentions of the last 30 days, by verdict", &series, &counted.collect::<Vec<_>>())
}

fn licenses(overview: &Overview) -> Markup {
    let it = &overview.licenses;
    let series =
        [("public", "good"), ("private", "accent"), ("draft", "warn"), ("expired", "plain")];
    parts("Licenses by status", &series, &[it.public, it.private, it.draft, it.expired])
}

fn deliveries(overview: &Overview) -> Markup {
    let it = &overview.deliveries;
    let series = [("delivered", "good"), ("on their way", "warn"), ("failed", "bad")];
    parts("Webhook deliveries of 7 days", &series, &[it.delivered, it.pending, it.failed])
}
