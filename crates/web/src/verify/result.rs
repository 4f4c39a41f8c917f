//! The result of a verification, at a glance and in words.

use grantor_domain::Timestamp;
use grantor_domain::license::{LicenseType, Territory};
use grantor_messages::{named, text};
use grantor_service::licensing::receipt::{Claims, Disclosable, Reason, Validity, Verification};
use maud::{Markup, html};

use crate::license::type_label;
use crate::view::money::fee;
use crate::view::rich::rich;
use crate::view::territory::territory_name;
use crate::view::time::{date, exact};
use crate::view::{card, facts};

/// Whether the receipt is valid, and why not.
pub(super) fn verdict(verification: &Verification, now: Timestamp) -> Markup {
    let (tone, sign, word, meaning) = described(verification);
    let time = html! { time datetime=(now) { (exact(now)) } };
    html! {
        section class={ "notice verdict " (tone) } aria-label=(text!("verify-result")) {
            h2 { span aria-hidden="true" { (sign) } " " (word) }
            p { (meaning) }
            @if !verification.reasons.is_empty() {
                ul { @for reason in &verification.reasons { li { (named("verify-reason", reason.name()).unwrap_or(reason.message())) } } }
            }
            p { (rich!("verify-checked", time = time)) }
        }
    }
}

/// The tone and sign of a verdict, its word and what that means. Only authentic receipts have
/// claims.
fn described(verification: &Verification) -> (&'static str, &'static str, String, &'static str) {
    let not_valid = || text!("verify-not-valid").to_owned();
    match (verification.valid, &verification.claims) {
        (Validity::Yes, _) => {
            ("good", "✓", text!("verify-valid").to_owned(), text!("verify-valid-meaning"))
        }
        (Validity::No, Some(claims)) if verification.reasons == [Reason::NotStarted] => {
            let word = text!("verify-not-yet", date = date(claims.starts_at));
            ("warn", "!", word, text!("verify-not-yet-meaning"))
        }
        (Validity::No, Some(_)) => ("bad", "✕", not_valid(), text!("verify-over-meaning")),
        (Validity::No, None) => ("bad", "✕", not_valid(), text!("verify-not-valid-meaning")),
        (Validity::Unknown, _) => {
            ("warn", "?", text!("verify-unknown").to_owned(), text!("verify-unknown-meaning"))
        }
    }
}

/// What an authentic receipt says, in the past tense if the grant is over. A receipt that is issued
/// whenever somebody looks has no time of issue that means anything.
pub(super) fn claims_of(verification: &Verification, is_issued_now: bool) -> Markup {
    let is_over = |it: &Reason| matches!(it, Reason::Ended | Reason::Revoked);
    let may_use = if verification.reasons.iter().any(is_over) {
        text!("verify-was-allowed")
    } else {
        text!("verify-may-use")
    };
    html! {
        @if let Some(claims) = &verification.claims {
            (card(text!("verify-grant"), facts_of(claims, may_use, is_issued_now)))
        }
    }
}

fn facts_of(claims: &Claims, may_use: &str, is_issued_now: bool) -> Markup {
    let party = |name: Option<&str>| match name {
        Some(name) => html! { strong { (name) } },
        None => not_disclosed(),
    };
    let shown = |claim: Disclosable, text: String| {
        if claims.disclosed.contains(&claim) {
            html! { span.lines { (text) } }
        } else {
            not_disclosed()
        }
    };
    let none = || text!("word-none").to_owned();
    let no_end = || text!("verify-no-end-date").to_owned();
    let channels = claims.channels.as_deref().unwrap_or_default();
    let ends = claims.ends_at.map_or_else(no_end, exact);
    let title = claims.license.as_ref().map(|it| it.title.clone()).unwrap_or_default();
    let exclusive = if claims.exclusive { text!("word-yes") } else { text!("word-no") };
    let mut all = vec![
        (text!("verify-licensee"), party(claims.licensee.as_ref().map(|it| it.name.as_str()))),
        (may_use, party(claims.talent.as_ref().map(|it| it.name.as_str()))),
        (text!("verify-granted-by"), party(Some(&claims.licensor.name))),
        (text!("verify-uses"), html! { (use_names(claims)) }),
        (text!("verify-territories"), html! { (territory_names(claims)) }),
        (text!("verify-starts"), html! { (exact(claims.starts_at)) }),
        (text!("verify-ends"), html! { (ends) }),
        (text!("verify-exclusive"), html! { (exclusive) }),
        (text!("verify-channels"), shown(Disclosable::Channels, channel_names(channels))),
        (
            text!("verify-conditions"),
            shown(Disclosable::Conditions, claims.conditions.clone().unwrap_or_else(none)),
        ),
        (text!("verify-fee"), shown(Disclosable::Fee, claims.fee.map_or_else(none, fee))),
        (text!("verify-license"), shown(Disclosable::License, title)),
        (text!("verify-number"), html! { (claims.number) }),
    ];
    if !is_issued_now {
        all.push((text!("verify-issued"), html! { (exact(claims.issued_at)) }));
    }
    facts(&all)
}

fn not_disclosed() -> Markup {
    html! { span.quiet { (text!("verify-not-disclosed")) } }
}

/// The names of the uses. Uses that are not known here stay as they are.
fn use_names(claims: &Claims) -> String {
    let label = |key: &str| key.parse::<LicenseType>().ok().map(type_label);
    let names = claims.uses.iter().map(|key| label(key).unwrap_or(key.as_str()));
    names.collect::<Vec<_>>().join(", ")
}

/// The names of the territories. Those that are not known here stay as they are.
fn territory_names(claims: &Claims) -> String {
    let label = |code: &str| Territory::parse(code).ok().map(territory_name);
    let names = claims.territories.iter().map(|code| label(code).unwrap_or(code.as_str()));
    names.collect::<Vec<_>>().join(", ")
}

fn channel_names(channels: &[String]) -> String {
    if channels.is_empty() { text!("verify-not-limited").to_owned() } else { channels.join(", ") }
}
