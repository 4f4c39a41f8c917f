//! `/app/admin`: what the operator's staff sees of everybody, and does.

pub(crate) mod license;
pub(crate) mod log;
pub(crate) mod member;
pub(crate) mod organization;
pub(crate) mod platform;
pub(crate) mod pod;
pub(crate) mod sign_in;
pub(crate) mod template;

use grantor_domain::id::TenantId;
use grantor_domain::license::LicenseType;
use maud::{Markup, html};

use crate::view::words;

/// Whose something is.
fn owner(id: TenantId, name: &str) -> Markup {
    html! { a href={ "/app/admin/organizations/" (id) } { (name) } }
}

/// Names with themselves as words.
fn named(names: impl IntoIterator<Item = &'static str>) -> impl Iterator<Item = (String, String)> {
    names.into_iter().map(|it| (it.to_owned(), capital(&words(it))))
}

fn license_types() -> impl Iterator<Item = (String, String)> {
    named(LicenseType::ALL.map(LicenseType::key))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|it| it.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
