//! The page of a case, and the forms on it.

use axum::response::Response;
use grantor_domain::case::{CasePatch, CaseStatus, LookResult};
use grantor_domain::id::{MentionId, UserId};
use grantor_domain::patch::Patch;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind};
use grantor_service::watching::case::{self, CaseView};
use maud::{Markup, html};

use super::{status_label, tenant_caller};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{
    NavItem, ago, area, badge, card, code, day, facts, form, head, hidden, notice, select,
};

/// Shows a case.
pub(crate) async fn show(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let view = case::get(person.app(), tenant_caller(&person), id).await?;
    Ok(draw(&person, &view, &assignees(&person).await?, &FormData::default(), false))
}

/// Opens the case of a mention.
pub(crate) async fn open(person: Person, Segment(id): Segment<MentionId>) -> Outcome {
    let caller = tenant_caller(&person);
    match case::open(person.app(), person.context(), caller, id, Patch::Keep).await {
        Ok(_) => Ok(person.redirect(address(id), "Case opened")),
        // The page of the mention is where that can be decided.
        Err(error) if *error.kind() == ErrorKind::Conflict => {
            Ok(person.redirect(format!("/app/mentions/{id}"), error.message()))
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
        Ok(_) => Ok(person.redirect(address(id), "Case updated")),
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
        Ok(_) => Ok(person.redirect(address(id), "Comment added")),
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
/// the form says how it is now.
async fn again(person: &Person, id: MentionId, error: Error, entered: FormData) -> Outcome {
    let view = case::get(person.app(), tenant_caller(person), id).await?;
    let people = assignees(person).await?;
    let stale = *error.kind() == ErrorKind::PreconditionFailed;
    Ok(person.redisplay(error, entered, |entered| draw(person, &view, &people, entered, stale)))
}

/// The people who can be chosen: the value and the name.
async fn assignees(person: &Person) -> Result<Vec<(String, String)>, Error> {
    let found = case::list_assignees(person.app(), tenant_caller(person)).await?;
    let nobody = (String::new(), "Nobody".to_owned());
    let people = found.into_iter().map(|(id, name)| (id.to_string(), name));
    Ok(std::iter::once(nobody).chain(people).collect())
}

fn draw(
    person: &Person,
    view: &CaseView,
    people: &[(String, String)],
    entered: &FormData,
    stale: bool,
) -> Response {
    let mention = &view.mention.shown.mention;
    let title = if mention.title.trim().is_empty() { &mention.url } else { &mention.title };
    let acts = person.may(Right::ReviewMentions);
    let body = html! {
        (head("Case", title, html! {
            a.button.plain href={ "/app/mentions/" (mention.id) } { "View mention" }
            a.button.plain href="/app/cases" { "All cases" }
        }))
        @if let Some(warning) = case::warning(&view.mention) {
            (notice("warn", html! { p { (badge("licensed")) " " (warning) } }))
        }
        div.split {
            div {
                (card("Details", details(person, view)))
                (card("Letters", letters(person, view, acts)))
                (card("Comments", html! {
                    (comments(person, view))
                    @if acts { (comment_form(mention.id, entered)) }
                }))
            }
            div {
                @if acts { (card("Status", status_form(view, people, entered, stale))) }
                (card("Looks", looks(person, view)))
            }
        }
    };
    person.page("Case", NavItem::Cases, body)
}

fn details(person: &Person, view: &CaseView) -> Markup {
    let (record, shown) = (&view.record, &view.mention.shown);
    let kept = &record.case;
    facts(&[
        ("Status", html! { (badge(kept.status.name())) " " (status_label(kept.status)) }),
        ("Talent", html! { (shown.talent_name) }),
        (
            "Page",
            html! { a href=(shown.mention.url) rel="noopener noreferrer" { (shown.mention.url) } },
        ),
        ("Assignee", html! { (record.assignee_name.as_deref().unwrap_or("Nobody")) }),
        ("Opened", html! { (record.opened_by_name) ", " (ago(person.now(), kept.opened_at)) }),
        (
            "Evidence link",
            html! {
                @if let Some(url) = &view.evidence_url {
                    (code("Evidence link", url))
                    p.quiet { "Anyone with this link can see the evidence until the case is closed." }
                } @else {
                    "The link ended when the case was closed."
                }
            },
        ),
    ])
}

fn letters(person: &Person, view: &CaseView, acts: bool) -> Markup {
    let here = address(view.record.case.mention);
    html! {
        @if view.letters.is_empty() { p.quiet { "No letter was sent yet." } }
        @for sent in &view.letters {
            details {
                summary {
                    (sent.letter.subject) " · " span.quiet { "to " (sent.letter.to) ", " (ago(person.now(), sent.letter.sent_at)) }
                    @if let Some(state) = &sent.delivery { " " (badge(state)) }
                }
                p.quiet { "Sent by " (sent.letter.author) }
                div.mail-text { (sent.letter.text) }
            }
        }
        @if acts && !view.drafts.is_empty() {
            div.row {
                @for draft in &view.drafts {
                    a.button.small href={ (here) "/letter?template=" (draft.kind.name()) } {
                        "Write " (draft.kind.label().to_lowercase())
                    }
                }
            }
        }
    }
}

fn comments(person: &Person, view: &CaseView) -> Markup {
    html! {
        @if view.comments.is_empty() { p.quiet { "No comments yet." } }
        @for it in &view.comments {
            article {
                p.quiet { strong { (it.author) } " · " (ago(person.now(), it.created_at)) }
                p.lines { (it.text) }
            }
        }
    }
}

/// Whether the form with this field was submitted: the page has two.
fn is_of(entered: &FormData, field: &str) -> bool {
    entered.pairs().any(|(name, _)| name == field)
}

fn comment_form(id: MentionId, entered: &FormData) -> Markup {
    let blank = FormData::default();
    let shown = if is_of(entered, "text") { entered } else { &blank };
    let inside = html! { (area("text", "Comment", None, 3, shown)) };
    form(&format!("{}/comments", address(id)), shown, inside, "Add comment")
}

fn status_form(
    view: &CaseView,
    people: &[(String, String)],
    entered: &FormData,
    stale: bool,
) -> Markup {
    let kept = &view.record.case;
    let statuses: Vec<_> = std::iter::once(kept.status)
        .chain(kept.status.next().iter().copied())
        .map(|it| (it.name(), status_label(it)))
        .collect();
    let assignee = kept.assignee.map(|it| it.to_string()).unwrap_or_default();
    // Somebody of the other organization who works on the case stays a choice.
    let mut people = people.to_vec();
    if let Some(name) = &view.record.assignee_name
        && !people.iter().any(|(id, _)| *id == assignee)
    {
        people.push((assignee.clone(), name.clone()));
    }
    let version = kept.version.to_string();
    let current = FormData::default().with("version", version.clone());
    let current = current.with("status", kept.status.name()).with("assignee_id", assignee);
    let shown = if is_of(entered, "status") { entered } else { &current };
    // Once the user sees how the case is now, the form returns its current version.
    let known = if stale { version.as_str() } else { shown.get("version") };
    let inside = html! {
        (hidden("version", known))
        @if stale { (changed(view)) }
        (select("status", "Status", None, &statuses, shown))
        (select("assignee_id", "Assignee", None, &people, shown))
    };
    form(&format!("{}/status", address(kept.mention)), shown, inside, "Save changes")
}

/// How a case is now that somebody else changed.
fn changed(view: &CaseView) -> Markup {
    let assignee = view.record.assignee_name.as_deref().unwrap_or("Nobody");
    notice(
        "warn",
        html! {
            p { "Someone else changed this case while you had it open. Your choice is below; save again to keep it. It is now:" }
            ul {
                li { "Status: " (status_label(view.record.case.status)) }
                li { "Assignee: " (assignee) }
                @if let Some(it) = view.comments.last() { li { "Last comment: " (it.author) } }
                @if let Some(it) = view.letters.last() { li { "Last letter: " (it.letter.subject) } }
            }
        },
    )
}

fn looks(person: &Person, view: &CaseView) -> Markup {
    let looks = &view.record.case.looks;
    let now = person.now();
    let found = looks.last_result.map(|it| match it {
        LookResult::Match => "The talent is still there.",
        LookResult::NoMatch => "The talent was not found.",
        LookResult::Gone => "The page does not exist any more.",
        LookResult::Failed => "The page could not be read, which says nothing.",
    });
    html! {
        p.quiet { "We look at the page every day. It counts as removed if it is gone, or if two looks a day apart don't find the talent." }
        (facts(&[
            ("Last look", looks.last_at.map_or_else(|| html! { "Not yet" }, |at| ago(now, at))),
            ("Found", html! { (found.unwrap_or("–")) }),
            ("Not found since", looks.gone_since.map_or_else(|| html! { "–" }, day)),
            ("Next look", looks.next_at.map_or_else(|| html! { "None" }, day)),
        ]))
    }
}
