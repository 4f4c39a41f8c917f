//! Writing a letter.

use axum::response::Response;
use grantor_domain::case::{LetterKind, NewLetter};
use grantor_domain::id::MentionId;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::watching::case::{self, CaseView};
use maud::html;

use super::{tenant_caller, warning};
use crate::frame::{FormData, Outcome, Params, Person, Segment, form_token};
use crate::view::marked::{Mark, marked_area};
use crate::view::{NavItem, card, field, form, head, hidden, notice};

/// The button of the confirmation that was pressed.
const STEP: &str = "step";

/// Shows the form, with a draft from the template that was chosen.
pub(crate) async fn show_form(
    person: Person,
    Segment(id): Segment<MentionId>,
    params: Params,
) -> Outcome {
    let view = case::get(person.app(), tenant_caller(&person), id).await?;
    // An unknown template is a takedown request.
    let wanted = params.get("template").and_then(|it| it.parse::<LetterKind>().ok());
    let wanted = wanted.unwrap_or(LetterKind::Takedown);
    view.record.case.status.after_letter()?;
    let mut entered = FormData::default();
    if let Some(draft) = view.drafts.iter().find(|it| it.kind == wanted) {
        entered = entered.with("subject", draft.subject.clone()).with("text", draft.text.clone());
    }
    Ok(draw(&person, &view, &entered))
}

/// Sends the letter once the person has confirmed it: it can't be taken back.
pub(crate) async fn send(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: FormData,
) -> Outcome {
    let caller = tenant_caller(&person);
    if entered.has(STEP, "edit") {
        let view = case::get(person.app(), caller, id).await?;
        return Ok(draw(&person, &view, &entered));
    }
    let sent = async {
        let letter = read(&entered)?;
        if !entered.has(STEP, "send") {
            let view = case::get(person.app(), caller, id).await?;
            view.record.case.status.after_letter()?;
            return Ok::<_, Error>(ask(&person, &view, &letter));
        }
        case::send_letter(person.app(), person.context(), caller, id, letter).await?;
        Ok(person.redirect(format!("/app/mentions/{id}/case"), text!("case-letter-sent")))
    };
    match sent.await {
        Ok(response) => Ok(response),
        Err(error) => {
            let view = case::get(person.app(), caller, id).await?;
            Ok(person.redisplay(error, entered, |entered| draw(&person, &view, entered)))
        }
    }
}

fn read(entered: &FormData) -> Result<NewLetter> {
    entered.check_text()?;
    let [to, subject, text] = ["to", "subject", "text"].map(|it| entered.optional(it));
    NewLetter::parse(to, subject, text)
}

/// Shows the letter and asks whether to send it.
fn ask(person: &Person, view: &CaseView, letter: &NewLetter) -> Response {
    let here = format!("/app/mentions/{}/case/letter", view.record.case.mention);
    let to = letter.to.as_str();
    let body = html! {
        (head(&text!("case-letter-question", address = to), "", html! {}))
        @if let Some(warning) = warning(&view.mention) {
            (notice("warn", html! { p { (warning) } }))
        }
        (card(&letter.subject, html! {
            div.mail-text { (letter.text) }
            form.form method="post" action=(here) {
                (form_token(person.app()))
                (hidden("to", to))
                (hidden("subject", &letter.subject))
                (hidden("text", &letter.text))
                p { (text!("case-letter-final", address = to)) }
                div.actions {
                    button name=(STEP) value="send" { (text!("case-send-letter")) }
                    button.plain name=(STEP) value="edit" { (text!("action-edit")) }
                }
            }
        }))
    };
    person.page(text!("case-write-letter"), NavItem::Cases, body)
}

fn draw(person: &Person, view: &CaseView, entered: &FormData) -> Response {
    let id = view.record.case.mention;
    let here = format!("/app/mentions/{id}/case");
    let inside = html! {
        (field("to", text!("case-letter-recipient")).kind("email").required().max_length(254)
            .placeholder("legal@example.com").hint(text!("case-letter-recipient-hint")).of(entered))
        (field("subject", text!("case-subject")).required().max_length(200).of(entered))
        (marked_area(Mark::Required, "text", text!("case-text"), Some(text!("case-letter-text-hint")), 18, entered))
    };
    let body = html! {
        (head(text!("case-write-letter"), &view.mention.shown.talent_name, html! {
            a.button.plain href=(here) { (text!("case-back")) }
        }))
        @if let Some(warning) = warning(&view.mention) {
            (notice("warn", html! { p { (warning) } }))
        }
        (card(text!("case-letter"), form(&format!("{here}/letter"), entered, inside, text!("case-send-letter"))))
    };
    person.page(text!("case-write-letter"), NavItem::Cases, body)
}
