//! The evidence on the page of a mention.

use axum::body::Body;
use axum::response::IntoResponse as _;
use grantor_domain::Result;
use grantor_domain::evidence::{CaptureMethod, Evidence, MAX_LISTED, MissingPicture, marks, parts};
use grantor_domain::id::MentionId;
use grantor_domain::mention::{MatchKind, Mention};
use grantor_domain::permission::LicenseAct;
use grantor_messages::text;
use grantor_service::watching::evidence;
use grantor_service::watching::likeness::is_strong;
use grantor_service::watching::mention::{self, MentionView};
use http::header;
use maud::{Markup, html};

use crate::frame::{Outcome, Person, Segment};
use crate::image_url;
use crate::view::lightbox::{enlarged, lightbox};
use crate::view::outline::{outlined, placement_words, recognition_facts};
use crate::view::rich::rich;
use crate::view::{ago, facts};

/// The newest evidence of a mention, with the URLs of its pictures.
pub(super) struct EvidenceSection {
    /// The newest revisions, oldest first. Empty for those who cannot review the mention.
    revisions: Vec<Evidence>,
    /// Whether the user may see the evidence.
    is_visible: bool,
    found: Option<String>,
    reference: Option<String>,
}

impl EvidenceSection {
    pub(super) async fn load(person: &Person, seen: &MentionView) -> Result<Self> {
        let (app, reader) = (person.app(), person.caller.reader());
        let mention = &seen.shown.mention;
        let is_visible = seen.role.may(LicenseAct::ReviewMentions);
        let revisions = if is_visible {
            evidence::get(app, reader, mention.id).await?.revisions
        } else {
            vec![]
        };
        let newest = revisions.last();
        let [found, copied] = newest.map_or([false; 2], |it| it.copies().map(|it| it.is_some()));
        let found = match newest.filter(|_| found) {
            Some(it) => Some(image_url::found_picture(app, it.id).await?),
            None => None,
        };
        let reference = match newest.filter(|_| copied) {
            Some(it) => Some(image_url::reference_copy(app, it.id).await?),
            None => match mention::reference(app, reader, mention).await? {
                Some(id) => Some(image_url::thumbnail(app, id).await?),
                None => None,
            },
        };
        Ok(Self { revisions, is_visible, found, reference })
    }

    pub(super) fn has_evidence(&self) -> bool {
        !self.revisions.is_empty()
    }

    /// The URLs of the pictures.
    pub(super) fn urls(&self) -> impl Iterator<Item = &String> {
        self.found.iter().chain(&self.reference)
    }

    /// The found picture next to the reference image, and the text with the matched words marked. A
    /// script adds a view below in which one picture lies over the other.
    pub(super) fn comparison(&self, mention: &Mention) -> Markup {
        let picture = self.revisions.last().and_then(|it| it.picture.as_ref());
        let placement = self.revisions.last().and_then(|it| it.found.placement.as_ref());
        // A part does not lie over the whole.
        let compares = self.found.is_some() && self.reference.is_some() && placement.is_none();
        html! {
            @if mention.found.kind == MatchKind::Image {
                div.comparison data-compare=[compares.then(|| text!("view-compare"))] {
                    figure {
                        @match &self.found {
                            Some(url) => {
                                (enlarged(url, outlined(html! { img src=(url) alt=(text!("mention-found-picture")); }, placement)))
                            }
                            None if self.is_visible => { p.quiet { (why_missing(picture.and_then(|it| it.missing))) } }
                            None => { p.quiet { (text!("mention-picture-hidden")) } }
                        }
                        figcaption { (text!("mention-caption-found")) }
                    }
                    figure {
                        @match &self.reference {
                            Some(url) => {
                                (enlarged(url, html! { img src=(url) alt=(text!("mention-reference-image")); }))
                            }
                            None => { p.quiet { (text!("mention-reference-gone")) } }
                        }
                        figcaption { (text!("mention-caption-reference")) }
                    }
                }
                @if self.urls().next().is_some() { (lightbox()) }
                @if let Some(placement) = &mention.found.placement { p { (placement_words(placement, is_strong(mention.found.confidence))) } }
                @if is_doubtful(mention) { p.quiet { (text!("mention-part-doubtful")) } }
            }
            @if !mention.excerpt.is_empty() { blockquote { (marked(mention)) } }
            @else if mention.found.kind == MatchKind::Name { p.quiet { (text!("mention-text-not-kept")) } }
        }
    }

    /// What was recorded of the newest revision.
    pub(super) fn record(&self, person: &Person) -> Markup {
        let Some(it) = self.revisions.last() else { return html! {} };
        let mut all = vec![
            (text!("mention-recorded"), ago(person.now(), it.captured_at)),
            (text!("mention-address-read"), html! { code { (it.url) } }),
        ];
        if let Some(url) = &it.final_url {
            all.push((text!("mention-final-address"), html! { code { (url) } }));
        }
        if let Some(status) = it.status {
            all.push((text!("mention-http-status"), html! { (status) }));
        }
        all.extend(
            it.headers.iter().map(|(name, value)| (header_label(name), html! { code { (value) } })),
        );
        all.extend(recognition_facts(&it.found));
        all.push((hashed(it), html! { code { (it.body_sha256) } }));
        if let Some(hash) = it.picture.as_ref().and_then(|it| it.sha256.as_ref()) {
            all.push((text!("mention-picture-hash"), html! { code { (hash) } }));
        }
        html! {
            (facts(&all))
            @if self.revisions.len() > 1 {
                details {
                    summary { (text!("mention-earlier-revisions")) }
                    ul {
                        @for it in self.revisions.iter().rev().skip(1) {
                            li {
                                (rich!(
                                    "mention-revision-at",
                                    revision = it.revision.to_string(),
                                    time = ago(person.now(), it.captured_at),
                                ))
                            }
                        }
                    }
                    @if self.revisions.len() == MAX_LISTED as usize {
                        p.quiet { (text!("mention-download-has-all")) }
                    }
                }
            }
        }
    }
}

/// Whether a picture agrees with the reference image in so little that it may be a logo.
fn is_doubtful(mention: &Mention) -> bool {
    mention.found.placement.is_some() && mention.found.confidence <= 0.5
}

/// The text around the match. A name is marked wherever it is.
fn marked(mention: &Mention) -> Markup {
    let text = &mention.excerpt;
    let found = match mention.found.kind {
        MatchKind::Name => marks(text, &mention.found.term),
        MatchKind::Image => vec![],
    };
    html! {
        @for (part, is_marked) in parts(text, &found) {
            @if is_marked { mark { (part) } } @else { (part) }
        }
    }
}

fn why_missing(missing: Option<MissingPicture>) -> &'static str {
    match missing {
        Some(MissingPicture::PlanLimit) => text!("mention-picture-over-plan"),
        Some(MissingPicture::Unavailable) => text!("mention-picture-unavailable"),
        None => text!("mention-picture-not-kept"),
    }
}

/// What the hash of the body is of.
pub(crate) fn hashed(it: &Evidence) -> &'static str {
    match it.method {
        CaptureMethod::Fetched => text!("mention-response-hash"),
        CaptureMethod::Pushed => text!("mention-pushed-hash"),
    }
}

/// What a header is called on a page.
pub(crate) fn header_label(header: &str) -> &'static str {
    match header {
        "content-type" => text!("mention-header-content-type"),
        "date" => text!("mention-header-date"),
        "etag" => text!("mention-header-etag"),
        "last-modified" => text!("mention-header-last-modified"),
        "server" => text!("mention-header-server"),
        _ => text!("mention-header-other"),
    }
}

/// Downloads the evidence of a mention as a ZIP file.
pub(crate) async fn download(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let file = evidence::capsule(person.app(), person.caller.reader(), id).await?;
    let name = format!("attachment; filename=\"{}\"", file.name());
    let kind = "application/zip".to_owned();
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(file.chunks())).into_response())
}
