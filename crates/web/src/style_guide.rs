//! `/app/admin/style-guide`: every part of the pages as it looks, drawn by the part itself. A test
//! compares the guide with the sources, so that no part is missing here or in
//! `docs/style-guide.md`.

mod chart;
mod field;
mod filter;
mod list;
mod page;

use axum::response::Response;
use grantor_domain::{Error, Timestamp};
use grantor_messages::{named, text};
use maud::{Markup, html};

use crate::frame::{FormData, Params, Staff};
use crate::view::{NavItem, head};

/// Where the forms of the examples lead: back to this page.
const HERE: &str = "/app/admin/style-guide";

/// A part of pages.
struct Part {
    /// The file and the name in `view`, such as `component::card`.
    name: &'static str,
    draw: fn(&Example) -> Markup,
}

impl Part {
    /// When to use it.
    fn about(&self) -> &'static str {
        named("style-guide-about", self.name).unwrap_or_default()
    }
}

/// What the examples are drawn from.
struct Example {
    now: Timestamp,
    entered: FormData,
    /// A form that was refused because of the field `wrong_name`.
    refused: FormData,
    params: Params,
}

impl Example {
    fn new(now: Timestamp) -> Self {
        let error = Error::field("wrong_name", "must not be empty");
        Self {
            now,
            entered: FormData::default().with("example_name", "Zoë Lindqvist"),
            refused: FormData::default().with_error(&error),
            params: Params::read("example_status=active&status=active&search=zoe"),
        }
    }
}

/// The parts by what they are for, with the keys of the titles.
const SECTIONS: [(&str, &[Part]); 5] = [
    ("style-guide-section-pages", page::PARTS),
    ("style-guide-section-fields", field::PARTS),
    ("style-guide-section-filters", filter::PARTS),
    ("style-guide-section-lists", list::PARTS),
    ("style-guide-section-charts", chart::PARTS),
];

/// The name of a section in the address.
fn name_of(title: &str) -> &str {
    title.strip_prefix("style-guide-section-").unwrap_or(title)
}

/// Shows a section of the style guide.
pub(crate) async fn show(staff: Staff, params: Params) -> Response {
    let example = Example::new(staff.now());
    let wanted = SECTIONS.iter().find(|(title, _)| Some(name_of(title)) == params.get("section"));
    let (title, parts) = wanted.unwrap_or(&SECTIONS[0]);
    let body = html! {
        (head(text!("style-guide-title"), text!("style-guide-lead"), html! {}))
        nav.row.spans aria-label=(text!("style-guide-sections")) {
            @for (it, _) in &SECTIONS {
                a.button.small.plain href={ (HERE) "?section=" (name_of(it)) }
                    aria-current=[(it == title).then_some("page")] { (text(it)) }
            }
        }
        section {
            h2 { (text(title)) }
            @for part in *parts {
                div.part {
                    h3 { code { (part.name) } }
                    p.quiet { (part.about()) }
                    ((part.draw)(&example))
                }
            }
        }
    };
    staff.page(text!("style-guide-title"), NavItem::None, body)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// Parts that the guide does not draw, and why.
    const LEFT_OUT: [(&str, &str); 22] = [
        ("combobox::options", "the suggestions of combobox::combobox"),
        ("component::head", "the heading of the guide itself"),
        ("docs::docs_page", "a whole page"),
        ("docs::docs_reference", "a whole page"),
        ("field::hidden", "nothing to see"),
        ("filter::hidden_param", "nothing to see"),
        ("live::live", "updates what it contains"),
        ("live::live_list", "updates the list it contains"),
        ("mail::frame", "shows an email"),
        ("mail::mailbox_hint", "only without a mail server"),
        ("mod::problem", "a whole page"),
        ("party::suggestions", "the options of party::party_field"),
        ("rich::render", "a sentence with markup"),
        ("run::run_summary", "a sentence about a scan"),
        ("run::run_table", "a component::Table of scans"),
        ("selection::checkbox", "part of selection::Selection"),
        ("shell::front", "a whole page"),
        ("shell::narrow", "a whole page"),
        ("shell::page", "a whole page"),
        ("shell::shared_page", "a whole page"),
        ("switch::switch_offer", "a whole page"),
        ("time::ago", "part of many examples"),
    ];

    /// The parts in a source: functions that return markup, and types that can be shown.
    fn parts_of(file: &str, text: &str) -> Vec<String> {
        let text = text.split("\n#[cfg(test)]").next().unwrap_or_default();
        let mut found = Vec::new();
        let mut of = String::new();
        for (at, line) in text.lines().enumerate() {
            let name = |line: &str| {
                let end = line.find(|it: char| !it.is_alphanumeric() && it != '_');
                line[..end.unwrap_or(line.len())].to_owned()
            };
            if let Some(rest) = line.strip_prefix("pub(crate) fn ") {
                let rest_of_file: Vec<_> = text.lines().skip(at).collect();
                let whole = rest_of_file.join(" ");
                let signature = whole.split(" {").next().unwrap_or_default();
                if signature.ends_with("-> Markup") {
                    found.push(format!("{file}::{}", name(rest)));
                }
            } else if let Some(rest) = line.strip_prefix("impl") {
                let rest = rest.split_once("> ").map_or(rest, |(_, it)| it).trim_start();
                of = name(rest);
            } else if line == "    pub(crate) fn show(&self) -> Markup {" {
                found.push(format!("{file}::{of}"));
            }
        }
        found
    }

    fn parts_in_sources() -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/view");
        let mut found = BTreeSet::new();
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_dir() {
                continue;
            }
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            found.extend(parts_of(&name, &std::fs::read_to_string(&path).unwrap()));
        }
        found
    }

    fn drawn() -> Vec<&'static Part> {
        SECTIONS.iter().flat_map(|(_, parts)| parts.iter()).collect()
    }

    #[test]
    fn the_guide_has_every_part() {
        let known = parts_in_sources();
        let of_guide: BTreeSet<String> = drawn().iter().map(|it| it.name.to_owned()).collect();
        let left_out: BTreeSet<String> =
            LEFT_OUT.iter().map(|(name, _)| (*name).to_owned()).collect();
        let told: BTreeSet<_> = of_guide.union(&left_out).cloned().collect();
        let missing: Vec<_> = known.difference(&told).collect();
        assert_eq!(missing, Vec::<&String>::new(), "add an example to style_guide/");
        // A field is built in several steps, so its function does not return markup.
        let gone: Vec<_> = told.difference(&known).filter(|it| *it != "field::field").collect();
        assert_eq!(gone, Vec::<&String>::new(), "there is no such part");
    }

    #[test]
    fn parts_are_recognized() {
        let source = "/// A.\npub(crate) fn one(a: &str) -> Markup {\n}\n\
            pub(crate) fn two<T>(\n    a: T,\n) -> Markup {\n}\n\
            pub(crate) fn three() -> String {\n}\n\
            impl<'a> Four<'a> {\n    pub(crate) fn show(&self) -> Markup {\n    }\n}\n\
            #[cfg(test)]\nmod tests {\n}\npub(crate) fn five() -> Markup {\n}\n";
        assert_eq!(parts_of("x", source), ["x::one", "x::two", "x::Four"]);
    }

    #[test]
    fn every_example_can_be_drawn() {
        let example = Example::new(Timestamp::from_secs(1_767_225_600));
        for part in drawn() {
            assert!(!(part.draw)(&example).into_string().is_empty(), "{}", part.name);
        }
    }

    #[test]
    fn the_document_lists_every_part() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/style-guide.md");
        let document = std::fs::read_to_string(path).unwrap();
        let missing: Vec<_> = drawn()
            .iter()
            .map(|it| format!("| `{}` | {} |", it.name, it.about()))
            .filter(|it| !document.contains(it.as_str()))
            .collect();
        assert_eq!(missing, Vec::<String>::new(), "add these lines to docs/style-guide.md");
        let listed = document.lines().filter(|it| it.starts_with("| `")).count();
        assert_eq!(listed, drawn().len(), "remove lines of parts that are gone");
    }
}
