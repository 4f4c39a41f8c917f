//! Holds a tenant to the bounds of its plan (contract-2 section 27). A smaller plan deletes nothing: it
//! only refuses more.

use grantor_domain::audit::{Origin, Scheme};
use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan;
use grantor_domain::usage::Bounded;
use grantor_domain::{Error, Result};
use grantor_storage::{Tx, tenant, usage};

use crate::act::Desk;
use crate::{App, Context};

/// Refuses what would lead beyond the bound. The count is held until the unit ends, so that of two who
/// race for the last place one is refused. To be asked before the rows are added.
pub(crate) fn admit(
    desk: &mut Desk<'_, '_>,
    tenant: TenantId,
    what: Bounded,
    added: u64,
) -> Result<()> {
    let used = usage::claim(desk.tx, tenant)?.of(what);
    if is_on_the_machine(desk.origin) {
        return Ok(());
    }
    what.admit(limit(desk.app, desk.tx, tenant, what)?, used, added)
}

/// Refuses whoever has nothing left before costly work is done for them.
pub(crate) async fn check(
    app: &App,
    context: &Context,
    tenant: TenantId,
    what: Bounded,
) -> Result<()> {
    if is_on_the_machine(&context.origin) {
        return Ok(());
    }
    let own = app.clone();
    app.store
        .read(move |tx| {
            let used = usage::find(tx, tenant)?.of(what);
            what.admit(limit(&own, tx, tenant, what)?, used, 1)
        })
        .await
}

/// Whoever runs the server is held to no plan: the sample fits into every one.
pub(crate) fn is_on_the_machine(origin: &Origin) -> bool {
    origin.scheme == Scheme::System
}

fn limit(app: &App, tx: &mut Tx<'_>, tenant: TenantId, what: Bounded) -> Result<Option<u64>> {
    let plan = tenant::find(tx, tenant).map_err(Error::from)?.map_or(Plan::Free, |it| it.plan);
    Ok(app.plans.of(plan).bound(what))
}
