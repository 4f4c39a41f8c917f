//! Pods: made by staff for a platform; started, paused and stopped, one or all.

mod charset;
mod document;
mod handover;
mod json_feed;
mod look;
mod page;
mod pages;
mod run;
mod sitemap;
mod visit;
mod xml;

use std::marker::PhantomData;
use std::time::Duration;

use grantor_domain::audit::Resource;
use grantor_domain::id::{PlatformId, PodId};
use grantor_domain::pax::PaxScopes;
use grantor_domain::platform::Platform;
use grantor_domain::pod::{MOST_PODS, Pod, PodMove, PodStatus};
use grantor_domain::scan::{PodRun, SHOWN_RUNS};
use grantor_domain::{Error, ErrorKind, Result};
pub use grantor_storage::pod::ListedPod;
use grantor_storage::{meta, platform, pod, scan as runs};
use serde_json::json;

pub use self::run::{claim, scan};
pub use self::visit::Pace;
use crate::act::{Act, Desk, Done};
use crate::platform::not_found as no_platform;
use crate::suspension::staff;
use crate::{App, Context};

/// Makes a pod, which is stopped.
pub async fn create(
    app: &App,
    context: &Context,
    platform: PlatformId,
    scopes: PaxScopes,
) -> Result<ListedPod> {
    app.act(context, Create { platform, scopes }).await
}

/// Every pod, newest first.
pub async fn list(app: &App) -> Result<Vec<ListedPod>> {
    app.store.read(|tx| Ok(pod::list(tx)?)).await
}

/// One pod.
pub async fn get(app: &App, id: PodId) -> Result<ListedPod> {
    app.store.glance(move |tx| pod::find(tx, id)?.ok_or_else(not_found)).await
}

/// Its last runs, newest first.
pub async fn last_runs(app: &App, id: PodId) -> Result<Vec<PodRun>> {
    app.store.read(move |tx| Ok(runs::list(tx, id, SHOWN_RUNS)?)).await
}

/// How long the pod that is due longest has been due.
pub async fn due_age(app: &App) -> Result<Duration> {
    let due = app.store.read(runs::next_due).await?;
    Ok(due.map_or(Duration::ZERO, |it| app.clock.now().since(it)))
}

/// Scans every pod that is due, one after another. Gives how many there were.
pub async fn scan_due(app: &App, pace: Pace) -> Result<u64> {
    let mut scanned = 0;
    while let Some(claimed) = claim(app).await? {
        scan(app, pace, claimed, std::future::pending()).await?;
        scanned += 1;
    }
    Ok(scanned)
}

/// A move, with its names in the log.
pub trait Verb: Send + Sync + 'static {
    /// The move.
    const MOVE: PodMove;
    /// Its name when one pod is moved.
    const ONE: &'static str;
    /// Its name when all are.
    const ALL: &'static str;
}

/// Lets a pod scan.
pub struct Start;
/// Lets it rest.
pub struct Pause;
/// Lets it do nothing.
pub struct Stop;

impl Verb for Start {
    const MOVE: PodMove = PodMove::Start;
    const ONE: &'static str = "pod.start";
    const ALL: &'static str = "pod.start_all";
}

impl Verb for Pause {
    const MOVE: PodMove = PodMove::Pause;
    const ONE: &'static str = "pod.pause";
    const ALL: &'static str = "pod.pause_all";
}

impl Verb for Stop {
    const MOVE: PodMove = PodMove::Stop;
    const ONE: &'static str = "pod.stop";
    const ALL: &'static str = "pod.stop_all";
}

/// Moves a pod. Where it is there already, nothing changes.
pub async fn make<V: Verb>(app: &App, context: &Context, id: PodId) -> Result<ListedPod> {
    app.act(context, Move { id, by: PhantomData::<V> }).await
}

/// Moves every pod that the move changes; gives how many those were.
pub async fn make_all<V: Verb>(app: &App, context: &Context) -> Result<u64> {
    app.act(context, MoveAll(PhantomData::<V>)).await
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
    type Grant = Platform;
    type Output = ListedPod;
    const ACTION: &'static str = "pod.create";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Platform> {
        staff(desk)?;
        // Held, so that no two make the last one.
        meta::claim(desk.tx, "pods")?;
        if pod::count(desk.tx)? >= MOST_PODS {
            let message = format!("There can be {MOST_PODS} pods; delete a platform that has one");
            return Err(Error::conflict(message));
        }
        // Held, so that a platform that is being deleted leaves none behind.
        platform::claim_anywhere(desk.tx, self.platform)?.ok_or_else(no_platform)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, platform: Platform) -> Result<Done<ListedPod>> {
        let pod = Pod {
            id: desk.ids.next(),
            platform: platform.id,
            scopes: self.scopes.clone(),
            status: PodStatus::Stopped,
            due_at: None,
            last_started_at: None,
            uptime: Duration::ZERO,
            request_count: 0,
            error_count: 0,
            created_at: desk.now,
        };
        pod::insert(desk.tx, &pod).map_err(|error| match error {
            grantor_storage::Error::Unique(name) if name == pod::PLATFORM_HAS_ONE => {
                Error::new(ErrorKind::Exists, "This platform has a pod already").at("platformId")
            }
            other => other.into(),
        })?;
        let listed = ListedPod {
            pod,
            tenant: platform.tenant,
            platform_name: platform.name.as_str().to_owned(),
            verified: platform.proved.is_some(),
            crawling_enabled: platform.settings.crawling_enabled,
        };
        Ok(told(listed, "A pod was made"))
    }
}

/// Belongs to the log of whose platform it is.
fn told(listed: ListedPod, message: &'static str) -> Done<ListedPod> {
    let (resource, tenant) = (resource(&listed), listed.tenant);
    let mut done = Done::new(listed, resource, message);
    done.tenant = Some(tenant);
    done
}

struct Move<V> {
    id: PodId,
    by: PhantomData<V>,
}

impl<V: Verb> Act for Move<V> {
    type Grant = ListedPod;
    type Output = ListedPod;
    const ACTION: &'static str = V::ONE;

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<ListedPod> {
        staff(desk)?;
        pod::claim(desk.tx, self.id)?.ok_or_else(not_found)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut listed: ListedPod) -> Result<Done<ListedPod>> {
        if !listed.pod.make(V::MOVE, desk.now)? {
            return Ok(told(listed, "A pod was there already"));
        }
        pod::update(desk.tx, &listed.pod, desk.now)?;
        Ok(told(listed, "A pod was moved"))
    }
}

struct MoveAll<V>(PhantomData<V>);

impl<V: Verb> Act for MoveAll<V> {
    type Grant = ();
    type Output = u64;
    const ACTION: &'static str = V::ALL;

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<()> {
        staff(desk)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, (): ()) -> Result<Done<u64>> {
        let moved = pod::move_all(desk.tx, V::MOVE, desk.now)?;
        let resource = Resource { kind: "pod", id: None, name: None };
        let mut done = Done::new(moved, resource, "Pods were moved");
        done.details = json!({ "moved": moved });
        Ok(done)
    }
}
