//! The page of one mention: what was found next to what it matched, and what was decided.

use axum::response::Response;
use grantor_domain::Result;
use grantor_domain::id::MentionId;
use grantor_domain::mention::{MatchKind, Mention, MentionDecision, MentionStatus, Review};
use grantor_domain::page::{Listing, Page};
use grantor_domain::patch::Patch;
use grantor_service::watching::mention::{self, MentionView};
use maud::{Markup, html};

use super::evidence::EvidenceSection;
use super::{button, history, matched, may_decide, title};
use crate::case;
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::image_url;
use crate::sign_in::next;
use crate::view::{NavItem, ago, area, badge, card, day, facts, form, head, hidden};

/// A mention with everything on its page.
struct MentionPage {
    seen: MentionView,
    evidence: EvidenceSection,
    /// What was decided about it.
    decisions: Listing<MentionDecision>,
    /// What is done about it.
    case: Markup,
}

impl MentionPage {
    async fn load(person: &Person, id: MentionId, page: Page) -> Result<Self> {
        let seen = mention::get(person.app(), person.caller.reader(), id).await?;
        let evidence = EvidenceSection::load(person, &seen).await?;
        let decisions = history::load(person, &seen, page).await?;
        let case = case::section(person, &seen).await?;
        Ok(Self { seen, evidence, decisions, case })
    }

    fn draw(&self, person: &Person, entered: &FormData) -> Response {
        let (seen, it) = (&self.seen, &self.seen.shown.mention);
        let has_evidence = self.evidence.has_evidence();
        let body = html! {
            (head(title(it), &format!("{} on {}", seen.shown.talent_name, seen.shown.place()), html! {
                a.button.plain href=(it.url) rel="noopener noreferrer" { "Open page" }
                @if has_evidence {
                    a.button.plain href={ "/app/mentions/" (it.id) "/evidence.zip" } download { "Download evidence" }
                }
                form.inline method="post" action="/app/bookmarks" {
                    (hidden("target_type", "mention")) (hidden("target_id", &it.id.to_string()))
                    button.plain { "Bookmark" }
                }
            }))
            div.split {
                div {
                    (card(heading(it), self.evidence.comparison(it)))
                    (card("Details", all_facts(person, seen)))
                    @if has_evidence { (card("Evidence", self.evidence.record(person))) }
                    (history::draw(person, &self.decisions))
                }
                div {
                    (card("Decision", decision(person, seen)))
                    @if may_decide(person, seen) { (card("Note", note_form(seen, entered))) }
                    (self.case)
                }
            }
        };
        let page = person.page(title(it), NavItem::Mentions, body);
        image_url::allow(page, self.evidence.urls())
    }
}

/// Shows a mention, with a page of its decisions.
pub(crate) async fn show(
    person: Person,
    Segment(id): Segment<MentionId>,
    params: Params,
) -> Outcome {
    let mut page = MentionPage::load(&person, id, params.page()?).await?;
    page.decisions = params.in_range(page.decisions)?;
    let entered = FormData::default().with("note", page.seen.shown.mention.note.as_str());
    Ok(page.draw(&person, &entered))
}

/// Decides about a mention.
pub(crate) async fn decide(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: FormData,
) -> Outcome {
    let reader = person.caller.reader();
    let decided = async {
        entered.check_text()?;
        let note = entered.pairs().any(|(name, _)| name == "note").then(|| entered.get("note"));
        let allowed = match entered.optional("allowed") {
            Some("yes") => Patch::Set(true),
            Some("no") => Patch::Set(false),
            Some("unset") => Patch::Clear,
            _ => Patch::Keep,
        };
        let decision = Review::parse(entered.optional("status"), allowed, note)?;
        mention::decide(person.app(), person.context(), reader, id, decision).await
    };
    match decided.await {
        Ok(seen) => {
            let decides = ["status", "allowed"].iter().any(|it| entered.optional(it).is_some());
            let message = if decides { message(&seen) } else { "Note saved".to_owned() };
            Ok(person.redirect(next(entered.optional("back")), &message))
        }
        Err(error) => {
            let page = MentionPage::load(&person, id, Params::default().page()?).await?;
            Ok(person.redisplay(error, entered, |entered: &FormData| page.draw(&person, entered)))
        }
    }
}

/// The heading above what was found.
fn heading(mention: &Mention) -> &'static str {
    match mention.found.kind {
        MatchKind::Name => "What was found",
        MatchKind::Image => "Found and reference",
    }
}

fn message(seen: &MentionView) -> String {
    let mention = &seen.shown.mention;
    let done = match (mention.status, mention.allowed) {
        (MentionStatus::Confirmed, Some(true)) => "Allowed",
        (MentionStatus::Confirmed, Some(false)) => "Not allowed",
        (MentionStatus::Confirmed, None) => "Confirmed",
        (MentionStatus::Dismissed, _) => "Dismissed",
        (MentionStatus::New, _) => "Not decided",
    };
    format!("{done}: {}", title(mention).chars().take(100).collect::<String>())
}

/// What was decided, by whom and when, and the buttons to decide otherwise.
fn decision(person: &Person, seen: &MentionView) -> Markup {
    let it = &seen.shown.mention;
    let back = format!("/app/mentions/{}", it.id);
    let decide = |what, label| button(seen, &back, what, (label, ""));
    html! {
        p { (badge(it.status.name())) " " (in_words(it)) }
        @if let Some(decided) = &it.decided {
            p.quiet { "Decided by " (decided.by_name) " " (ago(person.now(), decided.at)) "." }
        }
        @if may_decide(person, seen) {
            div.row {
                @if it.status != MentionStatus::Confirmed { (decide(("confirmed", ""), "It is them")) }
                @if it.status != MentionStatus::Dismissed { (decide(("dismissed", ""), "It is not them")) }
                @if it.status == MentionStatus::Confirmed {
                    @if it.allowed != Some(true) { (decide(("confirmed", "yes"), "Allowed")) }
                    @if it.allowed != Some(false) { (decide(("confirmed", "no"), "Not allowed")) }
                    @match it.allowed {
                        Some(true) => (decide(("confirmed", "unset"), "Take back “allowed”")),
                        Some(false) => (decide(("confirmed", "unset"), "Take back “not allowed”")),
                        None => {}
                    }
                }
                @if it.status != MentionStatus::New { (decide(("new", ""), "Undo")) }
            }
        }
    }
}

fn in_words(mention: &Mention) -> &'static str {
    match (mention.status, mention.allowed) {
        (MentionStatus::New, _) => "Nobody has decided yet.",
        (MentionStatus::Dismissed, _) => "It is not them.",
        (MentionStatus::Confirmed, None) => "It is them.",
        (MentionStatus::Confirmed, Some(true)) => "It is them, and the use is allowed.",
        (MentionStatus::Confirmed, Some(false)) => "It is them, and the use is not allowed.",
    }
}

fn note_form(seen: &MentionView, entered: &FormData) -> Markup {
    let it = &seen.shown.mention;
    let inside = html! {
        (hidden("back", &format!("/app/mentions/{}", it.id)))
        (area("note", "Note", Some("Explain your choice to your team."), 4, entered))
    };
    form(&format!("/app/mentions/{}/decide", it.id), entered, inside, "Save note")
}

fn all_facts(person: &Person, seen: &MentionView) -> Markup {
    let it = &seen.shown.mention;
    facts(&[
        ("Verdict", verdict(seen)),
        ("Talent", html! { (seen.shown.talent_name) }),
        (
            "License",
            html! { a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } },
        ),
        (
            if it.platform.is_some() { "Platform" } else { "Found at" },
            html! { (seen.shown.place()) p { code { (it.url) } } },
        ),
        ("Author", html! { (it.author.as_deref().unwrap_or("–")) }),
        // An image is matched by a reference image, which is shown above.
        (
            "Match",
            html! {
                (matched(it))
                @if it.found.kind == MatchKind::Name { " · " code { (it.found.term) } }
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
