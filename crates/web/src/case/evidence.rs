//! `/evidence/{code}`: the evidence of a case, for anybody who was given the link.

use grantor_domain::evidence::{Evidence, MAX_LISTED, parts};
use grantor_domain::{Result, Timestamp};
use grantor_service::App;
use grantor_service::watching::case::{self, SharedEvidence};
use http::{HeaderName, HeaderValue};
use maud::{Markup, html};

use crate::frame::{Guest, Outcome, Segment};
use crate::image_url;
use crate::mention::hashed;
use crate::view::time::exact;
use crate::view::{NavItem, card, facts, head};

/// Shows the evidence.
pub(crate) async fn show(Guest(ctx): Guest, Segment(code): Segment<String>) -> Outcome {
    let shared = case::open_link(ctx.app(), &code).await?;
    let newest = shared.evidence.last();
    let pictures = match newest {
        Some(newest) => pictures(ctx.app(), newest).await?,
        None => vec![],
    };
    let title = format!("{} on {}", shared.talent_name, host(&shared.url));
    let lead = format!("Recorded for {}.", shared.organization);
    let body = html! {
        (head(&title, &lead, html! {}))
        (card("What was found", found(&shared, newest)))
        @if !pictures.is_empty() { (card("Pictures", side_by_side(&pictures))) }
        @if let Some(newest) = newest { (card("How it was recorded", record(newest))) }
        @if shared.evidence.len() > 1 { (card("Earlier records", earlier(&shared.evidence))) }
    };
    let urls: Vec<String> = pictures.into_iter().map(|(_, url)| url).collect();
    let mut page = image_url::allow(ctx.page(&title, NavItem::None, body), &urls);
    // Only those who were given the link should find the page.
    let name = HeaderName::from_static("x-robots-tag");
    page.headers_mut().insert(name, HeaderValue::from_static("noindex, nofollow"));
    Ok(page)
}

fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (exact(at)) } }
}

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

/// The copies of the found picture and of the reference image, with their captions.
async fn pictures(app: &App, it: &Evidence) -> Result<Vec<(&'static str, String)>> {
    let [found, reference] = it.copies().map(|it| it.is_some());
    let mut pictures = vec![];
    if found {
        pictures.push(("Found picture", image_url::found_picture(app, it.id).await?));
    }
    if reference {
        pictures.push(("Reference image", image_url::reference_copy(app, it.id).await?));
    }
    Ok(pictures)
}

fn side_by_side(pictures: &[(&'static str, String)]) -> Markup {
    html! {
        div.comparison {
            @for (caption, url) in pictures {
                figure { img src=(url) alt=(caption); figcaption { (caption) } }
            }
        }
    }
}

fn found(shared: &SharedEvidence, newest: Option<&Evidence>) -> Markup {
    let title = if shared.title.trim().is_empty() { &shared.url } else { &shared.title };
    let text = match newest {
        Some(it) => parts(&it.text, &it.marks),
        None => vec![(shared.excerpt.clone(), false)],
    };
    facts(&[
        ("Talent", html! { (shared.talent_name) }),
        ("Title", html! { (title) }),
        ("Page", html! { a href=(shared.url) rel="noopener noreferrer nofollow" { (shared.url) } }),
        (
            "Text",
            html! {
                blockquote {
                    @for (part, marked) in &text {
                        @if *marked { mark { (part) } } @else { (part) }
                    }
                }
            },
        ),
        ("First seen", moment(shared.first_seen_at)),
        ("Last seen", moment(shared.last_seen_at)),
    ])
}

fn record(it: &Evidence) -> Markup {
    let mut all =
        vec![("Recorded", moment(it.captured_at)), ("Address read", html! { code { (it.url) } })];
    if let Some(url) = &it.final_url {
        all.push(("Final address", html! { code { (url) } }));
    }
    if let Some(status) = it.status {
        all.push(("Status", html! { (status) }));
    }
    for (name, value) in &it.headers {
        all.push((name.as_str(), html! { code { (value) } }));
    }
    all.push((hashed(it), html! { code { (it.body_sha256) } }));
    if let Some(hash) = it.picture.as_ref().and_then(|it| it.sha256.as_ref()) {
        all.push(("SHA-256 of the picture", html! { code { (hash) } }));
    }
    all.push(("SHA-256 of this record", html! { code { (it.sha256) } }));
    facts(&all)
}

fn earlier(all: &[Evidence]) -> Markup {
    html! {
        ul {
            @for it in all.iter().rev().skip(1) {
                li { (moment(it.captured_at)) " · " code { (it.sha256) } }
            }
        }
        @if all.len() == MAX_LISTED as usize { p.quiet { "Older records exist." } }
    }
}
