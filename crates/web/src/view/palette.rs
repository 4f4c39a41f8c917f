//! The command palette: the dialog in every page of a signed-in person, and the results that it and
//! the search page show.

use grantor_messages::text;
use maud::{Markup, html};

use super::icon::icon;
use crate::asset;

/// A result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    label: String,
    /// What tells it apart from others with this label.
    detail: String,
    url: String,
}

impl Entry {
    pub(crate) fn new(
        label: impl Into<String>,
        detail: impl Into<String>,
        url: impl Into<String>,
    ) -> Self {
        Self { label: label.into(), detail: detail.into(), url: url.into() }
    }
}

/// Results of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryGroup {
    pub(crate) title: &'static str,
    pub(crate) entries: Vec<Entry>,
    /// The list with all results, if there are more.
    pub(crate) all: Option<String>,
}

/// The link to the search page. A script lets it open the palette.
pub(super) fn search_link(page: &str) -> Markup {
    html! {
        a.find href=(page) data-palette="" aria-keyshortcuts="Control+K Meta+K" {
            (icon("search")) span { (text!("palette-search")) }
            kbd aria-hidden="true" data-mac="⌘ K" hidden { (text!("palette-keys")) }
        }
    }
}

/// The dialogs of the palette and of the keys, which a script opens. `page` is the search page. The
/// script of its search is also that of fields.
pub(super) fn dialogs(page: &str) -> Markup {
    html! {
        dialog.palette data-palette-dialog=(page) aria-label=(text!("palette-search")) {
            form role="search" method="get" action=(page) {
                (icon("search"))
                input id="palette-search" type="text" name="search" role="combobox"
                    aria-label=(text!("palette-search")) aria-controls="palette-results"
                    aria-expanded="false"
                    aria-autocomplete="list" autocomplete="off" spellcheck="false"
                    enterkeyhint="go" maxlength="200" placeholder=(text!("palette-placeholder"));
                button.plain.small type="button" data-close="" { (text!("action-close")) }
            }
            // Browsers would let the keyboard stop at what scrolls.
            div.palette-results id="palette-results" role="listbox"
                aria-label=(text!("palette-results")) tabindex="-1" hidden {}
            p.palette-status role="status" {}
            p.palette-foot {
                span aria-hidden="true" {
                    kbd { "↑" } " " kbd { "↓" } " " kbd { (text!("palette-key-enter")) }
                }
                a href="/app/shortcuts" { (text!("palette-shortcuts")) }
            }
        }
        dialog.keys-dialog data-keys-dialog="/app/shortcuts"
            aria-label=(text!("palette-shortcuts")) {
            div.row.apart {
                h2 { (text!("palette-shortcuts")) }
                button.plain.small type="button" data-close="" { (text!("action-close")) }
            }
            div {}
        }
        script src=(asset::url("combobox.js")) defer {}
        script src=(asset::url("palette.js")) defer {}
    }
}

/// The results as options of the palette.
pub(crate) fn options(groups: &[EntryGroup]) -> Markup {
    html! {
        div data-found=(found(groups)) {
            @for (at, group) in groups.iter().enumerate() {
                @let id = format!("palette-{at}");
                div role="group" aria-labelledby=(id) {
                    div.palette-group role="presentation" id=(id) { (group.title) }
                    @for (index, entry) in group.entries.iter().enumerate() {
                        a role="option" id={ (id) "-" (index) } aria-selected="false"
                            tabindex="-1" href=(entry.url) {
                            span { (entry.label) }
                            @if !entry.detail.is_empty() { " " span.quiet { (entry.detail) } }
                        }
                    }
                    @if let Some(url) = &group.all {
                        a role="option" id={ (id) "-all" } aria-selected="false" tabindex="-1"
                            href=(url) { span.quiet { (all_results(group)) } }
                    }
                }
            }
        }
    }
}

/// The results on the search page.
pub(crate) fn results(groups: &[EntryGroup]) -> Markup {
    html! {
        p.quiet role="status" { (found(groups)) }
        div.cards.found {
            @for group in groups {
                section.card {
                    h2 { (group.title) }
                    ul.plain-list {
                        @for entry in &group.entries {
                            li {
                                a href=(entry.url) { (entry.label) }
                                @if !entry.detail.is_empty() { p.quiet { (entry.detail) } }
                            }
                        }
                    }
                    @if let Some(url) = &group.all {
                        p { a href=(url) { (all_results(group)) } }
                    }
                }
            }
        }
    }
}

fn all_results(group: &EntryGroup) -> String {
    text!("palette-all-results", group = group.title)
}

fn found(groups: &[EntryGroup]) -> String {
    let total: usize = groups.iter().map(|it| it.entries.len()).sum();
    match total {
        0 => text!("palette-none").to_owned(),
        total => text!("palette-found", count = total),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_grouped_and_have_ids() {
        let entries = vec![Entry::new("<Zoë>", "Talent", "/app/talents/1")];
        let all = Some("/app/talents?search=z".to_owned());
        let groups = [EntryGroup { title: "Talents", entries, all }];
        let drawn = options(&groups).into_string();
        for part in [
            "<div data-found=\"1 result\">",
            "<div role=\"group\" aria-labelledby=\"palette-0\">",
            "id=\"palette-0-0\" aria-selected=\"false\" tabindex=\"-1\" href=\"/app/talents/1\"",
            "<span>&lt;Zoë&gt;</span> <span class=\"quiet\">Talent</span>",
            "href=\"/app/talents?search=z\"",
        ] {
            assert!(drawn.contains(part), "{part}: {drawn}");
        }
        assert_eq!(options(&[]).into_string(), "<div data-found=\"Nothing found\"></div>");
        assert!(results(&groups).into_string().contains("<h2>Talents</h2>"));
    }
}
