//! `/app/help`: where to find answers, and asking staff.

use axum::response::Response;
use grantor_domain::help_request::HelpRequest;
use grantor_domain::page::Listing;
use grantor_messages::text;
use grantor_service::organizations::help_request;
use maud::{Markup, html};

use crate::frame::{FormData, Outcome, Params, Person};
use crate::view::marked::{Mark, marked_area};
use crate::view::{NavItem, Table, ago, badge, card, empty, form, head, pager};

const PAGE: &str = "/app/help";

/// Shows the form and what the organization asked before.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let found = load(&person, &params).await?;
    Ok(draw(&person, &found, &FormData::default()))
}

async fn load(
    person: &Person,
    params: &Params,
) -> Result<Listing<HelpRequest>, grantor_domain::Error> {
    params.in_range(help_request::list(person.app(), &person.caller, params.page()?).await?)
}

/// Asks staff for help.
pub(crate) async fn create(person: Person, params: Params, entered: FormData) -> Outcome {
    let asked = async {
        entered.check_text()?;
        let (app, context, message) = (person.app(), person.context(), entered.get("message"));
        help_request::create(app, context, person.caller(), message).await
    };
    match asked.await {
        Ok(_) => Ok(person.redirect(PAGE, text!("help-sent"))),
        Err(error) => {
            let found = load(&person, &params).await?;
            Ok(person.redisplay(error, entered, |it| draw(&person, &found, it)))
        }
    }
}

fn draw(person: &Person, found: &Listing<HelpRequest>, entered: &FormData) -> Response {
    let (label, hint) = (text!("help-your-question"), text!("help-your-question-hint"));
    let question = marked_area(Mark::Required, "message", label, Some(hint), 5, entered);
    let heads = [text!("help-question"), text!("help-answer"), text!("help-asked")];
    let table = Table::new(text!("help-requests"), &heads).rows(&found.items, |it| row(person, it));
    let body = html! {
        (head(text!("help-title"), text!("help-lead"), html! {
            a.button.plain href="/docs/" { (text!("help-docs")) }
        }))
        @if !person.is_viewed() { (card(text!("help-ask"), form(PAGE, entered, question, text!("action-send")))) }
        @if found.items.is_empty() {
            (empty(text!("help-none"), text!("help-none-why"), html! {}))
        } @else { (table.show()) (pager(found, &person.here)) }
    };
    person.page(text!("help-title"), NavItem::Help, body)
}

fn row(person: &Person, it: &HelpRequest) -> Vec<Markup> {
    vec![
        html! { p.message { (it.message) } },
        html! {
            @if let Some(answer) = &it.answer { p.message { (answer.text) } }
            @else { (badge("pending")) }
        },
        ago(person.now(), it.created_at),
    ]
}
