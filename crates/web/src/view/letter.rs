//! Mails in a frame. A mail brings styles of its own, which no page of ours allows: it is a document
//! of its own with a stricter policy, and a frame that lets it do nothing but be looked at.

use axum::response::{IntoResponse as _, Response};
use http::header;
use maud::{Markup, html};

use crate::frame::Visit;
use crate::mailbox::mailbox;

/// The frame's name, for buttons whose answer shall appear in it.
pub(crate) const FRAME: &str = "letter";

/// Nothing is fetched, run, sent or opened; only styles within the mail hold.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/// The frame, which shows what is at this address.
pub(crate) fn frame(address: &str, title: &str) -> Markup {
    html! { iframe.letter name=(FRAME) title=(title) src=(address) sandbox="" {} }
}

/// Where mails can be read while there is no mail server; nothing where there is one.
pub(crate) fn mailbox_hint(visit: &Visit) -> Markup {
    html! {
        @if mailbox(visit).is_some() {
            p.hint { "No mail server is set up: mails are " a href="/app/dev/mail" { "in the mailbox" } "." }
        }
    }
}

/// A mail as HTML, for the frame.
pub(crate) fn html(document: String) -> Response {
    answer("text/html; charset=utf-8", document)
}

/// A mail as text, for the frame.
pub(crate) fn text(text: String) -> Response {
    answer("text/plain; charset=utf-8", text)
}

fn answer(kind: &'static str, body: String) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, body).into_response()
}
