//! Scanning on demand: staff make one pod scan now, and a license that starts to be watched makes
//! all pods and the sources of its tenant look for it.

use grantor_domain::id::{PodId, TenantId};
use grantor_domain::limit::LimitState;
use grantor_domain::pod::Blocker;
use grantor_domain::source::SCAN_NOW_EVERY;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::pod::{self, ListedPod};
use grantor_storage::{feed, scan as runs};

use super::{done, not_found};
use crate::act::{Act, Done, UnitOfWork};
use crate::organizations::suspension::require_staff;
use crate::{App, Context};

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
                let message = "A pod can be scanned once a minute; try again later";
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
