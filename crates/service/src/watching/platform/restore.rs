//! Taking back that a platform was changed or deleted.

use grantor_domain::id::{PaxId, PlatformId, TeamId};
use grantor_domain::platform::{
    DetectionFrequency, FeedUrls, Platform, PlatformDescription, PlatformDomain, PlatformName,
    PlatformSettings, PlatformType, ProofToken, Proved, VerificationMethod,
};
use grantor_domain::pod::PodStatus;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{pax, platform, pod, scanner_request, team};
use serde::{Deserialize, Serialize};

use super::{check_team, domain_conflict, manageable, may_manage, not_found, resource};
use crate::act::{Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::log::change::FieldChanges;
use crate::undo::{Reverse, changed_since, stored};
use crate::watching::pod::bring_to;

/// What takes back an act on a platform.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) enum PlatformReverse {
    /// Gives it the values that it had, if nobody changed it since.
    Changed(Box<PlatformValues>),
    /// Restores a deleted platform.
    Deleted(DeletedPlatform),
}

/// What people set of a platform, and the proof of its domain.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct PlatformValues {
    id: PlatformId,
    team: Option<TeamId>,
    name: PlatformName,
    kind: String,
    domain: String,
    description: Option<PlatformDescription>,
    feed_urls: Vec<String>,
    crawling_enabled: bool,
    detection_frequency: String,
    token: String,
    proved: Option<(String, Timestamp)>,
    /// When the change was made.
    at: Timestamp,
}

/// What ended with a platform.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct DeletedPlatform {
    id: PlatformId,
    team: Option<TeamId>,
    /// The status of its scanner.
    scanner: Option<String>,
    /// The ingest keys that were revoked.
    keys: Vec<PaxId>,
    /// When a scanner was requested.
    requested_at: Option<Timestamp>,
}

impl PlatformValues {
    fn over(self, platform: &Platform) -> Result<Platform> {
        let domain = stored(PlatformDomain::parse(&self.domain))?;
        let missing = || Error::internal("a stored undo is invalid: the proof of a domain");
        let proved = match self.proved {
            Some((method, at)) => {
                Some(Proved { method: stored(method.parse::<VerificationMethod>())?, at })
            }
            None => None,
        };
        Ok(Platform {
            team: self.team,
            name: self.name,
            kind: stored(self.kind.parse::<PlatformType>())?,
            feed_urls: stored(FeedUrls::parse(&self.feed_urls, &domain))?,
            domain,
            description: self.description,
            settings: PlatformSettings {
                crawling_enabled: self.crawling_enabled,
                detection_frequency: stored(
                    self.detection_frequency.parse::<DetectionFrequency>(),
                )?,
            },
            token: ProofToken::parse(&self.token).ok_or_else(missing)?,
            proved,
            ..platform.clone()
        })
    }
}

impl PlatformReverse {
    /// What takes back a change.
    pub(super) fn changed(before: &Platform, after: &Platform) -> Reverse {
        Reverse::Platform(Self::Changed(Box::new(PlatformValues {
            id: before.id,
            team: before.team,
            name: before.name.clone(),
            kind: before.kind.name().to_owned(),
            domain: before.domain.as_str().to_owned(),
            description: before.description.clone(),
            feed_urls: before.feed_urls.as_slice().to_vec(),
            crawling_enabled: before.settings.crawling_enabled,
            detection_frequency: before.settings.detection_frequency.name().to_owned(),
            token: before.token.as_str().to_owned(),
            proved: before.proved.map(|it| (it.method.name().to_owned(), it.at)),
            at: after.updated_at,
        })))
    }

    /// What takes back the deletion of a platform that is about to be deleted, if that can be.
    pub(super) fn deleted(
        unit: &mut UnitOfWork<'_, '_>,
        platform: &Platform,
    ) -> Result<Option<Reverse>> {
        if !unit.undoable {
            return Ok(None);
        }
        let scanner = pod::find_of(unit.tx, platform.id)?;
        Ok(Some(Reverse::Platform(Self::Deleted(DeletedPlatform {
            id: platform.id,
            team: platform.team,
            scanner: scanner.map(|it| it.pod.status.name().to_owned()),
            keys: pax::list_active_of(unit.tx, platform.id)?,
            requested_at: scanner_request::find(unit.tx, platform.id)?,
        }))))
    }

    /// Takes the act back.
    pub(crate) fn run(self, unit: &mut UnitOfWork<'_, '_>, caller: &Caller) -> Result<Done<()>> {
        match self {
            Self::Changed(values) => take_back(unit, caller, *values),
            Self::Deleted(deleted) => restore(unit, caller, &deleted),
        }
    }
}

fn take_back(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    values: PlatformValues,
) -> Result<Done<()>> {
    let found = platform::claim(unit.tx, caller.tenant, values.id)?;
    let before = manageable(unit.tx, caller, found)?;
    if before.updated_at != values.at {
        return Err(changed_since());
    }
    if let Some(team) = values.team.filter(|_| values.team != before.team) {
        check_team(unit, caller, team)?;
    }
    let mut platform = values.over(&before)?;
    platform.updated_at = unit.now;
    platform::update(unit.tx, &platform).map_err(domain_conflict)?;
    if (&before.feed_urls, before.settings) != (&platform.feed_urls, platform.settings) {
        pod::make_due(unit.tx, platform.id, unit.now)?;
    }
    let changes = changes(unit, &before, &platform)?;
    let done = Done::new((), resource(&platform), "A change of a platform was undone");
    Ok(done.with_changes(changes))
}

fn restore(
    unit: &mut UnitOfWork<'_, '_>,
    caller: &Caller,
    deleted: &DeletedPlatform,
) -> Result<Done<()>> {
    may_manage(unit.tx, caller, deleted.team)?;
    let restored = platform::restore(unit.tx, (caller.tenant, deleted.id), unit.now);
    if !restored.map_err(domain_conflict)? {
        return Err(not_found());
    }
    for id in &deleted.keys {
        pax::restore(unit.tx, deleted.id, *id, unit.now)?;
    }
    if let Some(at) = deleted.requested_at {
        scanner_request::insert(unit.tx, deleted.id, at)?;
    }
    if let Some(status) = &deleted.scanner
        && let Some(mut listed) = pod::claim_of(unit.tx, deleted.id)?
    {
        bring_to(unit, &mut listed, stored(status.parse::<PodStatus>())?)?;
    }
    let platform = platform::find(unit.tx, caller.tenant, deleted.id)?.ok_or_else(not_found)?;
    Ok(Done::new((), resource(&platform), "A deleted platform was restored"))
}

/// The old and new values of a platform, with the names of its teams.
pub(super) fn changes(
    unit: &mut UnitOfWork<'_, '_>,
    before: &Platform,
    after: &Platform,
) -> Result<FieldChanges> {
    let description = |it: &Platform| it.description.as_ref().map(|it| it.as_str().to_owned());
    let feeds = |it: &Platform| it.feed_urls.as_slice().join(", ");
    let frequency = |it: &Platform| it.settings.detection_frequency.name();
    let changes = FieldChanges::default()
        .field("name", before.name.as_str(), after.name.as_str())
        .field("type", before.kind.name(), after.kind.name())
        .field("domain", before.domain.as_str(), after.domain.as_str())
        .field("description", description(before), description(after))
        .field("feedUrls", feeds(before), feeds(after))
        .field("crawling", before.settings.crawling_enabled, after.settings.crawling_enabled)
        .field("frequency", frequency(before), frequency(after))
        .field("status", before.status().name(), after.status().name());
    if before.team == after.team {
        return Ok(changes);
    }
    let (old, new) = (team_name(unit, before)?, team_name(unit, after)?);
    Ok(changes.field("team", old, new))
}

fn team_name(unit: &mut UnitOfWork<'_, '_>, platform: &Platform) -> Result<Option<String>> {
    let Some(id) = platform.team else { return Ok(None) };
    Ok(team::find(unit.tx, platform.tenant, id, unit.now)?.map(|it| it.name))
}
