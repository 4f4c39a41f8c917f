//! The bell of every page.

use grantor_messages::text;
use maud::{Markup, html};

use super::icon::icon;
use super::nav::NavItem;
use super::shell::capped;
use crate::frame::PageContext;

/// The link to the notifications of who is signed in, with the number of new ones.
pub(super) fn bell(ctx: &PageContext, list: &str, current: NavItem) -> Markup {
    let (count, shown) = (ctx.unread_notices, capped(ctx.unread_notices));
    let label = match count {
        0 => text!("view-bell").to_owned(),
        _ => text!("view-bell-new", count = &shown),
    };
    let here = (current == NavItem::Notices).then_some("page");
    html! {
        a.bell href=(list) aria-label=(label) aria-current=[here] {
            (icon("bell"))
            @if count > 0 { span.count aria-hidden="true" { (shown) } }
        }
    }
}
