//! `/app/admin`: the staff pages.

pub(crate) mod failure;
pub(crate) mod help;
pub(crate) mod license;
pub(crate) mod log;
pub(crate) mod member;
pub(crate) mod organization;
pub(crate) mod overview;
pub(crate) mod people;
pub(crate) mod platform;
pub(crate) mod pod;
pub(crate) mod second_factor;
pub(crate) mod sign_in;
pub(crate) mod source;
pub(crate) mod staff_view;
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

/// The label of a name, a message of the family.
fn label(family: &str, name: &str) -> String {
    grantor_messages::named(family, name).map_or_else(|| sentence_case(name), str::to_owned)
}
