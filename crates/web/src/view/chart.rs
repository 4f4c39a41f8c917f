//! SVG charts. Each has a text label for screen readers, and day charts also have a table. A
//! drawing is stretched to the width of its place; the labels around it are text of the page, so
//! they have the same size on every screen.

use std::fmt::Write as _;

use grantor_messages::text;
use maud::{Markup, PreEscaped, html};

use super::money::NumberStyle;

/// A series: its label and color name.
pub(crate) type Series<'a> = (&'a str, &'a str);

const WIDTH: u32 = 720;
const HEIGHT: u32 = 160;

/// A stacked bar for each day.
pub(crate) fn stacked_bars(
    title: &str,
    series: &[Series<'_>],
    days: &[(String, Vec<u64>)],
) -> Markup {
    stacked_bars_by(title, text!("view-chart-day"), series, days)
}

/// A stacked bar for each unit of time, such as `Week`.
pub(crate) fn stacked_bars_by(
    title: &str,
    unit: &str,
    series: &[Series<'_>],
    days: &[(String, Vec<u64>)],
) -> Markup {
    let top = days.iter().map(|(_, it)| it.iter().sum::<u64>()).max().unwrap_or(0);
    let top = round_up(top.max(4));
    let total: u64 = days.iter().flat_map(|(_, it)| it).sum();
    let label = text!("view-chart-total", title = title, total = total.to_string());
    let heads: Vec<&str> = std::iter::once(unit).chain(series.iter().map(|it| it.0)).collect();
    html! {
        figure.chart {
            figcaption { (title) }
            div.plot {
                div.axis aria-hidden="true" {
                    @for part in [2, 1, 0] { span { (grouped(top * part / 2)) } }
                }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img"
                    aria-label=(label) {
                    (grid(top)) (bars(series, days, top))
                }
                div.days aria-hidden="true" { @for day in labeled(days) { span { (day) } } }
            }
            (legend(series, &sums(series, days)))
            (numbers(&heads, days.iter().rev().filter(|(_, it)| it.iter().sum::<u64>() > 0).map(|(day, it)| {
                std::iter::once(day.clone()).chain(it.iter().map(u64::to_string)).collect()
            })))
        }
    }
}

/// A table with a bar for each row, the longest first.
pub(crate) fn bar_table(title: &str, heads: [&str; 2], rows: &[(String, u64)]) -> Markup {
    let most = rows.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    html! {
        figure.chart {
            figcaption { (title) }
            table.bars {
                thead.hidden { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for (name, count) in rows {
                        tr {
                            th scope="row" { (name) }
                            td { div.bar {
                                svg viewBox="0 0 720 12" preserveAspectRatio="none" aria-hidden="true" {
                                    (PreEscaped(format!(
                                        "<rect class=\"fill-accent\" width=\"{}\" height=\"12\"/>",
                                        scaled(*count, 720, most).max(4)
                                    )))
                                }
                                span { (grouped(*count)) }
                            } }
                        }
                    }
                }
            }
        }
    }
}

/// One bar divided into parts.
pub(crate) fn segmented_bar(title: &str, series: &[Series<'_>], counts: &[u64]) -> Markup {
    let total: u64 = counts.iter().sum();
    let label = text!("view-chart-total", title = title, total = total.to_string());
    html! {
        figure.chart {
            figcaption { (title) }
            svg.parts viewBox="0 0 720 28" preserveAspectRatio="none" role="img"
                aria-label=(label) {
                (strip(series, counts, total))
            }
            (legend(series, counts))
        }
    }
}

/// A usage bar.
pub(crate) fn meter(title: &str, used: u64, of: Option<u64>) -> Markup {
    meter_with(title, used, of, grouped)
}

/// A usage bar with its own number format.
pub(crate) fn meter_with(
    title: &str,
    used: u64,
    of: Option<u64>,
    format: fn(u64) -> String,
) -> Markup {
    let text = match of {
        Some(of) => text!("view-chart-of", used = format(used), limit = format(of)),
        None => text!("view-chart-unlimited", used = format(used)),
    };
    // Without a limit the bar stays empty.
    let of = of.unwrap_or(u64::MAX / 10).max(1);
    let full = scaled(used.min(of), 720, of);
    let tone = if used.saturating_mul(10) >= of.saturating_mul(9) { "bad" } else { "accent" };
    html! {
        figure.chart {
            figcaption { (title) }
            svg.parts viewBox="0 0 720 28" preserveAspectRatio="none" role="img"
                aria-label=(text!("view-chart-label", title = title, text = &text)) {
                (PreEscaped(format!(
                    "<rect class=\"fill-none\" width=\"720\" height=\"28\"/>\
                     <rect class=\"fill-{tone}\" width=\"{full}\" height=\"28\"/>"
                )))
            }
            p.quiet { (text) }
        }
    }
}

/// A number with its name.
pub(crate) fn tile(name: &str, number: u64, url: Option<&str>, text: &str) -> Markup {
    html! {
        div.tile {
            p.tile-name { (name) }
            p.tile-figure { (grouped(number)) }
            @if let Some(url) = url { a href=(url) { (text) } } @else { p.quiet { (text) } }
        }
    }
}

/// `1234567` as `1,234,567`, in the reader's style.
pub(crate) fn grouped(number: u64) -> String {
    NumberStyle::current().whole(number)
}

fn strip(series: &[Series<'_>], counts: &[u64], total: u64) -> Markup {
    let mut drawn = String::from("<rect class=\"fill-none\" width=\"720\" height=\"28\"/>");
    let mut before = 0;
    for ((_, color), count) in series.iter().zip(counts) {
        let from = scaled(before, 720, total.max(1));
        let to = scaled(before + count, 720, total.max(1));
        let width = to.saturating_sub(from);
        let _ = write!(
            drawn,
            "<rect class=\"fill-{color}\" x=\"{from}\" width=\"{width}\" height=\"28\"/>"
        );
        before += count;
    }
    PreEscaped(drawn)
}

/// Three grid lines.
fn grid(top: u64) -> Markup {
    let mut drawn = String::new();
    for part in 0..=2 {
        let y = height(top, top * part / 2);
        let _ = write!(drawn, "<line class=\"line\" x2=\"{WIDTH}\" y1=\"{y}\" y2=\"{y}\"/>");
    }
    PreEscaped(drawn)
}

fn bars(series: &[Series<'_>], days: &[(String, Vec<u64>)], top: u64) -> Markup {
    let mut drawn = String::new();
    let step = step(days.len());
    for (index, (day, counts)) in days.iter().enumerate() {
        let x = small(index) * step + 2;
        let mut below = 0;
        for ((word, color), count) in series.iter().zip(counts) {
            let (y, foot) = (height(top, below + count), height(top, below));
            if *count > 0 {
                let _ = write!(
                    drawn,
                    "<rect class=\"fill-{color}\" x=\"{x}\" y=\"{y}\" width=\"{}\" \
                     height=\"{}\"><title>{day}: {count} {word}</title></rect>",
                    step.saturating_sub(4).max(2),
                    foot.saturating_sub(y).max(1)
                );
            }
            below += count;
        }
    }
    PreEscaped(drawn)
}

/// The first, middle and last day, which have labels.
fn labeled(days: &[(String, Vec<u64>)]) -> Vec<&str> {
    let last = days.len().saturating_sub(1);
    let mut indexes = vec![0, last / 2, last];
    indexes.dedup();
    indexes.iter().filter_map(|it| days.get(*it)).map(|(day, _)| day.as_str()).collect()
}

fn legend(series: &[Series<'_>], counts: &[u64]) -> Markup {
    html! {
        ul.legend {
            @for ((word, color), count) in series.iter().zip(counts) {
                li { span class={ "key key-" (color) } aria-hidden="true" {} (word) " " strong { (grouped(*count)) } }
            }
        }
    }
}

fn numbers(heads: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Markup {
    html! {
        details.numbers {
            summary { (text!("view-chart-data")) }
            table {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}

fn sums(series: &[Series<'_>], days: &[(String, Vec<u64>)]) -> Vec<u64> {
    (0..series.len()).map(|index| days.iter().filter_map(|(_, it)| it.get(index)).sum()).collect()
}

fn step(days: usize) -> u32 {
    WIDTH / small(days.max(1))
}

fn height(top: u64, value: u64) -> u32 {
    HEIGHT.saturating_sub(scaled(value, HEIGHT, top))
}

fn scaled(value: u64, space: u32, of: u64) -> u32 {
    u32::try_from(value.saturating_mul(u64::from(space)) / of.max(1)).unwrap_or(space)
}

fn small(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// Rounds up to a number that is easy to read and to halve.
fn round_up(value: u64) -> u64 {
    let mut step = 1;
    loop {
        for times in [2, 4, 6, 10] {
            if step * times >= value {
                return step * times;
            }
        }
        step *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_tells_its_figures_in_words_too() {
        let days = [("Nov 1".to_owned(), vec![1, 2]), ("Nov 2".to_owned(), vec![0, 5])];
        let series = [("licensed", "good"), ("unlicensed", "bad")];
        let drawn = stacked_bars("Mentions", &series, &days).into_string();
        assert!(drawn.contains("aria-label=\"Mentions: 8 total\""), "{drawn}");
        assert!(drawn.contains("<title>Nov 2: 5 unlicensed</title>"));
        assert!(drawn.contains("<td>Nov 1</td><td>1</td><td>2</td>"));
    }

    #[test]
    fn the_labels_are_not_part_of_the_drawing() {
        let day = |it: u32| (format!("Nov {it}"), vec![2_000]);
        let days: Vec<_> = (1..=7).map(day).collect();
        let drawn = stacked_bars("Mentions", &[("all", "good")], &days).into_string();
        assert!(!drawn.contains("<text"), "{drawn}");
        for labels in [
            "<span>2,000</span><span>1,000</span><span>0</span>",
            "<span>Nov 1</span><span>Nov 4</span><span>Nov 7</span>",
        ] {
            assert!(drawn.contains(labels), "{labels}: {drawn}");
        }
        assert_eq!((labeled(&days[..1]), labeled(&[])), (vec!["Nov 1"], vec![]));
    }

    #[test]
    fn figures_are_easy_to_read() {
        assert_eq!([3, 7, 11, 23, 99, 101].map(round_up), [4, 10, 20, 40, 100, 200]);
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_bar_is_as_long_as_its_count() {
        let rows = [("<Lumen>".to_owned(), 1_200), ("Harbor".to_owned(), 300)];
        let drawn = bar_table("By platform", ["Platform", "Mentions"], &rows).into_string();
        for part in [
            "<th scope=\"col\">Mentions</th>",
            "<th scope=\"row\">&lt;Lumen&gt;</th>",
            "width=\"720\" height=\"12\"/></svg><span>1,200</span>",
            "width=\"180\" height=\"12\"/></svg><span>300</span>",
        ] {
            assert!(drawn.contains(part), "{part}: {drawn}");
        }
        let by_week = stacked_bars_by("Mentions", "Week", &[("all", "good")], &[]).into_string();
        assert!(by_week.contains("<th scope=\"col\">Week</th>"), "{by_week}");
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        let drawn = segmented_bar("Licenses", &[("draft", "warn")], &[0]).into_string();
        assert!(drawn.contains("width=\"0\""), "{drawn}");
        assert!(stacked_bars("Nothing", &[], &[]).into_string().contains("0 total"));
    }
}
