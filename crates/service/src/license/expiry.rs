//! Licenses that end by time. Every answer shows the end at once; here it is written down and told,
//! once.

use grantor_domain::event::EventType;
use grantor_domain::id::LicenseId;
use grantor_domain::license::LicenseStatus;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::license::{self, Shown};

use super::{FoundBy, not_found, resource, save, tell};
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// How many one look takes.
const AT_ONCE: u32 = 200;

/// Notes the end of every license whose time is up; gives how many.
pub async fn expire(app: &App, context: &Context) -> Result<u64> {
    let mut ended = 0;
    loop {
        let now = app.clock.now();
        let found = app.store.read(move |tx| license::list_lapsed(tx, now, AT_ONCE)).await;
        let found = found.map_err(Error::from)?;
        for id in &found {
            match app.act(context, Expire { id: *id }).await {
                Ok(()) => ended += 1,
                // Another node was first, or its owner.
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
    type Grant = Shown;
    type Output = ();
    const ACTION: &'static str = "license.expire";

    /// Only the timetable calls this, on every node that works: the first one notes and tells.
    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Shown> {
        let shown = license::claim(desk.tx, self.id)?.ok_or_else(not_found)?;
        let (stored, holds) = (shown.license.status, shown.license.effective_status(desk.now));
        if stored == holds {
            return Err(Error::conflict("The license has not ended by time"));
        }
        Ok(shown)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut shown: Shown) -> Result<Done<()>> {
        let license = &mut shown.license;
        license.status = LicenseStatus::Expired;
        license.version = license.version.saturating_add(1);
        license.updated_at = desk.now;
        let holders = save(desk, license, FoundBy::Same)?;
        let told = tell(desk, EventType::LicenseExpired, &shown, &holders, None)?;
        let license = &shown.license;
        let mut done = Done::new((), resource(license), "A license ended by time").tell(told);
        done.tenant = Some(license.tenant);
        Ok(done.about(license.id))
    }
}
