//! `/app`: the dashboard.

mod chart;
mod waiting;

use grantor_domain::Error;
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::licensing::license;
use grantor_service::organizations::dashboard::{self, LicenseTotals, Overview};
use grantor_service::organizations::onboarding::{self, Step};
use grantor_service::watching::mention::MAX_PENDING;
use maud::{Markup, html};

use crate::frame::{Outcome, Params, Person};
use crate::license::query;
use crate::view::chart::{meter, segmented_bar, tile};
use crate::view::rich::rich;
use crate::view::{NavItem, day, head};

/// Shows the dashboard.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let span = chart::read(&params)?;
    let overview = dashboard::overview(person.app(), &person.caller, span).await?;
    let shared = shared_licenses(&person).await?;
    let waiting = waiting::show(&person).await?;
    let steps = onboarding::show(person.app(), &person.caller).await?;
    let finished = steps.as_ref().is_some_and(|it| it.iter().all(|(_, done)| *done));
    // Staff who look at the page leave the good news to its person.
    if finished && !person.context().read_only {
        onboarding::finish(person.app(), person.context(), person.caller()).await?;
    }
    let hello = text!("dashboard-hello", name = first_name(&person.caller.name));
    let body = html! {
        (head(&hello, text!("dashboard-lead"), actions(&person)))
        @match &steps {
            Some(_) if finished => (all_set(&person, &overview.licenses)),
            Some(steps) => (first_steps(&person, steps)),
            None => {}
        }
        (waiting)
        (tiles(&person, &overview, shared))
        (chart::switch(&person.here, span))
        (chart::charts(&overview, span))
        div.cards {
            @if person.may(Right::ReadLicenses) { section.card { (licenses(&overview)) } }
            section.card {
                (meter(text!("dashboard-usage"), overview.usage.used, overview.usage.limit))
                p.quiet { (rich!("dashboard-usage-resets", date = day(overview.usage.resets_at))) }
            }
        }
    };
    Ok(person.page(text!("dashboard-title"), NavItem::Dashboard, body))
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
        @if person.acts(Right::ManageLicenses) {
            a.button href="/app/licenses/new" { (text!("dashboard-new-license")) }
        }
    }
}

/// The first steps, until all are done or the person hides them. Staff who view the page can do none.
fn first_steps(person: &Person, steps: &[(Step, bool)]) -> Markup {
    let done = steps.iter().filter(|(_, done)| *done).count();
    html! {
        section.card.checklist {
            div.row.apart {
                h2 {
                    (text!("dashboard-steps"))
                    span.quiet { " " (text!("dashboard-steps-done", done = done, total = steps.len())) }
                }
                @if !person.is_viewed() {
                    form.inline method="post" action="/app/onboarding/hide" {
                        button.small.plain {
                            (rich!("dashboard-steps-hide", what = html! {
                                span.hidden { " " (text!("dashboard-steps-hide-what")) }
                            }))
                        }
                    }
                }
            }
            ol {
                @for (step, done) in steps {
                    @let (title, why, path) = words(*step);
                    li.done[*done] {
                        @if *done { span { (title) } span.hidden { " " (text!("dashboard-step-done")) } }
                        @else if person.is_viewed() { span { (title) } }
                        @else { a href=(path) { (title) } }
                        p.quiet { (why) }
                    }
                }
            }
        }
    }
}

/// What is useful after the first steps: the right that it takes, where it is, and the keys of what
/// to do and why.
const NEXT: [(Right, &str, &str, &str); 5] = [
    (
        Right::ReviewMentions,
        "/app/mentions",
        "dashboard-next-mentions",
        "dashboard-next-mentions-why",
    ),
    (
        Right::ReadLicenses,
        "/app/grants/calendar",
        "dashboard-next-calendar",
        "dashboard-next-calendar-why",
    ),
    (
        Right::RequestLicenses,
        "/app/requests",
        "dashboard-next-requests",
        "dashboard-next-requests-why",
    ),
    (
        Right::ManageWebhooks,
        "/app/webhooks",
        "dashboard-next-webhooks",
        "dashboard-next-webhooks-why",
    ),
    (Right::Read, "/app/shortcuts", "dashboard-next-keys", "dashboard-next-keys-why"),
];

/// All first steps are done. This is shown once.
fn all_set(person: &Person, licenses: &LicenseTotals) -> Markup {
    let only_drafts = licenses.draft > 0 && licenses.private + licenses.public == 0;
    html! {
        section.card {
            h2 { (text!("dashboard-all-set")) }
            p { (text!("dashboard-all-set-why")) }
            ul.open-pages {
                @if only_drafts && person.may(Right::ManageLicenses) {
                    li {
                        a href="/app/licenses?status=draft" { (text!("dashboard-next-publish")) }
                        p.quiet { (text!("dashboard-next-publish-why")) }
                    }
                }
                @for (right, path, title, why) in NEXT {
                    @if person.may(right) {
                        li { a href=(path) { (text(title)) } p.quiet { (text(why)) } }
                    }
                }
            }
        }
    }
}

/// A step in words: what to do, why, and where.
fn words(step: Step) -> (&'static str, &'static str, &'static str) {
    match step {
        Step::AddTalent => {
            (text!("dashboard-step-talent"), text!("dashboard-step-talent-why"), "/app/talents/new")
        }
        Step::CreateLicense => (
            text!("dashboard-step-license"),
            text!("dashboard-step-license-why"),
            "/app/licenses/new",
        ),
        Step::Watch => {
            (text!("dashboard-step-watch"), text!("dashboard-step-watch-why"), "/app/sources/new")
        }
        Step::FindLicense => {
            (text!("dashboard-step-find"), text!("dashboard-step-find-why"), "/app/catalog")
        }
        Step::AskForLicense => {
            (text!("dashboard-step-ask"), text!("dashboard-step-ask-why"), "/app/catalog")
        }
        Step::VerifyReceipt => {
            (text!("dashboard-step-receipt"), text!("dashboard-step-receipt-why"), "/verify")
        }
        Step::AddPlatform => (
            text!("dashboard-step-platform"),
            text!("dashboard-step-platform-why"),
            "/app/platforms/new",
        ),
        Step::VerifyPlatform => {
            (text!("dashboard-step-domain"), text!("dashboard-step-domain-why"), "/app/platforms")
        }
        Step::AskForScanner => {
            (text!("dashboard-step-scanner"), text!("dashboard-step-scanner-why"), "/app/platforms")
        }
        Step::ChooseEmails => (
            text!("dashboard-step-emails"),
            text!("dashboard-step-emails-why"),
            "/app/profile/notifications",
        ),
        Step::InviteColleague => {
            (text!("dashboard-step-colleague"), text!("dashboard-step-colleague-why"), "/app/teams")
        }
    }
}

/// Hides the first steps.
pub(crate) async fn hide_steps(person: Person) -> Outcome {
    onboarding::hide(person.app(), person.context(), person.caller()).await?;
    Ok(person.redirect("/app", text!("dashboard-steps-hidden")))
}

fn tiles(person: &Person, overview: &Overview, shared: Option<u64>) -> Markup {
    let week = overview.days.iter().rev().take(7);
    let unlicensed = week.map(|it| it.unlicensed).sum();
    let new_mentions = match person.may(Right::ReviewMentions) {
        _ if overview.waiting >= u64::from(MAX_PENDING) => text!("dashboard-new-mentions-more"),
        true => text!("dashboard-review"),
        false => text!("dashboard-view"),
    };
    let sent = overview.deliveries.delivered + overview.deliveries.failed;
    let share = (overview.deliveries.delivered * 100).checked_div(sent);
    let delivered = match share {
        None => text!("dashboard-deliveries-none").to_owned(),
        Some(0) => text!("dashboard-deliveries-failed").to_owned(),
        Some(share) => text!("dashboard-deliveries-share", share = share),
    };
    let (view, own) = (text!("dashboard-view"), text!("dashboard-shared-licenses"));
    html! {
        div.tiles {
            (tile(text!("dashboard-new-mentions"), overview.waiting, Some("/app/mentions"), new_mentions))
            (tile(text!("dashboard-unlicensed-week"), unlicensed, Some("/app/mentions?status=all&verdict=unlicensed"), view))
            @if person.may(Right::ReadLicenses) { (tile(text!("dashboard-active-licenses"), overview.licenses.private + overview.licenses.public, Some("/app/licenses"), view)) }
            @match shared {
                Some(0) => (tile(own, 0, Some("/app/catalog"), text!("dashboard-browse-catalog"))),
                Some(shared) => (tile(own, shared, Some("/app/licenses"), view)),
                None => {}
            }
            (tile(text!("dashboard-deliveries-week"), overview.deliveries.delivered, None, &delivered))
        }
    }
}

fn licenses(overview: &Overview) -> Markup {
    let it = &overview.licenses;
    let series = [
        (text!("dashboard-public"), "good"),
        (text!("dashboard-private"), "accent"),
        (text!("dashboard-draft"), "warn"),
        (text!("dashboard-expired"), "plain"),
    ];
    let counts = [it.public, it.private, it.draft, it.expired];
    segmented_bar(text!("dashboard-licenses-by-status"), &series, &counts)
}
