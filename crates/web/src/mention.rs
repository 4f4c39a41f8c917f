//! `/app/mentions`: where somebody was seen, and what is made of it. Triage needs no mouse.

use axum::response::{IntoResponse as _, Redirect, Response};
use grantor_domain::Error;
use grantor_domain::error::Fields;
use grantor_domain::id::MentionId;
use grantor_domain::mention::{Decision, InboxQuery, MatchKind, Mention, MentionStatus, Verdict};
use grantor_domain::permission::PermissionRole;
use grantor_domain::role::Right;
use grantor_service::mention::{self, Seen};
use maud::{Markup, html};

use crate::frame::{Asked, Entered, Outcome, Person, Segment};
use crate::picture;
use crate::sign_in::next;
use crate::view::filter::{filters, kept, one_of};
use crate::view::part::with_query;
use crate::view::{
    Place, ago, area, badge, card, day, empty, facts, form, head, hidden, pager, tabs,
};

const VERDICTS: [(&str, &str); 4] = [
    ("", "Every verdict"),
    ("unlicensed", "Unlicensed"),
    ("needs_review", "Needs review"),
    ("licensed", "Licensed"),
];

/// What was seen, newest first; what waits for a decision unless something else is asked for.
pub(crate) async fn list(person: Person, asked: Asked) -> Outcome {
    let query = read(&asked)?;
    let found = mention::inbox(person.app(), person.caller.reader(), query).await?;
    if found.items.is_empty() && found.total > 0 {
        // The last of its page was decided on.
        let last = with_query(&person.here, "page", &found.total_pages().to_string());
        return Ok(Redirect::to(&last).into_response());
    }
    let body = html! {
        (head("Mentions", "Where your people were seen.", html! {}))
        (status_tabs(&person, asked.get("status").unwrap_or("new")))
        (filters("/app/mentions", &asked, fields(&asked)))
        @if found.items.is_empty() {
            (nothing(query.status == Some(MentionStatus::New)))
        } @else {
            @if found.items.iter().any(|it| may_decide(&person, it)) { (keys()) }
            div.stack { @for it in &found.items { (article(&person, it)) } }
            (pager(&found, &person.here))
        }
    };
    Ok(person.page("Mentions", Place::Mentions, body))
}

fn read(asked: &Asked) -> Result<InboxQuery, Error> {
    let mut fields = Fields::default();
    let status = match asked.get("status").unwrap_or("new") {
        "all" => None,
        other => fields.take("status", other.parse::<MentionStatus>()),
    };
    let verdict = asked.get("verdict");
    let verdict = verdict.and_then(|it| fields.take("verdict", it.parse::<Verdict>()));
    let license = asked.get("license").and_then(|it| fields.take("license", it.parse()));
    fields.finish()?;
    Ok(InboxQuery { status, verdict, license, page: asked.page()? })
}

fn status_tabs(person: &Person, here: &str) -> Markup {
    let way =
        |status: &str, word| (with_query(&person.here, "status", status), word, status == here);
    tabs(
        "Mentions by status",
        &[
            way("new", "Waiting"),
            way("confirmed", "Confirmed"),
            way("dismissed", "Dismissed"),
            way("all", "All"),
        ],
    )
}

fn fields(asked: &Asked) -> Markup {
    html! {
        (kept("status", asked)) (kept("license", asked))
        (one_of("verdict", "Verdict", VERDICTS, asked))
    }
}

fn nothing(waiting: bool) -> Markup {
    if waiting {
        return empty(
            "Nothing waits",
            "Every mention has been decided on. New ones appear here as soon as a pod or a platform finds them.",
            html! {
                a.button.plain href="/app/mentions?status=all" { "Look at all mentions" }
            },
        );
    }
    empty(
        "No mentions",
        "None fits what you asked for.",
        html! {
            a.button.plain href="/app/mentions?status=all" { "Look at all mentions" }
        },
    )
}

fn keys() -> Markup {
    html! {
        p.quiet.keys {
            kbd { "J" } " next · " kbd { "K" } " before · " kbd { "C" } " confirm · " kbd { "D" }
            " dismiss · " kbd { "O" } " open"
        }
    }
}

fn article(person: &Person, seen: &Seen) -> Markup {
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

/// By what, and how surely.
fn matched(mention: &Mention) -> Markup {
    let kind = match mention.found.kind {
        MatchKind::Name => "Name",
        MatchKind::Image => "Image",
    };
    html! { span.quiet { (kind) " · " (percent(mention.found.confidence)) } }
}

fn percent(confidence: f64) -> String {
    format!("{:.0} % sure", confidence * 100.0)
}

fn may_decide(person: &Person, seen: &Seen) -> bool {
    seen.role >= PermissionRole::Trustee && person.may(Right::DecideMentions)
}

fn decisions(person: &Person, seen: &Seen) -> Markup {
    let id = seen.shown.mention.id;
    let button = |status: MentionStatus, word: &str, key: &str| {
        html! {
            @if seen.shown.mention.status != status {
                form.inline method="post" action={ "/app/mentions/" (id) "/decide" } {
                    (hidden("status", status.name())) (hidden("back", &person.here))
                    button.small.plain[status == MentionStatus::Dismissed] data-key=(key) { (word) }
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

/// One mention.
pub(crate) async fn show(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let seen = mention::get(person.app(), person.caller.reader(), id).await?;
    let mention = &seen.shown.mention;
    let entered = Entered::default()
        .with("status", mention.status.name())
        .with("note", mention.note.as_str());
    let picture = reference(&person, mention).await?;
    Ok(draw(&person, &seen, picture.as_ref(), &entered))
}

/// Where the reference image is small that was recognized, while the person sees a license that has it.
async fn reference(person: &Person, mention: &Mention) -> Result<Option<String>, Error> {
    let id = mention::reference(person.app(), person.caller.reader(), mention).await?;
    match id {
        Some(id) => picture::thumbnail(person.app(), id).await.map(Some),
        None => Ok(None),
    }
}

/// Confirms or dismisses one.
pub(crate) async fn decide(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: Entered,
) -> Outcome {
    let reader = person.caller.reader();
    let decided = async {
        entered.readable()?;
        let note = entered.pairs().any(|(name, _)| name == "note").then(|| entered.get("note"));
        let decision = Decision::parse(entered.optional("status"), note)?;
        mention::decide(person.app(), person.context(), reader, id, decision).await
    };
    match decided.await {
        Ok(seen) => Ok(person.went(next(entered.optional("back")), &said(&seen))),
        Err(error) => {
            let seen = mention::get(person.app(), reader, id).await?;
            let picture = reference(&person, &seen.shown.mention).await?;
            let draw = |entered: &Entered| draw(&person, &seen, picture.as_ref(), entered);
            Ok(person.again(error, entered, draw))
        }
    }
}

fn said(seen: &Seen) -> String {
    let mention = &seen.shown.mention;
    let done = match mention.status {
        MentionStatus::Confirmed => "Confirmed",
        MentionStatus::Dismissed => "Dismissed",
        MentionStatus::New => "Left as it was",
    };
    format!("{done}: {}", title(mention).chars().take(100).collect::<String>())
}

fn draw(person: &Person, seen: &Seen, picture: Option<&String>, entered: &Entered) -> Response {
    let it = &seen.shown.mention;
    let body = html! {
        (head(title(it), "", html! {
            a.button.plain href=(it.url) rel="noopener noreferrer" { "Open the page" }
            form.inline method="post" action="/app/bookmarks" {
                (hidden("target_type", "mention")) (hidden("target_id", &it.id.to_string()))
                button.plain { "Bookmark" }
            }
        }))
        div.split {
            (card("What was seen", all_facts(person, seen, picture)))
            @if may_decide(person, seen) { (card("Decision", decision_form(seen, entered))) }
        }
    };
    picture::showing(person.page(title(it), Place::Mentions, body), picture)
}

fn all_facts(person: &Person, seen: &Seen, picture: Option<&String>) -> Markup {
    let it = &seen.shown.mention;
    facts(&[
        ("Verdict", html! { (badge(it.verdict.name())) p.quiet { (it.verdict_reason) } }),
        ("Status", badge(it.status.name())),
        ("Who", html! { (seen.shown.talent_name) }),
        (
            "License",
            html! { a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } },
        ),
        ("Where", html! { (seen.shown.platform_name) p { code { (it.url) } } }),
        (
            "Excerpt",
            html! { @if it.excerpt.is_empty() { "–" } @else { blockquote { (it.excerpt) } } },
        ),
        ("Author", html! { (it.author.as_deref().unwrap_or("–")) }),
        (
            "Known by",
            html! {
                div.named {
                    @if let Some(url) = picture {
                        img.thumb src=(url) alt="The reference image" width="44" height="44";
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

fn decision_form(seen: &Seen, entered: &Entered) -> Markup {
    let id = seen.shown.mention.id;
    let inside = html! {
        (hidden("back", &format!("/app/mentions/{id}")))
        (crate::view::select("status", "Decision", None, &[("confirmed", "Confirm"), ("dismissed", "Dismiss")], entered))
        (area("note", "Note", Some("Why, for whoever looks later."), 4, entered))
    };
    form(&format!("/app/mentions/{id}/decide"), entered, inside, "Save")
}
