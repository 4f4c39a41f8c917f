//! `/app/admin`: the staff pages.

pub(crate) mod license;
pub(crate) mod log;
pub(crate) mod member;
pub(crate) mod organization;
pub(crate) mod platform;
pub(crate) mod pod;
pub(crate) mod sign_in;
pub(crate) mod source;
pub(crate) mod template;

use grantor_domain::id::TenantId;
use maud::{Markup, html};

use crate::view::sentence_case;

/// A link to the owning organization.
fn owner(id: TenantId, name: &str) -> Markup {
    html! { a href={ "/app/admin/organizations/" (id) } { (name) } }
}

/// Pairs each name with its label.
fn named(names: impl IntoIterator<Item = &'static str>) -> impl Iterator<Item = (String, String)> {
    names.into_iter().map(|it| (it.to_owned(), sentence_case(it)))
}
