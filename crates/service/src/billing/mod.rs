//! Billing: cards, subscriptions, invoices (bills in the API) and their collection
//! (docs/decisions/0020-billing.md).

mod card;
mod collect;
mod notice;
pub mod processor;
pub mod quota;
mod renewal;
mod sandbox;
mod stripe;
mod subscribe;

use grantor_domain::audit::Resource;
use grantor_domain::bill::Bill;
use grantor_domain::id::TenantId;
use grantor_domain::organization::Plan;
use grantor_domain::page::{Listing, Page};
use grantor_domain::subscription::{Subscription, SubscriptionStatus};
use grantor_domain::usage::ResourceUsage;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Tx, bill, subscription, tenant, usage};

pub use self::card::{add as add_card, list as cards, remove as remove_card};
use self::quota::Usage;
pub use self::renewal::collect_due;
pub use self::sandbox::Sandbox;
pub use self::stripe::Stripe;
pub use self::subscribe::{cancel, subscribe};
use crate::App;
use crate::act::UnitOfWork;
use crate::identity::access::Caller;

/// A tenant's plan, subscription and usage.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The plan in force.
    pub plan: Plan,
    /// The subscription that pays for it, if any.
    pub subscription: Option<Subscription>,
    /// How much of the month's quota is used.
    pub usage: Usage,
    /// How much of the plan's limits is used.
    pub used: ResourceUsage,
}

/// Returns the plan, subscription and usage of the caller's tenant.
pub async fn overview(app: &App, caller: &Caller) -> Result<Overview> {
    let id = caller.tenant;
    let (plan, subscription, used) = app
        .store
        .read(move |tx| -> Result<_> {
            let tenant = tenant::find(tx, id)?.ok_or_else(|| Error::not_found("Organization"))?;
            let paid = subscription::find(tx, id)?;
            let paid = paid.filter(|it| it.status != SubscriptionStatus::Pending);
            Ok((tenant.plan, paid, usage::find(tx, id)?))
        })
        .await?;
    Ok(Overview { plan, subscription, usage: quota::usage(app, id, plan).await?, used })
}

/// Lists the invoices of the caller's tenant, newest first.
pub async fn bills(app: &App, caller: &Caller, page: Page) -> Result<Listing<Bill>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(bill::list(tx, tenant, page)?)).await
}

/// Sets a tenant's plan without payment, on behalf of staff. Ends its subscription and voids open
/// invoices.
pub fn set_plan(unit: &mut UnitOfWork<'_, '_>, tenant: TenantId, plan: Plan) -> Result<()> {
    tenant::claim(unit.tx, tenant)?;
    if let Some(subscription) = subscription::find(unit.tx, tenant)? {
        subscription.ensure_no_pending_payment(unit.now)?;
    }
    end(unit.tx, tenant, plan, unit.now)
}

/// Ends a tenant's subscription, voids open invoices and sets its plan.
fn end(tx: &mut Tx<'_>, tenant: TenantId, plan: Plan, now: Timestamp) -> Result<()> {
    bill::void_open(tx, tenant)?;
    if let Some(subscription) = subscription::find(tx, tenant)? {
        subscription::delete(tx, subscription.id)?;
    }
    if tenant::set_plan(tx, tenant, plan, now)? {
        Ok(())
    } else {
        Err(Error::not_found("Organization"))
    }
}

/// Writes a subscription, unless another process has claimed it.
fn save(tx: &mut Tx<'_>, subscription: &Subscription, claim: i64) -> Result<()> {
    if subscription::update(tx, subscription, claim)? { Ok(()) } else { Err(taken_over()) }
}

fn taken_over() -> Error {
    Error::conflict("Another payment for this subscription is in progress")
}

fn resource(subscription: &Subscription) -> Resource {
    Resource {
        kind: "subscription",
        id: Some(subscription.id.to_string()),
        name: Some(subscription.plan.name().to_owned()),
    }
}
