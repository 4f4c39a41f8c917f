//! `/app/organization/security`: whether members need a second factor, and who has one.

use axum::response::Response;
use grantor_domain::Error;
use grantor_messages::text;
use grantor_service::identity::second_factor::requirement::{self, MemberFactors, Requirement};
use maud::{Markup, html};

use super::in_words;
use crate::frame::{FormData, Outcome, Params, Person};
use crate::view::field::error_summary;
use crate::view::{NavItem, Table, badge, card, confirm, head, label, pager, post_button};

const PAGE: &str = "/app/organization/security";
/// The value of the button that turns the requirement on or off.
const REQUIRED: &str = "required";

/// Shows the requirement and the members.
pub(crate) async fn show(person: Person, params: Params) -> Outcome {
    let found = requirement::show(person.app(), &person.caller, params.page()?).await?;
    params.in_range(found.members.clone())?;
    Ok(draw(&person, &found, &person.here, &FormData::default()))
}

/// Turns the requirement on or off.
pub(crate) async fn set(person: Person, entered: FormData) -> Outcome {
    entered.check_text()?;
    let required = entered.has(REQUIRED, "true");
    let set = requirement::set(person.app(), person.context(), person.caller(), required).await;
    match set {
        Ok(()) if required => Ok(person.redirect(PAGE, text!("security-now-required"))),
        Ok(()) => Ok(person.redirect(PAGE, text!("security-no-longer-required"))),
        Err(error) => refuse(&person, error, entered).await,
    }
}

async fn refuse(person: &Person, error: Error, entered: FormData) -> Outcome {
    let page = Params::default().page()?;
    let found = requirement::show(person.app(), &person.caller, page).await?;
    Ok(person.redisplay(error, entered, |entered| draw(person, &found, PAGE, entered)))
}

fn draw(person: &Person, found: &Requirement, here: &str, entered: &FormData) -> Response {
    let heads = [text!("security-member"), text!("security-role"), text!("security-second-factor")];
    let table = Table::new(text!("security-members"), &heads).rows(&found.members.items, row);
    let body = html! {
        (head(text!("security-title"), text!("security-organization-lead"), html! {
            a.button.plain href="/app/organization/single-sign-on" { (text!("security-sso")) }
            a.button.plain href="/app/organization" { (text!("security-back-to-organization")) }
        }))
        (error_summary(entered))
        @if entered.message().is_some() {
            p { a.button.plain href=(super::PAGE) { (text!("security-set-up-own")) } }
        }
        (card(text!("security-second-factor"), toggle(person, found)))
        section {
            h2 { (text!("security-members")) }
            (table.show()) (pager(&found.members, here))
        }
    };
    person.page(text!("security-title"), NavItem::Organization, body)
}

fn toggle(person: &Person, found: &Requirement) -> Markup {
    let acts = !person.is_viewed();
    html! {
        @if found.required {
            p { (badge("active")) " " (text!("security-required")) }
            @if found.without > 0 { p { (text!("security-required-without", count = found.without)) } }
            @if acts { (post_button(PAGE, text!("security-stop-requiring"), &[(REQUIRED, "false")])) }
        } @else {
            p { (text!("security-not-required", count = found.without)) }
            @if acts { (confirm(PAGE, text!("security-require"), text!("security-require-question"), &[(REQUIRED, "true")])) }
        }
    }
}

fn row(it: &MemberFactors) -> Vec<Markup> {
    vec![
        html! {
            strong { (it.fullname) } p.quiet { (it.email) }
            @if !it.active { (badge("inactive")) }
        },
        html! { (label::role(it.role.name())) },
        in_words(it.factors),
    ]
}
