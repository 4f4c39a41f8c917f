//! The building blocks of pages.

use grantor_domain::page::Listing;
use grantor_messages::text;
use maud::{Markup, html};

use super::field::hidden;
use super::shell::humanize;
use super::sort::Sorting;

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

/// An empty list of somebody who is new to it: what it is for, how it works in a few steps, and
/// where to begin.
pub(crate) fn lesson(title: &str, why: &str, steps: &[&str], next: Markup) -> Markup {
    html! {
        section.empty {
            h2 { (title) }
            p { (why) }
            ol.lesson { @for step in steps { li { (step) } } }
            div { (next) }
        }
    }
}

/// A notice. `tone` is `good`, `bad`, `warn` or empty.
pub(crate) fn notice(tone: &str, body: Markup) -> Markup {
    html! { div class={ "notice " (tone) } { (body) } }
}

/// A colored status label. The text alone carries the meaning, too.
pub(crate) fn badge(state: &str) -> Markup {
    let tone = match state {
        "active" | "verified" | "public" | "running" | "licensed" | "delivered" | "paid"
        | "succeeded" | "confirmed" | "accepted" | "info" | "ok" | "healthy" => "good",
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

/// Stands for a value that there is not. Screen readers would skip a dash, so they get a word.
pub(crate) fn absent() -> Markup {
    html! { span.quiet aria-hidden="true" { "–" } span.hidden { (text!("view-absent")) } }
}

/// The value of a cell or fact, which may be absent.
fn present(value: &Markup) -> Markup {
    if value.0.trim().is_empty() { absent() } else { value.clone() }
}

/// A list of names and values.
pub(crate) fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl.facts {
            @for (name, fact) in facts { div { dt { (name) } dd { (present(fact)) } } }
        }
    }
}

/// A text with a copy button, such as a secret or a command.
pub(crate) fn code(label: &str, text: &str) -> Markup {
    html! {
        div.code {
            pre tabindex="0" role="region" aria-label=(label) { code { (text) } }
            button.small type="button" data-copy=(text) data-copied=(text!("view-copied")) hidden {
                (text!("action-copy"))
            }
        }
    }
}

/// An ID that only programs need, folded away.
pub(crate) fn for_developers(label: &str, id: &str) -> Markup {
    html! {
        details.more {
            summary { (text!("view-for-developers")) }
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

/// A [`post_button`] that is not the main one of its page.
pub(crate) fn plain_button(action: &str, label: &str, values: &[(&str, &str)]) -> Markup {
    html! {
        form.inline method="post" action=(action) {
            @for (name, value) in values { (hidden(name, value)) }
            button.small.plain { (label) }
        }
    }
}

/// A button that removes something, which the next page offers to undo, so it asks nothing first.
pub(crate) fn undoable(action: &str, label: &str, values: &[(&str, &str)]) -> Markup {
    html! {
        form.inline method="post" action=(action) {
            @for (name, value) in values { (hidden(name, value)) }
            button.small.remove { (label) }
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
                    h3 {
                        (title)
                        @if index < done { span.hidden { " " (text!("view-step-done")) } }
                    }
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
    /// The keys of the rows, if the table updates itself.
    keys: Vec<String>,
    /// How the list is sorted, and its address.
    sorting: Option<(Sorting, &'a str)>,
    class: &'static str,
}

impl<'a> Table<'a> {
    /// Creates a table. Only screen readers see the caption.
    pub(crate) fn new(caption: &'a str, heads: &'a [&'a str]) -> Self {
        Self { caption, heads, rows: vec![], keys: vec![], sorting: None, class: "" }
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

    /// Adds a row for each item, with a key by which the row is recognized when the table updates
    /// itself.
    pub(crate) fn keyed_rows<T, K: ToString>(
        mut self,
        items: impl IntoIterator<Item = T>,
        key: impl Fn(&T) -> K,
        mut draw: impl FnMut(T) -> Vec<Markup>,
    ) -> Self {
        let rows = items.into_iter().map(|it| (key(&it).to_string(), draw(it)));
        (self.keys, self.rows) = rows.unzip();
        self
    }

    /// Lets the columns that sort the list have links. `here` is the list's address.
    pub(crate) fn sorted(mut self, sorting: Sorting, here: &'a str) -> Self {
        self.sorting = Some((sorting, here));
        self
    }

    fn head(&self, head: &str) -> Markup {
        if let Some((sorting, here)) = &self.sorting {
            sorting.head(head, here)
        } else {
            html! { th scope="col" { (head) } }
        }
    }

    /// Renders the table.
    pub(crate) fn show(&self) -> Markup {
        html! {
            div class={ "table " (self.class) } {
                table {
                    caption.hidden { (self.caption) }
                    thead { tr { @for head in self.heads { (self.head(head)) } } }
                    tbody {
                        @for (index, row) in self.rows.iter().enumerate() {
                            tr data-row=[self.keys.get(index)] {
                                @for (cell, head) in row.iter().zip(self.heads) {
                                    // A column without a heading has buttons, not values.
                                    td data-head=(head) {
                                        div { @if head.is_empty() { (cell) } @else { (present(cell)) } }
                                    }
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
    let [shown, pages, total] = [page, last, listing.total].map(|it| it.to_string());
    html! {
        @if last > 1 {
            nav.pager aria-label=(text!("view-pages")) {
                @if page > 1 {
                    a.button.small rel="prev" href=(page_url(here, (page - 1).min(last))) {
                        (text!("action-previous"))
                    }
                }
                span { (text!("view-page-of", page = shown, last = pages, total = total)) }
                @if page < last {
                    a.button.small rel="next" href=(page_url(here, page + 1)) {
                        (text!("action-next"))
                    }
                }
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
    fn what_is_absent_is_a_dash_and_a_word() {
        let rows = [("Zoë", ""), ("", "Edit")];
        let table = Table::new("Talents", &["Name", ""])
            .rows(rows, |(name, button)| vec![html! { (name) }, html! { (button) }]);
        let drawn = table.show().into_string();
        let dash = "<div><span class=\"quiet\" aria-hidden=\"true\">–</span>\
                    <span class=\"hidden\">Not specified</span></div>";
        assert_eq!(drawn.matches(dash).count(), 1, "{drawn}");
        assert!(drawn.contains("<div>Zoë</div>") && drawn.contains("<div></div>"), "{drawn}");
        let drawn = facts(&[("Bio", html! {})]).into_string();
        assert!(drawn.contains("Not specified"), "{drawn}");
    }

    #[test]
    fn another_page_keeps_the_question() {
        let here = "/app/licenses?search=a%20b&status=&page=2";
        assert_eq!(page_url(here, 3), "/app/licenses?search=a+b&page=3");
        assert_eq!(with_query(here, "status", "draft"), "/app/licenses?search=a+b&status=draft");
        assert_eq!(with_query("/app/licenses?page=2", "sort", ""), "/app/licenses");
    }
}
