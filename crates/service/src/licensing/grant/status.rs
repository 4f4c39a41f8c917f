//! Grants that start and end with time. Responses show the current status right away; this stores
//! it, updates who sees the license and emits the event, once.

use grantor_domain::event::EventType;
use grantor_domain::grant::GrantStatus;
use grantor_domain::id::GrantId;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::grant::{self, GrantRecord};
use grantor_storage::license;

use super::{grant_event, not_found, refresh_reader, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::{App, Context};

/// The batch size.
const AT_ONCE: u32 = 200;

/// Stores the status of all grants that have started or ended and returns their number.
pub async fn advance(app: &App, context: &Context) -> Result<u64> {
    let mut changed = 0;
    loop {
        let now = app.clock.now();
        let found = app.store.read(move |tx| grant::list_due(tx, now, AT_ONCE)).await;
        let found = found.map_err(Error::from)?;
        for id in &found {
            match app.act(context, Advance { id: *id }).await {
                Ok(()) => changed += 1,
                // Another node or the licensor was first.
                Err(error) if matches!(error.kind(), ErrorKind::Conflict | ErrorKind::NotFound) => {
                }
                Err(error) => return Err(error),
            }
        }
        if found.len() < AT_ONCE as usize {
            return Ok(changed);
        }
    }
}

struct Advance {
    id: GrantId,
}

impl Act for Advance {
    type Permit = (GrantRecord, GrantStatus);
    type Output = ();
    const ACTION: &'static str = "grant.advance";

    /// Runs on the schedule of every node; only the first node stores the status.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let found = grant::find(unit.tx, self.id)?.ok_or_else(not_found)?;
        license::lock(unit.tx, found.grant.license)?;
        let record = grant::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        let current = record.grant.status_at(unit.now);
        if current == record.grant.status {
            return Err(Error::conflict("The status of the grant is up to date"));
        }
        Ok((record, current))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (mut record, status): Self::Permit,
    ) -> Result<Done<()>> {
        grant::set_status(unit.tx, &record.grant, status)?;
        if let Some(found) = license::find(unit.tx, record.grant.license)? {
            refresh_reader(unit, &found.license, record.grant.licensee)?;
        }
        record.grant.status = status;
        let message = format!("Grant {} is now {status}", record.grant.number);
        let mut done = Done::new((), resource(&record), message);
        done.tenant = Some(record.grant.licensor);
        if status == GrantStatus::Ended {
            done = done.with_event(grant_event(unit, EventType::GrantEnded, &record));
        }
        Ok(done.for_license(record.grant.license))
    }
}
