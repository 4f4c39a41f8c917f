//! Choosing a party by name or email address, and `/app/parties`: suggestions for the field.

use axum::response::IntoResponse as _;
use grantor_domain::Error;
use grantor_domain::email::Email;
use grantor_domain::error::Fields;
use grantor_domain::party::PartySearch;
use grantor_service::identity::access::TenantCaller;
use grantor_service::organizations::party::{self, FoundParty};

use crate::frame::{FormData, Outcome, Params, Person};
use crate::view::party::{Accepts, choice_name, suggestions};

/// What was entered into the field.
pub(crate) enum EnteredParty {
    Email(Email),
    Name(PartySearch),
}

/// The chosen party.
pub(crate) enum ChosenParty {
    Email(Email),
    Tenant(FoundParty),
}

/// Why a form was refused, with the parties to choose from if its name stands for several.
pub(crate) struct PartyRefusal {
    pub(crate) error: Error,
    pub(crate) choices: Vec<FoundParty>,
}

impl From<Error> for PartyRefusal {
    fn from(error: Error) -> Self {
        Self { error, choices: vec![] }
    }
}

/// Reads the field.
pub(crate) fn read(
    entered: &FormData,
    name: &'static str,
    fields: &mut Fields,
) -> Option<EnteredParty> {
    let text = entered.required(fields, name);
    if text.contains('@') {
        return fields.take(name, Email::parse(text)).map(EnteredParty::Email);
    }
    fields.take(name, PartySearch::parse(text)).map(EnteredParty::Name)
}

/// Returns the party that the field stands for. A name must be the whole name of exactly one party,
/// or the party must have been chosen from those that it found.
pub(crate) async fn resolve(
    person: &Person,
    party: EnteredParty,
    accepts: Accepts,
    name: &'static str,
    entered: &FormData,
) -> Result<ChosenParty, PartyRefusal> {
    let search = match party {
        EnteredParty::Email(email) => return Ok(ChosenParty::Email(email)),
        EnteredParty::Name(search) => search,
    };
    let found = find(person, search.clone(), accepts).await?;
    let chosen = entered.get(&choice_name(name));
    let picked = found.iter().find(|it| it.id.to_string() == chosen);
    let mut named = found.iter().filter(|it| search.is_name(&it.name));
    match (picked, named.next(), named.next()) {
        (Some(party), ..) | (None, Some(party), None) => Ok(ChosenParty::Tenant(party.clone())),
        _ => Err(unclear(name, found)),
    }
}

fn unclear(name: &'static str, choices: Vec<FoundParty>) -> PartyRefusal {
    let message = if choices.is_empty() {
        "must be the name of an organization that you can find, or an email address"
    } else {
        "must be the full name of one organization; choose one below"
    };
    PartyRefusal { error: Error::field(name, message), choices }
}

/// Shows the suggestions for a name.
pub(crate) async fn suggest(person: Person, params: Params) -> Outcome {
    // Without a valid search there is nothing to suggest.
    let Some(text) = params.get("search") else { return Ok(suggestions(&[]).into_response()) };
    let search = PartySearch::parse(text).map_err(|error| Error::field("search", error))?;
    let accepts = match params.get("type") {
        Some("organization") => Accepts::Organizations,
        _ => Accepts::Everyone,
    };
    Ok(suggestions(&find(&person, search, accepts).await?).into_response())
}

async fn find(
    person: &Person,
    search: PartySearch,
    accepts: Accepts,
) -> Result<Vec<FoundParty>, Error> {
    let caller = TenantCaller::from(&*person.caller);
    let mut found = party::search(person.app(), person.context(), caller, search).await?;
    found.retain(|it| accepts == Accepts::Everyone || it.kind.is_organization());
    Ok(found)
}
