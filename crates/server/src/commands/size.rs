//! `grantor size`: how much space an installation needs, by what was measured for each thing. The
//! figures are in `docs/sizing.md`, with how they were measured.

use crate::bootstrap;
use crate::cli::Size;
use crate::config::{Config, Database};

/// Bytes of a thing in PostgreSQL and in `SQLite`, with its indexes.
type Bytes = [u64; 2];

const TENANT: Bytes = [399, 266];
const PERSON: Bytes = [830, 545];
const TALENT: Bytes = [601, 477];
const LICENSE: Bytes = [2_462, 1_703];
const PERMISSION: Bytes = [1_079, 719];
const IMAGE: Bytes = [506, 281];
const FEATURES: Bytes = [18_800, 18_600];
const MENTION: Bytes = [2_098, 1_939];
const GRANT: Bytes = [4_554, 3_394];
const LOG_ENTRY: Bytes = [656, 474];
const EVENT: Bytes = [1_540, 2_488];
const DELIVERY: Bytes = [590, 721];

/// Bytes of a thumbnail.
const THUMBNAIL: u64 = 8_800;
/// Bytes of the copies of pictures that a mention's evidence has.
const COPIES: u64 = 23_300;

/// One line of the report.
struct Line {
    name: String,
    number: u64,
    each: u64,
}

impl Line {
    fn total(&self) -> u64 {
        self.number.saturating_mul(self.each)
    }
}

/// What each thing takes, and the sums.
pub(crate) fn report(config: &Config, size: &Size) -> String {
    let rows = rows(config, size);
    let pictures = [
        line("images", size.images, size.image_kb.saturating_mul(1_000)),
        line("thumbnails", size.images, THUMBNAIL),
        line("pictures of evidence", size.mentions, COPIES),
    ];
    let mut lines = vec![format!("{:<30} {:>14} {:>10} {:>10}", "", "number", "each", "total")];
    lines.extend(rows.iter().chain(&pictures).filter(|it| it.number > 0).map(|it| {
        let (each, total) = (bytes(it.each), bytes(it.total()));
        format!("{:<30} {:>14} {each:>10} {total:>10}", it.name, it.number)
    }));
    let sum = |lines: &[Line]| lines.iter().fold(0, |sum: u64, it| sum.saturating_add(it.total()));
    let (rows, pictures) = (sum(&rows), sum(&pictures));
    let place = bootstrap::picture_store(config);
    lines.push(format!("{:<30} {:>36}", "Rows of the database", bytes(rows)));
    lines.push(format!("{:<30} {:>36}", format!("Pictures, {place}"), bytes(pictures)));
    lines.join("\n")
}

fn rows(config: &Config, size: &Size) -> Vec<Line> {
    let engine = usize::from(matches!(config.database, Database::Sqlite(_)));
    let kept = |per_day: u64, days: u32| per_day.saturating_mul(days.into());
    let days = &config.retention;
    let deliveries = size.changes.saturating_mul(size.webhooks);
    vec![
        line("tenants", size.tenants, TENANT[engine]),
        line("people", size.people, PERSON[engine]),
        line("talents", size.talents, TALENT[engine]),
        line("licenses", size.licenses, LICENSE[engine]),
        line("permissions", size.permissions, PERMISSION[engine]),
        line("rows of images", size.images, IMAGE[engine]),
        line("features of images", size.images, FEATURES[engine]),
        line("mentions with evidence", size.mentions, MENTION[engine]),
        line("grants", size.grants, GRANT[engine]),
        line(
            &format!("access log, {} days", days.access),
            kept(size.reads, days.access),
            LOG_ENTRY[engine],
        ),
        line(
            &format!("audit log, {} days", days.audit),
            kept(size.changes, days.audit),
            LOG_ENTRY[engine],
        ),
        line(
            &format!("events, {} days", days.events),
            kept(size.changes, days.events),
            EVENT[engine],
        ),
        line(
            &format!("deliveries, {} days", days.events),
            kept(deliveries, days.events),
            DELIVERY[engine],
        ),
    ]
}

fn line(name: &str, number: u64, each: u64) -> Line {
    Line { name: name.to_owned(), number, each }
}

/// A number of bytes with its unit, rounded to one decimal.
fn bytes(bytes: u64) -> String {
    let units: [(u64, &str); 4] =
        [(1_000_000_000_000, "TB"), (1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")];
    // What rounds up to 1000.0 of a unit has the next one.
    match units.into_iter().find(|(unit, _)| bytes >= unit - unit / 20_000) {
        Some((unit, name)) => {
            let tenths = (u128::from(bytes) * 10 + u128::from(unit / 2)) / u128::from(unit);
            format!("{}.{} {name}", tenths / 10, tenths % 10)
        }
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_same_figures() {
        let page = include_str!("../../../../docs/sizing.md");
        for (name, [postgres, sqlite]) in [
            ("tenant", TENANT),
            ("person", PERSON),
            ("talent", TALENT),
            ("license", LICENSE),
            ("permission", PERMISSION),
            ("image", IMAGE),
            ("features of an image", FEATURES),
            ("mention with evidence", MENTION),
            ("grant", GRANT),
            ("entry of the log", LOG_ENTRY),
            ("event", EVENT),
            ("delivery", DELIVERY),
        ] {
            let row = format!("| {name} | {postgres} | {sqlite} |");
            assert!(page.contains(&row), "docs/sizing.md lacks {row}");
        }
        for picture in [THUMBNAIL, COPIES] {
            let row = format!(" | {picture} |");
            assert!(page.contains(&row), "docs/sizing.md lacks {row}");
        }
    }

    #[test]
    fn a_number_of_bytes_is_rounded_to_one_decimal() {
        for (number, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 kB"),
            (2_049, "2.0 kB"),
            (2_098, "2.1 kB"),
            (999_949, "999.9 kB"),
            (999_950, "1.0 MB"),
            (2_500_000, "2.5 MB"),
            (u64::MAX, "18446744.1 TB"),
        ] {
            assert_eq!(bytes(number), text);
        }
    }
}
