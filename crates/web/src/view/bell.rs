//! The bell of every page.

use maud::{Markup, html};

use super::icon::icon;
use super::shell::{NavItem, capped};
use crate::frame::PageContext;

/// The link to the notifications of who is signed in, with the number of new ones.
pub(super) fn bell(ctx: &PageContext, list: &str, current: NavItem) -> Markup {
    let (count, shown) = (ctx.unread_notices, capped(ctx.unread_notices));
    let new = if count > 0 { format!(", {shown} new") } else { String::new() };
    let here = (current == NavItem::Notices).then_some("page");
    html! {
        a.bell href=(list) aria-label={ "Notifications" (new) } aria-current=[here] {
            (icon("bell"))
            @if count > 0 { span.count aria-hidden="true" { (shown) } }
        }
    }
}
