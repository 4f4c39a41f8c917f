//! Changing the role and status of a member of staff.

use std::sync::Arc;

use grantor_domain::admin::{AdminRight, AdminRole, may, may_lose};
use grantor_domain::id::AdminId;
use grantor_domain::team::MemberStatus;
use grantor_domain::{Error, Result};
use grantor_storage::admin::{self, Admin};
use grantor_storage::{meta, session};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::resource;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::AdminCaller;
use crate::log::change::FieldChanges;
use crate::undo::{self, Reverse, changed_since};
use crate::{App, Context};

/// The changes to a member of staff; `None` keeps the current value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The new role.
    pub role: Option<AdminRole>,
    /// The new status.
    pub status: Option<MemberStatus>,
}

/// Changes a member of staff. Deactivating an account ends all its sessions.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<AdminCaller>,
    id: AdminId,
    changes: Changes,
) -> Result<Admin> {
    app.act(context, Change { caller, id, changes }).await
}

/// Locked while staff is changed, so that concurrent changes cannot remove the last super admin.
const STAFF: &str = "staff";

pub(crate) struct Change {
    pub(crate) caller: Arc<AdminCaller>,
    pub(crate) id: AdminId,
    pub(crate) changes: Changes,
}

/// What takes back a change of a member of staff: their role and whether they were active.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct AdminReverse {
    id: AdminId,
    before: (AdminRole, bool),
    after: (AdminRole, bool),
}

impl AdminReverse {
    /// Takes the change back. Sessions stay ended.
    pub(crate) fn run(
        self,
        unit: &mut UnitOfWork<'_, '_>,
        caller: &Arc<AdminCaller>,
    ) -> Result<Done<()>> {
        let now = admin::find(unit.tx, self.id)?.ok_or_else(changed_since)?;
        if (now.role, now.active) != self.after {
            return Err(changed_since());
        }
        let (role, active) = self.before;
        let status = if active { MemberStatus::Active } else { MemberStatus::Inactive };
        let changes = Changes { role: Some(role), status: Some(status) };
        let act = Change { caller: Arc::clone(caller), id: self.id, changes };
        undo::run(unit, &act, "A change of a staff member was undone")
    }
}

impl Act for Change {
    type Permit = Admin;
    type Output = Admin;
    const ACTION: &'static str = "admin.update";

    fn authorize(&self, unit: &mut UnitOfWork<'_, '_>) -> Result<Admin> {
        may(self.caller.role, AdminRight::ManageMembers)?;
        meta::claim(unit.tx, STAFF)?;
        let admin = admin::find(unit.tx, self.id)?.ok_or_else(|| Error::not_found("Member"))?;
        let demoted = self.changes.role.is_some_and(|it| it != admin.role);
        let disabled = self.changes.status == Some(MemberStatus::Inactive);
        if admin.active && (demoted || disabled) {
            may_lose(admin.role, admin::count_active(unit.tx, AdminRole::SuperAdmin)?)?;
        }
        Ok(admin)
    }

    fn carry_out(&self, unit: &mut UnitOfWork<'_, '_>, mut admin: Admin) -> Result<Done<Admin>> {
        let before = (admin.role, admin.active);
        admin.role = self.changes.role.unwrap_or(admin.role);
        admin.active = self.changes.status.map_or(admin.active, |it| it == MemberStatus::Active);
        admin::update(unit.tx, &admin, unit.now)?;
        if !admin.active {
            session::revoke_all(unit.tx, admin.id.as_uuid(), unit.now)?;
        }
        let (resource, after) = (resource(&admin), (admin.role, admin.active));
        let status = |(_, active): (AdminRole, bool)| if active { "active" } else { "inactive" };
        let changes = FieldChanges::default().field("role", before.0.name(), after.0.name()).field(
            "status",
            status(before),
            status(after),
        );
        let mut done = Done::new(admin, resource, "A staff member was updated");
        done.details = json!({ "role": self.changes.role, "status": self.changes.status });
        let done = done.with_changes(changes);
        if before == after {
            return Ok(done);
        }
        Ok(done.undone_by(Reverse::Admin(AdminReverse { id: self.id, before, after })))
    }
}
