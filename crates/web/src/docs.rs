//! `/docs`: the documentation. `grantor_docs` has the pages, which the build rendered. Here they
//! get the address of this server and the API key of who is signed in. The documentation is in
//! English, whatever the language of the console.

mod example;
mod file;

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_docs::{MAX_QUERY, Page};
use grantor_messages::Language;
use http::{StatusCode, header};
use maud::{Markup, PreEscaped, html};

use self::example::Examples;
pub(crate) use self::file::router as file_router;
use crate::frame::Access::Open;
use crate::frame::{Failure, Guest, Outcome, PageContext, Params, Route, Segment, get};
use crate::view::{DocsPage, docs_page, docs_reference};

/// Pages depend on who reads them, but have no secrets.
const CACHING: &str = "private, no-cache";

/// Scalar, which shows the reference, needs inline styles. Scripts and requests stay on this
/// origin.
const REFERENCE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' \
    'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'self'";

/// Returns the pages. They are not in the table of the console's pages, whose texts are in every
/// language.
#[rustfmt::skip]
pub(crate) fn routes() -> Vec<Route> {
    vec![
        get("/docs", Open, to_start, "View the documentation"),
        get("/docs/", Open, start, "View the documentation"),
        get("/docs/search", Open, search, "Search the documentation"),
        get("/docs/reference", Open, reference, "View the API reference"),
        get("/docs/llms.txt", Open, list, "List the documentation for programs"),
        get("/llms.txt", Open, list, "List the documentation for programs"),
        get("/docs/{page}", Open, show, "View a page of the documentation"),
    ]
}

async fn to_start() -> Redirect {
    Redirect::permanent("/docs/")
}

async fn start(Guest(ctx): Guest) -> Outcome {
    show(Guest(ctx), Segment("index".to_owned())).await
}

/// Shows a page, or its Markdown if the name ends in `.md`.
async fn show(Guest(ctx): Guest, Segment(name): Segment<String>) -> Outcome {
    let slug = match name.strip_suffix(".md") {
        Some("") => Some("index"),
        // In place of the reference, programs read the document.
        Some("reference") => return Ok(Redirect::to("/openapi/external.json").into_response()),
        slug => slug,
    };
    let page = grantor_docs::find(slug.unwrap_or(&name)).ok_or_else(Failure::not_found)?;
    let examples = Examples::of(&ctx, page).await?;
    if slug.is_some() {
        return Ok(text("text/markdown; charset=utf-8", examples.fill(page.markdown)));
    }
    let content = examples.fill_html(page.html);
    let (title, rest) = content.split_once('\n').unwrap_or((&content, ""));
    let body = html! { (PreEscaped(title)) (examples.notice(page)) (PreEscaped(rest)) };
    Ok(english(async { draw(&ctx, page, body) }).await)
}

fn draw(ctx: &PageContext, page: &Page, body: Markup) -> Response {
    let markdown = format!("/docs/{}.md", page.slug);
    let shown = DocsPage {
        title: page.title,
        about: page.about,
        path: page.path,
        markdown: Some(&markdown),
        headings: page.headings,
    };
    cached(docs_page(ctx, &shown, body).into_response())
}

/// Searches all pages and both APIs, without a script.
async fn search(Guest(ctx): Guest, params: Params) -> Response {
    let query = params.get("q").unwrap_or_default();
    let is_wrong = query.chars().count() > MAX_QUERY || params.raw("q") != params.get("q");
    let found = if is_wrong { vec![] } else { grantor_docs::search(query) };
    let body = html! {
        h1 { "Search" }
        @if is_wrong {
            p role="alert" { "Search for a text of at most " (MAX_QUERY) " characters." }
        } @else if query.is_empty() {
            p { "Enter a word, the name of an endpoint, or an error code." }
        } @else if found.is_empty() {
            p { "Nothing was found for “" (query) "”." }
        } @else {
            p { "Results for “" (query) "”" }
        }
        ul.docs-found {
            @for it in found {
                li {
                    a href=(it.path) { (it.heading) }
                    @if it.heading != it.page { p.quiet { (it.page) } }
                    p { (beginning(it.text)) }
                }
            }
        }
    };
    let shown = DocsPage {
        title: "Search",
        about: "Search the documentation and both APIs",
        path: "/docs/search",
        markdown: None,
        headings: &[],
    };
    let page = english(async { cached(docs_page(&ctx, &shown, body).into_response()) }).await;
    if is_wrong { (StatusCode::BAD_REQUEST, page).into_response() } else { page }
}

/// The first words of a text.
fn beginning(text: &str) -> String {
    let mut letters = text.chars();
    let beginning: String = letters.by_ref().take(200).collect();
    match (letters.next(), beginning.rsplit_once(' ')) {
        (Some(_), Some((words, _))) => format!("{words} …"),
        _ => beginning,
    }
}

/// Shows the reference of both APIs, from which requests can be sent.
async fn reference(Guest(ctx): Guest) -> Response {
    let script = file::url("scalar.js");
    let page = english(async { docs_reference(&ctx, script).into_response() }).await;
    ([(header::CONTENT_SECURITY_POLICY, REFERENCE_POLICY)], cached(page)).into_response()
}

/// Lists all pages for programs that read Markdown.
async fn list(Guest(ctx): Guest) -> Response {
    text("text/plain; charset=utf-8", grantor_docs::llms(&ctx.app().public_url))
}

/// The URL of the search index.
pub(crate) fn index_url() -> &'static str {
    file::url("search.json")
}

fn text(content_type: &'static str, text: String) -> Response {
    cached(([(header::CONTENT_TYPE, content_type)], text).into_response())
}

fn cached(response: Response) -> Response {
    ([(header::CACHE_CONTROL, CACHING)], response).into_response()
}

async fn english<F: Future>(page: F) -> F::Output {
    Language::english().scope(page).await
}
