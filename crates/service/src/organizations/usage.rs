//! Enforces the limits of a tenant's plan (contract-2 section 27). A downgrade deletes nothing, it
//! only refuses additions.

use grantor_domain::audit::{Origin, Scheme};
use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan;
use grantor_domain::usage::LimitedResource;
use grantor_domain::{Error, Result};
use grantor_storage::{Tx, tenant, usage};

use crate::act::UnitOfWork;
use crate::{App, Context};

/// Refuses an addition over the limit. Call this before the rows are added. The count stays locked
/// until the unit of work ends, so concurrent additions can't exceed the limit.
pub(crate) fn admit(
    unit: &mut UnitOfWork<'_, '_>,
    tenant: TenantId,
    what: LimitedResource,
    added: u64,
) -> Result<()> {
    let used = usage::claim(unit.tx, tenant)?.of(what);
    if is_internal(unit.origin) {
        return Ok(());
    }
    what.admit(limit(unit.app, unit.tx, tenant, what)?, used, added)
}

/// Refuses a tenant that is at the limit, before expensive work is done.
pub(crate) async fn check(
    app: &App,
    context: &Context,
    tenant: TenantId,
    what: LimitedResource,
) -> Result<()> {
    if is_internal(&context.origin) {
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

/// What a tenant may still add within its plan; `None` without a limit. The count stays locked
/// until the unit of work ends, so concurrent additions can't exceed the limit.
pub(crate) fn claim_left(
    app: &App,
    tx: &mut Tx<'_>,
    tenant: TenantId,
    what: LimitedResource,
) -> Result<Option<u64>> {
    let used = usage::claim(tx, tenant)?.of(what);
    Ok(limit(app, tx, tenant, what)?.map(|limit| limit.saturating_sub(used)))
}

/// Like [`claim_left`], without a lock, before expensive work is done.
pub(crate) fn left(
    app: &App,
    tx: &mut Tx<'_>,
    tenant: TenantId,
    what: LimitedResource,
) -> Result<Option<u64>> {
    let used = usage::find(tx, tenant)?.of(what);
    Ok(limit(app, tx, tenant, what)?.map(|limit| limit.saturating_sub(used)))
}

/// Whether the call comes from the operator or the server itself, which no plan limits.
pub(crate) fn is_internal(origin: &Origin) -> bool {
    origin.scheme == Scheme::System
}

fn limit(
    app: &App,
    tx: &mut Tx<'_>,
    tenant: TenantId,
    what: LimitedResource,
) -> Result<Option<u64>> {
    let plan = tenant::find(tx, tenant).map_err(Error::from)?.map_or(Plan::Free, |it| it.plan);
    Ok(app.plans.of(plan).bound(what))
}
