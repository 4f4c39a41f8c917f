//! `/app/admin`: what staff see first. Totals and growth, what fails, and what waits.

use std::time::Duration;

use grantor_domain::growth::GrowthKind;
use grantor_messages::text;
use grantor_service::operations::growth::Growth;
use grantor_service::operations::overview::{self, BOUND, Failing, Overview, Waiting};
use maud::{Markup, html};

use crate::frame::{Outcome, Staff};
use crate::view::chart::{grouped, stacked_bars};
use crate::view::time::short_utc_date;
use crate::view::{NavItem, card, head};

const DAY: Duration = Duration::from_hours(24);

/// Shows the overview.
pub(crate) async fn show(staff: Staff) -> Outcome {
    let found = overview::show(staff.app()).await?;
    let body = html! {
        (head(text!("admin-overview"), text!("admin-overview-lead"), html! {}))
        (totals(&found))
        div.cards {
            (card(text!("admin-fails"), failing(found.failing)))
            (card(text!("admin-waits"), waiting(found.waiting)))
        }
        section.card { (growth_chart(&found)) }
        section.card { (mention_chart(&found)) }
    };
    Ok(staff.page(text!("admin-overview"), NavItem::AdminOverview, body))
}

fn label(kind: GrowthKind) -> &'static str {
    match kind {
        GrowthKind::Organizations => text!("admin-growth-organizations"),
        GrowthKind::People => text!("admin-growth-people"),
        GrowthKind::Licenses => text!("admin-growth-licenses"),
        GrowthKind::Grants => text!("admin-growth-grants"),
        GrowthKind::Mentions => text!("admin-growth-mentions"),
    }
}

/// The list of a kind, where staff have one.
const fn list(kind: GrowthKind) -> Option<&'static str> {
    match kind {
        GrowthKind::Organizations => Some("/app/admin/organizations"),
        GrowthKind::Licenses => Some("/app/admin/licenses"),
        _ => None,
    }
}

fn totals(found: &Overview) -> Markup {
    html! {
        div.tiles {
            @for (kind, growth) in &found.growth {
                @let recent = text!("admin-growth-recent", count = growth.recent());
                div.tile {
                    p.tile-name { (label(*kind)) }
                    p.tile-figure { (grouped(growth.total)) }
                    @if let Some(path) = list(*kind) { a href=(path) { (recent) } }
                    @else { p.quiet { (recent) } }
                }
            }
        }
    }
}

fn failing(found: Failing) -> Markup {
    let rows = [
        (text!("admin-fails-scanners"), found.scanners, "/app/admin/pods?failing=true"),
        (text!("admin-fails-sources"), found.sources, "/app/admin/sources?failing=true"),
        (text!("admin-fails-emails"), found.emails, "/app/admin/failures/emails"),
        (text!("admin-fails-webhooks"), found.webhooks, "/app/admin/failures/webhooks"),
        (text!("admin-fails-payments"), found.payments, "/app/admin/failures/payments"),
    ];
    html! {
        @if found.is_empty() { p { (text!("admin-fails-nothing")) } }
        (concerns(&rows, "bad"))
    }
}

fn waiting(found: Waiting) -> Markup {
    let rows = [
        (text!("admin-waits-platforms"), found.platforms, "/app/admin/pods#waiting"),
        (text!("admin-waits-help"), found.help, "/app/admin/help"),
    ];
    html! {
        @if found.is_empty() { p { (text!("admin-waits-nothing")) } }
        (concerns(&rows, "warn"))
    }
}

/// Each count, with a link to what it counts.
fn concerns(rows: &[(&str, u64, &str)], tone: &str) -> Markup {
    html! {
        ul.concerns {
            @for (name, count, path) in rows {
                li {
                    a href=(path) { (name) } " "
                    span class={ "badge " (if *count > 0 { tone } else { "plain" }) } { (bounded(*count)) }
                }
            }
        }
    }
}

/// More than the bound is not counted.
fn bounded(count: u64) -> String {
    let more = if count >= u64::from(BOUND) { "+" } else { "" };
    format!("{}{more}", grouped(count))
}

fn growth_chart(found: &Overview) -> Markup {
    let kinds = [GrowthKind::Organizations, GrowthKind::People, GrowthKind::Licenses];
    let series = [
        (text!("admin-series-organizations"), "accent"),
        (text!("admin-series-people"), "good"),
        (text!("admin-series-licenses"), "warn"),
    ];
    stacked_bars(text!("admin-chart-created"), &series, &days(found, &kinds))
}

fn mention_chart(found: &Overview) -> Markup {
    let kinds = [GrowthKind::Mentions, GrowthKind::Grants];
    let series =
        [(text!("admin-series-mentions"), "accent"), (text!("admin-series-grants"), "good")];
    stacked_bars(text!("admin-chart-mentions"), &series, &days(found, &kinds))
}

/// The counts of these kinds by day, with the day's label.
fn days(found: &Overview, kinds: &[GrowthKind]) -> Vec<(String, Vec<u64>)> {
    let grown: Vec<&Growth> = kinds.iter().filter_map(|it| found.growth.get(it)).collect();
    let count = grown.first().map_or(0, |it| it.days.len());
    let mut begins_at = found.since;
    let mut days = Vec::with_capacity(count);
    for index in 0..count {
        let label = short_utc_date(begins_at);
        let counts = grown.iter().map(|it| it.days.get(index).copied().unwrap_or(0));
        days.push((label, counts.collect()));
        begins_at = begins_at.plus(DAY);
    }
    days
}

#[cfg(test)]
mod tests {
    use super::bounded;

    #[test]
    fn what_was_not_counted_is_told() {
        assert_eq!([0, 999, 1_000].map(bounded), ["0", "999", "1,000+"]);
    }
}
