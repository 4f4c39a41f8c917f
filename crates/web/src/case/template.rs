//! `/app/organization/letters`: the templates of the organization's letters.

use axum::response::Response;
use grantor_domain::case::{LetterKind, PLACEHOLDERS};
use grantor_messages::text;
use grantor_service::watching::case::{self, TemplateChange, TemplateView};
use maud::{Markup, html};

use super::{letter_label, tenant_caller};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::marked::{Mark, marked_area};
use crate::view::{NavItem, Table, card, confirm, field, form, head};

const LIST: &str = "/app/organization/letters";

/// What the placeholders stand for, in the order of [`PLACEHOLDERS`].
fn meanings() -> [&'static str; PLACEHOLDERS.len()] {
    [
        text!("case-placeholder-talent"),
        text!("case-placeholder-url"),
        text!("case-placeholder-title"),
        text!("case-placeholder-organization"),
        text!("case-placeholder-evidence-link"),
        text!("case-placeholder-person"),
    ]
}

/// Lists the templates.
pub(crate) async fn list(person: Person) -> Outcome {
    let found = case::list_templates(person.app(), tenant_caller(&person)).await?;
    let heads = [text!("case-letter"), text!("case-subject"), text!("case-text")];
    let table = Table::new(text!("case-templates-title"), &heads).rows(&found, row);
    let body = html! {
        (head(text!("case-templates-title"), text!("case-templates-lead"), html! {
            a.button.plain href="/app/organization" { (text!("case-back-to-organization")) }
        }))
        (table.show())
    };
    Ok(person.page(text!("case-templates-title"), NavItem::Organization, body))
}

fn row(it: &TemplateView) -> Vec<Markup> {
    let kind = it.template.kind;
    let origin =
        if it.is_built_in { text!("case-template-built-in") } else { text!("case-template-own") };
    vec![
        html! { a href={ (LIST) "/" (kind.name()) } { (letter_label(kind)) } },
        html! { (it.template.subject) },
        html! { (origin) },
    ]
}

/// Shows the form to edit a template. Staff who view the page see only its text.
pub(crate) async fn edit(person: Person, Segment(kind): Segment<LetterKind>) -> Outcome {
    let found = case::get_template(person.app(), tenant_caller(&person), kind).await?;
    let entered = FormData::default()
        .with("subject", found.template.subject.clone())
        .with("text", found.template.text.clone());
    Ok(draw(&person, &found, &entered))
}

/// Saves a template.
pub(crate) async fn change(
    person: Person,
    Segment(kind): Segment<LetterKind>,
    entered: FormData,
) -> Outcome {
    let caller = tenant_caller(&person);
    let found = case::get_template(person.app(), caller, kind).await?;
    let changed = async {
        let mut fields = entered.fields();
        let subject = entered.required(&mut fields, "subject").to_owned();
        let text = entered.required(&mut fields, "text").to_owned();
        fields.finish()?;
        let change = TemplateChange { subject: Some(subject), text: Some(text) };
        case::change_template(person.app(), person.context(), caller, kind, change).await
    };
    match changed.await {
        Ok(_) => Ok(person.redirect(LIST, text!("case-template-updated"))),
        Err(error) => Ok(person.redisplay(error, entered, |it| draw(&person, &found, it))),
    }
}

/// Restores the built-in template.
pub(crate) async fn restore(person: Person, Segment(kind): Segment<LetterKind>) -> Outcome {
    let caller = tenant_caller(&person);
    case::restore_template(person.app(), person.context(), caller, kind).await?;
    Ok(person.redirect(LIST, text!("case-template-restored")))
}

fn draw(person: &Person, found: &TemplateView, entered: &FormData) -> Response {
    let kind = found.template.kind;
    let (here, acts) = (format!("{LIST}/{}", kind.name()), !person.is_viewed());
    let inside = html! {
        (field("subject", text!("case-subject")).required().max_length(200).of(entered))
        (marked_area(Mark::Required, "text", text!("case-text"), Some(text!("case-template-text-hint")), 18, entered))
    };
    let body = html! {
        (head(letter_label(kind), text!("case-template-lead"), html! {
            a.button.plain href=(LIST) { (text!("case-all-templates")) }
        }))
        div.split {
            @if acts { (card(text!("case-text"), form(&here, entered, inside, text!("case-save-changes")))) }
            @else { (card(&found.template.subject, html! { div.mail-text { (found.template.text) } })) }
            div {
                (card(text!("case-placeholders"), placeholders()))
                @if acts && !found.is_built_in {
                    (card(text!("case-built-in-text"), confirm(&format!("{here}/restore"), text!("case-restore-text"), text!("case-restore-question"), &[])))
                }
            }
        }
    };
    person.page(letter_label(kind), NavItem::Organization, body)
}

fn placeholders() -> Markup {
    html! {
        dl.facts {
            @for (name, meaning) in PLACEHOLDERS.iter().zip(meanings()) {
                div {
                    dt { code { "{" (name) "}" } @if *name == "evidence_link" { " " (text!("case-placeholder-required")) } }
                    dd { (meaning) }
                }
            }
        }
    }
}
