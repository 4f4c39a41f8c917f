//! Platforms of an organization: made, listed, changed, proved, deleted.

mod change;
mod page;
mod proof;
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
pub use self::proof::Check;
pub use self::verification::{Verification, verify};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context, reach};

/// A platform as whoever makes it describes it.
#[derive(Clone, Debug)]
pub struct NewPlatform {
    /// What it shall be called.
    pub name: PlatformName,
    /// The team that will look after it; who is held to one need not name it.
    pub team: Option<TeamId>,
    /// What kind it is.
    pub kind: PlatformType,
    /// Where it is.
    pub domain: PlatformDomain,
    /// A few lines about it.
    pub description: Option<PlatformDescription>,
    /// What to scan.
    pub feed_urls: FeedUrls,
    /// How to scan it.
    pub settings: PlatformSettings,
}

/// Makes a platform, whose domain is still to be proved.
pub async fn create(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    new: NewPlatform,
) -> Result<Platform> {
    app.act(context, Create { caller, new }).await
}

/// The organization's platforms that fit, newest first.
pub async fn list(app: &App, caller: &Caller, query: PlatformQuery) -> Result<Listing<Platform>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(platform::list(tx, tenant, &query)?)).await
}

/// One of the organization's platforms.
pub async fn get(app: &App, caller: &Caller, id: PlatformId) -> Result<Platform> {
    let tenant = caller.tenant;
    app.store.glance(move |tx| platform::find(tx, tenant, id)?.ok_or_else(not_found)).await
}

pub(crate) fn not_found() -> Error {
    Error::not_found("Platform")
}

/// Whether the caller may manage what this team looks after. What is no team's is beyond the reach
/// of who manages only their own teams.
pub(crate) fn may_manage(tx: &mut Tx<'_>, caller: &Caller, team: Option<TeamId>) -> Result<()> {
    reach::within_as(tx, &caller.actor(), Right::ManagePlatforms, team)
}

/// A platform that was found, if the caller may manage it.
pub(crate) fn manageable(
    tx: &mut Tx<'_>,
    caller: &Caller,
    found: Option<Platform>,
) -> Result<Platform> {
    let platform = found.ok_or_else(not_found)?;
    may_manage(tx, caller, platform.team)?;
    Ok(platform)
}

/// Sees that a team is the organization's own and within the caller's reach, and stays.
fn check_team(desk: &mut Desk<'_, '_>, caller: &Caller, team: TeamId) -> Result<()> {
    reach::claim_team(desk, caller.tenant, team)?;
    reach::within(desk, Right::ManagePlatforms, Some(team))
}

fn domain_conflict(error: grantor_storage::Error) -> Error {
    match error {
        grantor_storage::Error::Unique(name) if name == platform::DOMAIN_IS_TAKEN => {
            Error::new(ErrorKind::Exists, "Your organization has a platform with this domain")
                .at("domain")
        }
        grantor_storage::Error::Unique(name) if name == platform::DOMAIN_IS_VERIFIED => {
            Error::conflict("Another organization has proved this domain").at("domain")
        }
        other => other.into(),
    }
}

pub(crate) fn resource(platform: &Platform) -> Resource {
    let name = Some(platform.name.as_str().to_owned());
    Resource { kind: "platform", id: Some(platform.id.to_string()), name }
}

struct Create {
    caller: Arc<Caller>,
    new: NewPlatform,
}

impl Act for Create {
    type Grant = TeamId;
    type Output = Platform;
    const ACTION: &'static str = "platform.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<TeamId> {
        let (tenant, right) = (self.caller.tenant, Right::ManagePlatforms);
        let team = reach::choose(desk, tenant, right, self.new.team)?;
        team.ok_or_else(|| Error::field("teamId", "is required"))
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, team: TeamId) -> Result<Done<Platform>> {
        let new = self.new.clone();
        let platform = Platform {
            id: desk.ids.next(),
            tenant: self.caller.tenant,
            team: Some(team),
            name: new.name,
            kind: new.kind,
            domain: new.domain,
            description: new.description,
            feed_urls: new.feed_urls,
            settings: new.settings,
            statistics: PlatformStatistics::default(),
            token: ProofToken::generate(&*desk.app.entropy),
            proved: None,
            created_at: desk.now,
            updated_at: desk.now,
        };
        platform::insert(desk.tx, &platform).map_err(domain_conflict)?;
        let resource = resource(&platform);
        Ok(Done::new(platform, resource, "A platform was made"))
    }
}
