//! The page of a case, and the forms on it.

use axum::response::Response;
use grantor_domain::case::{CaseComment, CasePatch, CaseStatus, LetterKind, LookResult};
use grantor_domain::id::{MentionId, UserId};
use grantor_domain::patch::Patch;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind};
use grantor_messages::text;
use grantor_service::watching::case::{self, CaseView};
use maud::{Markup, html};

use super::{status_badge, status_label, tenant_caller, warning};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::marked::{Mark, marked_area};
use crate::view::rich::rich;
use crate::view::{
    NavItem, ago, badge, card, code, day, facts, form, head, hidden, notice, select,
};

/// Shows a case.
pub(crate) async fn show(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let view = case::get(person.app(), tenant_caller(&person), id).await?;
    Ok(draw(&person, &view, &assignees(&person).await?, &FormData::default(), None))
}

/// Opens the case of a mention.
pub(crate) async fn open(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let caller = tenant_caller(&person);
    match case::open(person.app(), person.context(), caller, id, Patch::Keep).await {
        Ok(_) => Ok(person.redirect(address(id), text!("case-opened"))),
        // The page of the mention is where that can be decided.
        Err(error) if *error.kind() == ErrorKind::Conflict => {
            let message = grantor_messages::error(error.message());
            Ok(person.redirect(format!("/app/mentions/{id}"), &message))
        }
        Err(error) => Err(error.into()),
    }
}

/// Sets the status and the assignee.
pub(crate) async fn change(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: FormData,
) -> Outcome {
    let caller = tenant_caller(&person);
    let changed = async {
        let patch = read_patch(&entered)?;
        case::change(person.app(), person.context(), caller, id, patch).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(address(id), text!("case-updated"))),
        Err(error) => again(&person, id, error, entered).await,
    }
}

/// Adds a comment.
pub(crate) async fn comment(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: FormData,
) -> Outcome {
    let caller = tenant_caller(&person);
    let added = async {
        let mut fields = entered.fields();
        let text = entered.required(&mut fields, "text");
        fields.finish()?;
        case::comment(person.app(), person.context(), caller, id, text).await
    };
    match added.await {
        Ok(_) => Ok(person.redirect(address(id), text!("case-comment-added"))),
        Err(error) => again(&person, id, error, entered).await,
    }
}

fn address(id: MentionId) -> String {
    format!("/app/mentions/{id}/case")
}

fn read_patch(entered: &FormData) -> Result<CasePatch, Error> {
    let mut fields = entered.fields();
    let status = entered.optional("status");
    let status = status.and_then(|it| fields.take("status", it.parse::<CaseStatus>()));
    let assignee = match entered.optional("assignee_id") {
        None => Patch::Clear,
        Some(id) => {
            let id = fields.take("assignee_id", id.parse::<UserId>());
            id.map_or(Patch::Keep, Patch::Set)
        }
    };
    fields.finish()?;
    // The version that the user has seen.
    let expected = entered.get("version").parse().ok().map(|it| vec![it]);
    Ok(CasePatch { status, assignee, expected })
}

/// Shows the page again with the submitted values and the error. If the case changed in the meantime,
/// the form says what, and has the current values of what the user left alone.
async fn again(person: &Person, id: MentionId, error: Error, entered: FormData) -> Outcome {
    let view = case::get(person.app(), tenant_caller(person), id).await?;
    let people = assignees(person).await?;
    if *error.kind() != ErrorKind::PreconditionFailed {
        return Ok(person.redisplay(error, entered, |it| draw(person, &view, &people, it, None)));
    }
    let (changes, merged) = (changes(&view, &entered), merge(&view, &entered));
    Ok(person.redisplay(error, merged, |it| draw(person, &view, &people, it, Some(&changes))))
}

/// The people who can be chosen: the value and the name.
async fn assignees(person: &Person) -> Result<Vec<(String, String)>, Error> {
    let found = case::list_assignees(person.app(), tenant_caller(person)).await?;
    let nobody = (String::new(), text!("case-nobody").to_owned());
    let people = found.into_iter().map(|(id, name)| (id.to_string(), name));
    Ok(std::iter::once(nobody).chain(people).collect())
}

fn draw(
    person: &Person,
    view: &CaseView,
    people: &[(String, String)],
    entered: &FormData,
    changes: Option<&[String]>,
) -> Response {
    let mention = &view.mention.shown.mention;
    let title = if mention.title.trim().is_empty() { &mention.url } else { &mention.title };
    let acts = person.acts(Right::ReviewMentions);
    let body = html! {
        (head(text!("case-title"), title, html! {
            a.button.plain href={ "/app/mentions/" (mention.id) } { (text!("case-view-mention")) }
            a.button.plain href="/app/cases" { (text!("case-all")) }
        }))
        @if let Some(warning) = warning(&view.mention) {
            (notice("warn", html! { p { (badge("licensed")) " " (warning) } }))
        }
        div.split {
            div {
                (card(text!("case-details"), details(person, view)))
                (card(text!("case-letters"), letters(person, view, acts)))
                (card(text!("case-comments"), html! {
                    (comments(person, view))
                    @if acts { (comment_form(mention.id, entered)) }
                }))
            }
            div {
                (card(text!("case-status"), html! {
                    p { (status_badge(view.record.case.status)) }
                    @if acts { (status_form(view, people, entered, changes)) }
                }))
                (card(text!("case-looks"), looks(person, view)))
            }
        }
    };
    person.page(text!("case-title"), NavItem::Cases, body)
}

fn details(person: &Person, view: &CaseView) -> Markup {
    let (record, shown) = (&view.record, &view.mention.shown);
    let kept = &record.case;
    facts(&[
        (text!("case-talent"), html! { (shown.talent_name) }),
        (
            text!("case-page"),
            html! { a href=(shown.mention.url) rel="noopener noreferrer" { (shown.mention.url) } },
        ),
        (
            text!("case-assignee"),
            html! { (record.assignee_name.as_deref().unwrap_or(text!("case-nobody"))) },
        ),
        (
            text!("case-opened-fact"),
            rich!(
                "case-opened-by",
                person = &record.opened_by_name,
                time = ago(person.now(), kept.opened_at),
            ),
        ),
        (
            text!("case-evidence-link"),
            html! {
                @if let Some(url) = &view.evidence_url {
                    (code(text!("case-evidence-link"), url))
                    p.quiet { (text!("case-evidence-link-hint")) }
                } @else {
                    (text!("case-evidence-link-ended"))
                }
            },
        ),
    ])
}

fn letters(person: &Person, view: &CaseView, acts: bool) -> Markup {
    let here = address(view.record.case.mention);
    html! {
        @if view.letters.is_empty() { p.quiet { (text!("case-no-letters")) } }
        @for sent in &view.letters {
            details {
                summary {
                    (sent.letter.subject) " · "
                    span.quiet {
                        (rich!(
                            "case-letter-to",
                            address = &sent.letter.to,
                            time = ago(person.now(), sent.letter.sent_at),
                        ))
                    }
                    @if let Some(state) = &sent.delivery { " " (badge(state)) }
                }
                p.quiet { (text!("case-letter-by", person = &sent.letter.author)) }
                div.mail-text { (sent.letter.text) }
            }
        }
        @if acts && !view.drafts.is_empty() {
            div.row {
                @for draft in &view.drafts {
                    a.button.small href={ (here) "/letter?template=" (draft.kind.name()) } {
                        (write_label(draft.kind))
                    }
                }
            }
        }
    }
}

fn write_label(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Takedown => text!("case-write-takedown"),
        LetterKind::LicenseOffer => text!("case-write-license-offer"),
    }
}

fn comments(person: &Person, view: &CaseView) -> Markup {
    html! {
        @if view.comments.is_empty() { p.quiet { (text!("case-no-comments")) } }
        @for it in &view.comments {
            article {
                p.quiet { strong { (it.author) } " · " (ago(person.now(), it.created_at)) }
                p.lines { (comment_text(it)) }
            }
        }
    }
}

/// The text of a comment. Those in Grantor's words are in the language of the page.
fn comment_text(comment: &CaseComment) -> &str {
    if comment.user.is_some() {
        return &comment.text;
    }
    match comment.text.as_str() {
        "The page does not exist any more." => text!("case-look-gone"),
        "The talent is not on the page any more: two looks, a day apart, did not find it." => {
            text!("case-note-removed")
        }
        "The talent is on the page again, so the case was reopened." => text!("case-note-back"),
        "The decision about the mention was changed, so the case was closed." => {
            text!("case-note-closed")
        }
        "The decision about the mention was undone, so the case was reopened." => {
            text!("case-note-reopened")
        }
        "Marked the mention as removed." => text!("case-note-marked-removed"),
        "Marked the mention as not removed." => text!("case-note-marked-not-removed"),
        other => other,
    }
}

/// Whether the form with this field was submitted: the page has two.
fn is_of(entered: &FormData, field: &str) -> bool {
    entered.pairs().any(|(name, _)| name == field)
}

fn comment_form(id: MentionId, entered: &FormData) -> Markup {
    let blank = FormData::default();
    let shown = if is_of(entered, "text") { entered } else { &blank };
    let label = text!("case-comment");
    let inside = html! { (marked_area(Mark::Required, "text", label, None, 3, shown)) };
    form(&format!("{}/comments", address(id)), shown, inside, text!("case-add-comment"))
}

fn status_form(
    view: &CaseView,
    people: &[(String, String)],
    entered: &FormData,
    changes: Option<&[String]>,
) -> Markup {
    let kept = &view.record.case;
    let statuses: Vec<_> = std::iter::once(kept.status)
        .chain(kept.status.next().iter().copied())
        .map(|it| (it.name(), status_label(it)))
        .collect();
    let current = current(view);
    // Somebody of the other organization who works on the case stays a choice.
    let mut people = people.to_vec();
    if let Some(name) = &view.record.assignee_name
        && !people.iter().any(|(id, _)| *id == current.get("assignee_id"))
    {
        people.push((current.get("assignee_id").to_owned(), name.clone()));
    }
    let shown = if is_of(entered, "status") { entered } else { &current };
    let inside = html! {
        (hidden("version", shown.get("version")))
        @for (name, value) in shown.pairs().filter(|(name, _)| name.starts_with(SEEN)) {
            (hidden(name, value))
        }
        @if let Some(changes) = changes { (changed(changes)) }
        (select("status", text!("case-new-status"), None, &statuses, shown))
        (select("assignee_id", text!("case-assignee"), None, &people, shown))
    };
    form(&format!("{}/status", address(kept.mention)), shown, inside, text!("case-save-changes"))
}

/// How the fields begin with which the form returns what the user has seen.
const SEEN: &str = "seen.";

/// The form data of a case: its version, what can be changed, and what the user sees.
fn current(view: &CaseView) -> FormData {
    let kept = &view.record.case;
    let assignee = kept.assignee.map(|it| it.to_string()).unwrap_or_default();
    FormData::default()
        .with("version", kept.version.to_string())
        .with("status", kept.status.name())
        .with("assignee_id", assignee.clone())
        .with("seen.status", kept.status.name())
        .with("seen.assignee_id", assignee)
        .with("seen.comments", view.comments.len().to_string())
        .with("seen.letters", view.letters.len().to_string())
}

/// The current form data of a case with what the user has changed.
fn merge(view: &CaseView, entered: &FormData) -> FormData {
    let is_changed = |name: &str| {
        let seen = format!("{SEEN}{name}");
        is_of(entered, name) && (!is_of(entered, &seen) || entered.get(name) != entered.get(&seen))
    };
    current(view).pairs().fold(FormData::default(), |form, (name, value)| {
        let can_change = matches!(name, "status" | "assignee_id");
        let keeps_own = can_change && is_changed(name);
        form.with(name, if keeps_own { entered.get(name) } else { value })
    })
}

/// What somebody else changed of a case since the user saw it.
fn changes(view: &CaseView, entered: &FormData) -> Vec<String> {
    let now = current(view);
    let differs = |name: &str| !is_of(entered, name) || entered.get(name) != now.get(name);
    let mut all = vec![];
    if differs("seen.status") {
        let status = status_label(view.record.case.status);
        all.push(text!("case-now-status", status = status));
    }
    if differs("seen.assignee_id") {
        let assignee = view.record.assignee_name.as_deref().unwrap_or(text!("case-nobody"));
        all.push(text!("case-now-assignee", person = assignee));
    }
    if let Some(it) = view.comments.last().filter(|_| differs("seen.comments")) {
        all.push(text!("case-now-comment", person = &it.author));
    }
    if let Some(it) = view.letters.last().filter(|_| differs("seen.letters")) {
        all.push(text!("case-now-letter", subject = &it.letter.subject));
    }
    all
}

/// Says that somebody else changed the case, and what.
fn changed(changes: &[String]) -> Markup {
    notice(
        "warn",
        html! {
            p { (text!("case-changed-meanwhile")) }
            @if !changes.is_empty() { ul { @for it in changes { li { (it) } } } }
        },
    )
}

fn looks(person: &Person, view: &CaseView) -> Markup {
    let kept = &view.record.case;
    let looks = &kept.looks;
    let now = person.now();
    let found = looks.last_result.map(|it| match it {
        LookResult::Match => text!("case-look-match"),
        LookResult::NoMatch => text!("case-look-no-match"),
        LookResult::Gone => text!("case-look-gone"),
        LookResult::Failed => text!("case-look-failed"),
    });
    let last = looks.last_at.map_or_else(|| html! { (text!("case-not-yet")) }, |at| ago(now, at));
    let mut all = vec![(text!("case-last-look"), last)];
    // Before the first look, there is nothing to say about these.
    all.extend(found.map(|it| (text!("case-found"), html! { (it) })));
    all.extend(looks.gone_since.map(|at| (text!("case-gone-since"), day(at))));
    let next = looks.next_at.map_or_else(|| html! { (text!("case-no-look")) }, day);
    all.push((text!("case-next-look"), next));
    html! {
        @if kept.status != CaseStatus::Closed { p.quiet { (text!("case-looks-lead")) } }
        (facts(&all))
    }
}
