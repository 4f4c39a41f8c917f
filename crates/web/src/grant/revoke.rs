//! Revoking a grant.

use grantor_domain::grant::REVOKE_REASON;
use grantor_domain::id::GrantId;
use grantor_domain::{Error, Result};
use grantor_service::licensing::grant;
use maud::{Markup, html};

use super::show::GrantPage;
use super::{caller, path};
use crate::frame::{FormData, Outcome, Person, Segment};
use crate::view::{area, checkbox, form};

/// The form that revokes a grant.
pub(super) fn section(id: GrantId, entered: &FormData) -> Markup {
    let hint = "The licensee can read it. Up to 2,000 characters.";
    let inside = html! {
        (area("reason", "Reason", Some(hint), 4, entered))
        (checkbox("confirm", "I understand that a revoked grant can't be restored", None, entered))
    };
    html! {
        p.quiet {
            "The grant ends immediately. Anyone who verifies its receipt or opens one of its shared "
            "links sees that the grant was revoked. Its certificate can no longer be downloaded."
        }
        details.more open[entered.message().is_some()] {
            summary { "Revoke grant" }
            (form(&format!("{}/revoke", path(id)), entered, inside, "Revoke grant"))
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
            let message = format!("Grant {} revoked", view.record.grant.number);
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
