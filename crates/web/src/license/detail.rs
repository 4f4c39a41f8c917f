//! The members of a license in words, to compare two versions.

use grantor_domain::Timestamp;
use grantor_domain::license::License;
use grantor_messages::text;

use super::term::{self, term_lines};
use super::{fee_label, status_label, territories, type_label, uses};
use crate::view::time::exact;

/// A member of a license.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Detail {
    /// The fields that change it in the form; none for images.
    pub(super) fields: &'static [&'static str],
    pub(super) label: &'static str,
    pub(super) text: String,
}

/// Returns what a version of a license says, always in the same order.
pub(super) fn details(license: &License) -> Vec<Detail> {
    let or_none = |text: &str| (if text.is_empty() { text!("word-none") } else { text }).to_owned();
    let time = |at: Option<Timestamp>, none: &str| at.map_or_else(|| none.to_owned(), exact);
    let external_id = license.external_id.as_ref().map_or("", |it| it.as_str());
    let monitoring = if license.can_crawl {
        text!("license-monitoring-on")
    } else {
        text!("license-monitoring-off")
    };
    vec![
        detail(&["name"], text!("word-name"), license.title.as_str().to_owned()),
        detail(&["status"], text!("word-status"), status_label(license.status).to_owned()),
        detail(&["type"], text!("word-type"), type_label(license.license_type).to_owned()),
        detail(&["description"], text!("word-description"), or_none(license.description.as_str())),
        detail(
            &["appearanceFee", "currency", "feePer"],
            text!("license-fee"),
            fee_label(license.fee),
        ),
        detail(&["uses"], text!("license-uses"), uses(license)),
        detail(&["territories"], text!("license-territories"), territories(license)),
        detail(
            &["validFrom"],
            text!("license-starts"),
            time(license.valid_from, text!("license-starts-now")),
        ),
        detail(
            &["expiresAt"],
            text!("license-ends"),
            time(license.expires_at, text!("license-no-end")),
        ),
        detail(&["canCrawl"], text!("license-monitoring"), monitoring.to_owned()),
        detail(&["externalId"], text!("license-external-id"), or_none(external_id)),
        detail(&term::FIELDS, text!("license-terms"), or_none(&term_lines(&license.terms))),
        detail(
            &[],
            text!("license-images"),
            text!("license-image-count", count = license.image_count),
        ),
    ]
}

fn detail(fields: &'static [&'static str], label: &'static str, text: String) -> Detail {
    Detail { fields, label, text }
}

/// A change of one member: its label, and its values before and after.
pub(super) type Change = (&'static str, String, String);

/// Returns what differs between two versions.
pub(super) fn changes(before: &License, after: &License) -> Vec<Change> {
    let pairs = details(before).into_iter().zip(details(after));
    let changed = pairs.filter(|(old, new)| old.text != new.text);
    changed.map(|(old, new)| (old.label, old.text, new.text)).collect()
}
