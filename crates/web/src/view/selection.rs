//! Selecting rows of a list: a checkbox in each row, and a bar with what can be done to them. It is one
//! form, which works without scripts: "all on this page" and "all that match" are choices of the bar. A
//! script only counts the checked rows and checks all of them.

use std::fmt::Display;

use grantor_domain::batch::{BatchList, MAX_ITEMS};
use grantor_domain::page::Listing;
use grantor_messages::text;
use maud::{Markup, html};

use super::field::hidden;
use crate::asset;

/// The id of the form that all checkboxes belong to.
const FORM: &str = "selection";

/// An action of the bar: the value of its button and the label.
pub(crate) type Action = (&'static str, &'static str);

/// The selection of a list.
pub(crate) struct Selection<'a> {
    list: BatchList,
    here: &'a str,
    actions: Vec<Action>,
    /// The records on the page.
    shown: Vec<String>,
    total: u64,
}

impl<'a> Selection<'a> {
    /// Creates the selection of a page of a list. `here` is its address with its filters.
    pub(crate) fn new<T, K: Display>(
        list: BatchList,
        here: &'a str,
        found: &Listing<T>,
        key: impl Fn(&T) -> K,
        actions: Vec<Action>,
    ) -> Self {
        let shown = found.items.iter().map(|it| key(it).to_string()).collect();
        Self { list, here, actions, shown, total: found.total }
    }

    /// The bar above the list. Empty if nothing can be done, and the checkboxes are hidden then.
    pub(crate) fn bar(&self) -> Markup {
        if self.actions.is_empty() {
            return html! {};
        }
        let (count, total) = (self.shown.len() as u64, self.total);
        let on_page = text!("view-selection-page", count = count);
        let matching = text!("view-selection-all", count = total);
        html! {
            form.selection id=(FORM) method="post" action="/app/bulk" data-selection="" {
                (hidden("list", self.list.name()))
                (hidden("here", self.here))
                (hidden("shown", &self.shown.join(" ")))
                fieldset.row {
                    legend.hidden { (text!("view-selection")) }
                    (scope("rows", text!("view-selection-rows"), true, html! {
                        span.quiet data-picked="" {}
                    }))
                    (scope("page", &on_page, false, html! {}))
                    @if total > count && total <= MAX_ITEMS as u64 {
                        (scope("all", &matching, false, html! {}))
                    }
                }
                div.row {
                    @for (value, label) in &self.actions {
                        button.small.plain name="act" value=(value) { (label) }
                    }
                    a href="/app/batches" { (text!("view-selection-batches")) }
                }
            }
            script src=(asset::url("selection.js")) defer {}
        }
    }
}

/// The cells of a row, with its checkbox and more in the first one. The name is for screen readers.
pub(crate) fn mark(
    (id, name): (impl Display, &str),
    mut cells: Vec<Markup>,
    more: Markup,
) -> Vec<Markup> {
    if let Some(first) = cells.first_mut() {
        *first = html! { div.pick { (checkbox(id, name)) div { (*first) (more) } } };
    }
    cells
}

/// The checkbox of a row.
pub(crate) fn checkbox(id: impl Display, name: &str) -> Markup {
    html! {
        label.pick-row {
            input type="checkbox" name="item" value=(id) form=(FORM) data-pick="";
            span.hidden { (text!("view-selection-row", name = name)) }
        }
    }
}

fn scope(value: &str, label: &str, checked: bool, more: Markup) -> Markup {
    html! {
        label {
            input type="radio" name="scope" value=(value) checked[checked];
            " " (label) " " (more)
        }
    }
}

#[cfg(test)]
mod tests {
    use grantor_domain::page::Page;

    use super::*;

    fn bar(shown: usize, total: u64) -> String {
        let found = Listing::new(Page::new(1, 20), (0..shown).collect(), total);
        let actions = vec![("publish", "Publish")];
        let here = "/app/licenses?status=draft";
        let selection = Selection::new(BatchList::Licenses, here, &found, |it| *it, actions);
        selection.bar().into_string()
    }

    #[test]
    fn all_that_match_can_be_chosen_if_there_are_more_than_on_the_page() {
        let drawn = bar(3, 1_234);
        assert!(drawn.contains("All 3 on this page") && drawn.contains("All 1,234 that match"));
        assert!(drawn.contains("name=\"shown\" value=\"0 1 2\""), "{drawn}");
        assert!(drawn.contains("name=\"here\" value=\"/app/licenses?status=draft\""), "{drawn}");
        assert!(drawn.contains("name=\"act\" value=\"publish\""), "{drawn}");
        assert!(!bar(3, 3).contains("that match"));
        assert!(!bar(3, 10_001).contains("that match"));
    }

    #[test]
    fn a_checkbox_belongs_to_the_form_and_names_its_row() {
        let drawn = checkbox(1, "<Ada>").into_string();
        assert!(drawn.contains("form=\"selection\"") && drawn.contains("value=\"1\""), "{drawn}");
        assert!(drawn.contains("Select &lt;Ada&gt;"), "{drawn}");
    }
}
