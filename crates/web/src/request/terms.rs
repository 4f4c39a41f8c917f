//! Terms in words: of a license, of an offer, and what an offer changes.

use std::cmp::Ordering;

use grantor_domain::grant::{Coverage, GrantTerms, Party};
use grantor_domain::license::{FeePer, LicenseFee, LicenseType, Territory};
use grantor_domain::request::{Budget, Offer};
use grantor_messages::text;
use grantor_service::licensing::request::RequestView;
use maud::{Markup, html};

use super::VisibleLicense;
use crate::license::{dates, type_label};
use crate::view::money::{fee, money};
use crate::view::territory::territory_names;
use crate::view::time::exact;
use crate::view::{card, facts};

/// The label of the terms that are compared line by line.
fn conditions() -> &'static str {
    text!("request-term-conditions")
}

/// What stands for a list without entries.
fn not_limited() -> String {
    text!("request-not-limited").to_owned()
}

/// The names of uses.
pub(crate) fn use_names(uses: &[LicenseType]) -> String {
    let labels: Vec<_> = uses.iter().map(|it| type_label(*it)).collect();
    if labels.is_empty() { not_limited() } else { labels.join(", ") }
}

/// The names of territories.
pub(crate) fn place_names(territories: &[Territory]) -> String {
    territory_names(territories).unwrap_or_else(not_limited)
}

/// The uses, territories and period, with their labels.
pub(super) fn of_coverage(coverage: &Coverage) -> [(&'static str, String); 4] {
    let no_end = || text!("request-no-end-date").to_owned();
    [
        (text!("request-term-uses"), use_names(coverage.uses.as_slice())),
        (text!("request-term-territories"), place_names(coverage.territories.as_slice())),
        (text!("request-term-starts"), exact(coverage.starts_at)),
        (text!("request-term-ends"), coverage.ends_at.map_or_else(no_end, exact)),
    ]
}

/// Channels, as one line.
pub(super) fn channel_names(channels: &[String]) -> String {
    if channels.is_empty() { not_limited() } else { channels.join(", ") }
}

fn yes_or_no(is_so: bool) -> String {
    if is_so { text!("word-yes") } else { text!("word-no") }.to_owned()
}

/// A term in words, with its label.
type Described = (&'static str, String);

/// All terms, with their labels.
fn described(terms: &GrantTerms) -> Vec<Described> {
    let none = || text!("word-none").to_owned();
    let or_none = |it: &str| if it.is_empty() { none() } else { it.to_owned() };
    let credit_line = or_none(terms.credit_line.as_deref().unwrap_or_default());
    let rest = [
        (text!("request-term-fee"), terms.fee.map_or_else(none, fee)),
        (text!("request-term-exclusive"), yes_or_no(terms.exclusive)),
        (text!("request-term-channels"), channel_names(&terms.channels)),
        (conditions(), or_none(&terms.conditions)),
        (text!("request-term-credit-line"), credit_line),
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
    let territories = place_names(license.territories.as_slice());
    let unknown = || text!("request-not-specified").to_owned();
    let inside = facts(&[
        (text!("request-license"), html! { a href=(path) { (license.title.as_str()) } }),
        (text!("request-talent"), html! { (record.talent_name) }),
        (text!("request-owner"), html! { (record.owner_name) }),
        (text!("request-permitted-uses"), html! { (use_names(license.uses.as_slice())) }),
        (text!("request-term-territories"), html! { (territories) }),
        (text!("request-dates"), dates(license)),
        (text!("request-term-fee"), html! { (license.fee.map_or_else(unknown, fee)) }),
    ]);
    card(text!("request-license-terms"), inside)
}

/// A change of one term: its label, and its values before and after.
type Change = (&'static str, String, String);

fn changes(before: &Offer, after: &Offer) -> Vec<Change> {
    let all = |offer: &Offer| {
        let mut all = described(&offer.terms);
        all.push((text!("request-offer-ends"), exact(offer.expires_at)));
        all
    };
    changed(all(before), all(after))
}

fn changed(before: Vec<Described>, after: Vec<Described>) -> Vec<Change> {
    let pairs = before.into_iter().zip(after);
    pairs.filter(|(old, new)| old != new).map(|((name, old), (_, new))| (name, old, new)).collect()
}

/// What an offer changes compared to what was asked for, which is never exclusive. Nothing if the
/// owner began.
pub(super) fn from_request(view: &RequestView, offer: &Offer) -> Markup {
    let request = &view.record.request;
    if request.begun_by == Party::Owner {
        return html! {};
    }
    let covered = |coverage: &Coverage, channels: &[String]| {
        let channels = (text!("request-term-channels"), channel_names(channels));
        of_coverage(coverage).into_iter().chain([channels]).collect()
    };
    let changes = changed(
        covered(&request.coverage, &request.channels),
        covered(&offer.terms.coverage, &offer.terms.channels),
    );
    let terms = &offer.terms;
    let fee_change = request.budget.and_then(|it| from_budget(it, terms.fee));
    let credit = terms
        .credit_line
        .clone()
        .map(|it| (text!("request-term-credit-line"), text!("word-none").to_owned(), it));
    let exclusive = terms
        .exclusive
        .then(|| (text!("request-term-exclusive"), yes_or_no(false), yes_or_no(true)));
    let changes: Vec<_> =
        changes.into_iter().chain(fee_change).chain(exclusive).chain(credit).collect();
    let has_conditions = !terms.conditions.trim().is_empty();
    let lead = match view.party {
        Party::Asker => text!("request-changes-from-yours"),
        Party::Owner => text!("request-changes-from-request"),
    };
    html! {
        @if changes.is_empty() && !has_conditions {
            p.quiet { (text!("request-as-requested")) }
        } @else {
            p { (lead) }
            ul {
                @for change in &changes { (change_line(change)) }
                @if has_conditions { (line_changes("", &terms.conditions)) }
            }
        }
    }
}

/// How a fee differs from the budget, if it does. Only a fee per campaign is the whole price, which
/// can be below the budget, but any fee can be above it.
fn from_budget(budget: Budget, offered: Option<LicenseFee>) -> Option<Change> {
    let before = text!("request-budget-of", amount = money(budget.amount, budget.currency));
    let Some(offered) = offered else {
        return Some((text!("request-term-fee"), before, text!("word-none").to_owned()));
    };
    let is_whole = offered.per == FeePer::Campaign;
    let compared = (offered.currency == budget.currency)
        .then(|| offered.amount.cmp(&budget.amount))
        .filter(|it| is_whole || *it == Ordering::Greater);
    let after = match compared {
        Some(Ordering::Equal) => return None,
        Some(Ordering::Greater) => text!("request-fee-above-budget", fee = fee(offered)),
        Some(Ordering::Less) => text!("request-fee-below-budget", fee = fee(offered)),
        None => fee(offered),
    };
    Some((text!("request-term-fee"), before, after))
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
            p { (text!("request-same-terms-license-edited")) }
        } @else if changes.is_empty() {
            p.quiet { (text!("request-same-terms")) }
        } @else {
            p { (lead) }
            ul {
                @for change in &changes {
                    @if change.0 == conditions() {
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
        @for line in &removed { li { strong { (text!("request-conditions-removed")) } " " (line) } }
        @for line in &added { li { strong { (text!("request-conditions-added")) } " " (line) } }
        @if removed.is_empty() && added.is_empty() { li { (text!("request-conditions-reordered")) } }
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
