//! The page that a link of another organization leads to.

use grantor_domain::id::TenantId;
use maud::{Markup, html};

use super::component::post_button;
use super::shell::{NavItem, page};
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
    let title = format!("This page belongs to {}", offer.name);
    let (tenant, label) = (offer.tenant.to_string(), format!("Switch to {}", offer.name));
    let values = [("organization", &*tenant), ("next", &*offer.page)];
    let body = html! {
        section.problem {
            h1 { (title) }
            p { "You're in " (here) " at the moment. Switch to " (offer.name) " to open the page." }
            (post_button("/app/switch", &label, &values))
            p { a href="/app" { "Stay in " (here) } }
        }
    };
    page(ctx, &title, NavItem::None, body)
}
