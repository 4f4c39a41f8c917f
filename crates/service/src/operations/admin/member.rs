//! Changing the role and status of a member of staff.

use std::sync::Arc;

use grantor_domain::admin::{AdminRight, AdminRole, may, may_lose};
use grantor_domain::id::AdminId;
use grantor_domain::team::MemberStatus;
use grantor_domain::{Error, Result};
use grantor_storage::admin::{self, Admin};
use grantor_storage::{meta, session};
use serde_json::json;

use super::resource;
use crate::act::{Act, Done, UnitOfWork};
use crate::identity::access::AdminCaller;
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

struct Change {
    caller: Arc<AdminCaller>,
    id: AdminId,
    changes: Changes,
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
        admin.role = self.changes.role.unwrap_or(admin.role);
        admin.active = self.changes.status.map_or(admin.active, |it| it == MemberStatus::Active);
        admin::update(unit.tx, &admin, unit.now)?;
        if !admin.active {
            session::revoke_all(unit.tx, admin.id.as_uuid(), unit.now)?;
        }
        let resource = resource(&admin);
        let mut done = Done::new(admin, resource, "A staff member was updated");
        done.details = json!({ "role": self.changes.role, "status": self.changes.status });
        Ok(done)
    }
}
