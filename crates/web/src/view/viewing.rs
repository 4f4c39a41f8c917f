//! The banner of pages that staff view as somebody else.

use grantor_domain::Error;
use grantor_messages::text;
use grantor_service::operations::staff_view::read_only;
use maud::{Markup, html};

use super::rich::rich;
use super::time::ago;
use crate::frame::PageContext;

/// The banner, with the way out. Empty on all other pages.
pub(super) fn banner(ctx: &PageContext) -> Markup {
    html! {
        @if let Some(view) = &ctx.view {
            aside.viewing aria-label=(text!("view-viewing")) {
                p {
                    (rich!(
                        "view-viewing-who",
                        organization = html! { strong { (view.organization) } },
                        person = html! { strong { (view.person.name) } },
                        time = ago(ctx.now(), view.expires_at),
                    ))
                }
                form method="post" action="/app/admin/view/stop" {
                    button.small { (text!("view-viewing-stop")) }
                }
            }
        }
    }
}

/// Returns whether a form was refused because of a view.
pub(super) fn is_read_only(ctx: &PageContext, error: &Error) -> bool {
    ctx.is_viewed() && error.message() == read_only().message()
}
