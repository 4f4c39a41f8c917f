//! Links of a document in the repository, as they are on the site.

use crate::contents::{self, REFERENCE};

/// The OpenAPI documents, which the site shows as its reference.
const DOCUMENTS: &str = "docs/openapi/";

/// Where a link leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// An address that stays as it is: another site, a page of this server, or the same page.
    Kept,
    /// A page of the site, with the anchor if there is one.
    Page(&'static str, String),
    /// A file that is only in the repository.
    Source(String),
}

impl Link {
    /// Reads the link of a document to `target`.
    pub(crate) fn of(document: &str, target: &str) -> Self {
        if target.contains("://") || target.starts_with(['/', '#']) {
            return Self::Kept;
        }
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = join(document, path);
        let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
        if file.starts_with(DOCUMENTS) {
            return Self::Page(REFERENCE, anchor);
        }
        match contents::find(&file) {
            Some(page) => Self::Page(page.slug, anchor),
            None => Self::Source(file),
        }
    }

    /// The address on the site, unless the link leads to a file that is not there.
    pub(crate) fn address(&self, target: &str) -> Option<String> {
        match self {
            Self::Kept => Some(target.to_owned()),
            Self::Page(slug, anchor) => Some(contents::address(slug) + anchor),
            Self::Source(_) => None,
        }
    }
}

/// The path of a file that a document refers to.
fn join(document: &str, path: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            other => parts.push(other),
        }
    }
    parts.join("/")
}

/// The Markdown of a document with links to the Markdown of other pages, and without the comment at
/// its beginning, which is for those who edit the file.
pub(crate) fn rewrite(document: &str, markdown: &str) -> String {
    let markdown = match markdown.split_once("-->\n") {
        Some((comment, rest)) if comment.starts_with("<!--") => rest,
        _ => markdown,
    };
    let parts = markdown.split("```").enumerate().map(|(number, part)| {
        // Every second part is code.
        if number.is_multiple_of(2) { rewrite_prose(document, part) } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("```")
}

fn rewrite_prose(document: &str, prose: &str) -> String {
    let (mut rest, mut out) = (prose, String::new());
    while let Some((before, after)) = rest.split_once("](") {
        let Some((target, end)) = after.split_once(')') else { break };
        out.push_str(before);
        let link = Link::of(document, target);
        let written = match &link {
            Link::Page(slug, anchor) if *slug != REFERENCE => {
                format!("](/docs/{slug}.md{anchor})")
            }
            Link::Source(file) => {
                if let Some(at) = out.rfind('[') {
                    out.remove(at);
                }
                format!(" (`{file}`)")
            }
            _ => format!("]({})", link.address(target).unwrap_or_default()),
        };
        out.push_str(&written);
        rest = end;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_of_the_site() {
        let from = |document, target| Link::of(document, target).address(target);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(from("docs/guide/index.md", "../verifying.md#x"), some("/docs/verifying#x"));
        assert_eq!(from("docs/guide/tokens.md", "index.md"), some("/docs/"));
        assert_eq!(from("docs/checking.md", "openapi/external.json"), some("/docs/reference"));
        assert_eq!(from("CHANGELOG.md", "docs/sign-in.md"), some("/docs/sign-in"));
        for kept in ["https://semver.org", "#start", "/app/clients"] {
            assert_eq!(from("docs/cases.md", kept), some(kept));
        }
        let source = Link::Source("SECURITY.md".to_owned());
        assert_eq!(Link::of("docs/security.md", "../SECURITY.md"), source);
    }

    #[test]
    fn markdown_leads_to_markdown() {
        let text = "See [a](verifying.md#b), [c](decisions/1.md) and [d](https://e.f).\n\
                    ```sh\necho [x](verifying.md)\n```\n";
        let expected = "See [a](/docs/verifying.md#b), c (`docs/decisions/1.md`) and \
                        [d](https://e.f).\n```sh\necho [x](verifying.md)\n```\n";
        assert_eq!(rewrite("docs/cases.md", text), expected);
        assert_eq!(rewrite("docs/cases.md", "<!-- Generated. -->\n# A\n"), "# A\n");
    }
}
