//! Terms in words: of a license, of an offer, and what an offer changes.

use grantor_domain::grant::{Coverage, GrantTerms, Party};
use grantor_domain::license::{LicenseType, Territory};
use grantor_domain::request::Offer;
use grantor_service::licensing::request::RequestView;
use maud::{Markup, html};

use super::VisibleLicense;
use crate::license::{dates, type_label};
use crate::view::money::fee;
use crate::view::territory::territory_names;
use crate::view::time::exact;
use crate::view::{card, facts};

/// The name of the terms that are compared line by line.
const CONDITIONS: &str = "Conditions";

/// The names of uses.
pub(crate) fn use_names(uses: &[LicenseType]) -> String {
    let labels: Vec<_> = uses.iter().map(|it| type_label(*it)).collect();
    if labels.is_empty() { "Not limited".to_owned() } else { labels.join(", ") }
}

/// The names of territories.
pub(crate) fn place_names(territories: &[Territory]) -> String {
    territory_names(territories).unwrap_or_else(|| "Not limited".to_owned())
}

/// The uses, territories and period, with their labels.
pub(super) fn of_coverage(coverage: &Coverage) -> [(&'static str, String); 4] {
    [
        ("Uses", use_names(coverage.uses.as_slice())),
        ("Territories", place_names(coverage.territories.as_slice())),
        ("Starts", exact(coverage.starts_at)),
        ("Ends", coverage.ends_at.map_or_else(|| "No end date".to_owned(), exact)),
    ]
}

/// Channels, as one line.
pub(super) fn channel_names(channels: &[String]) -> String {
    if channels.is_empty() { "Not limited".to_owned() } else { channels.join(", ") }
}

/// A term in words, with its label.
type Described = (&'static str, String);

/// All terms, with their labels.
fn described(terms: &GrantTerms) -> Vec<Described> {
    let or_none = |text: &str| {
        let text = if text.is_empty() { "None" } else { text };
        text.to_owned()
    };
    let exclusive = if terms.exclusive { "Yes" } else { "No" };
    let rest = [
        ("Fee", terms.fee.map_or_else(|| "None".to_owned(), fee)),
        ("Exclusive", exclusive.to_owned()),
        ("Channels", channel_names(&terms.channels)),
        (CONDITIONS, or_none(&terms.conditions)),
        ("Credit line", or_none(terms.credit_line.as_deref().unwrap_or_default())),
    ];
    of_coverage(&terms.coverage).into_iter().chain(rest).collect()
}

/// All terms in full.
pub(crate) fn full(terms: &GrantTerms) -> Markup {
    let rows = described(terms).into_iter();
    let rows: Vec<_> = rows.map(|(name, text)| (name, html! { span.lines { (text) } })).collect();
    facts(&rows)
}

/// The terms of the license, which an offer cannot exceed.
pub(super) fn ceiling(license: &VisibleLicense) -> Markup {
    let (record, license, path) = (&license.record, &license.record.license, &license.path);
    let inside = facts(&[
        ("License", html! { a href=(path) { (license.title.as_str()) } }),
        ("Talent", html! { (record.talent_name) }),
        ("Owner", html! { (record.owner_name) }),
        ("Permitted uses", html! { (use_names(license.uses.as_slice())) }),
        ("Territories", html! { (place_names(license.territories.as_slice())) }),
        ("Dates", dates(license)),
        ("Fee", html! { (license.fee.map_or_else(|| "Not specified".to_owned(), fee)) }),
    ]);
    card("License terms", inside)
}

/// A change of one term: its label, and its values before and after.
type Change = (&'static str, String, String);

fn changes(before: &Offer, after: &Offer) -> Vec<Change> {
    let all = |offer: &Offer| {
        let mut all = described(&offer.terms);
        all.push(("Offer ends", exact(offer.expires_at)));
        all
    };
    changed(all(before), all(after))
}

fn changed(before: Vec<Described>, after: Vec<Described>) -> Vec<Change> {
    let pairs = before.into_iter().zip(after);
    pairs.filter(|(old, new)| old != new).map(|((name, old), (_, new))| (name, old, new)).collect()
}

/// What an offer changes compared to what was asked for. Nothing if the owner began.
pub(super) fn from_request(view: &RequestView, offer: &Offer) -> Markup {
    let request = &view.record.request;
    if request.begun_by == Party::Owner {
        return html! {};
    }
    let covered = |coverage: &Coverage, channels: &[String]| {
        let channels = ("Channels", channel_names(channels));
        of_coverage(coverage).into_iter().chain([channels]).collect()
    };
    let changes = changed(
        covered(&request.coverage, &request.channels),
        covered(&offer.terms.coverage, &offer.terms.channels),
    );
    let lead = match view.party {
        Party::Asker => "Changes from your request:",
        Party::Owner => "Changes from the request:",
    };
    html! {
        @if changes.is_empty() {
            p.quiet { "Uses, territories, dates and channels are as requested." }
        } @else {
            p { (lead) }
            ul { @for change in &changes { (change_line(change)) } }
        }
    }
}

fn change_line((name, old, new): &Change) -> Markup {
    html! { li { strong { (name) ":" } " " (old) " → " (new) } }
}

/// What an offer changes compared to another one, after a line that introduces the changes.
pub(super) fn difference(lead: &str, before: &Offer, after: &Offer) -> Markup {
    let changes = changes(before, after);
    let other_version = before.license_version != after.license_version;
    html! {
        @if changes.is_empty() && other_version {
            p { "The terms are the same, but the license was edited in between." }
        } @else if changes.is_empty() {
            p.quiet { "The terms are the same as before." }
        } @else {
            p { (lead) }
            ul {
                @for change in &changes {
                    @if change.0 == CONDITIONS {
                        (line_changes(&before.terms.conditions, &after.terms.conditions))
                    } @else { (change_line(change)) }
                }
            }
        }
    }
}

/// The lines that were removed from the conditions and added to them.
fn line_changes(old: &str, new: &str) -> Markup {
    let missing = |from: &str, other: &str| -> Vec<String> {
        let kept = |line: &str| line.trim().is_empty() || other.lines().any(|it| it == line);
        from.lines().filter(|it| !kept(it)).map(str::to_owned).collect()
    };
    let (removed, added) = (missing(old, new), missing(new, old));
    html! {
        @for line in &removed { li { strong { (CONDITIONS) ", removed:" } " " (line) } }
        @for line in &added { li { strong { (CONDITIONS) ", added:" } " " (line) } }
        @if removed.is_empty() && added.is_empty() { li { (CONDITIONS) " in another order" } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_compared_line_by_line() {
        let text = line_changes("No alcohol.\nNo tobacco.", "No tobacco.\nNo games.").into_string();
        assert!(text.contains("removed:</strong> No alcohol."), "{text}");
        assert!(text.contains("added:</strong> No games.") && !text.contains("tobacco"), "{text}");
    }
}
