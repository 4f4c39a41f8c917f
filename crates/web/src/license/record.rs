//! What a license says, on its page.

use grantor_domain::license::LicenseStatus;
use grantor_domain::permission::PermissionRole;
use grantor_messages::text;
use grantor_service::licensing::license::LicenseView;
use maud::{Markup, html};

use super::term::term_lines;
use super::{dates, fee_label, own, territories, uses};
use crate::frame::Person;
use crate::view::label::tenant_type;
use crate::view::{ago, facts};

/// The details of a license.
pub(super) fn record(person: &Person, seen: &LicenseView) -> Markup {
    let license = &seen.shown.license;
    let owned = own(person, license);
    facts(&[
        (
            text!("license-talent"),
            html! {
                @if owned { a href={ "/app/talents/" (license.talent) } { (seen.shown.talent_name) } }
                @else { (seen.shown.talent_name) }
                @if !seen.shown.talent_aliases.is_empty() { p.quiet { (text!("license-also-known-as", names = seen.shown.talent_aliases.join(", "))) } }
            },
        ),
        (
            text!("license-owner"),
            html! {
                (seen.shown.owner_name) " "
                span.quiet { (tenant_type(seen.shown.owner_type)) }
            },
        ),
        (text!("license-your-access"), html! { (access_label(owned, seen.role)) }),
        (
            text!("word-description"),
            html! { @if !license.description.as_str().is_empty() { span.lines { (license.description.as_str()) } } },
        ),
        (text!("license-uses"), html! { (uses(license)) }),
        (text!("license-territories"), html! { (territories(license)) }),
        (text!("license-dates-label"), html! { (dates(license)) }),
        (text!("license-fee"), html! { (fee_label(license.fee)) }),
        (text!("license-monitoring"), html! { (monitoring_label(license.can_crawl, seen.status)) }),
        (
            text!("license-external-id"),
            html! { @if let Some(it) = &license.external_id { code { (it.as_str()) } } },
        ),
        (
            text!("license-terms"),
            html! { @if !license.terms.as_map().is_empty() { span.lines { (term_lines(&license.terms)) } } },
        ),
        (
            text!("word-updated"),
            html! {
                (ago(person.now(), license.updated_at))
                span.quiet { " · " (text!("license-version", number = license.version.to_string())) }
            },
        ),
        (text!("word-created"), ago(person.now(), license.created_at)),
    ])
}

/// Whether uses are looked for. Only private and public licenses are watched.
fn monitoring_label(wanted: bool, status: LicenseStatus) -> &'static str {
    match status {
        _ if !wanted => text!("license-monitoring-off"),
        LicenseStatus::Draft => text!("license-monitoring-draft"),
        LicenseStatus::Expired => text!("license-monitoring-expired"),
        LicenseStatus::Private | LicenseStatus::Public => text!("license-monitoring-on-long"),
    }
}

/// What the license means to the user's tenant.
fn access_label(owned: bool, role: PermissionRole) -> &'static str {
    match role {
        _ if owned => text!("license-access-owner"),
        PermissionRole::Licensor => text!("license-access-licensor"),
        PermissionRole::Trustee => text!("license-access-trustee"),
        PermissionRole::Viewer => text!("license-access-viewer"),
    }
}
