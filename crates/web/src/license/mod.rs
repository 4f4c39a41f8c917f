//! `/app/licenses`: the tenant's own licenses and those shared with it.

mod catalog_picture;
mod detail;
mod edit;
mod form;
mod history;
mod image;
mod list;
mod permission;
mod picture;
mod record;
mod reuse;
mod section;
mod show;
mod talent_field;
mod template;
mod term;

use std::collections::HashMap;

use grantor_domain::id::LicenseId;
use grantor_domain::license::{Approval, License, LicenseFee, LicenseStatus, LicenseType};
use grantor_domain::permission::LicenseAct;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_messages::text;
use grantor_service::App;
use grantor_service::licensing::license::{self, LicenseRef, LicenseView};
use maud::{Markup, html};

pub(crate) use self::catalog_picture::{remove_catalog_picture, set_catalog_picture};
pub(crate) use self::edit::{change, edit};
pub(crate) use self::form::{create, new_form};
pub(crate) use self::history::{history, preview};
pub(crate) use self::image::{add_images, remove_image};
pub(crate) use self::list::{filters, list, matching, query};
pub(crate) use self::permission::{revoke, share};
pub(crate) use self::reuse::{duplicate, save_template};
pub(crate) use self::section::label as field_label;
pub(crate) use self::show::{change_status, delete, show};
pub(crate) use self::talent_field::suggest_talents;
pub(crate) use self::template::{delete_template, rename_template, templates};
use crate::frame::Person;
use crate::image_url;
use crate::view::rich::rich;
use crate::view::territory::region_names;
use crate::view::{ago, badge, day, money};

/// The cells common to all license lists: name, status and last change.
pub(crate) fn brief(person: &Person, seen: &LicenseView) -> [Markup; 3] {
    let license = &seen.shown.license;
    [
        html! { a href={ "/app/licenses/" (license.id) } { (license.title.as_str()) } },
        badge(seen.status.name()),
        ago(person.now(), license.updated_at),
    ]
}

/// Returns the thumbnail of the first image of each license that has one.
async fn thumbnails(app: &App, licenses: &[LicenseView]) -> Result<HashMap<LicenseId, String>> {
    let with_images = licenses.iter().map(|it| &it.shown.license).filter(|it| it.image_count > 0);
    let ids: Vec<_> = with_images.map(|it| it.id).collect();
    let mut found = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    for (license, images) in license::images_of(app, ids).await? {
        if let Some(first) = images.first() {
            found.insert(license, image_url::thumbnail(app, first.id).await?);
        }
    }
    Ok(found)
}

/// Returns a license the user can see. An invisible license is reported as not found.
async fn get_visible(person: &Person, id: LicenseId) -> Result<LicenseView> {
    license::get(person.app(), person.caller.reader(), LicenseRef::Id(id))
        .await
        .map_err(denied_as_not_found)
}

fn denied_as_not_found(error: Error) -> Error {
    match error.kind() {
        ErrorKind::AccessDenied => Error::not_found("License"),
        _ => error,
    }
}

/// Returns whether the user's tenant owns the license.
fn own(person: &Person, license: &License) -> bool {
    license.tenant == person.caller.tenant
}

/// Returns whether the user may edit the license, as its owner or as a licensor by permission.
fn editable(person: &Person, seen: &LicenseView) -> bool {
    let right =
        if own(person, &seen.shown.license) { Right::ManageLicenses } else { Right::EditLicenses };
    seen.role.may(LicenseAct::Edit) && person.may(right)
}

/// Returns the license types with their labels.
pub(crate) fn types() -> impl Iterator<Item = (&'static str, &'static str)> {
    LicenseType::ALL.into_iter().map(|it| (it.key(), type_label(it)))
}

/// The name of a license type in the language of the page.
pub(crate) fn type_label(kind: LicenseType) -> &'static str {
    match kind {
        LicenseType::SocialMedia => text!("license-type-social-media"),
        LicenseType::Advertising => text!("license-type-advertising"),
        LicenseType::Endorsement => text!("license-type-endorsement"),
        LicenseType::AiTraining => text!("license-type-ai-training"),
        LicenseType::AiGeneration => text!("license-type-ai-generation"),
        LicenseType::Voice => text!("license-type-voice"),
        LicenseType::Merchandise => text!("license-type-merchandise"),
        LicenseType::Custom => text!("license-type-custom"),
    }
}

fn status_label(status: LicenseStatus) -> &'static str {
    match status {
        LicenseStatus::Draft => text!("license-status-draft"),
        LicenseStatus::Private => text!("license-status-private"),
        LicenseStatus::Public => text!("license-status-public"),
        LicenseStatus::Expired => text!("license-status-expired"),
    }
}

fn approval_label(approval: Approval) -> &'static str {
    match approval {
        Approval::NotNeeded => text!("license-approval-not-needed"),
        Approval::Once => text!("license-approval-once"),
        Approval::EachUse => text!("license-approval-each-use"),
    }
}

/// Formats a fee such as `€250 per month`.
pub(crate) fn fee_label(fee: Option<LicenseFee>) -> String {
    fee.map_or_else(|| text!("license-not-specified").to_owned(), money::fee)
}

/// Formats the territories.
pub(crate) fn territories(license: &License) -> String {
    let names = region_names(license.territories.as_slice());
    names.unwrap_or_else(|| text!("license-not-specified").to_owned())
}

/// Formats the permitted uses.
pub(crate) fn uses(license: &License) -> String {
    let labels: Vec<_> = license.uses.as_slice().iter().map(|it| type_label(*it)).collect();
    if labels.is_empty() { text!("license-not-specified").to_owned() } else { labels.join(", ") }
}

/// Formats the start and end dates.
pub(crate) fn dates(license: &License) -> Markup {
    html! {
        @match (license.valid_from, license.expires_at) {
            (None, None) => (text!("license-no-end")),
            (Some(from), None) => (rich!("license-dates-from", date = day(from))),
            (None, Some(end)) => (rich!("license-dates-until", date = day(end))),
            (Some(from), Some(end)) => (rich!("license-dates", from = day(from), end = day(end))),
        }
    }
}
