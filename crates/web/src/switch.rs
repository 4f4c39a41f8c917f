//! `/app/switch`: switching to another organization.

use grantor_domain::ErrorKind;
use grantor_domain::id::TenantId;
use grantor_messages::text;
use grantor_service::identity::session;

use crate::frame::{CookieName, Failure, FormData, Outcome, Person, start_session};
use crate::sign_in::next;

/// Switches to another organization and shows the page that a link led to, or the dashboard, since
/// the open page may not exist there.
pub(crate) async fn switch(person: Person, entered: FormData) -> Outcome {
    let chosen = entered.get("organization").parse::<TenantId>();
    let chosen = chosen.map_err(|_| Failure::not_found())?;
    let switched = session::switch(person.app(), person.context(), person.caller(), chosen).await;
    let switched = match switched {
        // The organization requires a second factor, and the person has none yet.
        Err(error) if *error.kind() == ErrorKind::SecondFactorRequired => {
            let message = text!("organization-switch-second-factor");
            return Ok(person.redirect("/app/profile/security", message));
        }
        other => other?,
    };
    let message = text!("organization-switched", organization = &switched.membership.name);
    Ok(person.with_cookie(
        person.redirect(next(entered.optional("next")), &message),
        &start_session(CookieName::Person, &switched.tokens),
    ))
}
