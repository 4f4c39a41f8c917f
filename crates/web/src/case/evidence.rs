//! `/evidence/{code}`: the evidence of a case, for anybody who was given the link.

use axum::response::{IntoResponse as _, Response};
use grantor_domain::Timestamp;
use grantor_domain::evidence::{Evidence, MAX_LISTED, parts};
use grantor_messages::text;
use grantor_service::watching::case::{self, EvidenceLink, SharedEvidence, SharedPicture};
use http::{HeaderName, HeaderValue, StatusCode, header};
use maud::{Markup, html};

use crate::frame::{Failure, Guest, Outcome, PageContext, Segment, Segments};
use crate::mention::{hashed, header_label};
use crate::view::lightbox::{enlarged, lightbox};
use crate::view::outline::{outlined, placement_words, recognition_facts};
use crate::view::time::exact;
use crate::view::{NavItem, card, facts, head};

/// The names of the pictures.
const FOUND: &str = "found.jpg";
const REFERENCE: &str = "reference.jpg";

/// Shows the evidence, or that the link has ended.
pub(crate) async fn show(Guest(ctx): Guest, Segment(code): Segment<String>) -> Outcome {
    Ok(unlisted(match case::open_link(ctx.app(), &code).await? {
        EvidenceLink::Open(shared) => draw(&ctx, &code, &shared),
        EvidenceLink::Closed => closed(&ctx),
    }))
}

/// Only those who were given the link should find the page.
fn unlisted(mut page: Response) -> Response {
    let name = HeaderName::from_static("x-robots-tag");
    page.headers_mut().insert(name, HeaderValue::from_static("noindex, nofollow"));
    page
}

fn closed(ctx: &PageContext) -> Response {
    let title = text!("case-link-ended");
    let body = head(title, text!("case-link-ended-why"), html! {});
    let mut page = ctx.page(title, NavItem::None, body);
    *page.status_mut() = StatusCode::GONE;
    page
}

fn draw(ctx: &PageContext, code: &str, shared: &SharedEvidence) -> Response {
    let newest = shared.evidence.last();
    let pictures = newest.map(|it| pictures(code, it)).unwrap_or_default();
    let (talent, place) = (&shared.talent_name, host(&shared.url));
    let title = text!("case-talent-on", talent = talent, place = place);
    let lead = text!("case-recorded-for", organization = &shared.organization);
    let body = html! {
        (head(&title, &lead, html! {}))
        (card(text!("case-what-was-found"), found(shared, newest)))
        @if !pictures.is_empty() { (card(text!("case-pictures"), side_by_side(&pictures, newest))) }
        @if let Some(newest) = newest { (card(text!("case-how-recorded"), record(newest))) }
        @if shared.evidence.len() > 1 { (card(text!("case-earlier-records"), earlier(&shared.evidence))) }
    };
    ctx.page(&title, NavItem::None, body)
}

fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (exact(at)) } }
}

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

/// Returns a picture of the evidence. It is not kept by browsers, because it ends with the link.
pub(crate) async fn picture(
    Guest(ctx): Guest,
    Segments(code, name): Segments<String, String>,
) -> Outcome {
    let picture = match name.as_str() {
        FOUND => SharedPicture::Found,
        REFERENCE => SharedPicture::Reference,
        _ => return Err(Failure::not_found()),
    };
    let bytes = case::open_picture(ctx.app(), &code, picture).await?;
    let about = [
        (header::CONTENT_TYPE, "image/jpeg"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"picture.jpg\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((about, bytes).into_response())
}

/// The copies of the found picture and of the reference image, with their captions and addresses.
fn pictures(code: &str, it: &Evidence) -> Vec<(&'static str, String)> {
    let [found, reference] = it.copies().map(|it| it.is_some());
    let at = |name: &str| format!("/evidence/{code}/{name}");
    let all = [
        (found, text!("case-found-picture"), FOUND),
        (reference, text!("case-reference-image"), REFERENCE),
    ];
    let kept = all.into_iter().filter(|(is_kept, ..)| *is_kept);
    kept.map(|(_, caption, name)| (caption, at(name))).collect()
}

fn side_by_side(pictures: &[(&'static str, String)], newest: Option<&Evidence>) -> Markup {
    let placement = newest.and_then(|it| it.found.placement.as_ref());
    // The copy of the found picture comes first, if there is one.
    let found = newest.is_some_and(|it| it.copies()[0].is_some());
    html! {
        div.comparison {
            @for (index, (caption, url)) in pictures.iter().enumerate() {
                figure {
                    (enlarged(url, outlined(html! { img src=(url) alt=(caption); }, placement.filter(|_| found && index == 0))))
                    figcaption { (caption) }
                }
            }
        }
        (lightbox())
        @if let Some(placement) = placement { p { (placement_words(placement, true)) } }
    }
}

fn found(shared: &SharedEvidence, newest: Option<&Evidence>) -> Markup {
    let title = if shared.title.trim().is_empty() { &shared.url } else { &shared.title };
    let text = match newest {
        Some(it) => parts(&it.text, &it.marks),
        None => vec![(shared.excerpt.clone(), false)],
    };
    facts(&[
        (text!("case-talent"), html! { (shared.talent_name) }),
        (text!("case-page-title"), html! { (title) }),
        (
            text!("case-page"),
            html! { a href=(shared.url) rel="noopener noreferrer nofollow" { (shared.url) } },
        ),
        (
            text!("case-text"),
            html! {
                blockquote {
                    @for (part, marked) in &text {
                        @if *marked { mark { (part) } } @else { (part) }
                    }
                }
            },
        ),
        (text!("case-first-seen"), moment(shared.first_seen_at)),
        (text!("case-last-seen"), moment(shared.last_seen_at)),
    ])
}

fn record(it: &Evidence) -> Markup {
    let mut all = vec![
        (text!("case-recorded"), moment(it.captured_at)),
        (text!("case-address-read"), html! { code { (it.url) } }),
    ];
    if let Some(url) = &it.final_url {
        all.push((text!("case-final-address"), html! { code { (url) } }));
    }
    if let Some(status) = it.status {
        all.push((text!("case-http-status"), html! { (status) }));
    }
    for (name, value) in &it.headers {
        all.push((header_label(name), html! { code { (value) } }));
    }
    all.extend(recognition_facts(&it.found));
    all.push((hashed(it), html! { code { (it.body_sha256) } }));
    if let Some(hash) = it.picture.as_ref().and_then(|it| it.sha256.as_ref()) {
        all.push((text!("case-picture-hash"), html! { code { (hash) } }));
    }
    all.push((text!("case-record-hash"), html! { code { (it.sha256) } }));
    facts(&all)
}

fn earlier(all: &[Evidence]) -> Markup {
    html! {
        ul {
            @for it in all.iter().rev().skip(1) {
                li { (moment(it.captured_at)) " · " code { (it.sha256) } }
            }
        }
        @if all.len() == MAX_LISTED as usize { p.quiet { (text!("case-older-records")) } }
    }
}
