//! What pages are made of: the shell around them, and a dozen parts. Colors and sizes are in
//! `assets/app.css`, and nowhere else.

#![expect(
    clippy::needless_pass_by_value,
    reason = "parts of a page are put into one another: they are handed over"
)]

pub(crate) mod chart;
pub(crate) mod field;
pub(crate) mod filter;
mod icon;
pub(crate) mod letter;
pub(crate) mod part;
mod password;
pub(crate) mod said;
mod shell;
pub(crate) mod time;

use grantor_domain::{Error, ErrorKind};
use http::StatusCode;
use maud::{Markup, html};

pub(crate) use field::{area, check, choices, field, files, form, hidden, select};
pub(crate) use letter::mailbox_hint;
pub(crate) use part::{
    Table, badge, card, code, confirm, counted, empty, facts, head, notice, pager, send, steps,
    tabs,
};
pub(crate) use password::new_password;
pub(crate) use shell::{Place, narrow, page, words};
pub(crate) use time::{ago, day};

use crate::frame::{Visit, spoken};

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system is.
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [(Self, &'static str); 3] =
        [(Self::Auto, "auto"), (Self::Light, "light"), (Self::Dark, "dark")];

    /// What somebody chose; anything else is no choice.
    pub(crate) fn parse(text: &str) -> Self {
        Self::ALL.iter().find(|(_, name)| *name == text).map_or(Self::Auto, |(it, _)| *it)
    }

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(it, _)| *it == self).map_or("auto", |(_, name)| name)
    }
}

/// The page that says what went wrong.
pub(crate) fn problem(visit: &Visit, status: StatusCode, error: &Error) -> Markup {
    let title = match error.kind() {
        ErrorKind::NotFound => "There is nothing here",
        ErrorKind::InsufficientPermissions | ErrorKind::AccessDenied | ErrorKind::Forbidden => {
            "This is not yours to do"
        }
        ErrorKind::RateLimited(_) | ErrorKind::QuotaExceeded { .. } => "Slow down a little",
        ErrorKind::Unavailable { .. } => "We are out of breath",
        ErrorKind::Internal => "Something broke, and it was not you",
        _ => "This did not work",
    };
    let body = html! {
        section.problem {
            p.problem-status { (status.as_u16()) }
            h1 { (title) }
            p { (error.message()) "." }
            @if let ErrorKind::RateLimited(standing) = error.kind() {
                p { "Try again in " (counted(standing.resets_in.as_secs() + 1, "second")) "." }
            }
            @for (name, message) in error.fields() {
                p { strong { (spoken(name)) } " " (message) "." }
            }
            @if let Some(id) = visit.context.origin.request_id.as_deref().filter(|_| status.is_server_error()) {
                p.quiet { "Tell us this number if it happens again: " code { (id) } }
            }
            p { a.button href=(shell::start(visit)) { "To the start" } }
        }
    };
    page(visit, title, Place::Elsewhere, body)
}
