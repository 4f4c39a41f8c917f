//! Subscriptions: one for each paying tenant, leased by the worker that collects its payment.

use grantor_domain::Timestamp;
use grantor_domain::id::{NodeId, SubscriptionId, TenantId};
use grantor_domain::subscription::Subscription;

use crate::statement::sql;
use crate::value::params;
use crate::{Error, Result, Row, Tx, only_column};

/// Inserts a subscription.
pub fn insert(tx: &mut Tx<'_>, subscription: &Subscription) -> Result<()> {
    let node = holder(tx, subscription);
    tx.execute(
        sql!(
            "INSERT INTO subscriptions (subscription_id, tenant_id, plan, next_plan, card_id, status,
               anchored_at, periods, period_end, failures, due_at, leased_until, claim, created_at,
               wakes_at, node_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)"
        ),
        params![
            subscription.id,
            subscription.tenant,
            subscription.plan.name(),
            subscription.next_plan.map(|it| it.name().to_owned()),
            subscription.card,
            subscription.status.name(),
            subscription.anchored_at,
            subscription.periods,
            subscription.period_end,
            subscription.failures,
            subscription.due_at,
            subscription.leased_until,
            subscription.claim,
            subscription.created_at,
            subscription.wakes_at(),
            node,
        ],
    )?;
    Ok(())
}

/// The node that holds a leased subscription.
fn holder(tx: &Tx<'_>, subscription: &Subscription) -> Option<NodeId> {
    tx.node().filter(|_| subscription.leased_until.is_some())
}

/// Returns a tenant's subscription.
pub fn find(tx: &mut Tx<'_>, tenant: TenantId) -> Result<Option<Subscription>> {
    tx.find(
        sql!(
            "SELECT subscription_id, tenant_id, plan, next_plan, card_id, status, anchored_at,
               periods, period_end, failures, due_at, leased_until, claim, created_at
             FROM subscriptions WHERE tenant_id = $1"
        ),
        params![tenant],
        read,
    )
}

/// Lists tenants with a due subscription that no worker has leased, longest due first.
pub fn list_due(tx: &mut Tx<'_>, now: Timestamp, at_most: u32) -> Result<Vec<TenantId>> {
    tx.query(
        sql!(
            "SELECT tenant_id FROM subscriptions
             WHERE wakes_at <= $1 ORDER BY wakes_at, subscription_id LIMIT $2"
        ),
        params![now, at_most],
        only_column,
    )
}

/// Updates a subscription. False if another worker has leased it since it was read.
pub fn update(tx: &mut Tx<'_>, subscription: &Subscription, claim: i64) -> Result<bool> {
    let node = holder(tx, subscription);
    let changed = tx.execute(
        sql!(
            "UPDATE subscriptions SET plan = $3, next_plan = $4, card_id = $5, status = $6,
               anchored_at = $7, periods = $8, period_end = $9, failures = $10, due_at = $11,
               leased_until = $12, claim = $13, wakes_at = $14, node_id = $15
             WHERE subscription_id = $1 AND claim = $2"
        ),
        params![
            subscription.id,
            claim,
            subscription.plan.name(),
            subscription.next_plan.map(|it| it.name().to_owned()),
            subscription.card,
            subscription.status.name(),
            subscription.anchored_at,
            subscription.periods,
            subscription.period_end,
            subscription.failures,
            subscription.due_at,
            subscription.leased_until,
            subscription.claim,
            subscription.wakes_at(),
            node,
        ],
    )?;
    Ok(changed == 1)
}

/// Deletes a subscription that has ended.
pub fn delete(tx: &mut Tx<'_>, id: SubscriptionId) -> Result<()> {
    tx.execute(sql!("DELETE FROM subscriptions WHERE subscription_id = $1"), params![id])?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<Subscription> {
    let next = row.get::<Option<String>>("next_plan")?;
    Ok(Subscription {
        id: row.get("subscription_id")?,
        tenant: row.get("tenant_id")?,
        plan: row.get::<String>("plan")?.parse().map_err(Error::Fault)?,
        next_plan: next.map(|it| it.parse()).transpose().map_err(Error::Fault)?,
        card: row.get("card_id")?,
        status: row.get::<String>("status")?.parse().map_err(Error::Fault)?,
        anchored_at: row.get("anchored_at")?,
        periods: row.get("periods")?,
        period_end: row.get("period_end")?,
        failures: row.get("failures")?,
        due_at: row.get("due_at")?,
        leased_until: row.get("leased_until")?,
        claim: row.get("claim")?,
        created_at: row.get("created_at")?,
    })
}
