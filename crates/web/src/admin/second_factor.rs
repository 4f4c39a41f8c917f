//! `/app/admin/second-factor`: removing the second factors of a person who lost all of them.

use axum::response::Response;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::id::UserId;
use grantor_messages::text;
use grantor_service::identity::second_factor::reset::{self, Person};
use maud::{Markup, html};

use super::owner;
use crate::frame::{FormData, Outcome, Params, Staff};
use crate::second_factor::in_words;
use crate::view::filter::{filters, text_box};
use crate::view::{NavItem, card, empty, facts, field, form, head, hidden};

const PAGE: &str = "/app/admin/second-factor";

/// Finds a person by their address.
pub(crate) async fn show(staff: Staff, params: Params) -> Outcome {
    let email = params.get("email").map(Email::parse).transpose();
    let email = email.map_err(|reason| Error::field("email", reason))?;
    let found = match &email {
        Some(email) => reset::find(staff.app(), email).await?,
        None => None,
    };
    Ok(draw(&staff, &params, found.as_ref(), &FormData::default()))
}

/// Removes a person's second factors.
pub(crate) async fn submit(staff: Staff, entered: FormData) -> Outcome {
    let done = async {
        let mut fields = entered.fields();
        let reason = entered.required(&mut fields, "reason");
        let user = fields.take("user", entered.get("user").parse::<UserId>());
        fields.finish()?;
        let user = user.ok_or_else(|| Error::not_found("User"))?;
        reset::reset(staff.app(), staff.context(), user, reason).await
    };
    match done.await {
        Ok(()) => Ok(staff.redirect(PAGE, text!("admin-factor-removed"))),
        Err(error) => {
            let email = Email::parse(entered.get("email")).ok();
            let found = match &email {
                Some(email) => reset::find(staff.app(), email).await?,
                None => None,
            };
            let params = Params::default();
            let draw = |entered: &FormData| draw(&staff, &params, found.as_ref(), entered);
            Ok(staff.redisplay(error, entered, draw))
        }
    }
}

fn draw(staff: &Staff, params: &Params, found: Option<&Person>, entered: &FormData) -> Response {
    let searched = params.get("email").is_some();
    let body = html! {
        (head(text!("admin-factor-title"), text!("admin-factor-lead"), html! {
            a.button.plain href="/app/admin/organizations" { (text!("admin-organizations-all")) }
        }))
        (filters(PAGE, params, text_box("email", text!("word-email"), "ada@example.com", params)))
        @match found {
            Some(person) => (person_card(person, entered)),
            None if searched => (empty(text!("admin-factor-nobody"), text!("admin-factor-nobody-why"), html! {})),
            None => {}
        }
    };
    staff.page(text!("admin-factor-title"), NavItem::AdminOrganizations, body)
}

fn person_card(person: &Person, entered: &FormData) -> Markup {
    let inside = html! {
        (hidden("user", &person.user.to_string()))
        (hidden("email", &person.email))
        (field("reason", text!("admin-reason")).required().max_length(500)
            .hint(text!("admin-factor-reason-hint")).of(entered))
    };
    card(
        &person.fullname,
        html! {
            (facts(&[
                (text!("word-email"), html! { (person.email) }),
                (text!("admin-organizations"), html! {
                    @for it in &person.memberships { p { (owner(it.tenant, &it.name)) } }
                }),
                (text!("admin-factor"), in_words(person.factors)),
            ]))
            @if person.factors.any() {
                (form(PAGE, entered, inside, text!("admin-factor-remove")))
            } @else {
                p { (text!("admin-factor-nothing")) }
            }
        },
    )
}
