//! Revoking a grant.

use grantor_domain::grant::REVOKE_REASON;
use grantor_domain::id::GrantId;
use grantor_domain::{Error, Result};
use grantor_messages::text;
use grantor_service::licensing::grant;
use maud::{Markup, html};

use super::show::GrantPage;
use super::{caller, path};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::form;
use crate::view::marked::{Mark, marked_area, required_checkbox};

/// The form that revokes a grant.
pub(super) fn section(id: GrantId, entered: &FormData) -> Markup {
    let hint = text!("grant-revoke-reason-hint");
    let inside = html! {
        (marked_area(Mark::Required, "reason", text!("grant-revoke-reason"), Some(hint), 4, entered))
        (required_checkbox("confirm", text!("grant-revoke-confirm"), entered))
    };
    html! {
        p.quiet { (text!("grant-revoke-about")) }
        details.more open[entered.message().is_some()] {
            summary { (text!("grant-revoke")) }
            (form(&format!("{}/revoke", path(id)), entered, inside, text!("grant-revoke")))
        }
    }
}

/// Revokes a grant.
pub(crate) async fn revoke(
    person: Person,
    Segment(id): Segment<GrantId>,
    entered: FormData,
) -> Outcome {
    let revoked = async {
        let reason = read_reason(&entered)?;
        grant::revoke(person.app(), person.context(), caller(&person), id, reason).await
    };
    match revoked.await {
        Ok(view) => {
            let number = view.record.grant.number.to_string();
            let message = text!("grant-revoked", number = number);
            Ok(person.redirect(path(id), &message))
        }
        Err(error) => {
            let page = GrantPage::load(&person, id).await?;
            Ok(person.redisplay(error, entered, |it| page.draw(&person, it)))
        }
    }
}

fn read_reason(entered: &FormData) -> Result<String> {
    let mut fields = entered.fields();
    entered.required(&mut fields, "reason");
    let reason = fields.take("reason", REVOKE_REASON.parse(entered.get("reason")));
    if !entered.has("confirm", "true") {
        fields.add("confirm", "must be checked");
    }
    fields.finish()?;
    reason.ok_or_else(|| Error::field("reason", "is required"))
}
