//! Filters of lists. Where scripts run, a change is submitted at once.

use grantor_messages::text;
use maud::{Markup, html};

use super::{HERE, Part};
use crate::view::chip::{Chip, chips};
use crate::view::filter::{
    amount_box, day, day_or, filters, name_box, one_of, pick, search_box, text_box,
};
use crate::view::list_filter::ListFilters;

fn statuses() -> [(&'static str, &'static str); 2] {
    [
        ("active", text!("style-guide-example-active")),
        ("inactive", text!("style-guide-example-inactive")),
    ]
}

pub(super) const PARTS: &[Part] = &[
    Part {
        name: "list_filter::ListFilters",
        draw: |example| {
            let any = text!("style-guide-example-any-status");
            ListFilters::new(HERE, HERE, &example.params)
                .search(text!("style-guide-example-search-name"))
                .pick("status", text!("word-status"), any, statuses())
                .day("from", text!("style-guide-example-from"))
                .show()
        },
    },
    Part {
        name: "filter::filters",
        draw: |example| {
            let status = one_of("example_one", text!("word-status"), statuses(), &example.params);
            filters(HERE, &example.params, status)
        },
    },
    Part {
        name: "chip::chips",
        draw: |_| {
            let (label, value) = (text!("word-status"), text!("style-guide-example-public"));
            let (label, value) = (label.to_owned(), value.to_owned());
            let chip = Chip { name: "status".to_owned(), label, value };
            chips(&[chip], HERE, HERE)
        },
    },
    Part {
        name: "filter::search_box",
        draw: |example| {
            let label = text!("style-guide-example-search-name");
            row(&search_box("example_search", label, &example.params))
        },
    },
    Part {
        name: "filter::text_box",
        draw: |example| {
            let label = text!("style-guide-example-action");
            row(&text_box("example_text", label, "license.update", &example.params))
        },
    },
    Part {
        name: "filter::pick",
        draw: |example| {
            let (label, any) = (text!("word-status"), text!("style-guide-example-any-status"));
            row(&pick("example_status", label, any, statuses(), &example.params))
        },
    },
    Part {
        name: "filter::one_of",
        draw: |example| {
            let label = text!("style-guide-example-sort-by");
            row(&one_of("example_order", label, statuses(), &example.params))
        },
    },
    Part {
        name: "filter::name_box",
        draw: |example| {
            let label = text!("style-guide-example-talent");
            row(&name_box("example_talent", label, "/app/names?search=", &example.params))
        },
    },
    Part {
        name: "filter::amount_box",
        draw: |example| {
            let label = text!("style-guide-example-price-from");
            row(&amount_box("example_price", label, &example.params))
        },
    },
    Part {
        name: "filter::day",
        draw: |example| {
            row(&day("example_day", text!("style-guide-example-created-from"), &example.params))
        },
    },
    Part {
        name: "filter::day_or",
        draw: |example| {
            let (label, other) = (text!("style-guide-example-on"), Some("2026-01-01"));
            row(&day_or("example_on", label, other, &example.params))
        },
    },
];

fn row(filter: &Markup) -> Markup {
    html! { div.filters { (filter) } }
}
