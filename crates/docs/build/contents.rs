//! The pages of the site in the order of its menu.

/// A group of the menu.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    pub(crate) pages: &'static [Entry],
}

/// A page: its name in the address, its file, and one line about it.
pub(crate) struct Entry {
    pub(crate) slug: &'static str,
    pub(crate) file: &'static str,
    pub(crate) about: &'static str,
}

const fn page(slug: &'static str, file: &'static str, about: &'static str) -> Entry {
    Entry { slug, file, about }
}

/// The start page, which is at `/docs/`.
pub(crate) const START: &str = "index";

/// The page that shows the OpenAPI documents. It is not written in Markdown.
pub(crate) const REFERENCE: &str = "reference";

/// All pages that are written in Markdown.
#[rustfmt::skip]
pub(crate) const GROUPS: &[Group] = &[
    Group { name: "Start", pages: &[
        page(START, "docs/guide/index.md", "What Grantor is, and where to find what"),
        page("quick-start", "docs/guide/quick-start.md", "From an API key to a verified webhook in five minutes"),
        page("asking-to-proof", "docs/asking-to-proof.md", "A brand asks, the agency offers, the brand accepts, and anybody verifies the result"),
    ] },
    Group { name: "Guides", pages: &[
        page("tokens", "docs/guide/tokens.md", "API clients, scopes, access tokens and how to renew them"),
        page("oauth", "docs/guide/oauth.md", "Get in with any OAuth 2.0 library or MCP client"),
        page("mcp", "docs/guide/mcp.md", "Search, ask, accept and prove with an assistant or agent"),
        page("paging", "docs/guide/paging.md", "Pages of lists, filters, and how to fetch and change only what you know"),
        page("idempotency", "docs/guide/idempotency.md", "Repeat a request without doing it twice"),
        page("errors", "docs/guide/errors.md", "The form of errors, which requests to repeat, and all limits"),
        page("webhooks", "docs/guide/webhooks.md", "Receive events, verify their signature, and what happens if you cannot"),
        page("listen", "docs/guide/listen.md", "Receive webhooks on your own machine, without a public address"),
        page("command-line", "docs/guide/command-line.md", "List, check, follow and test from a terminal or a script"),
        page("python", "sdk/python/README.md", "The typed client for Python"),
        page("typescript", "sdk/typescript/README.md", "The typed client for Node.js, Deno, Bun and workers"),
        page("creating", "docs/guide/creating.md", "Add talents, licenses and API clients with the console API"),
        page("images", "docs/guide/images.md", "Upload, read and remove the reference images of a license"),
        page("decisions", "docs/guide/decisions.md", "Ask whether a use is allowed, and why"),
        page("rights", "docs/guide/rights.md", "What licenses offer, for crawlers, rights engines and search engines"),
        page("receipts", "docs/guide/receipts.md", "Get the signed proof of a grant, and share it"),
        page("verifying", "docs/verifying.md", "Verify a receipt in the browser, with the API, or with your own code"),
        page("checking", "docs/checking.md", "Check a picture, an address or a text against licenses"),
        page("watching", "docs/watching.md", "Watch public addresses for uses of a likeness"),
        page("recognition", "docs/recognition.md", "How pictures are recognized, how often that is right, and where it is weak"),
        page("push", "docs/guide/push.md", "Send what you publish, and get a verdict for each use"),
        page("watching-platforms", "docs/watching-platforms.md", "For those who run a site: prove the domain, and let it be scanned"),
    ] },
    Group { name: "Using the console", pages: &[
        page("license-form", "docs/license-form.md", "The form of a license: territories, money, terms, templates"),
        page("catalog", "docs/catalog.md", "The public catalog: pictures, pages and link previews"),
        page("searching", "docs/searching.md", "Search, filters and saved views"),
        page("importing", "docs/importing.md", "Bulk actions, tags, import and export"),
        page("undoing", "docs/undoing.md", "Undo, histories, live lists and deliveries"),
        page("notifications", "docs/notifications.md", "The bell, emails, digests and chats"),
        page("evidence", "docs/evidence.md", "What is kept of a mention, and how to verify it"),
        page("cases", "docs/cases.md", "Letters about mentions, and whether they are removed"),
        page("sign-in", "docs/sign-in.md", "Second factors, passkeys and single sign-on"),
    ] },
    Group { name: "Running Grantor", pages: &[
        page("installing", "docs/installing.md", "As a service, in containers, on Kubernetes"),
        page("operations", "docs/operations.md", "Set up, back up and watch a server"),
        page("runbooks", "docs/runbooks.md", "What to do about each alert"),
        page("scaling", "docs/scaling.md", "How far one database goes, and what comes after it"),
        page("sizing", "docs/sizing.md", "How much space an installation needs"),
        page("configuration", "docs/configuration.md", "Every setting"),
        page("security", "docs/security.md", "What protects accounts, data and servers"),
        page("languages", "docs/languages.md", "Languages, time zones and message files"),
        page("helping-people", "docs/helping-people.md", "For staff: help people, and view as somebody"),
    ] },
    Group { name: "Reference", pages: &[
        page("events", "docs/guide/events.md", "Every event with a sample of its payload"),
        page("error-codes", "docs/guide/error-codes.md", "Every error code with its cause and remedy"),
        page("changelog", "CHANGELOG.md", "What changed, newest first"),
    ] },
];

/// Finds the page of a file.
pub(crate) fn find(file: &str) -> Option<&'static Entry> {
    GROUPS.iter().flat_map(|it| it.pages).find(|it| it.file == file)
}

/// The address of a page.
pub(crate) fn address(slug: &str) -> String {
    if slug == START { "/docs/".to_owned() } else { format!("/docs/{slug}") }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_page_has_an_address_of_its_own_and_a_line() {
        let pages: Vec<_> = GROUPS.iter().flat_map(|it| it.pages).collect();
        let slugs: BTreeSet<_> = pages.iter().map(|it| it.slug).collect();
        let files: BTreeSet<_> = pages.iter().map(|it| it.file).collect();
        assert_eq!((slugs.len(), files.len()), (pages.len(), pages.len()));
        for taken in [REFERENCE, "search", "assets"] {
            assert!(!slugs.contains(taken), "{taken}");
        }
        assert!(pages.iter().all(|it| !it.about.is_empty() && !it.about.ends_with('.')));
        assert!(GROUPS.iter().all(|it| !it.name.is_empty()));
    }
}
