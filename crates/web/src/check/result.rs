//! The result of a check, in words.

use grantor_domain::check::CheckMethod;
use grantor_domain::decision::{Decision, ReasonCode};
use grantor_domain::grant::GrantNumber;
use grantor_domain::id::GrantId;
use grantor_domain::likeness::Strength;
use grantor_domain::role::Right;
use grantor_service::watching::check::{CheckMatch, Checked, Skipped};
use maud::{Markup, html};

use crate::frame::Person;
use crate::request::request_button;
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
    viewer: Viewer<'_>,
    checked: &Checked,
    thumbnails: &[Option<String>],
) -> Markup {
    let count = match checked.matches.len() {
        1 => "1 match".to_owned(),
        many => format!("{many} matches"),
    };
    html! {
        @if checked.matches.is_empty() {
            (empty("Nobody was recognized", nobody(viewer), html! {}))
        } @else {
            p role="status" { strong { (count) } }
            div.cards.even {
                @for (found, thumbnail) in checked.matches.iter().zip(thumbnails) {
                    (tile(viewer, found, thumbnail.as_deref()))
                }
            }
        }
        @if !checked.skipped.is_empty() { (skipped(&checked.skipped)) }
    }
}

const fn nobody(viewer: Viewer<'_>) -> &'static str {
    match viewer {
        Viewer::Guest => "No public license is about anybody in it.",
        Viewer::Person(_) => "None of the licenses that you can see is about anybody in it.",
    }
}

fn tile(viewer: Viewer<'_>, found: &CheckMatch, thumbnail: Option<&str>) -> Markup {
    let license = &found.license;
    let list = if license.held { "/app/licenses/" } else { "/app/catalog/" };
    html! {
        section.card.check {
            @if let Some(url) = thumbnail {
                img.check-picture src=(url) alt={ "Reference image of " (license.talent_name) };
            }
            h2 { (license.talent_name) }
            p { (recognized_by(found)) }
            p.quiet { (sureness(found)) }
            (verdict(found))
            div.row {
                a.button.plain.small href={ (list) (license.id) } { "View " (license.title) }
                @if viewer.may_request(found) { (request_button(license.id, None)) }
            }
        }
    }
}

fn recognized_by(found: &CheckMatch) -> Markup {
    html! {
        @if let Some(term) = &found.term {
            "Found by the name " strong { (term) }
        } @else if found.region.is_some() {
            "Found by a part of the picture"
        } @else {
            "Found by the picture"
        }
    }
}

/// How sure the match is.
fn sureness(found: &CheckMatch) -> String {
    let (word, reason) = match found.method {
        CheckMethod::FullName => ("Very likely", "a full name appears"),
        CheckMethod::SingleName => ("Possible", "others may have this name, too"),
        CheckMethod::PerceptualHash => match found.distance.and_then(Strength::of) {
            Some(Strength::Strong) => ("Very likely", "the pictures look the same"),
            _ => ("Possible", "the pictures look similar"),
        },
    };
    format!("{word} ({:.0}%): {reason}", found.confidence * 100.0)
}

/// The decision and its first reason.
fn verdict(found: &CheckMatch) -> Markup {
    let decided = &found.decided;
    let reason = decided.reasons.first().map(|(reason, _)| reason);
    let (tone, word) = match decided.decision {
        Decision::Allowed => ("good", allowed(reason.map(|it| it.code))),
        Decision::Ask => ("warn", "You need a grant"),
        Decision::Denied => ("bad", "Not available"),
    };
    notice(
        tone,
        html! {
            p {
                strong { (word) "." } " "
                @if let Some(reason) = reason { (explained(reason.code)) }
                @if let Some(number) = reason.and_then(|it| it.grant) {
                    " (" (grant_link(number, found.grant)) ")"
                }
            }
        },
    )
}

/// A picture or a text has no use and no place, so what is allowed has bounds, except for the owner.
const fn allowed(code: Option<ReasonCode>) -> &'static str {
    match code {
        Some(ReasonCode::Owner) => "You may use it",
        Some(ReasonCode::GrantCovers) => "You may use it within what your grant covers",
        _ => "You may use it within what the license covers",
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
const fn explained(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::Owner => "Your organization owns this license.",
        ReasonCode::GrantCovers => "The grant says for what, where and until when.",
        ReasonCode::Permission => "The license is shared with you.",
        ReasonCode::NoGrant => "Ask the rights holder for one.",
        ReasonCode::GrantEnded => "Your grant has ended.",
        ReasonCode::GrantNotStarted => "Your grant has not started yet.",
        ReasonCode::UseNotCovered | ReasonCode::TerritoryNotCovered => {
            "Your grant does not cover it."
        }
        ReasonCode::NotVisible => "The license is not visible to you.",
        ReasonCode::GrantRevoked => "Your grant was revoked.",
        ReasonCode::LicenseNotInForce => "The license is not in force at this time.",
    }
}

fn skipped(pictures: &[Skipped]) -> Markup {
    notice(
        "warn",
        html! {
            p { "Some pictures of the page could not be checked:" }
            ul { @for it in pictures { li { span.lines { (it.url) } " " (it.reason) "." } } }
        },
    )
}
