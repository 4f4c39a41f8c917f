//! `/app/mentions`: mentions and decisions about them. Triage works without a mouse.

mod evidence;
mod history;
mod show;

use axum::response::{IntoResponse as _, Redirect};
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::mention::{InboxQuery, MatchKind, Mention, MentionStatus, Verdict};
use grantor_domain::permission::PermissionRole;
use grantor_domain::role::Right;
use grantor_service::watching::mention::{self, MentionView};
use maud::{Markup, html};

pub(crate) use self::evidence::{download as download_evidence, hashed};
pub(crate) use self::show::{decide, show};
use crate::frame::{Outcome, Params, Person};
use crate::view::component::with_query;
use crate::view::filter::{filters, hidden_param, one_of};
use crate::view::{NavItem, ago, badge, empty, head, hidden, pager, tabs};

const VERDICTS: [(&str, &str); 4] = [
    ("", "Any verdict"),
    ("unlicensed", "Unlicensed"),
    ("needs_review", "Needs review"),
    ("licensed", "Licensed"),
];

/// Lists mentions, newest first. Without a status filter, only those without a decision.
pub(crate) async fn list(person: Person, params: Params) -> Outcome {
    let query = read(&params)?;
    let found = mention::inbox(person.app(), person.caller.reader(), query).await?;
    if found.items.is_empty() && found.total > 0 {
        // The last mention of the last page was just decided.
        let last = with_query(&person.here, "page", &found.total_pages().to_string());
        return Ok(Redirect::to(&last).into_response());
    }
    let body = html! {
        (head("Mentions", "Where your talents appear online.", html! {}))
        (status_tabs(&person, params.get("status").unwrap_or("new")))
        (filters("/app/mentions", &params, fields(&params)))
        @if found.items.is_empty() {
            (no_mentions(query.status == Some(MentionStatus::New)))
        } @else {
            @if found.items.iter().any(|it| may_decide(&person, it)) { (keys()) }
            div.stack { @for it in &found.items { (article(&person, it)) } }
            (pager(&found, &person.here))
        }
    };
    Ok(person.page("Mentions", NavItem::Mentions, body))
}

fn read(params: &Params) -> Result<InboxQuery, Error> {
    let mut fields = Fields::default();
    let status = match params.get("status").unwrap_or("new") {
        "all" => None,
        other => fields.take("status", other.parse::<MentionStatus>()),
    };
    let verdict = params.get("verdict");
    let verdict = verdict.and_then(|it| fields.take("verdict", it.parse::<Verdict>()));
    let license = params.get("license").and_then(|it| fields.take("license", it.parse()));
    fields.finish()?;
    Ok(InboxQuery { status, verdict, license, page: params.page()? })
}

fn status_tabs(person: &Person, current: &str) -> Markup {
    let tab = |status: &str, label| {
        (with_query(&person.here, "status", status), label, status == current)
    };
    tabs(
        "Mentions by status",
        &[
            tab("new", "New"),
            tab("confirmed", "Confirmed"),
            tab("dismissed", "Dismissed"),
            tab("all", "All"),
        ],
    )
}

fn fields(params: &Params) -> Markup {
    html! {
        (hidden_param("status", params)) (hidden_param("license", params))
        (one_of("verdict", "Verdict", VERDICTS, params))
    }
}

fn no_mentions(only_new: bool) -> Markup {
    if only_new {
        return empty(
            "No new mentions",
            "You've reviewed every mention. New mentions appear here as soon as they're found.",
            html! {
                a.button.plain href="/app/mentions?status=all" { "View all mentions" }
            },
        );
    }
    empty(
        "No mentions found",
        "No mentions match your filters.",
        html! {
            a.button.plain href="/app/mentions?status=all" { "View all mentions" }
        },
    )
}

fn keys() -> Markup {
    html! {
        p.quiet.keys {
            kbd { "J" } " next · " kbd { "K" } " previous · " kbd { "C" } " it is them · "
            kbd { "D" } " it is not them · " kbd { "O" } " open"
        }
    }
}

fn article(person: &Person, seen: &MentionView) -> Markup {
    let it = &seen.shown.mention;
    html! {
        article.card.mention data-triage="" tabindex="-1" {
            div.row.apart {
                div.row { (badge(it.verdict.name())) (badge(it.status.name())) (matched(it)) }
                span.quiet { (ago(person.now(), it.first_seen_at)) }
            }
            h2 { a href={ "/app/mentions/" (it.id) } data-key="o" { (title(it)) } }
            p { (seen.shown.talent_name) " on " strong { (seen.shown.place()) } " · " a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } }
            @if !it.excerpt.is_empty() { blockquote { (it.excerpt) } }
            (decisions(person, seen))
        }
    }
}

fn title(mention: &Mention) -> &str {
    if mention.title.trim().is_empty() { &mention.url } else { &mention.title }
}

/// What matched, and with which confidence.
fn matched(mention: &Mention) -> Markup {
    let kind = match mention.found.kind {
        MatchKind::Name => "Name",
        MatchKind::Image => "Image",
    };
    html! { span.quiet { (kind) " · " (percent(mention.found.confidence)) } }
}

fn percent(confidence: f64) -> String {
    format!("{:.0}% confidence", confidence * 100.0)
}

fn may_decide(person: &Person, seen: &MentionView) -> bool {
    seen.role >= PermissionRole::Trustee && person.may(Right::ReviewMentions)
}

/// The buttons that decide whether it is the talent, or undo that.
fn decisions(person: &Person, seen: &MentionView) -> Markup {
    let status = seen.shown.mention.status;
    html! {
        @if may_decide(person, seen) {
            div.row {
                @if status != MentionStatus::Confirmed {
                    (button(seen, &person.here, ("confirmed", ""), ("It is them", "c")))
                }
                @if status != MentionStatus::Dismissed {
                    (button(seen, &person.here, ("dismissed", ""), ("It is not them", "d")))
                }
                @if status != MentionStatus::New {
                    (button(seen, &person.here, ("new", ""), ("Undo", "u")))
                }
            }
        }
    }
}

/// A button that decides: the status and whether the use is allowed, with its label and key.
fn button(
    seen: &MentionView,
    back: &str,
    (status, allowed): (&str, &str),
    (label, key): (&str, &str),
) -> Markup {
    html! {
        form.inline method="post" action={ "/app/mentions/" (seen.shown.mention.id) "/decide" } {
            (hidden("status", status)) (hidden("back", back))
            @if !allowed.is_empty() { (hidden("allowed", allowed)) }
            button.small.plain[status != "confirmed"] data-key=[Some(key).filter(|it| !it.is_empty())] { (label) }
        }
    }
}
