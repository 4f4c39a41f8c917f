//! Page components and the shell around them. All colors and sizes are in `assets/app.css`.

#![expect(clippy::needless_pass_by_value, reason = "markup is moved into the markup around it")]

mod annotations;
mod bell;
pub(crate) mod chart;
pub(crate) mod component;
pub(crate) mod field;
mod file;
pub(crate) mod filter;
pub(crate) mod flash;
mod icon;
pub(crate) mod mail;
pub(crate) mod money;
pub(crate) mod party;
mod password;
pub(crate) mod run;
mod scope;
mod shell;
mod switch;
pub(crate) mod territory;
pub(crate) mod time;
pub(crate) mod zone;

use grantor_domain::{Error, ErrorKind};
use http::StatusCode;
use maud::{Markup, html};

pub(crate) use component::{
    Table, badge, card, code, confirm, empty, facts, for_developers, head, notice, pager,
    pluralize, post_button, steps, tabs,
};
pub(crate) use field::{
    area, checkbox, choices, field, files, form, hidden, required_area, required_choices, select,
};
pub(crate) use file::{check_file, receipt_file};
pub(crate) use mail::mailbox_hint;
pub(crate) use password::new_password;
pub(crate) use scope::scope_choices;
pub(crate) use shell::{NavItem, narrow, page, sentence_case};
pub(crate) use switch::{SwitchOffer, switch_offer};
pub(crate) use time::{ago, day};

use crate::frame::{Identity, PageContext, label_from_name};

/// The color theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Follows the system setting.
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [(Self, &'static str); 3] =
        [(Self::Auto, "auto"), (Self::Light, "light"), (Self::Dark, "dark")];

    /// Parses a theme name; anything unknown is `Auto`.
    pub(crate) fn parse(text: &str) -> Self {
        Self::ALL.iter().find(|(_, name)| *name == text).map_or(Self::Auto, |(it, _)| *it)
    }

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(it, _)| *it == self).map_or("auto", |(_, name)| name)
    }
}

/// Renders an error page.
pub(crate) fn problem(ctx: &PageContext, status: StatusCode, error: &Error) -> Markup {
    let title = match error.kind() {
        ErrorKind::NotFound => "Page not found",
        ErrorKind::InsufficientPermissions | ErrorKind::AccessDenied | ErrorKind::Forbidden => {
            "You don't have access"
        }
        ErrorKind::RateLimited(_) | ErrorKind::QuotaExceeded { .. } => "Too many requests",
        ErrorKind::Unavailable { .. } => "Temporarily unavailable",
        ErrorKind::Internal => "Something went wrong",
        _ => "We couldn't complete your request",
    };
    // Visitors have no dashboard.
    let (home, label) = match &ctx.identity {
        Identity::Anonymous => ("/app/catalog", "Go to the catalog"),
        Identity::Person(_) | Identity::Staff(_) => (shell::home(ctx), "Go to dashboard"),
    };
    let body = html! {
        section.problem {
            p.problem-status { (status.as_u16()) }
            h1 { (title) }
            @if error.message() == title {
                p { "Check the address and try again." }
            } @else {
                p { (error.message().trim_end_matches('.')) "." }
            }
            @if let ErrorKind::RateLimited(limit) = error.kind() {
                p { "Try again in " (pluralize(limit.resets_in.as_secs() + 1, "second")) "." }
            }
            @for (name, message) in error.fields() {
                p { strong { (label_from_name(name)) } " " (message) "." }
            }
            @if let Some(id) = ctx.context.origin.request_id.as_deref().filter(|_| status.is_server_error()) {
                p.quiet { "If this keeps happening, contact support with this request ID: " code { (id) } }
            }
            p { a.button href=(home) { (label) } }
        }
    };
    page(ctx, title, NavItem::None, body)
}
