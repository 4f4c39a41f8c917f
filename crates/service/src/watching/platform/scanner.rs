//! The scanner of a platform as its organization sees it. Staff create scanners; where there is
//! none, the organization asks staff for one.

use std::sync::Arc;

use grantor_domain::id::PlatformId;
use grantor_domain::platform::Platform;
use grantor_domain::scan::PodRun;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::pod::ListedPod;
pub use grantor_storage::scanner_request::WaitingPlatform;
use grantor_storage::{platform, pod, scan as runs, scanner_request};

use super::{manageable, not_found, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::Caller;
use crate::{App, Context, notices};

/// How many waiting platforms staff see at once.
pub const MAX_WAITING: u32 = 100;

/// Whether a platform has a scanner, and what the scanner did last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScannerState {
    /// The scanner, if there is one.
    pub pod: Option<ListedPod>,
    /// The scanner's last run.
    pub last_run: Option<PodRun>,
    /// When the organization asked for a scanner, while there is none.
    pub requested_at: Option<Timestamp>,
}

/// Returns the state of the scanner of one of the organization's platforms.
pub async fn scanner(app: &App, caller: &Caller, id: PlatformId) -> Result<ScannerState> {
    let tenant = caller.tenant;
    app.store
        .lookup(move |tx| {
            platform::find(tx, tenant, id)?.ok_or_else(not_found)?;
            let pod = pod::find_of(tx, id)?;
            let last_run = match &pod {
                Some(listed) => runs::list(tx, listed.pod.id, 1)?.pop(),
                None => None,
            };
            let requested_at = scanner_request::find(tx, id)?;
            Ok(ScannerState { pod, last_run, requested_at })
        })
        .await
}

/// Asks staff for a scanner of a platform. Returns false if somebody has already asked.
pub async fn ask_scanner(
    app: &App,
    context: &Context,
    caller: Arc<Caller>,
    id: PlatformId,
) -> Result<bool> {
    app.act(context, AskScanner { caller, id }).await
}

/// Lists the platforms that wait for a scanner, longest first, up to [`MAX_WAITING`].
pub async fn waiting(app: &App) -> Result<Vec<WaitingPlatform>> {
    app.store.read(|tx| Ok(scanner_request::list(tx, MAX_WAITING)?)).await
}

struct AskScanner {
    caller: Arc<Caller>,
    id: PlatformId,
}

impl Act for AskScanner {
    type Permit = Platform;
    type Output = bool;
    const ACTION: &'static str = "platform.ask_scanner";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Platform> {
        // Locked, so that no scanner is created at the same time.
        let found = platform::claim(unit.tx, self.caller.tenant, self.id)?;
        let platform = manageable(unit.tx, &self.caller, found)?;
        if platform.proved.is_none() {
            return Err(Error::conflict("Verify the platform's domain first"));
        }
        if pod::find_of(unit.tx, platform.id)?.is_some() {
            return Err(Error::conflict("This platform already has a scanner"));
        }
        Ok(platform)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, platform: Platform) -> Result<Done<bool>> {
        let is_new = scanner_request::insert(unit.tx, platform.id, unit.now)?;
        if is_new {
            notices::platform_waits(unit, &platform)?;
        }
        let message =
            if is_new { "A scanner was requested" } else { "A scanner had already been requested" };
        Ok(Done::new(is_new, resource(&platform), message))
    }
}
