//! The documentation site: every document has its place, every link leads somewhere, and what the
//! pages list is what the code has.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use grantor_docs::{PAGES, Page, REFERENCE};
use grantor_domain::decision::ReasonCode;

/// Documents for those who work on Grantor itself. They are only in the repository.
const FOR_CONTRIBUTORS: [&str; 7] = [
    "adding-an-endpoint.md",
    "architecture.md",
    "glossary.md",
    "storage.md",
    "style-guide.md",
    "testing.md",
    "tour.md",
];

/// Addresses of this server that are not in the table of pages.
const ADDRESSES: [&str; 5] =
    ["/docs/", REFERENCE, "/llms.txt", "/openapi/external.json", "/openapi/console.json"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

/// The names of the Markdown files in a folder.
fn documents(folder: &str) -> Vec<String> {
    let names = fs::read_dir(root().join(folder)).unwrap();
    let names = names.map(|it| it.unwrap().file_name().into_string().unwrap());
    names.filter(|it| Path::new(it).extension().is_some_and(|it| it == "md")).collect()
}

/// The links of an HTML page.
fn links(html: &str) -> impl Iterator<Item = &str> {
    html.split("<a href=\"").skip(1).filter_map(|it| it.split('"').next())
}

/// The links of a Markdown page.
fn markdown_links(markdown: &str) -> Vec<&str> {
    let prose = markdown.split("```").step_by(2);
    prose.flat_map(|it| it.split("](").skip(1)).filter_map(|it| it.split(')').next()).collect()
}

/// Whether a link of a page leads somewhere.
fn leads_somewhere(from: &Page, link: &str) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = path.strip_suffix(".md").unwrap_or(path);
    let page = PAGES.iter().find(|it| it.path == path || format!("/docs/{}", it.slug) == path);
    let page = if path.is_empty() { Some(from) } else { page };
    match page {
        Some(page) => anchor.is_empty() || page.headings.iter().any(|it| it.id == anchor),
        None => {
            link.starts_with("https://")
                || ADDRESSES.contains(&path)
                || grantor_web::pages().contains(&path)
        }
    }
}

#[test]
fn every_document_is_on_the_site_or_for_contributors() {
    let known: BTreeSet<_> = PAGES.iter().map(|it| it.file.to_owned()).collect();
    let own = FOR_CONTRIBUTORS.map(|it| format!("docs/{it}"));
    for (folder, names) in ["docs", "docs/guide"].map(|it| (it, documents(it))) {
        for name in names {
            let file = format!("{folder}/{name}");
            assert_ne!(known.contains(&file), own.contains(&file), "{file}: see contents.rs");
        }
    }
}

#[test]
fn every_link_of_the_site_leads_somewhere() {
    for page in PAGES {
        let dead: Vec<_> = links(page.html).filter(|it| !leads_somewhere(page, it)).collect();
        assert_eq!(dead, [""; 0], "{}", page.file);
        let dead = markdown_links(page.markdown).into_iter();
        let dead: Vec<_> = dead.filter(|it| !leads_somewhere(page, it)).collect();
        assert_eq!(dead, [""; 0], "{} as Markdown", page.file);
    }
}

#[test]
fn a_dead_link_is_noticed() {
    let page = grantor_docs::find("webhooks").unwrap();
    let fine = ["#try-it", "/docs/tokens#get-a-token", "/docs/tokens.md", "/docs/", "/app/clients"];
    for link in fine {
        assert!(leads_somewhere(page, link), "{link}");
    }
    let dead = ["#nothing", "/docs/tokens#nothing", "/docs/nothing", "/app/nothing", "tokens.md"];
    for link in dead {
        assert!(!leads_somewhere(page, link), "{link}");
    }
}

/// The codes that the APIs return, as their sources write them: `(StatusCode::CONFLICT, "CODE")`.
fn codes() -> BTreeSet<String> {
    let sources = ["problem.rs", "api.rs"].map(|it| read(&format!("crates/api/src/frame/{it}")));
    let pairs = sources.iter().flat_map(|it| it.split("(StatusCode::").skip(1));
    let codes = pairs.filter_map(|it| it.split_once(", \"")?.1.split('"').next());
    let is_code =
        |it: &&str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_uppercase() || it == b'_');
    codes.filter(is_code).map(str::to_owned).collect()
}

/// The codes of OAuth: `=> "code"`.
fn oauth_codes() -> BTreeSet<String> {
    let source = read("crates/api/src/frame/oauth.rs");
    let codes = source.split("=> \"").skip(1).filter_map(|it| it.split('"').next());
    codes.map(str::to_owned).collect()
}

/// The headings of the third level on the page of error codes, with what is below them.
fn explained() -> Vec<(String, String)> {
    let page = read("docs/guide/error-codes.md");
    let sections = page.split("\n### ").skip(1).map(|it| it.split_once('\n').unwrap());
    sections.map(|(code, text)| (code.to_owned(), text.to_owned())).collect()
}

#[test]
fn every_error_code_has_a_cause_and_a_remedy() {
    let (codes, oauth) = (codes(), oauth_codes());
    assert!(codes.len() > 25 && oauth.len() > 5, "{codes:?} {oauth:?}");
    let explained = explained();
    let named: BTreeSet<_> = explained.iter().map(|(code, _)| code.clone()).collect();
    assert_eq!(named, codes.union(&oauth).cloned().collect::<BTreeSet<_>>());
    for (code, text) in explained {
        for part in ["**Cause:** ", "**Remedy:** "] {
            let said = text.split_once(part).map_or(0, |(_, it)| it.trim().len());
            assert!(said > 10, "{code}: {part}");
        }
    }
}

#[test]
fn every_reason_of_a_decision_is_explained() {
    let page = read("docs/guide/decisions.md");
    for reason in ReasonCode::ALL {
        assert!(page.contains(&format!("`{}`", reason.name())), "{reason}");
    }
}

#[test]
fn nobody_types_an_address_that_the_site_does_not_replace() {
    for page in PAGES.iter().filter(|it| it.has_examples()) {
        let other = page.markdown.replace(grantor_docs::ADDRESS, "");
        assert!(!other.contains("localhost:8080") && !other.contains("//127.0.0.1:8080"));
    }
}
