//! The calendar: which grants are in effect in which of twelve months, by talent, and what ends in
//! them.

use std::fmt::Write as _;

use grantor_domain::error::Fields;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::month::Month;
use grantor_domain::{Error, Result, Timestamp};
use grantor_messages::text;
use grantor_service::licensing::grant::{self, Calendar, CalendarFilter, GrantView};
use jiff::Span;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use maud::{Markup, PreEscaped, html};

use super::expiry::Expiry;
use super::list::{GrantsView, period, sides, status_picker, talent_picker, talents, view_head};
use super::{LIST, caller, path};
use crate::frame::{Outcome, Params, Person};
use crate::request::place_names;
use crate::view::component::with_query;
use crate::view::filter::{filters, hidden_param};
use crate::view::label::grant_status;
use crate::view::rich::rich;
use crate::view::time::{month_and_year, month_word};
use crate::view::{NavItem, badge, day, empty, notice};

/// The number of months on a page.
const MONTHS: usize = 12;
/// The years that can be opened.
const YEARS: std::ops::RangeInclusive<i16> = 1970..=2999;
/// The width of a month and of all months in the drawing.
const MONTH: u64 = 60;
const WIDTH: u64 = 720;
/// The height of a bar with the space around it.
const HEIGHT: u64 = 20;
/// Keeps lines thin in a stretched drawing.
const SHARP: &str = "vector-effect=\"non-scaling-stroke\"";
/// The minimum width of a bar.
const NARROWEST: u64 = 4;

/// The months of a page.
pub(super) struct Months {
    first: Date,
    /// The starts of the months, and the end of the last.
    edges: Vec<Timestamp>,
}

impl Months {
    /// The months from this one on; `None` outside the supported years.
    fn starting(first: Date) -> Option<Self> {
        let edges =
            (0..=MONTHS).map(|it| Timestamp::parse_day(&shift(first, it)?.to_string()).ok());
        let edges = edges.collect::<Option<Vec<_>>>()?;
        YEARS.contains(&first.year()).then_some(Self { first, edges })
    }

    /// Parses a month such as `2026-01`.
    fn parse(text: &str) -> Result<Self, &'static str> {
        let first = (text.len() == 7).then(|| format!("{text}-01").parse::<Date>().ok()).flatten();
        first
            .and_then(Self::starting)
            .ok_or("must be a month such as 2026-01, in the years 1970 to 2999")
    }

    /// The months that start with the current one.
    fn current(now: Timestamp) -> Option<Self> {
        let now = jiff::Timestamp::from_microsecond(now.as_micros()).ok()?;
        Self::starting(now.to_zoned(TimeZone::UTC).date().first_of_month())
    }

    /// The position of a time in the drawing.
    fn position(&self, at: Timestamp) -> u64 {
        let next = self.edges.partition_point(|it| *it <= at);
        let Some(last) = next.checked_sub(1) else { return 0 };
        match (self.edges.get(last), self.edges.get(next)) {
            (Some(start), Some(end)) => {
                let length = end.since(*start).as_secs().max(1);
                last as u64 * MONTH + MONTH * at.since(*start).as_secs() / length
            }
            _ => WIDTH,
        }
    }

    /// The short names, such as `Jan`.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let first = self.first;
        let months = (0..MONTHS).filter_map(move |it| shift(first, it));
        months.map(month_word)
    }

    /// The months themselves.
    pub(super) fn months(&self) -> Vec<Month> {
        let first = Month::parse(&self.first.strftime("%Y-%m").to_string());
        first.map(|it| it.and_following(MONTHS)).unwrap_or_default()
    }

    /// The first and the last day.
    pub(super) fn days(&self) -> (String, String) {
        let months = self.months();
        let first = months.first().copied().map(Month::first_day).unwrap_or_default();
        (first, months.last().copied().map(Month::last_day).unwrap_or_default())
    }

    /// The first and the last month, such as `Jan 2026 to Dec 2026`.
    pub(super) fn title(&self) -> String {
        let last = shift(self.first, MONTHS - 1).unwrap_or(self.first);
        text!("grant-months", first = month_and_year(self.first), last = month_and_year(last))
    }
}

fn shift(month: Date, by: usize) -> Option<Date> {
    let span = Span::new().try_months(i64::try_from(by).ok()?).ok()?;
    month.checked_add(span).ok()
}

/// Shows the grants of twelve months.
pub(crate) async fn calendar(person: Person, params: Params) -> Outcome {
    let (filter, months) = read(&person, &params)?;
    let found = grant::calendar(person.app(), caller(&person), filter).await?;
    let talents = talents(&person, filter.role).await?;
    let expiry = Expiry::load(&person, &months, filter).await?;
    let body = html! {
        (view_head(GrantsView::Calendar, text!("grant-calendar-lead"), &params))
        (sides(&person, filter.role))
        (filters(GrantsView::Calendar.path(), &params, html! {
            (hidden_param("role", &params)) (hidden_param("from", &params))
            (talent_picker(&talents, &params))
            (status_picker(&params))
        }))
        (month_links(&person, &months, &params))
        @if found.more {
            (notice("", html! { p { (text!("grant-calendar-more")) } }))
        }
        (expiry.months())
        @if !found.grants.is_empty() || expiry.has_licenses() { (grid(&months, person.now())) }
        @if found.grants.is_empty() { (no_grants()) }
        @else { (legend()) (timeline(&person, &months, &found)) }
        (expiry.licenses(&months))
    };
    Ok(person.page(text!("grant-calendar-title"), NavItem::Grants, body))
}

fn read(person: &Person, params: &Params) -> Result<(CalendarFilter, Months)> {
    let mut fields = Fields::default();
    let role = params.get("role").and_then(|it| fields.take("role", it.parse::<Party>()));
    let status = params.get("status");
    let status = status.and_then(|it| fields.take("status", it.parse::<GrantStatus>()));
    let talent = params.get("talent").and_then(|it| fields.take("talent", it.parse()));
    let months = match params.get("from") {
        Some(from) => fields.take("from", Months::parse(from)),
        None => Months::current(person.now()),
    };
    fields.finish()?;
    let months = months.ok_or_else(|| Error::internal("the clock has no month"))?;
    let ends = (months.edges.first().copied(), months.edges.last().copied());
    let (Some(from), Some(to)) = ends else {
        return Err(Error::internal("a calendar without months"));
    };
    Ok((CalendarFilter { role, status, talent, from, to }, months))
}

/// Links to the months before and after.
fn month_links(person: &Person, months: &Months, params: &Params) -> Markup {
    let url = |first: Date| with_query(&person.here, "from", &first.strftime("%Y-%m").to_string());
    let opened = |first: &Date| YEARS.contains(&first.year());
    let year = Span::new().years(1);
    let before = months.first.checked_sub(year).ok().filter(opened);
    let after = months.first.checked_add(year).ok().filter(opened);
    html! {
        nav.pager aria-label=(text!("grant-calendar-months")) {
            @if let Some(first) = before { a.button.small.plain rel="prev" href=(url(first)) { (text!("grant-calendar-previous")) } }
            strong { (months.title()) }
            @if params.get("from").is_some() { a href=(with_query(&person.here, "from", "")) { (text!("grant-calendar-current")) } }
            @if let Some(first) = after { a.button.small.plain rel="next" href=(url(first)) { (text!("grant-calendar-next")) } }
        }
    }
}

fn no_grants() -> Markup {
    let next = html! { a.button.plain href=(LIST) { (text!("grant-view-all")) } };
    empty(text!("grant-calendar-empty"), text!("grant-calendar-empty-why"), next)
}

fn legend() -> Markup {
    html! {
        ul.legend {
            @for it in GrantStatus::ALL {
                li { span class={ "key key-" (tone(it)) } aria-hidden="true" {} (grant_status(it)) }
            }
            li { span.key.key-exclusive aria-hidden="true" {} (text!("grant-exclusive")) }
            li { span.key.key-today aria-hidden="true" {} (text!("grant-calendar-today")) }
        }
    }
}

/// The color of a status.
const fn tone(status: GrantStatus) -> &'static str {
    match status {
        GrantStatus::Scheduled => "accent",
        GrantStatus::Active => "good",
        GrantStatus::Ended => "plain",
        GrantStatus::Revoked => "bad",
    }
}

/// The table of grants. The text of each row says what its bar shows, so screen readers skip bars.
fn timeline(person: &Person, months: &Months, found: &Calendar<GrantView>) -> Markup {
    let by_talent =
        |one: &GrantView, next: &GrantView| one.record.grant.talent == next.record.grant.talent;
    html! {
        div.table.timeline {
            table {
                caption.hidden { (text!("grant-calendar-caption", months = months.title())) }
                thead { (month_heads(months, text!("grant-grant"))) }
                @for group in found.grants.chunk_by(by_talent) {
                    tbody {
                        @if let Some(first) = group.first() { (talent_row(person, first)) }
                        @for view in group { (row(months, view)) }
                    }
                }
            }
        }
    }
}

/// The heads of the columns: what is drawn, the months, and the status.
pub(super) fn month_heads(months: &Months, name: &str) -> Markup {
    html! {
        tr {
            th scope="col" { (name) }
            th scope="col" {
                span.hidden { (text!("grant-period-head")) }
                div.months aria-hidden="true" { @for it in months.names() { span { (it) } } }
            }
            th scope="col" { (text!("word-status")) }
        }
    }
}

fn talent_row(person: &Person, first: &GrantView) -> Markup {
    let talent = first.record.grant.talent.to_string();
    html! {
        tr {
            th scope="rowgroup" colspan="3" {
                a href=(with_query(&person.here, "talent", &talent)) { (first.record.talent_name) }
            }
        }
    }
}

fn row(months: &Months, view: &GrantView) -> Markup {
    let (record, grant) = (&view.record, &view.record.grant);
    let coverage = &grant.terms.coverage;
    let with = match view.party {
        Party::Owner => &record.licensee.name,
        Party::Asker => &record.licensor.name,
    };
    html! {
        tr {
            td data-head=(text!("grant-grant")) { div { a href=(path(grant.id)) { (grant.number) } p.quiet { (with) } } }
            td data-head=(text!("grant-period-head")) {
                div {
                    (bar(months, view))
                    p {
                        @match grant.revoked_at {
                            Some(at) => (rich!("grant-period-revoked", period = period(coverage), date = day(at))),
                            None => (period(coverage)),
                        }
                    }
                    p.quiet { (place_names(coverage.territories.as_slice())) }
                }
            }
            td data-head=(text!("word-status")) {
                div { (badge(view.status.name())) @if grant.terms.exclusive { " " (badge("exclusive")) } }
            }
        }
    }
}

/// The lines between months and the line of the current day, once for all bars.
fn grid(months: &Months, now: Timestamp) -> Markup {
    let mut drawn = String::from("<svg class=\"hidden\" aria-hidden=\"true\"><g id=\"months\">");
    for month in 1..MONTHS as u64 {
        let x = month * MONTH;
        let _ =
            write!(drawn, "<line class=\"line\" {SHARP} x1=\"{x}\" x2=\"{x}\" y2=\"{HEIGHT}\"/>");
    }
    if months.edges.first() <= Some(&now) && Some(&now) < months.edges.last() {
        let x = months.position(now);
        let _ =
            write!(drawn, "<line class=\"today\" {SHARP} x1=\"{x}\" x2=\"{x}\" y2=\"{HEIGHT}\"/>");
    }
    drawn.push_str("</g></svg>");
    PreEscaped(drawn)
}

fn bar(months: &Months, view: &GrantView) -> Markup {
    let (coverage, revoked) = (&view.record.grant.terms.coverage, view.record.grant.revoked_at);
    let end = [coverage.ends_at, revoked].into_iter().flatten().min();
    let exclusive = if view.record.grant.terms.exclusive { " exclusive" } else { "" };
    let class = format!("fill-{}{exclusive}", tone(view.status));
    span_bar(months, coverage.starts_at, end, &class)
}

/// A bar from a start to an end, if there is one, over the lines of the months.
pub(super) fn span_bar(
    months: &Months,
    start: Timestamp,
    end: Option<Timestamp>,
    class: &str,
) -> Markup {
    let x = months.position(start).min(WIDTH - NARROWEST);
    let width = end.map_or(WIDTH, |it| months.position(it)).saturating_sub(x).max(NARROWEST);
    PreEscaped(format!(
        "<svg class=\"span\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" \
         aria-hidden=\"true\"><use href=\"#months\"/><rect class=\"{class}\" x=\"{x}\" \
         y=\"4\" width=\"{width}\" height=\"{}\"/></svg>",
        HEIGHT - 8
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    #[test]
    fn a_time_is_placed_within_its_month() {
        let months = Months::parse("2026-01").unwrap();
        assert_eq!(months.title(), "Jan 2026 to Dec 2026");
        assert_eq!(months.names().nth(1), Some("Feb"));
        for (text, expected) in [
            ("2025-12-31T00:00:00Z", 0),
            ("2026-01-01T00:00:00Z", 0),
            ("2026-02-01T00:00:00Z", 60),
            ("2026-02-15T00:00:00Z", 90),
            ("2026-12-31T23:59:59Z", 719),
            ("2027-01-01T00:00:00Z", 720),
            ("2030-01-01T00:00:00Z", 720),
        ] {
            assert_eq!(months.position(at(text)), expected, "{text}");
        }
    }

    #[test]
    fn only_months_are_months() {
        for bad in ["2026", "2026-13", "2026-1", "1969-12", "3000-01", "26-01-1", "soon"] {
            assert!(Months::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(
            Months::current(at("2026-11-17T10:00:00Z")).unwrap().title(),
            "Nov 2026 to Oct 2027"
        );
        assert!(Months::parse("2999-12").is_ok());
    }
}
