//! Chips: the filters of a list that are set, each with a link that removes it.

use grantor_messages::text;
use maud::{Markup, html};

use super::component::with_query;
use super::rich::rich;

/// A filter that is set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chip {
    /// The name of the query parameter.
    pub(crate) name: String,
    pub(crate) label: String,
    /// The value in words.
    pub(crate) value: String,
}

/// Shows the filters that are set, and a link that removes all of them.
pub(crate) fn chips(all: &[Chip], here: &str, clear: &str) -> Markup {
    html! {
        @if !all.is_empty() {
            ul.chips aria-label=(text!("view-chips")) {
                @for it in all {
                    li {
                        @let (label, value) = (&it.label, html! { strong { (it.value) } });
                        a.chip href=(with_query(here, &it.name, ""))
                            aria-label=(text!("view-chip-remove", label = label, value = &it.value)) {
                            span { (rich!("view-chip", label = label, value = value)) }
                            span.cross aria-hidden="true" { "×" }
                        }
                    }
                }
                li { a href=(clear) { (text!("view-filters-clear")) } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_removes_its_filter_and_the_page() {
        let chip = |name: &str, value: &str| Chip {
            name: name.to_owned(),
            label: "Status".to_owned(),
            value: value.to_owned(),
        };
        let here = "/app/licenses?status=public&search=a%26b&page=3";
        let drawn = chips(&[chip("status", "<Public>")], here, "/app/licenses").into_string();
        assert!(drawn.contains("href=\"/app/licenses?search=a%26b\""), "{drawn}");
        assert!(drawn.contains("aria-label=\"Remove filter Status: &lt;Public&gt;\""), "{drawn}");
        assert!(drawn.contains("href=\"/app/licenses\""), "{drawn}");
        assert_eq!(chips(&[], here, "/app").into_string(), "");
    }
}
