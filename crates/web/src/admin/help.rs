//! `/app/admin/help`: what people ask staff.

use axum::response::Response;
use grantor_domain::admin::AdminRight;
use grantor_domain::id::HelpRequestId;
use grantor_messages::text;
use grantor_service::organizations::help_request::{self, ListedHelpRequest};
use maud::{Markup, html};

use super::owner;
use crate::frame::{FormData, Outcome, Params, Segment, Staff};
use crate::view::field::error_summary;
use crate::view::marked::{Mark, marked_area};
use crate::view::rich::rich;
use crate::view::{NavItem, Table, ago, badge, card, empty, facts, form, head, pager, tabs};

const PAGE: &str = "/app/admin/help";
/// How much of a message the list shows.
const SHOWN: usize = 120;

/// Lists requests for help: those that wait, or all.
pub(crate) async fn list(staff: Staff, params: Params) -> Outcome {
    let all = params.get("all").is_some();
    let found = help_request::list_all(staff.app(), !all, params.page()?).await?;
    let found = params.in_range(found)?;
    let choices = [
        (PAGE.to_owned(), text!("admin-help-waiting"), !all),
        (format!("{PAGE}?all=true"), text!("word-all"), all),
    ];
    let title = text!("admin-help");
    let heads = [
        text!("admin-help-question"),
        text!("admin-help-person"),
        text!("admin-organization"),
        text!("admin-help-asked"),
        text!("word-status"),
    ];
    let table = Table::new(title, &heads).rows(&found.items, |it| row(&staff, it));
    let body = html! {
        (head(title, text!("admin-help-lead"), html! {}))
        (tabs(text!("admin-help-tabs"), &choices))
        @if found.items.is_empty() {
            (empty(text!("admin-help-none"), text!("admin-help-none-why"), html! {}))
        } @else { (table.show()) (pager(&found, &staff.here)) }
    };
    Ok(staff.page(title, NavItem::AdminHelp, body))
}

fn row(staff: &Staff, it: &ListedHelpRequest) -> Vec<Markup> {
    let request = &it.request;
    let (short, rest) = match request.message.char_indices().nth(SHOWN) {
        Some((end, _)) => (&request.message[..end], "…"),
        None => (&*request.message, ""),
    };
    vec![
        html! { a href={ (PAGE) "/" (request.id) } { (short) (rest) } },
        html! { (it.fullname) },
        owner(request.tenant, &it.tenant_name),
        ago(staff.now(), request.created_at),
        badge(if request.answer.is_some() { "answered" } else { "open" }),
    ]
}

/// Shows a request.
pub(crate) async fn show(staff: Staff, Segment(id): Segment<HelpRequestId>) -> Outcome {
    let found = help_request::get(staff.app(), id).await?;
    Ok(draw(&staff, &found, &FormData::default()))
}

/// Answers a request.
pub(crate) async fn answer(
    staff: Staff,
    Segment(id): Segment<HelpRequestId>,
    entered: FormData,
) -> Outcome {
    let answered = async {
        entered.check_text()?;
        let (app, context, text) = (staff.app(), staff.context(), entered.get("answer"));
        help_request::answer(app, context, staff.caller(), id, text).await
    };
    match answered.await {
        Ok(()) => Ok(staff.redirect(PAGE, text!("admin-help-answered"))),
        Err(error) => {
            let found = help_request::get(staff.app(), id).await?;
            Ok(staff.redisplay(error, entered, |it| draw(&staff, &found, it)))
        }
    }
}

fn draw(staff: &Staff, found: &ListedHelpRequest, entered: &FormData) -> Response {
    let ListedHelpRequest { request, tenant_name, fullname, email } = found;
    let title = text!("admin-help-request", name = fullname);
    let body = html! {
        (head(&title, "", html! { a.button.plain href=(PAGE) { (text!("admin-help-all")) } }))
        (card(text!("admin-help-question"), html! {
            p.message { (request.message) }
            (facts(&[
                (text!("admin-help-person"), html! { (fullname) " (" (email) ")" }),
                (text!("admin-organization"), owner(request.tenant, tenant_name)),
                (text!("admin-help-asked"), ago(staff.now(), request.created_at)),
            ]))
        }))
        @if let Some(answer) = &request.answer {
            // Somebody else was faster.
            (error_summary(entered))
            (card(text!("admin-help-answer"), html! {
                p.message { (answer.text) }
                p.quiet { (rich!("admin-help-sent", when = ago(staff.now(), answer.at))) }
            }))
        } @else if staff.may(AdminRight::HelpPeople) {
            (card(text!("admin-help-answer"), answer_form(request.id, entered)))
        }
    };
    staff.page(&title, NavItem::AdminHelp, body)
}

fn answer_form(id: HelpRequestId, entered: &FormData) -> Markup {
    let (label, hint) = (text!("admin-help-your-answer"), text!("admin-help-your-answer-hint"));
    let answer = marked_area(Mark::Required, "answer", label, Some(hint), 6, entered);
    form(&format!("{PAGE}/{id}"), entered, answer, text!("admin-help-send"))
}
