//! Platforms of an organization.

mod change;
pub(in crate::watching) mod page;
mod proof;
mod restore;
mod scanner;
mod verification;

use std::sync::Arc;

use grantor_domain::audit::Resource;
use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::page::Listing;
use grantor_domain::platform::{
    FeedUrls, Platform, PlatformDescription, PlatformDomain, PlatformName, PlatformSettings,
    PlatformStatistics, PlatformType, ProofToken,
};
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::platform::PlatformQuery;
use grantor_storage::{Tx, platform};

pub use self::change::{Changes, change, delete};
pub use self::proof::ProofResult;
pub(crate) use self::restore::PlatformReverse;
pub use self::scanner::{
    MAX_WAITING, ScannerState, WaitingPlatform, ask_scanner, scanner, waiting,
};
pub use self::verification::{Verification, verify};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::organizations::rights;
use crate::{App, Context};

/// A platform to create.
#[derive(Clone, Debug)]
pub struct NewPlatform {
    /// Its name.
    pub name: PlatformName,
    /// The team that manages it. Callers who manage only their own teams name one of them, unless
    /// there is only one.
    pub team: Option<TeamId>,
    /// Its type.
    pub kind: PlatformType,
    /// Its domain.
    pub domain: PlatformDomain,
    /// Its description.
    pub description: Option<PlatformDescription>,
    /// The feeds to scan.
    pub feed_urls: FeedUrls,
    /// How to scan it.
    pub settings: PlatformSettings,
}

/// Creates a platform. Its domain is not verified yet.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewPlatform,
) -> Result<Platform> {
    app.act(context, Create { caller, new }).await
}

/// Lists the organization's platforms that match, newest first.
pub async fn list(app: &App, caller: &Caller, query: PlatformQuery) -> Result<Listing<Platform>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(platform::list(tx, tenant, &query)?)).await
}

/// Returns one of the organization's platforms.
pub async fn get(app: &App, caller: &Caller, id: PlatformId) -> Result<Platform> {
    let tenant = caller.tenant;
    app.store.lookup(move |tx| platform::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

pub(crate) fn not_found() -> Error {
    Error::not_found("Platform")
}

/// Checks that the caller may manage this team's platforms. Callers who manage only their own teams
/// may not manage platforms without a team.
pub(crate) fn may_manage(tx: &mut Tx<'_>, caller: &Caller, team: Option<TeamId>) -> Result<()> {
    rights::require_for_team_as(tx, &caller.actor(), Right::ManagePlatforms, team)
}

/// Returns the platform, if it was found and the caller may manage it.
pub(crate) fn manageable(
    tx: &mut Tx<'_>,
    caller: &Caller,
    found: Option<Platform>,
) -> Result<Platform> {
    let platform = found.ok_or_else(not_found)?;
    may_manage(tx, caller, platform.team)?;
    Ok(platform)
}

/// Checks that the team belongs to the organization and that the caller may manage it, and locks it
/// against deletion.
fn check_team(unit: &mut UnitOfWork<'_, '_>, caller: &Caller, team: TeamId) -> Result<()> {
    rights::claim_team(unit, caller.tenant, team)?;
    rights::require_for_team(unit, Right::ManagePlatforms, Some(team))
}

fn domain_conflict(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == platform::DOMAIN_IS_TAKEN => {
            let message = "Your organization already has a platform with this domain";
            Error::new(ErrorKind::Exists, message).at("domain")
        }
        grantor_storage::Error::Unique(name) if name == platform::DOMAIN_IS_VERIFIED => {
            Error::conflict("Another organization has verified this domain").at("domain")
        }
        other => other.into(),
    }
}

/// How the log names a platform.
#[must_use]
pub fn resource(platform: &Platform) -> Resource {
    let name = Some(platform.name.as_str().to_owned());
    Resource { kind: "platform", id: Some(platform.id.to_string()), name }
}

struct Create {
    caller: Arc<Caller>,
    new: NewPlatform,
}

impl Act for Create {
    type Permit = Option<TeamId>;
    type Output = Platform;
    const ACTION: &'static str = "platform.create";

    /// A platform needs no team, except for callers whose right ends at their own teams.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Option<TeamId>> {
        let (tenant, right) = (self.caller.tenant, Right::ManagePlatforms);
        rights::choose_team(unit, tenant, right, self.new.team)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        team: Option<TeamId>,
    ) -> Result<Done<Platform>> {
        let new = self.new.clone();
        let platform = Platform {
            id: unit.ids.next(),
            tenant: self.caller.tenant,
            team,
            name: new.name,
            kind: new.kind,
            domain: new.domain,
            description: new.description,
            feed_urls: new.feed_urls,
            settings: new.settings,
            statistics: PlatformStatistics::default(),
            token: ProofToken::generate(&*unit.app.entropy),
            proved: None,
            created_at: unit.now,
            updated_at: unit.now,
        };
        platform::insert(unit.tx, &platform).map_err(domain_conflict)?;
        let resource = resource(&platform);
        Ok(Done::new(platform, resource, "A platform was created"))
    }
}
