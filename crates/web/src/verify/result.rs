//! The result of a verification, at a glance and in words.

use grantor_domain::Timestamp;
use grantor_service::licensing::receipt::{Claims, Disclosable, Reason, Validity, Verification};
use maud::{Markup, html};

use crate::view::money::fee;
use crate::view::time::exact;
use crate::view::{card, facts};

/// Whether the receipt is valid, and why not.
pub(super) fn verdict(verification: &Verification, now: Timestamp) -> Markup {
    let (tone, sign, word, meaning) = match verification.valid {
        Validity::Yes => {
            ("good", "✓", "Valid", "The receipt is authentic, and the grant is in effect.")
        }
        Validity::No => ("bad", "✕", "Not valid", "Do not rely on this receipt."),
        Validity::Unknown => {
            let meaning =
                "The receipt is authentic, but we couldn't check whether it is still valid.";
            ("warn", "?", "Unknown", meaning)
        }
    };
    html! {
        section class={ "notice verdict " (tone) } aria-label="Result" {
            h2 { span aria-hidden="true" { (sign) } " " (word) }
            p { (meaning) }
            @if !verification.reasons.is_empty() {
                ul { @for reason in &verification.reasons { li { (reason.message()) } } }
            }
            p { "Checked " time datetime=(now) { (exact(now)) } "." }
        }
    }
}

/// What an authentic receipt says, in the past tense if the grant is over.
pub(super) fn claims_of(verification: &Verification) -> Markup {
    let is_over = |it: &Reason| matches!(it, Reason::Ended | Reason::Revoked);
    let may_use = if verification.reasons.iter().any(is_over) {
        "Was allowed to use the likeness of"
    } else {
        "May use the likeness of"
    };
    html! {
        @if let Some(claims) = &verification.claims { (card("Grant", facts_of(claims, may_use))) }
    }
}

fn facts_of(claims: &Claims, may_use: &str) -> Markup {
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
    let none = || "None".to_owned();
    let channels = claims.channels.as_deref().unwrap_or_default();
    let ends = claims.ends_at.map_or_else(|| "No end date".to_owned(), exact);
    let title = claims.license.as_ref().map(|it| it.title.clone()).unwrap_or_default();
    facts(&[
        ("Licensee", party(claims.licensee.as_ref().map(|it| it.name.as_str()))),
        (may_use, party(claims.talent.as_ref().map(|it| it.name.as_str()))),
        ("Granted by", party(Some(&claims.licensor.name))),
        ("Uses", html! { (claims.use_names().join(", ")) }),
        ("Territories", html! { (claims.territory_names().join(", ")) }),
        ("Starts", html! { (exact(claims.starts_at)) }),
        ("Ends", html! { (ends) }),
        ("Exclusive", html! { @if claims.exclusive { "Yes" } @else { "No" } }),
        ("Channels", shown(Disclosable::Channels, channel_names(channels))),
        (
            "Conditions",
            shown(Disclosable::Conditions, claims.conditions.clone().unwrap_or_else(none)),
        ),
        ("Fee", shown(Disclosable::Fee, claims.fee.map_or_else(none, fee))),
        ("License", shown(Disclosable::License, title)),
        ("Number", html! { (claims.number) }),
        ("Receipt issued", html! { (exact(claims.issued_at)) }),
    ])
}

fn not_disclosed() -> Markup {
    html! { span.quiet { "Not disclosed" } }
}

fn channel_names(channels: &[String]) -> String {
    if channels.is_empty() { "Not limited".to_owned() } else { channels.join(", ") }
}
