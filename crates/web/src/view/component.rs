//! The building blocks of pages.

use grantor_domain::page::Listing;
use maud::{Markup, html};

use super::chart::grouped;
use super::field::hidden;
use super::shell::humanize;

/// The heading of a page with its actions.
pub(crate) fn head(title: &str, lead: &str, actions: Markup) -> Markup {
    html! {
        header.head {
            div { h1 { (title) } @if !lead.is_empty() { p.lead { (lead) } } }
            div.row { (actions) }
        }
    }
}

/// A section with its own heading.
pub(crate) fn card(title: &str, body: Markup) -> Markup {
    html! { section.card { h2 { (title) } (body) } }
}

/// An empty state: what is missing, and what to do next.
pub(crate) fn empty(title: &str, why: &str, next: Markup) -> Markup {
    html! { section.empty { h2 { (title) } p { (why) } (next) } }
}

/// A notice. `tone` is `good`, `bad`, `warn` or empty.
pub(crate) fn notice(tone: &str, body: Markup) -> Markup {
    html! { div class={ "notice " (tone) } { (body) } }
}

/// A colored status label. The text alone carries the meaning, too.
pub(crate) fn badge(state: &str) -> Markup {
    let tone = match state {
        "active" | "verified" | "public" | "running" | "licensed" | "delivered" | "paid"
        | "succeeded" | "confirmed" | "accepted" | "info" | "ok" => "good",
        "unlicensed" | "failed" | "revoked" | "suspended" | "error" | "expired" | "past_due"
        | "declined" | "denied" | "failing" => "bad",
        "pending"
        | "pending_verification"
        | "needs_review"
        | "paused"
        | "draft"
        | "new"
        | "warn"
        | "disabled"
        | "inactive"
        | "open"
        | "offered"
        | "partial"
        | "interrupted"
        | "blocked" => "warn",
        _ => "plain",
    };
    html! { span class={ "badge " (tone) } { (humanize(state)) } }
}

/// A list of names and values.
pub(crate) fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl.facts {
            @for (name, fact) in facts { div { dt { (name) } dd { (fact) } } }
        }
    }
}

/// A count with its noun in singular or plural.
pub(crate) fn pluralize(count: u64, noun: &str) -> String {
    let suffix = if count == 1 { "" } else { "s" };
    format!("{} {noun}{suffix}", grouped(count))
}

/// A text with a copy button, such as a secret or a command.
pub(crate) fn code(label: &str, text: &str) -> Markup {
    html! {
        div.code {
            pre tabindex="0" role="region" aria-label=(label) { code { (text) } }
            button.small type="button" data-copy=(text) hidden { "Copy" }
        }
    }
}

/// An ID that only programs need, folded away.
pub(crate) fn for_developers(label: &str, id: &str) -> Markup {
    html! {
        details.more {
            summary { "For developers" }
            p.quiet { (label) }
            (code(label, id))
        }
    }
}

/// A button that posts the given values.
pub(crate) fn post_button(action: &str, label: &str, values: &[(&str, &str)]) -> Markup {
    html! {
        form.inline method="post" action=(action) {
            @for (name, value) in values { (hidden(name, value)) }
            button.small { (label) }
        }
    }
}

/// A post button that asks for confirmation first, without JavaScript.
pub(crate) fn confirm(
    action: &str,
    label: &str,
    question: &str,
    values: &[(&str, &str)],
) -> Markup {
    let values = html! { @for (name, value) in values { (hidden(name, value)) } };
    confirm_with(action, label, question, values)
}

/// A [`confirm`] button with form fields.
pub(crate) fn confirm_with(action: &str, label: &str, question: &str, fields: Markup) -> Markup {
    html! {
        details.confirm {
            summary.button.small.danger { (label) "…" }
            form method="post" action=(action) {
                p { (question) }
                (fields)
                button.danger.small { (label) }
            }
        }
    }
}

/// Tabs: each has a URL, a label, and whether it is the current one.
pub(crate) fn tabs(label: &str, tabs: &[(String, &str, bool)]) -> Markup {
    html! {
        nav.tabs aria-label=(label) {
            @for (url, label, current) in tabs {
                a href=(url) aria-current=[current.then_some("page")] { (label) }
            }
        }
    }
}

/// Numbered steps, the first `done` of them marked as done.
pub(crate) fn steps(all: &[(&str, Markup)], done: usize) -> Markup {
    html! {
        ol.steps {
            @for (index, (title, body)) in all.iter().enumerate() {
                li.done[index < done] aria-current=[(index == done).then_some("step")] {
                    h3 { (title) @if index < done { span.hidden { " (done)" } } }
                    (body)
                }
            }
        }
    }
}

/// A table. On a phone each row becomes a card, and each cell shows its heading.
pub(crate) struct Table<'a> {
    caption: &'a str,
    heads: &'a [&'a str],
    rows: Vec<Vec<Markup>>,
    class: &'static str,
}

impl<'a> Table<'a> {
    /// Creates a table. Only screen readers see the caption.
    pub(crate) fn new(caption: &'a str, heads: &'a [&'a str]) -> Self {
        Self { caption, heads, rows: vec![], class: "" }
    }

    /// Sets how the cards look on a phone: `unlabeled`, without headings, or `compact`, with all
    /// cells but the first in one line.
    pub(crate) fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    /// Adds a row for each item.
    pub(crate) fn rows<T>(
        mut self,
        items: impl IntoIterator<Item = T>,
        draw: impl FnMut(T) -> Vec<Markup>,
    ) -> Self {
        self.rows = items.into_iter().map(draw).collect();
        self
    }

    /// Renders the table.
    pub(crate) fn show(&self) -> Markup {
        html! {
            div class={ "table " (self.class) } {
                table {
                    caption.hidden { (self.caption) }
                    thead { tr { @for head in self.heads { th scope="col" { (head) } } } }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (cell, head) in row.iter().zip(self.heads) {
                                    td data-head=(head) { div { (cell) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The pager of a list.
pub(crate) fn pager<T>(listing: &Listing<T>, here: &str) -> Markup {
    let (page, last) = (u64::from(listing.page.number()), listing.total_pages().max(1));
    html! {
        @if last > 1 {
            nav.pager aria-label="Pagination" {
                @if page > 1 { a.button.small rel="prev" href=(page_url(here, (page - 1).min(last))) { "Previous" } }
                span { "Page " (page) " of " (last) " · " (listing.total) " total" }
                @if page < last { a.button.small rel="next" href=(page_url(here, page + 1)) { "Next" } }
            }
        }
    }
}

/// Returns the URL with one query parameter replaced, or removed if the value is empty. It drops
/// `page`.
pub(crate) fn with_query(here: &str, name: &str, value: &str) -> String {
    let (path, query) = here.split_once('?').unwrap_or((here, ""));
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    for (it, old) in url::form_urlencoded::parse(query.as_bytes()) {
        if it != name && it != "page" && !old.is_empty() {
            pairs.append_pair(&it, &old);
        }
    }
    if !value.is_empty() {
        pairs.append_pair(name, value);
    }
    let query = pairs.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

fn page_url(here: &str, page: u64) -> String {
    with_query(here, "page", &page.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let words = [0, 1, 2, 1_000].map(|it| pluralize(it, "mention"));
        assert_eq!(words, ["0 mentions", "1 mention", "2 mentions", "1,000 mentions"]);
    }

    #[test]
    fn another_page_keeps_the_question() {
        let here = "/app/licenses?search=a%20b&status=&page=2";
        assert_eq!(page_url(here, 3), "/app/licenses?search=a+b&page=3");
        assert_eq!(with_query(here, "status", "draft"), "/app/licenses?search=a+b&status=draft");
        assert_eq!(with_query("/app/licenses?page=2", "sort", ""), "/app/licenses");
    }
}
