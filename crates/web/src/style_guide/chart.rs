//! Charts. Each says its numbers in words, too.

use grantor_messages::text;

use super::Part;
use crate::view::chart::{
    Series, bar_table, grouped, meter, meter_with, segmented_bar, stacked_bars, stacked_bars_by,
};

fn verdicts() -> [Series<'static>; 3] {
    [
        (text!("style-guide-example-licensed"), "good"),
        (text!("style-guide-example-needs-review"), "warn"),
        (text!("style-guide-example-unlicensed"), "bad"),
    ]
}

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "chart::stacked_bars",
        draw: |_| {
            let days = counts(|it| text!("style-guide-example-day-of-january", day = it));
            stacked_bars(text!("style-guide-example-by-verdict"), &verdicts(), &days)
        },
    },
    Part {
        name: "chart::stacked_bars_by",
        draw: |_| {
            let (title, unit) =
                (text!("style-guide-example-by-week"), text!("style-guide-example-week"));
            let weeks = counts(|it| text!("style-guide-example-week-number", week = it));
            stacked_bars_by(title, unit, &verdicts(), &weeks)
        },
    },
    Part {
        name: "chart::bar_table",
        draw: |_| {
            let rows = [("Lumen".to_owned(), 1_200), ("Harbor".to_owned(), 300)];
            let heads =
                [text!("style-guide-example-platform"), text!("style-guide-example-mentions")];
            bar_table(text!("style-guide-example-by-platform"), heads, &rows)
        },
    },
    Part {
        name: "chart::segmented_bar",
        draw: |_| segmented_bar(text!("style-guide-example-in-total"), &verdicts(), &[12, 5, 3]),
    },
    Part {
        name: "chart::meter",
        draw: |_| meter(text!("style-guide-example-requests-this-month"), 91_000, Some(100_000)),
    },
    Part {
        name: "chart::meter_with",
        draw: |_| {
            let title = text!("style-guide-example-storage");
            meter_with(title, 12, Some(20), |it| format!("{} GB", grouped(it)))
        },
    },
];

fn counts(label: fn(u64) -> String) -> Vec<(String, Vec<u64>)> {
    (1..=7).map(|it| (label(it), vec![it % 4, it % 3, it % 2])).collect()
}
