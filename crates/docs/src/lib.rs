//! The documentation site at `/docs`: pages that the build renders from the Markdown in `docs/`, an
//! index to search them, and the files they load. `grantor_web` serves them.
//!
//! `build/contents.rs` lists the pages; to add one, add a line there.

mod search;

pub use self::search::{MAX_QUERY, search};

/// The address of the server in examples. The site shows the public URL of the server instead.
pub const ADDRESS: &str = "http://127.0.0.1:8080";

/// The API key in examples. The site shows the key of the person instead, if there is one.
pub const API_KEY: &str = "YOUR_API_KEY";

/// The page of the site that shows the OpenAPI documents.
pub const REFERENCE: &str = "/docs/reference";

/// A page.
#[derive(Debug)]
pub struct Page {
    /// The group in the menu.
    pub group: &'static str,
    /// The name in the address.
    pub slug: &'static str,
    /// The address.
    pub path: &'static str,
    /// The file in the repository.
    pub file: &'static str,
    /// The title.
    pub title: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The content, with its title as first heading.
    pub html: &'static str,
    /// The Markdown, with links to that of other pages.
    pub markdown: &'static str,
    /// The headings below the title.
    pub headings: &'static [Heading],
}

impl Page {
    /// Whether its examples are for the reader's own server and API key.
    #[must_use]
    pub fn has_examples(&self) -> bool {
        self.file.starts_with("docs/guide/")
    }
}

/// A heading of a page.
#[derive(Debug)]
pub struct Heading {
    /// The level, at least 2.
    pub level: u8,
    /// The anchor.
    pub id: &'static str,
    /// The text.
    pub text: &'static str,
}

/// A part of a page, or an operation of an API, as a search finds it.
#[derive(Debug)]
pub struct Section {
    /// The address with the anchor.
    pub path: &'static str,
    /// The title of the page.
    pub page: &'static str,
    /// The heading.
    pub heading: &'static str,
    /// The text below it.
    pub text: &'static str,
}

/// A file that pages load.
pub struct Asset {
    /// The name.
    pub name: &'static str,
    /// The address, which has the hash of the file.
    pub path: &'static str,
    /// The content type.
    pub content_type: &'static str,
    /// The content, compressed with gzip.
    pub gzip: &'static [u8],
}

/// All pages in the order of the menu.
pub static PAGES: &[Page] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// What a search finds.
pub static SECTIONS: &[Section] = include!(concat!(env!("OUT_DIR"), "/sections.rs"));

/// The files that pages load.
pub static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Finds a page by its name in the address.
#[must_use]
pub fn find(slug: &str) -> Option<&'static Page> {
    PAGES.iter().find(|it| it.slug == slug)
}

/// The groups of the menu, each with its pages.
pub fn groups() -> impl Iterator<Item = (&'static str, &'static [Page])> {
    PAGES.chunk_by(|one, other| one.group == other.group).map(|it| (it[0].group, it))
}

/// The list of all pages for programs that read Markdown: <https://llmstxt.org>.
#[must_use]
pub fn llms(url: &str) -> String {
    let mut text = "# Grantor\n\n> The open licensing server for names, images and likenesses. It \
                    records who may use whose likeness on what terms, issues signed receipts, \
                    watches for unlicensed uses, and tells the rights holder.\n"
        .to_owned();
    for (group, pages) in groups() {
        let heading = format!("\n## {group}\n\n");
        text.push_str(&heading);
        for Page { title, slug, about, .. } in pages {
            let line = format!("- [{title}]({url}/docs/{slug}.md): {about}\n");
            text.push_str(&line);
        }
    }
    text.push_str("\n## OpenAPI\n\n");
    for (title, name, about) in [
        ("External API", "external", "OpenAPI 3.1 of the API for integrations"),
        ("Console API", "console", "OpenAPI 3.1 of the API for organizations and staff"),
    ] {
        let line = format!("- [{title}]({url}/openapi/{name}.json): {about}\n");
        text.push_str(&line);
    }
    text
}

// The renderer runs at build time. Only its tests are part of the library.
#[cfg(test)]
#[path = "../build/contents.rs"]
mod contents;
#[cfg(test)]
#[path = "../build/highlight.rs"]
mod highlight;
#[cfg(test)]
#[path = "../build/link.rs"]
mod link;
#[cfg(test)]
#[path = "../build/render.rs"]
mod render;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_in_its_group() {
        let names: Vec<_> = groups().map(|(name, _)| name).collect();
        let expected = ["Start", "Guides", "Using the console", "Running Grantor", "Reference"];
        assert_eq!(names, expected);
        assert_eq!(find("index").map(|it| it.path), Some("/docs/"));
        assert_eq!(find("webhooks").map(|it| it.path), Some("/docs/webhooks"));
        assert!(find("architecture").is_none());
    }

    #[test]
    fn programs_find_every_page() {
        let text = llms("https://grantor.example");
        let line = "- [Webhooks](https://grantor.example/docs/webhooks.md): Receive events";
        assert!(text.contains(line), "{text}");
        assert_eq!(text.matches("\n- [").count(), PAGES.len() + 2);
    }
}
