//! `/app/mentions`: mentions and decisions about them. Triage works without a mouse.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::MentionId;
use grantor_domain::mention::{InboxQuery, MatchKind, Mention, MentionStatus, Review, Verdict};
use grantor_domain::permission::PermissionRole;
use grantor_domain::role::Right;
use grantor_service::watching::mention::{self, MentionView};
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::image_url;
use crate::sign_in::next;
use crate::view::component::with_query;
use crate::view::filter::{filters, hidden_param, one_of};
use crate::view::{
    NavItem, ago, area, badge, card, day, empty, facts, form, head, hidden, pager, tabs,
};

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
            kbd { "J" } " next · " kbd { "K" } " previous · " kbd { "C" } " confirm · " kbd { "D" }
            " dismiss · " kbd { "O" } " open"
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
            p { (seen.shown.talent_name) " on " strong { (seen.shown.platform_name) } " · " a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } }
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

fn decisions(person: &Person, seen: &MentionView) -> Markup {
    let id = seen.shown.mention.id;
    let button = |status: MentionStatus, label: &str, key: &str| {
        html! {
            @if seen.shown.mention.status != status {
                form.inline method="post" action={ "/app/mentions/" (id) "/decide" } {
                    (hidden("status", status.name())) (hidden("back", &person.here))
                    button.small.plain[status == MentionStatus::Dismissed] data-key=(key) { (label) }
                }
            }
        }
    };
    html! {
        @if may_decide(person, seen) {
            div.row {
                (button(MentionStatus::Confirmed, "Confirm", "c"))
                (button(MentionStatus::Dismissed, "Dismiss", "d"))
            }
        }
    }
}

/// Shows a mention.
pub(crate) async fn show(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let seen = mention::get(person.app(), person.caller.reader(), id).await?;
    let mention = &seen.shown.mention;
    let entered = FormData::default()
        .with("status", mention.status.name())
        .with("note", mention.note.as_str());
    let thumbnail = reference(&person, mention).await?;
    Ok(draw(&person, &seen, thumbnail.as_ref(), &entered))
}

/// Returns the thumbnail of the recognized reference image, if the user can see its license.
async fn reference(person: &Person, mention: &Mention) -> Result<Option<String>, Error> {
    let id = mention::reference(person.app(), person.caller.reader(), mention).await?;
    match id {
        Some(id) => image_url::thumbnail(person.app(), id).await.map(Some),
        None => Ok(None),
    }
}

/// Confirms or dismisses a mention.
pub(crate) async fn decide(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: FormData,
) -> Outcome {
    let reader = person.caller.reader();
    let decided = async {
        entered.check_text()?;
        let note = entered.pairs().any(|(name, _)| name == "note").then(|| entered.get("note"));
        let decision = Review::parse(entered.optional("status"), note)?;
        mention::decide(person.app(), person.context(), reader, id, decision).await
    };
    match decided.await {
        Ok(seen) => Ok(person.redirect(next(entered.optional("back")), &message(&seen))),
        Err(error) => {
            let seen = mention::get(person.app(), reader, id).await?;
            let thumbnail = reference(&person, &seen.shown.mention).await?;
            let draw = |entered: &FormData| draw(&person, &seen, thumbnail.as_ref(), entered);
            Ok(person.redisplay(error, entered, draw))
        }
    }
}

fn message(seen: &MentionView) -> String {
    let mention = &seen.shown.mention;
    let done = match mention.status {
        MentionStatus::Confirmed => "Confirmed",
        MentionStatus::Dismissed => "Dismissed",
        MentionStatus::New => "Unchanged",
    };
    format!("{done}: {}", title(mention).chars().take(100).collect::<String>())
}

fn draw(
    person: &Person,
    seen: &MentionView,
    thumbnail: Option<&String>,
    entered: &FormData,
) -> Response {
    let it = &seen.shown.mention;
    let body = html! {
        (head(title(it), "", html! {
            a.button.plain href=(it.url) rel="noopener noreferrer" { "Open page" }
            form.inline method="post" action="/app/bookmarks" {
                (hidden("target_type", "mention")) (hidden("target_id", &it.id.to_string()))
                button.plain { "Bookmark" }
            }
        }))
        div.split {
            (card("Details", all_facts(person, seen, thumbnail)))
            @if may_decide(person, seen) { (card("Review", review_form(seen, entered))) }
        }
    };
    image_url::allow(person.page(title(it), NavItem::Mentions, body), thumbnail)
}

fn all_facts(person: &Person, seen: &MentionView, thumbnail: Option<&String>) -> Markup {
    let it = &seen.shown.mention;
    facts(&[
        ("Verdict", verdict(seen)),
        ("Status", badge(it.status.name())),
        ("Talent", html! { (seen.shown.talent_name) }),
        (
            "License",
            html! { a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } },
        ),
        ("Platform", html! { (seen.shown.platform_name) p { code { (it.url) } } }),
        (
            "Excerpt",
            html! { @if it.excerpt.is_empty() { "–" } @else { blockquote { (it.excerpt) } } },
        ),
        ("Author", html! { (it.author.as_deref().unwrap_or("–")) }),
        (
            "Match",
            html! {
                div.named {
                    @if let Some(url) = thumbnail {
                        img.thumb src=(url) alt="Reference image" width="44" height="44";
                    }
                    div { (matched(it)) " · " code { (it.found.term) } }
                }
            },
        ),
        ("Published", html! { @match it.published_at { Some(at) => (day(at)), None => "–" } }),
        ("First seen", ago(person.now(), it.first_seen_at)),
        ("Last seen", ago(person.now(), it.last_seen_at)),
        ("Revision", html! { (it.revision) }),
    ])
}

fn verdict(seen: &MentionView) -> Markup {
    html! {
        (badge(seen.shown.mention.verdict.name()))
        p.quiet { (seen.reason) }
        @if let Some(grant) = seen.grant {
            p { a href={ "/app/grants/" (grant) } { "View grant" } }
        }
    }
}

fn review_form(seen: &MentionView, entered: &FormData) -> Markup {
    let id = seen.shown.mention.id;
    let inside = html! {
        (hidden("back", &format!("/app/mentions/{id}")))
        (crate::view::select("status", "Review", None, &[("confirmed", "Confirm"), ("dismissed", "Dismiss")], entered))
        (area("note", "Note", Some("Explain your choice to your team."), 4, entered))
    };
    form(&format!("/app/mentions/{id}/decide"), entered, inside, "Save review")
}
