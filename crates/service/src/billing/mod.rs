//! Plans and what they cost: cards, subscriptions, bills, and the worker that collects
//! (docs/decisions/0020-billing.md).

mod card;
mod collect;
mod notice;
pub mod processor;
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
use grantor_domain::usage::Used;
use grantor_domain::{Error, Result, Timestamp};
use grantor_storage::{Tx, bill, subscription, tenant, usage};

pub use self::card::{add as add_card, list as cards, remove as remove_card};
pub use self::renewal::collect_due;
pub use self::sandbox::Sandbox;
pub use self::stripe::Stripe;
pub use self::subscribe::{cancel, subscribe};
use crate::App;
use crate::access::Caller;
use crate::act::Desk;
use crate::quota::{self, Usage};

/// What a tenant has, pays and uses.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The plan in force.
    pub plan: Plan,
    /// The subscription that pays for it, where one does.
    pub subscription: Option<Subscription>,
    /// How much of the month's quota is used.
    pub usage: Usage,
    /// How much there is of what the plan bounds.
    pub used: Used,
}

/// What the caller's tenant has, pays and uses.
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

/// The caller's bills, newest first.
pub async fn bills(app: &App, caller: &Caller, page: Page) -> Result<Listing<Bill>> {
    let tenant = caller.tenant;
    app.store.read(move |tx| Ok(bill::list(tx, tenant, page)?)).await
}

/// Puts a tenant on a plan that no card pays for, as staff decides: what it paid for ends, and what it
/// was still asked for is void.
pub fn set_plan(desk: &mut Desk<'_, '_>, tenant: TenantId, plan: Plan) -> Result<()> {
    tenant::claim(desk.tx, tenant)?;
    if let Some(subscription) = subscription::find(desk.tx, tenant)? {
        subscription.free_hands(desk.now)?;
    }
    end(desk.tx, tenant, plan, desk.now)
}

/// Ends what a tenant pays for and puts it on a plan.
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

/// Writes a subscription that is held by this claim.
fn save(tx: &mut Tx<'_>, subscription: &Subscription, claim: i64) -> Result<()> {
    if subscription::update(tx, subscription, claim)? { Ok(()) } else { Err(taken_over()) }
}

fn taken_over() -> Error {
    Error::conflict("Another payment of this subscription is under way")
}

fn resource(subscription: &Subscription) -> Resource {
    Resource {
        kind: "subscription",
        id: Some(subscription.id.to_string()),
        name: Some(subscription.plan.name().to_owned()),
    }
}
