//! Revoking a grant, for good.

use grantor_domain::event::EventType;
use grantor_domain::grant::{GrantStatus, Party};
use grantor_domain::id::GrantId;
use grantor_domain::role::Right;
use grantor_domain::{Error, ErrorKind, Result};
use grantor_storage::grant::{self, GrantRecord};
use grantor_storage::license;

use super::{GrantView, grant_event, not_found, refresh_reader, resource};
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::TenantCaller;
use crate::licensing::notice;
use crate::organizations::rights;
use crate::{App, Context};

/// Revokes a grant, in effect at once: the licensee loses the view of the license, and the receipt
/// is revoked.
pub async fn revoke(
    app: &App,
    context: &Context,
    caller: TenantCaller,
    id: GrantId,
    reason: String,
) -> Result<GrantView> {
    let view = app.act(context, Revoke { caller, id, reason }).await?;
    app.status_lists.forget(view.record.grant.status_entry.0);
    Ok(view)
}

struct Revoke {
    caller: TenantCaller,
    id: GrantId,
    reason: String,
}

impl Act for Revoke {
    type Permit = GrantRecord;
    type Output = GrantView;
    const ACTION: &'static str = "grant.revoke";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<GrantRecord> {
        let found = grant::find(unit.tx, self.id)?.ok_or_else(not_found)?;
        match found.grant.party(self.caller.tenant) {
            Some(Party::Owner) => {}
            Some(Party::Asker) => {
                let message = "Only the licensor can revoke a grant";
                return Err(Error::new(ErrorKind::Forbidden, message));
            }
            None => return Err(not_found()),
        }
        let of = (found.grant.licensor, found.grant.talent);
        rights::require_for_talent(unit, Right::ManageLicenses, of)?;
        license::lock(unit.tx, found.grant.license)?;
        let record = grant::claim(unit.tx, self.id)?.ok_or_else(not_found)?;
        match record.grant.status_at(unit.now) {
            GrantStatus::Scheduled | GrantStatus::Active => Ok(record),
            over => Err(Error::conflict(format!("The grant is already {over}"))),
        }
    }

    fn carry_out(
        &self,
        unit: &mut UnitOfWork<'_, '_>,
        record: GrantRecord,
    ) -> Result<Done<GrantView>> {
        let by = unit.actor.name().to_owned();
        grant::revoke(unit.tx, &record.grant, (self.reason.as_str(), by.as_str()), unit.now)?;
        if let Some(found) = license::find(unit.tx, record.grant.license)? {
            refresh_reader(unit, &found.license, record.grant.licensee)?;
        }
        let record = grant::find(unit.tx, self.id)?.ok_or_else(not_found)?;
        notice::grant_revoked(unit, &record)?;
        let event = grant_event(unit, EventType::GrantRevoked, &record);
        let message = format!("Grant {} was revoked", record.grant.number);
        let (resource, license) = (resource(&record), record.grant.license);
        let view = GrantView::new(record, Party::Owner, unit.now);
        Ok(Done::new(view, resource, message).for_license(license).with_event(event))
    }
}
