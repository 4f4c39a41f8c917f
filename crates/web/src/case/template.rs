//! `/app/organization/letters`: the templates of the organization's letters.

use axum::response::Response;
use grantor_domain::case::{LetterKind, PLACEHOLDERS};
use grantor_service::watching::case::{self, TemplateChange, TemplateView};
use maud::{Markup, html};

use super::tenant_caller;
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{NavItem, Table, area, card, confirm, field, form, head};

const LIST: &str = "/app/organization/letters";

/// What the placeholders stand for, in the order of [`PLACEHOLDERS`].
const MEANINGS: [&str; PLACEHOLDERS.len()] = [
    "The name of the talent",
    "The address of the page",
    "The title of the page",
    "The name of your organization",
    "The link to the evidence",
    "The name of the sender",
];

/// Lists the templates.
pub(crate) async fn list(person: Person) -> Outcome {
    let found = case::list_templates(person.app(), tenant_caller(&person)).await?;
    let table = Table::new("Letter templates", &["Letter", "Subject", "Text"]).rows(&found, row);
    let body = html! {
        (head("Letter templates", "Letters about mentions are drafted from these texts.", html! {
            a.button.plain href="/app/organization" { "Back to organization" }
        }))
        (table.show())
    };
    Ok(person.page("Letter templates", NavItem::Organization, body))
}

fn row(it: &TemplateView) -> Vec<Markup> {
    let kind = it.template.kind;
    vec![
        html! { a href={ (LIST) "/" (kind.name()) } { (kind.label()) } },
        html! { (it.template.subject) },
        html! { (if it.is_built_in { "Built-in" } else { "Changed by your organization" }) },
    ]
}

/// Shows the form to edit a template.
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
        Ok(_) => Ok(person.redirect(LIST, "Letter template updated")),
        Err(error) => Ok(person.redisplay(error, entered, |it| draw(&person, &found, it))),
    }
}

/// Restores the built-in template.
pub(crate) async fn restore(person: Person, Segment(kind): Segment<LetterKind>) -> Outcome {
    let caller = tenant_caller(&person);
    case::restore_template(person.app(), person.context(), caller, kind).await?;
    Ok(person.redirect(LIST, "Built-in text restored"))
}

fn draw(person: &Person, found: &TemplateView, entered: &FormData) -> Response {
    let kind = found.template.kind;
    let here = format!("{LIST}/{}", kind.name());
    let inside = html! {
        (field("subject", "Subject").required().max_length(200).of(entered))
        (area("text", "Text", Some("Plain text. Everybody can change the draft before it is sent."), 18, entered))
    };
    let body = html! {
        (head(kind.label(), "The text that letters are drafted from.", html! {
            a.button.plain href=(LIST) { "All letter templates" }
        }))
        div.split {
            (card("Text", form(&here, entered, inside, "Save changes")))
            div {
                (card("Placeholders", placeholders()))
                @if !found.is_built_in {
                    (card("Built-in text", confirm(&format!("{here}/restore"), "Restore built-in text", "Your text will be permanently deleted.", &[])))
                }
            }
        }
    };
    person.page(kind.label(), NavItem::Organization, body)
}

fn placeholders() -> Markup {
    html! {
        dl.facts {
            @for (name, meaning) in PLACEHOLDERS.iter().zip(MEANINGS) {
                div {
                    dt { code { "{" (name) "}" } @if *name == "evidence_link" { " required" } }
                    dd { (meaning) }
                }
            }
        }
    }
}
