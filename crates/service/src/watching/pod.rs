//! Pods (scanners): staff create them for platforms, start, pause and stop one or all of them, and
//! make one scan now.

mod restore;

use std::marker::PhantomData;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::id::{PlatformId, PodId, TenantId};
use grantor_domain::limit::LimitState;
use grantor_domain::pax::PaxScopes;
use grantor_domain::platform::Platform;
use grantor_domain::pod::{Blocker, MAX_PODS, Pod, PodAction, PodStatus};
use grantor_domain::scan::{PodRun, SHOWN_RUNS};
use grantor_domain::source::SCAN_NOW_EVERY;
use grantor_domain::wait::in_seconds;
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::pod::ListedPod;
pub use grantor_storage::scan::Claimed;
use grantor_storage::{feed, meta, platform, pod, scan as runs, scanner_request};
use serde_json::json;

pub(crate) use self::restore::{PodReverse, bring_to};
use crate::act::{Act, Done, UnitOfWork};
use crate::log::change::FieldChanges;
use crate::notices;
use crate::organizations::suspension::require_staff;
use crate::watching::platform::not_found as no_platform;
pub use crate::watching::scan::{Pace, claim, scan};
use crate::{App, Context};

/// Creates a stopped pod.
pub async fn create(
    app: &App,
    context: &Context,
    platform: PlatformId,
    scopes: PaxScopes,
) -> Result<ListedPod> {
    app.act(context, Create { platform, scopes }).await
}

/// Lists all pods, newest first.
pub async fn list(app: &App) -> Result<Vec<ListedPod>> {
    app.store.read(|tx| Ok(pod::list(tx)?)).await
}

/// Returns one pod.
pub async fn get(app: &App, id: PodId) -> Result<ListedPod> {
    app.store.lookup(move |tx| pod::find(tx, id)?.ok_or_else(not_found)).await
}

/// Lists a pod's last runs, newest first.
pub async fn last_runs(app: &App, id: PodId) -> Result<Vec<PodRun>> {
    app.store.read(move |tx| Ok(runs::list(tx, id, SHOWN_RUNS)?)).await
}

/// Scans every due pod, one after another, and returns how many there were.
pub async fn scan_due(app: &App, pace: Pace) -> Result<u64> {
    let mut scanned = 0;
    while let Some(claimed) = claim(app).await? {
        scan(app, pace, claimed, std::future::pending()).await?;
        scanned += 1;
    }
    Ok(scanned)
}

/// A command to a pod, with its audit actions.
pub trait Command: Send + Sync + 'static {
    /// What the command does.
    const MOVE: PodAction;
    /// The audit action for one pod.
    const ACTION: &'static str;
    /// The audit action for all pods.
    const ACTION_ALL: &'static str;
}

/// Starts a pod.
pub struct Start;
/// Pauses a pod.
pub struct Pause;
/// Stops a pod.
pub struct Stop;

impl Command for Start {
    const MOVE: PodAction = PodAction::Start;
    const ACTION: &'static str = "pod.start";
    const ACTION_ALL: &'static str = "pod.start_all";
}

impl Command for Pause {
    const MOVE: PodAction = PodAction::Pause;
    const ACTION: &'static str = "pod.pause";
    const ACTION_ALL: &'static str = "pod.pause_all";
}

impl Command for Stop {
    const MOVE: PodAction = PodAction::Stop;
    const ACTION: &'static str = "pod.stop";
    const ACTION_ALL: &'static str = "pod.stop_all";
}

/// Applies a command to a pod. Nothing changes if the pod already has the resulting status.
pub async fn apply<V: Command>(app: &App, context: &Context, id: PodId) -> Result<ListedPod> {
    app.act(context, Apply { id, command: PhantomData::<V> }).await
}

/// Applies a command to every pod and returns how many changed.
pub async fn apply_all<V: Command>(app: &App, context: &Context) -> Result<u64> {
    app.act(context, ApplyAll(PhantomData::<V>)).await
}

/// Makes a pod scan within seconds, at most once a minute.
pub async fn scan_now(app: &App, context: &Context, id: PodId) -> Result<ListedPod> {
    app.act(context, ScanNow { id }).await
}

/// Makes all running pods and the tenant's sources look at once, because a license of the tenant
/// started to be watched. Nothing is scanned twice within a minute.
pub(crate) fn look_at_once(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId) -> Result<()> {
    let bounds = (unit.now.minus(SCAN_NOW_EVERY), unit.now.plus(SCAN_NOW_EVERY));
    pod::make_all_due(unit.tx, unit.now, bounds)?;
    feed::make_due_for(unit.tx, tenant, unit.now, bounds)?;
    Ok(())
}

fn not_found() -> Error {
    Error::not_found("Pod")
}

fn resource(listed: &ListedPod) -> Resource {
    let name = Some(listed.platform_name.clone());
    Resource { kind: "pod", id: Some(listed.pod.id.to_string()), name }
}

struct Create {
    platform: PlatformId,
    scopes: PaxScopes,
}

impl Act for Create {
    type Permit = Platform;
    type Output = ListedPod;
    const ACTION: &'static str = "pod.create";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        require_staff(unit)?;
        // Locked, so that concurrent requests cannot exceed the maximum.
        meta::claim(unit.tx, "pods")?;
        if pod::count(unit.tx)? >= MAX_PODS {
            let message =
                format!("There can be at most {MAX_PODS} pods; delete a platform that has one");
            return Err(Error::conflict(message));
        }
        // Locked, so that no pod is added to a platform that is being deleted.
        platform::claim_anywhere(unit.tx, self.platform)?.ok_or_else(no_platform)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        platform: Platform,
    ) -> Result<Done<ListedPod>> {
        let pod = Pod {
            id: unit.ids.next(),
            platform: platform.id,
            scopes: self.scopes.clone(),
            status: PodStatus::Stopped,
            due_at: None,
            last_started_at: None,
            uptime: Duration::ZERO,
            request_count: 0,
            error_count: 0,
            created_at: unit.now,
        };
        pod::insert(unit.tx, &pod).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == pod::PLATFORM_HAS_POD => {
                Error::new(ErrorKind::Exists, "This platform already has a pod").at("platformId")
            }
            other => other.into(),
        })?;
        // The platform no longer waits for one.
        scanner_request::delete(unit.tx, platform.id)?;
        notices::scanner_created(unit, platform.id)?;
        let listed = ListedPod {
            pod,
            tenant: platform.tenant,
            platform_name: platform.name.as_str().to_owned(),
            verified: platform.proved.is_some(),
            crawling_enabled: platform.settings.crawling_enabled,
            has_feeds: !platform.feed_urls.as_slice().is_empty(),
        };
        Ok(done(listed, "A scanner was created"))
    }
}

/// Logged in the audit log of the platform's tenant.
fn done(listed: ListedPod, message: &'static str) -> Done<ListedPod> {
    let (resource, tenant) = (resource(&listed), listed.tenant);
    let mut done = Done::new(listed, resource, message);
    done.tenant = Some(tenant);
    done
}

/// Tells the platform's organization that its scanner was stopped.
fn tell_stopped(unit: &mut UnitOfWork<'_, '_>, listed: &ListedPod) -> Result<()> {
    let ListedPod { pod, tenant, platform_name, .. } = listed;
    notices::scanner_stopped(unit, *tenant, pod.platform, platform_name)
}

struct Apply<V> {
    id: PodId,
    command: PhantomData<V>,
}

impl<V: Command> Act for Apply<V> {
    type Permit = ListedPod;
    type Output = ListedPod;
    const ACTION: &'static str = V::ACTION;

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedPod> {
        require_staff(unit)?;
        pod::claim(unit.tx, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut listed: ListedPod,
    ) -> Result<Done<ListedPod>> {
        let before = listed.pod.status;
        if !listed.pod.apply(V::MOVE, unit.now)? {
            return Ok(done(listed, "A scanner already had this status"));
        }
        pod::update(unit.tx, &listed.pod, unit.now)?;
        if V::MOVE == PodAction::Stop {
            tell_stopped(unit, &listed)?;
        }
        let (id, after) = (listed.pod.id, listed.pod.status);
        let changes = FieldChanges::default().field("status", before.name(), after.name());
        let done = done(listed, "A scanner's status was updated").with_changes(changes);
        Ok(done.undone_by(PodReverse::of(id, before, after)))
    }
}

struct ApplyAll<V>(PhantomData<V>);

impl<V: Command> Act for ApplyAll<V> {
    type Permit = ();
    type Output = u64;
    const ACTION: &'static str = V::ACTION_ALL;

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<()> {
        require_staff(unit)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, (): ()) -> Result<Done<u64>> {
        if V::MOVE == PodAction::Stop {
            let all = pod::list(unit.tx)?;
            for listed in all.iter().filter(|it| it.pod.status != PodStatus::Stopped) {
                tell_stopped(unit, listed)?;
            }
        }
        let moved = pod::move_all(unit.tx, V::MOVE, unit.now)?;
        let resource = Resource { kind: "pod", id: None, name: None };
        let mut done = Done::new(moved, resource, "The status of several scanners was updated");
        done.details = json!({ "moved": moved });
        Ok(done)
    }
}

struct ScanNow {
    id: PodId,
}

impl Act for ScanNow {
    type Permit = ListedPod;
    type Output = ListedPod;
    const ACTION: &'static str = "pod.scan";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<ListedPod> {
        require_staff(unit)?;
        let listed = pod::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        let blockers = listed.pod.blockers(listed.verified, listed.crawling_enabled);
        if let Some(blocker) = blockers.first() {
            return Err(Error::conflict(reason(*blocker)));
        }
        let last = runs::list(unit.tx, self.id, 1)?.pop();
        match last.map(|it| it.started_at.plus(SCAN_NOW_EVERY)) {
            Some(resets_at) if resets_at > unit.now => {
                let resets_in = resets_at.since(unit.now);
                let state = LimitState { limit: 1, remaining: 0, resets_at, resets_in };
                let wait = in_seconds(resets_in);
                let message = format!("A pod can be scanned once a minute. Try again in {wait}");
                Err(Error::new(ErrorKind::RateLimited(state), message))
            }
            _ => Ok(listed),
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut listed: ListedPod,
    ) -> Result<Done<ListedPod>> {
        pod::make_due(unit.tx, listed.pod.platform, unit.now)?;
        listed.pod.due_at = listed.pod.due_at.map(|it| it.min(unit.now));
        Ok(done(listed, "A scan was requested"))
    }
}

/// Why a pod that has this blocker cannot scan.
fn reason(blocker: Blocker) -> &'static str {
    match blocker {
        Blocker::NotRunning => "The pod is not running; start it first",
        Blocker::NoCrawlScope => "The pod lacks the crawl scope",
        Blocker::NotVerified => "The platform's domain is not verified",
        Blocker::CrawlingDisabled => "Crawling is turned off for the platform",
    }
}
