//! `/app/switch`: going on in another organization one is a member of.

use grantor_domain::id::TenantId;
use grantor_service::session;

use crate::frame::{Crumb, Entered, Failure, Outcome, Person, begin};

/// Goes on in the organization that was chosen, from its dashboard: what was open may not be there.
pub(crate) async fn switch(person: Person, entered: Entered) -> Outcome {
    let chosen = entered.get("organization").parse::<TenantId>();
    let chosen = chosen.map_err(|_| Failure::nothing())?;
    let switched = session::switch(person.app(), person.context(), person.caller(), chosen).await?;
    let said = format!("You act for {} now", switched.place.name);
    Ok(person.with(person.went("/app", &said), &begin(Crumb::Person, &switched.tokens)))
}
