//! Mails in a frame. A mail contains inline styles, which the console's policy forbids, so it is a
//! separate document in a sandboxed frame with its own, otherwise stricter, policy.

use axum::response::{IntoResponse as _, Response};
use http::header;
use maud::{Markup, html};

use crate::frame::PageContext;
use crate::mailbox::mailbox;
use crate::view::rich::rich;

/// The frame's name, for buttons whose response appears in it.
pub(crate) const FRAME: &str = "mail";

/// Allows inline styles and nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/// Renders the frame with the mail at this URL.
pub(crate) fn frame(url: &str, title: &str) -> Markup {
    html! { iframe.mail-frame name=(FRAME) title=(title) src=(url) sandbox="" {} }
}

/// A link to the local mailbox, if there is no mail server.
pub(crate) fn mailbox_hint(ctx: &PageContext) -> Markup {
    // A new tab, because the browser could not come back to a page that answered a form.
    let link = html! {
        a href="/app/dev/mail" target="_blank" rel="noopener" {
            (grantor_messages::text!("view-mailbox-link"))
        }
    };
    html! {
        @if mailbox(ctx).is_some() { p.hint { (rich!("view-mailbox", mailbox = link)) } }
    }
}

/// Returns a mail as HTML, for the frame.
pub(crate) fn html(document: String) -> Response {
    respond("text/html; charset=utf-8", document)
}

/// Returns a mail as text, for the frame.
pub(crate) fn text(text: String) -> Response {
    respond("text/plain; charset=utf-8", text)
}

fn respond(kind: &'static str, body: String) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, body).into_response()
}
