//! The charts of the dashboard. Days of a quarter are drawn by week, so that bars stay readable.

use grantor_domain::{Error, Result, Timestamp};
use grantor_messages::text;
use grantor_service::organizations::dashboard::{Day, Overview};
use grantor_service::organizations::trend::{ChartSpan, Trends};
use maud::{Markup, html};

use crate::frame::Params;
use crate::view::chart::{bar_table, stacked_bars_by};
use crate::view::component::with_query;
use crate::view::time::{month_name, short_utc_date};

/// The parameter with the number of days.
const PARAM: &str = "days";
/// How many days a bar of a quarter covers.
const WEEK: usize = 7;

/// Reads how far back the charts reach.
pub(super) fn read(params: &Params) -> Result<ChartSpan> {
    let chosen = params.get(PARAM).map(ChartSpan::parse).transpose();
    Ok(chosen.map_err(|error| Error::field(PARAM, error))?.unwrap_or_default())
}

/// Links to choose how far back the charts reach.
pub(super) fn switch(here: &str, span: ChartSpan) -> Markup {
    let url = |it: ChartSpan| {
        let days = it.days().to_string();
        with_query(here, PARAM, if it == ChartSpan::default() { "" } else { &days })
    };
    html! {
        nav.row.spans aria-label=(text!("dashboard-spans")) {
            @for it in ChartSpan::ALL {
                a.button.small.plain href=(url(it)) aria-current=[(it == span).then_some("page")] {
                    (text!("dashboard-days", days = it.days()))
                }
            }
        }
    }
}

/// The charts of what happened and what ends.
pub(super) fn charts(overview: &Overview, span: ChartSpan) -> Markup {
    html! {
        section.card { (mentions(&overview.days, span)) }
        div.cards {
            section.card { (places(&overview.trends, span)) }
            section.card { (endings(&overview.trends)) }
            section.card { (deliveries(overview, span)) }
        }
    }
}

fn mentions(days: &[Day], span: ChartSpan) -> Markup {
    let series = [
        (text!("dashboard-licensed"), "good"),
        (text!("dashboard-needs-review"), "warn"),
        (text!("dashboard-unlicensed"), "bad"),
    ];
    let days = days.iter();
    let days =
        days.map(|it| (it.begins_at, vec![it.licensed, it.needs_review, it.unlicensed])).collect();
    let title = text!("dashboard-mentions-by-verdict", days = span.days());
    let (unit, bars) = bars(days, span);
    stacked_bars_by(&title, unit, &series, &bars)
}

fn places(trends: &Trends, span: ChartSpan) -> Markup {
    let title = text!("dashboard-mentions-by-platform", days = span.days());
    let mut rows: Vec<_> = trends.places.iter().map(|it| (it.name.clone(), it.count)).collect();
    if trends.elsewhere > 0 {
        rows.push((text!("dashboard-mentions-other").to_owned(), trends.elsewhere));
    }
    let heads = [text!("dashboard-platform"), text!("dashboard-mentions")];
    html! {
        (bar_table(&title, heads, &rows))
        @if rows.is_empty() { p.quiet { (text!("dashboard-mentions-none")) } }
    }
}

fn endings(trends: &Trends) -> Markup {
    let series = [
        (text!("dashboard-grants-given"), "accent"),
        (text!("dashboard-grants-held"), "good"),
        (text!("dashboard-licenses"), "warn"),
    ];
    let months = trends.endings.iter();
    let bars: Vec<_> =
        months.map(|it| (month_name(it.month), vec![it.given, it.held, it.licenses])).collect();
    html! {
        (stacked_bars_by(text!("dashboard-endings"), text!("dashboard-month"), &series, &bars))
        p { a.button.plain.small href="/app/grants/calendar" { (text!("dashboard-calendar")) } }
    }
}

fn deliveries(overview: &Overview, span: ChartSpan) -> Markup {
    let series = [(text!("dashboard-delivered"), "good"), (text!("dashboard-failed"), "bad")];
    let days = overview.trends.deliveries.iter();
    let days = days.map(|it| (it.begins_at, vec![it.delivered, it.failed])).collect();
    let title = text!("dashboard-deliveries-by-outcome", days = span.days());
    let (unit, bars) = bars(days, span);
    html! {
        (stacked_bars_by(&title, unit, &series, &bars))
        p.quiet { (text!("dashboard-deliveries-waiting", count = overview.deliveries.pending)) }
    }
}

/// The bars of days, with the unit of time that each covers. Bars of a week end today.
fn bars(
    days: Vec<(Timestamp, Vec<u64>)>,
    span: ChartSpan,
) -> (&'static str, Vec<(String, Vec<u64>)>) {
    if span != ChartSpan::Quarter {
        let bars = days.into_iter().map(|(at, counts)| (short_utc_date(at), counts)).collect();
        return (text!("dashboard-day"), bars);
    }
    let week = |days: &[(Timestamp, Vec<u64>)]| {
        let counts = days.iter().fold(vec![], |sum: Vec<u64>, (_, counts)| {
            let missing = counts.len().saturating_sub(sum.len());
            let sum = sum.into_iter().chain(std::iter::repeat_n(0, missing));
            sum.zip(counts).map(|(sum, count)| sum + count).collect()
        });
        let first = days.first().map(|(at, _)| short_utc_date(*at)).unwrap_or_default();
        (first, counts)
    };
    let mut weeks: Vec<_> = days.rchunks(WEEK).map(week).collect();
    weeks.reverse();
    (text!("dashboard-week"), weeks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(count: i64) -> Vec<(Timestamp, Vec<u64>)> {
        // January 1, 2026.
        let first = 1_767_225_600;
        (0..count).map(|it| (Timestamp::from_secs(first + it * 86_400), vec![1, 2])).collect()
    }

    #[test]
    fn days_of_a_quarter_are_weeks() {
        let (unit, bars) = bars(days(90), ChartSpan::Quarter);
        assert_eq!((unit, bars.len()), ("Week from", 13));
        assert_eq!(bars[0], ("Jan 1".to_owned(), vec![6, 12]), "what is left of the first week");
        assert_eq!(bars[1], ("Jan 7".to_owned(), vec![7, 14]));
        assert_eq!(bars[12], ("Mar 25".to_owned(), vec![7, 14]));
    }

    #[test]
    fn other_days_are_days() {
        let (unit, bars) = bars(days(7), ChartSpan::Week);
        assert_eq!((unit, bars.len()), ("Day", 7));
        assert_eq!(bars[6], ("Jan 7".to_owned(), vec![1, 2]));
    }

    #[test]
    fn only_three_spans_can_be_chosen() {
        assert_eq!(read(&Params::read("")), Ok(ChartSpan::Month));
        assert_eq!(read(&Params::read("days=90")), Ok(ChartSpan::Quarter));
        let error = read(&Params::read("days=31")).unwrap_err();
        assert_eq!(error.fields()["days"], "must be one of 7, 30, 90");
        let drawn = switch("/app?days=7", ChartSpan::Week).into_string();
        assert!(drawn.contains("href=\"/app?days=7\" aria-current=\"page\">7 days"), "{drawn}");
        assert!(drawn.contains("href=\"/app\">30 days"), "{drawn}");
    }
}
