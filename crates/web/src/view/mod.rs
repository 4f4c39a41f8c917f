//! Page components and the shell around them. All colors and sizes are in `assets/app.css`.

#![expect(clippy::needless_pass_by_value, reason = "markup is moved into the markup around it")]

mod annotations;
mod bell;
pub(crate) mod chart;
pub(crate) mod chip;
pub(crate) mod combobox;
pub(crate) mod component;
mod docs;
pub(crate) mod export;
pub(crate) mod field;
mod file;
pub(crate) mod filter;
pub(crate) mod filter_value;
pub(crate) mod flash;
mod icon;
pub(crate) mod label;
pub(crate) mod lightbox;
mod link_preview;
pub(crate) mod list_filter;
pub(crate) mod live;
pub(crate) mod mail;
pub(crate) mod marked;
pub(crate) mod money;
mod nav;
pub(crate) mod outline;
pub(crate) mod palette;
pub(crate) mod party;
mod password;
pub(crate) mod rich;
pub(crate) mod run;
pub(crate) mod saved_view;
mod scope;
pub(crate) mod selection;
mod shell;
pub(crate) mod sort;
mod switch;
pub(crate) mod tag;
pub(crate) mod territory;
pub(crate) mod thumbnail;
pub(crate) mod time;
mod viewing;
pub(crate) mod zone;

use grantor_domain::{Error, ErrorKind};
use grantor_messages::{Language, text};
use http::StatusCode;
use maud::{Markup, html};

pub(crate) use component::{
    Table, absent, badge, card, code, confirm, empty, facts, for_developers, head, lesson, notice,
    pager, plain_button, post_button, steps, tabs, undoable,
};
pub(crate) use docs::{DocsPage, docs_page, docs_reference};
pub(crate) use field::{area, checkbox, choices, field, files, form, hidden, select};
pub(crate) use file::{PictureOption, check_file, picture_choice, receipt_file, spreadsheet_file};
pub(crate) use link_preview::{LinkPreview, PreviewPicture};
pub(crate) use mail::mailbox_hint;
pub(crate) use nav::NavItem;
pub(crate) use password::new_password;
pub(crate) use scope::scope_choices;
pub(crate) use shell::{front, humanize, narrow, page, sentence_case, shared_page};
pub(crate) use switch::{SwitchOffer, switch_offer};
pub(crate) use time::{ago, day};

use self::rich::rich;
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
        _ if viewing::is_read_only(ctx, error) => "view-problem-read-only",
        ErrorKind::NotFound => "view-problem-not-found",
        ErrorKind::InsufficientPermissions | ErrorKind::AccessDenied | ErrorKind::Forbidden => {
            "view-problem-no-access"
        }
        ErrorKind::RateLimited(_) | ErrorKind::QuotaExceeded { .. } => "view-problem-too-many",
        ErrorKind::Unavailable { .. } => "view-problem-unavailable",
        ErrorKind::Internal => "view-problem-internal",
        _ => "view-problem-other",
    };
    // The messages of errors are in English.
    let says_more = error.message() != Language::english().text(title);
    let title = text(title);
    // Visitors have no dashboard.
    let (home, label) = match &ctx.identity {
        Identity::Anonymous => ("/app/catalog", text!("view-problem-to-catalog")),
        Identity::Person(_) | Identity::Staff(_) => {
            (shell::home(ctx), text!("view-problem-to-dashboard"))
        }
    };
    let body = html! {
        section.problem {
            p.problem-status { (status.as_u16()) }
            h1 { (title) }
            @if says_more {
                p { (label::error(error.message().trim_end_matches('.'))) "." }
            } @else {
                p { (text!("view-problem-check-address")) }
            }
            @if let ErrorKind::RateLimited(limit) = error.kind() {
                p { (text!("view-problem-wait", count = limit.resets_in.as_secs() + 1)) }
            }
            @for (name, message) in error.fields() {
                p { strong { (label_from_name(name)) } " " (label::error(message)) "." }
            }
            @if let Some(id) = ctx.context.origin.request_id.as_deref().filter(|_| status.is_server_error()) {
                p.quiet { (rich!("view-problem-support", id = html! { code { (id) } })) }
            }
            p { a.button href=(home) { (label) } }
        }
    };
    page(ctx, title, NavItem::None, body)
}
