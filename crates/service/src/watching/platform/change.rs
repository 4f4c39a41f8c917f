//! Changing and deleting platforms.

use std::sync::Arc;

use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::patch::Patch;
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, Platform, PlatformDescription, PlatformDomain, PlatformName,
    PlatformType, ProofToken,
};
use grantor_domain::pod::PodAction;
use grantor_domain::{Error, Result};
use grantor_storage::{pax, platform, pod, scanner_request};
use serde_json::json;

use super::restore::{self, PlatformReverse};
use super::{check_team, domain_conflict, manageable, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context};

/// The changes to a platform; `None` keeps the current value.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// The new name.
    pub name: Option<PlatformName>,
    /// The new team.
    pub team: Option<TeamId>,
    /// The new type.
    pub kind: Option<PlatformType>,
    /// The new domain, which has to be verified.
    pub domain: Option<PlatformDomain>,
    /// The new description, or none.
    pub description: Patch<PlatformDescription>,
    /// The new feeds, or none. Parsed later, because their rules depend on the domain.
    pub feed_urls: Patch<Vec<String>>,
    /// Whether it may be scanned.
    pub crawling_enabled: Option<bool>,
    /// How often it is scanned.
    pub detection_frequency: Option<DetectionFrequency>,
}

/// Changes a platform. A new domain has to be verified again.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PlatformId,
    changes: Changes,
) -> Result<Platform> {
    app.act(context, Change { caller, id, changes }).await
}

/// Deletes a platform, stops its pod and revokes its PAX. Mentions keep its name.
pub async fn delete(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PlatformId,
) -> Result<()> {
    app.act(context, Delete { caller, id }).await
}

struct Change {
    caller: Arc<Caller>,
    id: PlatformId,
    changes: Changes,
}

impl Act for Change {
    type Permit = Platform;
    type Output = Platform;
    const ACTION: &'static str = "platform.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        let found = platform::claim(unit.tx, self.caller.tenant, self.id)?;
        let platform = manageable(unit.tx, &self.caller, found)?;
        if let Some(team) = self.changes.team {
            check_team(unit, &self.caller, team)?;
        }
        Ok(platform)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut platform: Platform,
    ) -> Result<Done<Platform>> {
        let changes = self.changes.clone();
        let before = platform.clone();
        platform.name = changes.name.unwrap_or(platform.name);
        platform.team = changes.team.or(platform.team);
        platform.kind = changes.kind.unwrap_or(platform.kind);
        platform.description = changes.description.over(platform.description);
        if let Some(domain) = changes.domain {
            platform.move_to(domain, ProofToken::generate(&*unit.app.entropy));
        }
        let feeds = changes.feed_urls.over(Some(platform.feed_urls.as_slice().to_vec()));
        let feeds = FeedUrls::parse(&feeds.unwrap_or_default(), &platform.domain);
        platform.feed_urls = feeds.map_err(|error| Error::field("feedUrls", error))?;
        let settings = &mut platform.settings;
        settings.crawling_enabled = changes.crawling_enabled.unwrap_or(settings.crawling_enabled);
        settings.detection_frequency =
            changes.detection_frequency.unwrap_or(settings.detection_frequency);
        platform.updated_at = unit.now;
        platform::update(unit.tx, &platform).map_err(domain_conflict)?;
        if (&before.feed_urls, before.settings) != (&platform.feed_urls, platform.settings) {
            pod::make_due(unit.tx, platform.id, unit.now)?;
        }
        let resource = resource(&platform);
        let details = json!({
            "domain": platform.domain.as_str(), "status": platform.status().name(),
        });
        let changes = restore::changes(unit, &before, &platform)?;
        let reverse = PlatformReverse::changed(&before, &platform);
        let mut done = Done::new(platform, resource, "A platform was updated");
        done.details = details;
        Ok(done.with_changes(changes).undone_by(reverse))
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: PlatformId,
}

impl Act for Delete {
    type Permit = Platform;
    type Output = ();
    const ACTION: &'static str = "platform.delete";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        let found = platform::claim(unit.tx, self.caller.tenant, self.id)?;
        manageable(unit.tx, &self.caller, found)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, platform: Platform) -> Result<Done<()>> {
        let reverse = PlatformReverse::deleted(unit, &platform)?;
        if let Some(mut listed) = pod::claim_of(unit.tx, platform.id)?
            && listed.pod.apply(PodAction::Stop, unit.now)?
        {
            pod::update(unit.tx, &listed.pod, unit.now)?;
        }
        let revoked = pax::revoke_all(unit.tx, platform.id, unit.now)?;
        scanner_request::delete(unit.tx, platform.id)?;
        platform::delete(unit.tx, platform.id, unit.now)?;
        let mut done = Done::new((), resource(&platform), "A platform was deleted");
        done.details = json!({ "paxRevoked": revoked });
        Ok(match reverse {
            Some(reverse) => done.undone_by(reverse),
            None => done,
        })
    }
}
