//! The filters of a list: a search box, the other filters, folded until one is set, and chips for
//! those that are set.

use grantor_domain::day::Day;
use grantor_messages::text;
use maud::{Markup, html};

use super::chip::{Chip, chips};
use super::filter::{amount_box, day, hidden_param, name_box, one_of, search_box, submit};
use super::sort::Sorting;
use super::time::utc_date;
use crate::frame::Params;

/// The filters of a list. Each method adds one.
pub(crate) struct ListFilters<'a> {
    action: &'a str,
    here: &'a str,
    params: &'a Params,
    /// Where the link that removes all filters leads.
    clear: String,
    search: Markup,
    kept: Markup,
    fields: Vec<Markup>,
    chips: Vec<Chip>,
    /// Whether a folded filter is set or has an error, which must be visible.
    is_open: bool,
}

impl<'a> ListFilters<'a> {
    /// Creates filters. `here` is the address of the list with its current filters.
    pub(crate) fn new(action: &'a str, here: &'a str, params: &'a Params) -> Self {
        Self {
            action,
            here,
            params,
            clear: action.to_owned(),
            search: html! {},
            kept: html! {},
            fields: vec![],
            chips: vec![],
            is_open: false,
        }
    }

    /// Sets where the link that removes all filters leads.
    pub(crate) fn cleared_by(mut self, clear: String) -> Self {
        self.clear = clear;
        self
    }

    /// Adds the search box. The label says what is searched.
    pub(crate) fn search(mut self, label: &str) -> Self {
        self.search = search_box("search", label, self.params);
        if let Some(text) = self.params.get("search") {
            let value = text.to_owned();
            self.add_chip("search", text!("view-filter-search"), value);
        }
        self
    }

    /// Keeps a parameter that is not a filter, such as that of the current tab.
    pub(crate) fn keep(mut self, name: &str) -> Self {
        self.kept = html! { (self.kept) (hidden_param(name, self.params)) };
        self
    }

    /// Adds a select, with a first option for any.
    pub(crate) fn pick<V: AsRef<str>, L: AsRef<str>>(
        mut self,
        name: &str,
        label: &str,
        any: &str,
        options: impl IntoIterator<Item = (V, L)>,
    ) -> Self {
        let owned = |(value, words): (V, L)| (value.as_ref().to_owned(), words.as_ref().to_owned());
        let options: Vec<(String, String)> = options.into_iter().map(owned).collect();
        if let Some(value) = self.params.get(name) {
            let words = options.iter().find(|(it, _)| it == value).map(|(_, words)| words.clone());
            let words = words.unwrap_or_else(|| value.to_owned());
            self.add_chip(name, label, words);
        }
        let any = std::iter::once((String::new(), any.to_owned()));
        let field = one_of(name, label, any.chain(options), self.params);
        self.add_field(name, field)
    }

    /// Adds a text field for a name. `source` is the address of suggestions, up to the text.
    /// `known` is the name of the record that a link has chosen by its ID.
    pub(crate) fn name(
        mut self,
        name: &str,
        label: &str,
        source: &str,
        known: Option<&str>,
    ) -> Self {
        if let Some(value) = self.params.get(name) {
            let words = known.unwrap_or(value).to_owned();
            self.add_chip(name, label, words);
        }
        // An ID is not shown in a field; typing another name replaces it after the chip is removed.
        if known.is_some() {
            return self.keep(name);
        }
        let field = name_box(name, label, source, self.params);
        self.add_field(name, field)
    }

    /// Adds a date.
    pub(crate) fn day(mut self, name: &str, label: &str) -> Self {
        if let Some(value) = self.params.get(name) {
            let words =
                Day::parse(value).map_or_else(|_| value.to_owned(), |it| utc_date(it.start()));
            self.add_chip(name, label, words);
        }
        let field = day(name, label, self.params);
        self.add_field(name, field)
    }

    /// Adds an amount of money.
    pub(crate) fn amount(mut self, name: &str, label: &str) -> Self {
        if let Some(value) = self.params.get(name) {
            let value = value.to_owned();
            self.add_chip(name, label, value);
        }
        let field = amount_box(name, label, self.params);
        self.add_field(name, field)
    }

    /// Adds a filter that only links set. `words` name what it is set to.
    pub(crate) fn linked(mut self, name: &str, label: &str, words: &str) -> Self {
        if self.params.get(name).is_some() {
            self.add_chip(name, label, words.to_owned());
        }
        self.keep(name)
    }

    /// Adds the select that sorts. An order is no filter, so it does not unfold the filters.
    pub(crate) fn sorted(mut self, sorting: &Sorting) -> Self {
        self.is_open |= self.is_wrong("sort");
        self.fields.push(sorting.select(self.params));
        self
    }

    fn add_chip(&mut self, name: &str, label: &str, value: String) {
        self.chips.push(Chip { name: name.to_owned(), label: label.to_owned(), value });
    }

    fn add_field(mut self, name: &str, field: Markup) -> Self {
        self.is_open |= self.is_wrong(name) || self.params.get(name).is_some();
        self.fields.push(field);
        self
    }

    fn is_wrong(&self, name: &str) -> bool {
        self.params.raw(name) != self.params.get(name)
    }

    /// Whether any filter is set, so that an empty list does not mean that there is nothing.
    pub(crate) fn is_set(&self) -> bool {
        !self.chips.is_empty()
    }

    /// The link that removes all filters.
    pub(crate) fn clear_link(&self) -> Markup {
        html! { a.button.plain href=(self.clear) { (text!("view-filters-clear")) } }
    }

    /// Renders the form and the chips.
    pub(crate) fn show(&self) -> Markup {
        let count = self.chips.len().to_string();
        html! {
            form.filters role="search" method="get" action=(self.action) data-filter="" {
                (self.kept)
                (self.search)
                @if !self.fields.is_empty() {
                    details.folded open[self.is_open] {
                        summary.button.plain {
                            @if self.is_set() { (text!("view-filters-set", count = count)) }
                            @else { (text!("view-filters")) }
                        }
                        div.fields { @for it in &self.fields { (it) } }
                    }
                }
                (submit())
            }
            (chips(&self.chips, self.here, &self.clear))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(query: &str) -> (String, bool) {
        let (params, here) = (Params::read(query), format!("/app/talents?{query}"));
        let filters = ListFilters::new("/app/talents", &here, &params)
            .search("Search by name")
            .keep("of")
            .pick("status", "Status", "Any status", [("active", "Active")])
            .name("owner", "Owner", "/app/names?search=", None)
            .day("from", "From");
        (filters.show().into_string(), filters.is_set())
    }

    #[test]
    fn each_set_filter_is_a_chip_in_words() {
        let (drawn, set) = draw("search=zoe&status=active&from=2026-01-31&of=seen");
        assert!(set);
        let shown = ["Search: <strong>zoe", "Status: <strong>Active", "From: <strong>Jan 31, 2026"];
        for chip in shown {
            assert!(drawn.contains(chip), "{chip}: {drawn}");
        }
        assert!(drawn.contains("Filters (3)"), "{drawn}");
        assert!(drawn.contains("name=\"of\" value=\"seen\""), "{drawn}");
        let (drawn, set) = draw("of=seen");
        assert!(!set && !drawn.contains("chips"), "{drawn}");
    }

    #[test]
    fn filters_are_folded_until_one_is_set_or_wrong() {
        for (query, open) in
            [("", false), ("search=zoe&of=seen", false), ("status=active", true), ("owner=a", true)]
        {
            let (drawn, _) = draw(query);
            assert_eq!(drawn.contains("<details class=\"folded\" open>"), open, "{query}: {drawn}");
            assert!(drawn.contains("<details class=\"folded\""), "{query}: {drawn}");
        }
    }

    #[test]
    fn a_button_is_shown_only_without_scripts() {
        let (drawn, _) = draw("");
        assert_eq!(drawn.matches("<button").count(), 2);
        assert!(drawn.contains("<noscript><button class=\"small\">Apply</button></noscript>"));
        assert!(drawn.contains("<button hidden>"));
    }
}
