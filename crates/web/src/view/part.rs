//! The parts that pages are put together from.

use grantor_domain::page::Listing;
use maud::{Markup, html};

use super::chart::grouped;
use super::field::hidden;
use super::shell::words;

/// The heading of a page, with what can be done there.
pub(crate) fn head(title: &str, lead: &str, actions: Markup) -> Markup {
    html! {
        header.head {
            div { h1 { (title) } @if !lead.is_empty() { p.lead { (lead) } } }
            div.row { (actions) }
        }
    }
}

/// A part of a page under its own heading.
pub(crate) fn card(title: &str, body: Markup) -> Markup {
    html! { section.card { h2 { (title) } (body) } }
}

/// What stands where there is nothing yet: why, and what to do next.
pub(crate) fn empty(title: &str, why: &str, next: Markup) -> Markup {
    html! { section.empty { h2 { (title) } p { (why) } (next) } }
}

/// A remark. `tone` is good, bad, warn or nothing.
pub(crate) fn notice(tone: &str, body: Markup) -> Markup {
    html! { div class={ "notice " (tone) } { (body) } }
}

/// A state, colored by what it means. Color is never all it says.
pub(crate) fn badge(state: &str) -> Markup {
    let tone = match state {
        "active" | "verified" | "public" | "running" | "licensed" | "delivered" | "paid"
        | "succeeded" | "confirmed" | "info" | "ok" => "good",
        "unlicensed" | "failed" | "revoked" | "suspended" | "error" | "expired" | "past_due" => {
            "bad"
        }
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
        | "partial"
        | "interrupted"
        | "blocked" => "warn",
        _ => "plain",
    };
    html! { span class={ "badge " (tone) } { (words(state)) } }
}

/// Facts beside their names.
pub(crate) fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl.facts {
            @for (name, fact) in facts { div { dt { (name) } dd { (fact) } } }
        }
    }
}

/// How many there are, in words that fit one as well as many.
pub(crate) fn counted(count: u64, one: &str) -> String {
    let many = if count == 1 { "" } else { "s" };
    format!("{} {one}{many}", grouped(count))
}

/// A text to copy, such as a secret or a command.
pub(crate) fn code(label: &str, text: &str) -> Markup {
    html! {
        div.code {
            pre tabindex="0" role="region" aria-label=(label) { code { (text) } }
            button.small type="button" data-copy=(text) hidden { "Copy" }
        }
    }
}

/// A button that sends these values and nothing else.
pub(crate) fn send(action: &str, word: &str, values: &[(&str, &str)]) -> Markup {
    html! {
        form.inline method="post" action=(action) {
            @for (name, value) in values { (hidden(name, value)) }
            button.small { (word) }
        }
    }
}

/// The same for what cannot be undone: it asks first, without a script.
pub(crate) fn confirm(action: &str, word: &str, why: &str, values: &[(&str, &str)]) -> Markup {
    let values = html! { @for (name, value) in values { (hidden(name, value)) } };
    confirm_with(action, word, why, values)
}

/// The same with these fields.
pub(crate) fn confirm_with(action: &str, word: &str, why: &str, fields: Markup) -> Markup {
    html! {
        details.confirm {
            summary.button.small.danger { (word) "…" }
            form method="post" action=(action) {
                p { (why) }
                (fields)
                button.danger.small { (word) }
            }
        }
    }
}

/// Pages side by side. Each is its address, its word, and whether it is this one.
pub(crate) fn tabs(label: &str, ways: &[(String, &str, bool)]) -> Markup {
    html! {
        nav.tabs aria-label=(label) {
            @for (address, word, here) in ways {
                a href=(address) aria-current=[here.then_some("page")] { (word) }
            }
        }
    }
}

/// Steps of a way, the first so many of them done.
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

/// Rows under headings. On a phone each row becomes a card, and each cell names its heading.
pub(crate) struct Table<'a> {
    caption: &'a str,
    heads: &'a [&'a str],
    rows: Vec<Vec<Markup>>,
}

impl<'a> Table<'a> {
    /// A table of this name, which is read out and not shown.
    pub(crate) fn new(caption: &'a str, heads: &'a [&'a str]) -> Self {
        Self { caption, heads, rows: vec![] }
    }

    /// With a row for each item.
    pub(crate) fn rows<T>(
        mut self,
        items: impl IntoIterator<Item = T>,
        draw: impl FnMut(T) -> Vec<Markup>,
    ) -> Self {
        self.rows = items.into_iter().map(draw).collect();
        self
    }

    /// Drawn.
    pub(crate) fn show(&self) -> Markup {
        html! {
            div.table {
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

/// Where a list stands, and the ways to the pages beside this one.
pub(crate) fn pager<T>(listing: &Listing<T>, here: &str) -> Markup {
    let (page, last) = (u64::from(listing.page.number()), listing.total_pages().max(1));
    html! {
        @if last > 1 {
            nav.pager aria-label="Pages" {
                @if page > 1 { a.button.small rel="prev" href=(other(here, (page - 1).min(last))) { "Previous" } }
                span { "Page " (page) " of " (last) " · " (listing.total) " in all" }
                @if page < last { a.button.small rel="next" href=(other(here, page + 1)) { "Next" } }
            }
        }
    }
}

/// The same address with another value in its query; an empty one leaves it out.
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

fn other(here: &str, page: u64) -> String {
    with_query(here, "page", &page.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        let told = [0, 1, 2, 1_000].map(|it| counted(it, "mention"));
        assert_eq!(told, ["0 mentions", "1 mention", "2 mentions", "1,000 mentions"]);
    }

    #[test]
    fn another_page_keeps_the_question() {
        let here = "/app/licenses?search=a%20b&status=&page=2";
        assert_eq!(other(here, 3), "/app/licenses?search=a+b&page=3");
        assert_eq!(with_query(here, "status", "draft"), "/app/licenses?search=a+b&status=draft");
        assert_eq!(with_query("/app/licenses?page=2", "sort", ""), "/app/licenses");
    }
}
