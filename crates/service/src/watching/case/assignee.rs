//! Who works on a case: a member of the tenant that owns the talent, or of the tenant that acts for
//! the talent.

use grantor_domain::id::{TenantId, UserId};
use grantor_domain::role::{self, Right};
use grantor_domain::{Error, Result};
use grantor_storage::{case, membership};

use crate::App;
use crate::act::UnitOfWork;
use crate::identity::access::TenantCaller;

/// Lists the people of the caller's tenant who can work on cases, by name.
pub async fn list(app: &App, caller: TenantCaller) -> Result<Vec<(UserId, String)>> {
    Ok(app.store.read(move |tx| case::list_assignees(tx, caller.tenant)).await?)
}

/// Checks an assignee and returns the tenant that the assignee belongs to.
pub(super) fn check(
    unit: &mut UnitOfWork<'_, '_>,
    tenants: [TenantId; 2],
    user: UserId,
) -> Result<TenantId> {
    for tenant in tenants {
        if let Some((found, role)) = membership::find_active(unit.tx, tenant, user)?
            && role::may(role, found.kind, Right::ReviewMentions).is_ok()
        {
            return Ok(tenant);
        }
    }
    let message = "must be a member of your organization who can review mentions";
    Err(Error::field("assignee_id", message))
}
