//! The page of one mention: what was found next to what it matched, and what was decided.

use axum::response::Response;
use grantor_domain::Result;
use grantor_domain::id::MentionId;
use grantor_domain::mention::{MatchKind, Mention, MentionDecision, MentionStatus, Review};
use grantor_domain::page::{Listing, Page};
use grantor_domain::patch::Patch;
use grantor_messages::text;
use grantor_service::watching::mention::{self, MentionView};
use maud::{Markup, html};

use super::evidence::EvidenceSection;
use super::{button, history, matched, may_decide, reason_in_words, reviews, title};
use crate::case::{self, CaseSection};
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::image_url;
use crate::sign_in::next;
use crate::view::rich::rich;
use crate::view::{NavItem, ago, area, badge, card, day, facts, form, head, hidden};

/// A mention with everything on its page.
struct MentionPage {
    seen: MentionView,
    evidence: EvidenceSection,
    /// What was decided about it.
    decisions: Listing<MentionDecision>,
    /// What is done about it.
    case: CaseSection,
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
        let (talent, place) = (&seen.shown.talent_name, &seen.place);
        let lead = text!("mention-talent-on", talent = talent, place = place);
        let body = html! {
            (head(title(it), &lead, html! {
                a.button.plain href=(it.url) rel="noopener noreferrer" { (text!("mention-open-page")) }
                @if has_evidence {
                    a.button.plain href={ "/app/mentions/" (it.id) "/evidence.zip" } download { (text!("mention-download-evidence")) }
                }
                @if !person.is_viewed() {
                    form.inline method="post" action="/app/bookmarks" {
                        (hidden("target_type", "mention")) (hidden("target_id", &it.id.to_string()))
                        button.plain { (text!("mention-bookmark")) }
                    }
                }
            }))
            div.split {
                div {
                    (card(heading(it), self.evidence.comparison(it)))
                    (card(text!("mention-details"), all_facts(person, seen)))
                    @if has_evidence { (card(text!("mention-evidence"), self.evidence.record(person))) }
                    (history::draw(person, &self.decisions))
                }
                div {
                    (card(text!("mention-decision"), decision(person, seen, self.case.is_open)))
                    @if may_decide(person, seen) { (card(text!("mention-note"), note_form(seen, entered))) }
                    @else if reviews(person, seen) && !it.note.as_str().is_empty() {
                        (card(text!("mention-note"), html! { p.lines { (it.note.as_str()) } }))
                    }
                    (self.case.markup)
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
            let message =
                if decides { message(&seen) } else { text!("mention-note-saved").to_owned() };
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
        MatchKind::Name => text!("mention-what-was-found"),
        MatchKind::Image => text!("mention-found-and-reference"),
    }
}

fn message(seen: &MentionView) -> String {
    let mention = &seen.shown.mention;
    let title: String = title(mention).chars().take(100).collect();
    match (mention.status, mention.allowed) {
        (MentionStatus::Confirmed, Some(true)) => text!("mention-done-allowed", title = title),
        (MentionStatus::Confirmed, Some(false)) => text!("mention-done-not-allowed", title = title),
        (MentionStatus::Confirmed, None) => text!("mention-done-confirmed", title = title),
        (MentionStatus::Dismissed, _) => text!("mention-done-dismissed", title = title),
        (MentionStatus::New, _) => text!("mention-done-not-decided", title = title),
    }
}

/// What was decided, by whom and when, and the buttons to decide otherwise, which closes a case.
fn decision(person: &Person, seen: &MentionView, has_case: bool) -> Markup {
    let it = &seen.shown.mention;
    let back = format!("/app/mentions/{}", it.id);
    let decide = |what, label| button(seen, &back, what, (label, ""));
    html! {
        p { (badge(it.status.name())) " " (in_words(it)) }
        @if let Some(decided) = &it.decided {
            p.quiet {
                (rich!(
                    "mention-decided-by",
                    person = &decided.by_name,
                    time = ago(person.now(), decided.at),
                ))
            }
        }
        @if may_decide(person, seen) {
            div.row {
                @if it.status != MentionStatus::Confirmed { (decide(("confirmed", ""), text!("mention-is-them"))) }
                @if it.status != MentionStatus::Dismissed { (decide(("dismissed", ""), text!("mention-is-not-them"))) }
                @if it.status == MentionStatus::Confirmed {
                    @if it.allowed != Some(true) { (decide(("confirmed", "yes"), text!("mention-allow"))) }
                    @if it.allowed != Some(false) { (decide(("confirmed", "no"), text!("mention-disallow"))) }
                    @match it.allowed {
                        Some(true) => (decide(("confirmed", "unset"), text!("mention-take-back-allowed"))),
                        Some(false) => (decide(("confirmed", "unset"), text!("mention-take-back-not-allowed"))),
                        None => {}
                    }
                }
                @if it.status != MentionStatus::New { (decide(("new", ""), text!("mention-clear-decision"))) }
            }
            @if has_case { p.quiet { (text!("mention-closes-case")) } }
        }
    }
}

fn in_words(mention: &Mention) -> &'static str {
    match (mention.status, mention.allowed) {
        (MentionStatus::New, _) => text!("mention-nobody-decided"),
        (MentionStatus::Dismissed, _) => text!("mention-decided-not-them"),
        (MentionStatus::Confirmed, None) => text!("mention-decided-them"),
        (MentionStatus::Confirmed, Some(true)) => text!("mention-decided-allowed"),
        (MentionStatus::Confirmed, Some(false)) => text!("mention-decided-not-allowed"),
    }
}

fn note_form(seen: &MentionView, entered: &FormData) -> Markup {
    let it = &seen.shown.mention;
    let inside = html! {
        (hidden("back", &format!("/app/mentions/{}", it.id)))
        (area("note", text!("mention-note"), Some(text!("mention-note-hint")), 4, entered))
    };
    form(&format!("/app/mentions/{}/decide", it.id), entered, inside, text!("mention-save-note"))
}

fn all_facts(person: &Person, seen: &MentionView) -> Markup {
    let it = &seen.shown.mention;
    facts(&[
        (text!("mention-verdict"), verdict(seen)),
        (text!("mention-talent"), html! { (seen.shown.talent_name) }),
        (
            text!("mention-license"),
            html! { a href={ "/app/licenses/" (seen.shown.license) } { (seen.shown.license_title) } },
        ),
        (
            if it.platform.is_some() {
                text!("mention-platform")
            } else {
                text!("mention-found-at")
            },
            html! { (seen.place) p { code { (it.url) } } },
        ),
        (text!("mention-author"), html! { (it.author.as_deref().unwrap_or_default()) }),
        // An image is matched by a reference image, which is shown above.
        (
            text!("mention-match"),
            html! {
                (matched(it))
                @if it.found.kind == MatchKind::Name { " · " code { (it.found.term) } }
            },
        ),
        (text!("mention-published"), html! { @if let Some(at) = it.published_at { (day(at)) } }),
        (text!("mention-first-seen"), ago(person.now(), it.first_seen_at)),
        (text!("mention-last-seen"), ago(person.now(), it.last_seen_at)),
        (text!("mention-revision"), html! { (it.revision) }),
    ])
}

fn verdict(seen: &MentionView) -> Markup {
    html! {
        (badge(seen.shown.mention.verdict.name()))
        p.quiet { (reason_in_words(&seen.reason)) }
        @if let Some(grant) = seen.grant {
            p { a href={ "/app/grants/" (grant) } { (text!("mention-view-grant")) } }
        }
    }
}
