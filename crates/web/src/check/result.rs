//! The result of a check, in words.

use grantor_domain::check::CheckMethod;
use grantor_domain::decision::{Decision, ReasonCode};
use grantor_domain::grant::GrantNumber;
use grantor_domain::id::GrantId;
use grantor_domain::role::Right;
use grantor_messages::text;
use grantor_service::watching::check::{CheckMatch, Checked, Skipped};
use maud::{Markup, html};

use crate::frame::{PageContext, Person};
use crate::request::request_button;
use crate::view::outline::placement_words;
use crate::view::rich::rich;
use crate::view::{empty, notice};

/// Who reads the result.
#[derive(Clone, Copy)]
pub(super) enum Viewer<'a> {
    Guest,
    Person(&'a Person),
}

impl Viewer<'_> {
    /// Whether to offer a request for the license.
    fn may_request(self, found: &CheckMatch) -> bool {
        let may_ask = match self {
            // Guests sign in first.
            Self::Guest => true,
            Self::Person(person) => person.may(Right::RequestLicenses),
        };
        may_ask && found.decided.decision == Decision::Ask
    }
}

/// All matches, each with the thumbnail of its reference image.
pub(super) fn results(
    ctx: &PageContext,
    viewer: Viewer<'_>,
    checked: &Checked,
    thumbnails: &[Option<String>],
) -> Markup {
    let count = text!("check-match-count", count = checked.matches.len());
    html! {
        @if checked.matches.is_empty() {
            (empty(text!("check-nobody"), nobody(viewer), html! {}))
        } @else {
            p role="status" { strong { (count) } }
            div.cards.even {
                @for (found, thumbnail) in checked.matches.iter().zip(thumbnails) {
                    (tile(ctx, viewer, found, thumbnail.as_deref()))
                }
            }
        }
        @if !checked.skipped.is_empty() { (skipped(&checked.skipped)) }
    }
}

fn nobody(viewer: Viewer<'_>) -> &'static str {
    match viewer {
        Viewer::Guest => text!("check-nobody-public"),
        Viewer::Person(_) => text!("check-nobody-visible"),
    }
}

fn tile(
    ctx: &PageContext,
    viewer: Viewer<'_>,
    found: &CheckMatch,
    thumbnail: Option<&str>,
) -> Markup {
    let license = &found.license;
    let list = if license.held { "/app/licenses/" } else { "/app/catalog/" };
    html! {
        section.card.check {
            @if let Some(url) = thumbnail {
                img.check-picture src=(url) alt=(text!("check-reference-image", talent = &license.talent_name));
            }
            h2 { (license.talent_name) }
            p { (recognized_by(found)) }
            p.quiet { (sureness(found)) }
            @if let Some(placement) = &found.placement { p.quiet { (placement_words(placement, found.strong)) } }
            (verdict(found))
            div.row {
                a.button.plain.small href={ (list) (license.id) } {
                    (text!("check-view-license", license = &license.title))
                }
                @if viewer.may_request(found) { (request_button(ctx, license.id, None)) }
            }
        }
    }
}

fn recognized_by(found: &CheckMatch) -> Markup {
    html! {
        @if let Some(term) = &found.term {
            (rich!("check-found-by-name", name = html! { strong { (term) } }))
        } @else if found.region.is_some() {
            (text!("check-found-by-part"))
        } @else {
            (text!("check-found-by-picture"))
        }
    }
}

/// How sure the match is.
fn sureness(found: &CheckMatch) -> String {
    let percent = format!("{:.0}", found.confidence * 100.0);
    match found.method {
        CheckMethod::FullName => text!("check-sure-full-name", percent = percent),
        CheckMethod::SingleName => text!("check-sure-single-name", percent = percent),
        CheckMethod::PerceptualHash if found.strong => {
            text!("check-sure-same-picture", percent = percent)
        }
        CheckMethod::PerceptualHash => text!("check-sure-similar-picture", percent = percent),
        CheckMethod::LocalFeatures if found.strong => {
            text!("check-sure-same-part", percent = percent)
        }
        CheckMethod::LocalFeatures => text!("check-sure-similar-part", percent = percent),
    }
}

/// The decision and its first reason.
fn verdict(found: &CheckMatch) -> Markup {
    let decided = &found.decided;
    let reason = decided.reasons.first().map(|(reason, _)| reason);
    let (tone, word) = match decided.decision {
        Decision::Allowed => ("good", allowed(reason.map(|it| it.code))),
        Decision::Ask => ("warn", text!("check-need-grant")),
        Decision::Denied => ("bad", text!("check-not-available")),
    };
    notice(
        tone,
        html! {
            p {
                strong { (word) } " "
                @if let Some(reason) = reason { (explained(reason.code)) }
                @if let Some(number) = reason.and_then(|it| it.grant) {
                    " (" (grant_link(number, found.grant)) ")"
                }
            }
        },
    )
}

/// A picture or a text has no use and no place, so what is allowed has bounds, except for the owner.
fn allowed(code: Option<ReasonCode>) -> &'static str {
    match code {
        Some(ReasonCode::Owner) => text!("check-allowed-owner"),
        Some(ReasonCode::GrantCovers) => text!("check-allowed-grant"),
        _ => text!("check-allowed-license"),
    }
}

/// The number of a grant, with a link for those who may open the grant.
fn grant_link(number: GrantNumber, id: Option<GrantId>) -> Markup {
    html! {
        @match id {
            Some(id) => { a href={ "/app/grants/" (id) } { (number.to_string()) } }
            None => { (number.to_string()) }
        }
    }
}

/// Why, in the words of the person who reads it.
fn explained(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::Owner => text!("check-why-owner"),
        ReasonCode::GrantCovers => text!("check-why-grant-covers"),
        ReasonCode::Permission => text!("check-why-permission"),
        ReasonCode::NoGrant => text!("check-why-no-grant"),
        ReasonCode::GrantEnded => text!("check-why-grant-ended"),
        ReasonCode::GrantNotStarted => text!("check-why-grant-not-started"),
        ReasonCode::UseNotCovered | ReasonCode::TerritoryNotCovered => {
            text!("check-why-not-covered")
        }
        ReasonCode::NotVisible => text!("check-why-not-visible"),
        ReasonCode::GrantRevoked => text!("check-why-grant-revoked"),
        ReasonCode::LicenseNotInForce => text!("check-why-not-in-force"),
    }
}

fn skipped(pictures: &[Skipped]) -> Markup {
    notice(
        "warn",
        html! {
            p { (text!("check-skipped")) }
            ul { @for it in pictures { li { span.lines { (it.url) } " " (grantor_messages::error(&it.reason)) "." } } }
        },
    )
}
