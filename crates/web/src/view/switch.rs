//! The page that a link of another organization leads to.

use grantor_domain::id::TenantId;
use grantor_messages::text;
use maud::{Markup, html};

use super::component::post_button;
use super::nav::NavItem;
use super::shell::page;
use crate::frame::PageContext;

/// A page of another organization of the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwitchOffer {
    /// The organization.
    pub(crate) tenant: TenantId,
    /// Its name.
    pub(crate) name: String,
    /// The path and query of the page.
    pub(crate) page: String,
}

/// Offers to switch to the organization that a link is about. Opening a link switches nothing.
pub(crate) fn switch_offer(ctx: &PageContext, here: &str, offer: &SwitchOffer) -> Markup {
    let title = text!("view-switch-title", organization = &offer.name);
    let tenant = offer.tenant.to_string();
    let label = text!("view-switch-to", organization = &offer.name);
    let why = text!("view-switch-why", here = here, organization = &offer.name);
    let values = [("organization", &*tenant), ("next", &*offer.page)];
    let body = html! {
        section.problem {
            h1 { (title) }
            p { (why) }
            (post_button("/app/switch", &label, &values))
            p { a href="/app" { (text!("view-switch-stay", here = here)) } }
        }
    };
    page(ctx, &title, NavItem::None, body)
}
