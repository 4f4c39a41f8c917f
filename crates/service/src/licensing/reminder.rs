//! Reminders that a license or grant ends in 30 days, 7 days or 1 day, each given once.

use grantor_domain::event::{EventType, NewEvent};
use grantor_domain::grant::GrantStatus;
use grantor_domain::id::{GrantId, LicenseId};
use grantor_domain::reminder::{current, next};
use grantor_domain::{Error, ErrorKind, Result, Timestamp};
use grantor_storage::grant::{self, GrantRecord};
use grantor_storage::license::{self, LicenseRecord};
use serde_json::json;

use crate::act::{Act, Done, UnitOfWork};
use crate::licensing::grant::{grant_event, resource as grant_resource};
use crate::licensing::license::resource as license_resource;
use crate::licensing::notice;
use crate::notices;
use crate::webhooks::event;
use crate::{App, Context};

/// The batch size.
const AT_ONCE: u32 = 200;

/// Gives all reminders that are due and returns their number.
pub async fn send(app: &App, context: &Context) -> Result<u64> {
    let mut sent = 0;
    loop {
        let now = app.clock.now();
        let found = app.store.read(move |tx| {
            let grants = grant::list_reminders(tx, now, AT_ONCE)?;
            Ok::<_, Error>((grants, license::list_reminders(tx, now, AT_ONCE)?))
        });
        let (grants, licenses) = found.await?;
        for (id, due) in &grants {
            sent += given(app.act(context, RemindOfGrant { id: *id, due: *due }).await)?;
        }
        for (id, due) in &licenses {
            sent += given(app.act(context, RemindOfLicense { id: *id, due: *due }).await)?;
        }
        if grants.len().max(licenses.len()) < AT_ONCE as usize {
            return Ok(sent);
        }
    }
}

/// Counts a reminder, unless another node was first.
fn given(outcome: Result<()>) -> Result<u64> {
    match outcome {
        Ok(()) => Ok(1),
        Err(error) if *error.kind() == ErrorKind::Conflict => Ok(0),
        Err(error) => Err(error),
    }
}

fn taken() -> Error {
    Error::conflict("The reminder was given already")
}

struct RemindOfGrant {
    id: GrantId,
    due: Timestamp,
}

impl Act for RemindOfGrant {
    type Permit = (GrantRecord, Timestamp);
    type Output = ();
    const ACTION: &'static str = "grant.remind";

    /// Runs on the schedule of every node; only the first node gives the reminder.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let record = grant::claim(unit.tx, self.id)?.ok_or_else(taken)?;
        if record.grant.status == GrantStatus::Revoked {
            return Err(taken());
        }
        let end = record.grant.terms.coverage.ends_at.ok_or_else(taken)?;
        Ok((record, end))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (record, end): Self::Permit,
    ) -> Result<Done<()>> {
        if !grant::take_reminder(unit.tx, self.id, self.due, next(Some(end), unit.now))? {
            return Err(taken());
        }
        let message = format!("Grant {} ends soon", record.grant.number);
        let mut done = Done::new((), grant_resource(&record), message);
        done.tenant = Some(record.grant.licensor);
        if let Some(days) = current(end, unit.now) {
            notice::grant_expiring(unit, &record, days, end)?;
            let mut event = grant_event(unit, EventType::GrantExpiring, &record);
            event.data["days"] = json!(days);
            done = done.with_event(event);
        }
        Ok(done.for_license(record.grant.license))
    }
}

struct RemindOfLicense {
    id: LicenseId,
    due: Timestamp,
}

impl Act for RemindOfLicense {
    type Permit = (LicenseRecord, Timestamp);
    type Output = ();
    const ACTION: &'static str = "license.remind";

    /// Runs on the schedule of every node; only the first node gives the reminder.
    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Self::Permit> {
        let shown = license::claim(unit.tx, self.id)?.ok_or_else(taken)?;
        let end = shown.license.expires_at.ok_or_else(taken)?;
        Ok((shown, end))
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        (shown, end): Self::Permit,
    ) -> Result<Done<()>> {
        if !license::take_reminder(unit.tx, self.id, self.due, next(Some(end), unit.now))? {
            return Err(taken());
        }
        let license = &shown.license;
        let resource = license_resource(license);
        let mut done = Done::new((), resource, "A license expires soon");
        done.tenant = Some(license.tenant);
        let Some(days) = current(end, unit.now) else { return Ok(done.for_license(license.id)) };
        notices::license_expiring(unit, &shown, days, end)?;
        let event = NewEvent {
            kind: EventType::LicenseExpiring,
            owner: license.tenant,
            license: Some(license.id),
            resource_version: license.version,
            data: json!({
                "license_id": license.id,
                "license": event::license(&shown, unit.now),
                "days": days,
            }),
            recipients: vec![license.tenant],
            receiver: None,
        };
        Ok(done.with_event(event).for_license(license.id))
    }
}
