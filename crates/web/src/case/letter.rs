//! Writing a letter.

use axum::response::Response;
use grantor_domain::case::{LetterKind, NewLetter};
use grantor_domain::id::MentionId;
use grantor_service::watching::case::{self, CaseView};
use maud::html;

use super::tenant_caller;
use crate::frame::{FormData, Outcome, Params, Person, Segment};
use crate::view::{NavItem, area, card, field, form, head, notice};

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

/// Sends the letter.
pub(crate) async fn send(
    person: Person,
    Segment(id): Segment<MentionId>,
    entered: FormData,
) -> Outcome {
    let caller = tenant_caller(&person);
    let sent = async {
        entered.check_text()?;
        let [to, subject, text] = ["to", "subject", "text"].map(|it| entered.optional(it));
        let letter = NewLetter::parse(to, subject, text)?;
        case::send_letter(person.app(), person.context(), caller, id, letter).await
    };
    match sent.await {
        Ok(_) => Ok(person.redirect(format!("/app/mentions/{id}/case"), "Letter sent")),
        Err(error) => {
            let view = case::get(person.app(), caller, id).await?;
            Ok(person.redisplay(error, entered, |entered| draw(&person, &view, entered)))
        }
    }
}

fn draw(person: &Person, view: &CaseView, entered: &FormData) -> Response {
    let id = view.record.case.mention;
    let here = format!("/app/mentions/{id}/case");
    let inside = html! {
        (field("to", "To").kind("email").required().max_length(254).placeholder("legal@example.com")
            .hint("The publisher's address. Answers go to your own email address.").of(entered))
        (field("subject", "Subject").required().max_length(200).of(entered))
        (area("text", "Text", Some("Plain text. The link leads to the evidence, which the recipient can read without an account."), 18, entered))
    };
    let body = html! {
        (head("Write a letter", &view.mention.shown.talent_name, html! {
            a.button.plain href=(here) { "Back to case" }
        }))
        @if let Some(warning) = case::warning(&view.mention) {
            (notice("warn", html! { p { (warning) } }))
        }
        (card("Letter", form(&format!("{here}/letter"), entered, inside, "Send letter")))
    };
    person.page("Write a letter", NavItem::Cases, body)
}
