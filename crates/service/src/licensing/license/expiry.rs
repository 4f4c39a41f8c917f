//! Expiry of licenses. Responses show an expired license as expired right away; this stores the
//! status and emits the event, once.

use grantor_domain::event::EventType;
use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseStatus;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::{self, LicenseRecord};

use super::{Indexed, license_event, not_found, resource, save};
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// The batch size.
const AT_ONCE: u32 = 200;

/// Stores the status of all licenses that have expired and returns their number.
pub async fn expire(app: &App, context: &Context) -> Result<u64> {
    let mut ended = 0;
    loop {
        let now = app.clock.now();
        let found = app.store.read(move |tx| license::list_expired(tx, now, AT_ONCE)).await;
        let found = found.map_err(Error::from)?;
        for id in &found {
            match app.act(context, Expire { id: *id }).await {
                Ok(()) => ended += 1,
                // Another node or the owner was first.
                Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::NotFound) => {
                }
                Err(error) => return Err(error),
            }
        }
        if found.len() < AT_ONCE as usize {
            return Ok(ended);
        }
    }
}

struct Expire {
    id: LicenseId,
}

impl Act for Expire {
    type Permit = LicenseRecord;
    type Output = ();
    const ACTION: &'static str = "license.expire";

    /// Runs on the schedule of every node; only the first node stores the status.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<LicenseRecord> {
        let shown = license::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        let (stored, current) = (shown.license.status, shown.license.effective_status(unit.now));
        if stored == current {
            return Err(Error::conflict("The license has not expired"));
        }
        Ok(shown)
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        mut shown: LicenseRecord,
    ) -> Result<Done<()>> {
        let license = &mut shown.license;
        license.status = LicenseStatus::Expired;
        license.version = license.version.saturating_add(1);
        license.updated_at = unit.now;
        let holders = save(unit, license, Indexed::Unchanged)?;
        let event = license_event(unit, EventType::LicenseExpired, &shown, &holders, None)?;
        let license = &shown.license;
        let mut done = Done::new((), resource(license), "A license expired").with_event(event);
        done.tenant = Some(license.tenant);
        Ok(done.for_license(license.id))
    }
}
