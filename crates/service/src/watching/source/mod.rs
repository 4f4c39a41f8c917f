//! Sources: the public addresses that a tenant watches (contract-2 section 24). Agencies and
//! individuals have them; `Team_Lead` only for talents of their own teams.

mod change;
mod create;
mod look;
mod read;
mod recent;
mod restore;
mod run;
mod staff;

use grantor_domain::access::Actor;
use grantor_domain::audit::Resource;
use grantor_domain::id::{SourceId, TalentId, TeamId};
use grantor_domain::role::Right;
use grantor_domain::source::{Source, WatchedTalents};
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::feed::ClaimedFeed;
pub use grantor_storage::record_index::SourceSearch;
pub use grantor_storage::source::{ListedSource, StaffSource};
use grantor_storage::{Tx, source, talent};

pub use self::change::{change, delete, scan_now};
pub use self::create::create;
pub use self::look::look;
pub use self::read::{get, get_to_change, last_runs, list, push_state, search};
pub use self::recent::Looks;
pub(crate) use self::restore::SourceReverse;
pub use self::run::{adopt_keys, claim, scan, scan_due};
pub(crate) use self::staff::{Apply, Resume, Stop};
pub use self::staff::{list_all, resume, stop, stop_all};
use crate::act::UnitOfWork;
use crate::identity::access::TenantCaller;
use crate::organizations::rights;

pub(crate) fn not_found() -> Error {
    Error::not_found("Source")
}

/// The refusal of an address that the tenant watches already, with the source that does. If the
/// source was created with another address, such as that of the feed of a post, it says which.
fn already_watched(tx: &mut Tx<'_>, id: SourceId, address: &str) -> Result<Error> {
    let known = source::find_anywhere(tx, id)?.map(|it| it.source.url);
    let message = match known.filter(|it| it != address) {
        Some(other) => format!("This address leads to {other}, which you already watch"),
        None => "You already watch this address".to_owned(),
    };
    Ok(Error::conflict(message).at("url").with_detail("source_id", id.to_string()))
}

/// How the log names a source.
fn resource(source: &Source) -> Resource {
    let name = Some(source.name.as_str().to_owned());
    Resource { kind: "source", id: Some(source.id.to_string()), name }
}

/// Returns one of the tenant's sources, if the caller may manage it, and locks it until the unit of
/// work ends.
fn claim_own(
    unit: &mut UnitOfWork<'_, '_>,
    caller: TenantCaller,
    id: SourceId,
) -> Result<ListedSource> {
    let found = source::claim(unit.tx, caller.tenant, id)?;
    manageable(unit.tx, unit.actor, caller, found)
}

/// Returns the source, if it was found and the actor may manage it.
fn manageable(
    tx: &mut Tx<'_>,
    actor: &Actor,
    caller: TenantCaller,
    found: Option<ListedSource>,
) -> Result<ListedSource> {
    let own = rights::limited_to(tx, actor, Right::ManageSources)?;
    let listed = found.ok_or_else(not_found)?;
    may_watch(tx, own.as_deref(), caller, &listed.source.talents)?;
    Ok(listed)
}

/// Checks that the talents are the tenant's, and that the actor may manage sources for them:
/// somebody who is limited to their own teams may only watch for talents of those teams.
fn may_watch(
    tx: &mut Tx<'_>,
    own: Option<&[TeamId]>,
    caller: TenantCaller,
    talents: &WatchedTalents,
) -> Result<()> {
    let listed = match (talents, own) {
        (WatchedTalents::All, None) => return Ok(()),
        (WatchedTalents::All, Some(_)) => {
            let message = "You can only watch for talents of your teams";
            return Err(Error::new(ErrorKind::AccessDenied, message));
        }
        (WatchedTalents::Listed(listed), _) => listed,
    };
    let found = talent::teams_of(tx, caller.tenant, listed)?;
    let is_known = |id: &TalentId| found.iter().any(|(it, _)| it == id);
    if !listed.iter().all(is_known) {
        return Err(Error::field("talents", "must be talents of your organization"));
    }
    match own {
        None => Ok(()),
        Some(own) => found.iter().try_for_each(|(_, team)| rights::check_team(own, *team)),
    }
}
