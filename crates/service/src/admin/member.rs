//! Changing a member of staff: role and status.

use std::sync::Arc;

use grantor_domain::admin::{AdminRight, AdminRole, may, may_lose};
use grantor_domain::id::AdminId;
use grantor_domain::team::MemberStatus;
use grantor_domain::{Error, Result};
use grantor_storage::admin::{self, Admin};
use grantor_storage::{meta, session};
use serde_json::json;

use super::resource;
use crate::access::AdminCaller;
use crate::act::{Act, Desk, Done};
use crate::{App, Context};

/// What shall change; what is not given stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Another role.
    pub role: Option<AdminRole>,
    /// Whether the account may be used.
    pub status: Option<MemberStatus>,
}

/// Gives a member of staff another role or status. Who is made inactive loses every session at
/// once.
pub async fn change(
    app: &App,
    context: &Context,
    caller: Arc<AdminCaller>,
    id: AdminId,
    changes: Changes,
) -> Result<Admin> {
    app.act(context, Change { caller, id, changes }).await
}

/// Whoever changes the staff holds this, so that two cannot each spare the other.
const STAFF: &str = "staff";

struct Change {
    caller: Arc<AdminCaller>,
    id: AdminId,
    changes: Changes,
}

impl Act for Change {
    type Grant = Admin;
    type Output = Admin;
    const ACTION: &'static str = "admin.update";

    fn authorize(&self, desk: &mut Desk<'_, '_>) -> Result<Admin> {
        may(self.caller.role, AdminRight::ManageMembers)?;
        meta::claim(desk.tx, STAFF)?;
        let admin = admin::find(desk.tx, self.id)?.ok_or_else(|| Error::not_found("Member"))?;
        let demoted = self.changes.role.is_some_and(|it| it != admin.role);
        let disabled = self.changes.status == Some(MemberStatus::Inactive);
        if admin.active && (demoted || disabled) {
            may_lose(admin.role, admin::count_active(desk.tx, AdminRole::SuperAdmin)?)?;
        }
        Ok(admin)
    }

    fn carry_out(&self, desk: &mut Desk<'_, '_>, mut admin: Admin) -> Result<Done<Admin>> {
        admin.role = self.changes.role.unwrap_or(admin.role);
        admin.active = self.changes.status.map_or(admin.active, |it| it == MemberStatus::Active);
        admin::update(desk.tx, &admin, desk.now)?;
        if !admin.active {
            session::revoke_all(desk.tx, admin.id.as_uuid(), desk.now)?;
        }
        let resource = resource(&admin);
        let mut done = Done::new(admin, resource, "A member of staff was changed");
        done.details = json!({ "role": self.changes.role, "status": self.changes.status });
        Ok(done)
    }
}
