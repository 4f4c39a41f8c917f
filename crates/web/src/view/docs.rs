//! The shell of the documentation: its menu, the search, and the way back to the console. Its texts
//! are in English, like the documentation.

use grantor_docs::{Heading, REFERENCE};
use maud::{DOCTYPE, Markup, html};

use super::icon::{icon, seal};
use super::shell::theme;
use super::viewing;
use crate::asset;
use crate::docs;
use crate::frame::{Identity, PageContext};

/// The most headings that are listed next to a page with those of the third level.
const MOST_HEADINGS: usize = 40;

/// A page of the documentation.
pub(crate) struct DocsPage<'a> {
    pub(crate) title: &'a str,
    pub(crate) about: &'a str,
    pub(crate) path: &'a str,
    /// The address of the same page as Markdown.
    pub(crate) markdown: Option<&'a str>,
    pub(crate) headings: &'a [Heading],
}

/// Renders a page. The body begins with its title.
pub(crate) fn docs_page(ctx: &PageContext, page: &DocsPage<'_>, body: Markup) -> Markup {
    let head = html! {
        meta name="description" content=(page.about);
        @if let Some(markdown) = page.markdown {
            link rel="alternate" type="text/markdown" href=(markdown);
        }
        link rel="stylesheet" href=(asset::url("app.css"));
        link rel="stylesheet" href=(asset::url("docs.css"));
        link rel="stylesheet" href=(asset::url("print.css")) media="print";
        script src=(asset::url("app.js")) defer {}
        script src=(asset::url("docs.js")) defer {}
    };
    let body = html! {
        (viewing::banner(ctx))
        div.layout {
            (menu(ctx, page.path))
            main.docs id="main" {
                div.docs-page {
                    article.prose { (body) (foot(page)) }
                    (contents(page.headings))
                }
            }
        }
    };
    document(ctx, page.title, head, body)
}

/// Renders the reference: `script` shows both OpenAPI documents.
pub(crate) fn docs_reference(ctx: &PageContext, script: &str) -> Markup {
    let head = html! {
        meta name="description" content="Every endpoint of both APIs, to read and to try";
        link rel="stylesheet" href=(asset::url("reference.css"));
    };
    let body = html! {
        header.bar {
            a.brand href="/docs/" aria-label="Grantor docs" { (seal()) span { "Grantor docs" } }
            nav aria-label="Site" {
                a href="/docs/" { "Documentation" }
                a.wide href="/openapi/external.json" { "OpenAPI" }
                (way_back(ctx))
            }
        }
        main id="main" {
            div id="reference" {
                noscript {
                    p {
                        "The reference needs JavaScript. The OpenAPI documents are at "
                        a href="/openapi/external.json" { "/openapi/external.json" } " and "
                        a href="/openapi/console.json" { "/openapi/console.json" } "."
                    }
                }
            }
        }
        script src=(script) {}
        script src=(asset::url("reference.js")) {}
    };
    document(ctx, "API reference", head, body)
}

fn document(ctx: &PageContext, title: &str, head: Markup, body: Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" data-theme=(ctx.theme.name()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Grantor docs" }
                (head)
                link rel="icon" type="image/svg+xml" href=(asset::url("seal.svg"));
            }
            body {
                a.skip href="#main" { "Skip to content" }
                (body)
            }
        }
    }
}

/// The menu: a sidebar on wide screens, an overlay that needs no script on narrow ones.
fn menu(ctx: &PageContext, current: &str) -> Markup {
    let brand = html! { a.brand href="/docs/" { (seal()) "Grantor" small { "docs" } } };
    let link = |path: &str, title: &str| {
        let here = (path == current).then_some("page");
        html! { li { a href=(path) aria-current=[here] { (title) } } }
    };
    html! {
        header.top {
            (brand)
            div.row {
                a.find href="/docs/search" { (icon("search")) span { "Search" } }
                a.menu-open href="#menu" aria-label="Open the menu" { (icon("menu")) }
            }
        }
        header.side.docs-side id="menu" {
            div.row.apart { (brand) a.menu-close href="#main" { "Close" } }
            (search_form())
            nav aria-label="Documentation" {
                @for (name, pages) in grantor_docs::groups() {
                    p.group { (name) }
                    ul {
                        @if name == "Reference" { (link(REFERENCE, "API reference")) }
                        @for it in pages { (link(it.path, it.title)) }
                    }
                }
            }
            div.foot { div.row { (way_back(ctx)) @if !ctx.is_viewed() { (theme(ctx)) } } }
        }
    }
}

fn search_form() -> Markup {
    html! {
        form.docs-find role="search" method="get" action="/docs/search"
            data-index=(docs::index_url()) {
            input type="search" name="q" aria-label="Search the documentation" placeholder="Search"
                autocomplete="off" spellcheck="false" maxlength="200" aria-keyshortcuts="/";
            ul.docs-hits aria-label="Results" data-none="Nothing was found" hidden {}
        }
    }
}

fn way_back(ctx: &PageContext) -> Markup {
    html! {
        @if matches!(ctx.identity, Identity::Anonymous) {
            a.button.small.plain href="/app/sign-in" { "Sign in" }
        } @else {
            a.button.small.plain href="/app" { "Console" }
        }
    }
}

/// The headings, next to the page on wide screens.
fn contents(headings: &[Heading]) -> Markup {
    let deepest = if headings.len() > MOST_HEADINGS { 2 } else { 3 };
    html! {
        @if headings.len() > 1 {
            nav.contents aria-label="On this page" {
                p { "On this page" }
                ul {
                    @for it in headings.iter().filter(|it| it.level <= deepest) {
                        li.deep[it.level > 2] { a href={ "#" (it.id) } { (it.text) } }
                    }
                }
            }
        }
    }
}

/// The pages before and after this one, and its Markdown.
fn foot(page: &DocsPage<'_>) -> Markup {
    let all = grantor_docs::PAGES;
    let at = all.iter().position(|it| it.path == page.path);
    let before = at.and_then(|it| all.get(it.checked_sub(1)?));
    let after = at.and_then(|it| all.get(it + 1));
    html! {
        footer.docs-foot {
            @if let Some(it) = before { a href=(it.path) rel="prev" { "← " (it.title) } }
            @if let Some(markdown) = page.markdown { a href=(markdown) { "This page as Markdown" } }
            @if let Some(it) = after { a href=(it.path) rel="next" { (it.title) " →" } }
        }
    }
}
