//! Changing and deleting platforms.

use std::sync::Arc;

use grantor_domain::id::{PlatformId, TeamId};
use grantor_domain::patch::Patch;
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, Platform, PlatformDescription, PlatformDomain, PlatformName,
    PlatformType, ProofToken,
};
use grantor_domain::pod::PodMove;
use grantor_domain::{Error, Result};
use grantor_storage::{pax, platform, pod};
use serde_json::json;

use super::{check_team, domain_conflict, manageable, resource};
use crate::access::Caller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// What shall change; what is not given stays.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Another name.
    pub name: Option<PlatformName>,
    /// Another team.
    pub team: Option<TeamId>,
    /// Another kind.
    pub kind: Option<PlatformType>,
    /// Another domain, which is to be proved.
    pub domain: Option<PlatformDomain>,
    /// Another text, or none.
    pub description: Patch<PlatformDescription>,
    /// Other feeds, or none; they are read when the domain is known.
    pub feed_urls: Patch<Vec<String>>,
    /// Whether it may be scanned.
    pub crawling_enabled: Option<bool>,
    /// How often.
    pub detection_frequency: Option<DetectionFrequency>,
}

/// Changes a platform. Another domain must be proved anew.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PlatformId,
    changes: Changes,
) -> Result<Platform> {
    app.act(context, Change { caller, id, changes }).await
}

/// Deletes a platform: its pod stops, its PAX are revoked, mentions keep its name.
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
    type Grant = Platform;
    type Output = Platform;
    const ACTION: &'static str = "platform.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Platform> {
        let found = platform::claim(desk.tx, self.caller.tenant, self.id)?;
        let platform = manageable(desk.tx, &self.caller, found)?;
        if let Some(team) = self.changes.team {
            check_team(desk, &self.caller, team)?;
        }
        Ok(platform)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut platform: Platform) -> Result<Done<Platform>> {
        let changes = self.changes.clone();
        let scanned = (platform.feed_urls.clone(), platform.settings);
        platform.name = changes.name.unwrap_or(platform.name);
        platform.team = changes.team.or(platform.team);
        platform.kind = changes.kind.unwrap_or(platform.kind);
        platform.description = changes.description.over(platform.description);
        if let Some(domain) = changes.domain {
            platform.move_to(domain, ProofToken::generate(&*desk.app.entropy));
        }
        let feeds = changes.feed_urls.over(Some(platform.feed_urls.as_slice().to_vec()));
        let feeds = FeedUrls::parse(&feeds.unwrap_or_default(), &platform.domain);
        platform.feed_urls = feeds.map_err(|error| Error::field("feedUrls", error))?;
        let settings = &mut platform.settings;
        settings.crawling_enabled = changes.crawling_enabled.unwrap_or(settings.crawling_enabled);
        settings.detection_frequency =
            changes.detection_frequency.unwrap_or(settings.detection_frequency);
        platform.updated_at = desk.now;
        platform::update(desk.tx, &platform).map_err(domain_conflict)?;
        if scanned != (platform.feed_urls.clone(), platform.settings) {
            pod::hurry(desk.tx, platform.id, desk.now)?;
        }
        let resource = resource(&platform);
        let details = json!({
            "domain": platform.domain.as_str(), "status": platform.status().name(),
        });
        let mut done = Done::new(platform, resource, "A platform was changed");
        done.details = details;
        Ok(done)
    }
}

struct Delete {
    caller: Arc<Caller>,
    id: PlatformId,
}

impl Act for Delete {
    type Grant = Platform;
    type Output = ();
    const ACTION: &'static str = "platform.delete";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Platform> {
        let found = platform::claim(desk.tx, self.caller.tenant, self.id)?;
        manageable(desk.tx, &self.caller, found)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, platform: Platform) -> Result<Done<()>> {
        if let Some(mut listed) = pod::claim_of(desk.tx, platform.id)?
            && listed.pod.make(PodMove::Stop, desk.now)?
        {
            pod::update(desk.tx, &listed.pod, desk.now)?;
        }
        let revoked = pax::revoke_all(desk.tx, platform.id, desk.now)?;
        platform::delete(desk.tx, platform.id, desk.now)?;
        let mut done = Done::new((), resource(&platform), "A platform was deleted");
        done.details = json!({ "paxRevoked": revoked });
        Ok(done)
    }
}
